/** \file
 *  \brief An algorithm of the library on packs of states: read from columns, solved side by side, written to columns.
 *
 *  - Chapter: \ref rnea
 *  - No sweep is written here: the algorithms are those of one state, in the scalar Pack.
 */
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/group/matrices.hpp>  // to_wrench
#include <articulate/group/pack.hpp>
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/model/side_by_side.hpp>  // for_each
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/// \brief What can be asked of many states at once.
enum class BatchProblem {
  inverse,            ///< tau from q, qd, qdd
  hybrid,             ///< qdd and tau from q, qd and what is given of both; forward dynamics, if no acceleration is
  mass,               ///< M from q
  energies,           ///< kinetic and potential energy from q, qd
  inverse_jacobians,  ///< derivatives of tau with respect to q, qd and qdd, from the same as tau
  hybrid_jacobians,   ///< derivatives of what hybrid dynamics finds with respect to q, qd and what is given
  inverse_hessians,   ///< second derivatives of tau with respect to q and q, q and qd, qd and qd, q and qdd
  hybrid_hessians,    ///< the same of what hybrid dynamics finds, the last with respect to q and what is given
  higher_order        ///< qdd and tau with derivatives in time from q, qd and what is given of both
};

/// \brief What is asked of all states alike.
struct BatchQuestion {
  BatchProblem problem;
  std::vector<bool> prescribed = {};  ///< nv flags, for hybrid dynamics: is the motion of this degree prescribed?
  int order = 0;                      ///< the last of the derivatives in time that are given and found

  bool operator==(const BatchQuestion&) const = default;
};

/// \brief Where the states and results of a problem lie: the first number of each, and how far it is to that of the next state.
struct BatchColumns {
  template <typename Number>
  struct Column {
    Number* first = nullptr;
    std::ptrdiff_t step = 0;
  };
  std::array<Column<const double>, 4> in;  ///< q, qd, qdd, tau, as far as the problem has them
  Column<const double> Fext;  ///< by order, six numbers for the world and each body; without a first number for none
  std::array<Column<double>, 4> out;  ///< without a first number where a result is not asked for
};

/// \brief One algorithm, with its workspace.
class PackedAlgorithm {
public:
  std::string refusal;  ///< what is said of the pack that was refused last: of one lane, what is said of its state

  virtual ~PackedAlgorithm() = default;

  /** \brief Solve the states from `first` to before `end`, until a pack is refused.
   *  \return the first state of that pack, or `end`
   */
  virtual std::ptrdiff_t solve(const BatchColumns& columns, std::ptrdiff_t first, std::ptrdiff_t end) = 0;
};

/// \brief How many numbers a state has in vector i of those that a problem takes: q, qd, qdd, tau.
inline int numbers_in(const BatchQuestion& asked, const Model<double>& model, std::size_t i)
{
  if (i == 0) return model.nq();
  return i == 1 ? model.nv() : model.nv() * (asked.order + 1);
}

/// \brief How many numbers the external wrenches of a state are.
inline int wrench_numbers(const BatchQuestion& asked, const Model<double>& model)
{
  return 6 * (model.bodies() + 1) * (asked.order + 1);
}

/// \brief How many numbers a problem has in each result of a state.
inline int numbers_out(const BatchQuestion& asked, const Model<double>& model)
{
  using enum BatchProblem;
  const int n = model.nv();
  switch (asked.problem) {
    case inverse:
    case hybrid:
    case higher_order:
      return n * (asked.order + 1);
    case energies:
      return 2;
    case inverse_hessians:
    case hybrid_hessians:
      return n * n * n;
    default:
      return n * n;
  }
}

