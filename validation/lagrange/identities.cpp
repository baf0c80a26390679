/** \file
 *  \brief Proofs of chapter lagrange: Ploen, sections 1, 3.2, 4 and 5, \eq{ploen,1} to \eq{ploen,3}, \eq{ploen,19} to
 *  \eq{ploen,29}, \eq{ploen,36}, \eq{ploen,38}, and the regressor.
 *
 *  Ploen writes chains of one-degree joints. On a tree his i-1 is the parent of body i; a joint whose columns move adds
 *  \f$\dot S\f$, which is zero for his.
 */
#include <algorithm>
#include <array>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <ledger/calculus.hpp>
#include <ledger/long_robots.hpp>
#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {
namespace {

/// Six rows for each body.
template <typename S>
std::vector<Twist<S>> by_body(const VectorX<S>& stacked)
{
  std::vector<Twist<S>> twists;
  for (Eigen::Index row = 0; row < stacked.size(); row += 6)
    twists.push_back(to_twist(stacked.template segment<6>(row)));
  return twists;
}

/// Matrices of 6x6 blocks by body that carry twists: turns are one group, arms another.
template <typename S>
void add_carriers(Sides<S>& sides, const MatrixX<S>& left, const MatrixX<S>& right, const S& turns = S(0),
                  const S& arms = S(0))
{
  const auto halves = [](Eigen::Index size) {
    std::array<std::vector<int>, 2> half;
    for (int i = 0; i < size; ++i) half[i % 6 < 3 ? 0 : 1].push_back(i);
    return half;
  };
  const auto rows = halves(left.rows()), columns = halves(left.cols());
  for (const int a : {0, 1})
    for (const int b : {0, 1})
      sides.add(left(rows[a], columns[b]), right(rows[a], columns[b]), a == 1 && b == 0 ? arms : turns);
}

/// Where body j carries body i, \f$\Ad_{f_{j,i}^{-1}}\f$ as a function of both poses; else zero.
template <typename S, typename Function>
MatrixX<S> of_pairs(const Model<S>& model, const Function& f)
{
  MatrixX<S> all = MatrixX<S>::Zero(6 * model.bodies(), 6 * model.bodies());
  for (int i = 1; i <= model.bodies(); ++i)
    for (int j = i; j > 0; j = model.body(j).parent) all.template block<6, 6>(6 * i - 6, 6 * j - 6) = f(j, i);
  return all;
}

/// The bodies along the motion in the frame of the first one of their chain, which may be far from the world's origin.
template <typename S>
struct PosesFromTheFirst {
  std::vector<SE3<Series<S>>> pose;

  explicit PosesFromTheFirst(const Specimen<S>& x) : pose(x.bodies() + 1)
  {
    for (int i = 1; i <= x.bodies(); ++i)
      if (const int parent = x.model.body(i).parent; parent != 0) pose[i] = pose[parent] * x.along_motion().T[i];
  }
};

/// \f$\Ad_{f_{j,i}^{-1}}\f$ along the motion, or its derivative, from the poses of both bodies.
template <typename S>
Matrix6<S> carried(const Specimen<S>& x, int j, int i, int order)
{
  const auto& pose = x.template once<PosesFromTheFirst<S>>().pose;
  const Matrix6<Series<S>> along = Ad_matrix(inverse(pose[i]) * pose[j]);
  Matrix6<S> A;
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) A(a, b) = derivative(along(a, b), order);
  return A;
}

/// Of the longest chain of a tree: Ploen's n.
template <typename S>
int length_of_the_longest_chain(const Model<S>& model)
{
  std::vector<int> length(model.bodies() + 1, 0);
  for (int i = 1; i <= model.bodies(); ++i) length[i] = length[model.body(i).parent] + 1;
  return *std::max_element(length.begin(), length.end());
}

template <typename S>
MatrixX<S> power(const MatrixX<S>& Gamma, int exponent)
{
  MatrixX<S> product = MatrixX<S>::Identity(Gamma.rows(), Gamma.cols());
  for (int k = 0; k < exponent; ++k) product = Gamma * product;
  return product;
}
/// \f$1 + \Gamma + \cdots\f$, so many powers by Horner.
template <typename S>
MatrixX<S> sum_of_powers(const MatrixX<S>& Gamma, int powers)
{
  const MatrixX<S> one = MatrixX<S>::Identity(Gamma.rows(), Gamma.cols());
  MatrixX<S> sum = MatrixX<S>::Zero(Gamma.rows(), Gamma.cols());
  for (int k = 0; k < powers; ++k) sum = one + Gamma * sum;
  return sum;
}

/// What is known of body i and its parent alone: blocks next to the diagonal.
template <typename S, typename Function>
MatrixX<S> of_neighbours(const Model<S>& model, const Function& f)
{
  return of_pairs<S>(model, [&](int j, int i) {
    return j == model.body(i).parent ? Matrix6<S>(f(j, i)) : Matrix6<S>(Matrix6<S>::Zero());
  });
}

/// \f$S_i\dot q_i\f$ of each body, from its displacement along the motion.
template <typename S>
Twist<S> joint_twist(const Specimen<S>& x, int i)
{
  const SE3<Series<S>>& f = x.along_motion().T[i];
  return vee(Matrix4<S>(inverted(derivative(f, 0)) * derivative(f, 1)));
}

