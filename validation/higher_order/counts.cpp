#include <higher_order/counted.hpp>
#include <higher_order/counts.hpp>
#include <higher_order/dense_products.hpp>
#include <higher_order/with_rate.hpp>
#include <ledger/scalars.hpp>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/higher_order/higher_order_dynamics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>

namespace articulate::validation {

namespace {

template <typename Form>
long count_form(const Model<Counted>& model, bool prescribed, int order)
{
  HigherOrderDynamics<Counted, Form> dynamics(model, order, std::vector<bool>(model.nv(), prescribed));
  const VectorX<Counted> q = some_coordinates(model), qd = VectorX<Counted>::Ones(model.nv());
  const MatrixX<Counted> table = MatrixX<Counted>::Ones(model.nv(), order + 1);
  return count([&] { dynamics(q, qd, table, table); });
}

/// Plain inverse dynamics: what it costs does not depend on the numbers.
template <typename Number>
long count_inverse(const Model<double>& model)
{
  const Model<Number> counted(model);
  const VectorX<Number> q = some_coordinates(counted), ones = VectorX<Number>::Ones(model.nv());
  InverseDynamics<Number> rnea(counted);
  return count([&] { rnea(q, ones, ones); });
}

}  // namespace

long multiplications(const Model<double>& model, Method method, bool prescribed, int order)
{
  const Model<Counted> counted(model);
  const VectorX<Counted> q = some_coordinates(counted), ones = VectorX<Counted>::Ones(model.nv());
  switch (method) {
    case Method::body:
      return count_form<BodyForm<Counted>>(counted, prescribed, order);
    case Method::spatial:
      return count_form<SpatialForm<Counted>>(counted, prescribed, order);
    case Method::dense:
      return count_form<SpatialForm<Counted, DenseProducts<Counted>>>(counted, prescribed, order);
    case Method::plain:
      break;
  }
  InverseDynamics<Counted> rnea(counted);
  ForwardDynamics<Counted> aba(counted);
  return count([&] { prescribed ? rnea(q, ones, ones) : aba(q, ones, ones); });
}

long differentiated_multiplications(const Model<double>& model, int order)
{
  using Once = WithRate<Counted>;
  using Twice = WithRate<Once>;
  switch (order) {
    case 0:
      return count_inverse<Counted>(model);
    case 1:
      return count_inverse<Once>(model);
    case 2:
      return count_inverse<Twice>(model);
    default:
      return count_inverse<WithRate<Twice>>(model);
  }
}

}  // namespace articulate::validation
