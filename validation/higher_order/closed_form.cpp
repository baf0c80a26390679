/** \file
 *  \brief Proofs of chapter higher_order: the closed forms of Ali, Gabellieri and Franchi, \eq{ali,10} to \eq{ali,19},
 *  \eq{ali,21}, \eq{ali,31} to \eq{ali,40}, Table 2, Proposition 1 and Lemma 1.
 *
 *  Everything is proved twice where the base is free: with its body twist for a velocity, as everywhere in this library,
 *  and with its spatial twist, as in the paper.
 */
#include <articulate/higher_order/closed_form.hpp>
#include <ledger/calculus.hpp>
#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {
namespace {

/** \brief A motion of a robot in the rates \f$\nu\f$ of which \f$\dot q = T\nu\f$.
 *
 *  The six velocities of a free base are its body twist, and then \f$T\f$ is the identity, or its spatial twist.
 */
template <typename S>
struct SpatialCase {
  const Model<S>* model;
  VectorX<S> q;
  MatrixX<S> rates;  ///< n x 3: \f$\dot q, \ddot q, \dddot q\f$
  bool is_spatial;
  ExternalWrenches<S> Fext, Fext_dot;
  SE3<S> C_1;          ///< the pose of the base
  Twist<S> V_1;        ///< its body twist
  VectorX<S> nuddot;   ///< n
  MatrixX<S> T, Tdot;  ///< n x n
  SpatialForm<S> form;

  SpatialCase(const Model<S>& model, const VectorX<S>& q, const MatrixX<S>& rates, BaseTwist base,
              const ExternalWrenches<S>& Fext, const ExternalWrenches<S>& Fext_dot)
      : model(&model),
        q(q),
        rates(rates),
        is_spatial(base == BaseTwist::spatial),
        Fext(Fext),
        Fext_dot(Fext_dot),
        form(run(model, base))
  {
  }

  /// \f$T^{\mathsf T}\tau\f$: forces in the new rates.
  VectorX<S> seen(VectorX<S> tau) const
  {
    if (is_spatial) tau.template head<6>() = coordinates(coAdInv(C_1, to_wrench(tau.template head<6>())));
    return tau;
  }
  /// \f$T^{\mathsf T}XT\f$.
  MatrixX<S> seen(const MatrixX<S>& X) const { return is_spatial ? MatrixX<S>(T.transpose() * (X * T)) : X; }