template <typename S>
void carriers(Registry<S>& r)
{
  r.identity({.name = "G_carries_the_twist_of_every_body_to_all_that_it_carries",
              .keys = {"ploen:G/blocks"},
              .symbols = "GlobalMatrices::G GlobalMatrices::Gamma",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    add_carriers(sides, m.G, of_pairs<S>(x.model, [&](int j, int i) { return carried(x, j, i, 0); }));
                    sides.rival("the inverse in the subscript is lost", [&](auto& wrong) {
                      add_carriers(wrong, m.G, of_pairs<S>(x.model, [&](int j, int i) { return carried(x, i, j, 0); }));
                    });
                  },
              .applies = is_compared_in_full});
  r.identity(
      {.name = "the_inverse_of_one_less_gamma_is_a_finite_sum_of_powers",
       .keys = {"ploen:G/inverse", "ploen:G/series", "ploen:G/nilpotent", "ploen:G/Gamma"},
       .symbols = "GlobalMatrices::G GlobalMatrices::Gamma",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const GlobalMatrices<S> m(x.inverse, x.qd);
             const MatrixX<S> one = MatrixX<S>::Identity(m.G.rows(), m.G.cols());
             const MatrixX<S> zero = MatrixX<S>::Zero(m.G.rows(), m.G.cols());
             const int n = length_of_the_longest_chain(x.model);
             const S arms = largest<S>(m.G);
             sides.clause("ploen:G/inverse");
             add_carriers(sides, MatrixX<S>(m.G - m.Gamma * m.G), one, S(1), arms);
             add_carriers(sides, MatrixX<S>(m.G - m.G * m.Gamma), one, S(1), arms);
             sides.rival("Gamma is added to one",
                         [&](auto& wrong) { add_carriers(wrong, MatrixX<S>(m.G + m.Gamma * m.G), one, S(1), arms); });
             sides.clause("ploen:G/series");
             add_carriers(sides, m.G, sum_of_powers(m.Gamma, n));
             sides.rival("the series ends one power early",
                         [&](auto& wrong) { add_carriers(wrong, m.G, sum_of_powers(m.Gamma, n - 1)); });
             sides.clause("ploen:G/nilpotent");
             add_carriers(sides, power(m.Gamma, n), zero, S(1), arms);
             sides.rival("one power less is zero as well",
                         [&](auto& wrong) { add_carriers(wrong, power(m.Gamma, n - 1), zero, S(1), arms); });
             sides.clause("ploen:G/Gamma");
             add_carriers(sides, m.Gamma, of_neighbours<S>(x.model, [&](int j, int i) { return carried(x, j, i, 0); }));
             sides.rival("the inverse in the subscript is lost", [&](auto& wrong) {
               add_carriers(wrong, m.Gamma,
                            of_neighbours<S>(x.model, [&](int j, int i) { return carried(x, i, j, 0); }));
             });
           },
       .applies = has_few_bodies});
  r.identity({.name = "G_changes_as_gamma_does_between_two_G",
              .keys = {"ploen:27/rate", "ploen:27/product", "ploen:27/Gamma"},
              .symbols = "GlobalMatrices::Gdot GlobalMatrices::ad_Sqd",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    const MatrixX<S> Gdot = of_pairs<S>(x.model, [&](int j, int i) { return carried(x, j, i, 1); });
                    const MatrixX<S> Gamma_dot = m.ad_Sqd * m.Gamma;
                    const S turning = fastest_turn(x.kinematics), arms = largest<S>(Gdot);
                    // The rate of Gamma itself: its blocks are those of G next to the diagonal.
                    const MatrixX<S> along =
                        of_neighbours<S>(x.model, [&](int j, int i) { return carried(x, j, i, 1); });
                    sides.clause("ploen:27/rate");
                    add_carriers(sides, m.Gdot(), Gdot, turning, arms);
                    add_carriers(sides, MatrixX<S>(m.G * (Gamma_dot * m.G)), Gdot, turning, arms);
                    sides.rival("the minus sign inside the brackets is lost", [&](auto& wrong) {
                      add_carriers(wrong, MatrixX<S>(-(m.G * (Gamma_dot * m.G))), Gdot, turning, arms);
                    });
                    sides.clause("ploen:27/product");
                    add_carriers(sides, MatrixX<S>(m.G * (along * m.G)), Gdot, turning, arms);
                    sides.rival("the inverse is differentiated as that of a number", [&](auto& wrong) {
                      add_carriers(wrong, MatrixX<S>(along * (m.G * m.G)), Gdot, turning, arms);
                    });
                    sides.clause("ploen:27/Gamma");
                    add_carriers(sides, Gamma_dot, along, turning, arms);
                    sides.rival("the bracket is taken before the displacement", [&](auto& wrong) {
                      add_carriers(wrong, MatrixX<S>(m.Gamma * m.ad_Sqd), along, turning, arms);
                    });
                  },
              .applies = has_few_bodies});
}