namespace detail {

/// The numbers of vectors, one for each lane, side by side; and back.
template <typename Scalar>
struct Lanes {
  static constexpr int count = 1;
  static void read(double* x, int numbers, const double* const* vectors) { std::copy_n(vectors[0], numbers, x); }
  static void write(const double* x, int numbers, double* const* vectors) { std::copy_n(x, numbers, vectors[0]); }
};
/// As many numbers of each vector as there are lanes are a square, which is transposed; the rest goes one by one.
template <int lanes>
struct Lanes<Pack<lanes>> {
  static constexpr int count = lanes;
  static void read(Pack<lanes>* x, int numbers, const double* const* vectors)
  {
    int j = 0;
    for (Pack<lanes> square[lanes]; j + lanes <= numbers; j += lanes) {
      for_each<lanes>([&](auto l) { square[l] = Pack<lanes>::from(vectors[l] + j); });
      transpose(square);
      for_each<lanes>([&](auto l) { x[j + l] = square[l]; });
    }
    for (; j < numbers; ++j)
      for (int l = 0; l < lanes; ++l) x[j].set(l, vectors[l][j]);
  }
  static void write(const Pack<lanes>* x, int numbers, double* const* vectors)
  {
    int j = 0;
    for (Pack<lanes> square[lanes]; j + lanes <= numbers; j += lanes) {
      for_each<lanes>([&](auto l) { square[l] = x[j + l]; });
      transpose(square);
      for_each<lanes>([&](auto l) { square[l].to(vectors[l] + j); });
    }
    for (; j < numbers; ++j)
      for (int l = 0; l < lanes; ++l) vectors[l][j] = x[j][l];
  }
};

/// What a problem takes and gives, and who solves it: `inputs` vectors in, `outputs` arrays of numbers out.
template <typename Scalar, BatchProblem problem>
struct Solver;

template <typename Scalar>
using SolverInput = std::array<VectorX<Scalar>, 4>;
template <typename Scalar>
using SolverOutput = std::array<const Scalar*, 4>;

template <typename Scalar>
struct Solver<Scalar, BatchProblem::inverse> {
  static constexpr std::size_t inputs = 3, outputs = 1;
  InverseDynamics<Scalar> rnea;

