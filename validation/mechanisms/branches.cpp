/** \file
 *  \brief Proofs of chapter mechanisms: the branches and their loops, \eq{ma,64} to \eq{ma,82}, and how the parts of
 *  cylinders move, \eq{ma,89} to \eq{ma,91}, appendix D and the end of appendix C.
 */
#include <mechanisms/components.hpp>

namespace articulate::validation {
namespace {

/// A direction of the plane in which a linkage moves.
template <typename S>
planar::Point<S> towards(const S& angle)
{
  return turned(planar::Point<S>{S(1), S(0)}, angle);
}

template <typename S>
void add_points(Sides<S>& sides, const planar::Point<S>& left, const planar::Point<S>& right)
{
  sides.add(Vector3<S>{left.x, left.y, S(0)}, Vector3<S>{right.x, right.y, S(0)});
}

/// The joints and pins of a cylinder that pushes the common pin L of two rods; all but M's in the frame of one component.
struct DoubleLoop {
  const char *cylinder, *length, *rocker, *coupler;   ///< joints: turns at K, along KL, at N, at L
  const char *next, *L_on_rocker, *M_on_coupler, *M;  ///< joints: of the driven component; fixed joints: of pins
  bool coupler_on_rocker;                             ///< else it hangs on the cylinder's rod
  const char *by_rocker, *by_coupler;                 ///< rows of the ledger
};
constexpr std::array<DoubleLoop, 3> double_loops{{{"theta_8", "L_2", "theta_10", "theta_9", "theta_3", "pin_rod_NL_L",
                                                   "pin_rod_LM_M", "pin_arm_2_M", false, "ma:69", "ma:70"},
                                                  {"theta_11", "L_3", "theta_13", "theta_12", "theta_4", "pin_rod_QP_P",
                                                   "pin_rod_PR_R", "pin_arm_3_R", false, "ma:74", "ma:75"},
                                                  {"theta_16", "L_5", "theta_14", "theta_15", "theta_6", "pin_rod_ST_T",
                                                   "pin_rod_TW_W", "pin_arm_4_W", true, "ma:79", "ma:80"}}};

constexpr std::array<PlacedBy, 10> rows_of_branches{{{"ma:64", branch_chains[0], Joined::upright},
                                                     {"ma:66", branch_chains[1], Joined::anywhere},
                                                     {"ma:67", branch_chains[2], Joined::at_rod_end},
                                                     {"ma:68", branch_chains[3], Joined::anywhere},
                                                     {"ma:71", branch_chains[4], Joined::anywhere},
                                                     {"ma:72", branch_chains[5], Joined::at_rod_end},
                                                     {"ma:73", branch_chains[6], Joined::anywhere},
                                                     {"ma:76", branch_chains[7], Joined::anywhere},
                                                     {"ma:77", branch_chains[8], Joined::along_x},
                                                     {"ma:78", branch_chains[9], Joined::anywhere}}};

template <typename S>
void loops_of_branches(Registry<S>& r)
{
  r.identity({.name = "each_joint_of_a_branch_places_its_component_as_its_matrix_says",
              .keys = {"ma:64", "ma:66", "ma:67", "ma:68", "ma:71", "ma:72", "ma:73", "ma:76", "ma:77", "ma:78"},
              .symbols = "ForwardKinematics Model::Contents::add_body screw_pose",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) { add_places(sides, x, rows_of_branches); },
              .applies = is_the_manipulator});