  /// \f$D = T^{\mathsf T}MT\f$ and its rate, of the mass matrix and its rate.
  MatrixX<S> seen_rate(const MatrixX<S>& M, const MatrixX<S>& Mdot) const
  {
    if (!is_spatial) return Mdot;
    const MatrixX<S> half = Tdot.transpose() * (M * T);
    return seen(Mdot) + half + half.transpose();
  }
  /// \f$T^{\mathsf T}(CT + M\dot T)\f$, which takes \f$\nu\f$ to Coriolis forces as C takes \f$\dot q\f$.
  MatrixX<S> seen_coriolis(const MatrixX<S>& M, const MatrixX<S>& C) const
  {
    return is_spatial ? MatrixX<S>(seen(C) + T.transpose() * (M * Tdot)) : C;
  }

private:
  /// Algorithms 1 and 2 of order 1 in the new rates.
  SpatialForm<S> run(const Model<S>& model, BaseTwist base)
  {
    const int n = model.nv();
    SpatialForm<S> algorithms(model, 1, std::vector<bool>(n, true), base);
    MatrixX<S> nu = rates;
    T = MatrixX<S>::Identity(n, n), Tdot = MatrixX<S>::Zero(n, n);
    if (is_spatial) {
      C_1 = joint_pose(model.body(1), q.data());
      V_1 = to_twist(rates.col(0).template head<6>());
      std::vector<Twist<S>> V;
      for (int k = 0; k < 3; ++k) V.push_back(to_twist(rates.col(k).template head<6>()));
      const std::vector<Twist<S>> spatial = to_spatial(C_1, V);
      for (int k = 0; k < 3; ++k) nu.col(k).template head<6>() = coordinates(spatial[k]);
      const Matrix6<S> back = Ad_matrix(inverse(C_1));
      T.template topLeftCorner<6, 6>() = back;
      Tdot.template topLeftCorner<6, 6>() = -ad_matrix(V_1) * back;  // (6)
    }
    nuddot = nu.col(2);
    algorithms.rates = nu;
    algorithms.run(q, {Fext, Fext_dot});
    return algorithms;
  }
};

/// The same with the closed forms there.
template <typename S>
struct StackedCase : SpatialCase<S> {
  using SpatialCase<S>::SpatialCase;
  StackedMatrices<S> m{this->form};
};

/// The motion of a case, whose third derivative is drawn as its forces are, in the rates of the library and of the paper.
template <template <typename> class Case = StackedCase, typename S>
std::vector<Case<S>> stacked_cases(const Specimen<S>& x)
{
  MatrixX<S> rates(x.model.nv(), 3);
  rates << x.qd, x.qdd, x.tau / S(4);
  ExternalWrenches<S> Fext_dot(x.bodies() + 1);
  for (int i = 1; i <= x.bodies(); ++i) Fext_dot[i] = x.wrench((6 * i) % 120);
  std::vector<Case<S>> cases;
  cases.emplace_back(x.model, x.q, rates, BaseTwist::body, x.Fext, Fext_dot);
  if (x.model.body(1).kind == JointKind::free)
    cases.emplace_back(x.model, x.q, rates, BaseTwist::spatial, x.Fext, Fext_dot);
  return cases;
}

/// Which part of the motion, and which forces, an inverse dynamics is to see.
struct Seen {
  bool motion = true, weight = true, wrenches = true;
};

/// Numbers and their rates, two columns.
template <typename S>
MatrixX<S> with_rate(const VectorX<Dual<S>>& x)
{
  MatrixX<S> both(x.size(), 2);
  for (int k = 0; k < x.size(); ++k) both(k, 0) = derivative(x(k), 0), both(k, 1) = derivative(x(k), 1);
  return both;
}

/// \f$Q\f$ and \f$\dot Q\f$, n x 2, along the motion by plain inverse dynamics in dual numbers.
template <typename S>
MatrixX<S> forces_along(const SpatialCase<S>& c, const Seen& seen)
{
  using D = Dual<S>;
  const D t = dual_parameter<S>();
  const Model<D> model(*c.model);
  const int n = model.nv();
  VectorX<D> step(n), qd = VectorX<D>::Zero(n), qdd = VectorX<D>::Zero(n);
  for (int k = 0; k < n; ++k) {
    step(k) = t * c.rates(k, 0);
    if (!seen.motion) continue;
    qd(k) = c.rates(k, 0) + t * c.rates(k, 1);
    qdd(k) = c.rates(k, 1) + t * c.rates(k, 2);
  }
  ExternalWrenches<D> Fext(c.Fext.size());
  for (std::size_t i = 0; i < Fext.size() && seen.wrenches; ++i)
    for (int k = 0; k < 3; ++k) {
      Fext[i].m[k] = c.Fext[i].m[k] + t * c.Fext_dot[i].m[k];
      Fext[i].f[k] = c.Fext[i].f[k] + t * c.Fext_dot[i].f[k];
    }
  InverseDynamics<D> recursion(model);
  if (!seen.weight) recursion.set_gravity({});
  VectorX<D> Q = recursion(displaced<D>(model, c.q.template cast<D>(), step), qd, qdd, Fext);
  if (c.is_spatial) Q.template head<6>() = coordinates(coAdInv(recursion.T[1], to_wrench(Q.template head<6>())));
  return with_rate<S>(Q);
}

/** \brief Numbers in six rows for each body: those about turning are one group, those about sliding another.
 *  \param terms  the sizes of what both sides are sums of, which may cancel
 */
template <typename S>
void add_stacked(Sides<S>& sides, const MatrixX<S>& left, const MatrixX<S>& right, const MatrixX<S>& terms)
{
  for (const int half : {0, 1}) {
    std::vector<int> rows;
    for (int i = 0; i < left.rows(); ++i)
      if (i % 6 / 3 == half) rows.push_back(i);
    sides.add(left(rows, Eigen::all), right(rows, Eigen::all), largest<S>(terms(rows, Eigen::all)));
  }
}

/// Something of six rows for each body.
template <typename S, typename Function>
MatrixX<S> stacked(const Model<S>& model, int columns, const Function& six_rows)
{
  MatrixX<S> all = MatrixX<S>::Zero(6 * model.bodies(), columns);
  for (int i = 1; i <= model.bodies(); ++i) all.middleRows(6 * i - 6, 6) = six_rows(i);
  return all;
}

/// The diagonal blocks of a matrix, one on top of the other.
template <typename S>
MatrixX<S> blocks_of(const Model<S>& model, const MatrixX<S>& X)
{
  return stacked(model, 6, [&](int i) { return X.template block<6, 6>(6 * i - 6, 6 * i - 6); });
}

template <typename S>
void stacked_kinematics(Registry<S>& r)
{
  r.identity({.name = "P_reaches_each_body_and_all_that_carry_it_and_inverts_one_less_the_parents",
              .keys = {"ali:T2"},
              .symbols = "StackedMatrices::P StackedMatrices::J StackedMatrices::carried",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const StackedCase<S> c = stacked_cases(x).back();
                    const int N = x.bodies();
                    MatrixX<S> reach = MatrixX<S>::Zero(6 * N, 6 * N), inverted = reach;
                    for (int j = 1; j <= N; ++j) {
                      const int parent = x.model.body(j).parent;
                      inverted.middleRows(6 * j - 6, 6) = c.m.P.middleRows(6 * j - 6, 6);
                      if (parent != 0) inverted.middleRows(6 * j - 6, 6) -= c.m.P.middleRows(6 * parent - 6, 6);
                      for (int i = j; i > 0; i = x.model.body(i).parent)
                        reach.template block<6, 6>(6 * j - 6, 6 * i - 6).setIdentity();
                    }
                    sides.add(c.m.P, reach);
                    sides.add(inverted, MatrixX<S>(MatrixX<S>::Identity(6 * N, 6 * N)));
                    add_stacked<S>(sides, c.m.J, c.m.P * c.m.S, c.m.J.cwiseAbs());
                  },
              .applies = has_few_bodies});
  r.identity({.name = "screws_in_space_change_as_the_bodies_turn_them_and_those_of_the_base_do_not",
              .keys = {"ali:35", "ali:40"},
              .symbols = "StackedMatrices::S StackedMatrices::Sdot StackedMatrices::Sddot",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      MatrixX<S> along[3];
                      for (int order = 0; order < 3; ++order) {
                        along[order] = MatrixX<S>::Zero(c.m.S.rows(), c.m.S.cols());
                        for (int i = 1; i <= x.bodies(); ++i)
                          for (int k = 0; k < x.model.body(i).nv; ++k) {
                            const SE3<Series<S>>& pose = x.along_motion().pose[i];
                            Vector6<S> column = Vector6<S>::Unit(k % 6);
                            if (order > 0) column.setZero();
                            if (!c.is_spatial || i > 1)
                              column = coordinates(derivative(Ad(pose, x.along_motion().S[i].column(k)), order));
                            along[order].col(x.model.body(i).v + k).template segment<6>(6 * i - 6) = column;
                          }
                      }
                      const MatrixX<S> size = c.m.S.cwiseAbs(), turn = c.m.ad_V.cwiseAbs();
                      const MatrixX<S> turned = turn * size, terms = c.m.ad_Vdot.cwiseAbs() * size + turn * turned;
                      add_stacked<S>(sides, c.m.S, along[0], size);
                      add_stacked<S>(sides, c.m.Sdot, along[1], turned);
                      add_stacked<S>(sides, c.m.Sddot, along[2], terms);
                      // The formulas themselves, for joints of one degree.
                      MatrixX<S> rate = c.m.ad_V * c.m.S, second = c.m.ad_Vdot * c.m.S + c.m.ad_V * c.m.Sdot;
                      for (int i = 1; i <= x.bodies(); ++i)
                        if (const Body<S>& body = x.model.body(i); body.nv > 1) {
                          rate.middleCols(body.v, body.nv) = c.m.Sdot.middleCols(body.v, body.nv);
                          second.middleCols(body.v, body.nv) = c.m.Sddot.middleCols(body.v, body.nv);
                        }
                      add_stacked<S>(sides, rate, c.m.Sdot, turned);
                      add_stacked<S>(sides, second, c.m.Sddot, terms);
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "stacked_screws_give_all_spatial_twists_and_two_of_their_derivatives",
              .keys = {"ali:T2", "ali:33", "ali:34", "ali:39"},
              .symbols = "StackedMatrices::J StackedMatrices::Jdot StackedMatrices::Jddot StackedMatrices::V",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const Series<S> t = time_series<S>();
                      const Model<Series<S>>& model = x.series_model();
                      VectorX<Series<S>> step(model.nv()), rate(model.nv());
                      for (int k = 0; k < model.nv(); ++k) {
                        step(k) = t * c.rates(k, 0) + t * t * S(c.rates(k, 1) / 2);
                        rate(k) = c.rates(k, 0) + t * c.rates(k, 1) + t * t * S(c.rates(k, 2) / 2);
                      }
                      ForwardKinematics<Series<S>> bodies(model);
                      bodies(displaced<Series<S>>(model, x.q.template cast<Series<S>>(), step), rate);
                      MatrixX<S> V(6 * x.bodies(), 3);
                      for (int i = 1; i <= x.bodies(); ++i)
                        for (int k = 0; k < 3; ++k)
                          V.col(k).template segment<6>(6 * i - 6) =
                              coordinates(derivative(Ad(bodies.pose[i], bodies.V[i]), k));
                      const auto same = [&](const VectorX<S>& stacked, int k) {
                        add_stacked<S>(sides, stacked, V.col(k), V.col(k).cwiseAbs());
                      };
                      same(c.m.V, 0), same(c.m.J * c.m.nu, 0);                            // (33)
                      same(c.m.Vdot, 1), same(c.m.J * c.m.nudot + c.m.Jdot * c.m.nu, 1);  // (34)
                      same(c.m.P * VectorX<S>(c.m.S * c.nuddot + S(2) * (c.m.Sdot * c.m.nudot) + c.m.Sddot * c.m.nu),
                           2);  // (39)
                      same(c.m.J * c.nuddot + S(2) * (c.m.Jdot * c.m.nudot) + c.m.Jddot * c.m.nu, 2);
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "inertias_in_space_change_as_the_bodies_turn_them",
              .keys = {"ali:16"},
              .symbols = "StackedMatrices::M StackedMatrices::Mdot StackedMatrices::Mddot",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const StackedCase<S> c = stacked_cases(x).front();
                    const auto seen = [&](int order) {
                      return stacked(x.model, 6, [&](int i) {
                        const SE3<Series<S>> back = inverse(x.along_motion().pose[i]);
                        const Matrix6<Series<S>> along = coAd(back, x.series_model().body(i).I).matrix();
                        Matrix6<S> M;
                        for (int j = 0; j < 6; ++j)
                          for (int k = 0; k < 6; ++k) M(j, k) = derivative(along(j, k), order);
                        return M;
                      });
                    };
                    const auto size = [&](const MatrixX<S>& X) { return MatrixX<S>(blocks_of(x.model, X).cwiseAbs()); };
                    // What the turning makes of blocks of a given size.
                    const auto turned = [&](const MatrixX<S>& M, const MatrixX<S>& ad) {
                      return stacked(x.model, 6, [&](int i) {
                        const Matrix6<S> half = M.middleRows(6 * i - 6, 6) * ad.middleRows(6 * i - 6, 6);
                        return Matrix6<S>(half + half.transpose());
                      });
                    };
                    const MatrixX<S> M = size(c.m.M), first = turned(M, size(c.m.ad_V));
                    const MatrixX<S> second = turned(first, size(c.m.ad_V)) + turned(M, size(c.m.ad_Vdot));
                    const auto same = [&](const MatrixX<S>& X, int order, const MatrixX<S>& terms) {
                      const MatrixX<S> left = blocks_of(x.model, X), right = seen(order);
                      for (const int half : {0, 3})
                        add_stacked<S>(sides, left.middleCols(half, 3), right.middleCols(half, 3),
                                       terms.middleCols(half, 3));
                    };
                    same(c.m.M, 0, M), same(c.m.Mdot, 1, first), same(c.m.Mddot, 2, second);
                  },
              .applies = has_few_bodies});
}

