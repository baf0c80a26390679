/** \file
 *  \brief Dynamics of any order without a formula of any order: motion as a series in time, put through plain recursions.
 *
 *  Rates are given by their derivatives. Here they become coordinates along time, by coefficients; a truncated series of
 *  these goes through inverse, forward or hybrid dynamics as if it were a number, and so may a complex time.
 *  Orientations are integrated as quaternions, \f$\dot Q = \tfrac12 Q\,(w, 0)\f$: the forms under test turn by sines
 *  and matrices.
 */
#pragma once
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <ledger/scalars.hpp>

namespace articulate::validation {

/// \brief From derivatives to the coefficients of a series: column k is divided by k!.
template <typename S>
MatrixX<S> coefficients_of(MatrixX<S> derivatives)
{
  S factorial(1);
  for (int k = 1; k < derivatives.cols(); ++k) {
    factorial *= S(k);
    derivatives.col(k) /= factorial;
  }
  return derivatives;
}

/// \brief The coefficients of the rates, nv x terms, from `qd` and the derivatives of the accelerations; others are zero.
template <typename S>
MatrixX<S> rate_coefficients(const VectorX<S>& qd, const MatrixX<S>& qdd, int terms)
{
  MatrixX<S> rates = MatrixX<S>::Zero(qd.size(), terms);
  const int known = std::min<int>(terms, qdd.cols() + 1);
  rates.col(0) = qd;
  rates.middleCols(1, known - 1) = qdd.leftCols(known - 1);
  return coefficients_of<S>(rates);
}

/// \brief Coefficient k of the product of two series of quaternions.
template <typename S>
Quaternion<S> product(const std::vector<Quaternion<S>>& a, const std::vector<Quaternion<S>>& b, int k)
{
  Quaternion<S> sum{{}, S(0)};
  for (int l = 0; l <= k; ++l) {
    const Quaternion<S> term = a[l] * b[k - l];
    sum = {sum.v + term.v, sum.w + term.w};
  }
  return sum;
}

/** \brief The coefficients of the coordinates, nq x terms, along rates that are given by theirs.
 *
 *  A position grows by \f$\dot p = Q\,v\,\bar Q / |Q|^2\f$, where the length of Q does not change.
 */
template <typename S>
MatrixX<S> coordinate_coefficients(const Model<S>& model, const VectorX<S>& q, const MatrixX<S>& rates)
{
  const int terms = static_cast<int>(rates.cols());
  MatrixX<S> x = MatrixX<S>::Zero(model.nq(), terms);
  x.col(0) = q;
  for (int i = 1; i <= model.bodies(); ++i) {
    const Body<S>& body = model.body(i);
    if (body.nq == body.nv) {
      for (int k = 0; k + 1 < terms; ++k)
        x.col(k + 1).segment(body.q, body.nq) = rates.col(k).segment(body.v, body.nv) / S(k + 1);
      continue;
    }
    const int at = body.q + body.nq - 4;
    std::vector<Quaternion<S>> Q{{{q(at), q(at + 1), q(at + 2)}, q(at + 3)}}, conjugate, w, v, Qv;
    const S length2 = inner(Q[0].v, Q[0].v) + Q[0].w * Q[0].w;
    for (int k = 0; k + 1 < terms; ++k) {
      const auto u = rates.col(k).segment(body.v, body.nv);
      w.push_back({{u(0), u(1), u(2)}, S(0)});
      conjugate.push_back({-Q[k].v, Q[k].w});
      if (body.kind == JointKind::free) {
        v.push_back({{u(3), u(4), u(5)}, S(0)});
        Qv.push_back(product(Q, v, k));
        const Quaternion<S> pdot = product(Qv, conjugate, k);
        for (int j = 0; j < 3; ++j) x(body.q + j, k + 1) = pdot.v[j] / (length2 * S(k + 1));
      }
      const Quaternion<S> twice = product(Q, w, k);
      const S half = S(1) / S(2 * (k + 1));
      Q.push_back({half * twice.v, half * twice.w});
      for (int j = 0; j < 3; ++j) x(at + j, k + 1) = Q[k + 1].v[j];
      x(at + 3, k + 1) = Q[k + 1].w;
    }
  }
  return x;
}

/// \brief The sum of a series whose coefficients are the columns, at a time of any scalar.
template <typename Time, typename S>
VectorX<Time> sum_at(const Time& t, const MatrixX<S>& coefficients)
{
  VectorX<Time> sum = VectorX<Time>::Zero(coefficients.rows());
  for (int k = static_cast<int>(coefficients.cols()); k-- > 0;)
    for (int i = 0; i < sum.size(); ++i) sum(i) = sum(i) * t + Time(coefficients(i, k));
  return sum;
}

/// \brief A motion with its forces and wrenches as series in time: by columns the coefficients of each.
template <typename S>
struct Course {
  MatrixX<S> q, qd, qdd, tau;
  std::vector<MatrixX<S>> Fext;  ///< by body

  /** \param terms  of the series of the coordinates, which has no end
   *  \param qdd0, tau0, Fext0  derivatives at time zero; those not given are zero
   */
  Course(int terms, const Model<S>& model, const VectorX<S>& q0, const VectorX<S>& qd0, const MatrixX<S>& qdd0,
         const MatrixX<S>& tau0, const WrenchDerivatives<S>& Fext0)
      : q(coordinate_coefficients(model, q0, rate_coefficients(qd0, qdd0, terms))),
        qd(rate_coefficients(qd0, qdd0, static_cast<int>(qdd0.cols()) + 1)),
        qdd(coefficients_of(qdd0)),
        tau(coefficients_of(tau0))
  {
    for (int i = 0; i <= model.bodies(); ++i) {
      MatrixX<S> F = MatrixX<S>::Zero(6, Fext0.size());
      for (std::size_t k = 0; k < Fext0.size(); ++k) F.col(k) = coordinates(Fext0[k][i]);
      Fext.push_back(coefficients_of(F));
    }
  }
};

/// \brief A course at a time: numbers, complex numbers or truncated series, whatever the time is.
template <typename Time>
struct Moment {
  VectorX<Time> q, qd, qdd, tau;
  ExternalWrenches<Time> Fext;

  template <typename S>
  Moment(const Course<S>& course, const Time& t)
      : q(sum_at(t, course.q)), qd(sum_at(t, course.qd)), qdd(sum_at(t, course.qdd)), tau(sum_at(t, course.tau))
  {
    for (const MatrixX<S>& F : course.Fext) Fext.push_back(to_wrench(sum_at(t, F)));
  }
};

}  // namespace articulate::validation
