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
              .keys = {"kim:37", "kim:T2/velocity", "park:70", "park:69"},
              .symbols = "Recursion::carry_velocity AdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> recursion, defined, carried, other_way, s69, conjugated_back;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const auto& along = x.along_motion();
                  const Matrix4<S> across = matrix(x.kinematics.T[i]), back = inverted(across);
                  const Matrix4<S> own = back * derivative(along.T[i], 1);
                  const Matrix4<S> pose = matrix(x.kinematics.pose[i]), parent = matrix(x.kinematics.pose[body.parent]);
                  const Matrix4<S> Vp = inverted(parent) * derivative(along.pose[body.parent], 1);
                  const Twist<S> Sqd = vee(own), V_parent = x.inverse.V[body.parent];
                  recursion.push_back(x.inverse.V[i]);
                  defined.push_back(vee(Matrix4<S>(inverted(pose) * derivative(along.pose[i], 1))));
                  carried.push_back(AdInv(x.kinematics.T[i], V_parent) + Sqd);
                  other_way.push_back(Ad(x.kinematics.T[i], V_parent) + Sqd);
                  s69.push_back(vee(Matrix4<S>(back * Vp * across + own)));
                  conjugated_back.push_back(vee(Matrix4<S>(across * Vp * back + own)));
                }
                sides.clause({"kim:37", "kim:T2/velocity", "park:70"});
                sides.add(recursion, defined);
                sides.add(carried, defined);
                sides.rival("the parent's twist is carried the other way",
                            [&](auto& wrong) { wrong.add(other_way, defined); });
                sides.clause("park:69");
                sides.add(recursion, s69);
                sides.rival("the inverse stands on the right",
                            [&](auto& wrong) { wrong.add(recursion, conjugated_back); });
              }});
  r.identity({.name = "acceleration_is_the_rate_of_the_body_velocity_in_every_form_of_its_derivation",
              .keys = {"kim:38", "kim:39", "kim:40", "kim:41", "kim:T2/acceleration", "park:73"},
              .symbols = "Recursion::carry_acceleration JointJacobian::bracket",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> recursion, second, s38, s39, s40, s41, still, halved, uncarried, reversed;
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
                  const Twist<S> S_part = Sqdd + S_dot_qd(x, i), carried = AdInv(x.kinematics.T[i], Vpdot);
                  s38.push_back(derivative(AdInv(along.T[i], along.V[body.parent]), 1) + S_part);
                  still.push_back(carried + S_part);

                  // (39): the product rule on the three factors.
                  const Matrix4<S> of_inverse = Tinv * Tdot * Tinv * hat(Vp) * T;
                  const Matrix4<S> rest = Tinv * hat(Vpdot) * T + Tinv * hat(Vp) * Tdot;
                  s39.push_back(vee(Matrix4<S>(rest - of_inverse)) + S_part);
                  halved.push_back(vee(Matrix4<S>(rest + of_inverse)) + S_part);

                  // (40): the commutator collected.
                  s40.push_back(carried + ad(AdInv(x.kinematics.T[i], Vp), Sqd) + S_part);
                  uncarried.push_back(carried + ad(Vp, Sqd) + S_part);

                  // (41): what the joint adds to the velocity does not act on itself.
                  s41.push_back(carried + ad(x.motion.V[i], Sqd) + S_part);
                  reversed.push_back(carried + ad(Sqd, x.motion.V[i]) + S_part);
                }
                sides.clause("kim:38");
                sides.add(s38, second);
                sides.rival("the joint is held while the parent's twist is differentiated",
                            [&](auto& wrong) { wrong.add(still, second); });
                sides.clause("kim:39");
                sides.add(s39, second);
                sides.rival("the rate of the inverse has no minus sign",
                            [&](auto& wrong) { wrong.add(halved, second); });
                sides.clause({"kim:40", "park:73"});
                sides.add(s40, second);
                sides.rival("the parent's twist in the bracket is left in the parent's frame",
                            [&](auto& wrong) { wrong.add(uncarried, second); });
                sides.clause({"kim:41", "kim:T2/acceleration"});
                sides.add(s41, second);
                sides.add(recursion, second);
                sides.rival("the joint's twist acts on the body's", [&](auto& wrong) { wrong.add(reversed, second); });
              }});
}

/// What the tempting wrong forms of (42) change.
struct Balance {
  int external = 1;           ///< the sign of the external wrench
  bool like_a_twist = false;  ///< children's wrenches through Ad*_T in place of Ad*_{T^{-1}}
  bool without_children = false;
};

