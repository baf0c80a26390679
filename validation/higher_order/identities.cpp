/** \file
 *  \brief Proofs of chapter higher_order: Algorithms 1 to 4 of Ali, Gabellieri and Franchi, and appendices C to E.
 *
 *  What is true comes from vector mechanics over series in time (true_motion.hpp), which knows neither brackets nor
 *  binomials. Quantities of each order in time are compared by themselves, for they have units of their own.
 */
#include <higher_order/true_motion.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <hybrid/partition.hpp>
#include <ledger/calculus.hpp>

namespace articulate::validation {
namespace {

/// Something of every body, of the world nothing.
template <typename S, typename Function>
auto of_bodies(const Specimen<S>& x, const Function& f)
{
  std::vector<decltype(f(1))> all;
  for (int i = 1; i <= x.bodies(); ++i) all.push_back(f(i));
  return all;
}
template <typename S, typename Function>
auto of_degrees(const Specimen<S>& x, const Function& f)
{
  std::vector<decltype(f(0))> all;
  for (int d = 0; d < x.model.nv(); ++d) all.push_back(f(d));
  return all;
}

/// Twists that may vanish beside those of which they are sums.
template <typename S>
void add_beside(Sides<S>& sides, const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right,
                const std::vector<Twist<S>>& beside)
{
  MatrixX<S> l(6, left.size()), r(l);
  Twist<S> size;
  for (std::size_t i = 0; i < left.size(); ++i) l.col(i) = coordinates(left[i]), r.col(i) = coordinates(right[i]);
  for (const Twist<S>& V : beside)
    for (int k = 0; k < 3; ++k) {
      size.w[0] = std::max(size.w[0], magnitude(V.w[k]));
      size.v[0] = std::max(size.v[0], magnitude(V.v[k]));
    }
  sides.add(l.topRows(3), r.topRows(3), size.w[0]);
  sides.add(l.bottomRows(3), r.bottomRows(3), size.v[0]);
}

/// A run of a form of higher-order dynamics on the true motion: what is not prescribed has the true forces.
template <typename S, typename Form>
void run(Form& form, const Specimen<S>& x, const TrueMotion<S>& m, const Partition& prescribed)
{
  const int r = static_cast<int>(form.tau.cols()) - 1;
  const MatrixX<S> tau = m.tau;
  form.rates.col(0) = m.rates.col(0);
  for (int d = 0; d < x.model.nv(); ++d) {
    if (prescribed[d])
      form.rates.row(d) = m.rates.row(d).head(r + 2);
    else
      form.tau.row(d) = tau.row(d).head(r + 1);
  }
  form.run(x.q, m.Fext);
}
template <typename S>
SpatialForm<S> spatial_run(const Specimen<S>& x, const TrueMotion<S>& m, int r, const Partition& prescribed)
{
  SpatialForm<S> form(x.model, r, prescribed);
  run(form, x, m, prescribed);
  return form;
}
/// Algorithm 2 on the true motion.
template <typename S>
SpatialForm<S> inverse_run(const Specimen<S>& x, const TrueMotion<S>& m)
{
  return spatial_run(x, m, highest_order, Partition(x.model.nv(), true));
}

/// What a form found beside what is true, order by order.
template <typename S>
void add_found(Sides<S>& sides, const Specimen<S>& x, const MatrixX<S>& rates, const MatrixX<S>& tau,
               const TrueMotion<S>& m)
{
  CompositeBodies<S> composite(x.model);
  const MatrixX<S> M = composite(x.q).cwiseAbs();
  for (int k = 0; k < tau.cols(); ++k) {
    const VectorX<S> inertial = M * m.rates.col(k + 1).cwiseAbs();  // some forces are left of these
    sides.add_by_unit(x.model, VectorX<S>(tau.col(k)), VectorX<S>(m.tau.col(k)), inertial);
    sides.add_by_unit(x.model, VectorX<S>(rates.col(k + 1)), VectorX<S>(m.rates.col(k + 1)));
  }
}

template <typename S>
void group_operations(Registry<S>& r)
{
  r.identity({.name = "poses_are_matrices_and_twists_are_what_they_turn_into_when_conjugated_and_bracketed",
              .keys = {"ali:1", "ali:2", "ali:3", "ali:4", "ali:5"},
              .symbols = "SE3 Twist hat Ad ad coad coAdInv Ad_matrix ad_matrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x) {
                using Block = Eigen::Matrix<S, 3, 3>;
                Sides<S> sides;
                const SE3<S> C = x.pose(0);
                const Twist<S> X = x.twist(10), Y = x.twist(16);
                const Wrench<S> F = x.wrench(22);
                const Block R = C.R.matrix.eigen(), w = skew(X.w).eigen(), v = skew(X.v).eigen(), zero = Block::Zero();
                sides.add(Block(R.transpose() * R), Block::Identity());  // (1)
                sides.add(R.determinant(), S(1));
                Matrix4<S> X_hat = Matrix4<S>::Zero(), Y_hat = X_hat;  // (2)
                X_hat.template topLeftCorner<3, 3>() = w, X_hat.template topRightCorner<3, 1>() = X.v.eigen();
                Y_hat.template topLeftCorner<3, 3>() = skew(Y.w).eigen();
                Y_hat.template topRightCorner<3, 1>() = Y.v.eigen();
                sides.add(hat(X), X_hat);
                sides.add(vee(Matrix4<S>(matrix(C) * X_hat * inverted(matrix(C)))), Ad(C, X));  // (3)
                sides.add(vee(Matrix4<S>(X_hat * Y_hat - Y_hat * X_hat)), ad(X, Y));            // (4)
                Matrix6<S> A, a, a_transpose;
                A << R, zero, skew(C.p).eigen() * R, R;
                a << w, zero, v, w;  // (5)
                a_transpose << -w, -v, zero, -w;
                sides.add(A, Ad_matrix(C));
                sides.add(a, ad_matrix(X));
                sides.add(to_twist(A * coordinates(Y)), Ad(C, Y));
                sides.add(to_twist(a * coordinates(Y)), ad(X, Y));
                sides.add(to_wrench(a_transpose * coordinates(F)), coad(X, F));
                sides.add(to_wrench(inverted(A).transpose() * coordinates(F)), coAdInv(C, F));
                return sides;
              }});
  r.identity({.name = "adjoints_multiply_as_poses_and_brackets_go_along",
              .keys = {"ali:7"},
              .symbols = "Ad ad AdInv inverse Ad_matrix ad_matrix",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const SE3<S> A = x.pose(0), B = x.pose(7);
                const Twist<S> X = x.twist(20), Y = x.twist(26), Z = x.twist(32);
                sides.add(Ad(A, Ad(B, X)), Ad(A * B, X));
                sides.add(Matrix6<S>(Ad_matrix(A) * Ad_matrix(B)), Ad_matrix(A * B));
                sides.add(Ad_matrix(inverse(A)), inverted(Ad_matrix(A)));
                sides.add(AdInv(A, X), to_twist(inverted(Ad_matrix(A)) * coordinates(X)));
                sides.add(ad(X, Y), -ad(Y, X));
                sides.add(ad(Ad(A, X), Y), Ad(A, ad(X, AdInv(A, Y))));
                sides.add(ad_matrix(Ad(A, X)), Matrix6<S>(Ad_matrix(A) * ad_matrix(X) * inverted(Ad_matrix(A))));
                sides.add(ad(ad(X, Y), Z), ad(X, ad(Y, Z)) - ad(Y, ad(X, Z)));
                return sides;
              }});
  r.identity({.name = "adjoints_of_a_moving_pose_change_by_brackets_with_its_spatial_twist",
              .keys = {"ali:6"},
              .symbols = "Ad AdInv ad coad coAdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                std::vector<Twist<S>> forth, forth_rate, back, back_rate, bracket, bracket_rate;
                std::vector<Wrench<S>> wrench, wrench_rate, size;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& C_t = x.along_motion().pose[i];
                  const Matrix4<S> back_to_home = inverted(derivative(C_t, 0)), rate = derivative(C_t, 1);
                  const SE3<S>& C = x.kinematics.pose[i];
                  const Twist<S> V = vee(Matrix4<S>(rate * back_to_home)), X = x.twist((6 * i) % 122);
                  const Wrench<S> F = x.wrench((6 * i + 3) % 122);
                  forth.push_back(derivative(Ad(C_t, constant(X)), 1)), forth_rate.push_back(ad(V, Ad(C, X)));
                  back.push_back(derivative(AdInv(C_t, constant(X)), 1)), back_rate.push_back(-AdInv(C, ad(V, X)));
                  wrench.push_back(derivative(coAdInv(C_t, constant(F)), 1));
                  wrench_rate.push_back(-coad(V, coAdInv(C, F)));
                  size.push_back(F);
                  // V as a series: hat(V) = C' C^-1, so hat(V') = C'' C^-1 - hat(V)^2.
                  const Matrix4<S> V_hat = rate * back_to_home;
                  const Twist<S> Vdot = vee(Matrix4<S>(derivative(C_t, 2) * back_to_home - V_hat * V_hat));
                  const Twist<Series<S>> V_t = Ad(C_t, x.along_motion().V[i]);
                  bracket.push_back(derivative(ad(V_t, constant(X)), 1)), bracket_rate.push_back(ad(Vdot, X));
                }
                sides.add(forth, forth_rate);
                sides.add(back, back_rate);
                sides.add(bracket, bracket_rate);
                sides.add(wrench, wrench_rate, size);
                return sides;
              }});
}

