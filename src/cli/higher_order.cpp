#include "higher_order.hpp"
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <algorithm>
#include <limits>
#include <utility>

namespace articulate::cli {
namespace {

/// A row of derivatives of one joint: numbers, or arrays where the joint has several degrees.
Json derivatives_of(const JointSlot& joint, const MatrixX<double>& table)
{
  Json list = Json::array();
  for (int k = 0; k < table.cols(); ++k) {
    const VectorX<double> entry = table.col(k).segment(joint.v, joint.nv);
    list.push_back(joint.nv == 1 ? Json(entry(0)) : numbers(entry));
  }
  return list;
}

/// By joint name, without a floating base.
Json by_joint(const Model<double>& model, const MatrixX<double>& table)
{
  Json joints = Json::object();
  for (const JointSlot& joint : joints_without_base(model)) joints[joint.name] = derivatives_of(joint, table);
  return joints;
}

template <typename Six>
Json list(const std::vector<Six>& entries)
{
  Json all = Json::array();
  for (const Six& one : entries) all.push_back(numbers(coordinates(one)));
  return all;
}

/// The derivatives of the six of a floating base seen from the world.
void add_seen_from_the_world(const Model<double>& model, const State& state, const MatrixX<double>& qdd,
                             const MatrixX<double>& tau, Json& results)
{
  std::vector<Twist<double>> V{to_twist(state.qd.head(6))};
  std::vector<Wrench<double>> F;
  for (int k = 0; k < qdd.cols(); ++k) V.push_back(to_twist(qdd.col(k).head(6)));
  for (int k = 0; k < tau.cols(); ++k) F.push_back(to_wrench(tau.col(k).head(6)));
  const SE3<double> C = joint_pose(model.body(1), state.q.data());
  results["base_spatial_twist"] = list(to_spatial(C, V));
  results["base_spatial_wrench"] = list(to_spatial(C, V, F));
}

/// The same numbers, each moved by one rounding, up and down in turns.
template <typename Numbers>
Numbers nudged(Numbers x)
{
  for (int k = 0; k < x.size(); ++k) x.data()[k] *= 1 + (k % 2 == 0 ? 1 : -1) * std::numeric_limits<double>::epsilon();
  return x;
}

/// The first order whose largest entry a nudge changes in its sixth digit, or decimal if it is below 1; or -1.
int first_uncertain(const MatrixX<double>& x, const MatrixX<double>& of_nudged)
{
  for (int k = 0; k < x.cols(); ++k)
    if ((x.col(k) - of_nudged.col(k)).cwiseAbs().maxCoeff() > 1e-6 * std::max(1.0, x.col(k).cwiseAbs().maxCoeff()))
      return k;
  return -1;
}

}  // namespace

Json higher_order(const Model<double>& model, const State& state, const std::string& source, Json& warnings)
{
  const StateDerivatives& given = *state.derivatives;
  const int nv = model.nv(), r = given.order;
  MatrixX<double> qdd = MatrixX<double>::Zero(nv, r + 1), tau = qdd;
  if (given.qdd) qdd << *state.qdd, *given.qdd;
  if (given.tau) tau << *state.tau, *given.tau;
  WrenchDerivatives<double> Fext{state.external_wrenches};
  Fext.insert(Fext.end(), given.external_wrenches.begin(), given.external_wrenches.end());

  Json results{
      {"order", r},
      {"lists",
       "entry k is the k-th derivative in time: of joint forces tau and joint accelerations qdd by joint name; "
       "of the base's acceleration and wrench component by component, in its own frame; base_spatial_twist "
       "and base_spatial_wrench are about the world's origin, in world axes, entry 0 the twist itself"}};
  const auto run = [&](const std::string& name, const std::vector<bool>& prescribed, bool wants_qdd, bool wants_tau) {
    HigherOrderDynamics<double> dynamics(model, r, prescribed);
    dynamics.set_gravity(state.gravity);
    HigherOrderDynamics<double> other(model, r, prescribed);
    other.set_gravity(state.gravity);
    try {
      dynamics(state.q, state.qd, qdd, tau, Fext);
      other(nudged(state.q), nudged(state.qd), nudged(qdd), nudged(tau), Fext);
    } catch (const Error& singular) {
      throw StateError(source + ": " + singular.what());
    }
    for (const auto& [what, k] : {std::pair("qdd", first_uncertain(dynamics.qdd(), other.qdd())),
                                  std::pair("tau", first_uncertain(dynamics.tau(), other.tau()))})
      if (k >= 0)
        warnings.push_back(
            "higher_order." + name + "." + what + ": from entry " + std::to_string(k) +
            " on fewer than six digits or decimals can be trusted, since one rounding of the state changes them.");
    Json& found = results[name] = Json::object();
    if (wants_qdd) found["qdd"] = by_joint(model, dynamics.qdd());
    if (wants_tau) found["tau"] = by_joint(model, dynamics.tau());
    if (!model.floating_base()) return;
    const JointSlot& base = model.joints().front();
    if (wants_qdd) found["base_acceleration"] = derivatives_of(base, dynamics.qdd());
    if (wants_tau) found["base_wrench"] = derivatives_of(base, dynamics.tau());
    add_seen_from_the_world(model, state, dynamics.qdd(), dynamics.tau(), found);
  };
  if (state.prescribed) {
    run("hybrid_dynamics", *state.prescribed, true, true);
    return results;
  }
  if (given.qdd) run("inverse_dynamics", std::vector<bool>(nv, true), false, true);
  if (given.tau) try {
      run("forward_dynamics", std::vector<bool>(nv, false), true, false);
    } catch (const ModelError& massless) {
      warnings.push_back(std::string("higher_order.forward_dynamics is left out: ") + massless.what());
    }
  return results;
}

}  // namespace articulate::cli