template <typename S>
void motion(Registry<S>& r)
{
  r.identity({.name = "all_twists_and_their_rates_by_global_matrices_also_on_a_base_that_moves",
              .keys = {"ploen:19/twists", "ploen:19/base", "ploen:20/accelerations", "ploen:20/diagonal"},
              .symbols = "GlobalMatrices::S GlobalMatrices::Sdot GlobalMatrices::P_0 GlobalMatrices::ad_Sqd",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    const Twist<S> V0 = x.twist(0), V0dot = x.twist(6);
                    const Vector6<S> v0 = coordinates(V0), a0 = coordinates(V0dot);
                    const VectorX<S> V = m.G * (m.S * x.qd) + m.G * (m.P_0 * v0);  // (19)
                    const VectorX<S> Vdot = m.G * (m.S * x.qdd) + m.G * (m.Sdot * x.qd) +
                                            m.G * (m.ad_Sqd * (m.Gamma * V)) + m.G * (m.ad_Sqd * (m.P_0 * v0)) +
                                            m.G * (m.P_0 * a0);  // (20)

                    // The base moves by an exponential: both twists of each body from the derivatives of its pose.
                    const Series<S> t = time_series<S>();
                    const SE3<Series<S>> base = exp(t * constant(V0) + t * t / S(2) * constant(V0dot));
                    std::vector<Twist<S>> seen, seen_rate;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const SE3<Series<S>> pose = base * x.along_motion().pose[i];
                      const Matrix4<S> back = matrix(inverse(x.kinematics.pose[i])), first = back * derivative(pose, 1);
                      seen.push_back(vee(first));
                      seen_rate.push_back(vee(Matrix4<S>(back * derivative(pose, 2) - first * first)));
                    }
                    sides.clause("ploen:19/twists");
                    sides.add(by_body(V), seen);
                    sides.rival("the base's twist is not carried on by G", [&](auto& wrong) {
                      wrong.add(by_body(VectorX<S>(m.G * (m.S * x.qd) + m.P_0 * v0)), seen);
                    });
                    sides.clause("ploen:20/accelerations");
                    sides.add(by_body(Vdot), seen_rate);
                    sides.rival("the bracket with the base's twist is left out", [&](auto& wrong) {
                      wrong.add(by_body(VectorX<S>(Vdot - m.G * (m.ad_Sqd * (m.P_0 * v0)))), seen_rate);
                    });

                    // The bodies on the base, where P_0 has blocks, and all that it has not.
                    const auto on_the_base = [&](const auto& which, const auto& block) {
                      MatrixX<S> P_0 = MatrixX<S>::Zero(6 * x.bodies(), 6);
                      for (int i = 1; i <= x.bodies(); ++i)
                        if (which(i)) P_0.template middleRows<6>(6 * i - 6) = block(x.kinematics.pose[i]);
                      return P_0;
                    };
                    const auto first = [&](int i) { return x.model.body(i).parent == 0; };
                    const auto back = [](const SE3<S>& pose) { return inverted(Ad_matrix(pose)); };
                    sides.clause("ploen:19/base");
                    const S reach = largest<S>(m.P_0);
                    add_carriers(sides, m.P_0, on_the_base(first, back), S(1), reach);
                    sides.rival("every body has its block", [&](auto& wrong) {
                      add_carriers(wrong, m.P_0, on_the_base([](int) { return true; }, back), S(1), reach);
                    });
                    sides.rival("the inverse in the subscript is lost", [&](auto& wrong) {
                      add_carriers(wrong, m.P_0, on_the_base(first, [](const SE3<S>& pose) { return Ad_matrix(pose); }),
                                   S(1), reach);
                    });

                    MatrixX<S> brackets = MatrixX<S>::Zero(6 * x.bodies(), 6 * x.bodies());
                    for (int i = 1; i <= x.bodies(); ++i)
                      brackets.template block<6, 6>(6 * i - 6, 6 * i - 6) = ad_matrix(joint_twist(x, i));
                    const S turning = fastest_turn(x.kinematics), arms = turning * largest<S>(m.G);
                    sides.clause("ploen:20/diagonal");
                    add_carriers(sides, m.ad_Sqd, MatrixX<S>(-brackets), turning, arms);
                    sides.rival("the minus sign stands outside",
                                [&](auto& wrong) { add_carriers(wrong, m.ad_Sqd, brackets, turning, arms); });
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "all_wrenches_and_joint_forces_by_global_matrices_are_those_of_the_witness",
              .keys = {"ploen:21/wrenches", "ploen:21/diagonal", "ploen:22", "ploen:23/equation", "ploen:23/base"},
              .symbols = "GlobalMatrices::G GlobalMatrices::J GlobalMatrices::phi",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    const VectorX<S> tau = witness_forces<S>(x, x.qd, x.qdd, x.gravity);
                    Vector6<S> a0 = Vector6<S>::Zero();
                    a0.template tail<3>() = -x.gravity.eigen();
                    const VectorX<S> V = m.G * (m.S * x.qd), Sqdd = m.S * x.qdd + m.Sdot * x.qd;
                    const VectorX<S> Vdot = m.G * (Sqdd + m.ad_Sqd * (m.Gamma * V) + m.P_0 * a0);
                    // ad*_V J V, the minus sign inside
                    VectorX<S> turning = m.J * V;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const auto row = 6 * i - 6;
                      turning.template segment<6>(row) = -ad_matrix(to_twist(V.template segment<6>(row))).transpose() *
                                                         Vector6<S>(turning.template segment<6>(row));
                    }
                    // What each body's momentum asks for where its twist carries it past the frame.
                    const auto wrenches = [](const VectorX<S>& stacked) {
                      std::vector<Wrench<S>> all;
                      for (const Twist<S>& six : by_body(stacked)) all.push_back({six.w, six.v});
                      return all;
                    };
                    std::vector<Wrench<S>> past, terms_of_past;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const Twist<S>& V_i = x.kinematics.V[i];
                      const Wrench<S> momentum = x.model.body(i).I * V_i;
                      past.push_back(carried_past(V_i, momentum));
                      terms_of_past.push_back(terms_past(V_i, momentum));
                    }
                    sides.clause("ploen:21/diagonal");
                    sides.add(wrenches(turning), past, terms_of_past);
                    sides.rival("the minus sign stands outside",
                                [&](auto& wrong) { wrong.add(wrenches(VectorX<S>(-turning)), past, terms_of_past); });

                    const VectorX<S> F = m.G.transpose() * (m.J * Vdot) + m.G.transpose() * turning;  // (21)
                    sides.clause("ploen:22");
                    sides.add_by_unit(x.model, VectorX<S>(m.S.transpose() * F), tau);  // (22)
                    sides.rival("wrenches that are through the joints are handed inward once more", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, VectorX<S>(m.S.transpose() * (m.G.transpose() * F)), tau);
                    });
                    // Through each joint, in the frame of the link that it carries; that of the recursion has loads too.
                    InverseDynamics<S> unloaded(x.model);
                    unloaded(x.q, x.qd, x.qdd);
                    std::vector<Wrench<S>> by_recursion;
                    for (int i = 1; i <= x.bodies(); ++i) by_recursion.push_back(unloaded.F[i]);
                    sides.clause("ploen:21/wrenches");
                    sides.add(wrenches(F), by_recursion);
                    sides.rival("G hands wrenches outward", [&](auto& wrong) {
                      wrong.add(wrenches(VectorX<S>(m.G * (m.J * Vdot + turning))), by_recursion);
                    });
                    // (23): what accelerations need, what rates need, what weight needs.
                    const VectorX<S> inertial = m.S.transpose() * (m.G.transpose() * (m.J * (m.G * (m.S * x.qdd))));
                    const VectorX<S> rates_alone = m.G * (m.ad_Sqd * (m.Gamma * V) + m.Sdot * x.qd);
                    const VectorX<S> coriolis = m.S.transpose() * (m.G.transpose() * (m.J * rates_alone + turning));
                    const VectorX<S> terms = coriolis_terms(x, x.qd);
                    sides.clause("ploen:23/equation");
                    sides.add_by_unit(x.model, coriolis, witness_coriolis(x), terms);
                    sides.rival("the weight is counted among the accelerations, too", [&](auto& wrong) {
                      const VectorX<S> JVdot = m.J * Vdot + turning;
                      wrong.add_by_unit(x.model, VectorX<S>(m.S.transpose() * (m.G.transpose() * JVdot) + m.phi()),
                                        tau);
                    });
                    sides.clause({"ploen:23/equation", "ploen:23/base"});
                    sides.add_by_unit(x.model, VectorX<S>(inertial + coriolis + m.phi()), tau);
                    sides.clause("ploen:23/base");
                    sides.rival("the base accelerates with gravity", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, VectorX<S>(inertial + coriolis - m.phi()), tau);
                    });
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "weight_on_the_joints_is_the_gradient_of_the_potential_energy",
              .keys = {"ploen:26/weight", "ploen:26/base", "ploen:38/weight", "ploen:38/base"},
              .symbols = "GlobalMatrices::phi GlobalMatrices::P_0",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    Vector6<S> a0 = Vector6<S>::Zero();
                    a0.template tail<3>() = -x.gravity.eigen();
                    const VectorX<S> phi = m.S.transpose() * (m.G.transpose() * (m.J * (m.G * (m.P_0 * a0))));
                    sides.add_by_unit(x.model, m.phi(), phi);
                    sides.add_by_unit(x.model, phi, witness_gravity(x));
                    const S power = derivative(x.along_motion().potential_energy(constant(x.gravity)), 1);
                    sides.add(inner_product<S>(phi, x.qd), power, inner_product<S>(phi.cwiseAbs(), x.qd.cwiseAbs()));
                    sides.clause({"ploen:26/weight", "ploen:38/weight"});
                    sides.rival("the base's acceleration is not carried on by G", [&](auto& wrong) {
                      const VectorX<S> of_the_first = m.S.transpose() * (m.G.transpose() * (m.J * (m.P_0 * a0)));
                      wrong.add_by_unit(x.model, of_the_first, witness_gravity(x));
                    });
                    sides.clause({"ploen:26/base", "ploen:38/base"});
                    sides.rival("the base accelerates with gravity",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(-phi), witness_gravity(x)); });
                  },
              .applies = is_compared_in_full});
}