  r.identity({.name = "the_first_cylinder_is_a_side_of_the_triangle_of_its_pins",
              .keys = {"ma:65/loop", "ma:65/cosines"},
              .symbols = "HydraulicManipulator::close length direction turned",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using std::cos, std::sqrt;
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    const Vector3<S> I = file.place("theta_7"), J = file.place("pin_arm_1_J");
                    const planar::Point<S> BI{I[0], I[1]}, BJ{J[0], J[1]};
                    const S L = now.coordinate("L_1"), theta = now.coordinate("theta_2");
                    const planar::Point<S> IJ = L * towards(now.coordinate("theta_7"));
                    sides.clause("ma:65/loop");
                    add_points(sides, BI + IJ, turned(BJ, theta));
                    sides.rival("the cylinder points from J to I",
                                [&](auto& wrong) { add_points(wrong, BI - IJ, turned(BJ, theta)); });

                    // From BI to BJ, counterclockwise, it grows with the joint's angle; IBJ is a full turn less this.
                    const S BI2 = inner(I, I), BJ2 = inner(J, J), phi = theta + direction(BJ) - direction(BI);
                    const S twice = S(2) * sqrt(S(BI2 * BJ2));
                    sides.clause("ma:65/cosines");
                    sides.add(S(L * L), S(BI2 + BJ2 - twice * cos(phi)));
                    sides.rival("the cosine has the other sign",
                                [&](auto& wrong) { wrong.add(S(L * L), S(BI2 + BJ2 + twice * cos(phi))); });
                    sides.rival("the joint's angle is taken for that at B",
                                [&](auto& wrong) { wrong.add(S(L * L), S(BI2 + BJ2 - twice * cos(theta))); });
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "the_vectors_along_the_bars_of_every_double_loop_close",
              .keys = {"ma:69", "ma:70", "ma:74", "ma:75", "ma:79", "ma:80"},
              .symbols = "HydraulicManipulator::close HydraulicManipulator::place pin_of_two_bars direction length",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    const auto at = [&](const char* joint) -> planar::Point<S> {
                      const Vector3<S> place = file.place(joint);
                      return {place[0], place[1]};
                    };
                    for (const DoubleLoop& loop : double_loops) {
                      const S cylinder = now.coordinate(loop.cylinder), rocker = now.coordinate(loop.rocker);
                      const S coupler = now.coordinate(loop.coupler) + (loop.coupler_on_rocker ? rocker : cylinder);
                      const planar::Point<S> by_cylinder =
                          at(loop.cylinder) + now.coordinate(loop.length) * towards(cylinder);
                      const planar::Point<S> by_rocker = at(loop.rocker) + at(loop.L_on_rocker).x * towards(rocker);
                      sides.clause(loop.by_rocker);
                      add_points(sides, by_cylinder, by_rocker);
                      sides.rival("the rocker points to its foot", [&](auto& wrong) {
                        add_points(wrong, by_cylinder, at(loop.rocker) - at(loop.L_on_rocker).x * towards(rocker));
                      });
                      const planar::Point<S> M = at(loop.next) + turned(at(loop.M), now.coordinate(loop.next));
                      // The paper goes to L by the cylinder, or by the rocker where the coupler hangs on it.
                      const planar::Point<S> L = loop.coupler_on_rocker ? by_rocker : by_cylinder;
                      const S length = at(loop.M_on_coupler).x;
                      sides.clause(loop.by_coupler);
                      add_points(sides, L + length * towards(coupler), M);
                      sides.rival("the coupler goes on in the direction of the rocker",
                                  [&](auto& wrong) { add_points(wrong, L + length * towards(rocker), M); });
                    }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "closed_forms_of_triangle_and_four_bars_meet_the_pins_of_all_seven_loops",
              .keys = {"ma:65/loop", "ma:69", "ma:70", "ma:74", "ma:75", "ma:79", "ma:80"},
              .symbols = "HydraulicManipulator::close",
              .method = "cross-check: poses of the tree",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    constexpr std::array<const char*, 7> keys{"ma:65/loop", "ma:69", "ma:70", "ma:74",
                                                              "ma:75",      "ma:79", "ma:80"};
                    const auto miss_with = [&](auto& wrong, const Loop& loop, const VectorX<S>& q) {
                      ForwardKinematics<S> bodies(x.model);
                      bodies(q, now.motion.qd);
                      wrong.add(bodies.link_pose(x.model.link(loop.first.link)).p,
                                bodies.link_pose(x.model.link(loop.second.link)).p);
                    };
                    for (std::size_t k = 0; k < now.loops.size(); ++k) {
                      const Loop& loop = now.loops[k];
                      sides.clause(keys[k]);
                      sides.add(now.pose(loop.first.link).p, now.pose(loop.second.link).p);
                      const bool by_coupler = loop.name == "BKMC" || loop.name == "CORD" || loop.name == "FSWG";
                      if (by_coupler)
                        sides.rival("the coupler goes on in the direction of the rocker", [&](auto& wrong) {
                          VectorX<S> q = now.q;
                          for (const DoubleLoop& one : double_loops)
                            q(now.machine.slot(one.coupler)) =
                                one.coupler_on_rocker ? S(0)
                                                      : S(now.coordinate(one.rocker) - now.coordinate(one.cylinder));
                          miss_with(wrong, loop, q);
                        });
                      else
                        sides.rival("the angle of the cylinder is the inner one of its triangle", [&](auto& wrong) {
                          VectorX<S> q = now.q;
                          for (const char* cylinder : {"theta_7", "theta_8", "theta_11", "theta_16"})
                            q(now.machine.slot(cylinder)) = pi<S>() - q(now.machine.slot(cylinder));
                          miss_with(wrong, loop, q);
                        });
                    }
                  },
              .applies = is_the_manipulator});
}

