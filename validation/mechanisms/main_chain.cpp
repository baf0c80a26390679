/** \file
 *  \brief Proofs of chapter mechanisms: the main chain, \eq{ma,41} to \eq{ma,63}, appendices A and B.
 */
#include <mechanisms/components.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void poses_of_main_chain(Registry<S>& r)
{
  r.identity(
      {.name = "each_joint_of_the_main_chain_places_its_component_by_five_numbers",
       .keys = {"ma:41", "ma:42", "ma:43", "ma:44", "ma:45", "ma:46"},
       .symbols = "ForwardKinematics Model::attach JointJacobian::place",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) { sides.append(places_by_five_numbers(x, main_chain)); },
       .applies = is_the_manipulator});

  r.identity({.name = "components_and_tongs_are_where_the_product_along_the_main_chain_puts_them",
              .keys = {"ma:47", "ma:48", "ma:49", "ma:50", "ma:51"},
              .symbols = "ForwardKinematics SO3",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    for (const Component& one : main_chain)
                      add_pose(sides, now.pose(one.link), file.pose("base", one.link));
                    const Matrix4<S> T = file.pose("base", "arm_4");
                    sides.add(now.pose("load").p, moved(T, file.place("tongs")));

                    // (49): turns about parallel axes are one turn by the sum of their angles.
                    S sum(0);
                    for (const char* joint : {"theta_2", "theta_3", "theta_4"}) sum += now.coordinate(joint);
                    const SO3<S> plane = now.pose("plane").R;
                    sides.add(now.pose("arm_3").R.matrix, (plane * exp(sum * z_axis<S>())).matrix);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "turns_about_z_are_the_sum_of_three_matrices_and_their_angles_add",
              .keys = {"ma:A.1", "ma:A.2"},
              .symbols = "SO3 exp",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using std::cos, std::sin;
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const S a = now.main.q[1], b = now.main.q[2];
                    const Matrix3<S> Z = skew(z_axis<S>());
                    sides.add(exp(a * z_axis<S>()).matrix,
                              Matrix3<S>::identity() + sin(a) * Z + S(S(1) - cos(a)) * (Z * Z));
                    sides.add((exp(a * z_axis<S>()) * exp(b * z_axis<S>())).matrix, exp(S(a + b) * z_axis<S>()).matrix);
                  },
              .applies = is_the_manipulator});
}

/// The components of which appendix B speaks, and the slewing body; the telescope has the turning of the third arm.
bool has_space_velocity(const Component& one) { return std::string(one.link) != "telescope"; }

template <typename S>
void motion_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "components_of_the_main_chain_move_with_their_carrier_and_by_their_own_joint",
              .keys = {"ma:52", "ma:53", "ma:54"},
              .symbols = "ForwardKinematics::link_twist AdInv HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    std::vector<Twist<S>> own, carried, rates, joint, relative;
                    Twist<S> V;
                    for (const Component& one : main_chain) {
                      const SE3<S> T = inverse(now.pose(one.carrier)) * now.pose(one.link);
                      joint.push_back(now.rate(one.joint) * screw<S>(one));  // (53), (54)
                      V = AdInv(T, V) + joint.back();                        // (52)
                      carried.push_back(V);
                      own.push_back(now.twist(one.link));
                      rates.push_back(along.body_velocity(one.link));
                      relative.push_back(along.body_velocity(one.link, one.carrier));
                    }
                    sides.add(carried, rates);
                    sides.add(own, rates);
                    sides.add(joint, relative);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "space_velocities_of_the_main_chain_are_body_velocities_seen_from_the_base",
              .keys = {"ma:55", "ma:B.1", "ma:B.4", "ma:B.7", "ma:B.10"},
              .symbols = "Ad ForwardKinematics::link_twist",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    std::vector<Twist<S>> carried, rates;
                    for (const Component& one : main_chain) {
                      if (!has_space_velocity(one)) continue;
                      const SE3<Series<S>> T = along.pose(one.link);
                      carried.push_back(now.space_velocity(one.link));
                      rates.push_back(vee(Matrix4<S>(derivative(T, 1) * inverted(derivative(T, 0)))));
                    }
                    sides.add(carried, rates);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "angular_velocities_and_accelerations_of_the_main_chain_are_rates_of_its_rotations",
              .keys = {"ma:56", "ma:57", "ma:B.2", "ma:B.5", "ma:B.8", "ma:B.11"},
              .symbols = "Ad LoopMotion Recursion::carry_acceleration",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    std::vector<Vector3<S>> own[2], seen[2];  // w and alpha
                    for (const Component& one : main_chain) {
                      if (!has_space_velocity(one)) continue;
                      own[0].push_back(now.space_velocity(one.link).w);
                      own[1].push_back(now.space_velocity_rate(one.link).w);
                      // The rate of R' R^T is R'' R^T + R' R'^T.
                      const SE3<Series<S>> T = along.pose(one.link);
                      const auto R = [&](int k) -> Eigen::Matrix<S, 3, 3> {
                        return derivative(T, k).template topLeftCorner<3, 3>();
                      };
                      const auto axis = [](const Eigen::Matrix<S, 3, 3>& W) -> Vector3<S> {
                        return {W(2, 1), W(0, 2), W(1, 0)};
                      };
                      seen[0].push_back(axis(R(1) * R(0).transpose()));
                      seen[1].push_back(axis(R(2) * R(0).transpose() + R(1) * R(1).transpose()));
                    }
                    for (int order = 0; order < 2; ++order) add_vectors(sides, own[order], seen[order]);
                    sides.add(own[0][0], now.main.qd[0] * z_axis<S>());   // (56)
                    sides.add(own[1][0], now.main.qdd[0] * z_axis<S>());  // (57)
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "the_space_velocity_moves_and_accelerates_every_point_of_the_main_chain",
              .keys = {"ma:58", "ma:59", "ma:B.3", "ma:B.6", "ma:B.9", "ma:B.12"},
              .symbols = "hat Ad Recursion::carry_acceleration",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    const Described<S> file(x);
                    // The slewing body's centre of mass is on its axis, at rest; a second point of each body is not.
                    std::vector<Vector3<S>> own[2], seen[2];
                    for (const Component& one : main_chain) {
                      if (!has_space_velocity(one)) continue;
                      const Matrix4<S> V = hat(now.space_velocity(one.link));
                      const Matrix4<S> Vdot = hat(now.space_velocity_rate(one.link));
                      for (const Vector3<S>& r : {file.center(one.link), file.center(one.link) + x.vector(20)}) {
                        const Vector3<Series<S>> path = along.pose(one.link) * constant(r);
                        Eigen::Matrix<S, 4, 1> p;
                        p << derivative(path, 0).eigen(), S(1);
                        own[0].push_back(Vector3<S>(V * p)), seen[0].push_back(derivative(path, 1));
                        own[1].push_back(Vector3<S>((Vdot + V * V) * p)), seen[1].push_back(derivative(path, 2));
                      }
                    }
                    for (int order = 0; order < 2; ++order) add_vectors(sides, own[order], seen[order]);
                  },
              .applies = is_the_manipulator});
}

