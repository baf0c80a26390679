/** \file
 *  \brief Proofs of chapter rnea: Kim 2012, section 2.1, \eq{kim,32}, \eq{kim,37} to \eq{kim,42} and Table 2.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void velocities_and_accelerations(Registry<S>& r)
{
  r.identity({.name = "velocity_is_the_parents_carried_over_plus_the_joints",
              .keys = {"kim:37", "park:70", "park:69"},
              .symbols = "Recursion::carry_velocity AdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> recursion, carried;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const Matrix4<S> across_dot = derivative(x.along_motion().T[i], 1);
                  const Matrix4<S> back = matrix(inverse(x.kinematics.T[i]));
                  const Matrix4<S> Vp = hat(x.kinematics.V[body.parent]);
                  recursion.push_back(x.inverse.V[i]);
                  carried.push_back(vee(Matrix4<S>(back * Vp * matrix(x.kinematics.T[i]) + back * across_dot)));
                }
                sides.add(recursion, carried);
              }});
  r.identity({.name = "acceleration_is_the_rate_of_the_body_velocity_in_every_form_of_its_derivation",
              .keys = {"kim:38", "kim:39", "kim:40", "kim:41", "park:73"},
              .symbols = "Recursion::carry_acceleration JointJacobian::bracket",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> recursion, second, s38, s39, s40;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const auto& along = x.along_motion();
                  const Matrix4<S> T = matrix(x.kinematics.T[i]), Tinv = matrix(inverse(x.kinematics.T[i]));
                  const Matrix4<S> Tdot = derivative(along.T[i], 1);
                  const Twist<S> Vp = x.motion.V[body.parent], Vpdot = x.motion.Vdot[body.parent];
                  const Twist<S> Sqd = x.motion.S[i] * (x.qd.data() + body.v);
                  const Twist<S> Sqdd = x.motion.S[i] * (x.qdd.data() + body.v);
                  recursion.push_back(x.motion.Vdot[i]);

                  // The definition: d/dt of T_i^{-1} T_i-dot, from the second derivative of the pose.
                  const Matrix4<S> pose_inverse = matrix(inverse(x.kinematics.pose[i]));
                  const Matrix4<S> V = pose_inverse * derivative(along.pose[i], 1);
                  second.push_back(vee(Matrix4<S>(pose_inverse * derivative(along.pose[i], 2) - V * V)));

                  // (38): differentiate T^{-1} V_parent T as a whole.
                  const Twist<S> S_part = Sqdd + S_dot_qd(x, i);
                  s38.push_back(derivative(AdInv(along.T[i], along.V[body.parent]), 1) + S_part);

                  // (39): the product rule on the three factors.
                  const Matrix4<S> terms =
                      -Tinv * Tdot * Tinv * hat(Vp) * T + Tinv * hat(Vpdot) * T + Tinv * hat(Vp) * Tdot;
                  s39.push_back(vee(terms) + S_part);

                  // (40): the commutator collected.
                  s40.push_back(AdInv(x.kinematics.T[i], Vpdot) + ad(AdInv(x.kinematics.T[i], Vp), Sqd) + S_part);
                }
                sides.add(recursion, second);
                sides.add(recursion, s38);
                sides.add(recursion, s39);
                sides.add(recursion, s40);
              }});
}

/// The wrench that a body's children and its own motion ask of its joint, written from (42) with matrices.
template <typename S>
Vector6<S> balance(const Specimen<S>& x, int i)
{
  const Matrix6<S> I = x.model.body(i).I.matrix();
  const Vector6<S> V = coordinates(x.inverse.V[i]);
  Vector6<S> F =
      I * coordinates(x.inverse.Vdot[i]) - ad_matrix(x.inverse.V[i]).transpose() * I * V - coordinates(x.Fext[i]);
  for (int k = i + 1; k <= x.bodies(); ++k)
    if (x.model.body(k).parent == i) F += Ad_matrix(inverse(x.inverse.T[k])).transpose() * coordinates(x.inverse.F[k]);
  return F;
}

template <typename S>
void forces(Registry<S>& r)
{
  r.identity({.name = "every_body_is_in_balance_with_its_joint_and_its_children",
              .keys = {"kim:42"},
              .symbols = "InverseDynamics newton_euler coAdInv",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Wrench<S>> carried, balanced;
                for (int i = 1; i <= x.bodies(); ++i) {
                  carried.push_back(x.inverse.F[i]);
                  balanced.push_back(to_wrench(balance(x, i)));
                }
                sides.add(carried, balanced);
              }});
  r.identity({.name = "inverse_dynamics_is_vector_newton_euler",
              .keys = {"kim:T2", "kim:42"},
              .symbols = "InverseDynamics Model::attach Recursion",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.add_by_unit(x.model, x.inverse_tau, x.witness_tau());
              }});
  r.identity({.name = "inverse_dynamics_is_lagranges_equations_of_mass_points",
              .keys = {"kim:T2", "kim:32"},
              .symbols = "InverseDynamics Model::attach JointJacobian",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x,
                          Sides<S>& sides) { sides.add_by_unit(x.model, x.inverse_tau, x.lagrange_tau()); },
              .applies = is_small});
  r.identity({.name = "joint_power_is_the_rate_of_energy",
              .keys = {"kim:T2"},
              .symbols = "InverseDynamics",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Vector3<Series<S>> gravity = constant(x.gravity);
                const auto& along = x.along_motion();
                const S rate = derivative(along.kinetic_energy() + along.potential_energy(gravity), 1);
                S external(0), size(0);
                for (int i = 1; i <= x.bodies(); ++i) external += pairing(x.Fext[i], x.inverse.V[i]);
                for (int k = 0; k < x.model.nv(); ++k) size += magnitude(S(x.inverse_tau(k) * x.qd(k)));
                sides.add(inner_product(x.inverse_tau, x.qd) + external, rate, size);
              }});
  r.identity({.name = "a_body_at_rest_bears_the_gradient_of_its_potential",
              .keys = {"kim:fn6"},
              .symbols = "Recursion::set_gravity EquationsOfMotion::gravity",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                InverseDynamics<S> rnea(x.model);
                const VectorX<S> held = EquationsOfMotion<S>(rnea, x.q, x.qd, x.Fext).gravity;
                const S rate = derivative(x.along_motion().potential_energy(constant(x.gravity)), 1);
                S size(0);
                for (int k = 0; k < x.model.nv(); ++k) size += magnitude(S(held(k) * x.qd(k)));
                sides.add(inner_product(held, x.qd), rate, size);
                sides.add(rnea.Vdot[0].v, -x.gravity);
              }});
  r.identity({.name = "inverse_dynamics_is_linear_in_the_acceleration",
              .keys = {"kim:32"},
              .symbols = "EquationsOfMotion InverseDynamics",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                InverseDynamics<S> rnea(x.model);
                const EquationsOfMotion<S> motion(rnea, x.q, x.qd, x.Fext);
                sides.add_by_unit(x.model, motion.M, x.witness_mass_matrix());
                sides.add_by_unit(x.model, motion.M, MatrixX<S>(motion.M.transpose()));
                sides.add_by_unit(x.model, motion.b, x.witness_bias());
                sides.add_by_unit(x.model, VectorX<S>(motion.M * x.qdd + motion.b), x.inverse_tau);
              }});
  r.identity({.name = "what_the_world_carries_is_the_rate_of_momentum",
              .keys = {"kim:30", "kim:42"},
              .symbols = "InverseDynamics::F ForwardKinematics::momentum",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Wrench<S> rate = derivative(x.along_motion().momentum(), 1);
                const Vector3<S> moment = x.kinematics.mass_moment();
                const Wrench<S> weight{cross(moment, x.gravity), x.kinematics.mass() * x.gravity};
                Wrench<S> external;
                for (int i = 1; i <= x.bodies(); ++i) external += coAdInv(x.kinematics.pose[i], x.Fext[i]);
                sides.add(x.inverse.F[0], rate - weight - external);
              }});
}

template <typename S>
void errata_of_weight(Registry<S>& r)
{
  const auto with_base_acceleration = [](const Specimen<S>& x, const S& sign) {
    Sides<S> sides;
    InverseDynamics<S> rnea(x.model);
    rnea.Vdot[0] = {{}, sign * x.gravity};
    sides.add_by_unit(x.model, rnea(x.q, x.qd, x.qdd, x.Fext), x.witness_tau());
    return sides;
  };
  r.erratum(
      {.id = "E-kim-12",
       .keys = {"kim:fn6"},
       .margin = 1e-6,
       .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(with_base_acceleration(x, S(1))); }},
       .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(with_base_acceleration(x, S(-1))); }});
}

}  // namespace

template <typename S>
void rnea_identities(Registry<S>& r)
{
  velocities_and_accelerations(r);
  forces(r);
  errata_of_weight(r);
}

template void rnea_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
