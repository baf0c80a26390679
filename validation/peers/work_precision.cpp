/** \file
 *  \brief One machine, moved by one peer: how often it asked for accelerations, and where it ends.
 *
 *      articulate-work-precision MODEL STATE LOOPS DURATION PEER SETTING
 *
 *  LOOPS is a loop file, or - for none. Peers are odeint and cvode, which take our accelerations, the same with
 *  `_closed`, whose states are brought back to closed loops after each step, simbody, mujoco and mujoco_stiff, see the
 *  headers of this folder. The setting is a tolerance, or MuJoCo's number of steps. work_precision.py knows the problems.
 *  - Chapter: \ref motion
 */
#include <algorithm>
#include <complex>
#include <cstdio>
#include <iostream>
#include <tuple>
#include <articulate/model/displacement.hpp>
#include <articulate/motion/closed_motion.hpp>
#include <articulate/motion/force_elements.hpp>
#include <cli/forces.hpp>
#include <cli/json_reader.hpp>
#include <cli/load.hpp>
#include <cli/loops.hpp>
#include <cli/state.hpp>
#include <peers/flat.hpp>
#include <peers/mujoco.hpp>
#include <peers/simbody.hpp>

using namespace articulate;
using namespace articulate::validation;

namespace {

/// A machine and how it begins, as files tell it.
struct Start {
  Model<double> model;
  std::vector<Loop> loops;
  std::vector<ForceElement> elements;
  cli::State state;

  Start(const std::string& of, const std::string& begins, const std::string& closed)
      : model(cli::load({of, false, false, {}})), state(cli::read_state(cli::text_of_file(begins), begins, model))
  {
    if (closed == "-") return;
    loops = cli::read_loops(closed, model).loops;
    elements = cli::read_forces(closed, model);
  }

  VectorX<double> tau() const { return state.tau.value_or(VectorX<double>::Zero(model.nv())); }
};

std::vector<double> plain(const VectorX<double>& x) { return {x.begin(), x.end()}; }

/// The machine as equations for solvers that know lists of numbers only: (q, qd).
class Flat {
public:
  long evaluations = 0;

  Flat(const Start& start, double duration)
      : model_(start.model),
        complex_(start.model),
        elements_(start.model, start.elements),
        closed_(start.model, start.loops),
        tau_(start.tau()),
        duration_(duration),
        start_(start.state.q.size() + start.state.qd.size())
  {
    start_ << start.state.q, start.state.qd;
    closed_.set_gravity(start.state.gravity);
    closed_.set_armature(elements_.armature);
    closed_.begin(start.state.q, start.state.qd, duration / 1000);
  }

  FlatProblem problem(bool settled)
  {
    FlatProblem problem{
        [this](const auto& y, auto& rates, double t) { rates = this->rates(y, t); }, {}, plain(start_), duration_};
    if (settled) problem.settle = [this](auto& y) { settle(y); };
    return problem;
  }

private:
  std::pair<VectorX<double>, VectorX<double>> parts(const std::vector<double>& y) const
  {
    const Eigen::Map<const VectorX<double>> all(y.data(), start_.size());
    return {all.head(model_.nq()), all.tail(model_.nv())};
  }

  std::vector<double> rates(const std::vector<double>& y, double t)
  {
    ++evaluations;
    const auto both = parts(y);
    const VectorX<double>&q = both.first, &qd = both.second;
    const VectorX<double> qdd = closed_.accelerations_under(q, qd, [&](const Recursion<double>& moved) {
      elements_(moved, q, qd, t);
      all_tau_ = tau_ + elements_.tau;
      return std::tie(all_tau_, elements_.Fext);
    });
    VectorX<double> all(start_.size());
    all << rates_of_coordinates(q, qd), qdd;
    return ::plain(all);
  }

  /// By a complex step; those of a quaternion are not the rates of its joint.
  VectorX<double> rates_of_coordinates(const VectorX<double>& q, const VectorX<double>& qd) const
  {
    if (model_.nq() == model_.nv()) return qd;
    using Complex = std::complex<double>;
    const VectorX<Complex> step = Complex(0, 1e-30) * qd.cast<Complex>();
    return displaced(complex_, VectorX<Complex>(q.cast<Complex>()), step).imag() / 1e-30;
  }

