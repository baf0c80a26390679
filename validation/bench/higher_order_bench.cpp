/** \file
 *  \brief How long the derivatives of inverse and forward dynamics take, against their order and against the number of
 *  bodies: the fast form, one state after the other and eight at once, the paper's form, the same with dense matrices, and
 *  automatic differentiation.
 *
 *  The paper's machine: a floating base with five branches. Nobody is timed before all agree on every order. Each call
 *  takes another state than the call before.
 */
#include <higher_order/dense_products.hpp>
#include <ledger/scalars.hpp>
#include <models/models.hpp>
#include <articulate/articulate.hpp>
#include <articulate/batch/batch.hpp>
#include <articulate/batch/lanes.hpp>
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <benchmark/benchmark.h>
#include <functional>
#include <iostream>
#include <memory>
#include <random>

namespace articulate::validation {

namespace {

constexpr int highest_order = 8, highest_nested = 4, order_of_sizes = 5, number_of_states = 8;

enum class Problem { inverse, forward };

/// A motion and its forces: every table has the derivatives 0 to highest_order by columns.
struct Motion {
  MatrixX<double> q;  ///< of the coordinates; column 0 is what all but automatic differentiation read
  VectorX<double> qd;
  MatrixX<double> qdd, tau;
};

/// A model, its motions, and by how much a relative error of the inputs grows in each derivative of the results.
struct Tree {
  std::string name;
  Model<double> model;
  std::vector<Motion> motions;
  VectorX<double> condition[2];  ///< by problem; by order
};

/// Who takes part: `run` solves the motion of a number, `derivative` reads the result of the latest run.
struct Contender {
  std::string name;
  Problem problem;
  int order;
  std::function<void(int)> run;
  std::function<VectorX<double>(int)> derivative;
  int first_derivative = 0;  ///< that it can tell
  int together = 1;          ///< motions that it solves with the first of them: only as many tell the time of one
};

/** The coordinates along a motion, as derivatives: of angles those of the rates; of the base \f$\dot p = Rv\f$ and
 *  \f$\dot h = \tfrac12 h\,(w, 0)\f$, one Taylor coefficient after the other.
 */
MatrixX<double> coordinates_along(const Model<double>& model, const VectorX<double>& q, const VectorX<double>& qd,
                                  const MatrixX<double>& qdd)
{
  MatrixX<double> x = MatrixX<double>::Zero(model.nq(), highest_order + 1);
  x.col(0) = q;
  x.col(1).tail(model.nv() - 6) = qd.tail(model.nv() - 6);
  for (int k = 2; k <= highest_order; ++k) x.col(k).tail(model.nv() - 6) = qdd.col(k - 2).tail(model.nv() - 6);

  double factorial = 1;
  std::vector<Quaternion<double>> h{{{q(3), q(4), q(5)}, q(6)}}, w, v;
  std::vector<Vector3<double>> p{{q(0), q(1), q(2)}};
  const auto conjugate = [](const Quaternion<double>& a) { return Quaternion<double>{-a.v, a.w}; };
  for (int k = 0; k < highest_order; ++k) {
    const VectorX<double> u = k == 0 ? qd : VectorX<double>(qdd.col(k - 1));
    factorial *= std::max(k, 1);
    w.push_back({1 / factorial * Vector3<double>{u(0), u(1), u(2)}, 0});
    v.push_back({1 / factorial * Vector3<double>{u(3), u(4), u(5)}, 0});
    Quaternion<double> h_next{{}, 0};
    Vector3<double> p_next;
    for (int l = 0; l <= k; ++l) {
      const Quaternion<double> term = h[l] * w[k - l];
      h_next = {h_next.v + 0.5 / (k + 1) * term.v, h_next.w + 0.5 / (k + 1) * term.w};
      for (int m = 0; m <= k - l; ++m) p_next += 1. / (k + 1) * (h[l] * v[m] * conjugate(h[k - l - m])).v;
    }
    h.push_back(h_next), p.push_back(p_next);
    for (int i = 0; i < 3; ++i) x(i, k + 1) = factorial * (k + 1) * p_next[i];
    for (int i = 0; i < 3; ++i) x(3 + i, k + 1) = factorial * (k + 1) * h_next.v[i];
    x(6, k + 1) = factorial * (k + 1) * h_next.w;
  }
  return x;
}

/** Random motions that oscillate at 30 rad/s, and the forces that the fast form finds for them. Slower ones would be too
 *  ill-conditioned to compare: each pair of orders of forward dynamics multiplies an error by a stiffness of some
 *  1000 /s^2, and the result, here, by the square of the frequency.
 */
std::vector<Motion> draw_motions(const Model<double>& model)
{
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto draw = [&](auto&& x, double half) {
    for (double& entry : x.reshaped()) entry = half * number(engine);
  };
  auto dynamics = HigherOrderDynamics<double>::inverse(model, highest_order);
  std::vector<Motion> motions(number_of_states);
  for (Motion& motion : motions) {
    VectorX<double> q(model.nq());
    motion.qd.resize(model.nv());
    motion.qdd.resize(model.nv(), highest_order + 1);
    draw(q, 3), draw(motion.qd, 1);
    for (int k = 0; k <= highest_order; ++k) draw(motion.qdd.col(k), std::pow(30, k));
    q.segment(3, 4).normalize();
    motion.q = coordinates_along(model, q, motion.qd, motion.qdd);
    motion.tau = MatrixX<double>::Zero(model.nv(), highest_order + 1);
    dynamics(motion.q.col(0), motion.qd, motion.qdd, motion.tau);
    motion.tau = dynamics.tau();
  }
  return motions;
}

template <typename Form>
HigherOrderDynamics<double, Form> make(const Model<double>& model, Problem problem, int order)
{
  return problem == Problem::inverse ? HigherOrderDynamics<double, Form>::inverse(model, order)
                                     : HigherOrderDynamics<double, Form>::forward(model, order);
}

double largest(const MatrixX<double>& x) { return x.cwiseAbs().maxCoeff(); }

/** By how much the relative error of the inputs grows in each derivative of the result: the inputs are moved by 2^-26 of
 *  themselves, where truncation and rounding weigh about the same. Rounding inside an algorithm acts like such a move.
 */
VectorX<double> condition(const Model<double>& model, const std::vector<Motion>& motions, Problem problem)
{
  std::mt19937_64 engine(2);
  auto dynamics = make<BodyForm<double>>(model, problem, highest_order);
  const auto solve = [&](const Motion& m) -> MatrixX<double> {
    dynamics(m.q.col(0), m.qd, m.qdd, m.tau);
    if (problem == Problem::inverse) return dynamics.tau();
    return dynamics.qdd();
  };
  VectorX<double> worst = VectorX<double>::Ones(highest_order + 1);
  for (const Motion& motion : motions) {
    const MatrixX<double> result = solve(motion);
    for (int trial = 0; trial < 4; ++trial) {
      Motion moved = motion;
      const auto move = [&](auto&& x) {
        for (double& entry : x.reshaped()) entry *= 1 + (engine() >> 63 ? 0x1p-26 : -0x1p-26);
      };
      move(moved.q), move(moved.qd), move(moved.qdd), move(moved.tau);
      const MatrixX<double> difference = solve(moved) - result;
      for (int k = 0; k <= highest_order; ++k)
        worst(k) = std::max(worst(k), largest(difference.col(k)) / largest(result.col(k)) * 0x1p26);
    }
  }
  return worst;
}

std::unique_ptr<Tree> grow(int bodies_per_branch)
{
  const std::string name = "tree:5x" + std::to_string(bodies_per_branch);
  auto tree = std::make_unique<Tree>(Tree{name, Model<double>(built_in_model(name), {.floating_base = true}), {}, {}});
  tree->motions = draw_motions(tree->model);
  for (const Problem problem : {Problem::inverse, Problem::forward})
    tree->condition[static_cast<int>(problem)] = condition(tree->model, tree->motions, problem);
  return tree;
}

template <typename Form>
Contender one_form(const char* name, const Tree& tree, Problem problem, int order)
{
  const auto dynamics = std::make_shared<HigherOrderDynamics<double, Form>>(make<Form>(tree.model, problem, order));
  return {name, problem, order,
          [dynamics, &tree, order](int k) {
            const Motion& m = tree.motions[k];
            (*dynamics)(m.q.col(0), m.qd, m.qdd.leftCols(order + 1), m.tau.leftCols(order + 1));
          },
          [dynamics, problem](int k) -> VectorX<double> {
            if (problem == Problem::inverse) return dynamics->tau().col(k);
            return dynamics->qdd().col(k);
          }};
}

/// The fast form for all motions at once, when the first of them is asked for.
Contender in_a_batch(const Tree& tree, Problem problem, int order)
{
  struct Workspace {
    Batch batch;
    std::vector<bool> prescribed;
    MatrixX<double> q, qd, qdd, tau, found_qdd, found_tau;
    int latest = 0;
  };
  const int n = tree.model.nv(), numbers = n * (order + 1);
  const MatrixX<double> tables(numbers, number_of_states);
  const auto w = std::make_shared<Workspace>(
      Workspace{Batch(tree.model, 1, widest_lanes()), std::vector<bool>(n, problem == Problem::inverse),
                MatrixX<double>(tree.model.nq(), number_of_states), MatrixX<double>(n, number_of_states), tables,
                tables, tables, tables});
  for (int k = 0; k < number_of_states; ++k) {
    const Motion& m = tree.motions[k];
    w->q.col(k) = m.q.col(0), w->qd.col(k) = m.qd;
    w->qdd.col(k) = m.qdd.leftCols(order + 1).reshaped(), w->tau.col(k) = m.tau.leftCols(order + 1).reshaped();
  }
  return {"Batch",
          problem,
          order,
          [w, order](int k) {
            w->latest = k;
            if (k == 0)
              w->batch.higher_order_dynamics(order, w->prescribed, w->q, w->qd, w->qdd, w->tau, w->found_qdd,
                                             w->found_tau);
          },
          [w, n, problem](int k) -> VectorX<double> {
            return (problem == Problem::inverse ? w->found_tau : w->found_qdd).col(w->latest).segment(n * k, n);
          },
          0,
          number_of_states};
}

/// The recursions of their own chapters.
std::vector<Contender> plain_recursions(const Tree& tree)
{
  const auto rnea = std::make_shared<InverseDynamics<double>>(tree.model);
  const auto aba = std::make_shared<ForwardDynamics<double>>(tree.model);
  const auto result = std::make_shared<const VectorX<double>*>();
  const auto read = [result](int) { return **result; };
  return {{"InverseDynamics", Problem::inverse, 0,
           [rnea, result, &tree](int k) {
             const Motion& m = tree.motions[k];
             *result = &(*rnea)(m.q.col(0), m.qd, m.qdd.col(0));
           },
           read},
          {"ForwardDynamics", Problem::forward, 0,
           [aba, result, &tree](int k) {
             const Motion& m = tree.motions[k];
             *result = &(*aba)(m.q.col(0), m.qd, m.tau.col(0));
           },
           read}};
}

// --- automatic differentiation --------------------------------------------------------------------------------------

namespace autodiff = boost::math::differentiation;

/// Taylor mode: one series of order r.
template <int r>
struct TaylorMode {
  static constexpr const char* name = "Taylor-mode AD";
  using Scalar = autodiff::autodiff_fvar<double, r>;
  static Scalar time() { return autodiff::make_fvar<double, r>(0); }
  static double derivative(const Scalar& x) { return x.derivative(r); }
};

/// Nested forward mode: dual numbers of dual numbers, r deep; time is the sum of all their infinitesimals.
template <int r>
struct NestedMode {
  static constexpr const char* name = "nested AD";
  template <std::size_t... k>
  static auto sum(std::index_sequence<k...>)
  {
    const auto one = autodiff::make_ftuple<double, (static_cast<void>(k), 1)...>((static_cast<void>(k), 0.)...);
    return (std::get<k>(one) + ...);
  }
  template <typename Scalar, std::size_t... k>
  static double mixed(const Scalar& x, std::index_sequence<k...>)
  {
    return x.derivative((static_cast<void>(k), 1)...);
  }
  static auto time() { return sum(std::make_index_sequence<r>()); }
  using Scalar = decltype(time());
  static double derivative(const Scalar& x) { return mixed(x, std::make_index_sequence<r>()); }
};

/** The plain recursion in an arithmetic that carries derivatives in time. It is given the whole motion, and forward
 *  dynamics too, where the forms have to find it order by order; and what is given is converted beforehand.
 */
template <typename Mode>
Contender differentiated(const Tree& tree, Problem problem, int order)
{
  using Scalar = typename Mode::Scalar;
  struct Workspace {
    struct Inputs {
      VectorX<Scalar> q, qd, qdd, tau;
    };
    Model<Scalar> model;
    std::vector<Inputs> inputs;
    std::unique_ptr<InverseDynamics<Scalar>> rnea;
    std::unique_ptr<ForwardDynamics<Scalar>> aba;
    const VectorX<Scalar>* result;
  };
  const auto w = std::make_shared<Workspace>(Workspace{Model<Scalar>(tree.model), {}, {}, {}, {}});
  const auto series = [order](const MatrixX<double>& derivatives) {
    const Scalar t = Mode::time();
    VectorX<Scalar> x(derivatives.rows());
    for (int i = 0; i < x.size(); ++i) {
      x(i) = Scalar(derivatives(i, order));
      for (int k = order; k-- > 0;) x(i) = Scalar(derivatives(i, k)) + t * x(i) / Scalar(k + 1);
    }
    return x;
  };
  for (const Motion& motion : tree.motions) {
    MatrixX<double> rates(tree.model.nv(), highest_order + 2);
    rates << motion.qd, motion.qdd;
    w->inputs.push_back({series(motion.q), series(rates), series(motion.qdd), series(motion.tau)});
  }
  Contender contender{Mode::name, problem, order, {}, [w](int) -> VectorX<double> {
                        VectorX<double> x(w->result->size());
                        for (int i = 0; i < x.size(); ++i) x(i) = Mode::derivative((*w->result)(i));
                        return x;
                      }};
  contender.first_derivative = order;
  if (problem == Problem::inverse) {
    w->rnea = std::make_unique<InverseDynamics<Scalar>>(w->model);
    contender.run = [w](int k) {
      const auto& in = w->inputs[k];
      w->result = &(*w->rnea)(in.q, in.qd, in.qdd);
    };
  } else {
    w->aba = std::make_unique<ForwardDynamics<Scalar>>(w->model);
    contender.run = [w](int k) {
      const auto& in = w->inputs[k];
      w->result = &(*w->aba)(in.q, in.qd, in.tau);
    };
  }
  return contender;
}

template <template <int> typename Mode, int... r>
void differentiate(std::vector<Contender>& contenders, const Tree& tree, std::integer_sequence<int, r...>)
{
  for (const Problem problem : {Problem::inverse, Problem::forward})
    (contenders.push_back(differentiated<Mode<r + 1>>(tree, problem, r + 1)), ...);
}

// --- who takes part -------------------------------------------------------------------------------------------------

void add_forms(std::vector<Contender>& contenders, const Tree& tree, int order)
{
  for (const Problem problem : {Problem::inverse, Problem::forward}) {
    contenders.push_back(one_form<BodyForm<double>>("BodyForm", tree, problem, order));
    contenders.push_back(in_a_batch(tree, problem, order));
    contenders.push_back(one_form<SpatialForm<double>>("SpatialForm", tree, problem, order));
    contenders.push_back(
        one_form<SpatialForm<double, DenseProducts<double>>>("SpatialForm, dense", tree, problem, order));
  }
}

/// Everybody at every order on the tree of the paper.
std::vector<Contender> by_order(const Tree& tree)
{
  std::vector<Contender> contenders = plain_recursions(tree);
  for (int r = 0; r <= highest_order; ++r) add_forms(contenders, tree, r);
  differentiate<TaylorMode>(contenders, tree, std::make_integer_sequence<int, highest_order>());
  differentiate<NestedMode>(contenders, tree, std::make_integer_sequence<int, highest_nested>());
  return contenders;
}

/** \return the largest relative difference of a contender from the motions, of any derivative, as a part of the
 *  100 n eps kappa that it may have
 */
double disagreement(const Tree& tree, const Contender& contender)
{
  double worst = 0;
  for (int s = 0; s < number_of_states; ++s) {
    contender.run(s);
    const bool is_inverse = contender.problem == Problem::inverse;
    for (int k = contender.first_derivative; k <= contender.order; ++k) {
      const VectorX<double> expected = (is_inverse ? tree.motions[s].tau : tree.motions[s].qdd).col(k);
      const double tolerance = 100 * tree.model.nv() * std::numeric_limits<double>::epsilon() *
                               tree.condition[static_cast<int>(contender.problem)](k);
      const double part = largest(contender.derivative(k) - expected) / largest(expected) / tolerance;
      if (!(part <= worst)) worst = part;  // also when it is not a number
    }
  }
  return worst;
}

std::string full_name(const Tree& tree, const Contender& contender)
{
  const std::string problem = contender.problem == Problem::inverse ? "inverse" : "forward";
  return tree.name + "/" + problem + "/" + contender.name + "/" + std::to_string(contender.order);
}

void register_timing(const Tree& tree, const Contender& contender)
{
  benchmark::RegisterBenchmark(full_name(tree, contender).c_str(), [&](benchmark::State& timer) {
    contender.run(0);  // what was timed before has filled the caches
    int k = 0;
    while (timer.KeepRunningBatch(contender.together))
      for (int next = 0; next < contender.together; ++next) {
        contender.run(k);
        benchmark::ClobberMemory();
        k = (k + 1) % number_of_states;
      }
    timer.counters["n"] = tree.model.bodies();
  });
}

}  // namespace

}  // namespace articulate::validation

int main(int argc, char** argv)
{
  using namespace articulate::validation;
  std::vector<std::unique_ptr<Tree>> trees;
  std::vector<std::vector<Contender>> contenders;
  for (const int bodies_per_branch : {20, 2, 5, 10, 30, 40}) {
    trees.push_back(grow(bodies_per_branch));
    contenders.emplace_back();
    if (trees.size() == 1)
      contenders.back() = by_order(*trees.back());
    else
      add_forms(contenders.back(), *trees.back(), order_of_sizes);
  }

  bool agreed = true;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    for (const Contender& contender : contenders[t]) {
      const double part = disagreement(*trees[t], contender);
      if (!(part <= 1)) {
        std::cerr << full_name(*trees[t], contender) << " is off by " << part
                  << " times what rounding explains, so nothing is timed.\n";
        agreed = false;
      }
      register_timing(*trees[t], contender);
    }
  }
  if (!agreed) return 1;

  benchmark::AddCustomContext("compiler", ARTICULATE_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", ARTICULATE_BENCH_FLAGS);
  // Many short repetitions in random order: a busy moment of the machine then falls on everybody alike.
  std::vector<char*> arguments{argv[0]};
  std::string defaults[] = {"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=41",
                            "--benchmark_min_time=0.005"};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
