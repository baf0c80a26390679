#include "compute.hpp"
#include "higher_order.hpp"
#include "json_reader.hpp"
#include "output.hpp"
#include "state.hpp"
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

namespace articulate::cli {
namespace {

Json pose(const SE3<double>& T)
{
  const Quaternion<double> q = quaternion(T.R);
  return {{"position", numbers(T.p)},
          {"quaternion_xyzw", {q.v[0], q.v[1], q.v[2], q.w}},
          {"rotation", rows(T.R.matrix.eigen())}};
}

void require_finite(const Json& value, const std::string& name, const std::string& source)
{
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    throw StateError(source + ": the result " + name +
                     " is not finite; some number of the state is too large for double precision.");
  if (value.is_object())
    for (const auto& [key, entry] : value.items()) require_finite(entry, name.empty() ? key : name + "." + key, source);
  if (value.is_array())
    for (std::size_t k = 0; k < value.size(); ++k)
      require_finite(value[k], name + "[" + std::to_string(k) + "]", source);
}

/// What a name of the command line stands for.
template <typename Named>
Named named(const std::vector<std::pair<std::string, Named>>& all, const std::string& name)
{
  return std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.first == name; })->second;
}

/// What a Jacobian times qd is.
std::string words(JacobianFrame frame)
{
  switch (frame) {
    case JacobianFrame::link:
      return "the link's own: its body twist is the Jacobian times qd";
    case JacobianFrame::world:
      return "the world's: the Jacobian times qd is the spatial twist of the link, its angular velocity and the "
             "velocity of its point at the world's origin, in world axes";
    default:
      return "mixed: the Jacobian times qd is the angular velocity of the link and the velocity of its origin, both in "
             "world axes";
  }
}

/// The algorithms of one model, used for one state after another.
class Calculator {
public:
  Calculator(const Model<double>& model, const ComputeOptions& options)
      : model_(model),
        rnea_(model),
        aba_(model),
        kinematics_(model),
        family_(options.coriolis),
        derivatives_(options.derivatives)
  {
    if (!family_.empty()) coriolis_.emplace(model, named(coriolis_families, family_));
    if (options.christoffel) metric_.emplace(model);
    if (options.regressor) regressor_.emplace(model);
    if (!options.frame.empty()) frame_ = named(jacobian_frames, options.frame);
    if (!options.loops.file.empty()) constrained_.emplace(model, options.loops, options.derivatives);
  }

  /// All results for the state that the text describes; messages call it `source`.
  Json operator()(const std::string& text, const std::string& source)
  {
    State state = read_state(text, source, model_);
    if (constrained_) constrained_->close(state, source);
    Json results{{"conventions", conventions()}, {"warnings", model_.warnings()}};
    results["model"] = model_.mechanism().source;
    results["joints"] = Json::array();
    for (const JointSlot& joint : joints_without_base(model_)) results["joints"].push_back(joint.name);
    results["layout"] = Json::array();
    const int base = model_.floating_base() ? 7 : 0;
    for (const JointSlot& joint : joints_without_base(model_))
      results["layout"].push_back(
          {{"joint", joint.name}, {"q", joint.q - base}, {"nq", joint.nq}, {"rate", joint.v}, {"nv", joint.nv}});
    results["gravity"] = numbers(state.gravity);
    add_dynamics(state, source, results);
    add_kinematics(state, results);
    if (constrained_) results["constrained"] = (*constrained_)(state, source, results["warnings"]);
    require_finite(results, "", source);
    return results;
  }

private:
  void add_dynamics(const State& state, const std::string& source, Json& results)
  {
    const ExternalWrenches<double>& Fext = state.external_wrenches;
    rnea_.set_gravity(state.gravity);
    aba_.set_gravity(state.gravity);
    if (state.qdd) results["inverse_dynamics"]["tau"] = numbers(rnea_(state.q, state.qd, *state.qdd, Fext));
    if (state.tau) results["forward_dynamics"]["qdd"] = numbers(accelerations(state, source));
    if (state.prescribed) add_hybrid_dynamics(state, source, results);
    if (state.derivatives) results["higher_order"] = higher_order(model_, state, source, results["warnings"]);
    if (derivatives_) add_derivatives(state, results);
    const EquationsOfMotion<double> equations(rnea_, state.q, state.qd, Fext);
    results["mass_matrix"] = rows(equations.M);
    results["bias"] = numbers(equations.b);
    results["gravity_force"] = numbers(equations.gravity);
    if (coriolis_)
      results["coriolis_matrix"] = {{"family", family_}, {"matrix", rows((*coriolis_)(state.q, state.qd))}};
    if (metric_) add_christoffel(state, results);
    if (regressor_) add_regressor(state, source, results);
  }

