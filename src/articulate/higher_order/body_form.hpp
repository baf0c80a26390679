/** \file
 *  \brief Dynamics of any order by Taylor coefficients of body twists: what the paper computes, at a fraction of its cost.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 2, 3 and 4, in another form.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <optional>
#include <articulate/higher_order/taylor_recursion.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate {
namespace detail {

/// The wrenches without their derivatives; none of none.
template <typename Scalar>
const ExternalWrenches<Scalar>& order_zero(const Indexed<ExternalWrenches<Scalar>>& Fext)
{
  static const ExternalWrenches<Scalar> none;
  return Fext.empty() ? none : Fext[0];
}

}  // namespace detail

/** \brief The fast form: series of body twists through the tree, outward and inward.
 *
 *  Order 0 is the dynamics of the earlier chapters. Where motion is unknown, each further order is one sweep inward with
 *  the biases of the twists and one outward that completes them, with the articulated inertias of order 0: they are the
 *  same for every order, \eq{ali,22}.
 */
template <typename Scalar>
class BodyForm {
public:
  MatrixX<Scalar> rates;  ///< nv x (r + 2), column k is \f$\dot q^{(k)}\f$
  MatrixX<Scalar> tau;    ///< nv x (r + 1), column k is \f$\tau^{(k)}\f$

  /** \param order       r: forces are found up to their r-th derivative
   *  \param prescribed  nv flags: is the motion of this degree prescribed, or its force?
   */
  BodyForm(const Model<Scalar>& model, int order, const std::vector<bool>& prescribed)
      : rates(MatrixX<Scalar>::Zero(model.nv(), order + 2)),
        tau(MatrixX<Scalar>::Zero(model.nv(), order + 1)),
        taylor_(model, order, !all(prescribed)),
        prescribed_(prescribed.begin(), prescribed.end()),
        x_(model.nv()),
        released_(model.bodies() + 1),
        U_(model.nv()),
        U_on_parent_(model.nv())
  {
    Scalar factorial(1);
    for (int k = 0; k <= order + 1; factorial *= Scalar(++k))
      factorial_.push_back(factorial), share_.push_back(Scalar(1) / factorial);
    if (!all(prescribed))
      hybrid_.emplace(model, prescribed);
    else if (order == 0)
      inverse_.emplace(model);
  }

  /// \brief The coefficients of the latest run.   \throws StateError before the first run, and at order 0, which makes none
  const TaylorRecursion<Scalar>& series() const
  {
    if (taylor_.order() == 0) throw StateError("order 0 makes no series; ask for order 1 or more.");
    first_run_.require("series");
    return taylor_;
  }
  void set_gravity(const Vector3<Scalar>& g)
  {
    taylor_.set_gravity(g);
    if (hybrid_) hybrid_->set_gravity(g);
    if (inverse_) inverse_->set_gravity(g);
  }

  /// \brief What completes `rates` and `tau`; see HigherOrderDynamics.
  void run(const VectorRef<Scalar>& q, const Indexed<ExternalWrenches<Scalar>>& Fext)
  {
    // [body-form]
    const int r = taylor_.order(), N = taylor_.model().bodies();
    if (inverse_) {
      tau.col(0) = (*inverse_)(q, rates.col(0), rates.col(1), detail::order_zero(Fext));
      return;
    }
    if (hybrid_) complete_order_zero(q, detail::order_zero(Fext));
    if (r == 0) return;
    give_rates();
    taylor_.start(q.data());
    const int known = hybrid_ ? 0 : r;
    run_sweep<Scalar>([&] {
      for (int i = 1; i <= N; ++i) taylor_.outward(i, known + 1);
      taylor_.begin_inward(0, known, Fext);
      for (int i = N; i >= 1; --i) taylor_.inward(i, known);
    });
    if (hybrid_) run_sweep<Scalar>([&] { release_joints(); });
    for (int k = known + 1; k <= r; ++k) run_sweep<Scalar>([&] { complete(k, Fext); });
    take_results();
    // [body-form]
    first_run_.done();
  }

private:
  bool is_prescribed(int v) const { return prescribed_[v]; }
  static bool all(const std::vector<bool>& prescribed)
  {
    return std::all_of(prescribed.begin(), prescribed.end(), [](bool u) { return u; });
  }

  /// Accelerations and forces of order 0, and the articulated inertias for all that follow.
  void complete_order_zero(const VectorRef<Scalar>& q, const ExternalWrenches<Scalar>& Fext)
  {
    (*hybrid_)(q, rates.col(0), rates.col(1), tau.col(0), Fext);
    rates.col(1) = hybrid_->qdd();
    tau.col(0) = hybrid_->tau();
  }

