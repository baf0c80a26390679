/** \file
 *  \brief Proofs of chapter mechanisms: the main chain, \eq{ma,41} to \eq{ma,63}, appendices A and B.
 */
#include <mechanisms/components.hpp>

namespace articulate::validation {
namespace {

constexpr std::array<PlacedBy, 6> rows_of_main_chain{{{"ma:41", main_chain[0], Joined::anywhere},
                                                      {"ma:42/pose", main_chain[1], Joined::upright},
                                                      {"ma:43/pose", main_chain[2], Joined::along_x},
                                                      {"ma:44/pose", main_chain[3], Joined::along_x},
                                                      {"ma:45/pose", main_chain[4], Joined::by_slide},
                                                      {"ma:46", main_chain[5], Joined::anywhere}}};

template <typename S>
void poses_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "each_joint_of_the_main_chain_places_its_component_as_its_matrix_says",
              .keys = {"ma:41", "ma:42/pose", "ma:42/right-angle", "ma:43/pose", "ma:43/place", "ma:44/pose",
                       "ma:44/place", "ma:45/pose", "ma:45/turn", "ma:46"},
              .symbols = "ForwardKinematics Model::Contents::add_body screw_pose",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    add_places(sides, x, rows_of_main_chain);
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto placed = [&](int k) {
                      const auto& [link, carrier, joint] = main_chain[k];
                      return inverse(now.pose(carrier)) * now.pose(link);
                    };
                    for (const int k : {2, 3}) {
                      const Vector3<S> p = placed(k).p;
                      const S along = norm(p);
                      sides.clause(k == 2 ? "ma:43/place" : "ma:44/place");
                      sides.add(p, Vector3<S>{along, S(0), S(0)});
                      sides.rival("along y, as for a figure that is turned", [&](auto& wrong) {
                        wrong.add(p, Vector3<S>{S(0), along, S(0)});
                      });
                    }
                    sides.clause("ma:45/turn");
                    const SO3<S> held = placed(4).R, before = placed(3).R;
                    sides.add(held.matrix, SO3<S>().matrix);
                    sides.rival("it has the turn of the joint before",
                                [&](auto& wrong) { wrong.add(before.matrix, SO3<S>().matrix); });
                    // The file has the right angle as a number of sixteen digits.
                    const Described<S> file(x);
                    constexpr double right_angle = 1.5707963267948966, last_digits = 1e-15;
                    sides.clause("ma:42/right-angle");
                    sides.add_printed(magnitude(file.alpha("alpha_2")), right_angle, last_digits);
                    sides.rival("the angle of the quaternion is taken for that of the turn", [&](auto& wrong) {
                      wrong.add_printed(magnitude(file.half_of_alpha("alpha_2")), right_angle, last_digits);
                    });
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "components_and_tongs_are_where_the_product_along_the_main_chain_puts_them",
       .keys = {"ma:47", "ma:48", "ma:49/product", "ma:49/angles", "ma:50", "ma:51/product", "ma:51/tongs"},
       .symbols = "ForwardKinematics SO3",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             const Described<S> file(x);
             constexpr std::array<const char*, 6> keys{"", "ma:47", "ma:48", "ma:49/product", "ma:50", "ma:51/product"};
             for (std::size_t k = 1; k < main_chain.size(); ++k) {
               const char* link = main_chain[k].link;
               const Matrix4<S> before = file.pose("base", main_chain[k].carrier),
                                relative = file.pose(main_chain[k].carrier, link);
               sides.clause(keys[k]);
               add_pose(sides, now.pose(link), Matrix4<S>(before * relative));
               sides.rival("the factors stand in the opposite order",
                           [&](auto& wrong) { add_pose(wrong, now.pose(link), Matrix4<S>(relative * before)); });
             }
             const Matrix4<S> T = file.pose("base", "arm_4");
             const Vector3<S> tongs = now.pose("load").p, r_H = file.place("tongs");
             sides.clause("ma:51/tongs");
             sides.add(tongs, moved(T, r_H));
             sides.rival("the point has no 1 below it", [&](auto& wrong) {
               wrong.add(tongs, Vector3<S>(T.template topLeftCorner<3, 3>() * r_H.eigen()));
             });