  Solver(const Model<Scalar>& model, const BatchQuestion&) : rnea(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    return {rnea(x[0], x[1], x[2], order_zero(Fext)).data()};
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::hybrid> {
  static constexpr std::size_t inputs = 4, outputs = 2;
  HybridDynamics<Scalar> dynamics;

  Solver(const Model<Scalar>& model, const BatchQuestion& asked) : dynamics(model, asked.prescribed) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    dynamics(x[0], x[1], x[2], x[3], order_zero(Fext));
    return {dynamics.qdd().data(), dynamics.tau().data()};
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::mass> {
  static constexpr std::size_t inputs = 1, outputs = 1;
  CompositeBodies<Scalar> composite;

  Solver(const Model<Scalar>& model, const BatchQuestion&) : composite(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>&)
  {
    return {composite(x[0]).data()};
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::energies> {
  static constexpr std::size_t inputs = 2, outputs = 1;
  ForwardKinematics<Scalar> kinematics;
  Scalar energies[2];

  Solver(const Model<Scalar>& model, const BatchQuestion&) : kinematics(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>&)
  {
    kinematics(x[0], x[1]);
    energies[0] = kinematics.kinetic_energy();
    energies[1] = kinematics.potential_energy(kinematics.model().gravity());
    return {energies};
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::inverse_jacobians> {
  static constexpr std::size_t inputs = 3, outputs = 3;
  InverseDynamics<Scalar> rnea;
  InverseDynamicsJacobians<Scalar> of;

  Solver(const Model<Scalar>& model, const BatchQuestion&) : rnea(model), of(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    rnea(x[0], x[1], x[2], order_zero(Fext));
    of(rnea, x[1], x[2]);
    return {of.dtau_dq.data(), of.dtau_dqd.data(), of.dtau_dqdd.data()};
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::hybrid_jacobians> {
  static constexpr std::size_t inputs = 4, outputs = 3;
  HybridDynamics<Scalar> dynamics;
  HybridDynamicsJacobians<Scalar> of;

  Solver(const Model<Scalar>& model, const BatchQuestion& asked) : dynamics(model, asked.prescribed), of(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    dynamics(x[0], x[1], x[2], x[3], order_zero(Fext));
    of(dynamics, x[0], x[1], dynamics.qdd());
    return {of.by_q.data(), of.by_qd.data(), of.by_given.data()};
  }
};

/// Four lists of matrices as four lists of numbers.
template <typename Scalar>
class InOneList {
public:
  SolverOutput<Scalar> operator()(const std::array<const Hessians<Scalar>*, 4>& four)
  {
    for (std::size_t l = 0; l < four.size(); ++l) {
      numbers_[l].clear();
      for (const MatrixX<Scalar>& H : *four[l]) numbers_[l].insert(numbers_[l].end(), H.data(), H.data() + H.size());
    }
    return {numbers_[0].data(), numbers_[1].data(), numbers_[2].data(), numbers_[3].data()};
  }

private:
  std::array<std::vector<Scalar>, 4> numbers_;
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::inverse_hessians> {
  static constexpr std::size_t inputs = 3, outputs = 4;
  InverseDynamics<Scalar> rnea;
  InverseDynamicsSecondDerivatives<Scalar> of;
  InOneList<Scalar> in_one_list;

  Solver(const Model<Scalar>& model, const BatchQuestion&) : rnea(model), of(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    rnea(x[0], x[1], x[2], order_zero(Fext));
    of(rnea, x[1], x[2]);
    return in_one_list({&of.dq_dq, &of.dq_dqd, &of.dqd_dqd, &of.dq_dqdd});
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::hybrid_hessians> {
  static constexpr std::size_t inputs = 4, outputs = 4;
  HybridDynamics<Scalar> dynamics;
  HybridDynamicsSecondDerivatives<Scalar> of;
  InOneList<Scalar> in_one_list;

  Solver(const Model<Scalar>& model, const BatchQuestion& asked) : dynamics(model, asked.prescribed), of(model) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    dynamics(x[0], x[1], x[2], x[3], order_zero(Fext));
    of(dynamics, x[0], x[1], dynamics.qdd(), order_zero(Fext));
    return in_one_list({&of.dq_dq, &of.dq_dqd, &of.dqd_dqd, &of.dq_dgiven});
  }
};

template <typename Scalar>
struct Solver<Scalar, BatchProblem::higher_order> {
  static constexpr std::size_t inputs = 4, outputs = 2;
  HigherOrderDynamics<Scalar> dynamics;

  Solver(const Model<Scalar>& model, const BatchQuestion& asked) : dynamics(model, asked.order, asked.prescribed) {}
  SolverOutput<Scalar> operator()(const SolverInput<Scalar>& x, const WrenchDerivatives<Scalar>& Fext)
  {
    const auto table = [this](const VectorX<Scalar>& column) {
      return Eigen::Map<const MatrixX<Scalar>>(column.data(), dynamics.model().nv(), dynamics.order() + 1);
    };
    dynamics(x[0], x[1], table(x[2]), table(x[3]), Fext);
    return {dynamics.qdd().data(), dynamics.tau().data()};
  }
};

template <typename Scalar, BatchProblem problem>
class Packed final : public PackedAlgorithm {
  using Problem = Solver<Scalar, problem>;
  using Lane = Lanes<Scalar>;
  /// Products of large matrices do anyway.
  static constexpr bool works_in_memory =
      problem == BatchProblem::inverse_hessians || problem == BatchProblem::hybrid_hessians;

public:
  Packed(const Model<double>& model, const BatchQuestion& asked)
      : solver_(Model<Scalar>(model), asked),
        Fext_(asked.order + 1, ExternalWrenches<Scalar>(model.bodies() + 1)),
        numbers_out_(numbers_out(asked, model))
  {
    for (std::size_t i = 0; i < Problem::inputs; ++i) {
      const auto& flags = asked.prescribed;
      is_read_[i] = i < 2 || flags.empty() || std::ranges::find(flags, i == 2) != flags.end();
      x_[i] = VectorX<Scalar>::Zero(numbers_in(asked, model, i));
    }
    wrench_numbers_ = VectorX<Scalar>::Zero(wrench_numbers(asked, model));
  }

  // [packed-states]
  std::ptrdiff_t solve(const BatchColumns& columns, std::ptrdiff_t first, std::ptrdiff_t end) override
  {
    try {
      for (; first < end; first += Lane::count) {
        const auto states = static_cast<int>(std::min<std::ptrdiff_t>(Lane::count, end - first));
        if constexpr (Lane::count == 1 || works_in_memory)
          solve_pack(columns, first, states);
        else  // one piece of code, without calls: three numbers at a time would go through memory
          with_all_inlined([&] { solve_pack(columns, first, states); });
      }
    } catch (const StateError& error) {
      refusal = error.what();
      return first;
    }
    return end;
  }

private:
  /// A pack that is not full repeats its last state.
  void solve_pack(const BatchColumns& columns, std::ptrdiff_t first, int states)
  {
    const auto set_vectors = [&](const auto& column, auto** vectors) {
      for (int l = 0; l < Lane::count; ++l) vectors[l] = column.first + (first + std::min(l, states - 1)) * column.step;
    };
    const auto read = [&](const BatchColumns::Column<const double>& column, VectorX<Scalar>& x) {
      const double* vectors[Lane::count];
      set_vectors(column, vectors);
      Lane::read(x.data(), static_cast<int>(x.size()), vectors);
    };
    for (std::size_t i = 0; i < Problem::inputs; ++i)
      if (is_read_[i]) read(columns.in[i], x_[i]);
    if (columns.Fext.first) {
      read(columns.Fext, wrench_numbers_);
      int first_number = 0;
      for (ExternalWrenches<Scalar>& F : Fext_)
        for (Wrench<Scalar>& W : F) {
          W = to_wrench(wrench_numbers_.template segment<6>(first_number));
          first_number += 6;
        }
    }
    const SolverOutput<Scalar> y = solver_(x_, columns.Fext.first ? Fext_ : no_wrenches_);
    for (std::size_t i = 0; i < Problem::outputs; ++i) {
      if (!columns.out[i].first) continue;  // not asked for
      double* vectors[Lane::count];
      set_vectors(columns.out[i], vectors);
      Lane::write(y[i], numbers_out_, vectors);
    }
  }
  // [packed-states]

  Problem solver_;
  SolverInput<Scalar> x_;
  std::array<bool, Problem::inputs> is_read_;  // not: motions where none is prescribed, forces where none is given
  VectorX<Scalar> wrench_numbers_;
  WrenchDerivatives<Scalar> Fext_;
  const WrenchDerivatives<Scalar> no_wrenches_;
  int numbers_out_;
};

/// Apart from the others: where all are compiled for a width, this takes a third of the time, and has a unit of its own.
template <typename Scalar>
std::unique_ptr<PackedAlgorithm> make_packed_higher_order(const BatchQuestion& asked, const Model<double>& model)
{
  return std::make_unique<Packed<Scalar, BatchProblem::higher_order>>(model, asked);
}

}  // namespace detail

/** \brief The algorithm of a problem in one scalar: double, or a Pack.
 *  \throws StateError for a negative order
 *  \throws ModelError when a joint that is not prescribed could move without moving any mass
 */
template <typename Scalar>
std::unique_ptr<PackedAlgorithm> make_packed(const BatchQuestion& asked, const Model<double>& model)
{
  using enum BatchProblem;
  switch (asked.problem) {
    case inverse:
      return std::make_unique<detail::Packed<Scalar, inverse>>(model, asked);
    case hybrid:
      return std::make_unique<detail::Packed<Scalar, hybrid>>(model, asked);
    case mass:
      return std::make_unique<detail::Packed<Scalar, mass>>(model, asked);
    case energies:
      return std::make_unique<detail::Packed<Scalar, energies>>(model, asked);
    case inverse_jacobians:
      return std::make_unique<detail::Packed<Scalar, inverse_jacobians>>(model, asked);
    case hybrid_jacobians:
      return std::make_unique<detail::Packed<Scalar, hybrid_jacobians>>(model, asked);
    case inverse_hessians:
      return std::make_unique<detail::Packed<Scalar, inverse_hessians>>(model, asked);
    case hybrid_hessians:
      return std::make_unique<detail::Packed<Scalar, hybrid_hessians>>(model, asked);
    default:
      return detail::make_packed_higher_order<Scalar>(asked, model);
  }
}

/// \brief A number of lanes, and who makes algorithms that use them, or take one state alone.
struct BatchLanes {
  using Maker = std::unique_ptr<PackedAlgorithm> (*)(const BatchQuestion&, const Model<double>&);
  int count;
  Maker make, make_single;
};

/// \brief What the flags of this translation unit allow. A template, so that it costs only those who call it.
template <int lanes = native_lanes>
BatchLanes lanes_of_this_unit()
{
  return {lanes, make_packed<Pack<lanes>>, make_packed<double>};
}

}  // namespace articulate
