/** \file
 *  \brief Proofs of chapter group: Park 1995, sections 2.1, 2.2 and 2.4, \eq{park,4}, \eq{park,7} to \eq{park,11} and
 *         \eq{park,15} to \eq{park,17}: dual maps block by block, what a wrench is in his letters, his exponentials.
 */
#include <ledger/linear_systems.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
using Square3 = Eigen::Matrix<S, 3, 3>;

/// \eq{park,8}
template <typename S>
Square3<S> bracketed(const Vector3<S>& m)
{
  Square3<S> M;
  M << S(0), -m[2], m[1], m[2], S(0), -m[0], -m[1], m[0], S(0);
  return M;
}

template <typename S>
Matrix6<S> in_blocks(const Square3<S>& a, const Square3<S>& b, const Square3<S>& c, const Square3<S>& d)
{
  Matrix6<S> whole;
  whole << a, b, c, d;
  return whole;
}

/// \f$1 + A + A^2/2! + \cdots\f$, of a quarter of the matrix, squared twice.
template <typename Matrix>
Matrix sum_of_powers(const Matrix& A)
{
  using S = typename Matrix::Scalar;
  const Matrix quarter = A / S(4);
  Matrix sum = Matrix::Identity(), term = sum;
  for (int k = 1; k < 60; ++k) {
    term = term * quarter / S(k);
    sum += term;
  }
  const Matrix half = sum * sum;
  return half * half;
}

/// Forces at points, and what frame T sees of them: (moment, force), moments by components.
template <typename S>
struct SeenForces {
  Wrench<S> old, moved;

  SeenForces(const Specimen<S>& x, const SE3<S>& T)
  {
    for (int k = 0; k < 4; ++k) {
      const Vector3<S> force = x.vector(8 + 6 * k), point = x.vector(11 + 6 * k);
      const Vector3<S> new_force = inverse(T.R) * force, new_point = inverse(T) * point;
      old += Wrench<S>{Vector3<S>(Eigen::Matrix<S, 3, 1>(bracketed(point) * force.eigen())), force};
      moved += Wrench<S>{Vector3<S>(Eigen::Matrix<S, 3, 1>(bracketed(new_point) * new_force.eigen())), new_force};
    }
  }
};

/// The inputs of \eq{park,15} to \eq{park,17}: an axis of length one, v, and angles of every size.
template <typename S>
struct Screw15 {
  Vector3<S> w, v;
  std::vector<S> angles;

  explicit Screw15(const Specimen<S>& x) : v(x.vector(3))
  {
    using std::sqrt;
    const Vector3<S> a = x.vector(0);
    w = S(1) / S(sqrt(inner(a, a))) * a;
    angles = {S(3) * x.number(6), S(2) + x.number(7), -S(3) / S(2), S(1) / S(10)};
  }
};

template <typename S>
void dual_maps(Registry<S>& r)
{
  r.identity(
      {.name = "dual_maps_do_to_wrenches_what_keeps_their_power_and_have_these_blocks",
       .keys = {"park:4/transpose", "park:4/blocks", "park:7/transpose", "park:7/blocks"},
       .symbols = "coAd coad Ad ad pairing",
       .method = "cross-check",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const SE3<S> X = x.pose(0);
         const Twist<S> y = x.twist(7);
         const Wrench<S> z = x.wrench(13);
         const Vector6<S> column = coordinates(z);
         // By what they are: (Ad* z)(e) = z(Ad e) for the six unit twists e.
         Vector6<S> by_Ad, by_ad, by_AdInv, by_other_ad;
         for (int k = 0; k < 6; ++k) {
           const Twist<S> e = to_twist(Vector6<S>::Unit(k));
           by_Ad(k) = pairing(z, Ad(X, e)), by_AdInv(k) = pairing(z, AdInv(X, e));
           by_ad(k) = pairing(z, ad(y, e)), by_other_ad(k) = pairing(z, ad(e, y));
         }
         sides.clause("park:4/transpose");
         sides.add(coordinates(coAd(X, z)), by_Ad);
         sides.rival("the transpose of the inverse",
                     [&](auto& wrong) { wrong.add(coordinates(coAd(X, z)), by_AdInv); });
         sides.clause("park:7/transpose");
         sides.add(coordinates(coad(y, z)), by_ad);
         sides.rival("the transpose of minus ad",
                     [&](auto& wrong) { wrong.add(coordinates(coad(y, z)), by_other_ad); });

         const Square3<S> Theta_T = X.R.matrix.eigen().transpose(), none = Square3<S>::Zero();
         const Square3<S> b_T = bracketed(X.p).transpose(), w = bracketed(y.w), v = bracketed(y.v);
         sides.clause("park:4/blocks");
         sides.add(coordinates(coAd(X, z)), in_blocks<S>(Theta_T, Theta_T * b_T, none, Theta_T) * column);
         sides.rival("the block of b not transposed", [&](auto& wrong) {
           wrong.add(coordinates(coAd(X, z)), in_blocks<S>(Theta_T, Theta_T * bracketed(X.p), none, Theta_T) * column);
         });
         sides.clause("park:7/blocks");
         sides.add(coordinates(coad(y, z)), in_blocks<S>(-w, -v, none, -w) * column);
         sides.rival("the block of v below the diagonal",
                     [&](auto& wrong) { wrong.add(coordinates(coad(y, z)), in_blocks<S>(-w, none, -v, -w) * column); });
       }});
}

