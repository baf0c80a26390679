#include "compute.hpp"
#include "constrained.hpp"
#include "forces.hpp"
#include "higher_order.hpp"
#include "json_reader.hpp"
#include "load.hpp"
#include "output.hpp"
#include "state.hpp"
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/constrained/operational_inertia.hpp>
#include <articulate/derivatives/centroidal_derivatives.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/kinematic_hessian.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/space_motion.hpp>
#include <articulate/motion/stops.hpp>
#include <articulate/oracle/coriolis_families.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
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

/// Where in a value the first number that is not finite stands, after a dot or in brackets; empty for nowhere.
std::string place_not_finite(const Json& value)
{
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return " ";
  if (!value.is_structured()) return "";
  int k = 0;
  for (auto entry = value.begin(); entry != value.end(); ++entry, ++k)
    if (const std::string place = place_not_finite(*entry); !place.empty())
      return (value.is_object() ? "." + entry.key() : "[" + std::to_string(k) + "]") + place;
  return "";
}

void require_finite(const Json& results, const std::string& source)
{
  if (const std::string place = place_not_finite(results); !place.empty())
    throw StateError(source + ": the result " + place.substr(1) +
                     "is not finite; some number of the state is too large for double precision.");
}

JacobianFrame jacobian_frame(const std::string& name)
{
  if (name == "world") return JacobianFrame::world;
  return name == "mixed" ? JacobianFrame::mixed : JacobianFrame::link;
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
  Calculator(const Model<double>& described, const ComputeOptions& options)
      : forces_(described, force_elements(described, options.choice, options.loops)),
        model_(described.with_rotors(forces_.armature())),
        rnea_(model_),
        kinematics_(model_),
        stops_(described, options.loops.file.empty() ? std::vector<Stop>{} : read_stops(options.loops.file, described)),
        only_(options.only),
        family_(options.coriolis),
        derivatives_(options.derivatives),
        second_derivatives_(options.second_derivatives),
        wants_centroidal_(options.centroidal)
  {
    require_utf8();
    for (std::string& name : only_)
      name = name == "tau" ? "inverse_dynamics" : name == "qdd" ? "forward_dynamics" : name;
    require_option("coriolis_matrix", "--coriolis", !family_.empty());
    require_option("christoffel", "--christoffel", options.christoffel);
    require_option("regressor", "--regressor", options.regressor);
    require_option("inverse_mass_matrix", "--inverse-inertia", options.inverse_inertia);
    require_option("mobilities", "--inverse-inertia", options.inverse_inertia);
    require_option("centroidal", "--centroidal", options.centroidal);
    require_option("derivatives", "--derivatives", options.derivatives);
    require_option("second_derivatives", "--second-derivatives", options.second_derivatives);
    require_option("link_accelerations", "--frame", !options.frame.empty());
    if (second_derivatives_ && !forces_.empty())
      throw Error(
          "--second-derivatives is given, but there are force elements, whose second derivatives are not computed; "
          "leave out the one or the other.");
    const LoopFile closing = all_loops(model_, options.choice, options.loops);
    const bool has_loops = !closing.loops.empty();
    require_option("constrained", "--loops with loops, or --with mimic", has_loops);
    if (options.impulse && !has_loops)
      throw Error("--impulse is given, but there are no loops that could close; add --loops.");
    require_option("force_elements", "--loops with forces, or --with", !forces_.empty());
    require_option("stops", "--loops with stops", stops_.rows() > 0);
    if (!model_.joint_that_moves_no_mass()) aba_.emplace(model_);  // the model's warnings name it
    if (aba_) aba_->set_armature(forces_.armature());
    if (!family_.empty()) coriolis_.emplace(model_, coriolis_family(family_));
    if (options.christoffel) metric_.emplace(model_);
    if (options.regressor) regressor_.emplace(model_);
    if (!options.frame.empty()) frame_ = jacobian_frame(options.frame);
    if (aba_ && options.inverse_inertia) {
      inverse_.emplace(model_);
      inverse_->set_armature(forces_.armature());
      mobility_.emplace(model_);
      mobility_->set_armature(forces_.armature());
    }
    if (options.centroidal && moves_mass()) centroidal_.emplace(model_);
    if (has_loops) constrained_.emplace(model_, closing, options.loops, options.derivatives, options.impulse);
  }

  /// All results for the state that the text describes; messages call it `source`.
  Json operator()(const std::string& text, const std::string& source)
  {
    State state = read_state(text, source, model_);
    if (constrained_) constrained_->close(state, source);
    evaluate_forces(state, source);
    // A growing list of members copies those that it has: the largest results stand in place from the first.
    Json::object_t members;
    members.reserve(result_names.size() + 1);
    Json results = std::move(members);
    if (wanted("conventions")) results["conventions"] = conventions();
    results["warnings"] = model_.warnings();
    if (wanted("model")) results["model"] = model_.mechanism().source;
    if (wanted("joints")) {
      results["joints"] = Json::array();
      for (const JointSlot& joint : joints_without_base(model_)) results["joints"].push_back(joint.name);
    }
    if (wanted("layout")) add_layout(results);
    if (wanted("gravity")) results["gravity"] = numbers(state.gravity);
    add_dynamics(state, source, results);
    add_kinematics(state, results);
    if (!forces_.empty()) add_force_elements(state, results);
    if (stops_.rows() > 0) add_stops(state, results);
    if (constrained_ && wanted("constrained")) {
      results["constrained"] = (*constrained_)(state, source, forces_, results["warnings"]);
      if (mobility_) add_constrained_mobilities(results["constrained"]);
    }
    for (const std::string& name : only_)
      if (!results.contains(name) && !is_left_out(name))
        throw StateError(source + ": " + name + " is asked for by --only, but the state does not give what it needs, " +
                         needed_for(name) + ".");
    require_finite(results, source);
    return results;
  }

private:
  /// Whether the user asked for this result: for all, or by its name.
  bool wanted(const std::string& name) const
  {
    return only_.empty() || std::find(only_.begin(), only_.end(), name) != only_.end();
  }

  void require_option(const std::string& name, const std::string& option, bool given) const
  {
    if (!only_.empty() && wanted(name) && !given)
      throw Error("--only " + name + " needs " + option + ", which is not given.");
  }

  /// What the model has not, as its warnings say.
  bool is_left_out(const std::string& name) const
  {
    if (name == "centroidal") return !centroidal_;
    return !aba_ && (name == "forward_dynamics" || name == "inverse_mass_matrix" || name == "mobilities");
  }

  bool moves_mass() const
  {
    return std::any_of(model_.outward().begin(), model_.outward().end(),
                       [](const Body<double>& body) { return body.I.mass > 0; });
  }

  static std::string needed_for(const std::string& name)
  {
    if (name == "inverse_dynamics" || name == "link_accelerations") return "qdd";
    if (name == "second_derivatives") return "qdd, or tau";
    if (name == "forward_dynamics") return "tau";
    return name == "hybrid_dynamics" ? "prescribed, qdd and tau" : "order, and q_derivatives or tau_derivatives";
  }

  /// Names are found out before the first answer, which is not half written then.
  void require_utf8() const
  {
    Json names{model_.mechanism().source};
    for (const LinkFrame<double>& link : model_.links()) names.push_back(link.name);
    for (const JointSlot& joint : model_.joints()) names.push_back(joint.name);
    one_line(names);
  }

  void evaluate_forces(const State& state, const std::string& source)
  {
    if (state.derivatives && !forces_.empty())
      throw StateError(source +
                       ": order is given, but there are force elements, whose derivatives in time are not computed; "
                       "leave out the one or the other.");
    try {
      forces_(state.q, state.qd);
    } catch (const Error& undefined) {
      throw StateError(source + ": " + undefined.what());
    }
  }

  void add_force_elements(const State& state, Json& results)
  {
    if (wanted("force_elements")) results["force_elements"] = forces_.report();
    if (forces_.has_field() && !(inner(state.gravity, state.gravity) == 0))
      results["warnings"].push_back("gravity acts everywhere alike beside the gravity field of a point.");
  }

  void add_stops(const State& state, Json& results)
  {
    stops_(state.q, state.qd);
    Json all;
    for (int i = 0; i < stops_.rows(); ++i) {
      const auto [width, rate] = stops_.gap(i, state.qd);
      const bool is_met = width <= stops_.rounding_of_row(i);
      all[stops_.name_of_row(i)] = {{"gap", width}, {"rate", rate}, {"met", is_met}};
      if (is_met)
        results["warnings"].push_back("stop '" + stops_.name_of_row(i) +
                                      "' is met, but none of these results counts its push; simulate does.");
    }
    if (wanted("stops")) results["stops"] = all;
  }

  void add_layout(Json& results) const
  {
    Json& layout = results["layout"] = Json::array();
    const int base = model_.floating_base() ? 7 : 0;
    for (const JointSlot& joint : joints_without_base(model_))
      layout.push_back(
          {{"joint", joint.name}, {"q", joint.q - base}, {"nq", joint.nq}, {"rate", joint.v}, {"nv", joint.nv}});
  }

  void add_dynamics(const State& state, const std::string& source, Json& results)
  {
    const ExternalWrenches<double>& Fext = state.external_wrenches;
    rnea_.set_gravity(state.gravity);
    if (aba_) aba_->set_gravity(state.gravity);
    if (state.qdd && wanted("inverse_dynamics"))
      results["inverse_dynamics"]["tau"] =
          numbers(VectorX<double>(rnea_(state.q, state.qd, *state.qdd, Fext) +
                                  forces_.armature().cwiseProduct(*state.qdd) - forces_.joint_forces));
    if (state.tau && aba_ && wanted("forward_dynamics"))
      results["forward_dynamics"]["qdd"] = numbers(accelerations(state, source));
    if (state.prescribed && wanted("hybrid_dynamics")) add_hybrid_dynamics(state, source, results);
    if (state.derivatives && wanted("higher_order"))
      results["higher_order"] = higher_order(model_, state, source, results["warnings"]);
    if (derivatives_) add_derivatives(state, results);
    if (second_derivatives_ && wanted("second_derivatives")) add_second_derivatives(state, source, results);
    if (wanted("mass_matrix") || wanted("bias") || wanted("gravity_force") || wanted("coriolis_force")) {
      EquationsOfMotion<double> equations(rnea_, state.q, state.qd, Fext);
      equations.M.diagonal() += forces_.armature();
      equations.b -= forces_.joint_forces;
      if (wanted("mass_matrix")) results["mass_matrix"] = rows(equations.M);
      if (wanted("bias")) results["bias"] = numbers(equations.b);
      if (wanted("gravity_force")) results["gravity_force"] = numbers(equations.gravity);
      if (wanted("coriolis_force")) results["coriolis_force"] = numbers(equations.coriolis);
    }
    if (inverse_) add_inverse_inertias(state, source, results);
    if (coriolis_ && wanted("coriolis_matrix"))
      results["coriolis_matrix"] = {{"family", family_}, {"matrix", rows((*coriolis_)(state.q, state.qd))}};
    if (metric_ && wanted("christoffel")) add_christoffel(state, results);
    if (regressor_ && wanted("regressor")) add_regressor(state, source, results);
  }

  void add_inverse_inertias(const State& state, const std::string& source, Json& results)
  {
    try {
      if (wanted("inverse_mass_matrix")) results["inverse_mass_matrix"] = rows((*inverse_)(state.q));
      (*mobility_)(state.q);
    } catch (const Error& singular) {
      throw StateError(source + ": " + singular.what());
    }
    kinematics_(state.q, state.qd);
    if (wanted("mobilities"))
      results["mobilities"] = mobilities(
          "J M^-1 J^T: times a wrench on the link, moment first, it is by how much the link's acceleration "
          "changes; where it has an inverse, that is the operational-space inertia",
          [this](const MatrixX<double>& J) { return mobility_->of(J); });
  }

  void add_constrained_mobilities(Json& constrained)
  {
    const MatrixX<double>& A = constrained_->loops().A;
    constrained["delassus_matrix"] = rows(mobility_->of(A));
    constrained["mobilities"] = mobilities("as without loops, while these stay closed", [&](const MatrixX<double>& J) {
      return constrained_mobility(*mobility_, J, A);
    });
  }

  template <typename Function>
  Json mobilities(const char* product, const Function& of_jacobian) const
  {
    const JacobianFrame frame = frame_.value_or(JacobianFrame::link);
    return {{"frame", words(frame)},
            {"product", product},
            {"links",
             of_links([&](const auto& link) { return rows(of_jacobian(kinematics_.link_jacobian(link, frame))); })}};
  }

  void add_centroidal(const State& state, Json& results)
  {
    if (!centroidal_) {
      results["warnings"].push_back("centroidal is left out: no mass moves.");
      return;
    }
    CentroidalMomentum<double>& whole = *centroidal_;
    whole(state.q, state.qd);
    Json& centroidal = results["centroidal"];
    centroidal = {{"about", "the centre of mass, in world axes, angular parts first"},
                  {"center_of_mass", numbers(whole.center)},
                  {"velocity", numbers(whole.velocity)},
                  {"momentum", numbers(coordinates(whole.momentum))},
                  {"matrix", rows(whole.A)},
                  {"matrix_rate", rows(whole.Adot)},
                  {"bias", numbers(coordinates(whole.bias))},
                  {"composite_inertia", rows(whole.I.matrix())},
                  {"jacobian", rows(whole.J())},
                  {"jacobian_rate", rows(whole.Jdot())}};
    if (!state.qdd) return;
    centroidal["momentum_rate"] = numbers(coordinates(whole.momentum_rate(*state.qdd)));
    centroidal["acceleration"] = numbers(whole.acceleration(*state.qdd));
    if (!derivatives_) return;
    CentroidalDerivatives<double> of(model_);
    of(state.q, state.qd, *state.qdd);
    centroidal["momentum_by_q"] = rows(of.dh_dq);
    centroidal["momentum_rate_by_q"] = rows(of.dhdot_dq);
    centroidal["momentum_rate_by_qd"] = rows(of.dhdot_dqd);
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
    regressor["product"] =
        "times values: matrix gives the tau of inverse dynamics without external wrenches, static that of a mechanism "
        "at rest, kinetic_energy and potential_energy the energies, mass_moment total_mass times center_of_mass; "
        "bodies times the ten values of a link the wrench that it needs, without what it carries, in its own frame";
    regressor["links"] = links;
    regressor["values"] = numbers(inertial_parameters(model_));
    regressor["matrix"] = rows((*regressor_)(state.q, state.qd, *state.qdd));
    regressor["kinetic_energy"] = numbers(regressor_->kinetic());
    regressor["potential_energy"] = numbers(regressor_->potential());
    regressor["static"] = rows(regressor_->at_rest(state.q));
    regressor["mass_moment"] = rows(mass_moment_regressor(model_, state.q));
    rnea_(state.q, state.qd, *state.qdd);
    regressor["bodies"] = Json::object();
    for (const std::string& link : links.get<std::vector<std::string>>())
      regressor["bodies"][link] = rows(MatrixX<double>(link_regressor<double>(rnea_, model_.link(link))));
  }

  void add_hybrid_dynamics(const State& state, const std::string& source, Json& results)
  {
    HybridDynamics<double> hybrid = hybrid_dynamics(state, source);
    results["hybrid_dynamics"] = {{"prescribed", *state.prescribed},
                                  {"qdd", numbers(hybrid.qdd())},
                                  {"tau", numbers(VectorX<double>(hybrid.tau() - forces_.joint_forces))}};
    if (derivatives_) results["hybrid_dynamics"].update(jacobians(hybrid, state, hybrid.qdd()));
  }

  HybridDynamics<double> hybrid_dynamics(const State& state, const std::string& source) const
  {
    HybridDynamics<double> hybrid(model_, *state.prescribed);
    hybrid.set_gravity(state.gravity);
    hybrid.set_armature(forces_.armature());
    try {
      hybrid(state.q, state.qd, *state.qdd, *state.tau + forces_.joint_forces, state.external_wrenches);
    } catch (const Error& singular) {
      throw StateError(source + ": " + singular.what());
    }
    return hybrid;
  }

  /// Jacobians of what was computed: they stand beside it.
  void add_derivatives(const State& state, Json& results)
  {
    if (wanted("derivatives"))
      results["derivatives"] =
          "by q along joint displacements: of a ball or free joint in its own frame, with its rate, the body twist, "
          "held";
    if (state.qdd && wanted("inverse_dynamics")) {
      rnea_(state.q, state.qd, *state.qdd, state.external_wrenches);
      InverseDynamicsJacobians<double> J(model_);
      J(rnea_, state.qd, *state.qdd);
      const ForceElementsJacobians<double>& of_forces = forces_.jacobians();
      results["inverse_dynamics"].update({{"by_q", rows(MatrixX<double>(J.dtau_dq - of_forces.dQ_dq))},
                                          {"by_qd", rows(MatrixX<double>(J.dtau_dqd - of_forces.dQ_dqd))}});
    }
    if (state.tau && aba_ && wanted("forward_dynamics")) {
      const VectorX<double> qdd = accelerations(state);
      results["forward_dynamics"].update(jacobians(*aba_, state, qdd));
    }
  }

  Json jacobians(ArticulatedBodies<double>& dynamics, const State& state, const VectorX<double>& qdd)
  {
    HybridDynamicsJacobians<double> J(model_);
    J(dynamics, state.q, state.qd, qdd);
    const ForceElementsJacobians<double>& of_forces = forces_.jacobians();
    add_force_derivatives(dynamics, of_forces.dQ_dq, J.by_given, J.by_q);
    add_force_derivatives(dynamics, of_forces.dQ_dqd, J.by_given, J.by_qd);
    return {{"by_q", rows(J.by_q)}, {"by_qd", rows(J.by_qd)}, {"by_given", rows(J.by_given)}};
  }

  static Json hessians(const Hessians<double>& H)
  {
    Json all = Json::array();
    for (const MatrixX<double>& one : H) all.push_back(rows(one));
    return all;
  }

  /// Hessians of what was computed.
  void add_second_derivatives(const State& state, const std::string& source, Json& results)
  {
    Json& second = results["second_derivatives"];
    second["indices"] =
        "[i][j][k]: of the i-th number of tau or qdd, by the j-th of what is named first and the k-th of what is "
        "named then; given is tau, or qdd of joints that are prescribed. By q along joint displacements: of a ball or "
        "free joint in its own frame, with its rate, the body twist, held; there the order of j and k matters";
    if (state.qdd) {
      rnea_(state.q, state.qd, *state.qdd, state.external_wrenches);
      InverseDynamicsSecondDerivatives<double> H(model_);
      H(rnea_, state.qd, *state.qdd);
      second["inverse_dynamics"] = {{"by_q_q", hessians(H.dq_dq)},
                                    {"by_q_qd", hessians(H.dq_dqd)},
                                    {"by_qd_qd", hessians(H.dqd_dqd)},
                                    {"by_q_qdd", hessians(H.dq_dqdd)}};
    }
    if (state.tau && aba_) {
      const VectorX<double> qdd = accelerations(state, source);
      second["forward_dynamics"] = hessians(*aba_, state, qdd);
    }
    if (state.prescribed) {
      HybridDynamics<double> hybrid = hybrid_dynamics(state, source);
      second["hybrid_dynamics"] = hessians(hybrid, state, hybrid.qdd());
    }
    if (second.size() == 1) results.erase("second_derivatives");
  }

  Json hessians(ArticulatedBodies<double>& dynamics, const State& state, const VectorX<double>& qdd)
  {
    HybridDynamicsSecondDerivatives<double> H(model_);
    H(dynamics, state.q, state.qd, qdd, state.external_wrenches);
    return {{"by_q_q", hessians(H.dq_dq)},
            {"by_q_qd", hessians(H.dq_dqd)},
            {"by_qd_qd", hessians(H.dqd_dqd)},
            {"by_q_given", hessians(H.dq_dgiven)}};
  }

  /// Forward dynamics; a model that is singular at this state is the state's fault.
  const VectorX<double>& accelerations(const State& state, const std::string& source)
  {
    try {
      return accelerations(state);
    } catch (const Error& singular) {
      throw StateError(source + ": " + singular.what());
    }
  }
  const VectorX<double>& accelerations(const State& state)
  {
    return (*aba_)(state.q, state.qd, *state.tau + forces_.joint_forces, state.external_wrenches);
  }

  void add_kinematics(const State& state, Json& results)
  {
    kinematics_(state.q, state.qd);
    if (wanted("kinetic_energy")) results["kinetic_energy"] = kinematics_.kinetic_energy();
    if (wanted("potential_energy")) results["potential_energy"] = kinematics_.potential_energy(state.gravity);
    if (wanted("mechanical_energy"))
      results["mechanical_energy"] = kinematics_.kinetic_energy() + kinematics_.potential_energy(state.gravity);
    if (wanted("link_poses"))
      results["link_poses"] = of_links([this](const auto& link) { return pose(kinematics_.link_pose(link)); });
    if (wanted("link_twists"))
      results["link_twists"] =
          of_links([this](const auto& link) { return numbers(coordinates(kinematics_.link_twist(link))); });
    if (wanted("jacobians")) add_jacobians(state, results);
    if (frame_ && state.qdd && wanted("link_accelerations")) add_accelerations(state, results);

    const double mass = kinematics_.mass();
    if (wanted("center_of_mass")) {
      results["center_of_mass"] = mass > 0 ? numbers(1 / mass * kinematics_.mass_moment()) : Json(nullptr);
      if (!(mass > 0)) results["warnings"].push_back("center_of_mass is null: no mass moves.");
    }
    if (wanted("total_mass")) results["total_mass"] = mass;
    const Wrench<double> momentum = kinematics_.momentum();
    if (wanted("momentum"))
      results["momentum"] = {{"about", "the world's origin, in world axes"},
                             {"angular", numbers(momentum.m)},
                             {"linear", numbers(momentum.f)}};
    if (wants_centroidal_ && wanted("centroidal")) add_centroidal(state, results);
  }

  void add_jacobians(const State& state, Json& results) const
  {
    const JacobianFrame frame = frame_.value_or(JacobianFrame::link);
    Json::object_t members;
    members.reserve(5);
    members.emplace_back("frame", words(frame));
    members.emplace_back("links",
                         of_links([&](const auto& link) { return rows(kinematics_.link_jacobian(link, frame)); }));
    if (frame_) {
      members.emplace_back("rates", of_links([&](const auto& link) {
                             return rows(kinematics_.link_jacobian_rate(link, state.qd, frame));
                           }));
      members.emplace_back("products", of_links([&](const auto& link) {
                             return numbers(coordinates(kinematics_.link_bias_acceleration(link, frame)));
                           }));
      if (derivatives_)
        members.emplace_back("by_q", of_links([&](const auto& link) {
                               return hessians(link_jacobian_derivatives(kinematics_, link, frame));
                             }));
    }
    results["jacobians"] = std::move(members);
  }

  /// True accelerations: gravity does not enter.
  void add_accelerations(const State& state, Json& results) const
  {
    SpaceMotion<double> motion(model_);
    motion(state.q, state.qd, *state.qdd);
    Json& accelerations = results["link_accelerations"];
    accelerations["frame"] =
        "that of jacobians; spatial: the rate of the body twist, seen as a twist is; classical: the angular "
        "acceleration, and that of the point of the link at the origin of the frame";
    accelerations["spatial"] =
        of_links([&](const auto& link) { return numbers(coordinates(motion.link_acceleration(link, *frame_))); });
    accelerations["classical"] = of_links(
        [&](const auto& link) { return numbers(coordinates(motion.link_classical_acceleration(link, *frame_))); });
    if (!derivatives_) return;
    LinkDerivatives<double> derivatives(model_);
    derivatives(motion, state.qd, *state.qdd);
    const auto by = [&](MatrixX<double> LinkMotionJacobians<double>::*which) {
      return of_links([&](const auto& link) { return rows(derivatives.of(motion, link, *frame_).*which); });
    };
    accelerations["twist_by_q"] = by(&LinkMotionJacobians<double>::twist_by_q);
    accelerations["spatial_by_q"] = by(&LinkMotionJacobians<double>::acceleration_by_q);
    accelerations["spatial_by_qd"] = by(&LinkMotionJacobians<double>::acceleration_by_qd);
  }

  /// By link name, without a copy of what is there while the object grows.
  template <typename Result>
  Json of_links(const Result& result) const
  {
    Json::object_t members;
    members.reserve(model_.links().size());
    for (const LinkFrame<double>& link : model_.links()) members.emplace_back(link.name, result(link));
    return members.empty() ? Json() : Json(std::move(members));
  }

  ForcesInState forces_;
  const Model<double> model_;  // with the rotors of the forces
  InverseDynamics<double> rnea_;
  std::optional<ForwardDynamics<double>> aba_;  // none where a joint moves no mass
  ForwardKinematics<double> kinematics_;
  Stops<double> stops_;
  std::optional<ConstrainedCalculator> constrained_;
  std::optional<InverseMassMatrix<double>> inverse_;
  std::optional<Mobility<double>> mobility_;
  std::optional<CentroidalMomentum<double>> centroidal_;  // none where no mass moves
  std::optional<CoriolisMatrix<double>> coriolis_;
  std::optional<InertiaMetric<double>> metric_;
  std::optional<Regressor<double>> regressor_;
  std::optional<JacobianFrame> frame_;  // unless given: the link's, without rates
  std::vector<std::string> only_;       // the results that are wanted; empty for all
  std::string family_;
  bool derivatives_, second_derivatives_, wants_centroidal_;
};

