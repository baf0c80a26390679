/** \file
 *  \brief Proofs of chapter higher_order: Ali, Gabellieri and Franchi, the group operations, trees and the aerial manipulator.
 */
#include <higher_order/runs.hpp>
#include <ledger/calculus.hpp>
#include <skew_symmetry/compared_with.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void group_operations(Registry<S>& r)
{
  r.identity(
      {.name = "poses_are_matrices_and_twists_are_what_they_turn_into_when_conjugated_and_bracketed",
       .keys = {"ali:1/orthogonal", "ali:1/determinant", "ali:1/group", "ali:2", "ali:3/matrix", "ali:3/conjugation",
                "ali:3/wrenches", "ali:4/bracket", "ali:4/commutator", "ali:5/matrix", "ali:5/transpose"},
       .symbols = "SE3 hat Ad ad coad coAdInv Ad_matrix ad_matrix",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         using Block = Eigen::Matrix<S, 3, 3>;
         const SE3<S> C = x.pose(0), B = x.pose(7);
         const Twist<S> X = x.twist(10), Y = x.twist(16);
         const Wrench<S> F = x.wrench(22);
         const Block R = C.R.matrix.eigen(), w = skew(X.w).eigen(), v = skew(X.v).eigen(), zero = Block::Zero();
         const Vector3<S> first(Eigen::Matrix<S, 3, 1>(R.col(0))), second(Eigen::Matrix<S, 3, 1>(R.col(1)));
         const Vector3<S> third(Eigen::Matrix<S, 3, 1>(R.col(2)));

         sides.clause("ali:1/orthogonal");
         sides.add(Block(R.transpose() * R), Block::Identity());
         sides.rival("a rotation is taken to be its own inverse",
                     [&](auto& wrong) { wrong.add(Block(R * R), Block::Identity()); });
         sides.clause("ali:1/determinant");
         sides.add(R.determinant(), S(1));
         sides.add(third, cross(first, second));
         sides.rival("the axes are left-handed", [&](auto& wrong) { wrong.add(third, cross(second, first)); });
         sides.clause("ali:1/group");
         sides.add(matrix(C * B), Matrix4<S>(matrix(C) * matrix(B)));
         sides.add(matrix(inverse(C)), inverted(matrix(C)));
         sides.rival("places add up without being turned", [&](auto& wrong) {
           wrong.add(matrix(SE3<S>{C.R * B.R, C.p + B.p}), Matrix4<S>(matrix(C) * matrix(B)));
         });

         sides.clause("ali:2");
         Matrix4<S> X_hat = Matrix4<S>::Zero(), Y_hat = X_hat;
         X_hat.template topLeftCorner<3, 3>() = w, X_hat.template topRightCorner<3, 1>() = X.v.eigen();
         Y_hat.template topLeftCorner<3, 3>() = skew(Y.w).eigen();
         Y_hat.template topRightCorner<3, 1>() = Y.v.eigen();
         sides.add(hat(X), X_hat);
         // What moves a pose is such a matrix: tangent to the group at the identity.
         const SE3<Series<S>>& C_t = x.along_motion().pose[x.bodies()];
         const Matrix4<S> rate = derivative(C_t, 1), tangent = rate * inverted(derivative(C_t, 0));
         sides.add(hat(vee(tangent)), tangent);
         sides.rival("the linear part comes first", [&](auto& wrong) { wrong.add(hat(Twist<S>{X.v, X.w}), X_hat); });
         sides.rival("the rate of a pose is not carried back to the identity",
                     [&](auto& wrong) { wrong.add(hat(vee(rate)), rate); });

         Matrix6<S> A, a, a_transpose;
         A << R, zero, skew(C.p).eigen() * R, R;
         a << w, zero, v, w;
         a_transpose << -w, -v, zero, -w;
         sides.clause("ali:3/matrix");
         sides.add(A, Ad_matrix(C));
         sides.add(to_twist(A * coordinates(Y)), Ad(C, Y));
         sides.rival("the place is crossed before the turn", [&](auto& wrong) {
           Matrix6<S> other = A;
           other.template bottomLeftCorner<3, 3>() = R * skew(C.p).eigen();
           wrong.add(to_twist(other * coordinates(Y)), Ad(C, Y));
         });
         sides.clause("ali:3/conjugation");
         sides.add(vee(Matrix4<S>(matrix(C) * X_hat * inverted(matrix(C)))), Ad(C, X));
         sides.rival("conjugated from the other side", [&](auto& wrong) {
           wrong.add(vee(Matrix4<S>(inverted(matrix(C)) * X_hat * matrix(C))), Ad(C, X));
         });
         sides.clause("ali:3/wrenches");
         sides.add(to_wrench(inverted(A).transpose() * coordinates(F)), coAdInv(C, F));
         sides.rival("wrenches map by the transpose, which is not inverted",
                     [&](auto& wrong) { wrong.add(to_wrench(A.transpose() * coordinates(F)), coAdInv(C, F)); });

         sides.clause("ali:4/bracket");
         sides.add(to_twist(ad_matrix(X) * coordinates(Y)), ad(X, Y));
         sides.rival("the second twist acts on the first",
                     [&](auto& wrong) { wrong.add(to_twist(ad_matrix(Y) * coordinates(X)), ad(X, Y)); });
         sides.clause("ali:4/commutator");
         sides.add(vee(Matrix4<S>(X_hat * Y_hat - Y_hat * X_hat)), ad(X, Y));
         sides.rival("the commutator is taken the other way round",
                     [&](auto& wrong) { wrong.add(vee(Matrix4<S>(Y_hat * X_hat - X_hat * Y_hat)), ad(X, Y)); });
         sides.clause("ali:5/matrix");
         sides.add(a, ad_matrix(X));
         sides.add(to_twist(a * coordinates(Y)), ad(X, Y));
         sides.rival("the blocks are those of the linear part first", [&](auto& wrong) {
           Matrix6<S> other;
           other << w, v, zero, w;
           wrong.add(to_twist(other * coordinates(Y)), ad(X, Y));
         });
         sides.clause("ali:5/transpose");
         sides.add(a_transpose, Matrix6<S>(ad_matrix(X).transpose()));
         sides.add(to_wrench(a_transpose * coordinates(F)), coad(X, F));
         sides.rival("the transpose is dropped",
                     [&](auto& wrong) { wrong.add(to_wrench(a * coordinates(F)), coad(X, F)); });
       }});
  r.identity(
      {.name = "adjoints_multiply_as_poses_and_brackets_go_along",
       .keys = {"ali:7/product", "ali:7/inverse", "ali:7/antisymmetry", "ali:7/carried", "ali:7/jacobi"},
       .symbols = "Ad ad AdInv inverse Ad_matrix ad_matrix",
       .method = "cross-check",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const SE3<S> A = x.pose(0), B = x.pose(7);
         const Twist<S> X = x.twist(20), Y = x.twist(26), Z = x.twist(32);
         sides.clause("ali:7/product");
         sides.add(Ad(A, Ad(B, X)), Ad(A * B, X));
         sides.add(Matrix6<S>(Ad_matrix(A) * Ad_matrix(B)), Ad_matrix(A * B));
         sides.rival("in the order in which they are passed",
                     [&](auto& wrong) { wrong.add(Ad(B, Ad(A, X)), Ad(A * B, X)); });
         sides.clause("ali:7/inverse");
         sides.add(Ad_matrix(inverse(A)), inverted(Ad_matrix(A)));
         sides.add(AdInv(A, X), to_twist(inverted(Ad_matrix(A)) * coordinates(X)));
         sides.rival("the transpose for the inverse, as with rotations",
                     [&](auto& wrong) { wrong.add(AdInv(A, X), to_twist(Ad_matrix(A).transpose() * coordinates(X))); });
         sides.clause("ali:7/antisymmetry");
         sides.add(ad(X, Y), -ad(Y, X));
         sides.rival("the bracket is symmetric", [&](auto& wrong) { wrong.add(ad(X, Y), ad(Y, X)); });
         sides.clause("ali:7/carried");
         sides.add(ad(Ad(A, X), Y), Ad(A, ad(X, AdInv(A, Y))));
         sides.add(ad_matrix(Ad(A, X)), Matrix6<S>(Ad_matrix(A) * ad_matrix(X) * inverted(Ad_matrix(A))));
         sides.rival("only the first twist is carried",
                     [&](auto& wrong) { wrong.add(ad(Ad(A, X), Y), Ad(A, ad(X, Y))); });
         sides.clause("ali:7/jacobi");
         sides.add(ad(ad(X, Y), Z), ad(X, ad(Y, Z)) - ad(Y, ad(X, Z)));
         sides.rival("the bracket is associative", [&](auto& wrong) { wrong.add(ad(ad(X, Y), Z), ad(X, ad(Y, Z))); });
       }});
  r.identity({.name = "adjoints_of_a_moving_pose_change_by_brackets_with_its_spatial_twist",
              .keys = {"ali:6/inverse", "ali:6/forth", "ali:6/bracket", "ali:6/twist"},
              .symbols = "Ad AdInv ad coad coAdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> forth, forth_rate, back, back_rate, bracket, bracket_rate, twist, body_twist;
                std::vector<Twist<S>> seen_by_body, after, before, unsquared;  // by the wrong forms
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
                  twist.push_back(V), body_twist.push_back(Ad(C, x.kinematics.V[i]));
                  seen_by_body.push_back(vee(Matrix4<S>(back_to_home * rate)));
                  after.push_back(Ad(C, ad(V, X))), before.push_back(-ad(V, AdInv(C, X)));
                  // V as a series: hat(V) = C' C^-1, so hat(V') = C'' C^-1 - hat(V)^2.
                  const Matrix4<S> V_hat = rate * back_to_home;
                  const Twist<S> Vdot = vee(Matrix4<S>(derivative(C_t, 2) * back_to_home - V_hat * V_hat));
                  const Twist<Series<S>> V_t = Ad(C_t, x.along_motion().V[i]);
                  bracket.push_back(derivative(ad(V_t, constant(X)), 1)), bracket_rate.push_back(ad(Vdot, X));
                  unsquared.push_back(ad(vee(Matrix4<S>(derivative(C_t, 2) * back_to_home)), X));
                }
                sides.clause("ali:6/twist");
                sides.add(twist, body_twist);
                sides.rival("the inverse stands on the left, as for a body twist",
                            [&](auto& wrong) { wrong.add(seen_by_body, body_twist); });
                sides.clause("ali:6/forth");
                sides.add(forth, forth_rate);
                sides.rival("the bracket stands on the right, as for a body twist",
                            [&](auto& wrong) { wrong.add(forth, after); });
                sides.clause("ali:6/inverse");
                sides.add(back, back_rate);
                sides.add(wrench, wrench_rate, size);
                sides.rival("the bracket stands on the left, as for a body twist",
                            [&](auto& wrong) { wrong.add(back, before); });
                sides.clause("ali:6/bracket");
                sides.add(bracket, bracket_rate);
                sides.rival("the rate of the twist without the square of the twist",
                            [&](auto& wrong) { wrong.add(bracket, unsquared); });
              }});
}