template <typename S>
void stacked_dynamics(Registry<S>& r)
{
  r.identity({.name = "stacked_matrices_give_the_mass_matrix_of_the_witness_and_its_rate",
              .keys = {"ali:11", "ali:17"},
              .symbols = "StackedMatrices::D StackedMatrices::Ddot",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const MatrixX<S> D = c.m.D();
                      sides.add_by_unit(x.model, D, c.seen(x.witness_mass_matrix()));
                      add_rates_of_mass<S>(sides, x.model, D, turning, c.m.Ddot(), c.seen_rate(mass.M, mass.rate));
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "stacked_matrices_give_the_forces_that_the_witness_finds_for_each_cause",
              .keys = {"ali:12", "ali:13", "ali:21"},
              .symbols = "StackedMatrices::c StackedMatrices::g StackedMatrices::Q_ext StackedMatrices::C",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    VectorX<S> applied = VectorX<S>::Zero(x.model.nv());
                    for (const LinkFrame<S>& link : x.model.links())
                      applied += x.kinematics.link_jacobian(link).transpose() * coordinates(x.link_wrench(link.name));
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const VectorX<S> seen = c.seen(witness_coriolis(x));
                      const VectorX<S> terms = fastest_turn(x.kinematics) * (c.m.D().cwiseAbs() * c.m.nu.cwiseAbs());
                      sides.add_by_unit(x.model, c.m.c(), seen, terms);
                      sides.add_by_unit(x.model, VectorX<S>(c.m.C() * c.m.nu), seen, terms);
                      sides.add_by_unit(x.model, c.m.g(), c.seen(witness_gravity(x)));
                      sides.add_by_unit(x.model, c.m.Q_ext(), c.seen(applied));
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "closed_forms_and_their_factors_give_the_forces_of_the_witness",
              .keys = {"ali:10", "ali:31", "ali:36", "ali:37", "ali:P1"},
              .symbols = "StackedMatrices::Q StackedMatrices::P StackedMatrices::G_bar StackedMatrices::W_app",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const StackedMatrices<S>& m = c.m;
                      const VectorX<S> Q = c.seen(x.witness_tau());
                      sides.add_by_unit(x.model, m.Q(), Q);                          // (10)
                      sides.add_by_unit(x.model, VectorX<S>(c.form.tau.col(0)), Q);  // Algorithm 2
                      const VectorX<S> Vdot = m.P * VectorX<S>(m.S * m.nudot + m.Sdot * m.nu);
                      const VectorX<S> W = m.P.transpose() * VectorX<S>(m.M * Vdot - m.ad_V.transpose() * (m.M * m.V) -
                                                                        m.M * m.G_bar - m.W_app);  // (36)
                      sides.add_by_unit(x.model, VectorX<S>(m.S.transpose() * W), Q);              // (31), (37)
                      std::vector<Wrench<S>> through_joints, by_recursion;
                      for (int i = 1; i <= x.bodies(); ++i) {
                        through_joints.push_back(to_wrench(W.template segment<6>(6 * i - 6)));
                        by_recursion.push_back(coAdInv(x.kinematics.pose[i], x.inverse.F[i]));
                      }
                      sides.add(through_joints, by_recursion);
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "closed_forms_and_their_factors_give_the_rate_of_the_forces",
              .keys = {"ali:14", "ali:15", "ali:18", "ali:19", "ali:38", "ali:P1"},
              .symbols = "StackedMatrices::Qdot StackedMatrices::c1 StackedMatrices::gdot StackedMatrices::Q_ext_dot "
                         "StackedMatrices::Mddot StackedMatrices::Jddot",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const StackedMatrices<S>& m = c.m;
                      const VectorX<S> Qdot = forces_along(c, {}).col(1), c1 = m.c1();
                      sides.add_by_unit(x.model, m.Qdot(c.nuddot), Qdot);
                      sides.add_by_unit(x.model, VectorX<S>(c.form.tau.col(1)), Qdot);  // Algorithm 2
                      // Each cause by itself.
                      const MatrixX<S> weight = forces_along(c, {.motion = false, .wrenches = false});
                      const MatrixX<S> wrenches = -forces_along(c, {.motion = false, .weight = false});
                      const VectorX<S> inertial = forces_along(c, {.weight = false, .wrenches = false}).col(1);
                      sides.add_by_unit(x.model, m.gdot(), weight.col(1), VectorX<S>(weight.col(0)));
                      sides.add_by_unit(x.model, m.Q_ext_dot(), wrenches.col(1));
                      const VectorX<S> rest = m.D() * c.nuddot;
                      sides.add_by_unit(x.model, VectorX<S>(c1 + rest), inertial, rest);
                      sides.add_by_unit(x.model, VectorX<S>((m.Ddot() + m.C()) * m.nudot + m.Cdot() * m.nu), c1, rest);
                      // (38)
                      const VectorX<S> Vddot = m.J * c.nuddot + S(2) * (m.Jdot * m.nudot) + m.Jddot * m.nu;
                      const VectorX<S> Pi_2 = m.M * Vddot + S(2) * (m.Mdot * m.Vdot) + m.Mddot * m.V;
                      const VectorX<S> W =
                          m.P.transpose() * VectorX<S>(m.M * m.Vdot + m.Mdot * m.V - m.M * m.G_bar - m.W_app);
                      const VectorX<S> Wdot = m.P.transpose() * VectorX<S>(Pi_2 - m.Mdot * m.G_bar - m.W_app_dot);
                      sides.add_by_unit(x.model, VectorX<S>(m.S.transpose() * Wdot + m.Sdot.transpose() * W), Qdot);
                    }
                  },
              .applies = has_few_bodies});
}

