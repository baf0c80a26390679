/** \file
 *  \brief The hydraulic manipulator driven by its working process, in any scalar.
 */
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>
#include <articulate/mechanisms/hydraulic_manipulator.hpp>
#include <articulate/mechanisms/loop_motion.hpp>
#include <articulate/mechanisms/working_process.hpp>
#include <models/closed_machines.hpp>

namespace articulate::validation {

inline constexpr int leaders = 6;

/// The machine driven by its process, with or without the load.
template <typename S>
struct Driven {
  const ClosedMachine described;
  const Model<S> model;
  const HydraulicManipulator<S> machine{model};
  const WorkingProcess<S> process{working_process()};
  LoopMotion<S> motion{model, described.loops, flags({machine.leaders.begin(), machine.leaders.end()})};
  MainMotion<S> main;
  VectorX<S> q;

  explicit Driven(double load = 0) : described(hydraulic_manipulator(load)), model(Model<double>(described.tree)) {}

  std::vector<bool> flags(const std::vector<std::string>& joints) const
  {
    std::vector<bool> chosen(model.nv(), false);
    for (const std::string& joint : joints) chosen[machine.slot(joint)] = true;
    return chosen;
  }
  /// Where the k-th leader in the paper's order stands among those of LoopMotion.
  int column(int k) const
  {
    const std::vector<int>& l = motion.leaders();
    return static_cast<int>(std::find(l.begin(), l.end(), machine.slot(machine.leaders[k])) - l.begin());
  }
  void at(const S& t) { at(t, process.phase(t)); }
  void at(const S& t, int phase)
  {
    main = process.in_phase(phase, t);
    VectorX<S> rates(leaders), accelerations(leaders);
    for (int k = 0; k < leaders; ++k) rates(column(k)) = main.qd[k], accelerations(column(k)) = main.qdd[k];
    q = machine.close(main.q);
    motion(q, rates, accelerations);
  }
  /// \brief The pushes of the four cylinders by the balance of pins, where the machine is.
  std::array<S, 4> pushes() const
  {
    InverseDynamics<S> inverse(model);
    const VectorX<S> moments = motion.G.transpose() * inverse(q, motion.qd, motion.qdd);
    return machine.pushes(main.q, {moments(column(1)), moments(column(2)), moments(column(3)), moments(column(5))});
  }
};

/// \brief The load hangs on the arm from a time on; the instant itself belongs to what is before.
inline bool is_loaded(int phase)
{
  const ProcessData data = working_process();
  return phase > 0 && data.phases[phase - 1].until >= data.load_from;
}

/// Times along the process, and each change of phase from both sides.
inline std::vector<std::pair<double, int>> instants(double step)
{
  const WorkingProcess<double> process(working_process());
  std::vector<std::pair<double, int>> all;
  for (int k = 0; k * step <= process.duration(); ++k) all.emplace_back(k * step, process.phase(k * step));
  for (std::size_t k = 1; k < process.data().phases.size(); ++k)
    all.emplace_back(process.data().phases[k - 1].until, static_cast<int>(k));
  return all;
}

inline double largest(const VectorX<double>& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0; }

}  // namespace articulate::validation
