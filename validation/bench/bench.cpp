/** \file
 *  \brief How long inverse and forward dynamics and the mass matrix take beside other libraries, on the same machines and in
 *  the same states; and how long, beside those, what is built on them.
 *
 *  Nobody is timed before all results agree with ours. Each call takes another state than the call before: KDL and DART
 *  keep what has not changed.
 */
#include <bench/peers.hpp>
#include <models/models.hpp>  // built_in_model
#include <articulate/articulate.hpp>
#include <articulate/batch/batch.hpp>
#include <articulate/batch/lanes.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/derivatives/hybrid_jacobians.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <benchmark/benchmark.h>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <random>

namespace articulate::validation {

namespace {

constexpr std::size_t number_of_states = 8;

/// Those that are installed.
std::vector<Peer> all_peers()
{
  std::vector<Peer> peers;
  for (Peer (*const peer)() : {ARTICULATE_BENCH_PEERS}) peers.push_back(peer());
  return peers;
}

Eigen::Matrix3d to_matrix(const Matrix3<double>& A)
{
  return Eigen::Matrix3d::NullaryExpr([&](Eigen::Index i, Eigen::Index j) { return A(i, j); });
}
Eigen::Vector3d to_vector(const Vector3<double>& x) { return {x[0], x[1], x[2]}; }

/// Our own bodies, so that nobody carries more of them than others.
Machine machine_of(const Model<double>& model)
{
  Machine machine{{}, to_vector(model.gravity())};
  for (const Body<double>& body : model.outward()) {
    Part part;
    part.name = "body" + std::to_string(body.index);
    part.parent = body.parent - 1;
    part.turns = body.turn != 0;
    part.pose = Eigen::Translation3d(to_vector(body.M.p)) * Eigen::Isometry3d(to_matrix(body.M.R.matrix));
    part.mass = body.I.mass;
    part.center = to_vector(body.I.first_moment) / part.mass;
    const Eigen::Matrix3d lever = to_matrix(skew(body.I.first_moment));
    part.tensor = to_matrix(body.I.second_moment.matrix()) + lever * lever / part.mass;
    machine.parts.push_back(part);
  }
  return machine;
}

/// A model, its states, and whoever solves them.
struct Match {
  std::string name;
  Model<double> model;
  std::vector<State> states;
  std::vector<Contender> contenders;  ///< ours first
  std::vector<Extension> extensions;
};

/// Random motions, and the forces that our inverse dynamics finds for them.
std::vector<State> draw_states(const Model<double>& model)
{
  std::mt19937_64 engine(1);
  const auto draw = [&](VectorX<double>& x, double half) {
    for (double& entry : x) entry = std::uniform_real_distribution<double>(-half, half)(engine);
  };
  std::vector<State> states(number_of_states);
  for (State& state : states) {
    state.q = VectorX<double>(model.nq());
    state.qd = state.qdd = VectorX<double>(model.nv());
    draw(state.q, 3), draw(state.qd, 1), draw(state.qdd, 1);
    state.tau = inverse_dynamics(model, state.q, state.qd, state.qdd);
    InverseDynamics<double> rnea(model);
    state.M = EquationsOfMotion<double>(rnea, state.q, state.qd).M;
  }
  return states;
}

std::vector<Contender> our_contenders(const Model<double>& model, const std::vector<State>& states)
{
  const auto rnea = std::make_shared<InverseDynamics<double>>(model);
  const auto aba = std::make_shared<ForwardDynamics<double>>(model);
  const auto composite = std::make_shared<CompositeBodies<double>>(model);
  return {{"articulate InverseDynamics", Problem::inverse,
           [rnea, &states](std::size_t k) -> Result { return (*rnea)(states[k].q, states[k].qd, states[k].qdd); }},
          {"articulate ForwardDynamics", Problem::forward,
           [aba, &states](std::size_t k) -> Result { return (*aba)(states[k].q, states[k].qd, states[k].tau); }},
          {"articulate CompositeBodies", Problem::mass,
           [composite, &states](std::size_t k) -> Result { return (*composite)(states[k].q); }}};
}

/// All states at once when the first of them is asked for.
std::vector<Contender> batch_contenders(const Model<double>& model, const std::vector<State>& states)
{
  struct Workspace {
    Batch batch;
    MatrixX<double> q, qd, qdd, tau, found, M;
  };
  const int n = model.nv();
  constexpr int count = static_cast<int>(number_of_states);
  const MatrixX<double> none(n, count);
  const auto w =
      std::make_shared<Workspace>(Workspace{Batch(model, 1, widest_lanes()), MatrixX<double>(model.nq(), count), none,
                                            none, none, none, MatrixX<double>(n * n, count)});
  for (int k = 0; k < count; ++k) {
    w->q.col(k) = states[k].q, w->qd.col(k) = states[k].qd;
    w->qdd.col(k) = states[k].qdd, w->tau.col(k) = states[k].tau;
  }
  return {{"articulate Batch inverse", Problem::inverse,
           [w](std::size_t k) -> Result {
             if (k == 0) w->batch.inverse_dynamics(w->q, w->qd, w->qdd, w->found);
             return w->found.col(static_cast<Eigen::Index>(k));
           }},
          {"articulate Batch forward", Problem::forward,
           [w](std::size_t k) -> Result {
             if (k == 0) w->batch.forward_dynamics(w->q, w->qd, w->tau, w->found);
             return w->found.col(static_cast<Eigen::Index>(k));
           }},
          {"articulate Batch mass", Problem::mass, [w, n](std::size_t k) -> Result {
             if (k == 0) w->batch.mass_matrix(w->q, w->M);
             return Eigen::Map<const MatrixX<double>>(w->M.col(static_cast<Eigen::Index>(k)).data(), n, n);
           }}};
}

/// Jacobians of all states at once, timed likewise.
std::vector<Extension> batch_extensions(const Model<double>& model, const std::vector<State>& states)
{
  struct Workspace {
    Batch batch;
    MatrixX<double> q, qd, qdd, tau, by_q, by_qd, by_given;
  };
  constexpr int count = static_cast<int>(number_of_states);
  const int n = model.nv();
  const MatrixX<double> none(n, count), matrices(n * n, count);
  const auto w =
      std::make_shared<Workspace>(Workspace{Batch(model, 1, widest_lanes()), MatrixX<double>(model.nq(), count), none,
                                            none, none, matrices, matrices, matrices});
  for (int k = 0; k < count; ++k) {
    w->q.col(k) = states[k].q, w->qd.col(k) = states[k].qd;
    w->qdd.col(k) = states[k].qdd, w->tau.col(k) = states[k].tau;
  }
  return {{"articulate Batch Jacobians of inverse", Problem::inverse,
           [w](std::size_t k) {
             if (k == 0) w->batch.inverse_dynamics_jacobians(w->q, w->qd, w->qdd, w->by_q, w->by_qd, w->by_given);
             return w->by_q(0, 0);
           }},
          {"articulate Batch Jacobians of forward", Problem::forward, [w](std::size_t k) {
             if (k == 0) w->batch.forward_dynamics_jacobians(w->q, w->qd, w->tau, w->by_q, w->by_qd, w->by_given);
             return w->by_q(0, 0);
           }}};
}

/// Whole Jacobians, Coriolis matrices, regressors, and the motion of a model whose last link must keep its orientation.
std::vector<Extension> our_extensions(const Model<double>& model, const std::vector<State>& states)
{
  struct Workspace {
    InverseDynamics<double> rnea;
    InverseDynamicsJacobians<double> inverse;
    ForwardDynamics<double> aba;
    HybridDynamicsJacobians<double> forward;
    CoriolisMatrix<double> coriolis;
    ReferenceDynamics<double> reference;
    Regressor<double> regressor;
    ConstrainedDynamics<double> constrained;
    std::vector<MatrixX<double>> A;
    VectorX<double> Adot_qd = VectorX<double>::Zero(3);
  };
  const std::vector<bool> nothing_prescribed(model.nv(), false);
  const auto w = std::make_shared<Workspace>(Workspace{InverseDynamics<double>(model),
                                                       InverseDynamicsJacobians<double>(model),
                                                       ForwardDynamics<double>(model),
                                                       HybridDynamicsJacobians<double>(model),
                                                       CoriolisMatrix<double>(model),
                                                       ReferenceDynamics<double>(model),
                                                       Regressor<double>(model),
                                                       ConstrainedDynamics<double>(model, nothing_prescribed, 3),
                                                       {}});
  ForwardKinematics<double> kinematics(model);
  for (const State& state : states) {
    kinematics(state.q, state.qd);
    w->A.push_back(kinematics.link_jacobian(model.links().back()).topRows(3));
  }
  return {{"articulate InverseDynamicsJacobians", Problem::inverse,
           [w, &states](std::size_t k) {
             w->rnea(states[k].q, states[k].qd, states[k].qdd);
             w->inverse(w->rnea, states[k].qd, states[k].qdd);
             return w->inverse.dtau_dq(0, 0);
           }},
          {"articulate CoriolisMatrix", Problem::inverse,
           [w, &states](std::size_t k) { return w->coriolis(states[k].q, states[k].qd)(0, 0); }},
          {"articulate ReferenceDynamics", Problem::inverse,
           [w, &states](std::size_t k) {
             return w->reference(states[k].q, states[k].qd, states[k].qdd, states[k].qdd)(0);
           }},
          {"articulate Regressor", Problem::inverse,
           [w, &states](std::size_t k) { return w->regressor(states[k].q, states[k].qd, states[k].qdd)(0, 0); }},
          {"articulate HybridDynamicsJacobians", Problem::forward,
           [w, &states](std::size_t k) {
             const VectorX<double>& qdd = w->aba(states[k].q, states[k].qd, states[k].tau);
             w->forward(w->aba, states[k].q, states[k].qd, qdd);
             return w->forward.by_q(0, 0);
           }},
          {"articulate ConstrainedDynamics, 3 rows", Problem::forward, [w, &states](std::size_t k) {
             w->constrained(states[k].q, states[k].qd, states[k].qdd, states[k].tau, w->A[k], w->Adot_qd);
             return w->constrained.qdd()(0);
           }}};
}

double largest(const MatrixX<double>& x) { return x.cwiseAbs().maxCoeff(); }

/** By how much the relative error of the inputs grows in the result: the inputs are moved by 2^-26 of themselves, where
 *  truncation and rounding weigh about the same. Rounding inside an algorithm acts like such a move.
 */
double condition(const Model<double>& model, Problem problem, const State& state)
{
  std::mt19937_64 engine(2);
  const auto solve = [&](const State& s) -> MatrixX<double> {
    if (problem == Problem::inverse) return inverse_dynamics(model, s.q, s.qd, s.qdd);
    if (problem == Problem::forward) return ForwardDynamics<double>(model)(s.q, s.qd, s.tau);
    return CompositeBodies<double>(model)(s.q);
  };
  const MatrixX<double> result = solve(state);
  double worst = 1;
  for (int trial = 0; trial < 8; ++trial) {
    State moved = state;
    for (VectorX<double>* x : {&moved.q, &moved.qd, &moved.qdd, &moved.tau})
      for (double& entry : *x) entry *= 1 + (engine() >> 63 ? 0x1p-26 : -0x1p-26);
    worst = std::max(worst, largest(solve(moved) - result) / largest(result) * 0x1p26);
  }
  return worst;
}

/// The largest relative difference of a contender from the states, as a part of the 100 n eps kappa that it may have.
double disagreement(const Match& match, const Contender& contender)
{
  double worst = 0;
  for (std::size_t k = 0; k < number_of_states; ++k) {
    const State& state = match.states[k];
    const Result expected = contender.problem == Problem::inverse   ? Result(state.tau)
                            : contender.problem == Problem::forward ? Result(state.qdd)
                                                                    : Result(state.M);
    const double tolerance = 100 * match.model.nv() * std::numeric_limits<double>::epsilon() *
                             condition(match.model, contender.problem, state);
    const double part = largest(contender.run(k) - expected) / largest(expected) / tolerance;
    if (!(part <= worst)) worst = part;  // also when it is not a number
  }
  return worst;
}

std::unique_ptr<Match> prepare(const std::string& name, const Mechanism& mechanism, bool floating_base,
                               const std::vector<Peer>& peers = {})
{
  auto match =
      std::make_unique<Match>(Match{name, Model<double>(mechanism, {.floating_base = floating_base}), {}, {}, {}});
  match->states = draw_states(match->model);
  match->contenders = our_contenders(match->model, match->states);
  for (Contender& batch : batch_contenders(match->model, match->states)) match->contenders.push_back(std::move(batch));
  match->extensions = our_extensions(match->model, match->states);
  for (Extension& batch : batch_extensions(match->model, match->states)) match->extensions.push_back(std::move(batch));
  for (const Peer& peer : peers)
    for (Contender& contender : peer.contenders(machine_of(match->model), match->states))
      match->contenders.push_back(std::move(contender));
  return match;
}

/// The Panda holding on to nothing: its fingers become part of its hand, so that the arm is a chain.
Mechanism panda_arm()
{
  Mechanism panda = built_in_model("panda");
  for (Joint& joint : panda.joints)
    if (joint.type == JointType::prismatic) joint.type = JointType::fixed;
  return panda;
}

/// On floating bases we are alone: KDL has none, and the others take other coordinates for them.
std::vector<std::unique_ptr<Match>> all_matches(const std::vector<Peer>& peers)
{
  std::vector<std::unique_ptr<Match>> matches;
  for (const char* name :
       {"ur5", "panda", "tree:5x7", "humanoid", "planar_arm:10", "planar_arm:20", "planar_arm:50", "planar_arm:100"})
    matches.push_back(prepare(name, built_in_model(name), false, peers));
  matches.push_back(prepare("panda, fingers fixed", panda_arm(), false, peers));
  for (const char* name : {"quadruped", "tree:5x7", "humanoid"})
    matches.push_back(prepare(std::string(name) + ", floating base", built_in_model(name), true));
  return matches;
}

/** The Jacobians of a match against what they are derivatives of: inverse dynamics is quadratic in the rates, so that
 *  central differences of any step are exact, and forward dynamics undoes it, \f$M\,\partial\ddot q = -\partial\tau\f$.
 *  \return the largest difference as a part of what rounding explains
 */
double disagreement_of_jacobians(const Match& match)
{
  const Model<double>& model = match.model;
  const int n = model.nv();
  InverseDynamics<double> rnea(model);
  ForwardDynamics<double> aba(model);
  InverseDynamicsJacobians<double> inverse(model);
  HybridDynamicsJacobians<double> forward(model);
  double worst = 0;
  for (const State& s : match.states) {
    const VectorX<double> qdd = aba(s.q, s.qd, s.tau);
    forward(aba, s.q, s.qd, qdd);
    rnea(s.q, s.qd, qdd);
    inverse(rnea, s.qd, qdd);
    const double unit = 100 * n * std::numeric_limits<double>::epsilon() *
                        std::max(condition(model, Problem::inverse, s), condition(model, Problem::forward, s));
    const auto compare = [&](const MatrixX<double>& left, const MatrixX<double>& right) {
      const double part = (left - right).cwiseAbs().maxCoeff() / right.cwiseAbs().maxCoeff() / unit;
      if (!(part <= worst)) worst = part;
    };
    MatrixX<double> differences(n, n);
    for (int k = 0; k < n; ++k) {
      const VectorX<double> step = VectorX<double>::Unit(n, k);
      differences.col(k) = (rnea(s.q, s.qd + step, qdd) - inverse_dynamics<double>(model, s.q, s.qd - step, qdd)) / 2;
    }
    compare(inverse.dtau_dqd, differences);
    compare(-inverse.dtau_dqdd * forward.by_q, inverse.dtau_dq);
    compare(-inverse.dtau_dqdd * forward.by_qd, inverse.dtau_dqd);
  }
  return worst;
}

/** Coriolis matrix, reference dynamics and regressor of a match against inverse dynamics, which they have to give back.
 *  \return the largest difference as a part of what rounding explains
 */
double disagreement_of_coriolis(const Match& match)
{
  const Model<double>& model = match.model;
  CoriolisMatrix<double> coriolis(model);
  ReferenceDynamics<double> reference(model);
  Regressor<double> regressor(model);
  const VectorX<double> pi = inertial_parameters(model), none = VectorX<double>::Zero(model.nv());
  double worst = 0;
  for (const State& s : match.states) {
    const double unit = 100 * model.nv() * std::numeric_limits<double>::epsilon() *
                        condition(model, Problem::inverse, s) * largest(s.tau);
    const VectorX<double> at_rest = inverse_dynamics<double>(model, s.q, none, none);
    const VectorX<double> by_matrices = s.M * s.qdd + coriolis(s.q, s.qd) * s.qd + at_rest;
    for (const VectorX<double>& tau : {by_matrices, VectorX<double>(reference(s.q, s.qd, s.qd, s.qdd)),
                                       VectorX<double>(regressor(s.q, s.qd, s.qdd) * pi)})
      if (const double part = largest(tau - s.tau) / unit; !(part <= worst)) worst = part;
  }
  return worst;
}

/// \return whether all agree; if not, who does not is said
bool all_agree(const std::vector<std::unique_ptr<Match>>& matches)
{
  bool agreed = true;
  for (const auto& match : matches)
    for (const Contender& contender : match->contenders) {
      const double part = disagreement(*match, contender);
      if (part <= 1) continue;
      std::cerr << match->name << ": the result of " << contender.name << " is off by " << part
                << " times what rounding explains, so nothing is timed.\n";
      agreed = false;
    }
  for (const auto& match : matches)
    if (const double part = disagreement_of_jacobians(*match); !(part <= 1)) {
      std::cerr << match->name << ": the Jacobians are off by " << part
                << " times what rounding explains, so nothing is timed.\n";
      agreed = false;
    }
  for (const auto& match : matches)
    if (const double part = disagreement_of_coriolis(*match); !(part <= 1)) {
      std::cerr << match->name << ": Coriolis matrix, reference dynamics or regressor are off by " << part
                << " times what rounding explains, so nothing is timed.\n";
      agreed = false;
    }
  return agreed;
}

template <typename Run>
void run_repeatedly(benchmark::State& timer, const Match& match, const Run& run)
{
  for (auto _ : timer)  // a batch solves all when it is asked for the first
    for (std::size_t k = 0; k < number_of_states; ++k) {
      run(k);
      benchmark::ClobberMemory();
    }
  timer.counters["n"] = match.model.nv();
  timer.counters["states"] = number_of_states;
}

/// Let something be timed later, under the name of its match and of its problem.
template <typename Solver, typename Run>
void register_timing(const Match& match, const Solver& solver, const Run& run)
{
  const char* const problems[] = {"inverse", "forward", "mass"};
  const std::string problem = problems[static_cast<int>(solver.problem)];
  benchmark::RegisterBenchmark((match.name + "/" + problem + "/" + solver.name).c_str(),
                               [&match, run](benchmark::State& timer) { run_repeatedly(timer, match, run); });
}

}  // namespace

}  // namespace articulate::validation

int main(int argc, char** argv)
{
  using namespace articulate::validation;
  const std::vector<Peer> peers = all_peers();
  const auto matches = all_matches(peers);
  if (!all_agree(matches)) return 1;

  for (const auto& match : matches) {
    for (const Contender& contender : match->contenders)
      register_timing(*match, contender, [&](std::size_t k) { benchmark::DoNotOptimize(contender.run(k).data()); });
    for (const Extension& extension : match->extensions)
      register_timing(*match, extension, [&](std::size_t k) { benchmark::DoNotOptimize(extension.run(k)); });
  }
  benchmark::AddCustomContext("compiler", ARTICULATE_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", ARTICULATE_BENCH_FLAGS);
  std::string names, limits;
  for (const Peer& peer : peers) {
    names += (names.empty() ? "" : ", ") + peer.name;
    if (!peer.cannot.empty()) limits += (limits.empty() ? "" : " ") + peer.cannot;
  }
  benchmark::AddCustomContext("peer", names);
  benchmark::AddCustomContext("limits", limits);

  // Many short repetitions in random order: a busy moment of the machine then falls on everybody alike.
  std::vector<char*> arguments{argv[0]};
  std::string defaults[] = {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=15",
                            "--benchmark_min_time=0.01"};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
