/** \file
 *  \brief Steps in time in 50 digits: what they are made of, orders against a closed form, area.
 */
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/model/kinematics.hpp>
#include <models/models.hpp>
#include <motion/steps.hpp>

using namespace articulate;
using namespace articulate::validation::steps;
using validation::Fifty;

BOOST_AUTO_TEST_SUITE(integrators_in_fifty_digits)

BOOST_AUTO_TEST_CASE(the_inverse_of_dexp_undoes_it_and_its_transpose_has_the_same_power)
{
  for (const double angle : {0.0, 1e-8, 0.3, 1.7, 3.14159, 5.0}) {
    const Fifty size(angle);
    const Twist<Fifty> xi{{Fifty(2) / 7 * size, Fifty(-3) / 7 * size, Fifty(6) / 7 * size},
                          {Fifty(0.7), Fifty(-1.1), Fifty(0.4)}};
    const Twist<Fifty> V{{Fifty(-0.9), Fifty(0.5), Fifty(0.8)}, {Fifty(0.3), Fifty(1.2), Fifty(-0.6)}};
    const Wrench<Fifty> F{{Fifty(0.2), Fifty(0.7), Fifty(-0.5)}, {Fifty(1.1), Fifty(-0.8), Fifty(0.9)}};
    const Twist<Fifty> back = dexp_inverse(xi, dexp(xi, V)) - V;
    BOOST_TEST(largest(coordinates(back)) <= rounding<Fifty>(6));
    const Fifty difference = pairing(codexp_inverse(xi, F), V) - pairing(F, dexp_inverse(xi, V));
    BOOST_TEST(std::abs(static_cast<double>(difference)) <= rounding<Fifty>(6));
  }
}

BOOST_AUTO_TEST_CASE(derivatives_of_the_lagrangian_are_those_of_the_energies)
{
  const Model<double> in_double(validation::every_joint(), {.floating_base = true});
  const Model<Fifty> model(in_double);
  const State<Fifty> x = drawn_state(model, 0.3, 0.5);
  LagrangianDerivatives<Fifty> found(model);
  found(x.q, x.qd);
  ForwardKinematics<Fifty> kinematics(model);
  const auto lagrangian = [&](const VectorX<Fifty>& q, const VectorX<Fifty>& qd) {
    kinematics(q, qd);
    return kinematics.kinetic_energy() - kinematics.potential_energy(model.gravity());
  };
  // Central differences of a step d are wrong by d^2 and by eps / d: least, and of the size d^2, at d = eps^(1/3).
  const Fifty d = ldexp(Fifty(1), -56);
  const double bound = 100 * model.nv() * std::ldexp(1.0, -112) * largest(found.force);
  for (int k = 0; k < model.nv(); ++k) {
    const VectorX<Fifty> way = d * VectorX<Fifty>::Unit(model.nv(), k), back = -way;
    const Fifty by_q =
        (lagrangian(displaced(model, x.q, way), x.qd) - lagrangian(displaced(model, x.q, back), x.qd)) / (2 * d);
    const Fifty by_qd = (lagrangian(x.q, x.qd + way) - lagrangian(x.q, x.qd - way)) / (2 * d);
    BOOST_TEST(std::abs(static_cast<double>(by_q - found.force(k))) <= bound);
    BOOST_TEST(std::abs(static_cast<double>(by_qd - found.momentum(k))) <= bound);
  }
}

