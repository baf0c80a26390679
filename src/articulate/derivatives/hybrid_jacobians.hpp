/** \file
 *  \brief All first derivatives of forward and of hybrid dynamics at once.
 *
 *  - Paper: Kim 2012, section 4; no mass matrix is inverted: its inverse consists of responses, see \eq{kim,34}.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <cstddef>
#include <type_traits>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate {

/** \brief \f$\partial(\tau_u, \ddot q_v)\f$ with respect to \f$q, \dot q\f$ and what is given, from half a response per column.
 *
 *  The equation of motion \f$\tau = \text{ID}(q, \dot q, \ddot q)\f$ holds along every change, so what inverse dynamics gains
 *  at held accelerations must be compensated by the unknown ones. The responses are those of ABA, from their inward halves.
 *  Rows of u are forces, rows of v accelerations; the columns of the last matrix likewise: accelerations given in u,
 *  forces given in v. With nothing prescribed these are the Jacobians of forward dynamics.
 *  Derivatives with respect to q are along joint displacements, as in InverseDynamicsJacobians.
 */
template <typename Scalar>
class HybridDynamicsJacobians {
public:
  MatrixX<Scalar> by_q, by_qd, by_given;  ///< nv x nv each

  explicit HybridDynamicsJacobians(const Model<Scalar>& model)
      : by_q(MatrixX<Scalar>::Zero(model.nv(), model.nv())),
        by_qd(by_q),
        by_given(by_q),
        inverse_(model, blocks(model.nv(), at_once) * at_once),
        held_(model.nv()),
        rows_(model.nv(), 3, model.nv()),
        E_(model.nv(), 1, model.nv()),
        answers_(3 * model.nv(), 1, model.nv()),
        way_(model.nv()),
        inverse_pivot_(model.nv()),
        carrier_(model.nv()),
        end_(ends_of_subtrees(model))
  {
    for (const Body<Scalar>& body : model.outward()) {
      const Body<Scalar>& parent = model.body(body.parent);
      for (int k = body.v; k < body.v + body.nv; ++k)
        carrier_[k] = k + 1 < body.v + body.nv ? k + 1 : body.parent == 0 ? -1 : parent.v;
    }
  }

  /** \brief Fill the three matrices.
   *  \param dynamics    forward or hybrid dynamics, run at the state; its articulated inertias and its wrenches are used
   *  \param q, qd, qdd  the nq coordinates and nv rates of that run, and all nv accelerations after it
   *  \throws StateError when the dynamics has not run
   */
  void operator()(ArticulatedBodies<Scalar>& dynamics, const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                  const VectorRef<Scalar>& qdd)
  {
    dynamics.require_run("motion to differentiate");
    detail::require_size("q", q, dynamics.model().nq());
    inverse_(dynamics, dynamics.F, qd, qdd);
    run_sweep<Scalar>([&] { respond_and_compensate(dynamics); });
  }

private:
  using Number = Several<Scalar>;
  static constexpr int several = SeveralOf<Scalar>::count;
  /// Numbers of a row that are added up together: as many as fill a line of the cache.
  static constexpr int at_once = sizeof(Scalar) < 64 ? 64 / sizeof(Scalar) : 1;
  using Piece = Eigen::Array<Scalar, at_once, 1>;
  /// The p-th piece from there on.
  static Eigen::Map<Piece> piece(Scalar* first, int p) { return Eigen::Map<Piece>(first + p * at_once); }
  static Eigen::Map<const Piece> piece(const Scalar* first, int p)
  {
    return Eigen::Map<const Piece>(first + p * at_once);
  }

  /// Rows of some parts of n numbers: a piece of each part, then the next of each, from the beginning of a line on.
  class Rows {
  public:
    Rows(int rows, int parts, int n)
        : parts_(parts), row_(blocks(n, at_once) * parts * at_once), lines_(rows * row_ / at_once)
    {
    }
    Scalar* operator[](int row) { return lines_[0].numbers + row * row_; }
    /// Where number k of a part stands in its row; those of one piece are consecutive.
    std::ptrdiff_t place(int part, int k) const
    {
      const auto u = static_cast<unsigned>(k), first = u / at_once * at_once;
      return static_cast<std::ptrdiff_t>(first * static_cast<unsigned>(parts_) + (u - first)) + part * at_once;
    }
    std::ptrdiff_t row() const { return row_; }  ///< from a row to the next

  private:
    struct alignas(std::is_arithmetic_v<Scalar> ? 64 : alignof(Scalar)) Line {
      Scalar numbers[static_cast<std::size_t>(at_once)] = {};
    };
    int parts_;
    std::ptrdiff_t row_;
    Indexed<Line> lines_;
  };

  /// Run `add_up(pieces, first)` for numbers from the first on, as far as `end`: for two pieces at once, where registers hold them.
  template <typename Function>
  static void in_pieces(int end, const Function& add_up)
  {
    int first = 0;
    if constexpr (native_lanes >= 4)
      for (; first + at_once < end; first += 2 * at_once) add_up(std::integral_constant<int, 2>(), first);
    for (; first < end; first += at_once) add_up(std::integral_constant<int, 1>(), first);
  }