template <typename S>
void wrenches_in_his_letters(Registry<S>& r)
{
  r.identity({.name = "a_moment_works_on_a_turn_as_two_skew_matrices_do",
              .keys = {"park:8/matrix", "park:8/dual"},
              .symbols = "Wrench pairing wrench_of_force skew",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0);
                Wrench<S> F;
                S work(0), terms(0);  // of the sum, which may cancel
                for (int k = 0; k < 4; ++k) {
                  const Vector3<S> point = x.vector(6 + 6 * k), force = x.vector(9 + 6 * k);
                  F += wrench_of_force(point, force);
                  const Vector3<S> turning = cross(V.w, point);
                  work += inner(force, V.v + turning);
                  for (int j = 0; j < 3; ++j)
                    terms += magnitude(S(force[j] * V.v[j])) + magnitude(S(force[j] * turning[j]));
                }
                sides.clause("park:8/matrix");
                sides.add(skew(F.m).eigen(), bracketed(F.m));
                sides.rival("the signs of the transpose",
                            [&](auto& wrong) { wrong.add(skew(F.m).eigen(), Square3<S>(bracketed(F.m).transpose())); });
                sides.clause("park:8/dual");
                const S twice = (bracketed(F.m).transpose() * bracketed(V.w)).trace();
                sides.add(twice / S(2) + inner(F.f, V.v), work, terms);
                sides.add(pairing(F, V), work, terms);
                sides.rival("all entries of both skew matrices are counted",
                            [&](auto& wrong) { wrong.add(twice + inner(F.f, V.v), work, terms); });
                sides.rival("moments work on velocities and forces on turns",
                            [&](auto& wrong) { wrong.add(inner(F.m, V.v) + inner(F.f, V.w), work, terms); });
              }});
  r.identity({.name = "a_wrench_with_its_force_first_moves_as_a_twist_does",
              .keys = {"park:9", "park:10", "park:11/components", "park:11/coadjoint"},
              .symbols = "coAd Ad_matrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                const SeenForces<S> forces(x, T);
                const auto force_first = [](const Wrench<S>& F) { return Twist<S>{F.f, F.m}; };
                const Twist<S> old = force_first(forces.old), moved = force_first(forces.moved);

                sides.clause("park:9");
                const Square3<S> Theta = T.R.matrix.eigen(), none = Square3<S>::Zero();
                const Matrix6<S> map = in_blocks<S>(Theta, none, bracketed(T.p) * Theta, Theta);
                sides.add(to_twist(inverted(map) * coordinates(old)), moved);
                sides.add(to_twist(Ad_matrix(T) * coordinates(moved)), old);
                sides.rival("the inverse is dropped",
                            [&](auto& wrong) { wrong.add(to_twist(map * coordinates(old)), moved); });
                sides.rival("the same matrix with the moment first", [&](auto& wrong) {
                  wrong.add(inverted(map) * coordinates(forces.old), coordinates(forces.moved));
                });

                sides.clause("park:10");
                sides.add(Matrix4<S>(matrix(inverse(T)) * hat(old) * matrix(T)), hat(moved));
                sides.rival("Ad of T itself", [&](auto& wrong) {
                  wrong.add(Matrix4<S>(matrix(T) * hat(old) * matrix(inverse(T))), hat(moved));
                });
                sides.rival("the moment in the place of the angular part", [&](auto& wrong) {
                  const Twist<S> m_first{forces.old.m, forces.old.f}, m_first_moved{forces.moved.m, forces.moved.f};
                  wrong.add(Matrix4<S>(matrix(inverse(T)) * hat(m_first) * matrix(T)), hat(m_first_moved));
                });

                const Vector3<S>&m = forces.old.m, &f = forces.old.f;
                const Square3<S> Theta_T = Theta.transpose();
                const auto components = [&](const S& sign) {
                  const Eigen::Matrix<S, 3, 1> m_new =
                      Theta_T * m.eigen() + sign * (Theta_T * (bracketed(T.p) * f.eigen()));
                  return Wrench<S>{Vector3<S>(m_new), Vector3<S>(Eigen::Matrix<S, 3, 1>(Theta_T * f.eigen()))};
                };
                sides.clause("park:11/components");
                sides.add(components(S(-1)), forces.moved);
                sides.rival("the lever of the force with a plus",
                            [&](auto& wrong) { wrong.add(components(S(1)), forces.moved); });
                sides.clause("park:11/coadjoint");
                sides.add(coAd(T, forces.old), forces.moved);
                sides.rival("the old frame seen from the new one",
                            [&](auto& wrong) { wrong.add(coAdInv(T, forces.old), forces.moved); });
              }});
}

