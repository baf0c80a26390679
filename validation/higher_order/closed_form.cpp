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

/// (21). The base's screw is I_6, which rests; taken for a screw that rides on the base it would change at ad_V.
template <typename S>
MatrixX<S> of_base(const StackedMatrices<S>& m, bool rides)
{
  MatrixX<S> Sdot = m.Sdot;
  if (rides) Sdot.template topLeftCorner<6, 6>() = m.ad_V.template topLeftCorner<6, 6>();
  return MatrixX<S>(m.J.transpose() * (m.M * (m.P * Sdot) - m.ad_V.transpose() * (m.M * m.J)));
}

template <typename S>
void stacked_kinematics(Registry<S>& r)
{
  r.identity({.name = "P_reaches_each_body_and_all_that_carry_it_and_inverts_one_less_the_parents",
              .keys = {"ali:T2/parents", "ali:T2/children", "ali:T2/screws", "ali:11/jacobian"},
              .symbols = "StackedMatrices::P StackedMatrices::J StackedMatrices::carried",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const StackedCase<S> c = stacked_cases(x).back();
                    const int N = x.bodies();
                    MatrixX<S> reach = MatrixX<S>::Zero(6 * N, 6 * N), inverted = reach, direct = reach, behind = reach;
                    for (int j = 1; j <= N; ++j) {
                      const int parent = x.model.body(j).parent;
                      inverted.middleRows(6 * j - 6, 6) = c.m.P.middleRows(6 * j - 6, 6);
                      if (parent != 0) inverted.middleRows(6 * j - 6, 6) -= c.m.P.middleRows(6 * parent - 6, 6);
                      for (int i = j; i > 0; i = x.model.body(i).parent)
                        reach.template block<6, 6>(6 * j - 6, 6 * i - 6).setIdentity();
                      if (parent != 0) direct.template block<6, 6>(6 * j - 6, 6 * parent - 6).setIdentity();
                    }
                    // The bodies behind i: the numbers from i to the next that hangs on none of them.
                    for (int i = 1; i <= N; ++i)
                      for (int j = i; j <= N && (j == i || x.model.body(j).parent >= i); ++j)
                        behind.template block<6, 6>(6 * i - 6, 6 * j - 6).setIdentity();
                    const MatrixX<S> one = MatrixX<S>::Identity(6 * N, 6 * N);
                    sides.clause("ali:T2/parents");
                    sides.add(c.m.P, reach);
                    sides.add(inverted, one);
                    sides.rival("a body itself is none of its parents",
                                [&](auto& wrong) { wrong.add(c.m.P, MatrixX<S>(reach - one)); });
                    sides.rival("a body and its parent, and no further",
                                [&](auto& wrong) { wrong.add(c.m.P, MatrixX<S>(one + direct)); });
                    sides.clause("ali:T2/children");
                    sides.add(MatrixX<S>(c.m.P.transpose()), behind);
                    sides.rival("the children of a body alone", [&](auto& wrong) {
                      wrong.add(MatrixX<S>(c.m.P.transpose()), MatrixX<S>(direct.transpose()));
                    });
                    // Block j of S takes the rates of joint j to its twist; a spatial base is its own twist.
                    sides.clause("ali:T2/screws");
                    MatrixX<S> blocks = MatrixX<S>::Zero(6 * N, x.model.nv()), ride_on_base = blocks;
                    for (int i = 1; i <= N; ++i)
                      for (int k = 0; k < x.model.body(i).nv; ++k) {
                        const int d = x.model.body(i).v + k;
                        blocks.col(d).template segment<6>(6 * i - 6) =
                            coordinates(Ad(x.kinematics.pose[i], derivative(x.along_motion().S[i].column(k), 0)));
                      }
                    ride_on_base = blocks;
                    if (c.is_spatial) blocks.template topLeftCorner<6, 6>().setIdentity();
                    add_stacked<S>(sides, c.m.S, blocks, blocks.cwiseAbs());
                    sides.rival("a spatial base moves in axes of its own",
                                [&](auto& wrong) { add_stacked<S>(wrong, c.m.S, ride_on_base, blocks.cwiseAbs()); });
                    sides.clause("ali:11/jacobian");
                    add_stacked<S>(sides, c.m.J, reach * blocks, reach * blocks.cwiseAbs());
                    sides.rival("each body has the children's screws", [&](auto& wrong) {
                      add_stacked<S>(wrong, c.m.J, behind * blocks, reach * blocks.cwiseAbs());
                    });
                  },
              .applies = has_few_bodies});
  r.identity({.name = "screws_in_space_change_as_the_bodies_turn_them_and_those_of_the_base_do_not",
              .keys = {"ali:12/screws", "ali:35/joints", "ali:40/joints", "ali:17/jacobian"},
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
                      sides.clause({"ali:12/screws", "ali:35/joints"});
                      add_stacked<S>(sides, c.m.S, along[0], size);
                      add_stacked<S>(sides, c.m.Sdot, along[1], turned);
                      sides.rival("screws are taken to be constant, as in body frames", [&](auto& wrong) {
                        add_stacked<S>(wrong, MatrixX<S>::Zero(size.rows(), size.cols()), along[1], turned);
                      });
                      sides.clause("ali:40/joints");
                      add_stacked<S>(sides, c.m.Sddot, along[2], terms);
                      sides.clause("ali:17/jacobian");
                      const MatrixX<S> Jdot = c.m.P * along[1], reach = c.m.P * turned;
                      add_stacked<S>(sides, c.m.Jdot, Jdot, reach);
                      sides.rival("the screws of a body's own joint alone",
                                  [&](auto& wrong) { add_stacked<S>(wrong, along[1], Jdot, reach); });
                      // The formulas themselves, for joints of one degree.
                      MatrixX<S> rate = c.m.ad_V * c.m.S, second = c.m.ad_Vdot * c.m.S + c.m.ad_V * c.m.Sdot;
                      for (int i = 1; i <= x.bodies(); ++i)
                        if (const Body<S>& body = x.model.body(i); body.nv > 1) {
                          rate.middleCols(body.v, body.nv) = c.m.Sdot.middleCols(body.v, body.nv);
                          second.middleCols(body.v, body.nv) = c.m.Sddot.middleCols(body.v, body.nv);
                        }
                      sides.clause({"ali:12/screws", "ali:35/joints"});
                      add_stacked<S>(sides, rate, c.m.Sdot, turned);
                      sides.clause("ali:40/joints");
                      add_stacked<S>(sides, second, c.m.Sddot, terms);
                      sides.rival("the twist is differentiated and the screw is not", [&](auto& wrong) {
                        add_stacked<S>(wrong, MatrixX<S>(second - c.m.ad_V * c.m.Sdot), c.m.Sddot, terms);
                      });
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "stacked_screws_give_all_spatial_twists_and_two_of_their_derivatives",
              .keys = {"ali:12/screws", "ali:33", "ali:34", "ali:39", "ali:35/base", "ali:40/base"},
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
                      const StackedMatrices<S>& m = c.m;
                      const auto add = [&](auto& to, const VectorX<S>& stacked, int k) {
                        add_stacked<S>(to, stacked, V.col(k), V.col(k).cwiseAbs());
                      };
                      sides.clause("ali:33");
                      add(sides, m.V, 0), add(sides, m.P * VectorX<S>(m.S * m.nu), 0);
                      sides.rival("rates are passed on to the parents",
                                  [&](auto& wrong) { add(wrong, m.P.transpose() * VectorX<S>(m.S * m.nu), 0); });
                      sides.clause("ali:34");
                      add(sides, m.Vdot, 1), add(sides, m.J * m.nudot + m.Jdot * m.nu, 1);
                      sides.rival("screws are taken to be constant, as in body frames",
                                  [&](auto& wrong) { add(wrong, m.J * m.nudot, 1); });
                      const VectorX<S> twice = m.Sdot * m.nudot, once = m.S * c.nuddot + m.Sddot * m.nu;
                      sides.clause("ali:39");
                      add(sides, m.P * VectorX<S>(once + S(2) * twice), 2);
                      add(sides, m.J * c.nuddot + S(2) * (m.Jdot * m.nudot) + m.Jddot * m.nu, 2);
                      sides.rival("the mixed term is counted once",
                                  [&](auto& wrong) { add(wrong, m.P * VectorX<S>(once + twice), 2); });
                      // The rates of a spatial base are its twist: so its block of S is constant, and they show it in
                      // the second derivative, for ad_V V is zero.
                      if (!c.is_spatial) continue;
                      const Twist<S> V1 = to_twist(m.V.template head<6>()), V1dot = to_twist(m.Vdot.template head<6>());
                      const Twist<S> truth = to_twist(V.col(2).template head<6>());
                      const Twist<S> found = to_twist(c.nuddot.template head<6>());
                      sides.clause({"ali:12/screws", "ali:35/base", "ali:40/base"});
                      sides.add(found, truth);
                      sides.add(m.Sdot.template topLeftCorner<6, 6>(), MatrixX<S>::Zero(6, 6), S(1));
                      sides.add(m.Sddot.template topLeftCorner<6, 6>(), MatrixX<S>::Zero(6, 6), S(1));
                      sides.clause({"ali:12/screws", "ali:35/base"});
                      sides.rival("the screws of the base ride on it, and change",
                                  [&](auto& wrong) { wrong.add(found + S(2) * ad(V1, V1dot), truth); });
                      sides.clause("ali:40/base");
                      sides.rival("the screws of the base ride on it, and turn faster",
                                  [&](auto& wrong) { wrong.add(found + ad(V1dot, V1), truth); });
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "inertias_in_space_change_as_the_bodies_turn_them",
              .keys = {"ali:16/first", "ali:16/second"},
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
                    const auto same = [&](auto& to, const MatrixX<S>& X, int order, const MatrixX<S>& terms) {
                      const MatrixX<S> left = blocks_of(x.model, X), right = seen(order);
                      for (const int half : {0, 3})
                        add_stacked<S>(to, left.middleCols(half, 3), right.middleCols(half, 3),
                                       terms.middleCols(half, 3));
                    };
                    const StackedMatrices<S>& m = c.m;
                    sides.clause("ali:16/first");
                    same(sides, m.M, 0, M), same(sides, m.Mdot, 1, first);
                    sides.rival("the bracket enters with opposite signs, as in a commutator",
                                [&](auto& wrong) { same(wrong, m.ad_V.transpose() * m.M - m.M * m.ad_V, 1, first); });
                    sides.clause("ali:16/second");
                    same(sides, m.Mddot, 2, second);
                    sides.rival("the twist is not differentiated", [&](auto& wrong) {
                      same(wrong, -(m.Mdot * m.ad_V + m.ad_V.transpose() * m.Mdot), 2, second);
                    });
                  },
              .applies = has_few_bodies});
}