/** \brief \f$C w\f$ and \f$\dot C w\f$ in the bracket family, n x 2, by the recursion with a reference rate in dual numbers.
 *  \param w  n numbers that do not move
 */
template <typename S>
MatrixX<S> bracket_along(const SpatialCase<S>& c, const VectorX<S>& w)
{
  using D = Dual<S>;
  const D t = dual_parameter<S>();
  const Model<D> model(*c.model);
  const int n = model.nv();
  VectorX<D> step(n), qd(n);
  for (int k = 0; k < n; ++k) step(k) = t * c.rates(k, 0), qd(k) = c.rates(k, 0) + t * c.rates(k, 1);
  ReferenceDynamics<D> reference(model, CoriolisFamily::bracket);
  const VectorX<D> q = displaced<D>(model, c.q.template cast<D>(), step);
  return with_rate<S>(reference.coriolis_product(q, qd, w.template cast<D>()));
}

template <typename S>
void stacked_coriolis(Registry<S>& r)
{
  r.identity({.name = "C_in_space_is_that_of_the_bracket_family_and_so_is_its_rate",
              .keys = {"ali:14", "ali:21"},
              .symbols = "StackedMatrices::C StackedMatrices::Cdot CoriolisMatrix coriolis_wrench",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    CompositeBodies<S> bodies(x.model);
                    const MatrixX<S> M = bodies(x.q);
                    CoriolisMatrix<S> recursion(x.model, CoriolisFamily::bracket);
                    const MatrixX<S>& C = recursion(x.q, x.qd);
                    const S turning = fastest_turn(x.kinematics);
                    const std::vector<StackedCase<S>> cases = stacked_cases(x);
                    for (const StackedCase<S>& c : cases)
                      add_rates_of_mass<S>(sides, x.model, c.seen(M), turning, c.m.C(), c.seen_coriolis(M, C));
                    // Applied to numbers that are not the rates.
                    const StackedCase<S>& c = cases.front();
                    const VectorX<S> w = x.tau / S(10), terms = M.cwiseAbs() * w.cwiseAbs();
                    const MatrixX<S> along = bracket_along(c, w);
                    S turning_faster = turning * turning;
                    for (const Twist<S>& Vdot : x.motion.Vdot) turning_faster += largest<S>(Vdot.w.eigen());
                    sides.add_by_unit(x.model, VectorX<S>(c.m.C() * w), along.col(0), VectorX<S>(turning * terms));
                    sides.add_by_unit(x.model, VectorX<S>(c.m.Cdot() * w), along.col(1),
                                      VectorX<S>(turning_faster * terms));
                  },
              .applies = has_few_bodies});
  r.identity({.name = "C_without_a_change_of_frame_is_that_of_the_bracket_family",
              .keys = {"ali:21"},
              .symbols = "coriolis_matrix CoriolisMatrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                CompositeBodies<S> bodies(x.model);
                const MatrixX<S> M = bodies(x.q);
                CoriolisMatrix<S> recursion(x.model, CoriolisFamily::bracket);
                const MatrixX<S>& C = recursion(x.q, x.qd);
                for (const SpatialCase<S>& c : stacked_cases<SpatialCase>(x))
                  add_rates_of_mass<S>(sides, x.model, c.seen(M), fastest_turn(x.kinematics), coriolis_matrix(c.form),
                                       c.seen_coriolis(M, C));
              }});
  r.identity({.name = "D_dot_less_twice_C_is_skew_as_both_of_its_brackets_are",
              .keys = {"ali:L1", "ali:32"},
              .symbols = "StackedMatrices::C StackedMatrices::Jdot StackedMatrices::M StackedMatrices::ad_V",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MassAlong<S> mass(x);
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const StackedMatrices<S>& m = c.m;
                      const MatrixX<S> D = c.seen(mass.M), MJ = m.M * m.J;
                      const auto same = [&](const MatrixX<S>& left, const MatrixX<S>& right) {
                        add_rates_of_mass<S>(sides, x.model, D, fastest_turn(x.kinematics), left, right);
                      };
                      const MatrixX<S> K = c.seen_rate(mass.M, mass.rate) - S(2) * m.C();
                      same(K, -K.transpose());  // Lemma 1
                      const MatrixX<S> first = m.Jdot.transpose() * MJ - m.J.transpose() * (m.M * m.Jdot);
                      const MatrixX<S> second =
                          m.J.transpose() * (m.M * (m.ad_V * m.J)) - m.J.transpose() * (m.ad_V.transpose() * MJ);
                      same(K, first - second);  // (32)
                      same(first, -first.transpose()), same(second, -second.transpose());
                    }
                  },
              .applies = has_few_bodies});
}