/// The screws at home and the home poses of all links, seen by vector mechanics.
template <typename S>
struct AtHome {
  witness::VectorNewtonEuler<S> machine;
  std::vector<Twist<S>> Y;  // by degree

  explicit AtHome(const Specimen<S>& x) : machine(x.inputs.mechanism, x.inputs.options.floating_base), Y(x.model.nv())
  {
    const VectorX<S> rest = VectorX<S>::Zero(x.model.nv());
    machine.inverse_dynamics(x.model.zero_coordinates(), rest, rest, x.gravity.eigen());
    for (const auto& link : machine.links) {
      const Vector3<S> y(link.position);  // a point of every axis of the joint
      for (std::size_t k = 0; k < link.chain.size(); ++k) {
        const Vector3<S> turn(link.chain[k].turn_in_world), slide(link.chain[k].slide_in_world);
        Y[link.first_rate + k] = {turn, cross(y, turn) + slide};  // (8)
      }
      for (int k = 0; k < 3; ++k) {
        const Vector3<S> e(Eigen::Matrix<S, 3, 1>(link.rotation.col(k)));
        if (link.joint == JointType::ball || link.joint == JointType::floating)
          Y[link.first_rate + k] = {e, cross(y, e)};
        if (link.joint == JointType::floating) Y[link.first_rate + 3 + k] = {{}, e};
      }
    }
  }
};

/// (9), by matrices.
template <typename S>
Matrix4<S> exponential(const Twist<S>& Y, const S& q)
{
  using std::cos, std::sin;
  using Block = Eigen::Matrix<S, 3, 3>;
  const Block w = skew(Y.w).eigen(), one = Block::Identity();
  Matrix4<S> e = Matrix4<S>::Identity();
  e.template topLeftCorner<3, 3>() = one + sin(q) * w + (S(1) - cos(q)) * w * w;
  e.template topRightCorner<3, 1>() = (q * one + (S(1) - cos(q)) * w + (q - sin(q)) * w * w) * Y.v.eigen();
  return e;
}

template <typename S>
void trees(Registry<S>& r)
{
  r.identity({.name = "the_bodies_are_a_directed_tree_whose_edges_are_joints",
              .keys = {"ali:F1"},
              .symbols = "Model",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x) {
                // One edge ends at each body: that of its joint, which begins at the body of the joint's parent link.
                Sides<S> sides;
                std::map<std::string, int> body_of{{"", 0}};
                for (const LinkFrame<S>& link : x.model.links()) body_of[link.name] = link.body;
                std::vector<int> edges(x.bodies() + 1), parents(edges);
                if (x.model.floating_base()) ++edges[body_of[x.model.links().front().name]];
                for (const Joint& joint : x.inputs.mechanism.joints)
                  if (joint.type != JointType::fixed) {
                    ++edges[body_of[joint.child]];
                    parents[body_of[joint.child]] = body_of[joint.parent];
                  }
                sides.add(S(edges[0]), S(0), S(1));
                for (int i = 1; i <= x.bodies(); ++i) {
                  sides.add(S(edges[i]), S(1));
                  sides.add(S(x.model.body(i).parent), S(parents[i]), S(1));
                }
                return sides;
              }});
  r.identity({.name = "screws_at_home_turn_about_points_of_their_axes_or_slide_along_them",
              .keys = {"ali:8"},
              .symbols = "SpatialForm::place SpatialForm::number_the_degrees SpatialForm::S",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
                form.place(x.model.zero_coordinates());
                sides.add(of_degrees(x, [&](int d) { return form.S(d, 0); }), AtHome<S>(x).Y);
                return sides;
              }});
  r.identity({.name = "exponentials_of_the_screws_at_home_carry_the_bodies_from_home",
              .keys = {"ali:9", "ali:A1"},
              .symbols = "SpatialForm::place SpatialForm::number_the_degrees exp",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const AtHome<S> home(x);
                    SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
                    form.place(x.q);
                    ForwardKinematics<S> at_home(x.model);
                    at_home(x.model.zero_coordinates(), VectorX<S>::Zero(x.model.nv()));
                    std::vector<Matrix4<S>> F(x.model.nv());
                    for (int d = 0; d < x.model.nv(); ++d) {
                      const Matrix4<S> e = exponential(home.Y[d], x.q(d));
                      sides.add(matrix(exp(home.Y[d], x.q(d))), e);
                      F[d] = form.before(d) < 0 ? e : Matrix4<S>(F[form.before(d)] * e);
                    }
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const Matrix4<S> C = F[form.last(i)] * matrix(at_home.pose[i]);
                      sides.add(C, matrix(form.C[i]));
                      sides.add(C, matrix(x.kinematics.pose[i]));
                    }
                    return sides;
                  },
              .applies = [](const Model<double>& m) { return m.bodies() > 0 && m.nq() == m.nv(); }});
}

