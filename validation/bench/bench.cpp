/** \file
 *  \brief How long inverse and forward dynamics take beside Orocos KDL, on the same mechanisms and in the same states.
 *
 *  Nobody is timed before all results agree with ours. Each call takes another state than the call before: KDL keeps
 *  the rotation of a joint that has not moved.
 */
#include <bench/kdl.hpp>      // kdl_contenders
#include <models/models.hpp>  // built_in_model
#include <articulate/articulate.hpp>
#include <benchmark/benchmark.h>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <random>

namespace articulate::validation {

namespace {

constexpr std::size_t number_of_states = 8;

/// A model, its states, and whoever solves them.
struct Match {
  std::string name;
  Model<double> model;
  std::vector<State> states;
  std::vector<Contender> contenders;  ///< ours first
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
  }
  return states;
}

std::vector<Contender> our_contenders(const Model<double>& model, const std::vector<State>& states)
{
  const auto rnea = std::make_shared<InverseDynamics<double>>(model);
  const auto aba = std::make_shared<ForwardDynamics<double>>(model);
  return {{"articulate InverseDynamics", Problem::inverse,
           [rnea, &states](std::size_t k) -> const VectorX<double>& {
             return (*rnea)(states[k].q, states[k].qd, states[k].qdd);
           }},
          {"articulate ForwardDynamics", Problem::forward, [aba, &states](std::size_t k) -> const VectorX<double>& {
             return (*aba)(states[k].q, states[k].qd, states[k].tau);
           }}};
}

double largest(const VectorX<double>& x) { return x.cwiseAbs().maxCoeff(); }

/** By how much the relative error of the inputs grows in the result: the inputs are moved by 2^-26 of themselves, where
 *  truncation and rounding weigh about the same. Rounding inside an algorithm acts like such a move.
 */
double condition(const Model<double>& model, Problem problem, const State& state)
{
  std::mt19937_64 engine(2);
  const auto solve = [&](const State& s) {
    return problem == Problem::inverse ? inverse_dynamics(model, s.q, s.qd, s.qdd)
                                       : VectorX<double>(ForwardDynamics<double>(model)(s.q, s.qd, s.tau));
  };
  const VectorX<double> result = solve(state);
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
    const VectorX<double>& expected = contender.problem == Problem::inverse ? state.tau : state.qdd;
    const double tolerance = 100 * match.model.nv() * std::numeric_limits<double>::epsilon() *
                             condition(match.model, contender.problem, state);
    const double part = largest(contender.run(k) - expected) / largest(expected) / tolerance;
    if (!(part <= worst)) worst = part;  // also when it is not a number
  }
  return worst;
}

std::unique_ptr<Match> prepare(const std::string& name, const Mechanism& mechanism, bool floating_base)
{
  auto match = std::make_unique<Match>(Match{name, Model<double>(mechanism, {.floating_base = floating_base}), {}, {}});
  match->states = draw_states(match->model);
  match->contenders = our_contenders(match->model, match->states);
  if (!floating_base)
    for (Contender& peer : kdl_contenders(match->model, match->states)) match->contenders.push_back(std::move(peer));
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

std::vector<std::unique_ptr<Match>> all_matches()
{
  std::vector<std::unique_ptr<Match>> matches;
  matches.push_back(prepare("ur5", built_in_model("ur5"), false));
  matches.push_back(prepare("panda", built_in_model("panda"), false));
  matches.push_back(prepare("panda, fingers fixed", panda_arm(), false));
  matches.push_back(prepare("tree:5x7", built_in_model("tree:5x7"), false));
  matches.push_back(prepare("tree:5x7, floating base", built_in_model("tree:5x7"), true));
  matches.push_back(prepare("humanoid", built_in_model("humanoid"), false));
  matches.push_back(prepare("humanoid, floating base", built_in_model("humanoid"), true));
  for (const char* n : {"10", "20", "40", "60", "100"}) {
    const std::string name = std::string("planar_arm:") + n;
    matches.push_back(prepare(name, built_in_model(name), false));
  }
  return matches;
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
  return agreed;
}

void run_repeatedly(benchmark::State& timer, const Match& match, const Contender& contender)
{
  std::size_t k = 0;
  for (auto _ : timer) {
    benchmark::DoNotOptimize(contender.run(k).data());
    benchmark::ClobberMemory();
    k = (k + 1) % number_of_states;
  }
  timer.counters["n"] = match.model.nv();
}

}  // namespace

}  // namespace articulate::validation

int main(int argc, char** argv)
{
  using namespace articulate::validation;
  const auto matches = all_matches();
  if (!all_agree(matches)) return 1;

  for (const auto& match : matches)
    for (const Contender& contender : match->contenders) {
      const char* const problem = contender.problem == Problem::inverse ? "inverse" : "forward";
      benchmark::RegisterBenchmark((match->name + "/" + problem + "/" + contender.name).c_str(),
                                   [&](benchmark::State& timer) { run_repeatedly(timer, *match, contender); });
    }
  benchmark::AddCustomContext("compiler", ARTICULATE_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", ARTICULATE_BENCH_FLAGS);
  benchmark::AddCustomContext("peer", "Orocos KDL " ARTICULATE_BENCH_KDL);

  // Many short repetitions in random order: a busy moment of the machine then falls on everybody alike.
  std::vector<char*> arguments{argv[0]};
  std::string defaults[] = {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=15",
                            "--benchmark_min_time=0.02"};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
