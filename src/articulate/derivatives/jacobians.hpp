/** \file
 *  \brief All first derivatives of inverse dynamics at once, in O(n d) for a tree of depth d.
 *
 *  - Paper: Kim 2012, the end of section 4: most of the list \eq{kim,92} is zero for a coordinate or a rate.
 *  - Chapter: \ref derivatives
 */
#pragma once
#include <algorithm>
#include <articulate/derivatives/subtree_changes.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {

/** \brief \f$\partial\tau/\partial q,\ \partial\tau/\partial\dot q,\ \partial\tau/\partial\ddot q\f$ of a tree.
 *
 *  \tparam order  whether columns or rows of the matrices are consecutive in memory
 *
 *  Derivatives with respect to q are along joint displacements: of a ball or free joint to \f$T e^{[\delta]}\f$ with its
 *  rate, the body twist, held (left trivialisation).
 */
template <typename Scalar, int order = Eigen::ColMajor>
class InverseDynamicsJacobians : SubtreeChanges<Scalar> {
  using Base = SubtreeChanges<Scalar>;
  using Base::subtree_, Base::column_;
  template <typename Number>
  using Column = typename Base::template Column<Number>;

public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, order>;

  Matrix dtau_dq;    ///< nv x nv
  Matrix dtau_dqd;   ///< nv x nv
  Matrix dtau_dqdd;  ///< nv x nv: the mass matrix

  explicit InverseDynamicsJacobians(const Model<Scalar>& model) : InverseDynamicsJacobians(model, model.nv())
  {
    dtau_dqdd = dtau_dq;
  }

  /// \brief The same without the mass matrix, and with more columns than nv, which remain zero: to be used by the line.
  InverseDynamicsJacobians(const Model<Scalar>& model, int columns)
      : Base(model),
        dtau_dq(Matrix::Zero(model.nv(), columns)),
        dtau_dqd(dtau_dq),
        change_(model.nv()),
        own_(model.nv()),
        end_(ends_of_subtrees(model))
  {
  }

  /** \brief Fill the three matrices.
   *  \param rnea  inverse dynamics, run at the state   \param qd, qdd  the nv rates and accelerations of that run
   *  \throws StateError when inverse dynamics has not run
   */
  void operator()(const InverseDynamics<Scalar>& rnea, const VectorRef<Scalar>& qd, const VectorRef<Scalar>& qdd)
  {
    (*this)(rnea, rnea.F, qd, qdd);
  }

  /** \brief The same from any recursion that has carried velocity and acceleration out.
   *  \param F  by body: the wrench that its joint transmits
   */
  void operator()(const Recursion<Scalar>& r, const Indexed<Wrench<Scalar>>& F, const VectorRef<Scalar>& qd,
                  const VectorRef<Scalar>& qdd)
  {
    this->carry_out(r, qd, qdd);
    run_sweep<Scalar>([&] { gather_rows(r, F); });
  }

private:
  /// What a coordinate and a rate of a joint change in the wrench of everything behind it: seen from before the joint, and
  /// seen from behind it.
  template <typename Number>
  struct Change {
    Wrench<Number> by_q, by_qd, own_by_q;
  };
  /// What a degree of freedom feels of itself.
  template <typename Number>
  struct Own {
    Number by_q, by_qd, M;
  };
  bool has_mass_matrix() const { return dtau_dqdd.size() != 0; }

  void gather_rows(const Recursion<Scalar>& r, const Indexed<Wrench<Scalar>>& F)
  {
    const Model<Scalar>& model = r.model();
    this->gather(model, F);
    // [jacobians-inward]
    for (int b = 0; b < column_.size(); ++b) {
      const auto& x = column_[b];
      const auto& C = subtree_[b];
      const auto by_q = C.needs(x.c_q, x.g_q), by_qd = C.needs(x.J, x.g_qd);
      change_[b] = {by_q - coad(x.J, x.F), by_qd, by_q};
      own_[b] = {pairing(by_q, x.J), pairing(by_qd, x.J), pairing(x.IJ, x.J)};
    }
    for (const Body<Scalar>& body : model.inward()) {
      const int own = body.v + body.nv;
      for (int k = body.v; k < own; ++k) {
        const Own<Scalar> y = own_(k);
        dtau_dq.coeffRef(k, k) = y.by_q;
        dtau_dqd.coeffRef(k, k) = y.by_qd;
        if (has_mass_matrix()) dtau_dqdd.coeffRef(k, k) = y.M;
        for (int j = body.v; j < own; ++j)
          if (j != k) meet_within(r, body, F[body.index], j, k);
        meet(k, own, end_[body.index]);
      }
    }
    // [jacobians-inward]
  }

