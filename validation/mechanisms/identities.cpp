/** \file
 *  \brief Proofs of chapter mechanisms: Ma et al. 2021, sections 5 to 7, \eq{ma,41} to \eq{ma,94}.
 */
#include <mechanisms/machine_case.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void loops(Registry<S>& r)
{
  r.identity({.name = "the closed forms of triangle and four-bars meet the pins of all seven loops",
              .keys = {"ma:65", "ma:69", "ma:70", "ma:74", "ma:75", "ma:79", "ma:80"},
              .symbols = "HydraulicManipulator::close",
              .method = "cross-check: poses of the tree",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    for (const Loop& loop : now.loops) {
                      const auto pin = [&](const Loop::End& end) {
                        return now.bodies.link_pose(x.model.link(end.link)).p;
                      };
                      sides.add(pin(loop.first), pin(loop.second));
                    }
                    return sides;
                  },
              .applies = is_the_manipulator});
}

}  // namespace

template <typename S>
void mechanisms_identities(Registry<S>& r)
{
  loops(r);
}

template void mechanisms_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