/// A free body that carries a drawn chain: some robots have no free base, and too few joints to tell a slip.
template <typename S>
struct DrawnFlight {
  Mechanism mechanism;
  Model<S> model;
  VectorX<S> q;
  MatrixX<S> rates;

  explicit DrawnFlight(const Specimen<S>& x) : DrawnFlight(x, drawn_chain(x)) {}

  StackedCase<S> spatial() const
  {
    const ExternalWrenches<S> none(model.bodies() + 1);
    return {model, q, rates, BaseTwist::spatial, none, none};
  }

  /// The forces by vector mechanics.
  VectorX<S> witness_tau() const
  {
    witness::VectorNewtonEuler<S> witness(mechanism, true);
    return witness.inverse_dynamics(q, VectorX<S>(rates.col(0)), VectorX<S>(rates.col(1)), model.gravity().eigen());
  }

private:
  DrawnFlight(const Specimen<S>& x, const Chain<S>& chain)
      : mechanism(with_a_base(chain.mechanism)),
        model(Model<double>(mechanism, {true, true})),
        q(7 + chain.x.size()),
        rates(6 + chain.xd.size(), 3)
  {
    Quaternion<S> turn{x.vector(100), S(2) + x.number(103)};
    q << x.vector(104).eigen(), turn.v.eigen(), turn.w, chain.x;
    rates.setZero();
    rates.col(0) << coordinates(x.twist(107)), chain.xd;
    rates.col(1) << coordinates(x.twist(113)), chain.xdd;
    for (int k = 0; k < 3; ++k) rates(k, 0) += S(3);  // never slow: brackets of velocities have to count
  }