  // [jacobians-meet]
  /// Row j, column k of degrees of freedom of the same joint.
  void meet_within(const Recursion<Scalar>& r, const Body<Scalar>& body, const Wrench<Scalar>& F, int j, int k)
  {
    const JointJacobian<Scalar>& S = r.S[body.index];
    const Change<Scalar> y = change_(k);
    const Twist<Scalar> J = column_(j).J;
    dtau_dq(j, k) = pairing(y.own_by_q, J);
    if (!S.is_constant()) dtau_dq(j, k) += pairing(F, S.derivative(j - body.v, k - body.v));
    dtau_dqd(j, k) = pairing(y.by_qd, J);
    if (has_mass_matrix()) dtau_dqdd(j, k) = pairing(column_(k).IJ, J);
  }
  /// Joint j and the degrees of freedom from `own` to `end`, all that its body carries: what it feels of each change, and
  /// what each feels of the changes of j, which everything behind j has. The same in M, which is symmetric.
  void meet(int j, int own, int end)
  {
    using Number = Several<Scalar>;
    const std::ptrdiff_t n = dtau_dq.outerStride();
    const Column<Scalar> of_j = column_(j);
    const Twist<Number> J(of_j.J), g_q(of_j.g_q), g_qd(of_j.g_qd);
    const Vector3<Number> c_q(of_j.c_q.w);
    for (int b = own / at_once; b * at_once < end; ++b) {
      const Change<Number>& y = change_[b];
      const Column<Number>& x = column_[b];
      const int k = b * at_once;
      const Places at{j * n + k, j + k * n, std::max(own - k, 0), std::min(end - k, at_once)};
      write(dtau_dq, at, pairing(y.by_q, J), pairing(x.IJ, g_q) + inner(x.BJ, c_q));
      write(dtau_dqd, at, pairing(y.by_qd, J), pairing(x.IJ, g_qd) + inner(x.BJ, J.w));
      if (!has_mass_matrix()) continue;
      const Number M = pairing(x.IJ, J);
      write(dtau_dqdd, at, M, M);
    }
  }
  // [jacobians-meet]

  static constexpr int at_once = SeveralOf<Scalar>::count;
  /// Where in memory several entries of a line of a matrix begin, and several of one across; and which of them exist.
  struct Places {
    std::ptrdiff_t along, across;
    int first, end;
  };
  static void write(Matrix& A, const Places& at, const Several<Scalar>& row, const Several<Scalar>& column)
  {
    if constexpr (order == Eigen::ColMajor)
      write(A.data() + at.along, column, A.data() + at.across, row, A.outerStride(), at);
    else
      write(A.data() + at.along, row, A.data() + at.across, column, A.outerStride(), at);
  }
  static void write(Scalar* to, const Several<Scalar>& along, Scalar* places, const Several<Scalar>& across,
                    std::ptrdiff_t step, const Places& at)
  {
    using At = SeveralOf<Scalar>;
    if (at.end - at.first == at_once) {
      At::write(along, to);
      At::scatter(across, places, step);
    } else {
      for (int l = at.first; l < at.end; ++l) {
        to[l] = At::lane(along, l);
        places[l * step] = At::lane(across, l);
      }
    }
  }

  SideBySide<Change, Scalar> change_;  // by rate
  SideBySide<Own, Scalar> own_;
  Indexed<int> end_;  // by body: where the rates of all that it carries end
};

/// \brief First derivatives of what dynamics finds, nv x nv each: with respect to q, to qd, and to what is given beside them.
template <typename Scalar>
struct DynamicsJacobians {
  MatrixX<Scalar> by_q, by_qd, by_given;
};

/** \brief \f$\partial\tau/\partial q,\ \partial\tau/\partial\dot q,\ \partial\tau/\partial\ddot q = M\f$ in one line, from
 *  \eq{kim,92}; with respect to q along joint displacements, see InverseDynamicsJacobians.
 */
template <typename Scalar>
DynamicsJacobians<Scalar> inverse_dynamics_jacobians(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                                     VectorArgument<Scalar> qd, VectorArgument<Scalar> qdd,
                                                     const ExternalWrenches<Scalar>& Fext = {})
{
  InverseDynamics<Scalar> rnea(model);
  rnea(q, qd, qdd, Fext);
  InverseDynamicsJacobians<Scalar> of(model);
  of(rnea, qd, qdd);
  return {of.dtau_dq, of.dtau_dqd, of.dtau_dqdd};
}

}  // namespace articulate