  void settle(std::vector<double>& y)
  {
    auto [q, qd] = parts(y);
    for (const JointSlot& joint : model_.joints())
      if (joint.nq > joint.nv) q.segment(joint.q + joint.nq - 4, 4).normalize();
    closed_.settle(q, qd);
    std::copy(q.begin(), q.end(), y.begin());
    std::copy(qd.begin(), qd.end(), y.begin() + q.size());
  }

  Model<double> model_;
  Model<std::complex<double>> complex_;
  ForceElements<double> elements_;
  ClosedMotion<double> closed_;
  VectorX<double> tau_, all_tau_;
  double duration_;
  VectorX<double> start_;
};

/// The machine as engines are told it: springs, and all constant forces at joints.
struct Told {
  std::vector<Spring> springs;
  VectorX<double> tau;
  Mechanism mechanism;
  std::vector<std::string> joints;
  bool is_plane;  ///< no loop needs more than two constraints in its plane

  explicit Told(const Start& start) : tau(start.tau()), mechanism(start.model.mechanism())
  {
    for (int k = 0; k < 3; ++k) mechanism.gravity[k] = start.state.gravity[k];
    for (const JointSlot& joint : start.model.joints()) joints.push_back(joint.name);
    for (const ForceElement& element : start.elements) {
      const auto end = [](const Attachment& at) { return Loop::End{at.link, at.position}; };
      if (const auto* spring = std::get_if<SpringDamper>(&element))
        springs.push_back(
            {end(spring->first), end(spring->second), spring->stiffness, spring->damping, spring->rest_length});
      else if (const auto* force = std::get_if<AppliedJointForce>(&element))
        for (const JointSlot& joint : start.model.joints())
          if (joint.name == force->joint) tau(joint.v + force->degree) += force->force.values.at(0)[0];
    }
    is_plane = std::all_of(start.loops.begin(), start.loops.end(), [](const Loop& loop) {
      return loop.axis == Loop{}.axis && loop.turning == Turning::about_z;
    });
  }
};

/// Names of joints with one coordinate, and these.
cli::Json by_name(const Model<double>& model, const std::vector<double>& q)
{
  cli::Json named;
  for (const JointSlot& joint : model.joints())
    if (joint.nq == 1) named[joint.name] = q.at(joint.q);
  return named;
}

cli::Json move(const Start& start, double duration, const std::string& peer, double setting)
{
  const std::string flat = peer.substr(0, peer.find('_'));
  if (flat == "odeint" || flat == "cvode") {
    Flat machine(start, duration);
    const FlatProblem problem = machine.problem(peer.ends_with("_closed"));
    const auto end = flat == "odeint" ? by_odeint(problem, setting) : by_cvode(problem, setting);
    return {{"evaluations", machine.evaluations}, {"q", by_name(start.model, end)}};
  }
  const Told told(start);
  const std::vector<double> q = plain(start.state.q), qd = plain(start.state.qd), tau = plain(told.tau);
  if (peer == "simbody") {
    const Closing closing = told.is_plane ? Closing::in_a_plane : Closing::in_space;
    SimbodyMachine machine(told.mechanism, start.loops, told.joints, {}, closing, told.springs);
    machine.set_accuracy(setting);
    machine.apply_forces(q, qd, tau);
    machine.advance(duration);
    cli::Json named;
    auto at = machine.q();
    int k = 0;
    for (const JointSlot& joint : start.model.joints())
      if (joint.nq == 1) named[joint.name] = at[k++];
    return {{"evaluations", machine.evaluations()}, {"q", named}};
  }
  MujocoMachine machine(told.mechanism, start.loops, told.joints, 0.9999, told.is_plane ? 0 : 0.5, told.springs);
  const long steps = static_cast<long>(setting);
  const auto end = machine.move(q, qd, tau, duration / static_cast<double>(steps), steps, peer == "mujoco_stiff");
  return {{"evaluations", 4 * steps}, {"q", by_name(start.model, end)}};
}

}  // namespace

int main(int count, char** words)
{
  if (count != 7) {
    std::fprintf(stderr, "usage: %s MODEL STATE LOOPS DURATION PEER SETTING\n", words[0]);
    return 2;
  }
  try {
    const Start start(words[1], words[2], words[3]);
    std::cout << move(start, std::stod(words[4]), words[5], std::stod(words[6])) << "\n";
    return 0;
  } catch (const std::exception& refusal) {
    std::cerr << refusal.what() << "\n";
    return 1;
  }
}