/// The screws at home and the home poses of all links, seen by vector mechanics.
template <typename S>
struct AtHome {
  witness::VectorNewtonEuler<S> machine;
  std::vector<Twist<S>> Y;    // by degree
  std::vector<Vector3<S>> y;  // by degree: a point of the axis

  explicit AtHome(const Specimen<S>& x)
      : machine(x.inputs.mechanism, x.inputs.options.floating_base), Y(x.model.nv()), y(Y.size())
  {
    const VectorX<S> rest = VectorX<S>::Zero(x.model.nv());
    machine.inverse_dynamics(x.model.zero_coordinates(), rest, rest, x.gravity.eigen());
    for (const auto& link : machine.links) {
      const Vector3<S> point(link.position);  // on every axis of the joint
      for (std::size_t k = 0; k < link.chain.size(); ++k) {
        const Vector3<S> turn(link.chain[k].turn_in_world), slide(link.chain[k].slide_in_world);
        Y[link.first_rate + k] = {turn, cross(point, turn) + slide};  // (8)
        y[link.first_rate + k] = point;
      }
      for (int k = 0; k < 3; ++k) {
        const Vector3<S> e(Eigen::Matrix<S, 3, 1>(link.rotation.col(k)));
        if (link.joint == JointType::ball || link.joint == JointType::floating)
          Y[link.first_rate + k] = {e, cross(point, e)}, y[link.first_rate + k] = point;
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
              .keys = {"ali:F1/root", "ali:F1/bodies", "ali:F1/edges"},
              .symbols = "Model::Contents::attach",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // An edge is a joint: it begins at the body of its parent link. A base that floats is body 1, and has
                // none; where the base rests it is the world, body 0, that stands at the root.
                std::map<std::string, int> body_of{{"", 0}};
                for (const LinkFrame<S>& link : x.model.links()) body_of[link.name] = link.body;
                std::vector<int> in(x.bodies() + 1), out(in), parents(in);
                for (const Joint& joint : x.inputs.mechanism.joints)
                  if (joint.type != JointType::fixed) {
                    ++in[body_of[joint.child]], ++out[body_of[joint.parent]];
                    parents[body_of[joint.child]] = body_of[joint.parent];
                  }
                const int root = x.model.floating_base() ? 1 : 0;
                sides.clause("ali:F1/root");
                sides.add(S(in[root]), S(0), S(1));
                sides.rival("what a floating base moves in is counted as a joint",
                            [&](auto& wrong) { wrong.add(S(in[root] + x.model.floating_base()), S(0), S(1)); });
                for (int i = root + 1; i <= x.bodies(); ++i) {
                  sides.clause("ali:F1/bodies");
                  sides.add(S(in[i]), S(1));
                  sides.rival("edges that leave a body are counted", [&](auto& wrong) { wrong.add(S(out[i]), S(1)); });
                  sides.clause("ali:F1/edges");
                  sides.add(S(x.model.body(i).parent), S(parents[i]), S(1));
                  sides.rival("each body hangs on the one before",
                              [&](auto& wrong) { wrong.add(S(x.model.body(i).parent), S(i - 1), S(1)); });
                }
              }});
  r.identity({.name = "screws_at_home_turn_about_points_of_their_axes_or_slide_along_them",
              .keys = {"ali:8/revolute", "ali:8/prismatic"},
              .symbols = "SpatialForm::place SpatialForm::S",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
                form.place(x.model.zero_coordinates());
                const AtHome<S> home(x);
                for (const bool turns : {true, false}) {
                  std::vector<Twist<S>> found, expected, other, arms;
                  for (int d = 0; d < x.model.nv(); ++d)
                    if (const Twist<S>& Y = home.Y[d]; x.model.rate_is_angular(d) == turns) {
                      found.push_back(form.S(d, 0)), expected.push_back(Y);
                      arms.push_back({Y.w, home.y[d]});
                      other.push_back(turns ? Twist<S>{Y.w, Y.v - S(2) * cross(home.y[d], Y.w)} : Twist<S>{Y.v, Y.w});
                    }
                  sides.clause(turns ? "ali:8/revolute" : "ali:8/prismatic");
                  add_beside(sides, found, expected, arms);  // an axis may pass through the origin
                  sides.rival(
                      turns ? "the axis is crossed with the point" : "a slide along an axis for a turn about it",
                      [&](auto& wrong) { wrong.add(found, other); });
                }
              }});
  r.identity(
      {.name = "exponentials_of_the_screws_at_home_carry_the_bodies_from_home",
       .keys = {"ali:9/derivative", "ali:9/rotation", "ali:9/travel", "ali:A1/poses", "ali:T5/position"},
       .symbols = "SpatialForm::place exp",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         using std::cos, std::sin;
         using Block = Eigen::Matrix<S, 3, 3>;
         const AtHome<S> home(x);
         SpatialForm<S> form(x.model, 0, Partition(x.model.nv(), true));
         form.place(x.q);
         ForwardKinematics<S> at_home(x.model);
         at_home(x.model.zero_coordinates(), VectorX<S>::Zero(x.model.nv()));
         std::vector<Matrix4<S>> F(x.model.nv()), turned_about(F);
         for (int i = 1; i <= x.bodies(); ++i) {
           const Body<S>& body = x.model.body(i);
           const Matrix4<S> A = matrix(at_home.pose[i]);
           const int before = form.before(body.v);
           for (int d = body.v; d < body.v + body.nv; ++d) {
             if (body.nq != body.nv) {  // F_1 = C_1, and a ball is no exponential of one screw
               F[d] = turned_about[d] = Matrix4<S>(matrix(x.kinematics.pose[i]) * inverted(A));
               continue;
             }
             const Twist<S>& Y = home.Y[d];
             const S& q = x.q(body.q + d - body.v);
             const SE3<S> found = exp(Y, q);
             const SE3<Series<S>> along = exp(constant(Y), Series<S>(q + time_series<S>()));
             const Block w = skew(Y.w).eigen(), one = Block::Identity();
             const Matrix4<S> e = exponential(Y, q);
             sides.clause("ali:9/derivative");  // the exponential is the one curve with this tangent
             sides.add(derivative(along, 1), Matrix4<S>(hat(Y) * e));
             sides.add(matrix(exp(Y, S(0))), Matrix4<S>(Matrix4<S>::Identity()));
             sides.rival("only to the first order", [&](auto& wrong) { wrong.add(derivative(along, 1), hat(Y)); });
             sides.clause("ali:9/rotation");
             sides.add(found.R.matrix.eigen(), e.template topLeftCorner<3, 3>());
             sides.rival("turned the other way", [&](auto& wrong) {
               wrong.add(found.R.matrix.eigen(), Block(one - sin(q) * w + (S(1) - cos(q)) * w * w));
             });
             sides.clause("ali:9/travel");
             const Vector3<S> v_turned = found.R * Y.v, travelled(Eigen::Matrix<S, 3, 1>(e.col(3).head(3)));
             const S size = largest<S>(home.y[d].eigen());  // of the arm that v is made of, and may cancel
             sides.add(derivative(along.p, 1), v_turned, size);
             sides.add(found.p, travelled, S(magnitude(q) * size));
             sides.rival("along a straight line", [&](auto& wrong) { wrong.add(found.p, q * Y.v); });
             const int inner = form.before(d);
             F[d] = inner < 0 ? e : Matrix4<S>(F[inner] * e);
             turned_about[d] = inner < 0 ? e : Matrix4<S>(e * F[inner]);
           }
           sides.clause({"ali:A1/poses", "ali:T5/position"});
           const Matrix4<S> C = F[form.last(i)] * A;
           sides.add(C, matrix(form.C[i]));
           sides.add(C, matrix(x.kinematics.pose[i]));
           sides.rival("the later joint is turned first",
                       [&](auto& wrong) { wrong.add(Matrix4<S>(turned_about[form.last(i)] * A), matrix(form.C[i])); });
           sides.rival("a joint goes on from the pose of its parent, home and all", [&](auto& wrong) {
             if (before < 0) return;
             const Matrix4<S> C_p = matrix(x.kinematics.pose[body.parent]);
             wrong.add(Matrix4<S>(C_p * (inverted(F[before]) * C)), matrix(form.C[i]));
           });
         }
       }});
}

