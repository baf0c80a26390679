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
                  for (int k = 0; k < 3; ++k)
                    sides.add(x.kinematics.link_pose(link).R.matrix.column(k).eigen(), seen.rotation.col(k));
                }
              }});
  r.identity({.name = "rotations_are_orthogonal_with_determinant_one",
              .keys = {"kim:2"},
              .symbols = "SO3 inverse",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<SO3<S>> rotations{x.pose(0).R};
                for (const SE3<S>& pose : x.kinematics.pose) rotations.push_back(pose.R);
                for (const SO3<S>& R : rotations) {
                  sides.add((R * inverse(R)).matrix, Matrix3<S>::identity());
                  sides.add((inverse(R) * R).matrix, Matrix3<S>::identity());
                  sides.add(inner(R.matrix.column(0), permutation_product(R.matrix.column(1), R.matrix.column(2))),
                            S(1));
                }
              }});
  r.identity({.name = "homogeneous_matrices_compose_and_move_points_as_poses_do",
              .keys = {"kim:3"},
              .symbols = "SE3 matrix",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> a = x.pose(0), b = x.pose(8);
                const Vector3<S> point = x.vector(16);
                Eigen::Matrix<S, 4, 1> homogeneous;
                homogeneous << point.eigen(), S(1);
                sides.add(matrix(a * b), matrix(a) * matrix(b));
                sides.add((a * point).eigen(), (matrix(a) * homogeneous).template head<3>());
              }});
  r.identity({.name = "the_inverse_of_a_pose_undoes_it",
              .keys = {"kim:4"},
              .symbols = "inverse",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                sides.add(matrix(inverse(T)) * matrix(T), Matrix4<S>::Identity());
              }});
  r.identity({.name = "the_hat_of_a_twist_multiplies_like_the_vector_product",
              .keys = {"kim:5"},
              .symbols = "hat vee skew cross",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0);
                const Vector3<S> r = x.vector(6);
                sides.add(skew(V.w) * r, permutation_product(V.w, r));
                sides.add(cross(V.w, r), permutation_product(V.w, r));
                Eigen::Matrix<S, 4, 1> point;
                point << r.eigen(), S(1);
                const Eigen::Matrix<S, 3, 1> velocity = (hat(V) * point).template head<3>();
                sides.add(velocity, (permutation_product(V.w, r) + V.v).eigen());
                sides.add(vee(hat(V)), V);
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
                sides.add(Ad(T, xi), conjugated);
                sides.add(Ad_matrix(T) * coordinates(xi), coordinates(conjugated));
                sides.add(AdInv(T, Ad(T, xi)), xi);
                sides.add(Ad(T * U, xi), Ad(T, Ad(U, xi)));
              }});
  r.identity({.name = "coAd_is_the_transpose_of_Ad",
              .keys = {"kim:8", "park:4/transpose"},
              .symbols = "coAd coAdInv pairing",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                const Wrench<S> F = x.wrench(8);
                sides.add(coordinates(coAd(T, F)), Ad_matrix(T).transpose() * coordinates(F));
                sides.add(coordinates(coAdInv(T, F)), Ad_matrix(inverse(T)).transpose() * coordinates(F));
                for (int k = 0; k < 6; ++k)
                  sides.add(pairing(F, Ad(T, unit_twist<S>(k))), pairing(coAd(T, F), unit_twist<S>(k)), S(10));
              }});
  r.identity({.name = "two_frames_on_one_body_have_twists_related_by_Ad",
              .keys = {"kim:11"},
              .symbols = "AdInv ForwardKinematics::link_twist",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> twists, differentiated;
                const auto& moving = x.along_motion();
                for (std::size_t l = 0; l < x.model.links().size(); ++l) {
                  const SE3<Series<S>> T = moving.link_pose(x.series_model().links()[l]);
                  twists.push_back(x.kinematics.link_twist(x.model.links()[l]));
                  differentiated.push_back(vee(Matrix4<S>(inverted(derivative(T, 0)) * derivative(T, 1))));
                }
                sides.add(twists, differentiated);
              }});
  r.identity({.name = "a_wrench_is_the_sum_of_its_forces_and_of_their_moments_in_every_frame",
              .keys = {"kim:12", "kim:13", "park:11/coadjoint"},
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
                sides.add(coAd(Tab, Fa), Fb);
                sides.add(coAdInv(Tab, Fb), Fa);
                sides.add(Fa.m, moment);
              }});
}