template <typename S>
void motion_of_branches(Registry<S>& r)
{
  r.identity(
      {.name = "components_of_the_branches_move_with_their_carrier_and_by_their_own_joint",
       .keys = {"ma:81", "ma:82"},
       .symbols = "AdInv ForwardKinematics::link_twist LoopMotion",
       .method = "series",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             const auto& along = x.template once<MachineAlongMotion<S>>();
             std::vector<Twist<S>> carried, carried_back, own, rates;
             for (const Component& one : branch_chains) {
               const SE3<S> T = inverse(now.pose(one.carrier)) * now.pose(one.link);
               const Twist<S> turn = now.rate(one.joint) * screw<S>(one);
               Twist<S> relative = turn;
               std::string pivot = one.carrier;  // where it hangs on the end of a rod, it moves with that besides
               for (const Cylinder& cylinder : branch_cylinders)
                 if (std::string(one.carrier) == cylinder.tube) {
                   relative += AdInv(T, Twist<S>{{}, now.rate(cylinder.length) * along_slide<S>()});
                   pivot = cylinder.rod;
                 }
               const Twist<S> by_pose = along.body_velocity(one.link, pivot), swapped{turn.v, turn.w};
               sides.clause("ma:82");
               sides.add(hat(turn), hat(by_pose));  // as matrices, for one half is zero
               sides.rival("the linear half comes first", [&](auto& wrong) { wrong.add(hat(swapped), hat(by_pose)); });
               carried.push_back(AdInv(T, now.twist(one.carrier)) + relative);
               carried_back.push_back(Ad(T, now.twist(one.carrier)) + relative);
               own.push_back(now.twist(one.link));
               rates.push_back(along.body_velocity(one.link));
             }
             sides.clause("ma:81");
             sides.add(carried, rates);
             sides.add(own, rates);
             sides.rival("Ad has the pose instead of its inverse",
                         [&](auto& wrong) { wrong.add(carried_back, rates); });
           },
       .applies = is_the_manipulator});

  r.identity({.name = "rates_and_accelerations_by_the_rows_of_the_loops_are_derivatives_of_the_closed_forms",
              .keys = {"ma:81", "ma:82"},
              .symbols = "LoopMotion Loops HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    VectorX<S> first(x.model.nv()), second(x.model.nv());
                    for (int k = 0; k < x.model.nv(); ++k)
                      first(k) = derivative(along.q(k), 1), second(k) = derivative(along.q(k), 2);
                    sides.add_by_unit(x.model, now.motion.qd, first);
                    sides.add_by_unit(x.model, now.motion.qdd, second);
                    sides.rival("the loops' own acceleration is left out", [&](auto& wrong) {
                      VectorX<S> accelerations(6);
                      for (int k = 0; k < 6; ++k) accelerations(now.column_of(k)) = now.main.qdd[k];
                      wrong.add_by_unit(x.model, VectorX<S>(now.motion.G * accelerations), second);
                    });
                  },
              .applies = is_the_manipulator});
}

/// The centre of mass of a cylinder's rod in the frame of its tube: the frame of the rod is at its end.
template <typename S>
Vector3<S> center_of_rod(const MachineCase<S>& now, const Described<S>& file, const Cylinder& one)
{
  return file.center(one.rod) + now.coordinate(one.length) * along_slide<S>();
}

/// The rows that speak of the parts of a cylinder.
struct RowsOfCylinder {
  Cylinder cylinder;
  Component component;
  const char *tube_place, *rod_place, *tube_velocity, *rod_velocity, *turning;
};
constexpr std::array<RowsOfCylinder, 4> rows_of_cylinders{
    {{branch_cylinders[0], branch_chains[0], "ma:C.20", "ma:C.21", "ma:89", "ma:90", "ma:91"},
     {branch_cylinders[1], branch_chains[1], "ma:C.22", "ma:C.23", "ma:D.1", "ma:D.2", "ma:D.3"},
     {branch_cylinders[2], branch_chains[4], "ma:C.24", "ma:C.25", "ma:D.4", "ma:D.5", "ma:D.6"},
     {branch_cylinders[3], branch_chains[9], "ma:C.26", "ma:C.27", "ma:D.7", "ma:D.8", "ma:D.9"}}};

