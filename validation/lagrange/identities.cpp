/** \file
 *  \brief Proofs of chapter lagrange: Ploen, sections 1, 3.2, 4 and 5, \eq{ploen,1} to \eq{ploen,3}, \eq{ploen,19} to
 *  \eq{ploen,29}, \eq{ploen,36}, \eq{ploen,38}, and the regressor.
 *
 *  Ploen writes chains of one-degree joints. On a tree his i-1 is the parent of body i; a joint whose columns move adds
 *  \f$\dot S\f$, which is zero for his.
 */
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <ledger/calculus.hpp>
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
  const Eigen::Index N = left.rows() / 6;
  std::vector<int> rows[2];
  for (Eigen::Index i = 0; i < 6 * N; ++i) rows[i % 6 < 3 ? 0 : 1].push_back(static_cast<int>(i));
  for (const int a : {0, 1})
    for (const int b : {0, 1})
      sides.add(left(rows[a], rows[b]), right(rows[a], rows[b]), a == 1 && b == 0 ? arms : turns);
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

/// \f$\Ad_{f_{j,i}^{-1}}\f$ along the motion, or its derivative, from the poses in the world.
template <typename S>
Matrix6<S> carried(const Specimen<S>& x, int j, int i, int order)
{
  const auto& pose = x.along_motion().pose;
  const Matrix6<Series<S>> along = Ad_matrix(inverse(pose[i]) * pose[j]);
  Matrix6<S> A;
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b) A(a, b) = derivative(along(a, b), order);
  return A;
}

/// The sum of all powers of Gamma, those that are zero left out.
template <typename S>
MatrixX<S> sum_of_powers(const MatrixX<S>& Gamma)
{
  MatrixX<S> sum = MatrixX<S>::Identity(Gamma.rows(), Gamma.cols()), power = sum;
  for (Eigen::Index i = 0; i < Gamma.rows() / 6 && !power.isZero(0); ++i) {
    power = Gamma * power;
    sum += power;
  }
  return sum;
}

template <typename S>
void carriers(Registry<S>& r)
{
  r.identity({.name = "G_carries_the_twist_of_every_body_to_all_that_it_carries",
              .keys = {"ploen:G"},
              .symbols = "GlobalMatrices::G GlobalMatrices::Gamma",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const GlobalMatrices<S> m(x.inverse, x.qd);
                add_carriers(sides, m.G, of_pairs<S>(x.model, [&](int j, int i) { return carried(x, j, i, 0); }));
              }});
  r.identity({.name = "the_inverse_of_one_less_gamma_is_a_finite_sum_of_powers",
              .keys = {"ploen:G"},
              .symbols = "GlobalMatrices::G GlobalMatrices::Gamma",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    add_carriers(sides, m.G, sum_of_powers(m.Gamma));
                    const MatrixX<S> one = MatrixX<S>::Identity(m.G.rows(), m.G.cols());
                    const S arms = largest<S>(m.G);
                    add_carriers(sides, MatrixX<S>(m.G - m.Gamma * m.G), one, S(1), arms);
                    add_carriers(sides, MatrixX<S>(m.G - m.G * m.Gamma), one, S(1), arms);
                  },
              .applies = has_few_bodies});
  r.identity({.name = "G_changes_as_gamma_does_between_two_G",
              .keys = {"ploen:27"},
              .symbols = "GlobalMatrices::Gdot GlobalMatrices::ad_Sqd",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const GlobalMatrices<S> m(x.inverse, x.qd);
                    const MatrixX<S> Gdot = of_pairs<S>(x.model, [&](int j, int i) { return carried(x, j, i, 1); });
                    const MatrixX<S> Gamma_dot = m.ad_Sqd * m.Gamma;
                    const S turning = fastest_turn(x.kinematics), arms = largest<S>(Gdot);
                    add_carriers(sides, m.Gdot(), Gdot, turning, arms);
                    add_carriers(sides, MatrixX<S>(m.G * (Gamma_dot * m.G)), Gdot, turning, arms);
                    // The rate of Gamma itself: its blocks are those of G next to the diagonal.
                    const MatrixX<S> along = of_pairs<S>(x.model, [&](int j, int i) {
                      return j == x.model.body(i).parent ? carried(x, j, i, 1) : Matrix6<S>(Matrix6<S>::Zero());
                    });
                    add_carriers(sides, Gamma_dot, along, turning, arms);
                  },
              .applies = has_few_bodies});
}