BOOST_AUTO_TEST_CASE(a_thrown_top_follows_its_closed_form_with_the_order_of_the_method)
{
  const SymmetricTop top;
  const Model<double> in_double(top.mechanism);
  const Model<Fifty> model(in_double);
  State<Fifty> x{VectorX<Fifty>(7), VectorX<Fifty>(6)};
  x.q << Fifty(0.4), Fifty(-0.3), Fifty(0.9), Fifty(0.1), Fifty(-0.5), Fifty(0.7), Fifty(0.5);
  x.qd << Fifty(2.1), Fifty(-1.3), Fifty(3.2), Fifty(0.6), Fifty(-0.4), Fifty(1.5);
  const auto pose = [](const VectorX<Fifty>& q) {
    return SE3<Fifty>{SO3<Fifty>(Quaternion<Fifty>{{q(3), q(4), q(5)}, q(6)}), {q(0), q(1), q(2)}};
  };
  const Fifty time = Fifty(1) / 4;
  const SE3<Fifty> truth = top.pose(pose(x.q), to_twist(x.qd), model.gravity(), time);
  for (const Method method : all_methods) {
    std::vector<double> errors;
    for (const int steps : {16, 32, 64, 128}) {
      const State<Fifty> end = Motion<Fifty>{model}(method, x, time / steps, steps);
      errors.push_back(largest(coordinates(log(inverse(truth) * pose(end.q)))));
    }
    require_order(errors, method);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(between_the_ends_of_a_step_and_in_its_estimate_the_order_is_that_of_the_estimate, Pair,
                              Pairs<Fifty>)
{
  const SymmetricTop top;
  const Model<double> in_double(top.mechanism);
  const Model<Fifty> model(in_double);
  const State<Fifty> x = drawn_state(model, 0.3, 2);
  const VectorX<Fifty> none = VectorX<Fifty>::Zero(6);
  ForwardDynamics<Fifty> dynamics(model);
  const Law<Fifty> accelerations = [&](const VectorX<Fifty>& q, const VectorX<Fifty>& qd, const Fifty&) {
    return dynamics(q, qd, none);
  };
  const Settle<Fifty> nothing = stay<Fifty>;
  // Of one step the errors are of the next order.
  constexpr int order = Pair::order_of_estimate + 1;
  std::vector<double> within, estimates, of_rival;
  for (const int parts : {16, 32, 64, 128}) {
    const Fifty h = Fifty(1) / parts, part = Fifty(3) / 8;
    Pair pair(model);
    pair.attempt(x.q, x.qd, Fifty(0), h, accelerations, nothing);
    State<Fifty> found, rival;
    pair.at(part, found.q, found.qd);
    pair.rival(rival.q, rival.qd);
    const State<Fifty> truth = Motion<Fifty>{model}(Method::dormand_prince, x, part * h / 16, 16);
    const State<Fifty> end = Motion<Fifty>{model}(Method::dormand_prince, x, h / 16, 16);
    within.push_back(largest(displacement(model, truth.q, found.q)));
    estimates.push_back(largest(pair.displacement_error()));
    of_rival.push_back(largest(displacement(model, end.q, rival.q)));
  }
  require_order(within, order);
  require_order(estimates, order);
  require_order(of_rival, order);
  BOOST_TEST(std::abs(estimates.back() / of_rival.back() - 1) < 0.1);
}

BOOST_AUTO_TEST_CASE(a_variational_step_is_symplectic_under_springs_too)
{
  const Model<double> in_double(kite());
  const Model<Fifty> model(in_double);
  const int n = model.nv();
  const State<Fifty> x = drawn_state(model, 0.3, 0.5);
  Motion<Fifty> motion{model};
  motion.elements = springs();
  ForwardDynamics<Fifty> dynamics(model);
  LagrangianDerivatives<Fifty> legendre(model);
  legendre(x.q, x.qd);
  const VectorX<Fifty> p = legendre.momentum, none = VectorX<Fifty>::Zero(n);
  const Fifty h(0x1p-5), d = ldexp(Fifty(1), -56);

  // The end of a step as (displacement from a place, momentum), from the same at the start.
  const auto end = [&](Method method, const VectorX<Fifty>& way, const VectorX<Fifty>& more, const VectorX<Fifty>& from,
                       VectorX<Fifty>& away, VectorX<Fifty>& momentum) {
    State<Fifty> start{displaced(model, x.q, way), none};
    dynamics(start.q, none, none);
    VectorX<Fifty> rest = p + more;
    dynamics.respond(rest, start.qd);
    const State<Fifty> now = motion(method, start, h, 1);
    legendre(now.q, now.qd);
    momentum = legendre.momentum;
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Fifty>& body = model.body(i);
      for (int k = 0; k < body.nv && body.nq == body.nv; ++k) away(body.v + k) = now.q(body.q + k) - from(body.q + k);
      if (body.nq == body.nv) continue;
      const SE3<Fifty> X = inverse(joint_pose(body, &from(body.q))) * joint_pose(body, &now.q(body.q));
      const Twist<Fifty> xi = log(X);
      for (int k = 0; k < body.nv; ++k) away(body.v + k) = (k < 3 ? xi.w : xi.v)[k % 3];
    }
  };
  // dp ^ dq in the frame that moves along: a ball and a free joint add the bracket of their displacements.
  const auto form = [&](const VectorX<Fifty>& momentum) {
    MatrixX<Fifty> Omega = MatrixX<Fifty>::Zero(2 * n, 2 * n);
    Omega.topRightCorner(n, n).setIdentity();
    Omega.bottomLeftCorner(n, n) = -MatrixX<Fifty>::Identity(n, n);
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Fifty>& body = model.body(i);
      if (body.nq == body.nv) continue;
      const auto twist = [&](const VectorX<Fifty>& v, int at) { return detail::twist_of_joint(model.body(i), v); };
      for (int a = 0; a < body.nv; ++a)
        for (int b = 0; b < body.nv; ++b) {
          const VectorX<Fifty> ea = VectorX<Fifty>::Unit(n, body.v + a), eb = VectorX<Fifty>::Unit(n, body.v + b);
          const Twist<Fifty> mu = twist(momentum, 0);
          Omega(body.v + a, body.v + b) = pairing(Wrench<Fifty>{mu.w, mu.v}, ad(twist(ea, 0), twist(eb, 0)));
        }
    }
    return Omega;
  };
  for (const Method method : {Method::runge_kutta, Method::variational}) {
    const VectorX<Fifty> place = motion(method, x, h, 1).q;
    MatrixX<Fifty> jacobian(2 * n, 2 * n);
    VectorX<Fifty> away = none, momentum = none, away_back = none, momentum_back = none;
    for (int k = 0; k < 2 * n; ++k) {
      const VectorX<Fifty> unit = d * VectorX<Fifty>::Unit(n, k % n);
      end(method, k < n ? unit : none, k < n ? none : unit, place, away, momentum);
      end(method, k < n ? VectorX<Fifty>(-unit) : none, k < n ? none : VectorX<Fifty>(-unit), place, away_back,
          momentum_back);
      jacobian.col(k) << (away - away_back) / (2 * d), (momentum - momentum_back) / (2 * d);
    }
    end(method, none, none, place, away, momentum);
    const double miss = largest(jacobian.transpose() * form(momentum) * jacobian - form(p));
    // Central differences of a step d = eps^(1/3) have d^2 left; each enters a product with the largest entries.
    const double bound = 100 * 2 * n * std::ldexp(1.0, -112) * largest(jacobian) * largest(jacobian);
    BOOST_TEST_MESSAGE("symplectic to " << miss << ", bound " << bound);
    if (method == Method::variational)
      BOOST_TEST(miss <= bound);
    else
      BOOST_TEST(miss > 1e10 * bound);
  }
}

BOOST_AUTO_TEST_SUITE_END()