template <typename S>
void stacked_dynamics(Registry<S>& r)
{
  r.identity({.name = "stacked_matrices_give_the_mass_matrix_of_the_witness_and_its_rate",
              .keys = {"ali:11/mass", "ali:17/mass"},
              .symbols = "StackedMatrices::D StackedMatrices::Ddot",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MassAlong<S> mass(x);
                    const S turning = fastest_turn(x.kinematics);
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const StackedMatrices<S>& m = c.m;
                      const MatrixX<S> D = m.D(), seen = c.seen(x.witness_mass_matrix());
                      const MatrixX<S> rate = c.seen_rate(mass.M, mass.rate);
                      sides.clause("ali:11/mass");
                      sides.add_by_unit(x.model, D, seen);
                      sides.rival("each joint moves its own body alone", [&](auto& wrong) {
                        wrong.add_by_unit(x.model, MatrixX<S>(m.S.transpose() * (m.M * m.S)), seen);
                      });
                      sides.clause("ali:17/mass");
                      add_rates_of_mass<S>(sides, x.model, D, turning, m.Ddot(), rate);
                      sides.rival("the inertias are constant, as in body frames", [&](auto& wrong) {
                        const MatrixX<S> half = m.J.transpose() * (m.M * m.Jdot);
                        add_rates_of_mass<S>(wrong, x.model, D, turning, half + half.transpose(), rate);
                      });
                    }
                  },
              .applies = has_few_bodies});
  r.identity({.name = "stacked_matrices_give_the_forces_that_the_witness_finds_for_each_cause",
              .keys = {"ali:12/forces", "ali:13/gravity", "ali:13/wrenches", "ali:21/product"},
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
                      const StackedMatrices<S>& m = c.m;
                      sides.clause("ali:12/forces");
                      sides.add_by_unit(x.model, m.c(), seen, terms);
                      sides.rival("the transpose is taken for a signed bracket", [&](auto& wrong) {
                        const VectorX<S> turned = m.ad_V.transpose() * (m.M * m.V);
                        wrong.add_by_unit(x.model, VectorX<S>(m.c() + S(2) * (m.J.transpose() * turned)), seen, terms);
                      });
                      sides.clause("ali:21/product");
                      const MatrixX<S> C = m.C();
                      sides.add_by_unit(x.model, VectorX<S>(C * m.nu), seen, terms);
                      sides.rival("C is transposed", [&](auto& wrong) {
                        wrong.add_by_unit(x.model, VectorX<S>(C.transpose() * m.nu), seen, terms);
                      });
                      const VectorX<S> weight = c.seen(witness_gravity(x)), external = c.seen(applied);
                      sides.clause("ali:13/gravity");
                      sides.add_by_unit(x.model, m.g(), weight);
                      sides.rival("what gravity gives for what it takes",
                                  [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(-m.g()), weight); });
                      sides.clause("ali:13/wrenches");
                      sides.add_by_unit(x.model, m.Q_ext(), external);
                      sides.rival("wrenches in the frames of their bodies", [&](auto& wrong) {
                        VectorX<S> in_body(m.W_app);
                        for (int i = 1; i <= x.bodies(); ++i)
                          in_body.template segment<6>(6 * i - 6) = coordinates(x.Fext[i]);
                        wrong.add_by_unit(x.model, VectorX<S>(m.J.transpose() * in_body), external);
                      });
                    }
                  },
              .applies = has_few_bodies});
  r.identity(
      {.name = "closed_forms_and_their_factors_give_the_forces_of_the_witness",
       .keys = {"ali:10", "ali:31", "ali:36/wrenches", "ali:36/momentum", "ali:36/weight", "ali:37", "ali:P1/order-0"},
       .symbols = "StackedMatrices::Q StackedMatrices::P StackedMatrices::G_bar StackedMatrices::W_app",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             for (const StackedCase<S>& c : stacked_cases(x)) {
               const StackedMatrices<S>& m = c.m;
               const VectorX<S> Q = c.seen(x.witness_tau()), tau = c.form.tau.col(0);
               const auto at_joints = [&](const VectorX<S>& W) { return VectorX<S>(m.S.transpose() * W); };
               sides.clause("ali:10");
               sides.add_by_unit(x.model, m.Q(), Q);
               sides.rival("external forces are carried by the joints, too",
                           [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(m.Q() + S(2) * m.Q_ext()), Q); });
               sides.clause("ali:P1/order-0");  // beside Algorithm 2
               sides.add_by_unit(x.model, m.Q(), tau);
               sides.add_by_unit(x.model, tau, Q);
               sides.rival("without what the rates take",
                           [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(m.Q() - m.c()), tau); });

               const VectorX<S> Vdot = m.P * VectorX<S>(m.S * m.nudot + m.Sdot * m.nu), MV = m.M * m.V;
               const VectorX<S> gyroscopic = m.ad_V.transpose() * MV, Pi_rate = m.M * Vdot - gyroscopic;
               const VectorX<S> weight = m.M * m.G_bar, needed = Pi_rate - weight - m.W_app;
               const VectorX<S> W = m.P.transpose() * needed;
               sides.clause("ali:31");
               sides.add_by_unit(x.model, at_joints(W), Q);
               sides.rival("parents for children",
                           [&](auto& wrong) { wrong.add_by_unit(x.model, at_joints(m.P * needed), Q); });
               sides.clause("ali:37");
               sides.add_by_unit(
                   x.model, at_joints(m.P.transpose() * VectorX<S>(m.M * m.Vdot - gyroscopic - weight - m.W_app)), Q);
               sides.rival("the transpose is taken for a signed bracket", [&](auto& wrong) {
                 wrong.add_by_unit(x.model, at_joints(W + m.P.transpose() * VectorX<S>(S(2) * gyroscopic)), Q);
               });
               std::vector<Wrench<S>> through_joints, by_recursion, alone, rate, momentum_rate, turned, fallen, weights,
                   forces;
               for (int i = 1; i <= x.bodies(); ++i) {
                 const auto of_body = [&](const VectorX<S>& all) {
                   return to_wrench(all.template segment<6>(6 * i - 6));
                 };
                 const SE3<S>& C_i = x.kinematics.pose[i];
                 through_joints.push_back(of_body(W)), alone.push_back(of_body(needed));
                 by_recursion.push_back(coAdInv(C_i, x.inverse.F[i]));
                 rate.push_back(of_body(Pi_rate)), turned.push_back(of_body(Pi_rate + S(2) * gyroscopic));
                 momentum_rate.push_back(derivative(
                     coAdInv(x.along_motion().pose[i], x.series_model().body(i).I * x.along_motion().V[i]), 1));
                 fallen.push_back(of_body(weight));
                 const Inertia<S>& I = x.model.body(i).I;
                 const Vector3<S> moment = C_i.R * I.first_moment + I.mass * C_i.p;  // of mass about the origin
                 weights.push_back({cross(moment, x.gravity), I.mass * x.gravity});
                 forces.push_back({{}, I.mass * x.gravity});
               }
               sides.clause("ali:36/wrenches");
               sides.add(through_joints, by_recursion);
               sides.rival("what the body needs itself, without its children",
                           [&](auto& wrong) { wrong.add(alone, by_recursion); });
               sides.clause("ali:36/momentum");
               sides.add(rate, momentum_rate);
               sides.rival("the transpose is taken for a signed bracket",
                           [&](auto& wrong) { wrong.add(turned, momentum_rate); });
               sides.clause("ali:36/weight");
               sides.add(fallen, weights);
               sides.rival("its moment about the origin is left out", [&](auto& wrong) { wrong.add(fallen, forces); });
             }
           },
       .applies = has_few_bodies});
  r.identity(
      {.name = "closed_forms_and_their_factors_give_the_rate_of_the_forces",
       .keys = {"ali:14/product", "ali:14/collected", "ali:15", "ali:18", "ali:19", "ali:38", "ali:P1/order-1"},
       .symbols = "StackedMatrices::Qdot StackedMatrices::c1 StackedMatrices::gdot StackedMatrices::Q_ext_dot "
                  "StackedMatrices::Mddot StackedMatrices::Jddot",
       .method = "dual numbers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             for (const StackedCase<S>& c : stacked_cases(x)) {
               const StackedMatrices<S>& m = c.m;
               const VectorX<S> Qdot = forces_along(c, {}).col(1), c1 = m.c1();
               const VectorX<S> rest = m.D() * c.nuddot, found = m.Qdot(c.nuddot), tau = c.form.tau.col(1);
               const MatrixX<S> C = m.C();
               sides.clause("ali:P1/order-1");  // beside Algorithm 2
               sides.add_by_unit(x.model, found, tau);
               sides.add_by_unit(x.model, tau, Qdot);
               sides.rival("the rate of the mass matrix is left out", [&](auto& wrong) {
                 wrong.add_by_unit(x.model, VectorX<S>(found - m.Ddot() * m.nudot), tau);
               });
               sides.clause("ali:14/collected");
               sides.add_by_unit(x.model, found, Qdot);
               sides.rival("the weight is constant",
                           [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(found - m.gdot()), Qdot); });
               sides.clause("ali:14/product");
               const VectorX<S> by_product = (m.Ddot() + C) * m.nudot + m.Cdot() * m.nu;
               sides.add_by_unit(x.model, VectorX<S>(rest + by_product + m.gdot() - m.Q_ext_dot()), Qdot);
               sides.add_by_unit(x.model, by_product, c1, rest);
               sides.rival("the Coriolis matrix is not differentiated",
                           [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(found - m.Cdot() * m.nu), Qdot); });
               // Each cause by itself.
               const MatrixX<S> weight = forces_along(c, {.motion = false, .wrenches = false});
               const MatrixX<S> wrenches = -forces_along(c, {.motion = false, .weight = false});
               const VectorX<S> inertial = forces_along(c, {.weight = false, .wrenches = false}).col(1);
               sides.clause("ali:18");
               sides.add_by_unit(x.model, m.gdot(), weight.col(1), VectorX<S>(weight.col(0)));
               sides.rival("the inertias are constant, as in body frames", [&](auto& wrong) {
                 wrong.add_by_unit(x.model, VectorX<S>(-(m.Jdot.transpose() * (m.M * m.G_bar))),
                                   VectorX<S>(weight.col(1)), VectorX<S>(weight.col(0)));
               });
               sides.clause("ali:19");
               sides.add_by_unit(x.model, m.Q_ext_dot(), wrenches.col(1));
               sides.rival("the screws are constant, as in body frames", [&](auto& wrong) {
                 wrong.add_by_unit(x.model, VectorX<S>(m.J.transpose() * m.W_app_dot), VectorX<S>(wrenches.col(1)));
               });
               sides.clause("ali:15");
               sides.add_by_unit(x.model, VectorX<S>(c1 + rest), inertial, rest);
               sides.rival("the mixed term is counted once", [&](auto& wrong) {
                 const VectorX<S> mixed = m.J.transpose() * VectorX<S>(m.M * (m.Jdot * m.nudot));
                 wrong.add_by_unit(x.model, VectorX<S>(c1 + rest - mixed), inertial, rest);
               });

               const VectorX<S> Vddot = m.J * c.nuddot + S(2) * (m.Jdot * m.nudot) + m.Jddot * m.nu;
               const VectorX<S> Pi_2 = m.M * Vddot + S(2) * (m.Mdot * m.Vdot) + m.Mddot * m.V;
               const VectorX<S> W = m.P.transpose() * VectorX<S>(m.M * m.Vdot + m.Mdot * m.V - m.M * m.G_bar - m.W_app);
               const VectorX<S> Wdot = m.P.transpose() * VectorX<S>(Pi_2 - m.Mdot * m.G_bar - m.W_app_dot);
               sides.clause("ali:38");
               sides.add_by_unit(x.model, VectorX<S>(m.S.transpose() * Wdot + m.Sdot.transpose() * W), Qdot);
               sides.rival("the wrench is differentiated and the screw is not",
                           [&](auto& wrong) { wrong.add_by_unit(x.model, VectorX<S>(m.S.transpose() * Wdot), Qdot); });
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
              .keys = {"ali:14/product", "ali:21/matrix", "ali:21/base"},
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
                    for (const StackedCase<S>& c : cases) {
                      const MatrixX<S> D = c.seen(M), seen = c.seen_coriolis(M, C);
                      if (c.is_spatial)
                        sides.clause({"ali:21/matrix", "ali:21/base"});
                      else
                        sides.clause("ali:21/matrix");
                      add_rates_of_mass<S>(sides, x.model, D, turning, c.m.C(), seen);
                      sides.clause("ali:21/matrix");
                      sides.rival("the bracket acts before the inertia", [&](auto& wrong) {
                        const MatrixX<S> other = c.m.J.transpose() * (c.m.M * (c.m.Jdot + c.m.ad_V * c.m.J));
                        add_rates_of_mass<S>(wrong, x.model, D, turning, other, seen);
                      });
                      if (!c.is_spatial) continue;
                      sides.clause("ali:21/base");
                      sides.rival("the screws of the base ride on it", [&](auto& wrong) {
                        add_rates_of_mass<S>(wrong, x.model, D, turning, of_base(c.m, true), seen);
                      });
                    }
                    // Applied to numbers that are not the rates.
                    const StackedCase<S>& c = cases.front();
                    const VectorX<S> w = x.tau / S(10), terms = M.cwiseAbs() * w.cwiseAbs();
                    const MatrixX<S> along = bracket_along(c, w);
                    sides.clause("ali:21/matrix");
                    S turning_faster = turning * turning;
                    for (const Twist<S>& Vdot : x.motion.Vdot) turning_faster += largest<S>(Vdot.w.eigen());
                    sides.add_by_unit(x.model, VectorX<S>(c.m.C() * w), along.col(0), VectorX<S>(turning * terms));
                    const VectorX<S> faster = turning_faster * terms;
                    sides.clause("ali:14/product");
                    sides.add_by_unit(x.model, VectorX<S>(c.m.Cdot() * w), along.col(1), faster);
                    sides.rival("the inertias are constant, as in body frames", [&](auto& wrong) {
                      const StackedMatrices<S>& m = c.m;
                      const MatrixX<S> other =
                          m.J.transpose() * (m.Mdot * m.Jdot - m.ad_V.transpose() * (m.Mdot * m.J));
                      wrong.add_by_unit(x.model, VectorX<S>((m.Cdot() - other) * w), VectorX<S>(along.col(1)), faster);
                    });
                  },
              .applies = has_few_bodies});
  r.identity({.name = "C_without_a_change_of_frame_is_that_of_the_bracket_family",
              .keys = {"ali:21/matrix"},
              .symbols = "coriolis_matrix CoriolisMatrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                CompositeBodies<S> bodies(x.model);
                const MatrixX<S> M = bodies(x.q);
                CoriolisMatrix<S> recursion(x.model, CoriolisFamily::bracket);
                const MatrixX<S>& C = recursion(x.q, x.qd);
                const S turning = fastest_turn(x.kinematics);
                for (const SpatialCase<S>& c : stacked_cases<SpatialCase>(x)) {
                  const MatrixX<S> D = c.seen(M), found = coriolis_matrix(c.form), seen = c.seen_coriolis(M, C);
                  add_rates_of_mass<S>(sides, x.model, D, turning, found, seen);
                  sides.rival("rows and columns change places", [&](auto& wrong) {
                    add_rates_of_mass<S>(wrong, x.model, D, turning, found.transpose(), seen);
                  });
                }
              }});
  r.identity({.name = "D_dot_less_twice_C_is_skew_as_both_of_its_brackets_are",
              .keys = {"ali:L1", "ali:32/brackets", "ali:32/skew"},
              .symbols = "StackedMatrices::C StackedMatrices::Jdot StackedMatrices::M StackedMatrices::ad_V",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MassAlong<S> mass(x);
                    for (const StackedCase<S>& c : stacked_cases(x)) {
                      const StackedMatrices<S>& m = c.m;
                      const MatrixX<S> D = c.seen(mass.M), MJ = m.M * m.J;
                      const auto same = [&](auto& to, const MatrixX<S>& left, const MatrixX<S>& right) {
                        add_rates_of_mass<S>(to, x.model, D, fastest_turn(x.kinematics), left, right);
                      };
                      const MatrixX<S> Ddot = c.seen_rate(mass.M, mass.rate), K = Ddot - S(2) * m.C();
                      sides.clause("ali:L1");
                      same(sides, K, -K.transpose());
                      sides.rival(
                          "for any matrix that gives the Coriolis forces, such as that with a base whose screws ride",
                          [&](auto& wrong) {
                            if (!c.is_spatial) return;
                            const MatrixX<S> other = Ddot - S(2) * of_base(m, true);
                            same(wrong, other, -other.transpose());
                          });
                      const MatrixX<S> first = m.Jdot.transpose() * MJ - m.J.transpose() * (m.M * m.Jdot);
                      const MatrixX<S> second =
                          m.J.transpose() * (m.M * (m.ad_V * m.J)) - m.J.transpose() * (m.ad_V.transpose() * MJ);
                      sides.clause("ali:32/brackets");
                      same(sides, K, first - second);
                      sides.rival("the brackets are added", [&](auto& wrong) { same(wrong, K, first + second); });
                      sides.clause("ali:32/skew");
                      same(sides, first, -first.transpose()), same(sides, second, -second.transpose());
                      sides.rival("the second one is symmetric",
                                  [&](auto& wrong) { same(wrong, second, second.transpose()); });
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
  // Literally, P would reach the parents of a body up to the base, which it is not itself, and Ch its children; of
  // both the text says that one is the other's transpose.
  enum class Ch { transpose, children, children_and_itself };
  const auto forces = [](const Specimen<S>& x, bool itself, Ch ch) {
    Sides<S> sides;
    const DrawnFlight<S> flight(x);
    const StackedCase<S> c = flight.spatial();
    const StackedMatrices<S>& m = c.m;
    MatrixX<S> P = m.P, Ch_matrix = MatrixX<S>::Zero(P.rows(), P.cols());
    const MatrixX<S> one = MatrixX<S>::Identity(P.rows(), P.cols());
    if (!itself) P = P - one;
    for (int j = 1; j <= flight.model.bodies(); ++j)
      if (const int parent = flight.model.body(j).parent)
        Ch_matrix.template block<6, 6>(6 * parent - 6, 6 * j - 6).setIdentity();
    if (ch == Ch::children_and_itself) Ch_matrix += one;
    if (ch == Ch::transpose) Ch_matrix = P.transpose();
    const VectorX<S> momentum = m.M * VectorX<S>(P * VectorX<S>(m.S * m.nudot + m.Sdot * m.nu)) -
                                m.ad_V.transpose() * (m.M * m.V) - m.M * m.G_bar;
    sides.add_by_unit(flight.model, VectorX<S>(m.S.transpose() * VectorX<S>(Ch_matrix * momentum)),
                      c.seen(flight.witness_tau()));  // (31)
    return sides;
  };
  r.erratum(
      {.id = "E-ali-2",
       .keys = {"ali:P1", "ali:T2", "ali:31"},
       .margin = 1e-2,
       .printed = {
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, false, Ch::transpose)); },
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, false, Ch::children)); },
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, true, Ch::children)); },
           [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, true, Ch::children_and_itself)); }},
       .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(forces(x, true, Ch::transpose)); }});
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