  void respond_and_compensate(ArticulatedBodies<Scalar>& dynamics)
  {
    const Model<Scalar>& model = dynamics.model();
    for (int b = 0; b < held_.size(); ++b) held_[b] = {};
    for (const Body<Scalar>& body : model.inward()) feel(dynamics, body);
    if (dynamics.prescribes()) ignore_gains(dynamics);
    for (const Body<Scalar>& body : model.outward())
      for (int a = body.v; a < body.v + body.nv; ++a) feel_gains(body, a);
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v; k < body.v + body.nv; ++k) meet(body, k);
    copy_answers();
    if (dynamics.prescribes())
      for (const Body<Scalar>& body : model.outward())
        for (int j = body.v; j < body.v + body.nv; ++j)
          if (dynamics.is_prescribed(j)) hold(body, j);
  }

  // [feel]
  /// Half a response to a unit of each quantity given at a body or behind it: one joint more on the way to the base.
  void feel(const ArticulatedBodies<Scalar>& dynamics, const Body<Scalar>& body)
  {
    const int i = body.index, own = body.v + body.nv, end = end_[i];
    for (int k = body.v; k < own; ++k) {
      const bool is_prescribed = dynamics.is_prescribed(k);
      if (is_prescribed) held_.set(k, dynamics.S[i].column(dynamics.I_hat[i], k - body.v));
      inverse_pivot_[k] = is_prescribed ? Scalar(0) : dynamics.pivot[i].inverse(k - body.v);
    }
    const SE3<Number> T(dynamics.T[i]);
    for (int b = body.v / several; b * several < end; ++b) {
      const int k = b * several;
      Number unit[6], x[6];
      for (int a = body.v; a < own; ++a)
        unit[a - body.v] = own <= k || dynamics.is_prescribed(a) ? Number(0) : SeveralOf<Scalar>::unit(a - k);
      // Lanes that the body does not carry feel nothing, and keep what they hold.
      const Wrench<Number> held = SeveralOf<Scalar>::between(body.v - k, end - k) * held_[b];
      held_[b] = held_[b] - held + coAdInv(T, dynamics.feel(body, held, unit, x));
      const std::ptrdiff_t place = rows_.place(0, k);
      for (int a = body.v; a < own; ++a) {
        SeveralOf<Scalar>::write(x[a - body.v], rows_[a] + place);
        SeveralOf<Scalar>::write(x[a - body.v], E_[a] + k);
      }
    }
    if (dynamics.prescribes())
      for (int a = body.v; a < own; ++a)
        if (dynamics.is_prescribed(a)) rows_[a][rows_.place(0, a)] -= dynamics.pivot[i].armature[a - body.v];
  }
  // [feel]

  // [feel-gains]
  /// What joint a feels of all gains, which push back. Gains of what it carries are zero beyond that.
  void feel_gains(const Body<Scalar>& body, int a)
  {
    in_pieces(end_[body.index], [&](auto pieces, int first) {
      const Scalar *const E = E_[a], *G_q = &inverse_.dtau_dq.coeffRef(body.v, first),
                          *G_qd = &inverse_.dtau_dqd.coeffRef(body.v, first);
      const std::ptrdiff_t row = inverse_.dtau_dq.outerStride();
      Piece q[pieces], qd[pieces];
      detail::for_each<pieces>([&](auto p) { q[p] = qd[p] = Piece::Zero(); });
      for (int j = body.v; j < end_[body.index]; ++j, G_q += row, G_qd += row)
        detail::for_each<pieces>([&](auto p) {
          q[p] -= E[j] * piece(G_q, p);
          qd[p] -= E[j] * piece(G_qd, p);
        });
      Scalar* const felt = rows_[a] + rows_.place(0, first);
      detail::for_each<pieces>([&](auto p) {
        piece(felt, 3 * p + 1) = q[p];
        piece(felt, 3 * p + 2) = qd[p];
      });
    });
  }
  // [feel-gains]

  /// A joint on the way to the base: its row, and how far it yields to a unit of something.
  struct Step {
    const Scalar* felt;
    Scalar yields;
  };

  // [meet]
  /** \brief Row k of the three matrices.
   *
   *  Two quantities meet at the joints that carry both, each of which yields by the product of what it feels of them
   *  \eq{ours,21}.
   */
  void meet(const Body<Scalar>& body, int k)
  {
    const int n = static_cast<int>(by_q.cols());
    const std::ptrdiff_t own = rows_.place(0, k);
    int joints = 0;
    for (int a = body.v; a >= 0; a = carrier_[a]) way_[joints++] = {rows_[a], inverse_pivot_[a] * rows_[a][own]};
    in_pieces(n, [&](auto pieces, int first) {
      const std::ptrdiff_t place = rows_.place(0, first);
      Piece sum[3 * pieces];
      const auto part = [&](const Step& a, int p) { return a.yields * piece(a.felt + place, p); };
      detail::for_each<3 * pieces>([&](auto p) { sum[p] = part(way_[0], p); });
      for (const Step *a = &way_[0] + 1, *base = &way_[0] + joints; a != base; ++a) {
        const Step joint{a->felt + place, a->yields};
        detail::for_each<3 * pieces>([&](auto p) { sum[p] += joint.yields * piece(joint.felt, p); });
      }
      Scalar* const answers = answers_[3 * k] + first;
      const std::ptrdiff_t row = answers_.row();
      detail::for_each<3 * pieces>([&](auto p) { piece(answers + p % 3 * row, p / 3) = sum[p]; });
    });
  }
  // [meet]

  /// Rows of answers become columns; the last blocks overlap.
  void copy_answers()
  {
    const int n = static_cast<int>(by_q.cols()), last = n - several;
    const std::ptrdiff_t row = 3 * answers_.row(), step = n;
    MatrixX<Scalar>* const to[] = {&by_given, &by_q, &by_qd};
    for (int p = 0; p < 3; ++p) {
      const Scalar* const rows = answers_[p];
      MatrixX<Scalar>& A = *to[p];
      if (last < 0)
        for (int k = 0; k < n; ++k)
          for (int j = 0; j < n; ++j) A(k, j) = rows[k * row + j];
      for (int j = 0; j < n && last >= 0; j += several) {
        const int column = std::min(j, last);
        Scalar* const columns = &A.coeffRef(0, column);
        for (std::ptrdiff_t k = 0; k < last; k += several)
          SeveralOf<Scalar>::transpose(rows + k * row + column, row, columns + k, step);
        SeveralOf<Scalar>::transpose(rows + last * row + column, row, columns + last, step);
      }
    }
  }

  // [in-u]
  /// What is gained at a prescribed joint is no excess force.
  void ignore_gains(const ArticulatedBodies<Scalar>& dynamics)
  {
    const int n = static_cast<int>(by_q.cols());
    for (int j = 0; j < n; ++j)
      for (int a = 0; a < n && dynamics.is_prescribed(j); ++a) E_[a][j] = Scalar(0);
  }
  /// At a prescribed joint quantities meet without its yielding: what it feels of the other holds it. The force there is
  /// the opposite of what it feels, and takes up what it gains.
  void hold(const Body<Scalar>& body, int j)
  {
    const Scalar* const felt = rows_[j];
    for (int k = j; k < end_[body.index]; ++k) {
      by_given(j, k) += felt[rows_.place(0, k)];
      if (k != j) by_given(k, j) += felt[rows_.place(0, k)];
    }
    by_given.row(j) = -by_given.row(j);
    for (int k = 0; k < by_q.cols(); ++k) {
      by_q(j, k) = inverse_.dtau_dq(j, k) - by_q(j, k) - felt[rows_.place(1, k)];
      by_qd(j, k) = inverse_.dtau_dqd(j, k) - by_qd(j, k) - felt[rows_.place(2, k)];
    }
  }
  // [in-u]

  InverseDynamicsJacobians<Scalar, Eigen::RowMajor> inverse_;
  SideBySide<Wrench, Scalar> held_;  // by rate: what passes inward of a unit given there, in the frame of the next body
  Rows
      rows_;  // by rate: what its joint feels of a unit given at each, of the gains by each coordinate and by each rate
  Rows E_;    // the first of these once more, of units in v
  Rows answers_;                   // by rate: the rows of the three matrices
  Indexed<Step> way_;              // from one joint to the base
  Indexed<Scalar> inverse_pivot_;  // by rate; zero in u
  Indexed<int> carrier_;           // by rate: the next on the way to the base, those of a joint one after the other
  Indexed<int> end_;               // by body: where the rates of all that it carries end
};

