/** \file
 *  \brief Proofs of chapter group: Park 1995, section 2.2, \eq{park,8} to \eq{park,10}: what a wrench is, in his letters.
 */
#include <ledger/registry.hpp>

namespace articulate::validation {

template <typename S>
void group_park(Registry<S>& r)
{
  r.identity({.name = "a_moment_works_on_a_turn_as_two_skew_matrices_do",
              .keys = {"park:8"},
              .symbols = "Wrench pairing wrench_of_force skew",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0);
                Wrench<S> F;
                S work(0);
                for (int k = 0; k < 4; ++k) {
                  const Vector3<S> point = x.vector(6 + 6 * k), force = x.vector(9 + 6 * k);
                  F += wrench_of_force(point, force);
                  work += inner(force, V.v + cross(V.w, point));
                }
                const Vector3<S>&m = F.m, &f = F.f, &w = V.w;
                Eigen::Matrix<S, 3, 3> M, W;
                M << S(0), -m[2], m[1], m[2], S(0), -m[0], -m[1], m[0], S(0);  // (8)
                W << S(0), -w[2], w[1], w[2], S(0), -w[0], -w[1], w[0], S(0);
                sides.add(skew(m).eigen(), M);
                sides.add((M.transpose() * W).trace() / S(2) + inner(f, V.v), work, S(10));
                sides.add(pairing(F, V), work, S(10));
              }});
  r.identity({.name = "a_wrench_with_its_force_first_moves_as_a_twist_does",
              .keys = {"park:9", "park:10"},
              .symbols = "coAd Ad_matrix",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const SE3<S> T = x.pose(0);
                Vector6<S> old = Vector6<S>::Zero(), moved = old;  // (f, m) and (f', m'), force by force
                for (int k = 0; k < 4; ++k) {
                  const Vector3<S> force = x.vector(8 + 6 * k), point = x.vector(11 + 6 * k);
                  const Vector3<S> new_force = inverse(T.R) * force, new_point = inverse(T) * point;
                  old.template head<3>() += force.eigen();
                  old.template tail<3>() += cross(point, force).eigen();
                  moved.template head<3>() += new_force.eigen();
                  moved.template tail<3>() += cross(new_point, new_force).eigen();
                }
                // (9) with the inverse on the other side
                sides.add(Ad_matrix(T) * moved, old);
                // (10)
                const Matrix4<S> carried = matrix(inverse(T)) * hat(to_twist(old)) * matrix(T);
                sides.add(carried, hat(to_twist(moved)));
                // The same in the dual space, moment first.
                const Wrench<S> F = coAd(T, Wrench<S>{to_twist(old).v, to_twist(old).w});
                sides.add(F, Wrench<S>{to_twist(moved).v, to_twist(moved).w});
              }});
}

template void group_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
