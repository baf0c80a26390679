/** \file
 *  \brief A user's program with the headers alone: a pendulum held level weighs m g l on its hinge.
 */
#include <articulate/articulate.hpp>
#include <cmath>

int main()
{
  using namespace articulate;
  Mechanism pendulum;
  pendulum.name = pendulum.source = "pendulum";
  pendulum.links = {{"ground"}, {"bob", 2, {0.5, 0, 0}}};
  pendulum.joints = {{"hinge", JointType::revolute, "ground", "bob", {}, {0, 0, 0, 1}, {0, 1, 0}}};
  const Model<double> model(pendulum);
  InverseDynamics<double> rnea(model);
  const VectorX<double> zero = VectorX<double>::Zero(1);
  const double held = rnea(zero, zero, zero)(0), again = inverse_dynamics(model, 2 * zero, zero, zero + zero)(0);
  return std::abs(held + 2 * 9.81 * 0.5) < 1e-12 && again == held ? 0 : 1;
}