/// Whether this is the machine of section 7 with our numbers.
bool is_the_manipulator(const Model<double>& model)
{
  return model.mechanism().name == "aerial_manipulator" && model.floating_base() && model.bodies() == 7;
}

template <typename S>
void manipulator(Registry<S>& r)
{
  r.identity({.name = "the_manipulator_is_a_base_with_two_branches_of_three_bodies",
              .keys = {"ali:27"},
              .symbols = "Model",
              .method = "by hand",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const std::vector<int> p{0, 1, 2, 3, 1, 5, 6};  // of bodies 1 to 7
                    const std::map<int, std::vector<int>> ch{{1, {2, 5}}, {2, {3}}, {3, {4}}, {5, {6}}, {6, {7}}};
                    std::map<int, std::vector<int>> children;
                    for (int i = 1; i <= 7; ++i) {
                      sides.add(S(x.model.body(i).parent), S(p[i - 1]), S(1));
                      if (i > 1) children[x.model.body(i).parent].push_back(i);
                    }
                    sides.add(S(children == ch), S(1));
                    return sides;
                  },
              .applies = is_the_manipulator});
  r.identity({.name = "the_homes_and_axes_of_the_manipulator_are_as_listed",
              .keys = {"ali:29", "ali:30"},
              .symbols = "Model SpatialForm::number_the_degrees",
              .method = "by hand",
              .sides =
                  [](const Specimen<S>& x) {
                    // Lengths are those of the list, as the binary64 numbers of which the model is made.
                    Sides<S> sides;
                    const S b(0.2), hung(0.1), roll(0.05), arm(0.25), half = S(1) / S(2), zero(0), one(1);
                    const Vector3<S> a[] = {{},
                                            {zero, b, -hung - half * roll},
                                            {zero, zero, -half * (roll + arm)},
                                            {zero, zero, -arm},
                                            {zero, -b, -hung - half * roll},
                                            {zero, zero, -half * (roll + arm)},
                                            {zero, zero, -arm}};
                    const S height[] = {-hung, -hung - roll, -hung - roll - arm};
                    ForwardKinematics<S> at_home(x.model);
                    at_home(x.model.zero_coordinates(), VectorX<S>::Zero(x.model.nv()));
                    SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
                    form.place(x.model.zero_coordinates());
                    std::vector<Vector3<S>> A(8);
                    for (int j = 1; j <= 7; ++j) {
                      const Inertia<S>& I = x.model.body(j).I;
                      A[j] = A[x.model.body(j).parent] + a[j - 1];
                      sides.add(at_home.pose[j] * (S(1) / I.mass * I.first_moment), A[j], S(1));  // (29)
                      if (j == 1) continue;
                      const int k = (j - 2) % 3;
                      const Vector3<S> y{zero, j < 5 ? b : -b, height[k]};  // (30)
                      const Vector3<S> axis = k == 0 ? Vector3<S>{one, zero, zero} : Vector3<S>{zero, one, zero};
                      sides.add(form.S(x.model.body(j).v, 0), Twist<S>{axis, cross(y, axis)});
                    }
                    for (const LinkFrame<S>& link : x.model.links())
                      sides.add(at_home.link_pose(link).R.matrix, Matrix3<S>::identity());
                    return sides;
                  },
              .applies = is_the_manipulator});
}

/// The terms of \f$S^{(k)}\f$: what it is beside, if they cancel.
template <typename S>
std::vector<Twist<S>> bracket_terms(const TrueMotion<S>& m, const SpatialForm<S>& form, int k)
{
  const auto times = [](const Vector3<S>& a, const Vector3<S>& b) {
    using std::sqrt;
    return sqrt(S(inner(a, a) * inner(b, b)));
  };
  std::vector<Twist<S>> terms;
  for (std::size_t d = 0; d < m.screws.size(); ++d)
    for (int l = 0; l < k; ++l) {
      const Twist<S>&V = m.V[form.body(d)][l], &s = m.screws[d][k - 1 - l];
      const S zero(0);
      terms.push_back({{times(V.w, s.w), zero, zero}, {times(V.w, s.v) + times(V.v, s.w), zero, zero}});
    }
  return terms;
}

template <typename S>
void kinematics(Registry<S>& r)
{
  r.identity({.name = "screws_and_twists_have_the_derivatives_of_the_motion",
              .keys = {"ali:A1"},
              .symbols = "SpatialForm::place SpatialForm::kinematics SpatialForm::screws_and_inertias "
                         "SpatialForm::twists CrossProducts::ad Binomials",
              .method = "vector mechanics over series in time, to order 4",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                SpatialForm<S> form(x.model, highest_order, Partition(x.model.nv(), true));
                form.rates = m.rates;
                form.place(x.q);
                for (int k = 0; k <= highest_order + 1; ++k) {
                  form.kinematics(k);
                  sides.add(of_bodies(x, [&](int i) { return form.V(form.last(i), k); }),
                            of_bodies(x, [&](int i) { return m.V[i][k]; }));
                  add_beside(sides, of_degrees(x, [&](int d) { return form.S(d, k); }),
                             of_degrees(x, [&](int d) { return m.screws[d][k]; }), bracket_terms(m, form, k));
                }
                return sides;
              }});
  r.identity({.name = "a_pose_and_its_spatial_twist_have_each_others_derivatives",
              .keys = {"ali:20"},
              .symbols = "pose_derivatives spatial_twists Binomials",
              .method = "vector mechanics over series in time, to order 4",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const int i = x.bodies();  // the last: the base's pose tells no slip on some robots
                    const std::vector<Twist<S>> V(m.V[i].begin(), m.V[i].end() - 1);
                    const auto derivatives = pose_derivatives(x.kinematics.pose[i], V);
                    const auto twists = spatial_twists(m.pose[i]);
                    for (int k = 0; k <= highest_order + 1; ++k)
                      for (const int rows : {0, 3}) {  // of a turn, of a place
                        const int columns = rows == 0 ? 3 : 1;
                        sides.add(derivatives[k].block(0, rows, 3, columns), m.pose[i][k].block(0, rows, 3, columns));
                      }
                    for (int k = 0; k <= highest_order; ++k) sides.add(twists[k], m.V[i][k]);
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "derivatives_of_twists_and_wrenches_are_carried_between_body_and_space",
              .keys = {"ali:6", "ali:67", "ali:68", "ali:69"},
              .symbols = "to_spatial to_body derivatives_along",
              .method = "vector mechanics over series in time, to order 4",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const int i = x.bodies();
                    const SE3<S>& C = x.kinematics.pose[i];
                    std::vector<Wrench<S>> F, W;
                    for (int k = 0; k <= highest_order; ++k) F.push_back(m.Fext[k][i]), W.push_back(m.applied[i][k]);
                    const auto V = to_spatial(C, m.V_body[i]), V_body = to_body(C, m.V[i]);
                    const auto to_W = to_spatial(C, m.V_body[i], F), to_F = to_body(C, m.V[i], W);
                    for (int k = 0; k <= highest_order + 1; ++k) {
                      sides.add(V[k], m.V[i][k]);
                      sides.add(V_body[k], m.V_body[i][k]);
                    }
                    for (int k = 0; k <= highest_order; ++k) {
                      sides.add(to_W[k], W[k]);
                      sides.add(to_F[k], F[k]);
                    }
                    return sides;
                  },
              .applies = is_small});
}

