/** \file
 *  \brief Proofs of chapter model: Kim 2012, the symbols of section 2.1; Park 1995, sections 2.4 and 3.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <model/carried_frames.hpp>

namespace articulate::validation {
namespace {

/// The pose of a body in its parent's frame as its k-th joint coordinate moves.
template <typename S>
SE3<Series<S>> pose_along_degree(const Specimen<S>& x, int i, int k)
{
  const Model<Series<S>>& model = x.series_model();
  VectorX<Series<S>> step = VectorX<Series<S>>::Zero(model.nv());
  step(model.body(i).v + k) = time_series<S>();
  const VectorX<Series<S>> q = displaced<Series<S>>(model, x.q.template cast<Series<S>>(), step);
  return joint_pose(model.body(i), q.data() + model.body(i).q);
}

/// Of what size the terms are of which the twist of a link is made: what each joint adds, and the way to the link as its
/// lever. An origin may rest on all axes that turn it.
template <typename S>
Terms<S> terms_of_twist(const Specimen<S>& x, const LinkFrame<S>& link)
{
  Terms<S> terms;
  S way = longest<S>(link.X.p.eigen());
  for (const Body<S>& body : x.model.way_to_base(link.body)) {
    for (int k = 0; k < body.nv; ++k) {
      const Twist<S> column = x.kinematics.S[body.index].column(k);
      const S speed = magnitude(x.qd(body.v + k)), turn = speed * longest<S>(column.w.eigen());
      terms.angular += turn, terms.linear += turn * way + speed * longest<S>(column.v.eigen());
    }
    way += longest<S>(x.kinematics.T[body.index].p.eigen());
  }
  return terms;
}

/// S of a joint as its k-th coordinate moves.
template <typename S>
JointJacobian<Series<S>> jacobian_along_degree(const Specimen<S>& x, int i, int k)
{
  const Body<Series<S>>& body = x.series_model().body(i);
  VectorX<Series<S>> q = x.q.segment(body.q, body.nq).template cast<Series<S>>();
  q(k) += time_series<S>();
  JointJacobian<Series<S>> joint(body);
  joint.place(body, q.data());
  return joint;
}

template <typename S>
void joints(Registry<S>& r)
{
  r.identity({.name = "the_columns_of_S_are_the_rates_of_the_joint_pose",
              .keys = {"kim:S_i"},
              .symbols = "JointJacobian joint_pose displaced",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i)
                  for (int k = 0; k < x.model.body(i).nv; ++k) {
                    const Matrix4<S> rate = derivative(pose_along_degree(x, i, k), 1);
                    const Twist<S> column = vee(Matrix4<S>(matrix(inverse(x.kinematics.T[i])) * rate));
                    sides.add(x.kinematics.S[i].column(k), column);
                    sides.rival("the inverse stands on the right", [&](auto& wrong) {
                      const Matrix4<S> outside = rate * matrix(inverse(x.kinematics.T[i]));
                      wrong.add(x.kinematics.S[i].column(k), vee(outside));
                    });
                    sides.rival("the inverse is differentiated", [&](auto& wrong) {
                      const Matrix4<S> printed =
                          matrix(inverse(x.kinematics.T[i])) * derivative(inverse(pose_along_degree(x, i, k)), 1);
                      wrong.add(x.kinematics.S[i].column(k), vee(printed));
                    });
                  }
              }});
  r.identity({.name = "the_joint_jacobian_and_its_transpose_are_sums_over_its_columns",
              .keys = {"kim:S_i"},
              .symbols = "JointTwist JointJacobian::project JointJacobian::column",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0);
                const Wrench<S> F = x.wrench(6);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const auto& joint = x.kinematics.S[i];
                  const JointSegment<const S> rates = Rates<S>(x.qd)(x.model.body(i));
                  Twist<S> sum;
                  S projected[6];
                  JointSegment<S>{projected} = transpose(joint) * F;
                  for (int k = 0; k < joint.columns(); ++k) {
                    sum += rates[k] * joint.column(k);
                    const Twist<S> column = joint.column(k);
                    sides.add(projected[k], pairing(F, column));
                    sides.rival("moments meet linear parts", [&](auto& wrong) {
                      wrong.add(projected[k], pairing(F, Twist<S>{column.v, column.w}));
                    });
                  }
                  sides.add(Twist<S>(joint * rates), sum);
                  sides.add(V + joint * rates, V + sum);
                  sides.add(ad(V, joint * rates), ad(V, sum));
                }
              }});
  r.identity({.name = "a_joint_is_an_offset_times_the_exponential_of_its_screw",
              .keys = {"park:23"},
              .symbols = "joint_pose exp Model::zero_coordinates",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const VectorX<S> zero = x.model.zero_coordinates();
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  sides.add(joint_pose(body, zero.data() + body.q), body.M);
                  if (body.nq > body.nv) sides.add(zero(body.q + body.nq - 1), S(1));
                  if (body.kind == JointKind::screw) {
                    const SE3<S> moved = exp(x.q(body.q) * x.kinematics.S[i].column(0));
                    sides.add(x.kinematics.T[i], body.M * moved);
                    sides.rival("the offset follows the exponential",
                                [&](auto& wrong) { wrong.add(x.kinematics.T[i], moved * body.M); });
                  }
                  if (body.kind == JointKind::chart) {
                    SE3<S> T = body.M;
                    for (int k = 0; k < body.nv; ++k) {
                      Vector6<S> E = Vector6<S>::Unit(body.directions[k]);
                      T = T * exp(x.q(body.q + k) * to_twist(E));
                    }
                    sides.add(x.kinematics.T[i], T);
                  }
                }
              }});
  r.identity({.name = "an_axis_may_have_any_length",
              .keys = {"park:23"},
              .symbols = "rotation_from_z",
              .method = "invariance",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Vector3<S> direction = x.vector(0);
                // Lengths whose squares are beyond the range of double.
                for (const double length : {0x1p-700, 0x1p700})
                  sides.add(rotation_from_z(S(length) * direction).matrix, rotation_from_z(direction).matrix);
                using std::sqrt;
                const Vector3<S> axis = rotation_from_z(direction).matrix.column(2);
                sides.add(axis, S(1) / S(sqrt(inner(direction, direction))) * direction);
                sides.rival("the axis keeps its length", [&](auto& wrong) { wrong.add(axis, direction); });
              }});
  r.identity({.name = "the_derivatives_of_S_all_follow_from_one_bracket",
              .keys = {"kim:S_i"},
              .symbols = "JointJacobian::derivative JointJacobian::rate JointJacobian::rate_derivative "
                         "JointJacobian::rate_times",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Body<S>& body = x.model.body(i);
                  const JointJacobian<S>& joint = x.kinematics.S[i];
                  if (body.kind != JointKind::chart) {
                    for (int j = 0; j < body.nv; ++j)
                      for (int l = 0; l < body.nv; ++l) sides.add(joint.derivative(j, l), Twist<S>{});
                    continue;
                  }
                  const S* const qd = x.qd.data() + body.v;
                  for (int j = 0; j < body.nv; ++j) {
                    sides.add(joint.rate(j, qd), derivative(x.along_motion().S[i].column(j), 1));
                    for (int l = 0; l < body.nv; ++l) {
                      const JointJacobian<Series<S>> moved = jacobian_along_degree(x, i, l);
                      sides.add(joint.derivative(j, l), derivative(moved.column(j), 1));
                      sides.rival("the indices change places", [&](auto& wrong) {
                        wrong.add(joint.derivative(l, j), derivative(moved.column(j), 1));
                      });
                      const VectorX<Series<S>> rates = x.qd.segment(body.v, body.nv).template cast<Series<S>>();
                      sides.add(joint.rate_derivative(j, l, qd), derivative(moved.rate(j, rates.data()), 1));
                    }
                  }
                  sides.add(joint.rate_times(qd), S_dot_qd(x, i));
                }
              }});
}

template <typename S>
void motion_of_bodies(Registry<S>& r)
{
  r.identity({.name = "links_are_where_rotating_vectors_puts_them",
              .keys = {"park:67"},
              .symbols = "Model ForwardKinematics::link_pose rotation_from_z screw_pose",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const auto& link : x.model.links()) {
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  const SE3<S> pose = x.kinematics.link_pose(link);
                  sides.add(pose.R.matrix.eigen(), seen.rotation);
                  sides.add(pose.p.eigen(), seen.position);
                  sides.rival("the last frame is put first", [&](auto& wrong) {
                    wrong.add((link.X * x.kinematics.pose[link.body]).p.eigen(), seen.position);
                  });
                }
              }});
  r.identity({.name = "the_velocity_of_a_body_is_the_rate_of_its_pose",
              .keys = {"kim:35", "kim:36", "park:68"},
              .symbols = "Recursion::carry_velocity Recursion::place",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> carried, defined, in_world, of_product, expanded, misplaced;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const int parent = x.model.body(i).parent;
                  const auto& along = x.along_motion();
                  const Matrix4<S> T = matrix(x.kinematics.pose[i]), Tp = matrix(x.kinematics.pose[parent]);
                  const Matrix4<S> across = matrix(x.kinematics.T[i]);
                  const Matrix4<S> Tdot = derivative(along.pose[i], 1), Tpdot = derivative(along.pose[parent], 1);
                  const Matrix4<S> across_dot = derivative(along.T[i], 1);
                  const Matrix4<S> product_dot = derivative(along.pose[parent] * along.T[i], 1);
                  const Matrix4<S> Tp_inverse = inverted(Tp), across_inverse = inverted(across);
                  const Matrix4<S> rates = Tpdot * across + Tp * across_dot;
                  carried.push_back(x.kinematics.V[i]);
                  defined.push_back(vee(Matrix4<S>(inverted(T) * Tdot)));
                  in_world.push_back(vee(Matrix4<S>(Tdot * inverted(T))));
                  of_product.push_back(vee(Matrix4<S>(inverted(Matrix4<S>(Tp * across)) * product_dot)));
                  expanded.push_back(vee(Matrix4<S>(across_inverse * Tp_inverse * rates)));
                  misplaced.push_back(vee(Matrix4<S>(Tp_inverse * across_inverse * rates)));
                }
                sides.clause({"kim:35", "park:68"});
                sides.add(carried, defined);
                sides.rival("the inverse stands on the right", [&](auto& wrong) { wrong.add(carried, in_world); });
                sides.clause("park:68");
                sides.add(carried, of_product);
                sides.clause({"kim:36", "park:68"});
                sides.add(carried, expanded);
                sides.rival("the inverse of the product keeps the order of its factors",
                            [&](auto& wrong) { wrong.add(carried, misplaced); });
              }});
  r.identity({.name = "the_link_jacobian_maps_rates_to_the_link_twist",
              .keys = {"kim:11"},
              .symbols = "ForwardKinematics::link_jacobian ForwardKinematics::link_twist",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const auto& link : x.model.links()) {
                  const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                  Vector6<S> twist;  // in link axes
                  twist << seen.rotation.transpose() * seen.angular_velocity, seen.rotation.transpose() * seen.velocity;
                  const Terms<S> terms = terms_of_twist(x, link);
                  add_six(sides, Vector6<S>(x.kinematics.link_jacobian(link) * x.qd), twist, terms);
                  add_six(sides, coordinates(x.kinematics.link_twist(link)), twist, terms);
                  sides.rival("the twist is turned and its origin not moved", [&](auto& wrong) {
                    const Twist<S> V = x.kinematics.V[link.body];
                    const SO3<S> back = inverse(link.X.R);
                    wrong.add(Twist<S>{back * V.w, back * V.v}, to_twist(twist));
                  });
                }
              }});
  r.identity({.name = "energy_and_momentum_are_those_of_the_particles",
              .keys = {"kim:15", "kim:23"},
              .symbols = "ForwardKinematics::kinetic_energy ForwardKinematics::momentum ForwardKinematics::mass_moment",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const auto& witness = x.newton_euler();
                const Vector3<S> gravity = x.gravity;
                const S mass = x.kinematics.mass();
                const Wrench<S> momentum = x.kinematics.momentum();
                sides.clause("kim:15");
                sides.add(x.kinematics.kinetic_energy(), witness.kinetic_energy());
                sides.rival("all bodies move as the centre of mass does", [&](auto& wrong) {
                  wrong.add(inner(momentum.f, momentum.f) / (S(2) * mass), witness.kinetic_energy());
                });
                sides.clause("kim:23");
                sides.add(momentum.f.eigen(), witness.linear_momentum());
                sides.add(momentum.m.eigen(), witness.angular_momentum());
                sides.rival("the moment is taken about the centre of mass", [&](auto& wrong) {
                  const Vector3<S> center = S(1) / mass * x.kinematics.mass_moment();
                  wrong.add((momentum.m - cross(center, momentum.f)).eigen(), witness.angular_momentum());
                });
                sides.clause({"kim:15", "kim:23"});
                sides.add(mass, witness.mass());
                if (comparable(mass) > 0) {
                  sides.add((S(1) / mass * x.kinematics.mass_moment()).eigen(), witness.center_of_mass());
                  sides.add(x.kinematics.potential_energy(gravity),
                            -mass * inner(gravity, Vector3<S>(witness.center_of_mass())));
                }
              }});
}

template <typename S>
void errata_of_joints(Registry<S>& r)
{
  r.erratum({.id = "E-kim-1",
             .keys = {"kim:S_i"},
             .margin = 1e-6,
             .printed = {[](const Specimen<S>& x, Sides<S>& sides) {  // T^{-1} d(T^{-1})/dq, which is not even in se(3)
               Matrix4<S> printed, column;
               for (int i = 1; i <= x.bodies(); ++i)
                 for (int k = 0; k < x.model.body(i).nv; ++k) {
                   printed = matrix(inverse(x.kinematics.T[i])) * derivative(inverse(pose_along_degree(x, i, k)), 1);
                   column = hat(x.kinematics.S[i].column(k));
                   sides.add(printed, column);
                 }
             }},
             .corrected = [](const Specimen<S>& x, Sides<S>& sides) {
               Matrix4<S> corrected, column;
               for (int i = 1; i <= x.bodies(); ++i)
                 for (int k = 0; k < x.model.body(i).nv; ++k) {
                   corrected = matrix(inverse(x.kinematics.T[i])) * derivative(pose_along_degree(x, i, k), 1);
                   column = hat(x.kinematics.S[i].column(k));
                   sides.add(corrected, column);
                 }
             }});
}

}  // namespace

template <typename S>
void model_identities(Registry<S>& r)
{
  joints(r);
  motion_of_bodies(r);
  errata_of_joints(r);
}

template void model_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