/// Whether this is the machine of section 7 with our numbers.
bool is_the_two_armed_manipulator(const Model<double>& model)
{
  return model.mechanism().name == "aerial_manipulator" && model.floating_base() && model.bodies() == 7;
}

template <typename S>
void manipulator(Registry<S>& r)
{
  r.identity({.name = "the_manipulator_is_a_base_with_two_branches_of_three_bodies",
              .keys = {"ali:27/bodies", "ali:27/joints", "ali:27/children", "ali:27/parents"},
              .symbols = "Model::Contents::attach",
              .method = "by hand",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using Children = std::map<int, std::vector<int>>;
                    const Children ch{{1, {2, 5}}, {2, {3}}, {3, {4}}, {5, {6}}, {6, {7}}};
                    const Children level_by_level{{1, {2, 3}}, {2, {4}}, {3, {5}}, {4, {6}}, {5, {7}}};
                    const std::vector<std::pair<int, int>> joints{{1, 2}, {2, 3}, {3, 4}, {1, 5}, {5, 6}, {6, 7}};
                    const int p[] = {1, 2, 3, 1, 5, 6}, p_level[] = {1, 1, 2, 3, 4, 5};  // of bodies 2 to 7
                    sides.clause("ali:27/bodies");
                    sides.add(S(x.bodies()), S(7));
                    sides.rival("the base is not counted", [&](auto& wrong) { wrong.add(S(x.bodies()), S(6)); });

                    // The same machine by its list of joints, in the order of which the bodies are numbered.
                    Children children;
                    std::map<std::string, int> body_of;
                    for (const LinkFrame<S>& link : x.model.links()) body_of[link.name] = link.body;
                    std::vector<std::pair<int, int>> found;
                    for (const Joint& joint : x.inputs.mechanism.joints)
                      found.push_back({body_of[joint.parent], body_of[joint.child]});
                    std::sort(found.begin(), found.end(), [](auto a, auto b) { return a.second < b.second; });
                    for (std::size_t j = 0; j < joints.size(); ++j) {
                      const int i = static_cast<int>(j) + 2, parent = x.model.body(i).parent;
                      children[parent].push_back(i);
                      sides.clause("ali:27/joints");
                      sides.add(S(found[j].first), S(joints[j].first));
                      sides.add(S(found[j].second), S(joints[j].second));
                      sides.clause("ali:27/parents");
                      sides.add(S(parent), S(p[j]));
                      sides.clause({"ali:27/joints", "ali:27/parents"});
                      sides.rival("numbered level by level", [&](auto& wrong) { wrong.add(S(parent), S(p_level[j])); });
                    }
                    sides.clause("ali:27/children");
                    sides.add(S(children == ch), S(1));
                    sides.rival("numbered level by level",
                                [&](auto& wrong) { wrong.add(S(children == level_by_level), S(1)); });
                  },
              .applies = is_the_two_armed_manipulator});
  r.identity({.name = "the_homes_and_axes_of_the_manipulator_are_as_listed",
              .keys = {"ali:29/homes", "ali:29/frames", "ali:30"},
              .symbols = "Model",
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
                      sides.clause("ali:29/homes");
                      sides.add(at_home.pose[j] * (S(1) / I.mass * I.first_moment), A[j], b);
                      if (j == 1) continue;
                      const int k = (j - 2) % 3;
                      const Vector3<S> y{zero, j < 5 ? b : -b, height[k]};
                      sides.clause("ali:30");
                      const Vector3<S> axis = k == 0 ? Vector3<S>{one, zero, zero} : Vector3<S>{zero, one, zero};
                      sides.add(form.S(x.model.body(j).v, 0), Twist<S>{axis, cross(y, axis)});
                    }
                    sides.clause("ali:29/frames");
                    for (const LinkFrame<S>& link : x.model.links())
                      sides.add(at_home.link_pose(link).R.matrix, Matrix3<S>::identity());
                  },
              .applies = is_the_two_armed_manipulator});
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