template <typename S>
void inverse_dynamics(Registry<S>& r)
{
  r.identity(
      {.name = "inertias_momenta_and_weights_seen_from_space_have_the_derivatives_of_the_motion",
       .keys = {"ali:59", "ali:60", "ali:61", "ali:62", "ali:63", "ali:64", "ali:65"},
       .symbols = "SpatialForm::place SpatialForm::screws_and_inertias SpatialForm::momentum_rate "
                  "SpatialForm::momentum_bias SpatialForm::weight CrossProducts::add_both CrossProducts::complete "
                  "CrossProducts::add_coad WrenchMap",
       .method = "vector mechanics over series in time, to order 4",
       .sides = [](const Specimen<S>& x) {
         Sides<S> sides;
         const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
         SpatialForm<S> form = inverse_run(x, m);
         for (int k = 0; k <= highest_order + 1; ++k) {
           const auto X = [&](int i) { return x.twist((6 * i) % 122); };
           // The terms of (61) and (62), which may cancel.
           std::vector<Wrench<S>> of_M, of_Pi;
           const Binomials<S> binomial(k);
           for (int i = 1; i <= x.bodies(); ++i)
             for (int l = 0; l <= k; ++l) {
               of_Pi.push_back(binomial(k, l) * to_wrench(m.M[i][k - l] * coordinates(m.V[i][l])));
               if (l < k)
                 of_M.push_back(binomial(k - 1, l) * coad(m.V[i][l], to_wrench(m.M[i][k - 1 - l] * coordinates(X(i)))));
             }
           sides.add(of_bodies(x, [&](int i) { return form.M(i, k) * X(i); }),
                     of_bodies(x, [&](int i) { return to_wrench(m.M[i][k] * coordinates(X(i))); }), of_M);
           const auto Pi = of_bodies(x, [&](int i) { return m.Pi[i][k]; });
           sides.add(of_bodies(x, [&](int i) { return form.momentum_rate(i, k); }), Pi, of_Pi);
           if (k == 0) continue;
           sides.add(of_bodies(x, [&](int i) { return form.momentum_bias(i, k - 1); }),
                     of_bodies(x,
                               [&](int i) {
                                 return m.Pi[i][k] - to_wrench(m.M[i][0] * coordinates(m.V[i][k]));  // (65)
                               }),
                     of_Pi);
           // The weight does not change but for where it acts: of its force rounding is left.
           const auto moved = [&](int i) { return coad(m.V[i][k - 1], m.weight[i][0]); };
           if (k <= highest_order)
             sides.add(of_bodies(x, [&](int i) { return form.weight(i, k); }),
                       of_bodies(x, [&](int i) { return m.weight[i][k]; }), of_bodies(x, moved));
         }
         sides.add(of_bodies(x, [&](int i) { return form.weight(i, 0); }),
                   of_bodies(x, [&](int i) { return m.weight[i][0]; }));
         return sides;
       }});
  r.identity(
      {.name = "wrenches_given_in_turning_frames_have_the_derivatives_of_the_motion",
       .keys = {"ali:67", "ali:68", "ali:69", "ali:70"},
       .symbols = "SpatialForm::apply SpatialForm::transport CrossProducts::add_coad WrenchMap",
       .method = "vector mechanics over series in time, to order 3",
       .sides =
           [](const Specimen<S>& x) {
             Sides<S> sides;
             const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
             const SpatialForm<S> form = inverse_run(x, m);
             for (int k = 0; k <= highest_order; ++k) {
               sides.add(of_bodies(x, [&](int i) { return form.applied(i, k); }),
                         of_bodies(x, [&](int i) { return m.applied[i][k]; }));
               sides.add(of_bodies(x, [&](int i) { return form.transport(i, k) * m.Fext[0][i]; }),
                         of_bodies(x, [&](int i) { return to_wrench(m.transport[i][k] * coordinates(m.Fext[0][i])); }));
             }
             // (68), written out
             sides.add(of_bodies(x,
                                 [&](int i) {
                                   const SE3<S>& C = x.kinematics.pose[i];
                                   return coAdInv(C, m.Fext[1][i]) - coad(m.V[i][0], coAdInv(C, m.Fext[0][i]));
                                 }),
                       of_bodies(x, [&](int i) { return form.applied(i, 1); }));
             return sides;
           },
       .applies = is_small});
  r.identity({.name = "the_wrenches_on_every_body_add_up_to_the_rate_of_its_momentum_in_every_order",
              .keys = {"ali:57", "ali:58", "ali:A2"},
              .symbols = "SpatialForm::inverse SpatialForm::W SpatialForm::momentum_rate",
              .method = "vector mechanics over series in time, to order 3",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const SpatialForm<S> form = inverse_run(x, m);
                for (int k = 0; k <= highest_order; ++k) {
                  std::vector<Wrench<S>> total, W;
                  for (int i = 1; i <= x.bodies(); ++i) {
                    W.push_back(form.W(form.last(i), k));
                    total.push_back(W.back() + m.applied[i][k] + m.weight[i][k]);
                  }
                  for (int i = 1; i <= x.bodies(); ++i)
                    if (const int p = x.model.body(i).parent) total[p - 1] = total[p - 1] - W[i - 1];
                  sides.add(total, of_bodies(x, [&](int i) { return m.Pi[i][k + 1]; }), W);
                  sides.add(W, of_bodies(x, [&](int i) { return m.W[i][k]; }));
                }
                return sides;
              }});
  r.identity({.name = "joint_forces_have_the_derivatives_of_the_motion",
              .keys = {"ali:A2"},
              .symbols = "SpatialForm::inverse SpatialForm::run SpatialForm::torque_bias BodyForm::run "
                         "HigherOrderDynamics",
              .method = "vector mechanics over series in time, to order 3",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const int n = x.model.nv();
                auto fast = HigherOrderDynamics<S>::inverse(x.model, highest_order);
                fast(x.q, x.qd, m.rates.rightCols(highest_order + 1), MatrixX<S>::Zero(n, highest_order + 1), m.Fext);
                add_found<S>(sides, x, m.rates, fast.tau(), m);
                add_found<S>(sides, x, m.rates, inverse_run(x, m).tau, m);
                return sides;
              }});
  r.identity({.name = "both_forms_find_the_same_forces_of_every_order",
              .keys = {"ali:A2", "ali:69"},
              .symbols = "SpatialForm::inverse SpatialForm::apply BodyForm::run",
              .method = "cross-check, to order 5",
              .sides =
                  [](const Specimen<S>& x) {
                    constexpr int r = 5;
                    Sides<S> sides;
                    const Partition all(x.model.nv(), true);
                    SpatialForm<S> spatial(x.model, r, all);
                    BodyForm<S> body(x.model, r, all);
                    spatial.rates = body.rates = drawn_rates(x, r + 2);
                    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
                    spatial.run(x.q, Fext), body.run(x.q, Fext);
                    for (int k = 0; k <= r; ++k)
                      sides.add_by_unit(x.model, VectorX<S>(spatial.tau.col(k)), VectorX<S>(body.tau.col(k)));
                    return sides;
                  },
              .applies = is_small});
}

