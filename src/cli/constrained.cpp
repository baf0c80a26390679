#include "constrained.hpp"
#include <articulate/rnea/inverse_dynamics.hpp>
#include <articulate/motion/closed_motion.hpp>
#include <algorithm>
#include <cmath>

namespace articulate::cli {
namespace {

/// The largest of the terms that should cancel.
double largest_term(const MatrixX<double>& A, const VectorX<double>& x) { return largest(A.cwiseAbs() * x.cwiseAbs()); }

Json conventions_of_loops()
{
  return {
      {"equations_of_motion", "mass_matrix qdd + bias = tau + A^T lambda, A qdd + Adot_qd = 0"},
      {"tree", "mass_matrix, bias and all results outside of constrained are those of the tree, its loops cut"},
      {"rows",
       "each row of A is the power of one wrench of the loop, on the second link, at unit rates; x, y, z are axes of "
       "the frames of the loop, turned so that z is its axis"},
      {"violation", "how far each row is from being met; violation_rate is A qd"},
      {"couplings",
       "the row of a coupling, or of a mimic, is joint - multiplier follows - offset, and its multiplier the force "
       "that "
       "it adds to the joint"},
      {"reactions",
       "(m, f) on the second link, in the second frame as the loop file gives it; the first link gets the "
       "opposite; of a coupling on the link that its joint carries, in the frame of that link"},
      {"impulse",
       "with --impulse: the loops close at once, qd of the state are the rates before, and those after are in "
       "impulse: mass_matrix (impulse.qd - qd) = A^T impulses, A (impulse.qd + restitution qd) = 0"},
      {"least_norm",
       "where lambda_unique is false lambda is the shortest of many; qdd is the only one, but in a singular position"},
  };
}

/// A state as it could be given.
Json as_given(const Model<double>& model, const State& state)
{
  Json given;
  const int base = model.floating_base() ? 7 : 0;
  if (base > 0)
    given["base"] = {{"position", numbers(state.q.head(3))}, {"quaternion_xyzw", numbers(state.q.segment(3, 4))}};
  given["q"] = numbers(state.q.tail(model.nq() - base));
  given["qd"] = numbers(state.qd);
  return given;
}

}  // namespace

ConstrainedCalculator::ConstrainedCalculator(const Model<double>& model, const LoopFile& file,
                                             const LoopOptions& options, bool derivatives,
                                             std::optional<double> impulse)
    : model_(model),
      options_(options),
      derivatives_(derivatives),
      impulse_(impulse),
      file_(file),
      assembly_(model, file_.loops, file_.held),
      loops_(model, file_.loops)
{
}

void ConstrainedCalculator::close(State& state, const std::string& source)
{
  if (options_.assemble) try {
      state.q = assembly_.close(state.q);
      if (!impulse_) state.qd = assembly_.project(state.q, state.qd);
    } catch (const Error& open) {
      throw StateError(source + ": " + open.what());
    }
  loops_(state.q, state.qd);
  const std::string remedy = options_.assemble ? "hold fewer joints" : "add --assemble, or give more decimals of ";
  require_closed(source, "is open by", loops_.violation, 1, "", remedy + (options_.assemble ? "" : "q"));
  if (impulse_) return;
  require_closed(source, "opens with", loops_.A * state.qd, largest_term(loops_.A, state.qd), "/s",
                 remedy + (options_.assemble ? "" : "qd"));
}

Json ConstrainedCalculator::operator()(const State& state, const std::string& source, ForcesInState& forces,
                                       Json& warnings)
{
  Json results{{"conventions", conventions_of_loops()}};
  results["closed_within"] = options_.closed_within;
  if (options_.assemble) results["assembled"] = as_given(model_, state);
  SemidefiniteSolver<double> solver(loops_.rows());
  solver.factor(loops_.A * loops_.A.transpose());
  results["rows"] = description_of_rows();
  results["rank"] = solver.rank();
  results["A"] = rows(loops_.A);
  results["Adot_qd"] = numbers(loops_.Adot_qd);
  results["violation"] = numbers(loops_.violation);
  results["violation_rate"] = numbers(VectorX<double>(loops_.A * state.qd));
  if (impulse_) {
    results["impulse"] = impulse(state, source, forces, warnings);
    return results;
  }
  if (state.tau) try {
      results["forward_dynamics"] =
          motion(state, std::vector<bool>(model_.nv()), "forward_dynamics", source, forces, warnings);
    } catch (const ModelError& massless) {
      warnings.push_back(std::string("constrained.forward_dynamics is left out: ") + massless.what());
    }
  if (state.prescribed) {
    results["hybrid_dynamics"]["prescribed"] = *state.prescribed;
    results["hybrid_dynamics"].update(motion(state, *state.prescribed, "hybrid_dynamics", source, forces, warnings));
  }
  // With `prescribed` the other accelerations are not meant.
  if (state.qdd && file_.actuated && !state.prescribed)
    results["inverse_dynamics"] = inverse_dynamics(state, source, forces);
  return results;
}

void ConstrainedCalculator::require_closed(const std::string& source, const std::string& words,
                                           const VectorX<double>& miss, double largest_term, const std::string& per,
                                           const std::string& remedy) const
{
  if (!miss.allFinite() || !std::isfinite(largest_term))
    throw StateError(source +
                     ": the loops are not finite; some number of the state is too large for double precision.");
  if (miss.size() == 0) return;
  int worst;
  const double size = miss.cwiseAbs().maxCoeff(&worst);
  const double allowed = options_.closed_within * std::max(1.0, largest_term);
  if (size <= allowed) return;
  throw StateError(source + ": loop '" + loops_.name_of_row(worst) + "' " + words + " " + shown(size) +
                   (loops_.is_length(worst) ? " m" : " rad") + per + " (" + demand(worst) + ") where " +
                   shown(allowed) + " is allowed; " + remedy + ".");
}

std::string ConstrainedCalculator::demand(int m) const
{
  const Loops<double>::Row& row = loops_.row(m);
  const std::string first(1, "xyz"[row.k]), second(1, "xyz"[row.j]);
  switch (row.kind) {
    case Loops<double>::Row::angle:
      return "no turn about " + first;
    case Loops<double>::Row::normal:
      return first + " of the first normal to " + second + " of the second";
    case Loops<double>::Row::slide:
      return "no way along " + first;
    case Loops<double>::Row::coordinate:
      break;
  }
  const auto is_its = [&](const Loop& loop) { return loop.name == loops_.name_of_row(m); };
  const auto& [joint, follows] = *std::find_if(file_.loops.begin(), file_.loops.end(), is_its)->coupling;
  return joint + " = " + shown(follows.multiplier) + " " + follows.joint + " + " + shown(follows.offset);
}

Json ConstrainedCalculator::description_of_rows() const
{
  Json list = Json::array();
  for (int m = 0; m < loops_.rows(); ++m) {
    const bool length = loops_.is_length(m);
    list.push_back({{"loop", loops_.name_of_row(m)},
                    {"demand", demand(m)},
                    {"unit", length ? "m" : "rad"},
                    {"multiplier", length ? "N" : "N m"}});
  }
  return list;
}

/// The wrench of each loop on its second link, in the second frame as the file gives it.
Json ConstrainedCalculator::reactions(const VectorX<double>& lambda) const
{
  const std::vector<Wrench<double>> F = loops_.reactions(lambda);
  Json list;
  for (std::size_t k = 0; k < F.size(); ++k) list[file_.loops[k].name] = numbers(coordinates(F[k]));
  return list;
}

/// Forward dynamics, or hybrid dynamics where accelerations are prescribed.
Json ConstrainedCalculator::motion(const State& state, const std::vector<bool>& prescribed, const std::string& name,
                                   const std::string& source, ForcesInState& forces, Json& warnings)
{
  ConstrainedDynamics<double> run(model_, prescribed, loops_.rows());
  run.tree.set_gravity(state.gravity);
  run.tree.set_armature(forces.armature());
  const VectorX<double> at_rest = VectorX<double>::Zero(model_.nv());
  try {
    run(state.q, state.qd, state.qdd.value_or(at_rest), *state.tau + forces.joint_forces, loops_.A, loops_.Adot_qd,
        state.external_wrenches);
  } catch (const Error& singular) {
    throw StateError(source + ": " + singular.what());
  }
  const bool free = std::find(prescribed.begin(), prescribed.end(), true) == prescribed.end();
  require_closed(source, "cannot stay closed: it would part with", run.contradiction(),
                 largest_term(loops_.A, run.qdd()), "/s^2",
                 free ? "this position is singular, and with these rates no motion goes on from it"
                      : "prescribe fewer joints, or accelerations that keep the loops closed");
  const bool unique = run.rank() == loops_.rows();
  if (!unique)
    warnings.push_back(
        "constrained." + name + ": the " + std::to_string(loops_.rows()) + " rows have the rank " +
        std::to_string(run.rank()) + "; lambda is the shortest of many, " +
        (free && is_singular(state, run.rank())
             ? "and so is qdd: this position is singular, and beside it the rank is larger. A motion that "
               "passes it has another qdd, which simulate finds."
             : "the motion the only one."));
  Json results{{"qdd", numbers(run.qdd())},
               {"tau", numbers(VectorX<double>(run.tau() - forces.joint_forces))},
               {"lambda", numbers(run.lambda())},
               {"lambda_unique", unique},
               {"rank", run.rank()},
               {"reactions", reactions(run.lambda())}};
  if (derivatives_) results.update(derivatives(run, state, name, forces, warnings));
  return results;
}

/// Whether the rank is larger beside the state; at rest there, many motions may begin.
bool ConstrainedCalculator::is_singular(const State& state, int rank) const
{
  ClosedMotion<double> motion(model_, file_.loops);
  try {
    motion.begin(state.q, state.qd, 1e-3);
  } catch (const StateError&) {
    return true;
  }
  return motion.rank() > rank;
}

/// Column by column over the coordinates, the rates, and the forces or accelerations that are given.
Json ConstrainedCalculator::derivatives(ConstrainedDynamics<double>& run, const State& state, const std::string& name,
                                        ForcesInState& forces, Json& warnings) const
{
  ConstrainedDynamicsDerivative<double> derivative(model_);
  Json results;
  // `gain`: how the forces of elements change.
  const auto add = [&](const std::string& by, const auto& parameter, const MatrixX<double>& gain) {
    MatrixX<double> answer(model_.nv(), model_.nv()), lambda(loops_.rows(), model_.nv());
    bool met = true;
    for (int k = 0; k < model_.nv(); ++k) {
      Seeds<double> seeds(model_);
      parameter(k).template add_to<double>(seeds, run.tree, state.qd);
      for (int j = 0; j < model_.nv(); ++j)
        if (!run.tree.is_prescribed(j)) seeds.dtau(j) += gain(j, k);
      derivative(run, loops_, state.q, state.qd, state.external_wrenches, seeds);
      for (int j = 0; j < model_.nv(); ++j)
        answer(j, k) = run.tree.is_prescribed(j) ? derivative.dtau(j) - gain(j, k) : derivative.dqdd(j);
      lambda.col(k) = derivative.dlambda;
      const double allowed = options_.closed_within * std::max(1.0, largest_term(loops_.A, derivative.dqdd));
      met = met && largest(derivative.contradiction) <= allowed;
    }
    results[by] = rows(answer);
    results["lambda_" + by] = rows(lambda);
    if (!met)
      warnings.push_back("constrained." + name + "." + by +
                         ": no motion follows the constraints, whose rank is another one beside this state.");
  };
  const ForceElementsJacobians<double>& of_forces = forces.jacobians();
  add(
      "by_q", [](int k) { return Parameter::coordinate(k); }, of_forces.dQ_dq);
  add(
      "by_qd", [](int k) { return Parameter::rate(k); }, of_forces.dQ_dqd);
  add(
      "by_given", [&](int k) { return run.tree.is_prescribed(k) ? Parameter::acceleration(k) : Parameter::force(k); },
      MatrixX<double>::Zero(model_.nv(), model_.nv()));
  return results;
}

/// The loops close at once, and hold from then on.
Json ConstrainedCalculator::impulse(const State& state, const std::string& source, const ForcesInState& forces,
                                    Json& warnings) const
{
  LoopImpulseDerivative<double> of(model_, file_.loops);
  of.impulse.system.tree.set_armature(forces.armature());
  try {
    of(state.q, state.qd, *impulse_);
  } catch (const Error& singular) {
    throw StateError(source + ": " + singular.what());
  }
  const int rank = of.impulse.system.rank();
  const bool unique = rank == loops_.rows();
  if (!unique)
    warnings.push_back("constrained.impulse: the " + std::to_string(loops_.rows()) + " rows have the rank " +
                       std::to_string(rank) + "; impulses are the shortest of many, the rates the only ones.");
  Json results{{"restitution", *impulse_},
               {"qd", numbers(of.impulse.qd)},
               {"impulses", numbers(of.impulse.Lambda)},
               {"impulses_unique", unique},
               {"rank", rank},
               {"reactions", reactions(of.impulse.Lambda)}};
  if (!derivatives_) return results;
  results["by_q"] = rows(of.dqd_dq);
  results["by_qd"] = rows(of.dqd_dbefore);
  results["impulses_by_q"] = rows(of.dLambda_dq);
  results["impulses_by_qd"] = rows(of.dLambda_dbefore);
  for (int k = 0; k < model_.nv(); ++k) {
    const double allowed = options_.closed_within * std::max(1.0, largest_term(loops_.A, of.dqd_dq.col(k)));
    if (largest(of.contradiction.col(k)) <= allowed) continue;
    warnings.push_back(
        "constrained.impulse.by_q: no rates follow the constraints, whose rank is another one beside "
        "this state.");
    break;
  }
  return results;
}

Json ConstrainedCalculator::inverse_dynamics(const State& state, const std::string& source, const ForcesInState& forces)
{
  const VectorX<double>& qdd = *state.qdd;
  require_closed(source, "is opened by the accelerations, with", loops_.A * qdd + loops_.Adot_qd,
                 largest_term(loops_.A, qdd), "/s^2",
                 "give qdd that keep the loops closed, such as hybrid dynamics finds");
  InverseDynamics<double> rnea(model_);
  rnea.set_gravity(state.gravity);
  const VectorX<double> tau_r =
      rnea(state.q, state.qd, qdd, state.external_wrenches) + forces.armature().cwiseProduct(qdd) - forces.joint_forces;
  const VectorX<double> idle = VectorX<double>::Zero(model_.nv());
  try {
    const ConstrainedForces<double> found =
        constrained_inverse_dynamics(tau_r, state.tau.value_or(idle), loops_.A, *file_.actuated, file_.least);
    return {{"actuated", *file_.actuated},
            {"least", file_.least == Least::actuator_force ? "actuator_force" : "constraint_force"},
            {"tau", numbers(found.tau)},
            {"tau_unique", found.unique},
            {"lambda", numbers(found.lambda)},
            {"rank_passive", found.rank_passive},
            {"reactions", reactions(found.lambda)}};
  } catch (const Error& refused) {
    throw StateError(source + ": " + refused.what());
  }
}

}  // namespace articulate::cli
