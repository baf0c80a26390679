/** \file
 *  \brief Proofs of chapter higher_order: Ali, Gabellieri and Franchi, the group operations, trees and the aerial manipulator.
 */
#include <higher_order/runs.hpp>
#include <ledger/calculus.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void group_operations(Registry<S>& r)
{
  r.identity({.name = "poses_are_matrices_and_twists_are_what_they_turn_into_when_conjugated_and_bracketed",
              .keys = {"ali:1", "ali:2", "ali:3", "ali:4", "ali:5"},
              .symbols = "SE3 Twist hat Ad ad coad coAdInv Ad_matrix ad_matrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using Block = Eigen::Matrix<S, 3, 3>;
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
              }});
  r.identity({.name = "adjoints_multiply_as_poses_and_brackets_go_along",
              .keys = {"ali:7"},
              .symbols = "Ad ad AdInv inverse Ad_matrix ad_matrix",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
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
              }});
  r.identity({.name = "adjoints_of_a_moving_pose_change_by_brackets_with_its_spatial_twist",
              .keys = {"ali:6"},
              .symbols = "Ad AdInv ad coad coAdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
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
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // One edge ends at each body: that of its joint, which begins at the body of the joint's parent link.
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
              }});
  r.identity({.name = "screws_at_home_turn_about_points_of_their_axes_or_slide_along_them",
              .keys = {"ali:8"},
              .symbols = "SpatialForm::place SpatialForm::number_the_degrees SpatialForm::S",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
                form.place(x.model.zero_coordinates());
                sides.add(of_degrees(x, [&](int d) { return form.S(d, 0); }), AtHome<S>(x).Y);
              }});
  r.identity({.name = "exponentials_of_the_screws_at_home_carry_the_bodies_from_home",
              .keys = {"ali:9", "ali:A1"},
              .symbols = "SpatialForm::place SpatialForm::number_the_degrees exp",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const std::vector<int> p{0, 1, 2, 3, 1, 5, 6};  // of bodies 1 to 7
                    const std::map<int, std::vector<int>> ch{{1, {2, 5}}, {2, {3}}, {3, {4}}, {5, {6}}, {6, {7}}};
                    std::map<int, std::vector<int>> children;
                    for (int i = 1; i <= 7; ++i) {
                      sides.add(S(x.model.body(i).parent), S(p[i - 1]), S(1));
                      if (i > 1) children[x.model.body(i).parent].push_back(i);
                    }
                    sides.add(S(children == ch), S(1));
                  },
              .applies = is_the_manipulator});
  r.identity({.name = "the_homes_and_axes_of_the_manipulator_are_as_listed",
              .keys = {"ali:29", "ali:30"},
              .symbols = "Model SpatialForm::number_the_degrees",
              .method = "by hand",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    // Lengths are those of the list, as the binary64 numbers of which the model is made.
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
                  },
              .applies = is_the_manipulator});
}

}  // namespace

template <typename S>
void higher_order_trees(Registry<S>& r)
{
  group_operations(r);
  trees(r);
  manipulator(r);
}

template void higher_order_trees(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