template <typename S>
void motion(Registry<S>& r)
{
  r.identity({.name = "all_twists_and_their_rates_by_global_matrices_also_on_a_base_that_moves",
              .keys = {"ploen:19", "ploen:20"},
              .symbols = "GlobalMatrices::S GlobalMatrices::Sdot GlobalMatrices::P_0 GlobalMatrices::ad_Sqd",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const GlobalMatrices<S> m(x.inverse, x.qd);
                const Twist<S> V0 = x.twist(0), V0dot = x.twist(6);
                const Vector6<S> v0 = coordinates(V0), a0 = coordinates(V0dot);
                const VectorX<S> V = m.G * (m.S * x.qd) + m.G * (m.P_0 * v0);  // (19)
                const VectorX<S> Vdot = m.G * (m.S * x.qdd) + m.G * (m.Sdot * x.qd) + m.G * (m.ad_Sqd * (m.Gamma * V)) +
                                        m.G * (m.ad_Sqd * (m.P_0 * v0)) + m.G * (m.P_0 * a0);  // (20)

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
                sides.add(by_body(V), seen);
                sides.add(by_body(Vdot), seen_rate);
              }});
  r.identity({.name = "all_wrenches_and_joint_forces_by_global_matrices_are_those_of_the_witness",
              .keys = {"ploen:21", "ploen:22", "ploen:23"},
              .symbols = "GlobalMatrices::G GlobalMatrices::J GlobalMatrices::phi",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
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
                const VectorX<S> F = m.G.transpose() * (m.J * Vdot) + m.G.transpose() * turning;  // (21)
                sides.add_by_unit(x.model, VectorX<S>(m.S.transpose() * F), tau);                 // (22)
                // Through each joint, in the frame of the link that it carries; that of the recursion has loads too.
                InverseDynamics<S> unloaded(x.model);
                unloaded(x.q, x.qd, x.qdd);
                std::vector<Wrench<S>> by_matrices, by_recursion;
                for (int i = 1; i <= x.bodies(); ++i) {
                  by_matrices.push_back(to_wrench(F.template segment<6>(6 * i - 6)));
                  by_recursion.push_back(unloaded.F[i]);
                }
                sides.add(by_matrices, by_recursion);
                // (23): what accelerations need, what rates need, what weight needs.
                const VectorX<S> inertial = m.S.transpose() * (m.G.transpose() * (m.J * (m.G * (m.S * x.qdd))));
                const VectorX<S> rates_alone = m.G * (m.ad_Sqd * (m.Gamma * V) + m.Sdot * x.qd);
                const VectorX<S> coriolis = m.S.transpose() * (m.G.transpose() * (m.J * rates_alone + turning));
                const VectorX<S> terms = coriolis_terms(x, x.qd);
                sides.add_by_unit(x.model, coriolis, witness_coriolis(x), terms);
                sides.add_by_unit(x.model, VectorX<S>(inertial + coriolis + m.phi()), tau);
              }});
  r.identity({.name = "weight_on_the_joints_is_the_gradient_of_the_potential_energy",
              .keys = {"ploen:26", "ploen:38"},
              .symbols = "GlobalMatrices::phi GlobalMatrices::P_0",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const GlobalMatrices<S> m(x.inverse, x.qd);
                Vector6<S> a0 = Vector6<S>::Zero();
                a0.template tail<3>() = -x.gravity.eigen();
                const VectorX<S> phi = m.S.transpose() * (m.G.transpose() * (m.J * (m.G * (m.P_0 * a0))));
                sides.add_by_unit(x.model, m.phi(), phi);
                sides.add_by_unit(x.model, phi, witness_gravity(x));
                const S power = derivative(x.along_motion().potential_energy(constant(x.gravity)), 1);
                sides.add(inner_product<S>(phi, x.qd), power, inner_product<S>(phi.cwiseAbs(), x.qd.cwiseAbs()));
              }});
}