/** \brief \f$\partial\ddot q/\partial q,\ \partial\ddot q/\partial\dot q,\ \partial\ddot q/\partial\tau = M^{-1}\f$ in one line, by
 *  \eq{kim,34}; with respect to q along joint displacements, see HybridDynamicsJacobians.
 */
template <typename Scalar>
DynamicsJacobians<Scalar> forward_dynamics_jacobians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                     VectorArgument<Scalar> qd, VectorArgument<Scalar> tau,
                                                     const ExternalWrenches<Scalar>& Fext = {})
{
  ForwardDynamics<Scalar> aba(model);
  const VectorX<Scalar> qdd = aba(q, qd, tau, Fext);
  HybridDynamicsJacobians<Scalar> of(model);
  of(aba, q, qd, qdd);
  return {of.by_q, of.by_qd, of.by_given};
}

/** \brief First derivatives of what hybrid dynamics finds, \f$\tau_u\f$ and \f$\ddot q_v\f$, in one line: rows of u are forces,
 *  columns of u in `by_given` accelerations; see HybridDynamicsJacobians.
 */
template <typename Scalar>
DynamicsJacobians<Scalar> hybrid_dynamics_jacobians(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                                    VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                                    VectorArgument<Scalar> qdd, VectorArgument<Scalar> tau,
                                                    const ExternalWrenches<Scalar>& Fext = {})
{
  HybridDynamics<Scalar> dynamics(model, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  HybridDynamicsJacobians<Scalar> of(model);
  of(dynamics, q, qd, dynamics.qdd());
  return {of.by_q, of.by_qd, of.by_given};
}

}  // namespace articulate