template <typename S>
void jacobian_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "the_columns_of_the_jacobian_of_the_tongs_are_its_derivatives_by_one_coordinate",
              .keys = {"ma:61", "ma:62", "ma:63"},
              .symbols = "Ad hat ForwardKinematics::link_jacobian",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& by = x.template once<MachineByCoordinates<S>>();
                    const SE3<S> tongs = now.pose("load");
                    Eigen::Matrix<S, 4, 1> r_H;
                    r_H << tongs.p.eigen(), S(1);
                    const MatrixX<S> J = now.bodies.link_jacobian(x.model.link("load"), JacobianFrame::mixed);
                    // (63): one turn of the slewing body for all axes of the arms.
                    const Vector3<S> common =
                        exp(now.main.q[0] * z_axis<S>()) *
                        (SO3<S>(inverse(now.pose("slewing").R) * now.pose("plane").R) * z_axis<S>());
                    for (std::size_t k = 0; k < main_chain.size(); ++k) {
                      const Component& one = main_chain[k];
                      const Twist<S> xi = screw<S>(one);
                      const Eigen::Matrix<S, 4, 1> rate = hat(Ad(now.pose(one.link), xi)) * r_H;  // (61)
                      const SE3<Series<S>> T = by.displaced(k).link_pose(by.model().link("load"));
                      const Matrix4<S> W = derivative(T, 1) * inverted(derivative(T, 0));
                      const int column = now.machine.slot(one.joint);
                      sides.add(rate.template head<3>(), derivative(T.p, 1).eigen());
                      sides.add(J.col(column).template tail<3>(), derivative(T.p, 1).eigen());

                      const Vector3<S> axis = now.pose(one.link).R * xi.w;  // (62)
                      sides.add(axis, vee(W).w, S(1));
                      sides.add(J.col(column).template head<3>(), axis.eigen());
                      if (k == 0) sides.add(axis, z_axis<S>());
                      if (k > 0 && k != 4) sides.add(axis, common);
                    }
                  },
              .applies = is_the_manipulator});

  // The telescope between the arms that carry it and are carried by it, with drawn numbers for all that is lost.
  const auto slides_relative_to = [](int component) {
    return [=](const Specimen<S>& x, Sides<S>& sides) {
      const Series<S> t = time_series<S>();
      const Vector3<Series<S>> z(z_axis<S>());
      SE3<Series<S>> T_45, T_56;
      T_45.p = constant(x.vector(0)) + x.number(3) * t * constant(along_slide<S>());
      T_56 = {exp(Series<S>(x.number(4) + x.number(5) * t) * z), constant(x.vector(6))};
      const SE3<Series<S>> T = component == 4 ? T_45 : inverse(T_56);
      sides.add(Twist<S>{{}, x.number(3) * along_slide<S>()},
                vee(Matrix4<S>(inverted(derivative(T, 0)) * derivative(T, 1))));
    };
  };
  r.erratum({.id = "E-ma-1",
             .keys = {"ma:54"},
             .margin = 0.1,
             .printed = {slides_relative_to(6)},
             .corrected = slides_relative_to(4)});
}

}  // namespace

template <typename S>
void mechanisms_main_chain(Registry<S>& r)
{
  poses_of_main_chain(r);
  motion_of_main_chain(r);
  jacobian_of_main_chain(r);
}

template void mechanisms_main_chain(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