             // (49): turns about parallel axes are one turn by the sum of their angles.
             S sum(0);
             for (const char* joint : {"theta_2", "theta_3", "theta_4"}) sum += now.coordinate(joint);
             const SO3<S> plane = now.pose("plane").R;
             sides.clause("ma:49/angles");
             sides.add(now.pose("arm_3").R.matrix, (plane * exp(sum * z_axis<S>())).matrix);
             sides.rival("the angle of the last joint is taken for an elevation", [&](auto& wrong) {
               wrong.add(now.pose("arm_3").R.matrix, (plane * exp(now.coordinate("theta_4") * z_axis<S>())).matrix);
             });
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
                    const SO3<S> by_a = exp(a * z_axis<S>()), by_b = exp(b * z_axis<S>());
                    const SO3<S> by_both = exp(S(a + b) * z_axis<S>());
                    const Matrix3<S> one = Matrix3<S>::identity();
                    sides.clause("ma:A.1");
                    sides.add(by_a.matrix, one + sin(a) * Z + S(S(1) - cos(a)) * (Z * Z));
                    sides.rival("the square has the cosine alone",
                                [&](auto& wrong) { wrong.add(by_a.matrix, one + sin(a) * Z + cos(a) * (Z * Z)); });
                    sides.clause("ma:A.2");
                    sides.add((by_a * by_b).matrix, by_both.matrix);
                    sides.rival("the second turn is transposed",
                                [&](auto& wrong) { wrong.add((by_a * inverse(by_b)).matrix, by_both.matrix); });
                  },
              .applies = is_the_manipulator});
}

/// The rows of the slewing body and, from appendix B, of the arms; the telescope has the turning of the third arm.
struct SeenFromSpace {
  Component component;
  const char *space_velocity, *turning, *turning_rate, *velocity, *acceleration;
};
constexpr std::array<SeenFromSpace, 5> seen_from_space{
    {{main_chain[0], "ma:55", "ma:56/turning", "ma:57/rate", "ma:58", "ma:59"},
     {main_chain[1], "ma:B.1", "ma:B.2/turning", "ma:B.2/rate", "ma:B.3/velocity", "ma:B.3/acceleration"},
     {main_chain[2], "ma:B.4", "ma:B.5/turning", "ma:B.5/rate", "ma:B.6/velocity", "ma:B.6/acceleration"},
     {main_chain[3], "ma:B.7", "ma:B.8/turning", "ma:B.8/rate", "ma:B.9/velocity", "ma:B.9/acceleration"},
     {main_chain[5], "ma:B.10", "ma:B.11/turning", "ma:B.11/rate", "ma:B.12/velocity", "ma:B.12/acceleration"}}};

/// The inertial frame in general position: in the file's own the slewing axis goes through the origin.
template <typename S>
SE3<S> space(const Specimen<S>& x)
{
  return x.pose(30);
}
/// The k-th derivative in time of the pose of a link in this frame.
template <typename S>
Matrix4<S> pose_rate(const Specimen<S>& x, const char* link, int k)
{
  const auto& along = x.template once<MachineAlongMotion<S>>();
  return matrix(space(x)) * derivative(along.pose(link), k);
}