/// Each line of standard input by a line, at once; to a file when all are done.   \return the exit code
int answer_lines(Calculator& results, const std::string& file)
{
  int states = 0, refused = 0;
  std::string line, output;
  const auto place = [](int number) { return "standard input, line " + std::to_string(number); };
  for (int number = 1; next_line(std::cin, line, place(number)); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    ++states;
    std::string answer;
    try {
      answer = one_line(results(line, place(number)));
    } catch (const Error& error) {
      ++refused;
      answer = Json{{"error", error.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    if (file.empty())
      write_text(answer, "");
    else
      output += answer;
  }
  if (states == 0) throw StateError("standard input: there is no state; give each as JSON on a line of its own.");
  if (!file.empty()) write_text(output, file);
  if (refused > 0)
    std::cerr << "articulate: standard input: " << refused << " of " << states << " states "
              << (refused == 1 ? "is refused; its answer says why.\n" : "are refused; their answers say why.\n");
  return refused > 0 ? 1 : 0;
}

}  // namespace

int compute(const ComputeOptions& options)
{
  const std::string state_file = options.state == "-" ? "" : options.state;
  require_distinct({{"--model", options.choice.model}, {"--state", state_file}, {"--loops", options.loops.file}},
                   {{"--json", options.json}});
  require_one_standard_input(options.choice, options.state);
  const Model<double> model = load(options.choice);
  Calculator results(model, options);
  if (options.state == "-") return answer_lines(results, options.json);
  write_json(results(text_of_file(options.state), options.state), options.json);
  return 0;
}

}  // namespace articulate::cli