/// (23) by dense blocks, the degrees of a joint together.
template <typename S>
std::vector<Matrix6<S>> articulated_inertias(const Specimen<S>& x, const TrueMotion<S>& m)
{
  std::vector<Matrix6<S>> MA;
  for (const auto& M : m.M) MA.push_back(M[0]);
  for (int i = x.bodies(); i > 0; --i) {
    const Body<S>& body = x.model.body(i);
    if (body.parent == 0) continue;
    MatrixX<S> s(6, body.nv);
    for (int k = 0; k < body.nv; ++k) s.col(k) = coordinates(m.screws[body.v + k][0]);
    const MatrixX<S> U = MA[i] * s;
    MA[body.parent] += MA[i] - U * solution<S>(MatrixX<S>(s.transpose() * U), MatrixX<S>(U.transpose()));
  }
  return MA;
}

/// \f$W_j^{(r)}\f$ and \f$V_j^{(r+1)}\f$ of a body, where the motion of all that is not behind it is prescribed, with
/// top derivatives pushed at will, and the forces behind it are given.
template <typename S>
std::pair<Wrench<S>, Twist<S>> pushed(const Specimen<S>& x, int j, int r, const S& push)
{
  Partition prescribed(x.model.nv(), true);
  for (int i = j + 1; i <= x.bodies(); ++i) {
    int a = i;
    while (a > j) a = x.model.body(a).parent;
    for (int k = 0; k < x.model.body(i).nv; ++k) prescribed[x.model.body(i).v + k] = a != j;
  }
  const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
  BodyForm<S> hybrid(x.model, r, prescribed);
  hybrid.rates = drawn_rates(x, r + 2);
  for (int k = 0; k <= r; ++k) hybrid.tau.col(k) = x.tau;
  for (int d = 0; d < x.model.nv(); ++d) hybrid.rates(d, r + 1) += push * x.number((3 * d + 5) % 128);
  hybrid.run(x.q, Fext);
  // What the joint transmits, by Algorithm 2: it knows no articulated inertia.
  SpatialForm<S> inverse(x.model, r, Partition(x.model.nv(), true));
  inverse.rates = hybrid.rates;
  inverse.run(x.q, Fext);
  const int d = inverse.last(j);
  return {inverse.W(d, r), inverse.V(d, r + 1)};
}

/// Lemma 2 on a body in the middle of the tree: to a change of \f$V_j^{(r+1)}\f$ it answers with \f$M^A_j\f$ times it.
template <typename S>
void add_lemma_2(Sides<S>& sides, const Specimen<S>& x, int r)
{
  const int j = (x.bodies() + 1) / 2;
  const auto [W0, V0] = pushed(x, j, r, S(0));
  const auto [W1, V1] = pushed(x, j, r, S(50));
  const SE3<S>& C = x.kinematics.pose[j];
  const Wrench<S> answer = coAdInv(C, x.forward.I_hat[j] * AdInv(C, V1 - V0));
  sides.add(std::vector{W1 - W0}, std::vector{answer}, std::vector{W0, W1});
}