template <typename S>
void closed_forms(Registry<S>& r)
{
  r.identity({.name = "composite_bodies_give_the_mass_matrix_of_the_witness",
              .keys = {"ploen:1", "ploen:24"},
              .symbols = "CompositeBodies",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    CompositeBodies<S> bodies(x.model);
                    sides.add_by_unit(x.model, bodies(x.q), x.witness_mass_matrix());
                  },
              .applies = is_small});
  r.identity({.name = "joint_forces_are_M_qdd_and_C_qd_and_phi_with_M_of_a_sum_of_squares",
              .keys = {"ploen:1"},
              .symbols = "CompositeBodies CoriolisMatrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                CompositeBodies<S> bodies(x.model);
                const MatrixX<S>& M = bodies(x.q);
                CoriolisMatrix<S> C(x.model);
                const VectorX<S> tau = M * x.qdd + C(x.q, x.qd) * x.qd + witness_gravity(x);
                sides.add_by_unit(x.model, tau, witness_forces<S>(x, x.qd, x.qdd, x.gravity));
                // M is symmetric, and positive: twice the kinetic energy is a sum of squares over the links.
                sides.add_by_unit(x.model, M, MatrixX<S>(M.transpose()));
                sides.add(inner_product<S>(x.qd, M * x.qd), S(S(2) * x.newton_euler().kinetic_energy()));
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
                    sides.add_by_unit(x.model, M, x.witness_mass_matrix());
                    sides.add_by_unit(x.model, m.M(), M);
                    // (28), and what is added where the columns of S move
                    const MatrixX<S> carried =
                        m.Gamma.transpose() * (m.ad_Sqd.transpose() * (m.G.transpose() * (m.J * GS)));
                    const MatrixX<S> half =
                        GS.transpose() * carried + m.Sdot.transpose() * (m.G.transpose() * (m.J * GS));
                    const S turning = fastest_turn(x.kinematics);
                    add_rates_of_mass<S>(sides, x.model, M, turning, half + half.transpose(), mass.rate);
                    add_rates_of_mass<S>(sides, x.model, M, turning, m.Mdot(), mass.rate);
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
              .keys = {"ploen:25", "ploen:29"},
              .symbols = "GlobalMatrices::C CoriolisMatrix coriolis_wrench",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ClosedForms<S> f = original(x.inverse, x.qd);
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    const VectorX<S> terms = coriolis_terms(x, x.qd);
                    sides.add_by_unit(x.model, VectorX<S>(f.C * x.qd), witness_coriolis(x), terms);
                    CoriolisMatrix<S> recursion(x.model, CoriolisFamily::newton_euler);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, recursion(x.q, x.qd), f.C);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, f.m.C(CoriolisFamily::newton_euler), f.C);
                    // (29), and its symmetric part: what the inertias turn past each joint.
                    const MatrixX<S> K = mass.rate - S(2) * f.C, defect = f.GS.transpose() * (f.C_bar * f.GS);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K, f.N - f.N.transpose() - S(2) * defect);
                    add_rates_of_mass<S>(sides, x.model, mass.M, turning, K + K.transpose(),
                                         S(-2) * (defect + defect.transpose()));
                  },
              .applies = has_few_bodies});
  r.identity({.name = "christoffel_symbols_give_the_C_of_the_christoffel_family",
              .keys = {"ploen:2", "ploen:3"},
              .symbols = "CoriolisMatrix InertiaMetric::C InertiaMetric::christoffel",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int n = x.model.nv();
                    std::vector<MatrixX<S>> dM;
                    for (int k = 0; k < n; ++k) dM.push_back(MassAlong<S>(x.model, x.q, VectorX<S>::Unit(n, k)).rate);
                    MatrixX<S> C = MatrixX<S>::Zero(n, n), Mdot = C;
                    for (int k = 0; k < n; ++k) {
                      Mdot += x.qd(k) * dM[k];
                      for (int i = 0; i < n; ++i)
                        for (int j = 0; j < n; ++j)  // (3) into (2)
                          C(i, j) += (dM[k](i, j) + dM[j](i, k) - dM[i](j, k)) / S(2) * x.qd(k);
                    }
                    CompositeBodies<S> bodies(x.model);
                    const MatrixX<S> M = bodies(x.q);
                    const S turning = fastest_turn(x.kinematics);
                    CoriolisMatrix<S> recursion(x.model, CoriolisFamily::christoffel);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    add_rates_of_mass<S>(sides, x.model, M, turning, recursion(x.q, x.qd), C);
                    add_rates_of_mass<S>(sides, x.model, M, turning, metric.C(x.qd), C);
                    add_rates_of_mass<S>(sides, x.model, M, turning, Mdot, C + C.transpose());
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
              }});
  r.identity({.name = "a_regressor_with_reference_rates_gives_the_forces_of_its_family",
              .keys = {"park:44/parameters", "ploen:35"},
              .symbols = "Regressor ReferenceDynamics",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const VectorX<S> qd_r = x.tau / S(10), pi = inertial_parameters(x.model);
                for (const CoriolisFamily family : families) {
                  Regressor<S> Y(x.model, family);
                  ReferenceDynamics<S> reference(x.model, family);
                  sides.add_by_unit(x.model, VectorX<S>(Y(x.q, x.qd, qd_r, x.qdd) * pi),
                                    reference(x.q, x.qd, qd_r, x.qdd));
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
                    for (int i = 1; i <= x.bodies(); ++i) {
                      by_body.col(i - 1) =
                          Y.template middleCols<10>(10 * i - 10) * pi.template segment<10>(10 * i - 10);
                      Mechanism bare = x.inputs.mechanism;
                      for (const LinkFrame<S>& link : x.model.links())
                        if (link.body != i) {
                          Link& other = bare.links[x.mechanism_index(link.name)];
                          other.mass = 0, other.inertia = {};
                        }
                      witness::VectorNewtonEuler<S> witness(bare, x.inputs.options.floating_base);
                      alone.col(i - 1) = witness.inverse_dynamics(x.q, x.qd, x.qdd, x.gravity.eigen());
                    }
                    for (const bool angular : {true, false}) {
                      std::vector<int> rates;
                      for (int k = 0; k < x.model.nv(); ++k)
                        if (x.model.rate_is_angular(k) == angular) rates.push_back(k);
                      if (!rates.empty()) sides.add(by_body(rates, Eigen::all), alone(rates, Eigen::all));
                    }
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
    MatrixX<S> sum = sum_of_powers(m.Gamma);
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