template <typename S>
void velocities(Registry<S>& r)
{
  r.identity({.name = "the_body_velocity_is_the_rate_of_the_pose_seen_from_the_body",
              .keys = {"kim:9", "kim:10"},
              .symbols = "Twist hat vee",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> twists, parts;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& T = x.along_motion().pose[i];
                  const Matrix4<S> H = derivative(T, 0), Hdot = derivative(T, 1);
                  const Eigen::Matrix<S, 3, 3> Rt = H.template topLeftCorner<3, 3>().transpose();
                  const Eigen::Matrix<S, 3, 3> W = Rt * Hdot.template topLeftCorner<3, 3>();
                  const Eigen::Matrix<S, 3, 1> v = Rt * Hdot.template topRightCorner<3, 1>();
                  twists.push_back(x.kinematics.V[i]);
                  parts.push_back({{W(2, 1), W(0, 2), W(1, 0)}, Vector3<S>(v)});
                }
                sides.add(twists, parts);
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
              }});
  r.identity({.name = "a_twist_in_a_moving_frame_changes_by_ad_V",
              .keys = {"kim:26", "kim:27", "kim:L1", "park:5", "park:6", "park:1"},
              .symbols = "ad ad_matrix",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Series<S> t = time_series<S>();
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& T = x.along_motion().pose[i];
                  const Twist<S> X = x.twist(0), Xdot = x.twist(6), V = x.kinematics.V[i];
                  const Twist<S> seen_at_rest = derivative(Ad(T, constant(X) + t * constant(Xdot)), 1);
                  sides.add(AdInv(x.kinematics.pose[i], seen_at_rest), Xdot + ad(V, X));
                  sides.add(ad_matrix(V) * coordinates(X), coordinates(ad(V, X)));
                  const Twist<S> commutator = vee(Matrix4<S>(hat(V) * hat(X) - hat(X) * hat(V)));
                  sides.add(ad(V, X), commutator);
                }
              }});
  r.identity({.name = "a_wrench_in_a_moving_frame_changes_by_minus_coad_V",
              .keys = {"kim:28", "kim:29", "kim:L2", "park:7/transpose"},
              .symbols = "coad",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Series<S> t = time_series<S>();
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& T = x.along_motion().pose[i];
                  const Wrench<S> Y = x.wrench(0), Ydot = x.wrench(6);
                  const Twist<S> V = x.kinematics.V[i];
                  const Wrench<S> seen_at_rest = derivative(coAdInv(T, constant(Y) + t * constant(Ydot)), 1);
                  sides.add(coAd(x.kinematics.pose[i], seen_at_rest), Ydot - coad(V, Y));
                  sides.add(coordinates(coad(V, Y)), ad_matrix(V).transpose() * coordinates(Y));
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
                  sides.add(matrix(exp(xi)), power_series_exp(hat(xi)));
                  sides.add(SO3<S>(quaternion_exp(w)).matrix, exp(w).matrix);
                }
                using std::sqrt;
                const Vector3<S> w = x.vector(0), unit = S(1) / S(sqrt(inner(w, w))) * w;
                const S q = S(3) * x.number(6);
                for (const Twist<S>& screw : {Twist<S>{unit, x.vector(3)}, Twist<S>{{}, x.vector(3)}})
                  sides.add(matrix(exp(screw, q)), power_series_exp(hat(q * screw)));
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
                  }
                // A half turn 2uu^T - 1 to the last bit: the largest component of the vector is positive.
                const Vector3<S> d = x.vector(0);
                const Matrix3<S> half_turn = S(2) / inner(d, d) * outer(d, d) - Matrix3<S>::identity();
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