template <typename S>
void forward_dynamics(Registry<S>& r)
{
  r.identity({.name = "articulated_inertias_are_those_of_dense_blocks_and_of_body_frames_for_every_order",
              .keys = {"ali:23", "ali:49"},
              .symbols = "SpatialForm::articulate SpatialForm::give_way SpatialForm::MA",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const SpatialForm<S> form = spatial_run(x, m, 0, Partition(x.model.nv(), false));
                    const auto dense = articulated_inertias(x, m);
                    const auto X = [&](int i) { return x.twist((6 * i) % 122); };
                    const auto MA = of_bodies(x, [&](int i) { return form.MA[form.last(i)] * X(i); });
                    sides.add(MA, of_bodies(x, [&](int i) { return to_wrench(dense[i] * coordinates(X(i))); }));
                    sides.add(MA, of_bodies(x, [&](int i) {
                                const SE3<S>& C = x.kinematics.pose[i];
                                return coAdInv(C, x.forward.I_hat[i] * AdInv(C, X(i)));
                              }));
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "the_articulated_inertia_of_a_floating_base_is_a_schur_complement_of_the_mass_matrix",
              .keys = {"ali:23", "ali:50"},
              .symbols = "SpatialForm::articulate SpatialForm::give_way",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const int n = x.model.nv() - 6;
                    const MatrixX<S> D = x.as_input(x.witness_mass_matrix());
                    MatrixX<S> schur = D.topLeftCorner(6, 6);
                    if (n > 0)
                      schur -= D.topRightCorner(6, n) * definite_solution<S>(MatrixX<S>(D.bottomRightCorner(n, n)),
                                                                             MatrixX<S>(D.bottomLeftCorner(n, 6)));
                    SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), false));
                    form.rates.col(0) = x.qd;
                    form.run(x.q, {});
                    const SE3<S>& C = x.kinematics.pose[1];
                    const Twist<S> X = x.twist(0);
                    sides.add(coAd(C, form.MA[form.last(1)] * Ad(C, X)), to_wrench(schur * coordinates(X)));
                    return sides;
                  },
              .applies = [](const Model<double>& m) { return m.floating_base(); }});
  r.identity({.name = "wrenches_are_affine_in_the_next_twist_with_the_articulated_inertia_in_every_order",
              .keys = {"ali:22", "ali:45", "ali:48", "ali:51", "ali:55", "ali:50", "ali:56"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate SpatialForm::b SpatialForm::MA "
                         "SpatialForm::momentum_bias SpatialForm::twist_bias",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    for (int r = 0; r <= highest_order; ++r) {
                      const SpatialForm<S> form = spatial_run(x, m, r, Partition(x.model.nv(), false));
                      std::vector<Wrench<S>> affine, held, truth, found, balance;
                      for (int i = 1; i <= x.bodies(); ++i) {
                        const int d = form.last(i);
                        held.push_back(form.b[d]), truth.push_back(m.W[i][r]), found.push_back(form.W(d, r));
                        affine.push_back(form.MA[d] * m.V[i][r + 1] + form.b[d]);  // (22)
                        balance.push_back(form.M(i, 0) * m.V[i][r + 1] + form.momentum_bias(i, r) - form.applied(i, r) -
                                          form.weight(i, r));
                      }
                      for (int i = 1; i <= x.bodies(); ++i)  // (45): a body by itself and what its children take
                        if (const int p = x.model.body(i).parent)
                          balance[p - 1] += form.MA[form.last(i)] * m.V[i][r + 1] + form.b[form.last(i)];
                      sides.add(affine, truth, held);
                      sides.add(found, truth, held);
                      sides.add(balance, truth, held);
                      // (50), (56): a base on a free joint finds its twist from what it is given.
                      if (!x.model.floating_base()) continue;
                      const int base = form.last(1);
                      const Vector6<S> given = coordinates(m.W[1][r] - form.b[base]);
                      const Vector6<S> next = inverted(form.MA[base].matrix()) * given;
                      sides.add(to_twist(next), m.V[1][r + 1]);
                    }
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "a_joint_gives_way_to_what_its_torque_leaves_in_every_order",
              .keys = {"ali:46", "ali:47", "ali:53", "ali:54", "ali:66", "ali:A3"},
              .symbols = "SpatialForm::hybrid SpatialForm::U SpatialForm::D SpatialForm::q_tilde SpatialForm::beta "
                         "SpatialForm::torque_bias SpatialForm::twist_bias",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const int n = x.model.nv();
                    for (int r = 0; r <= highest_order; ++r) {
                      const SpatialForm<S> form = spatial_run(x, m, r, Partition(n, false));
                      VectorX<S> torque(n), bias(n), rate(n), tilde(n);
                      std::vector<Twist<S>> beta(x.bodies()), left_over(beta), twists;
                      for (int i = 1; i <= x.bodies(); ++i) {
                        const int p = x.model.body(i).parent;
                        twists.push_back(m.V[i][r + 1]);
                        left_over[i - 1] = m.V[i][r + 1] - (p ? m.V[p][r + 1] : Twist<S>{});  // (66)
                      }
                      for (int d = 0; d < n; ++d) {
                        const int i = form.body(d);
                        const Twist<S>& s = m.screws[d][0];
                        beta[i - 1] += form.beta[d];
                        left_over[i - 1] = left_over[i - 1] - m.rates(d, r + 1) * s;
                        const Twist<S> before = form.before(d) < 0 ? Twist<S>{} : form.V(form.before(d), r + 1);
                        // (46), (53): the torque is the projection of the wrench, and its derivatives are.
                        const Twist<S> next = before + m.rates(d, r + 1) * s + form.beta[d];
                        S lower(0);
                        int binomial = 1;
                        for (int k = 0; k < r; ++k) {
                          lower += S(binomial) * pairing(m.W[i][k], m.screws[d][r - k]);
                          binomial = binomial * (r - k) / (k + 1);
                        }
                        bias(d) = lower;
                        torque(d) = pairing(form.MA[d] * next + form.b[d], s) + lower;
                        // (47), (54)
                        const S held = pairing(form.MA[d] * (before + form.beta[d]) + form.b[d], s);
                        rate(d) = (m.tau(d, r) - lower - held) / pairing(form.MA[d] * s, s);
                        tilde(d) = form.q_tilde[d] - pairing(form.U[d], before) / form.D[d];
                      }
                      const VectorX<S> tau = m.tau.col(r), truth = m.rates.col(r + 1);
                      sides.add_by_unit(x.model, torque, tau, bias);
                      sides.add_by_unit(x.model, rate, truth);
                      sides.add_by_unit(x.model, tilde, truth);
                      add_beside(sides, beta, left_over, twists);
                    }
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "one_body_alone_needs_its_inertia_and_a_bias_of_its_own",
              .keys = {"ali:44", "ali:52"},
              .symbols = "SpatialForm::momentum_bias SpatialForm::twist_bias SpatialForm::weight SpatialForm::apply",
              .method = "vector mechanics over series in time",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                    const SpatialForm<S> zero = spatial_run(x, m, 0, Partition(x.model.nv(), false));
                    const SpatialForm<S> one = spatial_run(x, m, 1, Partition(x.model.nv(), false));
                    std::vector<bool> is_parent(x.bodies() + 1);
                    for (int i = 1; i <= x.bodies(); ++i) is_parent[x.model.body(i).parent] = true;
                    const Twist<S> G{{}, x.gravity};
                    std::vector<Wrench<S>> by44, by52, W0, W1, b0, b1, library0, library1;
                    std::vector<Twist<S>> beta, library_beta;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      if (is_parent[i]) continue;  // alone: nothing hangs on it
                      const auto times = [&](int k, const Twist<S>& V) {
                        return to_wrench(m.M[i][k] * coordinates(V));
                      };
                      const auto& V = m.V[i];
                      b0.push_back(-coad(V[0], times(0, V[0])) - m.applied[i][0] - times(0, G));  // (44)
                      by44.push_back(times(0, V[1]) + b0.back());
                      b1.push_back(times(2, V[0]) + S(2) * times(1, V[1]) - m.applied[i][1] - times(1, G));  // (52)
                      by52.push_back(times(0, V[2]) + b1.back());                                            // (51)
                      W0.push_back(m.W[i][0]), W1.push_back(m.W[i][1]);
                      library0.push_back(zero.b[zero.last(i)]), library1.push_back(one.b[one.last(i)]);
                    }
                    for (int d = 0; d < x.model.nv(); ++d) {
                      beta.push_back(S(2) * m.rates(d, 1) * m.screws[d][1] + m.rates(d, 0) * m.screws[d][2]);
                      library_beta.push_back(one.beta[d]);
                    }
                    sides.add(by44, W0, b0);
                    sides.add(by52, W1, b1);
                    sides.add(library0, b0, W0);
                    sides.add(library1, b1, W1);
                    add_beside(sides, library_beta, beta, bracket_terms(m, one, 2));
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "a_push_on_the_next_twist_is_answered_by_the_articulated_inertia_in_every_order",
              .keys = {"ali:L2", "ali:22"},
              .symbols = "BodyForm::run SpatialForm::inverse",
              .method = "two motions of one machine; the difference of affine functions is exact",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    for (int r = 0; r <= highest_order; ++r) add_lemma_2(sides, x, r);
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "forward_dynamics_finds_the_derivatives_of_the_motion",
              .keys = {"ali:A3", "ali:F3"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate BodyForm::run BodyForm::complete "
                         "HigherOrderDynamics",
              .method = "vector mechanics over series in time, to order 2; the spatial form to order 1",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                const int n = x.model.nv();
                const Partition none(n, false);
                const SpatialForm<S> spatial = spatial_run(x, m, 1, none);
                add_found<S>(sides, x, spatial.rates, spatial.tau, m);
                constexpr int r = 2;
                auto fast = HigherOrderDynamics<S>::forward(x.model, r);
                fast(x.q, x.qd, MatrixX<S>::Zero(n, r + 1), m.tau.leftCols(r + 1), m.Fext);
                MatrixX<S> rates(n, r + 2);
                rates << x.qd, fast.qdd();
                add_found<S>(sides, x, rates, fast.tau(), m);
                return sides;
              }});
  r.identity({.name = "hybrid_dynamics_finds_what_it_was_not_told_in_every_order",
              .keys = {"ali:A4"},
              .symbols = "SpatialForm::hybrid SpatialForm::articulate BodyForm::run BodyForm::complete",
              .method = "vector mechanics over series in time, to order 1",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const TrueMotion<S>& m = x.template once<TrueMotion<S>>();
                for (const Partition& prescribed : {drawn_partition(x), tips_prescribed(x.model)}) {
                  const SpatialForm<S> spatial = spatial_run(x, m, 1, prescribed);
                  add_found<S>(sides, x, spatial.rates, spatial.tau, m);
                  BodyForm<S> body(x.model, 1, prescribed);
                  run(body, x, m, prescribed);
                  add_found<S>(sides, x, body.rates, body.tau, m);
                }
                return sides;
              }});
  r.identity({.name = "a_floating_base_may_have_a_spatial_twist_or_a_wrench_about_the_origin",
              .keys = {"ali:A2", "ali:A3", "ali:A4", "ali:50", "ali:56"},
              .symbols = "SpatialForm BaseTwist SpatialForm::number_the_degrees SpatialForm::screws_and_inertias",
              .method = "vector mechanics over series in time, to order 3",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    TrueMotion<S> m = x.template once<TrueMotion<S>>();
                    for (int k = 0; k <= highest_order + 1; ++k) {
                      for (int d = 0; d < 6; ++d) m.rates(d, k) = coordinates(m.V[1][k])(d);
                      if (k <= highest_order)
                        for (int d = 0; d < 6; ++d) m.tau(d, k) = coordinates(m.W[1][k])(d);
                    }
                    m.rates = x.as_input(m.rates);
                    Partition partition = drawn_partition(x);
                    for (const bool twist_given : {true, false})
                      for (const int joints : {0, 1, 2}) {  // prescribed: none, all, some
                        Partition prescribed(x.model.nv());
                        for (int d = 0; d < x.model.nv(); ++d)
                          prescribed[d] = d < 6 ? twist_given : joints == 2 ? bool(partition[d]) : joints == 1;
                        SpatialForm<S> form(x.model, highest_order, prescribed, BaseTwist::spatial);
                        run(form, x, m, prescribed);
                        add_found<S>(sides, x, form.rates, form.tau, m);
                      }
                    return sides;
                  },
              .applies = [](const Model<double>& m) { return m.floating_base() && is_small(m); }});
  r.identity({.name = "forward_dynamics_gives_back_the_motion_of_inverse_dynamics_up_to_the_fifth_derivative",
              .keys = {"ali:F3"},
              .symbols = "BodyForm::run BodyForm::complete SpatialForm::hybrid SpatialForm::inverse",
              .method = "cross-check: forces by one form, the motion by the other",
              .sides =
                  [](const Specimen<S>& x) {
                    constexpr int r = 5;
                    Sides<S> sides;
                    const Partition all(x.model.nv(), true), none(x.model.nv(), false);
                    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
                    const MatrixX<S> rates = drawn_rates(x, r + 2);
                    const auto there_and_back = [&](auto inverse, auto forward) {
                      inverse.rates = rates;
                      inverse.run(x.q, Fext);
                      forward.rates.col(0) = x.qd;
                      forward.tau = x.as_input(inverse.tau);
                      forward.run(x.q, Fext);
                      for (int k = 1; k <= r + 1; ++k)
                        sides.add_by_unit(x.model, VectorX<S>(forward.rates.col(k)), VectorX<S>(rates.col(k)));
                    };
                    there_and_back(SpatialForm<S>(x.model, r, all), BodyForm<S>(x.model, r, none));
                    there_and_back(BodyForm<S>(x.model, r, all), SpatialForm<S>(x.model, r, none));
                    return sides;
                  },
              .applies = is_small});
}