/// The bodies with what the offsets of their centres add to their inertias counted so many times: once is right.
template <typename S>
Model<S> with_offsets_counted(const Model<S>& model, int times)
{
  std::vector<Body<S>> counted;
  for (Body<S> body : model.outward()) {
    if (!(comparable(body.I.mass) > 0)) continue;
    const Symmetric3<S> offset =
        skew_products(S(times - 1) / (S(2) * body.I.mass) * body.I.first_moment, body.I.first_moment);
    body.I.second_moment = body.I.second_moment + offset;
    counted.push_back(body);
  }
  return model.with(counted);
}

template <typename S>
void closed_forms(Registry<S>& r)
{
  r.identity({.name = "composite_bodies_give_the_mass_matrix_of_the_witness",
              .keys = {"ploen:1/equation", "ploen:1/symmetric"},
              .symbols = "CompositeBodies",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    CompositeBodies<S> bodies(x.model);
                    const MatrixX<S>& seen = x.witness_mass_matrix();
                    sides.add_by_unit(x.model, bodies(x.q), seen);
                    // The witness finds each entry of the lower triangle in another motion than that of the upper.
                    sides.clause("ploen:1/symmetric");
                    sides.add_by_unit(x.model, MatrixX<S>(bodies(x.q).transpose()), seen);
                    const std::string slip = "a joint before another meets that one's own body alone";
                    const auto own_bodies = [&] {
                      const GlobalMatrices<S> m(x.inverse, x.qd);
                      return MatrixX<S>((m.G * m.S).transpose() * (m.J * m.S));
                    };
                    sides.rival(slip, [&](auto& wrong) {
                      wrong.add_by_unit(x.model, own_bodies(), MatrixX<S>(own_bodies().transpose()));
                    });
                    sides.clause("ploen:1/equation");
                    sides.rival(slip, [&](auto& wrong) { wrong.add_by_unit(x.model, own_bodies(), seen); });
                  },
              .applies = is_small});
  r.identity({.name = "joint_forces_are_M_qdd_and_C_qd_and_phi_with_M_of_a_sum_of_squares",
              .keys = {"ploen:1/equation", "ploen:1/positive"},
              .symbols = "CompositeBodies CoriolisMatrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                CompositeBodies<S> bodies(x.model);
                const MatrixX<S>& M = bodies(x.q);
                CoriolisMatrix<S> C(x.model);
                const VectorX<S> tau = M * x.qdd + C(x.q, x.qd) * x.qd + witness_gravity(x);
                const VectorX<S> seen = witness_forces<S>(x, x.qd, x.qdd, x.gravity);
                sides.clause("ploen:1/equation");
                sides.add_by_unit(x.model, tau, seen);
                sides.rival("C is transposed", [&](auto& wrong) {
                  const VectorX<S> turned = C(x.q, x.qd).transpose() * x.qd;
                  wrong.add_by_unit(x.model, VectorX<S>(M * x.qdd + turned + witness_gravity(x)), seen);
                });
                // M is positive: at any rates it gives twice a kinetic energy, which is a sum of squares over the links.
                sides.clause("ploen:1/positive");
                witness::VectorNewtonEuler<S> links(x.inputs.mechanism, x.inputs.options.floating_base);
                for (const VectorX<S>& rates : {x.qd, VectorX<S>(x.qdd / S(5)), VectorX<S>(x.tau / S(20))}) {
                  links.inverse_dynamics(x.q, rates, x.qdd, x.gravity.eigen());
                  const S squares = S(2) * links.kinetic_energy();
                  sides.add(inner_product<S>(rates, M * rates), squares);
                  sides.rival("what the offset of a centre adds to its inertia is subtracted", [&](auto& wrong) {
                    CompositeBodies<S> other(with_offsets_counted(x.model, -1));
                    wrong.add(inner_product<S>(rates, other(x.q) * rates), squares);
                  });
                }
              }});
  r.identity({.name = "the_mass_matrix_and_its_rate_are_products_of_global_matrices",
              .keys = {"ploen:24", "ploen:28", "ploen:36"},
              .symbols = "GlobalMatrices::M GlobalMatrices::Mdot GlobalMatrices::GS_rate",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    const MatrixX<S> GS = m.G * m.S, M = GS.transpose() * (m.J * GS);  // (24)
                    const MassAlong<S> mass(x);
                    sides.clause({"ploen:24", "ploen:36"});
                    sides.add_by_unit(x.model, M, x.witness_mass_matrix());
                    sides.add_by_unit(x.model, m.M(), M);
                    sides.rival("G and its transpose are exchanged", [&](auto& wrong) {
                      const MatrixX<S> GtS = m.G.transpose() * m.S;
                      wrong.add_by_unit(x.model, MatrixX<S>(GtS.transpose() * (m.J * GtS)), x.witness_mass_matrix());
                    });
                    // (28), and what is added where the columns of S move
                    const MatrixX<S> carried =
                        m.Gamma.transpose() * (m.ad_Sqd.transpose() * (m.G.transpose() * (m.J * GS)));
                    const MatrixX<S> half =
                        GS.transpose() * carried + m.Sdot.transpose() * (m.G.transpose() * (m.J * GS));
                    const S turning = fastest_turn(x.kinematics);
                    sides.clause("ploen:28");
                    add_rates_of_mass<S>(sides, x.model, M, turning, half + half.transpose(), mass.rate);
                    add_rates_of_mass<S>(sides, x.model, M, turning, m.Mdot(), mass.rate);
                    sides.rival("one of the two terms is doubled in place of its transpose", [&](auto& wrong) {
                      add_rates_of_mass<S>(wrong, x.model, M, turning, S(2) * half, mass.rate);
                    });
                  },
              .applies = has_few_bodies});
}