template <typename S>
void parts_of_cylinders(Registry<S>& r)
{
  r.identity({.name = "tubes_and_rods_of_cylinders_are_where_their_pivots_and_lengths_put_them",
              .keys = {"ma:C.20", "ma:C.21", "ma:C.22", "ma:C.23", "ma:C.24", "ma:C.25", "ma:C.26", "ma:C.27"},
              .symbols = "ForwardKinematics screw_pose",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    for (const RowsOfCylinder& rows : rows_of_cylinders) {
                      const Cylinder& one = rows.cylinder;
                      const Matrix4<S> T = file.pose("base", one.tube);
                      const Vector3<S> tube = now.pose(one.tube) * file.center(one.tube);
                      const Vector3<S> rod = now.pose(one.rod) * file.center(one.rod);
                      sides.clause(rows.tube_place);
                      sides.add(moved(T, file.center(one.tube)), tube);
                      sides.rival("the point has no 1 below it", [&](auto& wrong) {
                        wrong.add(Vector3<S>(T.template topLeftCorner<3, 3>() * file.center(one.tube).eigen()), tube);
                      });
                      sides.clause(rows.rod_place);
                      sides.add(moved(T, center_of_rod(now, file, one)), rod);
                      sides.rival("the rod is where it was at length zero",
                                  [&](auto& wrong) { wrong.add(moved(T, file.center(one.rod)), rod); });
                    }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "tubes_move_with_their_cylinders_and_rods_by_the_rate_of_the_length_besides",
              .keys = {"ma:89", "ma:90", "ma:91", "ma:D.1", "ma:D.2", "ma:D.3", "ma:D.4", "ma:D.5", "ma:D.6", "ma:D.7",
                       "ma:D.8", "ma:D.9"},
              .symbols = "LoopMotion HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    const Described<S> file(x);
                    for (const RowsOfCylinder& rows : rows_of_cylinders) {
                      const Cylinder& one = rows.cylinder;
                      const Twist<S> V = now.twist(one.tube);
                      const Matrix3<S> to_cylinder = transpose(now.pose(one.tube).R.matrix);
                      const auto seen = [&](const char* link) {
                        return to_cylinder * derivative(along.pose(link) * constant(file.center(link)), 1);
                      };
                      const Vector3<S> turn_of_tube = cross(V.w, file.center(one.tube)), seen_tube = seen(one.tube);
                      const Vector3<S> carried = V.v + cross(V.w, center_of_rod(now, file, one));
                      const Vector3<S> lengthening = now.rate(one.length) * along_slide<S>(), seen_rod = seen(one.rod);
                      sides.clause(rows.tube_velocity);
                      sides.add(V.v + turn_of_tube, seen_tube);
                      sides.rival("the tube moves as its pivot does", [&](auto& wrong) { wrong.add(V.v, seen_tube); });
                      sides.clause(rows.rod_velocity);
                      sides.add(carried + lengthening, seen_rod);
                      // Cylinder 5 lengthens slowly beside all that moves it.
                      if (std::string(one.length) != "L_5")
                        sides.rival("the rate of the length is forgotten",
                                    [&](auto& wrong) { wrong.add(carried, seen_rod); });
                      sides.rival("the rod is where it was at length zero", [&](auto& wrong) {
                        wrong.add(V.v + cross(V.w, file.center(one.rod)) + lengthening, seen_rod);
                      });
                      const Vector3<S> turning = along.body_velocity(one.tube).w;
                      sides.clause(rows.turning);
                      sides.add(V.w, turning);
                      sides.add(V.w, along.body_velocity(one.rod).w);
                      sides.rival("it is left in the axes of space",
                                  [&](auto& wrong) { wrong.add(now.pose(one.tube).R * V.w, turning); });
                    }
                  },
              .applies = is_the_manipulator});
}

}  // namespace

template <typename S>
void mechanisms_branches(Registry<S>& r)
{
  loops_of_branches(r);
  motion_of_branches(r);
  parts_of_cylinders(r);
}

template void mechanisms_branches(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
