/** \file
 *  \brief The hydraulic manipulator with its loops closed, in a drawn instant of its working process.
 *
 *  - Paper: Ma et al. 2021. Chapter: \ref mechanisms
 */
#pragma once
#include <articulate/mechanisms/hydraulic_manipulator.hpp>
#include <articulate/mechanisms/loop_motion.hpp>
#include <articulate/mechanisms/working_process.hpp>
#include <ledger/registry.hpp>
#include <models/closed_machines.hpp>

namespace articulate::validation {

/// \brief Whether a model is the built-in manipulator.
inline bool is_the_manipulator(const Model<double>& model)
{
  return model.mechanism().name == "hydraulic_manipulator" && model.nq() == 20 && model.nv() == 20;
}

/** \brief A case of the manipulator: the pose of its main chain from the process at a drawn time, drawn rates and
 *  accelerations; all others by closed forms and by the loops' rows.
 *
 *  Ask a specimen for it by `x.template once<MachineCase<S>>()`.
 */
template <typename S>
class MachineCase {
public:
  const HydraulicManipulator<S> machine;
  const std::vector<Loop> loops;
  MainMotion<S> main;           ///< of the six joints that lead, in the paper's order
  LoopMotion<S> motion;         ///< run: G, qd, qdd
  VectorX<S> q;                 ///< all coordinates
  ForwardKinematics<S> bodies;  ///< run at (q, qd)
  InverseDynamics<S> inverse;   ///< run at (q, qd, qdd)
  VectorX<S> tau;               ///< its result: of the tree, before the loops carry anything
  std::array<S, 6> moments;     ///< generalized forces of the six leaders

  explicit MachineCase(const Specimen<S>& x)
      : machine(x.model),
        loops(hydraulic_manipulator().loops),
        motion(x.model, loops, leads(machine)),
        bodies(x.model),
        inverse(x.model)
  {
    const S t = S(40) + S(39) * x.number(0);
    main = WorkingProcess<S>(working_process())(t);
    VectorX<S> rates(6), accelerations(6);
    for (int k = 0; k < 6; ++k) {
      main.qd[k] = x.number(k + 1), main.qdd[k] = x.number(k + 7);
      const int column = column_of(k);
      rates(column) = main.qd[k], accelerations(column) = main.qdd[k];
    }
    q = machine.close(main.q);
    motion(q, rates, accelerations);
    bodies(q, motion.qd);
    tau = inverse(q, motion.qd, motion.qdd);
    const VectorX<S> all = motion.G.transpose() * tau;
    for (int k = 0; k < 6; ++k) moments[k] = all(column_of(k));
  }

  /// \brief The column of G that belongs to the k-th leader in the paper's order.
  int column_of(int k) const
  {
    const std::vector<int>& l = motion.leaders();
    return static_cast<int>(std::find(l.begin(), l.end(), machine.slot(machine.leaders[k])) - l.begin());
  }

private:
  static std::vector<bool> leads(const HydraulicManipulator<S>& machine)
  {
    std::vector<bool> flags(machine.model().nv(), false);
    for (const char* joint : machine.leaders) flags[machine.slot(joint)] = true;
    return flags;
  }
};

/** \brief The machine along the motion of a case, in an arithmetic that carries derivatives in time.
 *
 *  Its poses know no rate and no Jacobian: they are closed forms of six polynomials in t.
 */
template <typename S>
class MachineAlongMotion {
public:
  const HydraulicManipulator<Series<S>> machine;
  std::array<Series<S>, 6> main;        ///< the six leaders
  VectorX<Series<S>> q;                 ///< all coordinates
  ForwardKinematics<Series<S>> bodies;  ///< poses, and twists with their first derivative

  explicit MachineAlongMotion(const Specimen<S>& x) : machine(x.series_model()), bodies(x.series_model())
  {
    const MachineCase<S>& now = x.template once<MachineCase<S>>();
    const Series<S> t = time_series<S>();
    for (int k = 0; k < 6; ++k) main[k] = now.main.q[k] + now.main.qd[k] * t + S(now.main.qdd[k] / S(2)) * t * t;
    q = machine.close(main);
    VectorX<Series<S>> qd(q.size());
    for (int k = 0; k < q.size(); ++k) qd(k) = derivative(q(k), 1) + derivative(q(k), 2) * t;
    bodies(q, qd);
  }
};

/// \brief The identities of chapter mechanisms.
template <typename S>
void mechanisms_identities(Registry<S>&);

}  // namespace articulate::validation