template <typename S>
void exponentials_written_out(Registry<S>& r)
{
  r.identity({.name = "a_screw_motion_is_written_out_in_sines_and_cosines",
              .keys = {"park:15", "park:16", "park:17"},
              .symbols = "exp",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                using std::cos, std::sin;
                const Screw15<S> screw(x);
                const Square3<S> w = bracketed(screw.w), one = Square3<S>::Identity();
                const Eigen::Matrix<S, 3, 1> v = screw.v.eigen();
                for (const S& phi : screw.angles) {
                  const S s = sin(phi), c = S(1) - cos(phi);
                  const Square3<S> turn16 = one + s * w + c * (w * w);
                  const Eigen::Matrix<S, 3, 1> b17 = (phi * one + c * w + (phi - s) * (w * w)) * v;
                  const auto whole = [](const Square3<S>& turn, const Eigen::Matrix<S, 3, 1>& b) {
                    Matrix4<S> H = Matrix4<S>::Identity();
                    H.template topLeftCorner<3, 3>() = turn, H.template topRightCorner<3, 1>() = b;
                    return H;
                  };
                  Matrix4<S> xi = Matrix4<S>::Zero();
                  xi.template topLeftCorner<3, 3>() = w, xi.template topRightCorner<3, 1>() = v;
                  const Matrix4<S> powers = sum_of_powers(Matrix4<S>(phi * xi));
                  const Square3<S> turn = sum_of_powers(Square3<S>(phi * w));

                  sides.clause("park:15");
                  sides.add(powers, whole(turn, b17));
                  sides.add(matrix(exp(Twist<S>{screw.w, screw.v}, phi)), powers);
                  sides.rival("the translation is v phi",
                              [&](auto& wrong) { wrong.add(powers, whole(turn, phi * v)); });
                  sides.clause("park:16");
                  sides.add(turn, turn16);
                  sides.add(exp(phi * screw.w).matrix.eigen(), turn);
                  sides.rival("the sign of the sine",
                              [&](auto& wrong) { wrong.add(turn, Square3<S>(one - s * w + c * (w * w))); });
                  sides.clause("park:17");
                  const Eigen::Matrix<S, 3, 1> b = powers.template topRightCorner<3, 1>();
                  sides.add(b, b17);
                  sides.rival("the matrix of (16) in the place of its integral",
                              [&](auto& wrong) { wrong.add(b, Eigen::Matrix<S, 3, 1>(phi * (turn16 * v))); });
                }
              }});
}

}  // namespace

template <typename S>
void group_park(Registry<S>& r)
{
  dual_maps(r);
  wrenches_in_his_letters(r);
  exponentials_written_out(r);
}

template void group_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