  void give_rates()
  {
    for (int v = 0; v < rates.rows(); ++v) {
      const Row<Scalar> u = taylor_.rates(v);
      const int known = is_prescribed(v) ? static_cast<int>(rates.cols()) : 2;
      for (int k = 0; k < rates.cols(); ++k) u[k] = k < known ? Scalar(share_[k] * rates.coeff(v, k)) : Scalar(0);
    }
  }

  void take_results()
  {
    for (int v = 0; v < rates.rows(); ++v) {
      const Row<Scalar> u = taylor_.rates(v), f = taylor_.forces(v);
      if (is_prescribed(v))
        for (int k = 0; k < tau.cols(); ++k) tau.coeffRef(v, k) = factorial_[k] * f[k];
      else
        for (int k = 2; k < rates.cols(); ++k) rates.coeffRef(v, k) = factorial_[k] * u[k];
    }
  }

  // [body-form-complete]
  /// The same for all orders: \f$\Pi_i\f$, blind to what the joint does itself, and \f$U_v\f$, here and on the parent. And
  /// what the bodies need of order 1.
  /// Where the motion is prescribed U is zero: such a degree does not give way.
  void release_joints()
  {
    for (const Body<Scalar>& body : taylor_.model().outward()) {
      const int i = body.index;
      taylor_.need(i, 1);
      released_[i] = HalvesMap<Scalar>(hybrid_->pivot[i].give_way(hybrid_->I_hat[i], &hybrid_->U[body.v]));
      for (int v = body.v; v < body.v + body.nv; ++v) {
        U_[v] = WrenchHalves<Scalar>(hybrid_->U[v]);
        U_on_parent_[v] = taylor_.on_parent(i, U_[v]);
      }
    }
  }

  /// Order k with unknown rates: Algorithm 4 in coefficients of body twists.
  void complete(int k, const Indexed<ExternalWrenches<Scalar>>& Fext)
  {
    const Model<Scalar>& model = taylor_.model();
    const Scalar next(k + 1), over = Scalar(1) / next, share = share_[k];
    taylor_.begin_inward(k, k, Fext);
    const auto inward = [&](const Body<Scalar>& body, const Pivot<Scalar>& pivot) {
      const int i = body.index;
      const TwistHalves<Scalar>& beta = taylor_.bias(i, k + 1);  // (66)
      taylor_.find_forces(i, k);
      for (int v = body.v; v < body.v + pivot.size; ++v)
        x_[v] = is_prescribed(v) ? Scalar(0) : Scalar(over * (share * tau.coeff(v, k) - taylor_.tau(v, k)));
      taylor_.add_to_wrench(i, k, next * pivot.pass_on(released_[i] * beta, &U_[body.v], &x_[body.v]));
      taylor_.to_parent(i, k);  // (49)
      for (int v = body.v; v < body.v + pivot.size; ++v) x_[v] -= pairing(U_[v], beta);
    };
    const auto outward = [&](const Body<Scalar>& body, const Pivot<Scalar>& pivot) {
      const int i = body.index;
      for (int v = body.v; v < body.v + pivot.size; ++v)
        x_[v] -= pairing(U_on_parent_[v], taylor_.V(body.parent, k + 1));
      pivot.solve(&x_[body.v]);  // (47)
      const TwistHalves<Scalar> growth = taylor_.complete_twist(i, k + 1, x_);
      taylor_.add_to_wrench(i, k, next * (released_[i] * growth));  // (22)
      taylor_.project(i, k);
      if (k < taylor_.order()) taylor_.need(i, k + 1);
    };
    for (const Body<Scalar>& body : model.inward()) take(inward, body);
    for (const Body<Scalar>& body : model.outward()) take(outward, body);
    taylor_.add_to_rates(k + 1, x_);
  }
  // [body-form-complete]

  /// One step, compiled twice where it is inlined: for a hinge or a slide, whose loops have one turn, and for others.
  template <typename Step>
  void take(const Step& step, const Body<Scalar>& body) const
  {
    const Pivot<Scalar>& pivot = hybrid_->pivot[body.index];
    if (pivot.size == 1 && taylor_.has_one_step(body.index))
      step(body, pivot);
    else
      step(body, pivot);
  }

  TaylorRecursion<Scalar> taylor_;
  Indexed<char> prescribed_;  // by rate
  std::optional<HybridDynamics<Scalar>> hybrid_;
  std::optional<InverseDynamics<Scalar>> inverse_;  // at order 0 with all motion prescribed
  Indexed<Scalar> factorial_, share_, x_;           // k! and 1/k!; by rate
  Indexed<HalvesMap<Scalar>> released_;             // by body
  Indexed<WrenchHalves<Scalar>> U_, U_on_parent_;   // by rate
  detail::FirstRun first_run_;
};

}  // namespace articulate
