/** \file
 *  \brief Derivatives of any order in time of inverse, forward and hybrid dynamics.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 2, 3 and 4.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/higher_order/body_form.hpp>
#include <articulate/higher_order/spatial_form.hpp>

namespace articulate {

/// \brief External wrenches and their derivatives: entry k is the k-th derivative by body, each component by component in
/// the body's frame. Derivatives that are missing are zero.
template <typename Scalar>
using WrenchDerivatives = Indexed<ExternalWrenches<Scalar>>;

/** \brief Motion and forces with their derivatives up to order r: each is given where the other is found.
 *
 *  With every degree prescribed this is inverse dynamics (Algorithm 2), with none forward dynamics (Algorithm 3), else
 *  hybrid dynamics (Algorithm 4). A call allocates nothing.
 *  \tparam Form  how it is computed: `BodyForm` by series of body twists, or `SpatialForm` as the paper has it. Both
 *                give the same numbers, to the conditioning of the problem; the first is several times faster, and its
 *                digits do not depend on where the world's origin is.
 */
template <typename Scalar, typename Form = BodyForm<Scalar>>
class HigherOrderDynamics {
public:
  /** \brief Make the workspace.
   *  \param order       r, at least 0: forces go to their r-th derivative, joint rates to their (r + 1)-th
   *  \param prescribed  nv flags: is the motion of this degree prescribed, or its force?
   *  \throws SizeError for the wrong number of flags
   *  \throws StateError for a negative order
   *  \throws ModelError when a joint whose force is given could move without moving any mass
   */
  HigherOrderDynamics(const Model<Scalar>& model, int order, const std::vector<bool>& prescribed)
      : model_(model), prescribed_(checked(model, order, prescribed)), form_(model, order, prescribed), order_(order)
  {
  }

  /// \brief Algorithm 2: all motion is prescribed.
  static HigherOrderDynamics inverse(const Model<Scalar>& model, int order)
  {
    return {model, order, Indexed<bool>(model.nv(), true)};
  }
  /// \brief Algorithm 3: all forces are given.
  static HigherOrderDynamics forward(const Model<Scalar>& model, int order)
  {
    return {model, order, Indexed<bool>(model.nv(), false)};
  }

  /** \brief What completes the given motion and forces.
   *  \param q     nq coordinates (rad, m; free joint: position, quaternion x y z w)
   *  \param qd    nv joint rates (free joint: body twist)
   *  \param qdd   nv x (r + 1): joint accelerations and their derivatives, of which the rows of prescribed degrees are read
   *  \param tau   nv x (r + 1): joint forces and their derivatives, of which the other rows are read
   *  \param Fext  external wrenches and their derivatives; empty for none
   *  \throws SizeError naming the argument, the size given and the size expected
   *  \throws StateError when a joint whose force is given moves no mass in this state
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const Eigen::Ref<const MatrixX<Scalar>>& qdd,
                  const Eigen::Ref<const MatrixX<Scalar>>& tau, const WrenchDerivatives<Scalar>& Fext = {})
  {
    const int nv = model_.nv();
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, nv);
    require_table("qdd", qdd), require_table("tau", tau);
    for (const ExternalWrenches<Scalar>& F : Fext) detail::require_size("Fext", F, model_.bodies() + 1);
    form_.rates.col(0) = qd;
    for (int i = 0; i < nv; ++i) {
      if (prescribed_[i])
        form_.rates.row(i).tail(order_ + 1) = qdd.row(i);
      else
        form_.tau.row(i) = tau.row(i);
    }
    form_.run(q, Fext);
    first_run_.done();
  }

  const Model<Scalar>& model() const { return model_; }
  int order() const { return order_; }
  /// \brief nv x (r + 1): given where prescribed, else found.   \throws StateError before the first run
  auto qdd() const { return form().rates.rightCols(order_ + 1); }
  /// \brief nv x (r + 1): found where prescribed, else given.   \throws StateError before the first run
  const MatrixX<Scalar>& tau() const { return form().tau; }
  /// \brief What the recursion saw.   \throws StateError before the first run
  const Form& form() const
  {
    first_run_.require("motion with its derivatives");
    return form_;
  }
  void set_gravity(const Vector3<Scalar>& g) { form_.set_gravity(g); }  ///< (m/s^2, world frame), constant

private:
  static const std::vector<bool>& checked(const Model<Scalar>& model, int order, const std::vector<bool>& prescribed)
  {
    if (order < 0) throw StateError("order is " + std::to_string(order) + " where 0 or more is needed.");
    detail::require_size("prescribed", prescribed, model.nv());
    return prescribed;
  }
  void require_table(const char* argument, const Eigen::Ref<const MatrixX<Scalar>>& x) const
  {
    if (x.rows() != model_.nv()) throw SizeError(std::string(argument) + " (rows)", x.rows(), model_.nv());
    if (x.cols() != order_ + 1) throw SizeError(std::string(argument) + " (columns)", x.cols(), order_ + 1);
  }

  Model<Scalar> model_;
  Indexed<bool> prescribed_;
  Form form_;
  int order_;
  detail::FirstRun first_run_;
};

/// \brief All accelerations and forces of a motion with their derivatives in time.
template <typename Scalar>
struct HigherOrderMotion {
  MatrixX<Scalar> qdd, tau;  ///< nv x (r + 1) each, column k is the k-th derivative
};

/** \brief Algorithm 4 in one line \eq{ali,A4}: hybrid dynamics with derivatives up to order r.
 *
 *  The tables qdd and tau, nv x (r + 1) each, tell r; see HigherOrderDynamics.
 */
template <typename Scalar>
HigherOrderMotion<Scalar> higher_order_dynamics(const Model<Scalar>& model, const std::vector<bool>& prescribed,
                                                VectorArgument<Scalar> q, VectorArgument<Scalar> qd,
                                                MatrixArgument<Scalar> qdd, MatrixArgument<Scalar> tau,
                                                const WrenchDerivatives<Scalar>& Fext = {})
{
  HigherOrderDynamics<Scalar> dynamics(model, static_cast<int>(qdd.cols()) - 1, prescribed);
  dynamics(q, qd, qdd, tau, Fext);
  return {dynamics.qdd(), dynamics.tau()};
}

/// \brief Algorithm 2 in one line \eq{ali,A2}: joint forces with their derivatives, nv x (r + 1), from accelerations with theirs.
template <typename Scalar>
MatrixX<Scalar> higher_order_inverse_dynamics(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                              VectorArgument<Scalar> qd, MatrixArgument<Scalar> qdd,
                                              const WrenchDerivatives<Scalar>& Fext = {})
{
  const MatrixX<Scalar> none = MatrixX<Scalar>::Zero(model.nv(), qdd.cols());
  return higher_order_dynamics(model, std::vector<bool>(model.nv(), true), q, qd, qdd, none, Fext).tau;
}

/// \brief Algorithm 3 in one line \eq{ali,A3}: accelerations with their derivatives, nv x (r + 1), from joint forces with theirs.
template <typename Scalar>
MatrixX<Scalar> higher_order_forward_dynamics(const Model<Scalar>& model, VectorArgument<Scalar> q,
                                              VectorArgument<Scalar> qd, MatrixArgument<Scalar> tau,
                                              const WrenchDerivatives<Scalar>& Fext = {})
{
  const MatrixX<Scalar> none = MatrixX<Scalar>::Zero(model.nv(), tau.cols());
  return higher_order_dynamics(model, std::vector<bool>(model.nv(), false), q, qd, none, tau, Fext).qdd;
}

}  // namespace articulate