template <typename S>
void written_out(Registry<S>& r)
{
  r.identity({.name = "the_first_orders_written_out_with_matrices_are_the_algorithms",
              .keys = {"ali:T5", "ali:A1", "ali:A2", "ali:16"},
              .symbols = "SpatialForm::kinematics SpatialForm::screws_and_inertias SpatialForm::inverse",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                const int n = x.model.nv(), N = x.bodies();
                const MatrixX<S> rates = drawn_rates(x, 4);
                const WrenchDerivatives<S> Fext = drawn_wrenches(x, 1);
                SpatialForm<S> form(x.model, 2, Partition(n, true));
                form.rates = rates;
                form.run(x.q, Fext);

                // Kinematics, k = 0 to 3. A screw rides on the body that its degree moves; those of a joint without a
                // chart on the last.
                using Six = Vector6<S>;
                std::vector<std::array<Six, 4>> s(n), V(n);
                std::array<std::vector<Twist<S>>, 4> own_V, V_k;
                for (int i = 1; i <= N; ++i) {
                  const Body<S>& body = x.model.body(i);
                  const bool together = body.nq != body.nv;
                  for (int k = 0; k < 4; ++k) {
                    if (together)  // constant in the body: found for all degrees before their sum
                      for (int d = body.v; d < body.v + body.nv; ++d) s[d][k] = coordinates(form.S(d, k));
                    for (int d = body.v; d < body.v + body.nv; ++d) {
                      const auto ad = [&](int l) { return ad_matrix(to_twist(V[d][l])); };
                      if (!together)
                        s[d][k] = k == 0   ? coordinates(form.S(d, 0))
                                  : k == 1 ? Six(ad(0) * s[d][0])
                                  : k == 2 ? Six(ad(1) * s[d][0] + ad(0) * s[d][1])
                                           : Six(ad(2) * s[d][0] + S(2) * ad(1) * s[d][1] + ad(0) * s[d][2]);
                      const auto q = [&](int l) { return rates(d, l); };
                      Six sum = form.before(d) < 0 ? Six(Six::Zero()) : V[form.before(d)][k];
                      if (k == 0) sum += s[d][0] * q(0);
                      if (k == 1) sum += s[d][0] * q(1) + s[d][1] * q(0);
                      if (k == 2) sum += s[d][0] * q(2) + S(2) * s[d][1] * q(1) + s[d][2] * q(0);
                      if (k == 3)
                        sum += s[d][0] * q(3) + S(3) * s[d][1] * q(2) + S(3) * s[d][2] * q(1) + s[d][3] * q(0);
                      V[d][k] = sum;
                    }
                    own_V[k].push_back(to_twist(V[form.last(i)][k]));
                    V_k[k].push_back(form.V(form.last(i), k));
                  }
                }
                for (int k = 0; k < 4; ++k) sides.add(V_k[k], own_V[k]);

                // Inverse dynamics, r = 0 and 1.
                std::vector<std::array<Six, 2>> W(N + 1, {Six::Zero(), Six::Zero()});
                VectorX<S> tau(n), tau_rate(n), size(n);
                const Six G = coordinates(Twist<S>{{}, x.gravity});
                for (int i = N; i > 0; --i) {
                  const Body<S>& body = x.model.body(i);
                  const auto& [V0, V1, V2, V3] = V[form.last(i)];
                  const Matrix6<S> A = Ad_matrix(inverse(x.kinematics.pose[i])), a = ad_matrix(to_twist(V0));
                  const Matrix6<S> adot = ad_matrix(to_twist(V1)), aT = a.transpose(), AT = A.transpose();
                  const Matrix6<S> M = AT * body.I.matrix() * A;
                  const Matrix6<S> M1 = -(M * a + aT * M);
                  const Matrix6<S> M2 = -(M1 * a + aT * M1 + M * adot + adot.transpose() * M);
                  const Six F0 = coordinates(Fext[0][i]), F1 = coordinates(Fext[1][i]);
                  W[i][0] += M * V1 - aT * (M * V0) - AT * F0 - M * G;
                  W[i][1] += M * V2 + S(2) * M1 * V1 + M2 * V0 - (AT * F1 - aT * (AT * F0)) - M1 * G;
                  for (int k = 0; k < 2; ++k) W[body.parent][k] += W[i][k];
                  for (int d = body.v; d < body.v + body.nv; ++d) {
                    const auto pairing = [](const Six& a, const Six& b) { return S((a.transpose() * b)(0)); };
                    tau(d) = pairing(s[d][0], W[i][0]);
                    tau_rate(d) = pairing(s[d][1], W[i][0]) + pairing(s[d][0], W[i][1]);
                    size(d) = pairing(s[d][0], W[i][1]);
                  }
                }
                sides.add_by_unit(x.model, tau, VectorX<S>(form.tau.col(0)));
                sides.add_by_unit(x.model, tau_rate, VectorX<S>(form.tau.col(1)), size);
                return sides;
              }});
}

