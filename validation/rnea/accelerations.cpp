/** \file
 *  \brief Proofs of chapter rnea: spatial and classical accelerations of frames that links carry, \eq{ours,43} to
 *  \eq{ours,45}.
 */
#include <model/carried_frames.hpp>

namespace articulate::validation {
namespace {

/// Something of a frame against what is seen of it, in the terms of an acceleration.
template <typename S, typename Found, typename Wrong, typename Seen>
void add_accelerations(Sides<S>& sides, const Specimen<S>& x, const char* row, const std::string& rival,
                       const Found& found, const Wrong& mistake, const Seen& seen)
{
  SpaceMotion<S> motion(x.model);
  motion(x.q, x.qd, x.qdd);
  for (const CarriedFrame<S>& at : carried_frames(x))
    for (const JacobianFrame from : three_frames) {
      const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
      const Vector6<S> V = seen_in(from, at.pose, at.twist).now;
      const S lever = at.lever(from);
      const Terms<S> terms = terms_of_product(J, x.qdd, lever) + terms_of_rate(J, V, x.qd, lever);
      sides.clause({clause_of(row, from)});
      add_six(sides, coordinates(found(motion, at.frame, from)), seen(at, from), terms);
      sides.rival(rival, [&](auto& wrong) {
        add_six(wrong, coordinates(mistake(motion, at.frame, from)), seen(at, from), terms);
      });
    }
}

template <typename S>
void accelerations_of_frames(Registry<S>& r)
{
  using Motion = SpaceMotion<S>;
  using Frame = LinkFrame<S>;
  const auto spatial = [](const Motion& m, const Frame& f, JacobianFrame from) { return m.link_acceleration(f, from); };
  const auto classical = [](const Motion& m, const Frame& f, JacobianFrame from) {
    return m.link_classical_acceleration(f, from);
  };
  r.identity({.name = "a_spatial_acceleration_is_the_rate_of_the_body_twist_and_is_seen_as_a_twist_is",
              .keys = {"ours:43/link", "ours:43/world", "ours:43/mixed"},
              .symbols = "SpaceMotion::link_acceleration ForwardKinematics::seen_from",
              .method = "independent formulation",
              .sides = [=](const Specimen<S>& x, Sides<S>& sides) {
                add_accelerations(sides, x, "ours:43", "it is taken for that of a point", spatial, classical,
                                  [](const auto& at, JacobianFrame from) { return at.spatial_acceleration(from); });
              }});
  r.identity({.name = "a_classical_acceleration_is_the_second_derivative_of_a_place",
              .keys = {"ours:44/link", "ours:44/world", "ours:44/mixed"},
              .symbols = "SpaceMotion::link_classical_acceleration ForwardKinematics::link_twist",
              .method = "independent formulation",
              .sides = [=](const Specimen<S>& x, Sides<S>& sides) {
                add_accelerations(sides, x, "ours:44", "it is taken for the spatial one", classical, spatial,
                                  [](const auto& at, JacobianFrame from) { return at.classical_acceleration(from); });
              }});
  r.identity({.name = "the_rate_of_a_twist_is_spatial_in_two_frames_and_classical_in_the_third",
              .keys = {"ours:45/link", "ours:45/world", "ours:45/mixed"},
              .symbols = "SpaceMotion::link_twist_rate ForwardKinematics::rate_of_twist",
              .method = "independent formulation",
              .sides = [=](const Specimen<S>& x, Sides<S>& sides) {
                const auto rate = [](const Motion& m, const Frame& f, JacobianFrame from) {
                  return m.link_twist_rate(f, from);
                };
                const auto products = [&](const Motion& m, const Frame& f, JacobianFrame from) {
                  return to_twist(m.link_jacobian(f, from) * x.qdd + m.link_jacobian_rate(f, x.qd, from) * x.qd);
                };
                const auto of_the_others = [=](const Motion& m, const Frame& f, JacobianFrame from) {
                  return from == JacobianFrame::mixed ? spatial(m, f, from) : classical(m, f, from);
                };
                const auto seen = [](const auto& at, JacobianFrame from) {
                  return from == JacobianFrame::mixed ? at.classical_acceleration(from) : at.spatial_acceleration(from);
                };
                const std::string exchanged = "spatial and classical are exchanged";
                add_accelerations(sides, x, "ours:45", exchanged, rate, of_the_others, seen);
                add_accelerations(sides, x, "ours:45", exchanged, products, of_the_others, seen);
              }});
}

}  // namespace

template <typename S>
void rnea_accelerations(Registry<S>& r)
{
  accelerations_of_frames(r);
}

template void rnea_accelerations(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
