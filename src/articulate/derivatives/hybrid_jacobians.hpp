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
        inverse_(model),
        held_(model.nv()),
        E_(model.nv(), model.nv()),
        responses_(model.nv() + 2, model.nv()),
        felt_(model.nv()),
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
  /// Numbers of a row that are added up together: as many as fill a line of the cache.
  static constexpr int at_once = sizeof(Scalar) < 64 ? 64 / sizeof(Scalar) : 1;
  using Piece = Eigen::Array<Scalar, at_once, 1>;
  static Eigen::Map<Piece> piece(Scalar* first) { return Eigen::Map<Piece>(first); }

  /// Rows of n numbers, each of which begins a line and is padded with zeros to whole pieces.
  class Rows {
  public:
    Rows(int rows, int n) : lines_((n + at_once - 1) / at_once), numbers_(rows * lines_) {}
    Scalar* operator[](int k) { return numbers_[k * lines_].numbers; }
    std::ptrdiff_t stride() const { return lines_ * at_once; }  ///< from a row to the next

  private:
    struct alignas(std::is_arithmetic_v<Scalar> ? 64 : alignof(Scalar)) Line {
      Scalar numbers[static_cast<std::size_t>(at_once)] = {};
    };
    int lines_;
    Indexed<Line> numbers_;
  };

  void respond_and_compensate(ArticulatedBodies<Scalar>& dynamics)
  {
    const Model<Scalar>& model = dynamics.model();
    for (const Body<Scalar>& body : model.inward()) feel(dynamics, body);
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v; k < body.v + body.nv; ++k) respond(dynamics, body, k);
    if (dynamics.prescribes()) oppose(dynamics);
    for (int k = 0; k < model.nv(); ++k) by_given.col(k) = column(k);
    if (dynamics.prescribes()) move_nothing(dynamics);
    for (const Body<Scalar>& body : model.outward())
      for (int k = body.v; k < body.v + body.nv; ++k) compensate(body, k);
    if (dynamics.prescribes()) keep_gains(dynamics);
  }

  // [feel]
  /// Half a response to a unit of each quantity given at a body or behind it: one joint more on the way to the base.
  void feel(ArticulatedBodies<Scalar>& dynamics, const Body<Scalar>& body)
  {
    const int i = body.index, own = body.v + body.nv;
    for (int k = body.v; k < end_[i]; ++k) {
      Wrench<Scalar>& F = held_[k];
      F = k < own ? dynamics.feel_unit(body, k, felt_) : dynamics.feel(body, F, felt_);
      if (body.parent != 0) F = coAdInv(dynamics.T[i], F);
      for (int a = body.v; a < own; ++a) E_[a][k] = felt_[a];
    }
    for (int a = body.v; a < own; ++a)
      inverse_pivot_[a] = dynamics.is_prescribed(a) ? Scalar(0) : dynamics.pivot[i].inverse(a - body.v);
  }
  // [feel]

  // [respond]
  /** \brief How the k-th unknown and those before it respond to a unit of each other's given quantity.
   *
   *  Two quantities meet at the joints that carry both: where a joint yields by the product of what it feels of them
   *  \eq{ours,21}, where it does not, if it is the joint of one of them, by what that feels of the other.
   */
  void respond(const ArticulatedBodies<Scalar>& dynamics, const Body<Scalar>& body, int k)
  {
    Scalar *const E = E_[0], *const response = responses_[k];
    const std::ptrdiff_t stride = E_.stride();
    for (int a = body.v; a >= 0; a = carrier_[a]) felt_[a] = inverse_pivot_[a] * E[a * stride + k];
    for (int first = 0; first <= k; first += at_once) {
      Piece sum = Piece::Zero();
      for (int a = body.v; a >= 0; a = carrier_[a]) sum += felt_[a] * piece(E + a * stride + first);
      piece(response + first) = sum;
    }
    if (dynamics.prescribes())
      for (int a = body.v; a >= 0; a = carrier_[a])
        if (a <= k && dynamics.is_prescribed(a)) response[a] += E[a * stride + k];
    for (int j = 0; j < k; ++j) responses_[j][k] = response[j];
  }
  // [respond]

  // [compensate]
  /// Column k of the responses times what inverse dynamics gains at held accelerations, which is an excess force. It is
  /// gained where a joint carries k, is the joint of k, or is carried by it.
  void compensate(const Body<Scalar>& body, int k)
  {
    const int n = static_cast<int>(by_q.cols()), end = end_[body.index];
    const std::ptrdiff_t stride = responses_.stride();
    const Scalar *gain_q = &inverse_.dtau_dq.coeffRef(0, k), *gain_qd = &inverse_.dtau_dqd.coeffRef(0, k);
    for (int first = 0; first < n; first += at_once) {
      Scalar* const responses = responses_[0] + first;
      Piece q = Piece::Zero(), qd = q;
      const auto subtract = [&](int j) {
        const Piece response = piece(responses + j * stride);
        q -= gain_q[j] * response;
        qd -= gain_qd[j] * response;
      };
      for (int j = carrier_[body.v + body.nv - 1]; j >= 0; j = carrier_[j]) subtract(j);
      for (int j = body.v; j < end; ++j) subtract(j);
      piece(responses + n * stride) = q;
      piece(responses + (n + 1) * stride) = qd;
    }
    by_q.col(k) = column(n);
    by_qd.col(k) = column(n + 1);
  }
  // [compensate]

  // [in-u]
  /// The force at a prescribed joint is the opposite of what the joint feels.
  void oppose(const ArticulatedBodies<Scalar>& dynamics)
  {
    const int n = static_cast<int>(by_q.cols());
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n && dynamics.is_prescribed(j); ++k) responses_[k][j] = -responses_[k][j];
  }
  /// What is gained at a prescribed joint is no excess force,
  void move_nothing(const ArticulatedBodies<Scalar>& dynamics)
  {
    for (int k = 0; k < by_q.cols(); ++k)
      if (dynamics.is_prescribed(k)) column(k).setZero();
  }
  /// it stays in the force there.
  void keep_gains(const ArticulatedBodies<Scalar>& dynamics)
  {
    for (int j = 0; j < by_q.rows(); ++j) {
      if (!dynamics.is_prescribed(j)) continue;
      by_q.row(j) += inverse_.dtau_dq.row(j);
      by_qd.row(j) += inverse_.dtau_dqd.row(j);
    }
  }
  // [in-u]

  Eigen::Map<VectorX<Scalar>> column(int k) { return {responses_[k], by_q.rows()}; }

  InverseDynamicsJacobians<Scalar> inverse_;
  Indexed<Wrench<Scalar>> held_;  // by rate: what passes inward of a unit given there, in the frame of the next body
  Rows E_;                // by rate: what its joint feels of a unit given at each; nothing if it does not carry that
  Rows responses_;        // by rate: the columns of by_given; then one each of by_q and by_qd
  Indexed<Scalar> felt_;  // what one joint, or one column, is made of
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