template <typename S>
void errata(Registry<S>& r)
{
  // The tempting binomial, in one order: the lower ones are as they ought to be, and order 2 is the first to tell.
  const auto with_binomial = [](const Specimen<S>& x, int order, bool printed) {
    Sides<S> sides;
    const int n = x.model.nv();
    const Partition all(n, true), none(n, false);
    const WrenchDerivatives<S> Fext = drawn_wrenches(x, order);
    SpatialForm<S> inverse(x.model, order, all), forward(x.model, order, none);
    inverse.rates = drawn_rates(x, order + 2);
    inverse.run(x.q, Fext);
    MatrixX<S> tau = inverse.tau;
    const Binomials<S> binomial(order);
    for (int d = 0; d < n && printed; ++d)  // as if what the sum lacks had been in the force
      for (int k = 0; k < order; ++k)
        tau(d, order) +=
            (binomial(order, k) - binomial(order - 1, k)) * pairing(inverse.W(d, k), inverse.S(d, order - k));
    forward.rates.col(0) = x.qd;
    forward.tau = x.as_input(tau);
    forward.run(x.q, Fext);
    for (int k = printed ? order : 0; k <= order; ++k)
      sides.add_by_unit(x.model, VectorX<S>(forward.rates.col(k + 1)), VectorX<S>(inverse.rates.col(k + 1)));
    return sides;
  };
  r.erratum({.id = "E-ali-1",
             .keys = {"ali:A3", "ali:A4"},
             .margin = 1e-3,
             .printed = {[=](const Specimen<S>& x) { return with_binomial(x, 2, true); },
                         [=](const Specimen<S>& x) { return with_binomial(x, 3, true); }},
             .corrected = [=](const Specimen<S>& x) { return with_binomial(x, 2, false); }});
  // Read as constancy in time, the articulated inertia would be the same a little later.
  r.erratum({.id = "E-ali-4",
             .keys = {"ali:22", "ali:23", "ali:L2"},
             .margin = 1e-4,
             .printed = {[](const Specimen<S>& x) {
               Sides<S> sides;
               const VectorX<S> q_later = displaced(x.model, x.q, VectorX<S>(x.qd / S(10)));
               SpatialForm<S> now(x.model, 0, Partition(x.model.nv(), false)), later(now);
               now.place(x.q), now.articulate();
               later.place(q_later), later.articulate();
               const auto answers = [&](const SpatialForm<S>& form) {
                 return of_bodies(x, [&](int i) { return form.MA[form.last(i)] * x.twist((6 * i) % 122); });
               };
               sides.add(answers(later), answers(now));
               return sides;
             }},
             .corrected = [](const Specimen<S>& x) {
               Sides<S> sides;
               add_lemma_2(sides, x, 1);
               return sides;
             }});
  // The wrench from a body to its parent has the other sign.
  const auto balance = [](const Specimen<S>& x, const S& sign) {
    Sides<S> sides;
    SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
    form.rates = drawn_rates(x, 2);
    form.run(x.q, {x.Fext});
    const auto W = of_bodies(x, [&](int i) { return sign * form.W(form.last(i), 0); });
    std::vector<Wrench<S>> total, rate;
    for (int i = 1; i <= x.bodies(); ++i) {
      const SE3<S>& C = x.kinematics.pose[i];
      const SE3<Series<S>>& C_t = x.along_motion().pose[i];
      const Wrench<S> weight = x.model.body(i).I * AdInv(C, Twist<S>{{}, x.gravity});
      total.push_back(W[i - 1] + coAdInv(C, x.Fext[i] + weight));
      if (const int p = x.model.body(i).parent) total[p - 1] = total[p - 1] - W[i - 1];
      rate.push_back(derivative(coAdInv(C_t, x.series_model().body(i).I * x.along_motion().V[i]), 1));
    }
    sides.add(total, rate, W);
    return sides;
  };
  r.erratum({.id = "E-ali-5",
             .keys = {"ali:A2", "ali:58"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x) { return balance(x, S(-1)); }},
             .corrected = [=](const Specimen<S>& x) { return balance(x, S(1)); }});
  // The print holds; what one may expect, that it does not matter where the inertial origin is, does not hold of digits.
  const auto seen_from = [](const Specimen<S>& x, const Vector3<S>& place) {
    Sides<S> sides;
    Model<S> there(x.model);
    for (int i = 1; i <= x.bodies(); ++i) {
      Body<S> body = x.model.body(i);
      if (body.parent != 0) continue;
      body.M.p += place;
      there = there.with(body);
    }
    const int r = highest_order;
    const Partition all(x.model.nv(), true);
    SpatialForm<S> spatial(there, r, all);
    BodyForm<S> body(x.model, r, all);
    spatial.rates = body.rates = drawn_rates(x, r + 2);
    const WrenchDerivatives<S> Fext = drawn_wrenches(x, r);
    spatial.run(x.q, Fext), body.run(x.q, Fext);
    for (int k = 0; k <= r; ++k)
      sides.add_by_unit(x.model, VectorX<S>(spatial.tau.col(k)), VectorX<S>(body.tau.col(k)));
    return sides;
  };
  r.erratum({.id = "E-ali-8",
             .keys = {"ali:F3"},
             .margin = 1e-9,
             .printed = {[=](const Specimen<S>& x) {
               return seen_from(x, S(1000000) * Vector3<S>{S(1), S(1), S(1)});
             }},
             .corrected = [=](const Specimen<S>& x) { return seen_from(x, x.vector(0)); }});
}

}  // namespace

template <typename S>
void higher_order_identities(Registry<S>& r)
{
  group_operations(r);
  trees(r);
  manipulator(r);
  kinematics(r);
  inverse_dynamics(r);
  forward_dynamics(r);
  written_out(r);
  errata(r);
  closed_form_identities(r);
  cost_identities(r);
  flight_identities(r);
}

template void higher_order_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
