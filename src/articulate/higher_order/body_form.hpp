/** \file
 *  \brief Dynamics of any order by Taylor coefficients of body twists: what the paper computes, at a fraction of its cost.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 2, 3 and 4, in another form.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <algorithm>
#include <optional>
#include <articulate/higher_order/taylor_recursion.hpp>
#include <articulate/hybrid/hybrid_dynamics.hpp>

namespace articulate {

/** \brief The fast form: order by order, inverse dynamics of the series and one short solve for what is not prescribed.
 *
 *  Order 0 is hybrid dynamics. Each further order is inverse dynamics with the unknown derivatives zero, and then the
 *  response to the forces that are missing, with the articulated inertias of order 0: they are the same for every order,
 *  \eq{ali,22}.
 */
template <typename Scalar>
class BodyForm {
public:
  MatrixX<Scalar> rates;  ///< nv x (r + 2), column k is \f$\dot q^{(k)}\f$
  MatrixX<Scalar> tau;    ///< nv x (r + 1), column k is \f$\tau^{(k)}\f$

  /** \param model       must outlive the workspace
   *  \param order       r: forces are found up to their r-th derivative
   *  \param prescribed  nv flags: is the motion of this degree prescribed, or its force?
   */
  BodyForm(const Model<Scalar>& model, int order, const std::vector<bool>& prescribed)
      : rates(MatrixX<Scalar>::Zero(model.nv(), order + 2)),
        tau(MatrixX<Scalar>::Zero(model.nv(), order + 1)),
        taylor_(model, order),
        x_(VectorX<Scalar>::Zero(model.nv())),
        y_(x_)
  {
    if (!std::all_of(prescribed.begin(), prescribed.end(), [](bool u) { return u; }))
      hybrid_.emplace(model, prescribed);
  }
  BodyForm(Model<Scalar>&&, int, const std::vector<bool>&) = delete;

  const TaylorRecursion<Scalar>& series() const { return taylor_; }  ///< the coefficients of the latest run
  void set_gravity(const Vector3<Scalar>& g)
  {
    taylor_.set_gravity(g);
    if (hybrid_) hybrid_->set_gravity(g);
  }

  /// \brief What completes `rates` and `tau`; see HigherOrderDynamics.
  void run(const VectorRef<Scalar>& q, const std::vector<ExternalWrenches<Scalar>>& Fext)
  {
    // [body-form]
    Scalar factorial(1);
    taylor_.rates.col(0) = rates.col(0);
    taylor_.start(q.data());
    taylor_.outward(0);
    for (int k = 0; k <= taylor_.order(); ++k) {
      if (k > 0) factorial *= Scalar(k);
      const Scalar next = factorial * Scalar(k + 1);
      const ExternalWrenches<Scalar>* const F = k < static_cast<int>(Fext.size()) ? &Fext[k] : nullptr;
      if (hybrid_ && k == 0) begin(q, F);
      for (int i = 0; i < rates.rows(); ++i)
        taylor_.rates(i, k + 1) = is_known(i) || k == 0 ? Scalar(rates(i, k + 1) / next) : Scalar(0);
      taylor_.outward(k + 1);
      taylor_.inward(k, F, Scalar(1) / factorial);
      if (hybrid_ && k > 0) complete(k, factorial);
      for (int i = 0; i < rates.rows(); ++i)
        if (is_known(i)) tau(i, k) = factorial * taylor_.tau(i, k);
    }
    // [body-form]
  }

private:
  bool is_known(int i) const { return !hybrid_ || hybrid_->is_prescribed(i); }

  /// Order 0: accelerations, and the articulated inertias for all that follow.
  void begin(const VectorRef<Scalar>& q, const ExternalWrenches<Scalar>* F)
  {
    static const ExternalWrenches<Scalar> none;
    (*hybrid_)(q, rates.col(0), rates.col(1), tau.col(0), F ? *F : none);
    rates.col(1) = hybrid_->qdd();
  }

  // [body-form-complete]
  /// Order k: the coefficients of accelerations that the missing forces ask for.
  void complete(int k, const Scalar& factorial)
  {
    for (int i = 0; i < y_.size(); ++i) {
      x_(i) = Scalar(0);
      y_(i) = is_known(i) ? Scalar(0) : Scalar(tau(i, k) / factorial - taylor_.tau(i, k));
    }
    hybrid_->respond(y_, x_);
    for (int i = 0; i < x_.size(); ++i) x_(i) = is_known(i) ? Scalar(0) : Scalar(x_(i) / Scalar(k + 1));
    taylor_.correct(k, x_);
    for (int i = 0; i < x_.size(); ++i)
      if (!is_known(i)) rates(i, k + 1) = factorial * Scalar(k + 1) * taylor_.rates(i, k + 1);
  }
  // [body-form-complete]

  TaylorRecursion<Scalar> taylor_;
  std::optional<HybridDynamics<Scalar>> hybrid_;
  VectorX<Scalar> x_, y_;
};

}  // namespace articulate