template <typename S>
void motion_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "components_of_the_main_chain_move_with_their_carrier_and_by_their_own_joint",
              .keys = {"ma:52/first", "ma:52/carried", "ma:53", "ma:54"},
              .symbols = "ForwardKinematics::link_twist AdInv HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    std::vector<Twist<S>> own, carried, carried_back, rates;
                    Twist<S> V = now.twist("slewing");
                    sides.clause("ma:52/first");
                    sides.add(V, along.body_velocity("slewing"));
                    sides.rival("the inverse stands on the right", [&](auto& wrong) {
                      wrong.add(V, vee(Matrix4<S>(pose_rate(x, "slewing", 1) * inverted(pose_rate(x, "slewing", 0)))));
                    });
                    for (const Component& one : main_chain) {
                      const SE3<S> T = inverse(now.pose(one.carrier)) * now.pose(one.link);
                      const Twist<S> joint = now.rate(one.joint) * screw<S>(one), swapped{joint.v, joint.w};
                      const Twist<S> relative = along.body_velocity(one.link, one.carrier);
                      // As matrices, for one half is zero.
                      sides.clause(std::string(one.joint) == "d_5" ? "ma:54" : "ma:53");
                      sides.add(hat(joint), hat(relative));
                      sides.rival("the linear half comes first",
                                  [&](auto& wrong) { wrong.add(hat(swapped), hat(relative)); });
                      if (one.joint == main_chain[0].joint) continue;
                      carried_back.push_back(Ad(T, V) + joint);
                      V = AdInv(T, V) + joint;
                      carried.push_back(V), own.push_back(now.twist(one.link));
                      rates.push_back(along.body_velocity(one.link));
                    }
                    sides.clause("ma:52/carried");
                    sides.add(carried, rates);
                    sides.add(own, rates);
                    sides.rival("Ad has the pose instead of its inverse",
                                [&](auto& wrong) { wrong.add(carried_back, rates); });
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "space_velocities_of_the_main_chain_are_body_velocities_seen_from_space",
              .keys = {"ma:55", "ma:B.1", "ma:B.4", "ma:B.7", "ma:B.10"},
              .symbols = "Ad",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    for (const SeenFromSpace& one : seen_from_space) {
                      const char* link = one.component.link;
                      const Twist<S> rate = vee(Matrix4<S>(pose_rate(x, link, 1) * inverted(pose_rate(x, link, 0))));
                      const SE3<S> T = space(x) * now.pose(link);
                      sides.clause(one.space_velocity);
                      sides.add(Ad(space(x), now.space_velocity(link)), rate);
                      sides.add(Ad(T, now.twist(link)), rate);
                      sides.rival("the arm is forgotten", [&](auto& wrong) {
                        const Twist<S> V = now.twist(link);
                        wrong.add(Twist<S>{T.R * V.w, T.R * V.v}, rate);
                      });
                    }
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "angular_velocities_and_accelerations_of_the_main_chain_are_rates_of_its_rotations",
       .keys = {"ma:56/turning", "ma:56/axis", "ma:57/rate", "ma:57/axis", "ma:B.2/turning", "ma:B.2/rate",
                "ma:B.5/turning", "ma:B.5/rate", "ma:B.8/turning", "ma:B.8/rate", "ma:B.11/turning", "ma:B.11/rate"},
       .symbols = "Ad LoopMotion Recursion::carry_acceleration",
       .method = "series",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             // What the two sums of (28) make, the second left out: a component has the axes of all before it.
             Vector3<S> first_sum;
             for (const SeenFromSpace& one : seen_from_space) {
               const char* link = one.component.link;
               // The rate of R' R^T is R'' R^T + R' R'^T.
               const auto R = [&](int k) -> Eigen::Matrix<S, 3, 3> {
                 return pose_rate(x, link, k).template topLeftCorner<3, 3>();
               };
               const auto axis = [](const Eigen::Matrix<S, 3, 3>& W) -> Vector3<S> {
                 return {W(2, 1), W(0, 2), W(1, 0)};
               };
               const Vector3<S> turning = axis(R(1) * R(0).transpose());
               const Vector3<S> rate = axis(R(2) * R(0).transpose() + R(1) * R(1).transpose());
               const Twist<S> V = Ad(space(x), now.space_velocity(link));
               const Twist<S> Vdot = Ad(space(x), now.space_velocity_rate(link));
               sides.clause(one.turning);
               sides.add(V.w, turning);
               sides.rival("it is taken from the body velocity",
                           [&](auto& wrong) { wrong.add(now.twist(link).w, turning); });
               sides.clause(one.turning_rate);
               sides.add(Vdot.w, rate);
               const int k = static_cast<int>(&one - seen_from_space.data());
               first_sum += now.main.qdd[k < 4 ? k : 5] * (space(x).R * (now.pose(link).R * z_axis<S>()));
               if (k == 0)
                 sides.rival("it is the linear half", [&](auto& wrong) { wrong.add(Vdot.v, rate); });
               else
                 sides.rival("the second sum is left out", [&](auto& wrong) { wrong.add(first_sum, rate); });
             }
             const Vector3<S> next = now.pose("arm_1").R * z_axis<S>();
             const Vector3<S> w = now.space_velocity("slewing").w, alpha = now.space_velocity_rate("slewing").w;
             sides.clause("ma:56/axis");
             sides.add(w, now.main.qd[0] * z_axis<S>());
             sides.rival("the axis is that of the next joint",
                         [&](auto& wrong) { wrong.add(w, now.main.qd[0] * next); });
             sides.clause("ma:57/axis");
             sides.add(alpha, now.main.qdd[0] * z_axis<S>());
             sides.rival("the axis is that of the next joint",
                         [&](auto& wrong) { wrong.add(alpha, now.main.qdd[0] * next); });
           },
       .applies = is_the_manipulator});

  r.identity(
      {.name = "the_space_velocity_moves_and_accelerates_every_point_of_the_main_chain",
       .keys = {"ma:58", "ma:59", "ma:B.3/velocity", "ma:B.3/acceleration", "ma:B.6/velocity", "ma:B.6/acceleration",
                "ma:B.9/velocity", "ma:B.9/acceleration", "ma:B.12/velocity", "ma:B.12/acceleration"},
       .symbols = "hat Ad Recursion::carry_acceleration",
       .method = "series",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             const Described<S> file(x);
             for (const SeenFromSpace& one : seen_from_space) {
               const char* link = one.component.link;
               const Matrix4<S> V = hat(Ad(space(x), now.space_velocity(link)));
               const Matrix4<S> Vdot = hat(Ad(space(x), now.space_velocity_rate(link)));
               const Matrix4<S> V_body = hat(now.twist(link));
               // The slewing body's centre of mass is on its axis, at rest; a second point of each body is not.
               std::vector<Vector3<S>> v, v_of_body, v_seen, a, a_without_square, a_seen;
               for (const Vector3<S>& r : {file.center(link), file.center(link) + x.vector(20)}) {
                 Eigen::Matrix<S, 4, 1> inside;
                 inside << r.eigen(), S(1);
                 const Eigen::Matrix<S, 4, 1> p = pose_rate(x, link, 0) * inside;
                 const auto in_space = [](const Eigen::Matrix<S, 4, 1>& u) { return Vector3<S>(u); };
                 v.push_back(in_space(V * p)), v_of_body.push_back(in_space(V_body * p));
                 v_seen.push_back(in_space(pose_rate(x, link, 1) * inside));
                 a.push_back(in_space((Vdot + V * V) * p)), a_without_square.push_back(in_space(Vdot * p));
                 a_seen.push_back(in_space(pose_rate(x, link, 2) * inside));
               }
               sides.clause(one.velocity);
               add_vectors(sides, v, v_seen);
               sides.rival("the body velocity moves the point",
                           [&](auto& wrong) { add_vectors(wrong, v_of_body, v_seen); });
               sides.clause(one.acceleration);
               add_vectors(sides, a, a_seen);
               sides.rival("the square is left out",
                           [&](auto& wrong) { add_vectors(wrong, a_without_square, a_seen); });
             }
           },
       .applies = is_the_manipulator});
}