/// The closed forms of the recursion as it is, with its \f$C_i = -\ad^*_{V_i}J_i\f$.
template <typename S>
ClosedForms<S> original(const Recursion<S>& motion, const VectorX<S>& qd)
{
  return {motion, qd,
          [&](int i) { return Matrix6<S>(-ad_matrix(motion.V[i]).transpose() * motion.model().body(i).I.matrix()); }};
}

template <typename S>
void coriolis(Registry<S>& r)
{
  r.identity({.name = "C_of_the_recursion_as_it_is_gives_the_true_forces_and_no_skew_matrix",
              .keys = {"ploen:25", "ploen:29/difference", "ploen:29/not-skew"},
              .symbols = "GlobalMatrices::C CoriolisMatrix coriolis_wrench",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ClosedForms<S> f = original(x.inverse, x.qd);
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    const VectorX<S> terms = coriolis_terms(x, x.qd);
                    const MatrixX<S> K = mass.rate - S(2) * f.C, defect = f.GS.transpose() * (f.C_bar * f.GS);
                    sides.clause("ploen:25");
                    sides.add_by_unit(x.model, VectorX<S>(f.C * x.qd), witness_coriolis(x), terms);
                    sides.rival("the minus sign inside the dual brackets is lost", [&](auto& wrong) {
                      const MatrixX<S> C = f.C - S(2) * defect;
                      wrong.add_by_unit(x.model, VectorX<S>(C * x.qd), witness_coriolis(x), terms);
                    });
                    CoriolisMatrix<S> recursion(x.model, CoriolisFamily::newton_euler);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, recursion(x.q, x.qd), f.C);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, f.m.C(CoriolisFamily::newton_euler), f.C);
                    // (29), and its symmetric part: what the inertias turn past each joint.
                    sides.clause("ploen:29/difference");
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K, f.N - f.N.transpose() - S(2) * defect);
                    sides.rival("the factor two of the last term is lost", [&](auto& wrong) {
                      add_rates_of_mass<S>(wrong, x.model, mass.M, turning, K, f.N - f.N.transpose() - defect);
                    });
                    sides.clause("ploen:29/not-skew");
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K + K.transpose(),
                                         S(-2) * (defect + defect.transpose()));
                    sides.rival("it is skew-symmetric", [&](auto& wrong) {
                      add_rates_of_mass<S>(wrong, x.model, mass.M, turning, K, -K.transpose());
                    });
                  },
              .applies = has_few_bodies});
  r.identity({.name = "christoffel_symbols_give_the_C_of_the_christoffel_family",
              .keys = {"ploen:2/sum", "ploen:2/skew", "ploen:3"},
              .symbols = "CoriolisMatrix InertiaMetric::C InertiaMetric::christoffel",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int n = x.model.nv();
                    std::vector<MatrixX<S>> dM;
                    for (int k = 0; k < n; ++k) dM.push_back(MassAlong<S>(x.model, x.q, VectorX<S>::Unit(n, k)).rate);
                    const auto symbol = [&](int i, int j, int k) {  // (3)
                      return S((dM[k](i, j) + dM[j](i, k) - dM[i](j, k)) / S(2));
                    };
                    const auto sum = [&](const auto& term) {
                      MatrixX<S> C = MatrixX<S>::Zero(n, n);
                      for (int k = 0; k < n; ++k)
                        for (int i = 0; i < n; ++i)
                          for (int j = 0; j < n; ++j) C(i, j) += term(i, j, k) * x.qd(k);
                      return C;
                    };
                    const MatrixX<S> C = sum(symbol);  // (2)
                    const MatrixX<S> Mdot = sum([&](int i, int j, int k) { return dM[k](i, j); });
                    CompositeBodies<S> bodies(x.model);
                    const MatrixX<S> M = bodies(x.q);
                    const S turning = fastest_turn(x.kinematics);
                    CoriolisMatrix<S> recursion(x.model, CoriolisFamily::christoffel);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    sides.clause("ploen:2/sum");
                    add_rates_of_mass<S>(sides, x.model, M, turning, recursion(x.q, x.qd), C);
                    add_rates_of_mass<S>(sides, x.model, M, turning, metric.C(x.qd), C);
                    sides.rival("the rates meet the first index", [&](auto& wrong) {
                      const auto first = [&](int i, int j, int k) { return symbol(k, i, j); };
                      add_rates_of_mass<S>(wrong, x.model, M, turning, metric.C(x.qd), sum(first));
                    });
                    // The same product with the rates: the derivatives by q_k and q_j are one under the sum.
                    sides.clause("ploen:2/skew");
                    add_rates_of_mass<S>(sides, x.model, M, turning, Mdot, C + C.transpose());
                    sides.rival("the first two derivatives are added up", [&](auto& wrong) {
                      const MatrixX<S> other =
                          sum([&](int i, int j, int k) { return S(dM[k](i, j) - dM[i](j, k) / S(2)); });
                      add_rates_of_mass<S>(wrong, x.model, M, turning, Mdot, other + other.transpose());
                    });
                    // Each symbol times its three rates is a power.
                    const auto powers = [&](const auto& term) {
                      MatrixX<S> all(n, n * n);
                      for (int i = 0; i < n; ++i)
                        for (int j = 0; j < n; ++j)
                          for (int k = 0; k < n; ++k) all(i, n * j + k) = term(i, j, k) * x.qd(i) * x.qd(j) * x.qd(k);
                      return all;
                    };
                    const S power = turning * inner_product<S>(x.qd, M * x.qd);
                    const auto own = [&](int i, int j, int k) { return metric.christoffel(j, k, i); };
                    sides.clause("ploen:3");
                    sides.add(powers(own), powers(symbol), power);
                    sides.rival("the derivative by the first coordinate is added", [&](auto& wrong) {
                      const auto added = [&](int i, int j, int k) { return S(symbol(i, j, k) + dM[i](j, k)); };
                      wrong.add(powers(own), powers(added), power);
                    });
                    sides.rival("the last index is the lowered one", [&](auto& wrong) {
                      wrong.add(powers(own), powers([&](int i, int j, int k) { return symbol(k, i, j); }), power);
                    });
                  },
              .applies =
                  [](const Model<double>& model) {
                    for (const JointSlot& joint : model.joints())
                      if (joint.nq != joint.nv) return false;
                    return is_small(model);
                  }});
}