  void add_christoffel(const State& state, Json& results)
  {
    (*metric_)(state.q);
    const int n = metric_->dimension();
    Json symbols = Json::array();
    for (int i = 0; i < n; ++i) {
      MatrixX<double> of_i(n, n);
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) of_i(j, k) = metric_->christoffel(i, j, k);
      symbols.push_back(rows(of_i));
    }
    results["christoffel"] = {
        {"indices",
         "of the first kind: symbols[i][j][k] = (dM[k][j]/dq[i] + dM[k][i]/dq[j] - dM[i][j]/dq[k]) / 2, the last index "
         "the lowered one; the sum over i and j of symbols[i][j][k] qd[i] qd[j] is the k-th Coriolis force"},
        {"symbols", symbols}};
  }

  void add_regressor(const State& state, const std::string& source, Json& results)
  {
    if (!state.qdd)
      throw StateError(source +
                       ": qdd is missing, and --regressor needs accelerations; give an array or an object by joint "
                       "name.");
    regressor_->set_gravity(state.gravity);
    Json links = Json::array();
    for (int i = 1; i <= model_.bodies(); ++i)
      links.push_back(std::find_if(model_.links().begin(), model_.links().end(), [&](const LinkFrame<double>& link) {
                        return link.body == i;
                      })->name);
    Json& regressor = results["regressor"];
    regressor["parameters"] =
        "of each of `links` in turn, and of what is fixed to it: m, m c_x, m c_y, m c_z, I_xx, I_xy, I_xz, I_yy, I_yz, "
        "I_zz about the origin of the link's own frame, in its axes (kg, kg m, kg m^2)";
    regressor["product"] = "matrix times values is the tau of inverse dynamics without external wrenches";
    regressor["links"] = links;
    regressor["values"] = numbers(inertial_parameters(model_));
    regressor["matrix"] = rows((*regressor_)(state.q, state.qd, *state.qdd));
  }

  void add_hybrid_dynamics(const State& state, const std::string& source, Json& results)
  {
    HybridDynamics<double> hybrid(model_, *state.prescribed);
    hybrid.set_gravity(state.gravity);
    try {
      hybrid(state.q, state.qd, *state.qdd, *state.tau, state.external_wrenches);
    } catch (const Error& singular) {
      throw StateError(source + ": " + singular.what());
    }
    results["hybrid_dynamics"] = {
        {"prescribed", *state.prescribed}, {"qdd", numbers(hybrid.qdd())}, {"tau", numbers(hybrid.tau())}};
    if (derivatives_) results["hybrid_dynamics"].update(jacobians(hybrid, state, hybrid.qdd()));
  }

  /// Jacobians of what was computed: they stand beside it.
  void add_derivatives(const State& state, Json& results)
  {
    results["derivatives"] =
        "by q along joint displacements: of a ball or free joint in its own frame, with its rate, the body twist, held";
    if (state.qdd) {
      rnea_(state.q, state.qd, *state.qdd, state.external_wrenches);
      InverseDynamicsJacobians<double> J(model_);
      J(rnea_, state.qd, *state.qdd);
      results["inverse_dynamics"].update({{"by_q", rows(J.dtau_dq)}, {"by_qd", rows(J.dtau_dqd)}});
    }
    if (state.tau) {
      const VectorX<double> qdd = aba_(state.q, state.qd, *state.tau, state.external_wrenches);
      results["forward_dynamics"].update(jacobians(aba_, state, qdd));
    }
  }

  Json jacobians(ArticulatedBodies<double>& dynamics, const State& state, const VectorX<double>& qdd)
  {
    HybridDynamicsJacobians<double> J(model_);
    J(dynamics, state.q, state.qd, qdd, state.external_wrenches);
    return {{"by_q", rows(J.by_q)}, {"by_qd", rows(J.by_qd)}, {"by_given", rows(J.by_given)}};
  }

  /// Forward dynamics; a model that is singular at this state is the state's fault.
  const VectorX<double>& accelerations(const State& state, const std::string& source)
  {
    try {
      return aba_(state.q, state.qd, *state.tau, state.external_wrenches);
    } catch (const Error& singular) {
      throw StateError(source + ": " + singular.what());
    }
  }

  void add_kinematics(const State& state, Json& results)
  {
    kinematics_(state.q, state.qd);
    results["kinetic_energy"] = kinematics_.kinetic_energy();
    results["potential_energy"] = kinematics_.potential_energy(state.gravity);
    Json poses, twists, jacobians, rates;
    for (const LinkFrame<double>& link : model_.links()) {
      poses[link.name] = pose(kinematics_.link_pose(link));
      twists[link.name] = numbers(coordinates(kinematics_.link_twist(link)));
      jacobians[link.name] = rows(kinematics_.link_jacobian(link, frame_.value_or(JacobianFrame::link)));
      if (frame_) rates[link.name] = rows(kinematics_.link_jacobian_rate(link, state.qd, *frame_));
    }
    results["link_poses"] = poses;
    results["link_twists"] = twists;
    results["jacobians"] = {{"frame", words(frame_.value_or(JacobianFrame::link))}, {"links", jacobians}};
    if (frame_) results["jacobians"]["rates"] = rates;

    const double mass = kinematics_.mass();
    if (mass > 0) {
      results["center_of_mass"] = numbers(1 / mass * kinematics_.mass_moment());
    } else {
      results["center_of_mass"] = nullptr;
      results["warnings"].push_back("center_of_mass is null: no mass moves.");
    }
    results["total_mass"] = mass;
    const Wrench<double> momentum = kinematics_.momentum();
    results["momentum"] = {{"about", "the world's origin, in world axes"},
                           {"angular", numbers(momentum.m)},
                           {"linear", numbers(momentum.f)}};
  }

  const Model<double>& model_;
  InverseDynamics<double> rnea_;
  ForwardDynamics<double> aba_;
  ForwardKinematics<double> kinematics_;
  std::optional<ConstrainedCalculator> constrained_;
  std::optional<CoriolisMatrix<double>> coriolis_;
  std::optional<InertiaMetric<double>> metric_;
  std::optional<Regressor<double>> regressor_;
  std::optional<JacobianFrame> frame_;  // unless given: the link's, without rates
  std::string family_;
  bool derivatives_;
};

}  // namespace

void compute(const ComputeOptions& options)
{
  const Model<double> model = load(options.choice);
  Calculator results(model, options);
  if (options.state != "-") {
    write_json(results(text_of_file(options.state), options.state), options.json);
    return;
  }
  std::string output, line;
  for (int number = 1; std::getline(std::cin, line); ++number)
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      output += one_line(results(line, "standard input, line " + std::to_string(number)));
  if (output.empty()) throw StateError("standard input: there is no state; give each as JSON on a line of its own.");
  write_text(output, options.json);
}

}  // namespace articulate::cli
