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
};
constexpr std::array<DoubleLoop, 3> double_loops{
    {{"theta_8", "L_2", "theta_10", "theta_9", "theta_3", "pin_rod_NL_L", "pin_rod_LM_M", "pin_arm_2_M", false},
     {"theta_11", "L_3", "theta_13", "theta_12", "theta_4", "pin_rod_QP_P", "pin_rod_PR_R", "pin_arm_3_R", false},
     {"theta_16", "L_5", "theta_14", "theta_15", "theta_6", "pin_rod_ST_T", "pin_rod_TW_W", "pin_arm_4_W", true}}};

template <typename S>
void loops_of_branches(Registry<S>& r)
{
  r.identity(
      {.name = "each_joint_of_a_branch_places_its_component_by_five_numbers",
       .keys = {"ma:64", "ma:66", "ma:67", "ma:68", "ma:71", "ma:72", "ma:73", "ma:76", "ma:77", "ma:78"},
       .symbols = "ForwardKinematics Model::attach JointJacobian::place",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) { sides.append(places_by_five_numbers(x, branch_chains)); },
       .applies = is_the_manipulator});

  r.identity({.name = "the_first_cylinder_is_a_side_of_the_triangle_of_its_pins",
              .keys = {"ma:65"},
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
                    add_points(sides, BI + L * towards(now.coordinate("theta_7")), turned(BJ, theta));

                    // The angle at B grows with the joint's; where it is zero, B, I and J are in line.
                    const S BI2 = inner(I, I), BJ2 = inner(J, J), phi = theta + direction(BJ) - direction(BI);
                    sides.add(S(L * L), S(BI2 + BJ2 - S(2) * sqrt(S(BI2 * BJ2)) * cos(phi)));
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
                      add_points(sides, by_cylinder, by_rocker);
                      add_points(sides, by_rocker + at(loop.M_on_coupler).x * towards(coupler),
                                 at(loop.next) + turned(at(loop.M), now.coordinate(loop.next)));
                    }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "closed_forms_of_triangle_and_four_bars_meet_the_pins_of_all_seven_loops",
              .keys = {"ma:65", "ma:69", "ma:70", "ma:74", "ma:75", "ma:79", "ma:80"},
              .symbols = "HydraulicManipulator::close",
              .method = "cross-check: poses of the tree",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    for (const Loop& loop : now.loops)
                      sides.add(now.pose(loop.first.link).p, now.pose(loop.second.link).p);
                  },
              .applies = is_the_manipulator});
}

template <typename S>
void motion_of_branches(Registry<S>& r)
{
  r.identity({.name = "components_of_the_branches_move_with_their_carrier_and_by_their_own_joint",
              .keys = {"ma:81", "ma:82"},
              .symbols = "AdInv ForwardKinematics::link_twist LoopMotion",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    std::vector<Twist<S>> carried, own, rates;
                    for (const Component& one : branch_chains) {
                      const SE3<S> T = inverse(now.pose(one.carrier)) * now.pose(one.link);
                      Twist<S> relative = now.rate(one.joint) * screw<S>(one);  // (82)
                      for (const Cylinder& cylinder : branch_cylinders)         // it hangs on the end of the rod
                        if (std::string(one.carrier) == cylinder.tube)
                          relative += AdInv(T, Twist<S>{{}, now.rate(cylinder.length) * along_slide<S>()});
                      carried.push_back(AdInv(T, now.twist(one.carrier)) + relative);  // (81)
                      own.push_back(now.twist(one.link));
                      rates.push_back(along.body_velocity(one.link));
                    }
                    sides.add(carried, rates);
                    sides.add(own, rates);
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
                  },
              .applies = is_the_manipulator});
}

/// The centre of mass of a cylinder's rod in the frame of its tube: the frame of the rod is at its end.
template <typename S>
Vector3<S> center_of_rod(const MachineCase<S>& now, const Described<S>& file, const Cylinder& one)
{
  return file.center(one.rod) + now.coordinate(one.length) * along_slide<S>();
}

template <typename S>
void parts_of_cylinders(Registry<S>& r)
{
  r.identity({.name = "tubes_and_rods_of_cylinders_are_where_their_pivots_and_lengths_put_them",
              .keys = {"ma:C.20", "ma:C.21", "ma:C.22", "ma:C.23", "ma:C.24", "ma:C.25", "ma:C.26", "ma:C.27"},
              .symbols = "ForwardKinematics JointJacobian::place",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    for (const Cylinder& one : branch_cylinders) {
                      const Matrix4<S> T = file.pose("base", one.tube);
                      sides.add(moved(T, file.center(one.tube)), now.pose(one.tube) * file.center(one.tube));
                      sides.add(moved(T, center_of_rod(now, file, one)), now.pose(one.rod) * file.center(one.rod));
                    }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "tubes_move_with_their_cylinders_and_rods_by_the_rate_of_the_length_besides",
              .keys = {"ma:89", "ma:90", "ma:91", "ma:D.1", "ma:D.2", "ma:D.3", "ma:D.4", "ma:D.5", "ma:D.6", "ma:D.7",
                       "ma:D.8", "ma:D.9"},
              .symbols = "ForwardKinematics::link_twist LoopMotion HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    const Described<S> file(x);
                    for (const Cylinder& one : branch_cylinders) {
                      const Twist<S> V = now.twist(one.tube);
                      const Matrix3<S> to_cylinder = transpose(now.pose(one.tube).R.matrix);
                      const auto seen = [&](const char* link) {
                        return to_cylinder * derivative(along.pose(link) * constant(file.center(link)), 1);
                      };
                      sides.add(V.v + cross(V.w, file.center(one.tube)), seen(one.tube));
                      sides.add(
                          V.v + cross(V.w, center_of_rod(now, file, one)) + now.rate(one.length) * along_slide<S>(),
                          seen(one.rod));
                      sides.add(V.w, along.body_velocity(one.tube).w);
                      sides.add(V.w, along.body_velocity(one.rod).w);
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