/// The robot with other masses: all numbers of its links are drawn.
template <typename S>
Mechanism with_drawn_masses(const Specimen<S>& x)
{
  Mechanism other = x.inputs.mechanism;
  const std::vector<double>& number = x.inputs.free_numbers;
  std::size_t next = 0;
  const auto draw = [&] { return number[next++ % number.size()]; };
  for (Link& link : other.links) {
    link.mass = 2 + draw();
    for (double& c : link.center_of_mass) c = draw();
    for (double& entry : link.inertia) entry = draw();
    for (const int diagonal : {0, 3, 5}) link.inertia[diagonal] += 3;
  }
  return other;
}

template <typename S>
void regressor(Registry<S>& r)
{
  r.identity({.name = "joint_forces_and_energies_are_linear_in_ten_numbers_of_each_body",
              .keys = {"park:44/parameters"},
              .symbols = "Regressor inertial_parameters Inertia::basis ReferenceMotion::carry",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                Regressor<S> Y(x.model);
                const MatrixX<S>& at = Y(x.q, x.qd, x.qdd);
                // The regressor of a robot serves every robot with the same joints, whatever its masses.
                const Model<S> other(Model<double>(with_drawn_masses(x), {x.inputs.options.floating_base, true}));
                const VectorX<S> own = inertial_parameters(x.model), others = inertial_parameters(other);
                sides.add_by_unit(x.model, VectorX<S>(at * own), witness_forces<S>(x, x.qd, x.qdd, x.gravity));
                witness::VectorNewtonEuler<S> witness(with_drawn_masses(x), x.inputs.options.floating_base);
                sides.add_by_unit(x.model, VectorX<S>(at * others),
                                  witness.inverse_dynamics(x.q, x.qd, x.qdd, x.gravity.eigen()));
                const auto energies = [&](const VectorX<S>& parameters, const witness::VectorNewtonEuler<S>& links) {
                  sides.add(inner_product<S>(Y.kinetic(), parameters), links.kinetic_energy());
                  const VectorX<S> terms = Y.potential().cwiseProduct(parameters).cwiseAbs();
                  sides.add(inner_product<S>(Y.potential(), parameters), links.potential_energy(x.gravity.eigen()),
                            largest<S>(terms));
                };
                energies(own, x.newton_euler());
                energies(others, witness);
                sides.rival("the inertias are those about the centres of mass", [&](auto& wrong) {
                  const VectorX<S> central = inertial_parameters(with_offsets_counted(x.model, 0));
                  wrong.add_by_unit(x.model, VectorX<S>(at * central), witness_forces<S>(x, x.qd, x.qdd, x.gravity));
                });
              }});
  r.identity({.name = "a_regressor_with_reference_rates_gives_the_forces_of_its_family",
              .keys = {"park:44/parameters", "ploen:35/recursion"},
              .symbols = "Regressor ReferenceDynamics",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const VectorX<S> qd_r = x.tau / S(10), pi = inertial_parameters(x.model);
                for (const CoriolisFamily family : families) {
                  Regressor<S> Y(x.model, family);
                  ReferenceDynamics<S> reference(x.model, family);
                  const VectorX<S> tau = reference(x.q, x.qd, qd_r, x.qdd);
                  sides.add_by_unit(x.model, VectorX<S>(Y(x.q, x.qd, qd_r, x.qdd) * pi), tau);
                  sides.rival("the true rates and those of the reference are exchanged", [&](auto& wrong) {
                    wrong.add_by_unit(x.model, VectorX<S>(Y(x.q, qd_r, x.qd, x.qdd) * pi), tau);
                  });
                }
              }});
  r.identity({.name = "a_joint_feels_the_masses_behind_it_and_no_others",
              .keys = {"park:44/parameters"},
              .symbols = "Regressor",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    // What the witness says of the joints, with all mass taken from every link but those of one body.
                    Regressor<S> regressor(x.model);
                    const MatrixX<S>& Y = regressor(x.q, x.qd, x.qdd);
                    const VectorX<S> pi = inertial_parameters(x.model);
                    MatrixX<S> by_body(x.model.nv(), x.bodies()), alone(x.model.nv(), x.bodies());
                    MatrixX<S> shifted = MatrixX<S>::Zero(x.model.nv(), x.bodies());
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const MatrixX<S> of_the_body = Y.template middleCols<10>(10 * i - 10);
                      by_body.col(i - 1) = of_the_body * pi.template segment<10>(10 * i - 10);
                      if (const int parent = x.model.body(i).parent; parent > 0)
                        shifted.col(i - 1) = of_the_body * pi.template segment<10>(10 * parent - 10);
                      Mechanism bare = x.inputs.mechanism;
                      for (const LinkFrame<S>& link : x.model.links())
                        if (link.body != i) {
                          Link& other = bare.links[x.mechanism_index(link.name)];
                          other.mass = 0, other.inertia = {};
                        }
                      witness::VectorNewtonEuler<S> witness(bare, x.inputs.options.floating_base);
                      alone.col(i - 1) = witness.inverse_dynamics(x.q, x.qd, x.qdd, x.gravity.eigen());
                    }
                    const auto compare = [&](auto& to, const MatrixX<S>& felt) {
                      for (const bool angular : {true, false}) {
                        std::vector<int> rates;
                        for (int k = 0; k < x.model.nv(); ++k)
                          if (x.model.rate_is_angular(k) == angular) rates.push_back(k);
                        if (!rates.empty()) to.add(felt(rates, Eigen::all), alone(rates, Eigen::all));
                      }
                    };
                    compare(sides, by_body);
                    sides.rival("the numbers of a body are those of the one before it",
                                [&](auto& wrong) { compare(wrong, shifted); });
                  },
              .applies = is_small});
}