/// The wrench that a body's children and its own motion ask of its joint, written from (42) with matrices.
template <typename S>
Vector6<S> balance(const Specimen<S>& x, int i, const Balance& as = {})
{
  const Matrix6<S> I = x.model.body(i).I.matrix();
  const Vector6<S> V = coordinates(x.inverse.V[i]);
  Vector6<S> F = I * coordinates(x.inverse.Vdot[i]) - ad_matrix(x.inverse.V[i]).transpose() * I * V -
                 S(as.external) * coordinates(x.Fext[i]);
  for (int k = i + 1; k <= x.bodies(); ++k) {
    if (x.model.body(k).parent != i || as.without_children) continue;
    const SE3<S>& T = x.inverse.T[k];
    F += Ad_matrix(as.like_a_twist ? T : inverse(T)).transpose() * coordinates(x.inverse.F[k]);
  }
  return F;
}
template <typename S>
std::vector<Wrench<S>> balances(const Specimen<S>& x, const Balance& as = {})
{
  std::vector<Wrench<S>> list;
  for (int i = 1; i <= x.bodies(); ++i) list.push_back(to_wrench(balance(x, i, as)));
  return list;
}

template <typename S>
void forces(Registry<S>& r)
{
  r.identity({.name = "every_body_is_in_balance_with_its_joint_and_its_children",
              .keys = {"kim:42", "kim:T2/force"},
              .symbols = "InverseDynamics newton_euler coAdInv",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const std::vector<Wrench<S>> transmitted(x.inverse.F.begin() + 1, x.inverse.F.end());
                sides.add(transmitted, balances(x));
                sides.rival("the external wrench has the other sign",
                            [&](auto& wrong) { wrong.add(transmitted, balances(x, {.external = -1})); });
                sides.rival("the children's wrenches are carried the way that twists go",
                            [&](auto& wrong) { wrong.add(transmitted, balances(x, {.like_a_twist = true})); });
              }});
  r.identity({.name = "a_joint_transmits_the_force_and_moment_of_vector_newton_euler",
              .keys = {"kim:42", "kim:T2/force"},
              .symbols = "InverseDynamics::F newton_euler coAdInv",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                // A moving joint of the library is that of one link, on which others may be fixed.
                std::vector<Wrench<S>> transmitted, seen, unturned;
                for (const auto& link : x.model.links()) {
                  const auto& body = x.newton_euler().links[x.mechanism_index(link.name)];
                  if (body.joint == JointType::fixed) continue;
                  const Eigen::Matrix<S, 3, 3> Rt = body.rotation.transpose();
                  transmitted.push_back(coAd(link.X, x.inverse.F[link.body]));
                  seen.push_back({Vector3<S>(Rt * body.moment), Vector3<S>(Rt * body.force)});
                  unturned.push_back({Vector3<S>(body.moment), Vector3<S>(body.force)});
                }
                sides.add(transmitted, seen);
                sides.rival("the wrench is given in the axes of the world",
                            [&](auto& wrong) { wrong.add(transmitted, unturned); });
              }});
  r.identity({.name = "inverse_dynamics_is_vector_newton_euler",
              .keys = {"kim:T2/torque"},
              .symbols = "InverseDynamics Model::Contents::attach Recursion",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                sides.add_by_unit(x.model, x.inverse_tau, x.witness_tau());
                sides.rival("the wrench meets S in the parent's frame", [&](auto& wrong) {
                  VectorX<S> tau(x.model.nv());
                  for (int i = 1; i <= x.bodies(); ++i)
                    for (int k = 0; k < x.model.body(i).nv; ++k)
                      tau(x.model.body(i).v + k) =
                          pairing(coAdInv(x.inverse.T[i], x.inverse.F[i]), x.inverse.S[i].column(k));
                  wrong.add_by_unit(x.model, tau, x.witness_tau());
                });
              }});
  r.identity({.name = "inverse_dynamics_is_lagranges_equations_of_mass_points",
              .keys = {"kim:T2/torque", "kim:32/sum"},
              .symbols = "InverseDynamics Model::Contents::attach JointJacobian",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const VectorX<S> tau = x.lagrange_tau();
                    sides.add_by_unit(x.model, x.inverse_tau, tau);
                    sides.rival("no body carries what hangs on it", [&](auto& wrong) {
                      VectorX<S> alone(x.model.nv());
                      for (int i = 1; i <= x.bodies(); ++i)
                        for (int k = 0; k < x.model.body(i).nv; ++k)
                          alone(x.model.body(i).v + k) =
                              pairing(to_wrench(balance(x, i, {.without_children = true})), x.inverse.S[i].column(k));
                      wrong.add_by_unit(x.model, alone, tau);
                    });
                  },
              .applies = is_small});
  r.identity({.name = "joint_power_is_the_rate_of_energy",
              .keys = {"kim:T2/torque"},
              .symbols = "InverseDynamics",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Vector3<Series<S>> gravity = constant(x.gravity);
                const auto& along = x.along_motion();
                const S rate = derivative(along.kinetic_energy() + along.potential_energy(gravity), 1);
                S external(0), size(0);
                for (int i = 1; i <= x.bodies(); ++i) external += pairing(x.Fext[i], x.inverse.V[i]);
                for (int k = 0; k < x.model.nv(); ++k) size += magnitude(S(x.inverse_tau(k) * x.qd(k)));
                const S power = inner_product(x.inverse_tau, x.qd);
                sides.add(power + external, rate, size);
                sides.rival("the external wrenches do their work on the joints",
                            [&](auto& wrong) { wrong.add(power - external, rate, size); });
              }});
  r.identity({.name = "a_body_at_rest_bears_the_gradient_of_its_potential",
              .keys = {"kim:fn6/acceleration"},
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
                sides.rival("the base falls with gravity", [&](auto& wrong) {
                  rnea.set_gravity(-x.gravity);
                  const VectorX<S> none = VectorX<S>::Zero(x.model.nv()), hung = rnea(x.q, none, none);
                  wrong.add(inner_product(hung, x.qd), rate, size);
                });
              }});
  r.identity({.name = "the_recursion_starts_from_a_base_at_rest_that_is_accelerated_against_gravity",
              .keys = {"kim:fn6/velocity", "kim:fn6/acceleration"},
              .symbols = "InverseDynamics",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto started = [&](const Twist<S>& V0, const Vector3<S>& a0) {
                  InverseDynamics<S> rnea(x.model);
                  rnea.V[0] = V0, rnea.Vdot[0] = {{}, a0};
                  return VectorX<S>(rnea(x.q, x.qd, x.qdd, x.Fext));
                };
                sides.add_by_unit(x.model, started({}, -x.gravity), x.witness_tau());
                sides.clause("kim:fn6/velocity");
                sides.rival("the base has the velocity of what stands on it", [&](auto& wrong) {
                  if (x.bodies() > 0)
                    wrong.add_by_unit(x.model, started(x.kinematics.V[1], -x.gravity), x.witness_tau());
                });
                sides.clause("kim:fn6/acceleration");
                sides.rival("the base falls with gravity",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, started({}, x.gravity), x.witness_tau()); });
              }});
  r.identity({.name = "inverse_dynamics_is_linear_in_the_acceleration",
              .keys = {"kim:32/sum", "kim:32/mass", "kim:32/symmetry", "kim:32/bias"},
              .symbols = "EquationsOfMotion InverseDynamics",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                InverseDynamics<S> rnea(x.model);
                const EquationsOfMotion<S> motion(rnea, x.q, x.qd, x.Fext);
                const auto with_bias = [&] {  // unit accelerations in motion and under weight, nothing subtracted
                  MatrixX<S> M(x.model.nv(), x.model.nv());
                  for (int k = 0; k < x.model.nv(); ++k)
                    M.col(k) = rnea(x.q, x.qd, VectorX<S>::Unit(x.model.nv(), k), x.Fext);
                  return M;
                };
                sides.clause("kim:32/mass");
                sides.add_by_unit(x.model, motion.M, x.witness_mass_matrix());
                sides.rival("the bias is left in the columns",
                            [&](auto& wrong) { wrong.add_by_unit(x.model, with_bias(), x.witness_mass_matrix()); });
                sides.clause("kim:32/symmetry");
                sides.add_by_unit(x.model, motion.M, MatrixX<S>(motion.M.transpose()));
                sides.rival("the bias is left in the columns", [&](auto& wrong) {
                  const MatrixX<S> M = with_bias();
                  wrong.add_by_unit(x.model, M, MatrixX<S>(M.transpose()));
                });
                sides.clause("kim:32/bias");
                sides.add_by_unit(x.model, motion.b, x.witness_bias());
                sides.rival("gravity is no part of it", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(motion.b - motion.gravity), x.witness_bias());
                });
                sides.rival("the external wrenches are no part of it", [&](auto& wrong) {
                  const VectorX<S> none = VectorX<S>::Zero(x.model.nv());
                  wrong.add_by_unit(x.model, VectorX<S>(rnea(x.q, x.qd, none)), x.witness_bias());
                });
                sides.clause("kim:32/sum");
                sides.add_by_unit(x.model, VectorX<S>(motion.M * x.qdd + motion.b), x.inverse_tau);
                sides.rival("the bias stands on the other side", [&](auto& wrong) {
                  wrong.add_by_unit(x.model, VectorX<S>(motion.M * x.qdd - motion.b), x.inverse_tau);
                });
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
                sides.clause("kim:30");
                sides.rival("the weight acts at the world's origin", [&](auto& wrong) {
                  wrong.add(x.inverse.F[0], rate - Wrench<S>{{}, weight.f} - external);
                });
                sides.clause("kim:42");
                sides.rival("the external wrenches have the other sign",
                            [&](auto& wrong) { wrong.add(x.inverse.F[0], rate - weight + external); });
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