template <typename S>
void jacobian_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "the_columns_of_the_jacobian_of_the_tongs_are_its_derivatives_by_one_coordinate",
              .keys = {"ma:61", "ma:62/columns", "ma:62/slide", "ma:63/first", "ma:63/others"},
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
                    const Matrix4<S> by_theta = turn_about_z(now.main.q[0]),
                                     by_alpha = turn_about_x(Described<S>(x).alpha("alpha_2"));
                    const Vector3<S> common = moved(Matrix4<S>(by_theta * by_alpha), z_axis<S>());
                    for (std::size_t k = 0; k < main_chain.size(); ++k) {
                      const Component& one = main_chain[k];
                      const Twist<S> xi = screw<S>(one);
                      const Eigen::Matrix<S, 4, 1> rate = hat(Ad(now.pose(one.link), xi)) * r_H;
                      const SE3<Series<S>> T = by.displaced(k).link_pose(by.model().link("load"));
                      const Matrix4<S> W = derivative(T, 1) * inverted(derivative(T, 0));
                      const Vector3<S> displaced = derivative(T.p, 1);
                      const int column = now.machine.slot(one.joint);
                      sides.clause("ma:61");
                      sides.add(Vector3<S>(rate), displaced);
                      sides.add(J.col(column).template tail<3>(), displaced.eigen());
                      sides.rival("the screw stays as its own component sees it", [&](auto& wrong) {
                        const Eigen::Matrix<S, 4, 1> left = hat(xi) * r_H;
                        wrong.add(Vector3<S>(left), displaced);
                      });

                      const SO3<S> R = now.pose(one.link).R;
                      const Vector3<S> axis = R * xi.w, turned = vee(W).w;
                      sides.clause(k == 4 ? "ma:62/slide" : "ma:62/columns");
                      sides.add(axis, turned, S(1));
                      sides.add(J.col(column).template head<3>(), axis.eigen());
                      if (k == 4)
                        sides.rival("the slide has the axis of its frame",
                                    [&](auto& wrong) { wrong.add(R * z_axis<S>(), turned, S(1)); });
                      else
                        sides.rival("the axis is turned back",
                                    [&](auto& wrong) { wrong.add(inverse(R) * xi.w, turned, S(1)); });
                      if (k == 0) {
                        sides.clause("ma:63/first");
                        sides.add(axis, z_axis<S>());
                        sides.rival("alpha is counted at the joint before, as in the distal custom",
                                    [&](auto& wrong) { wrong.add(axis, moved(by_alpha, z_axis<S>())); });
                      } else if (k != 4) {
                        sides.clause("ma:63/others");
                        sides.add(axis, common);
                        sides.rival("the turns stand in the opposite order", [&](auto& wrong) {
                          wrong.add(axis, moved(Matrix4<S>(by_alpha * by_theta), z_axis<S>()));
                        });
                      }
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