  static Mechanism with_a_base(Mechanism chain)
  {
    Link& base = chain.links.front();
    const std::string name = base.name;
    base = chain.links.back();
    base.name = name;
    return chain;
  }
};

template <typename S>
void stacked_errata(Registry<S>& r)
{
  // Literally, P would reach the parents alone and Ch the children alone; or the body itself and these.
  const auto forces = [](const Specimen<S>& x, bool itself, bool all_the_way) {
    Sides<S> sides;
    const DrawnFlight<S> flight(x);
    const StackedCase<S> c = flight.spatial();
    const StackedMatrices<S>& m = c.m;
    MatrixX<S> P = MatrixX<S>::Zero(m.P.rows(), m.P.cols());
    for (int j = 1; j <= flight.model.bodies(); ++j) {
      const int parent = flight.model.body(j).parent;
      if (itself) P.template block<6, 6>(6 * j - 6, 6 * j - 6).setIdentity();
      for (int i = parent; i > 0 && (all_the_way || i == parent); i = flight.model.body(i).parent)
        P.template block<6, 6>(6 * j - 6, 6 * i - 6).setIdentity();
    }
    const VectorX<S> momentum = m.M * VectorX<S>(P * VectorX<S>(m.S * m.nudot + m.Sdot * m.nu)) -
                                m.ad_V.transpose() * (m.M * m.V) - m.M * m.G_bar;
    sides.add_by_unit(flight.model, VectorX<S>(m.S.transpose() * VectorX<S>(P.transpose() * momentum)),
                      c.seen(flight.witness_tau()));  // (31)
    return sides;
  };
  r.erratum({.id = "E-ali-2",
             .keys = {"ali:P1", "ali:T2", "ali:31"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, false, false)); },
                         [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, true, false)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, true, true)); }});
  // The base's screw is I_6, which rests; taken for a screw that rides on the base it would change at ad_V.
  const auto of_base = [](const StackedMatrices<S>& m, bool rides) {
    MatrixX<S> Sdot = m.Sdot;
    if (rides) Sdot.template topLeftCorner<6, 6>() = m.ad_V.template topLeftCorner<6, 6>();
    return MatrixX<S>(m.J.transpose() * (m.M * (m.P * Sdot) - m.ad_V.transpose() * (m.M * m.J)));  // (21)
  };
  const auto skewness = [=](const Specimen<S>& x, bool rides) {
    Sides<S> sides;
    const DrawnFlight<S> flight(x);
    const StackedCase<S> c = flight.spatial();
    const MassAlong<S> mass(flight.model, flight.q, flight.rates.col(0));
    const MatrixX<S> C = of_base(c.m, rides);
    add_rates_of_mass<S>(sides, flight.model, c.seen(mass.M), largest<S>(flight.rates.col(0).template head<3>()),
                         c.seen_rate(mass.M, mass.rate), C + C.transpose());
    return sides;
  };
  r.erratum({.id = "E-ali-3",
             .keys = {"ali:21", "ali:L1", "ali:35"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(skewness(x, true)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(skewness(x, false));
               // The slip does not show in the forces.
               const DrawnFlight<S> flight(x);
               const StackedCase<S> c = flight.spatial();
               sides.add_by_unit(flight.model, VectorX<S>(of_base(c.m, true) * c.m.nu), c.m.c());
             }});
}

}  // namespace

template <typename S>
void higher_order_closed_form(Registry<S>& r)
{
  stacked_kinematics(r);
  stacked_dynamics(r);
  stacked_coriolis(r);
  stacked_errata(r);
}

template void higher_order_closed_form(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
