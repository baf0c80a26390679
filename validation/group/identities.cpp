/** \file
 *  \brief Proofs of chapter group: Kim 2012, sections 1.1, 1.2 and 1.4; Park 1995, section 2.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/// The matrix exponential by its power series, halved and squared: no trigonometry.
template <typename S>
Matrix4<S> power_series_exp(Matrix4<S> A)
{
  constexpr int halvings = 3;
  A /= S(1 << halvings);
  Matrix4<S> sum = Matrix4<S>::Identity(), term = sum;
  for (int k = 1; k < 50; ++k) {
    term = (term * A / S(k)).eval();
    sum += term;
  }
  for (int k = 0; k < halvings; ++k) sum = (sum * sum).eval();
  return sum;
}

/// A rotation vector of each kind that matters: none, tiny, small, moderate, near a half turn, a half turn, beyond.
template <typename S>
std::vector<Vector3<S>> rotation_vectors(const Vector3<S>& direction)
{
  using std::sqrt;
  const Vector3<S> u = S(1) / S(sqrt(inner(direction, direction))) * direction;
  const S half_turn = pi<S>(), tiny = S(1) / S(100000000);
  return {S(0) * u,      tiny * u, S(3) / S(20) * u, S(7) / S(10) * u, S(2) * u, (half_turn - tiny) * u,
          half_turn * u, S(5) * u};
}

/// The vector product written with the permutation symbol.
template <typename S>
Vector3<S> permutation_product(const Vector3<S>& a, const Vector3<S>& b)
{
  Vector3<S> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i] += S((i - j) * (j - k) * (k - i)) / S(2) * a[j] * b[k];
  return c;
}

template <typename S>
Twist<S> unit_twist(int k)
{
  return to_twist(Vector6<S>::Unit(k));
}
template <typename S>
Wrench<S> unit_wrench(int k)
{
  return to_wrench(Vector6<S>::Unit(k));
}

/// Vectors one below the other.
template <typename S>
VectorX<S> stacked(const std::vector<Vector3<S>>& list)
{
  VectorX<S> all(3 * list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    for (int k = 0; k < 3; ++k) all(3 * i + k) = list[i][k];
  return all;
}

/// A on the diagonal and B below it, or where it is told to stand.
template <typename S>
Matrix6<S> two_blocks(const Matrix3<S>& A, const Matrix3<S>& B, int row = 3, int column = 0)
{
  Matrix6<S> all = Matrix6<S>::Zero();
  for (const int k : {0, 3}) all.template block<3, 3>(k, k) = A.eigen();
  all.template block<3, 3>(row, column) = B.eigen();
  return all;
}

/// Matrices one below the other.
template <typename S, int Columns>
MatrixX<S> stacked(const std::vector<Eigen::Matrix<S, Columns, Columns>>& list)
{
  MatrixX<S> all(Columns * list.size(), Columns);
  for (std::size_t i = 0; i < list.size(); ++i) all.template block<Columns, Columns>(Columns * i, 0) = list[i];
  return all;
}

/// Seen from a far origin a rate is large, and that is what is rounded.
template <typename S>
S largest_entry(const Matrix6<S>& A)
{
  S largest(0);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      if (magnitude(A(i, j)) > largest) largest = magnitude(A(i, j));
  return largest;
}

template <typename S>
void poses(Registry<S>& r)
{
  r.identity({.name = "columns_of_a_rotation_are_the_axes_of_its_frame",
              .keys = {"kim:1"},
              .symbols = "SO3",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const auto& link : x.model.links()) {
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  const Matrix3<S> R = x.kinematics.link_pose(link).R.matrix;
                  for (int k = 0; k < 3; ++k) sides.add(R.column(k).eigen(), seen.rotation.col(k));
                  sides.rival("the axes are its rows", [&](auto& wrong) {
                    for (int k = 0; k < 3; ++k) wrong.add(R.row(k).eigen(), seen.rotation.col(k));
                  });
                }
              }});
  r.identity({.name = "rotations_are_orthogonal_with_determinant_one",
              .keys = {"kim:2/right", "kim:2/left", "kim:2/determinant"},
              .symbols = "SO3 inverse",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<SO3<S>> rotations{x.pose(0).R};
                for (const SE3<S>& pose : x.kinematics.pose) rotations.push_back(pose.R);
                for (const SO3<S>& rotation : rotations) {
                  const Matrix3<S> R = rotation.matrix, one = Matrix3<S>::identity();
                  sides.clause("kim:2/right");
                  sides.add(R * transpose(R), one);
                  sides.add((rotation * inverse(rotation)).matrix, one);
                  sides.rival("the transpose is left out", [&](auto& wrong) { wrong.add(R * R, one); });
                  sides.clause("kim:2/left");
                  sides.add(transpose(R) * R, one);
                  sides.add((inverse(rotation) * rotation).matrix, one);
                  sides.rival("both factors are transposed",
                              [&](auto& wrong) { wrong.add(transpose(R) * transpose(R), one); });
                  sides.clause("kim:2/determinant");
                  sides.add(inner(R.column(0), permutation_product(R.column(1), R.column(2))), S(1));
                  sides.rival("the frame is left-handed", [&](auto& wrong) {
                    wrong.add(inner(R.column(0), permutation_product(R.column(2), R.column(1))), S(1));
                  });
                }
              }});
  r.identity({.name = "homogeneous_matrices_compose_and_move_points_as_poses_do",
              .keys = {"kim:3/matrix", "kim:3/pose"},
              .symbols = "SE3 matrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> a = x.pose(0), b = x.pose(8);
                const Vector3<S> point = x.vector(16);
                Eigen::Matrix<S, 4, 1> homogeneous;
                homogeneous << point.eigen(), S(1);
                sides.clause("kim:3/matrix");
                sides.add(matrix(a * b), matrix(a) * matrix(b));
                sides.add((a * point).eigen(), (matrix(a) * homogeneous).template head<3>());
                sides.rival("the position stands in the last row", [&](auto& wrong) {
                  wrong.add((a * point).eigen(), (matrix(a).transpose() * homogeneous).template head<3>());
                });
                sides.clause("kim:3/pose");
                for (const auto& link : x.model.links()) {
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  const SE3<S> T = x.kinematics.link_pose(link);
                  sides.add(T.R.matrix.eigen(), seen.rotation);
                  sides.add(T.p.eigen(), seen.position);
                  sides.rival("it is the pose of {A} seen from {B}",
                              [&](auto& wrong) { wrong.add(inverse(T).p.eigen(), seen.position); });
                }
              }});
  r.identity({.name = "the_inverse_of_a_pose_undoes_it",
              .keys = {"kim:4"},
              .symbols = "inverse",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                const SO3<S> Rt(transpose(T.R.matrix));
                const SE3<S> written{Rt, -(Rt * T.p)};
                sides.add(matrix(written) * matrix(T), Matrix4<S>::Identity());
                sides.add(matrix(inverse(T)), matrix(written));
                sides.rival("the position changes its sign and is not turned", [&](auto& wrong) {
                  wrong.add(matrix(SE3<S>{Rt, -T.p}) * matrix(T), Matrix4<S>::Identity());
                });
              }});
  r.identity({.name = "the_hat_of_a_twist_multiplies_like_the_vector_product",
              .keys = {"kim:5/matrix", "kim:5/product"},
              .symbols = "hat vee skew cross",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0);
                const Vector3<S> r = x.vector(6);
                sides.clause("kim:5/product");
                sides.add(skew(V.w) * r, permutation_product(V.w, r));
                sides.add(cross(V.w, r), permutation_product(V.w, r));
                sides.rival("the factors change places",
                            [&](auto& wrong) { wrong.add(skew(r) * V.w, permutation_product(V.w, r)); });
                sides.clause("kim:5/matrix");
                Eigen::Matrix<S, 4, 1> point, velocity;
                point << r.eigen(), S(1);
                velocity << (permutation_product(V.w, r) + V.v).eigen(), S(0);
                sides.add(hat(V) * point, velocity);
                sides.add(vee(hat(V)), V);
                sides.rival("the linear part comes first", [&](auto& wrong) {
                  wrong.add(hat(Twist<S>{V.v, V.w}) * point, velocity);
                });
              }});
}

template <typename S>
void adjoints(Registry<S>& r)
{
  r.identity({.name = "Ad_is_conjugation_by_the_pose",
              .keys = {"kim:6", "kim:7", "park:2", "park:3"},
              .symbols = "Ad AdInv Ad_matrix",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0), U = x.pose(8);
                const Twist<S> xi = x.twist(16);
                const Twist<S> conjugated = vee(Matrix4<S>(matrix(T) * hat(xi) * matrix(inverse(T))));
                sides.clause("kim:6");
                sides.add(hat(Ad(T, xi)), Matrix4<S>(matrix(T) * hat(xi) * matrix(inverse(T))));
                sides.add(Ad(T, xi), conjugated);
                sides.add(AdInv(T, Ad(T, xi)), xi);
                sides.add(Ad(T * U, xi), Ad(T, Ad(U, xi)));
                sides.rival("the inverse stands on the left", [&](auto& wrong) {
                  wrong.add(Ad(T, xi), vee(Matrix4<S>(matrix(inverse(T)) * hat(xi) * matrix(T))));
                });
                sides.clause("park:2");
                const Vector3<S> w = T.R * xi.w, v = T.R * xi.v;
                sides.add(Ad(T, xi), conjugated);
                sides.add(Twist<S>{w, permutation_product(T.p, w) + v}, conjugated);
                sides.rival("the lever meets the angular velocity before it is turned", [&](auto& wrong) {
                  wrong.add(Twist<S>{w, permutation_product(T.p, xi.w) + v}, conjugated);
                });
                sides.clause({"kim:7", "park:3"});
                const Matrix3<S> R = T.R.matrix, p = skew(T.p);
                Matrix6<S> columns;  // what conjugation makes of the unit twists
                for (int k = 0; k < 6; ++k) {
                  const Matrix4<S> unit = hat(unit_twist<S>(k));
                  columns.col(k) = coordinates(vee(Matrix4<S>(matrix(T) * unit * matrix(inverse(T)))));
                }
                sides.add(two_blocks(R, Matrix3<S>(p * R)), columns);
                sides.add(Ad_matrix(T), columns);
                sides.rival("the position is turned: R[p] below the diagonal",
                            [&](auto& wrong) { wrong.add(two_blocks(R, Matrix3<S>(R * p)), columns); });
                sides.rival("the block stands above the diagonal",
                            [&](auto& wrong) { wrong.add(two_blocks(R, Matrix3<S>(p * R), 0, 3), columns); });
              }});
  r.identity({.name = "coAd_is_the_transpose_of_Ad",
              .keys = {"kim:8", "park:4/transpose", "park:4/blocks"},
              .symbols = "coAd coAdInv pairing",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                const Wrench<S> F = x.wrench(8);
                sides.add(coordinates(coAd(T, F)), Ad_matrix(T).transpose() * coordinates(F));
                sides.add(coordinates(coAdInv(T, F)), Ad_matrix(inverse(T)).transpose() * coordinates(F));
                Vector6<S> power;  // of F with the twists that Ad makes of the unit twists
                for (int k = 0; k < 6; ++k) power(k) = pairing(F, Ad(T, unit_twist<S>(k)));
                sides.add(to_wrench(power), coAd(T, F));
                sides.rival("an inverse goes with the transpose", [&](auto& wrong) {
                  wrong.add(coordinates(coAdInv(T, F)), Ad_matrix(T).transpose() * coordinates(F));
                });
                sides.clause("park:4/blocks");
                const Matrix3<S> Rt = transpose(T.R.matrix);
                const Wrench<S> blocks{Rt * F.m + Rt * transpose(skew(T.p)) * F.f, Rt * F.f};
                sides.add(coAd(T, F), blocks);
                sides.add(blocks, to_wrench(power));
                sides.rival("the upper right block forgets the transpose of [b]", [&](auto& wrong) {
                  wrong.add(Wrench<S>{Rt * F.m + Rt * skew(T.p) * F.f, Rt * F.f}, to_wrench(power));
                });
              }});
  r.identity({.name = "two_frames_on_one_body_have_twists_related_by_Ad",
              .keys = {"kim:11"},
              .symbols = "AdInv ForwardKinematics::link_twist",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> twists, differentiated, other_way;
                const auto& moving = x.along_motion();
                for (std::size_t l = 0; l < x.model.links().size(); ++l) {
                  const auto& link = x.model.links()[l];
                  const SE3<Series<S>> T = moving.link_pose(x.series_model().links()[l]);
                  twists.push_back(x.kinematics.link_twist(link));
                  differentiated.push_back(vee(Matrix4<S>(inverted(derivative(T, 0)) * derivative(T, 1))));
                  other_way.push_back(Ad(link.X, x.kinematics.V[link.body]));
                }
                sides.add(twists, differentiated);
                sides.rival("the pose of the frames is taken the other way",
                            [&](auto& wrong) { wrong.add(other_way, differentiated); });
              }});
  r.identity({.name = "a_wrench_is_the_sum_of_its_forces_and_of_their_moments_in_every_frame",
              .keys = {"kim:12", "kim:13", "park:11/coadjoint", "park:11/components"},
              .symbols = "wrench_of_force coAd coAdInv",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> Tab = x.pose(0);
                Wrench<S> Fa, Fb;
                Vector3<S> moment;
                for (int k = 0; k < 4; ++k) {
                  const Vector3<S> point = x.vector(8 + 6 * k), force = x.vector(11 + 6 * k);
                  Fa += wrench_of_force(point, force);
                  Fb += wrench_of_force(inverse(Tab) * point, inverse(Tab.R) * force);
                  moment += permutation_product(point, force);
                }
                sides.clause("kim:12");
                sides.add(Fa.m, moment);
                sides.clause({"kim:13", "park:11/coadjoint"});
                sides.add(coAd(Tab, Fa), Fb);
                sides.add(coAdInv(Tab, Fb), Fa);
                sides.rival("the wrench is carried the way that a twist goes",
                            [&](auto& wrong) { wrong.add(coAdInv(Tab, Fa), Fb); });
                sides.clause("park:11/components");
                const SO3<S> Rt = inverse(Tab.R);
                sides.add(Wrench<S>{Rt * Fa.m - Rt * permutation_product(Tab.p, Fa.f), Rt * Fa.f}, Fb);
                sides.rival("the lever is left in the old axes", [&](auto& wrong) {
                  wrong.add(Wrench<S>{Rt * Fa.m - permutation_product(Tab.p, Rt * Fa.f), Rt * Fa.f}, Fb);
                });
              }});
}

template <typename S>
void velocities(Registry<S>& r)
{
  r.identity({.name = "the_body_velocity_is_the_rate_of_the_pose_seen_from_the_body",
              .keys = {"kim:9/pose", "kim:9/angular", "kim:9/linear"},
              .symbols = "Twist vee",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using Matrix = Eigen::Matrix<S, 3, 3>;
                std::vector<Twist<S>> twists, rates, rates_in_world;
                std::vector<Vector3<S>> v, turned, pdots;
                std::vector<Matrix4<S>> hats, measured;
                std::vector<Matrix> skews, seen_from_body, seen_from_world;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& T = x.along_motion().pose[i];
                  const Matrix4<S> H = derivative(T, 0), Hdot = derivative(T, 1);
                  const Matrix R = H.template topLeftCorner<3, 3>(), Rdot = Hdot.template topLeftCorner<3, 3>();
                  const Eigen::Matrix<S, 3, 1> pdot = Hdot.template topRightCorner<3, 1>();
                  twists.push_back(x.kinematics.V[i]);
                  hats.push_back(hat(twists.back())), measured.push_back(inverted(H) * Hdot);
                  rates.push_back(vee(measured.back()));
                  rates_in_world.push_back(vee(Matrix4<S>(Hdot * inverted(H))));
                  v.push_back(x.kinematics.V[i].v);
                  skews.push_back(skew(x.kinematics.V[i].w).eigen());
                  seen_from_body.push_back(R.transpose() * Rdot), seen_from_world.push_back(Rdot * R.transpose());
                  turned.push_back(Vector3<S>(R.transpose() * pdot)), pdots.push_back(Vector3<S>(pdot));
                }
                sides.clause("kim:9/pose");
                sides.add(twists, rates);
                sides.add(stacked(hats), stacked(measured));
                sides.rival("the inverse stands on the right", [&](auto& wrong) { wrong.add(twists, rates_in_world); });
                sides.clause("kim:9/angular");
                sides.add(stacked(skews), stacked(seen_from_body));
                sides.rival("the transpose stands on the right",
                            [&](auto& wrong) { wrong.add(stacked(skews), stacked(seen_from_world)); });
                sides.clause("kim:9/linear");
                sides.add(stacked(v), stacked(turned));
                sides.rival("the velocity is left in the axes of the world",
                            [&](auto& wrong) { wrong.add(stacked(v), stacked(pdots)); });
              }});
  r.identity({.name = "a_vector_in_a_turning_frame_changes_by_w_cross_x",
              .keys = {"kim:25"},
              .symbols = "SO3 cross exp",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Series<S> t = time_series<S>();
                const Vector3<S> w = x.vector(0), at = x.vector(3), rate = x.vector(6);
                const SO3<S> R = x.pose(9).R;
                SO3<Series<S>> start;
                for (int k = 0; k < 9; ++k) start.matrix.e[k] = Series<S>(R.matrix.e[k]);
                const SO3<Series<S>> moving = start * exp(t * constant(w));
                const Vector3<S> seen_at_rest = derivative(moving * (constant(at) + t * constant(rate)), 1);
                sides.add(inverse(R) * seen_at_rest, rate + cross(w, at));
                sides.rival("the factors change places",
                            [&](auto& wrong) { wrong.add(inverse(R) * seen_at_rest, rate + cross(at, w)); });
              }});
  r.identity(
      {.name = "a_twist_in_a_moving_frame_changes_by_ad_V",
       .keys = {"kim:26", "kim:27", "kim:L1/rate", "kim:L1/matrix", "kim:L1/blocks", "park:5", "park:6", "park:1"},
       .symbols = "ad ad_matrix",
       .method = "series",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const Series<S> t = time_series<S>();
         for (int i = 1; i <= x.bodies(); ++i) {
           const SE3<Series<S>>& T = x.along_motion().pose[i];
           const SE3<S>& pose = x.kinematics.pose[i];
           const Twist<S> X = x.twist(0), Xdot = x.twist(6), V = x.kinematics.V[i];
           const Twist<S> rate = AdInv(pose, derivative(Ad(T, constant(X) + t * constant(Xdot)), 1));
           sides.clause({"kim:26", "kim:L1/rate"});
           sides.add(rate, Xdot + ad(V, X));
           sides.rival("X acts on V", [&](auto& wrong) { wrong.add(rate, Xdot + ad(X, V)); });

           sides.clause("kim:L1/matrix");
           Matrix6<S> from_left, from_right;  // Ad^{-1} d(Ad)/dt, d(Ad)/dt Ad^{-1}
           Matrix6<S> commutators;            // of V with the unit twists
           for (int k = 0; k < 6; ++k) {
             const Twist<S> unit = unit_twist<S>(k);
             commutators.col(k) = coordinates(vee(Matrix4<S>(hat(V) * hat(unit) - hat(unit) * hat(V))));
             from_left.col(k) = coordinates(AdInv(pose, derivative(Ad(T, constant(unit)), 1)));
             from_right.col(k) = coordinates(derivative(Ad(T, constant(AdInv(pose, unit))), 1));
           }
           sides.add(from_left, ad_matrix(V));
           sides.rival("the inverse stands on the right", [&](auto& wrong) { wrong.add(from_right, ad_matrix(V)); });

           const Twist<S> commutator = vee(Matrix4<S>(hat(V) * hat(X) - hat(X) * hat(V)));
           sides.clause({"kim:27", "kim:L1/blocks", "park:6"});
           const Matrix3<S> w = skew(V.w), v = skew(V.v);
           sides.add(two_blocks(w, v), commutators);
           sides.add(two_blocks(w, v), from_left);
           sides.add(ad_matrix(V), commutators);
           sides.rival("[v] stands above the diagonal",
                       [&](auto& wrong) { wrong.add(two_blocks(w, v, 0, 3), commutators); });
           sides.clause({"park:1", "park:5"});
           sides.add(ad(V, X), commutator);
           const Vector3<S> turned = permutation_product(V.w, X.w), ours = permutation_product(V.w, X.v),
                            theirs = permutation_product(X.w, V.v);
           sides.add(Twist<S>{turned, ours - theirs}, commutator);
           sides.rival("both linear terms have one sign", [&](auto& wrong) {
             wrong.add(Twist<S>{turned, ours + theirs}, commutator);
           });
         }
       }});
  r.identity(
      {.name = "a_wrench_in_a_moving_frame_changes_by_minus_coad_V",
       .keys = {"kim:28", "kim:29/transpose", "kim:29/blocks", "kim:L2/rate", "kim:L2/matrix", "park:7/transpose"},
       .symbols = "coad",
       .method = "series",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const Series<S> t = time_series<S>();
         for (int i = 1; i <= x.bodies(); ++i) {
           const SE3<Series<S>>& T = x.along_motion().pose[i];
           const SE3<S>& pose = x.kinematics.pose[i];
           const Wrench<S> Y = x.wrench(0), Ydot = x.wrench(6);
           const Twist<S> V = x.kinematics.V[i];
           const Wrench<S> rate = coAd(pose, derivative(coAdInv(T, constant(Y) + t * constant(Ydot)), 1));
           sides.clause({"kim:28", "kim:L2/rate"});
           sides.add(rate, Ydot - coad(V, Y));
           sides.rival("the dual term has the sign that a twist's has",
                       [&](auto& wrong) { wrong.add(rate, Ydot + coad(V, Y)); });

           sides.clause("kim:L2/matrix");
           Matrix6<S> from_left, from_right;  // Ad* d(Ad*^{-1})/dt, d(Ad*^{-1})/dt Ad*
           for (int k = 0; k < 6; ++k) {
             const Wrench<S> unit = unit_wrench<S>(k);
             from_left.col(k) = coordinates(coAd(pose, derivative(coAdInv(T, constant(unit)), 1)));
             from_right.col(k) = coordinates(derivative(coAdInv(T, constant(coAd(pose, unit))), 1));
           }
           const Matrix6<S> minus_ad = -ad_matrix(V);
           sides.add(from_left, minus_ad.transpose(), largest_entry(from_right));
           sides.rival("Ad* stands on the right", [&](auto& wrong) { wrong.add(from_right, minus_ad.transpose()); });
           sides.rival("the transpose is left out", [&](auto& wrong) { wrong.add(from_left, minus_ad); });

           // The power of Y at ad_V X is that of ad*_V Y at X.
           Vector6<S> power;
           for (int k = 0; k < 6; ++k) power(k) = pairing(Y, ad(V, unit_twist<S>(k)));
           sides.clause({"kim:29/transpose", "park:7/transpose"});
           sides.add(coad(V, Y), to_wrench(power));
           sides.add(ad_matrix(V).transpose() * coordinates(Y), power);
           sides.rival("a sign goes with the transpose",
                       [&](auto& wrong) { wrong.add(minus_ad.transpose() * coordinates(Y), power); });
           sides.rival("the transpose is left out",
                       [&](auto& wrong) { wrong.add(ad_matrix(V) * coordinates(Y), power); });
           sides.clause("kim:29/blocks");
           const Matrix3<S> w = skew(V.w), v = skew(V.v);
           sides.add(two_blocks(w, v).transpose() * coordinates(Y), power);
           sides.rival("[v] stands above the diagonal",
                       [&](auto& wrong) { wrong.add(two_blocks(w, v, 0, 3).transpose() * coordinates(Y), power); });
         }
       }});
}

template <typename S>
void exponentials(Registry<S>& r)
{
  r.identity({.name = "exp_is_the_power_series_of_the_matrix",
              .keys = {"park:15", "park:16", "park:17"},
              .symbols = "exp Phi quaternion_exp",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const Vector3<S>& w : rotation_vectors(x.vector(0))) {
                  const Twist<S> xi{w, x.vector(3)};
                  const Matrix4<S> series = power_series_exp(hat(xi));
                  sides.clause("park:15");
                  sides.add(matrix(exp(xi)), series);
                  sides.rival("the translation is that of a slide along v", [&](auto& wrong) {
                    wrong.add(matrix(SE3<S>{exp(w), xi.v}), series);
                  });
                  sides.clause("park:16");
                  sides.add(exp(w).matrix.eigen(), series.template topLeftCorner<3, 3>());
                  sides.add(SO3<S>(quaternion_exp(w)).matrix.eigen(), series.template topLeftCorner<3, 3>());
                  sides.clause("park:17");
                  sides.add(exp(xi).p.eigen(), series.template topRightCorner<3, 1>());
                }
                using std::sqrt, std::sin, std::cos;
                const Vector3<S> w = x.vector(0), v = x.vector(3), unit = S(1) / S(sqrt(inner(w, w))) * w;
                const S q = S(3) * x.number(6), s = sin(q), c = S(1) - S(cos(q)), left = q - s;
                for (const Twist<S>& screw : {Twist<S>{unit, v}, Twist<S>{{}, v}}) {
                  sides.clause({"park:15", "park:16", "park:17"});
                  sides.add(matrix(exp(screw, q)), power_series_exp(hat(q * screw)));
                }
                const Matrix3<S> W = skew(unit), WW = W * W;
                const Matrix4<S> series = power_series_exp(hat(q * Twist<S>{unit, v}));
                sides.clause("park:16");
                sides.add((Matrix3<S>::identity() + s * W + c * WW).eigen(), series.template topLeftCorner<3, 3>());
                sides.rival("the square of [w] is subtracted", [&](auto& wrong) {
                  wrong.add((Matrix3<S>::identity() + s * W - c * WW).eigen(), series.template topLeftCorner<3, 3>());
                });
                sides.clause("park:17");
                sides.add((q * v + c * (W * v) + left * (WW * v)).eigen(), series.template topRightCorner<3, 1>());
                sides.rival("the last two coefficients change places", [&](auto& wrong) {
                  wrong.add((q * v + left * (W * v) + c * (WW * v)).eigen(), series.template topRightCorner<3, 1>());
                });
              }});
  r.identity({.name = "log_undoes_exp_up_to_a_half_turn",
              .keys = {"park:15"},
              .symbols = "log quaternion",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const S& sign : {S(1), S(-1)})
                  for (const Vector3<S>& w : rotation_vectors(sign * x.vector(0))) {
                    const SE3<S> T = exp(Twist<S>{w, x.vector(3)});
                    const Twist<S> xi = log(T);
                    sides.add(exp(xi), T);
                    if (comparable(inner(w, w)) < 9) sides.add(xi, Twist<S>{w, x.vector(3)});
                    sides.rival("the position is taken for the linear part of the screw", [&](auto& wrong) {
                      wrong.add(exp(Twist<S>{xi.w, T.p}), T);
                    });
                  }
                // A half turn 2uu^T - 1 to the last bit: the largest component of the vector is positive.
                const Vector3<S> d = x.vector(0);
                Matrix3<S> half_turn = S(2) / inner(d, d) * outer(d, d) - Matrix3<S>::identity();
                for (int i = 0; i < 3; ++i)
                  for (int j = 0; j < i; ++j) half_turn(i, j) = half_turn(j, i);  // however each entry is rounded
                int largest = 0;
                for (int k = 1; k < 3; ++k)
                  if (magnitude(d[k]) > magnitude(d[largest])) largest = k;
                using std::sqrt;
                const S length = comparable(d[largest]) < 0 ? -sqrt(inner(d, d)) : sqrt(inner(d, d));
                sides.add(log(SO3<S>(half_turn)), pi<S>() / length * d);
              }});
  r.identity({.name = "dexp_is_the_body_velocity_of_a_moving_exponential",
              .keys = {"park:15"},
              .symbols = "dexp Phi::twice_derivative",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Series<S> t = time_series<S>();
                for (const Vector3<S>& w : rotation_vectors(x.vector(0))) {
                  const Twist<S> xi{w, x.vector(3)}, rate = x.twist(6);
                  const SE3<Series<S>> T = exp(constant(xi) + t * constant(rate));
                  const Twist<S> V = vee(Matrix4<S>(matrix(inverse(exp(xi))) * derivative(T, 1)));
                  sides.add(dexp(xi, rate), V);
                  sides.add(dexp(xi.w, rate.w), V.w);
                  sides.rival("it is the velocity seen from the world",
                              [&](auto& wrong) { wrong.add(dexp(-xi, rate), V); });
                }
              }});
}

}  // namespace

template <typename S>
void group_identities(Registry<S>& r)
{
  poses(r);
  adjoints(r);
  velocities(r);
  exponentials(r);
}

template void group_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