/// The rate of G along the motion of a chain, from its poses.
template <typename S>
MatrixX<S> rate_of_G(const DrawnMotion<S>& drawn)
{
  const Chain<S>& chain = drawn.chain;
  const Model<Series<S>> model(chain.model);
  const int n = chain.model.nv();
  std::vector<SE3<Series<S>>> pose(n + 1);
  VectorX<Series<S>> x(n);
  for (int k = 0; k < n; ++k) x(k) = chain.x(k) + time_series<S>() * chain.xd(k);
  for (int i = 1; i <= n; ++i) pose[i] = pose[i - 1] * joint_pose(model.body(i), x.data() + i - 1);
  return of_pairs<S>(chain.model, [&](int j, int i) {
    const Matrix6<Series<S>> along = Ad_matrix(inverse(pose[i]) * pose[j]);
    Matrix6<S> A;
    for (int a = 0; a < 6; ++a)
      for (int b = 0; b < 6; ++b) A(a, b) = derivative(along(a, b), 1);
    return A;
  });
}

template <typename S>
void errata_of_closed_forms(Registry<S>& r)
{
  // Which way the base has to accelerate.
  const auto weight = [](const Specimen<S>& x, const S& sign) {
    Sides<S> sides;
    const GlobalMatrices<S> m(x.inverse, x.qd);
    Vector6<S> a0 = Vector6<S>::Zero();
    a0.template tail<3>() = sign * x.gravity.eigen();
    const VectorX<S> phi = m.S.transpose() * (m.G.transpose() * (m.J * (m.G * (m.P_0 * a0))));
    sides.add_by_unit(x.model, phi, witness_gravity(x));
    return sides;
  };
  r.erratum({.id = "E-ploen-5",
             .keys = {"ploen:23", "ploen:26", "ploen:38"},
             .margin = 1,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(weight(x, S(1))); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(weight(x, S(-1))); }});
  // The dots are lost, Gamma is taken for an r, and the minus sign does not show.
  const auto rate = [](const Specimen<S>& x, const auto& said) {
    Sides<S> sides;
    const DrawnMotion<S> drawn(x);
    const GlobalMatrices<S> m(drawn.motion, drawn.chain.xd);
    add_carriers(sides, MatrixX<S>(said(m)), rate_of_G(drawn), fastest_turn(drawn.motion), S(0));
    return sides;
  };
  const auto equation_27 = [](const GlobalMatrices<S>& m) { return MatrixX<S>(m.G * m.ad_Sqd * m.Gamma * m.G); };
  r.erratum({.id = "E-ploen-6",
             .keys = {"ploen:27"},
             .margin = 0.1,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) {
                           sides.append(
                               rate(x, [=](const GlobalMatrices<S>& m) { return MatrixX<S>(-equation_27(m)); }));
                         },
                         [=](const Specimen<S>& x, Sides<S>& sides) {
                           sides.append(rate(x, [](const GlobalMatrices<S>& m) { return m.G; }));
                         }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(rate(x, equation_27)); }});
  // What two sums have in common is a product with the rates, and many matrices give it: one of rank one does.
  r.erratum({.id = "E-ploen-7",
             .keys = {"ploen:27"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) {
               const VectorX<S> qd = drawn_chain(x).xd;
               sides.append(rate(x, [&](const GlobalMatrices<S>& m) {
                 const VectorX<S> y = m.S * qd, product = equation_27(m) * y;
                 return MatrixX<S>(product * y.transpose() / inner_product<S>(y, y));
               }));
             }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(rate(x, equation_27));
               const DrawnMotion<S> drawn(x);
               const GlobalMatrices<S> m(drawn.motion, drawn.chain.xd);
               const VectorX<S> y = m.S * drawn.chain.xd, product = equation_27(m) * y;
               const MatrixX<S> of_rank_one = product * y.transpose() / inner_product<S>(y, y);
               sides.add(VectorX<S>(of_rank_one * y), product);
             }});
  // The series as the scan has it: the dots gone, the exponent an index, for which the last block of Gamma stands.
  const auto series = [](const Specimen<S>& x, bool printed) {
    Sides<S> sides;
    const DrawnMotion<S> drawn(x);
    const GlobalMatrices<S> m(drawn.motion, drawn.chain.xd);
    MatrixX<S> sum = sum_of_powers(m.Gamma, drawn.chain.model.bodies());
    if (printed) {
      sum = MatrixX<S>::Identity(m.G.rows(), m.G.cols()) + m.Gamma;
      sum.bottomRows(6) += m.Gamma.bottomRows(6);
    }
    add_carriers(sides, sum, of_pairs<S>(drawn.chain.model, [&](int j, int i) {
                   SE3<S> f;
                   for (int k = j + 1; k <= i; ++k) f = f * drawn.motion.T[k];
                   return Ad_matrix(inverse(f));
                 }));
    return sides;
  };
  r.erratum({.id = "E-ploen-9",
             .keys = {"ploen:G"},
             .margin = 0.1,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(series(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(series(x, false)); }});
  // Both claims of the print hold: C of (25) makes no skew matrix, and the true rates do not notice.
  const auto skewness = [](const Specimen<S>& x, bool for_all_rates) {
    Sides<S> sides;
    const DrawnMotion<S> drawn(x);
    const Chain<S>& chain = drawn.chain;
    const MassAlong<S> mass(chain.model, chain.x, chain.xd);
    const MatrixX<S> C = original(drawn.motion, chain.xd).C;
    const S turning = fastest_turn(drawn.motion);
    if (for_all_rates)
      add_rates_of_mass<S>(sides, chain.model, mass.M, turning, mass.rate, C + C.transpose());
    else
      sides.add(inner_product<S>(chain.xd, mass.rate * chain.xd), S(S(2) * inner_product<S>(chain.xd, C * chain.xd)),
                S(turning * inner_product<S>(chain.xd, mass.M * chain.xd)));
    return sides;
  };
  r.erratum({.id = "E-ploen-11",
             .keys = {"ploen:25", "ploen:29"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(skewness(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(skewness(x, false)); }});
}

}  // namespace

template <typename S>
void lagrange_identities(Registry<S>& r)
{
  carriers(r);
  motion(r);
  closed_forms(r);
  coriolis(r);
  regressor(r);
  errata_of_closed_forms(r);
}

template void lagrange_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
