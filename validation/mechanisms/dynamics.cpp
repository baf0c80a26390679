/** \file
 *  \brief Proofs of chapter mechanisms: energies, Lagrange's equations and the forces of the cylinders, \eq{ma,83} to
 *  \eq{ma,94}, appendices C and E.
 */
#include <articulate/lagrange/composite_body.hpp>
#include <constrained/compiled.hpp>
#include <mechanisms/components.hpp>

namespace articulate::validation {
namespace {

/// The centres of mass of which the first half of appendix C speaks.
template <typename S>
void centers_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "centres_of_mass_of_slewing_body_and_arms_are_fixed_in_them_and_move_with_them",
              .keys = {"ma:C.1", "ma:C.2", "ma:C.3", "ma:C.4", "ma:C.5", "ma:C.6", "ma:C.7", "ma:C.8", "ma:C.9",
                       "ma:C.10", "ma:C.11", "ma:C.12", "ma:C.13", "ma:C.14", "ma:C.15"},
              .symbols = "ForwardKinematics::link_twist HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    const Described<S> file(x);
                    std::vector<Vector3<S>> places, velocities, turning, path[2], rates;
                    for (const Component& one : main_chain) {
                      if (std::string(one.joint) == "d_5") continue;
                      const Vector3<S> c = file.center(one.link);
                      const Vector3<Series<S>> moving = along.pose(one.link) * constant(c);
                      const Twist<S> V = now.twist(one.link);
                      places.push_back(moved(file.pose("base", one.link), c)), path[0].push_back(derivative(moving, 0));
                      velocities.push_back(now.pose(one.link).R * (V.v + cross(V.w, c)));
                      path[1].push_back(derivative(moving, 1));
                      turning.push_back(V.w), rates.push_back(along.body_velocity(one.link).w);
                    }
                    add_vectors(sides, places, path[0]);
                    add_vectors(sides, velocities, path[1]);
                    add_vectors(sides, turning, rates);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "the_centre_of_three_stages_moves_in_the_telescope_as_far_as_the_stages_lag",
              .keys = {"ma:C.16", "ma:C.17", "ma:C.18", "ma:C.19"},
              .symbols = "ForwardKinematics::link_twist HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    const Described<S> file(x);
                    const Twist<S> V = now.twist("telescope");
                    const SE3<Series<S>> T = along.pose("telescope");
                    // The stages of the model lag by nothing; others by drawn parts of the way.
                    for (const bool lags : {false, true}) {
                      S mass(0);
                      Vector3<S> r_c, rate;
                      Vector3<Series<S>> moment;
                      for (int k = 1; k <= 3; ++k) {
                        const std::string stage = "telescope_" + std::to_string(k);
                        const Vector3<S> e = S(lags ? -x.number(20 + k) : S(0)) * along_slide<S>();
                        const S m = file.mass(stage);
                        const Vector3<S> r0 = moved(file.pose("telescope", stage), file.center(stage));
                        mass += m;
                        r_c += m * (r0 + now.coordinate("d_5") * e);  // (C.18)
                        rate += m * now.rate("d_5") * e;
                        moment += Series<S>(m) * (constant(r0) + along.main[4] * constant(e));
                      }
                      r_c = S(1) / mass * r_c, rate = S(1) / mass * rate;
                      const Vector3<Series<S>> path = T * (Series<S>(S(1) / mass) * moment);
                      sides.add(moved(file.pose("base", "telescope"), r_c), derivative(path, 0));  // (C.16)
                      sides.add(now.pose("telescope").R * (V.v + cross(V.w, r_c) + rate),
                                derivative(path, 1));  // (C.17)
                      if (lags) continue;
                      const LinkFrame<S>& link = x.model.link("telescope");
                      const Inertia<S>& I = x.model.body(link.body).I;
                      sides.add(r_c, inverse(link.X) * (S(1) / I.mass * I.first_moment));
                    }
                    sides.add(V.w, along.body_velocity("telescope").w);  // (C.19)
                  },
              .applies = is_the_manipulator});
}

/// The links of the machine's three sums: \eq{ma,84} with the load that hangs on arm 4, \eq{ma,85}, \eq{ma,86}.
const std::array<std::vector<std::string>, 3> parts_of_energy{
    {{"slewing", "arm_1", "arm_2", "arm_3", "arm_4", "load", "telescope_1", "telescope_2", "telescope_3", "rod_TW"},
     {"cylinder_1", "piston_1", "cylinder_2", "piston_2", "cylinder_3", "piston_3", "cylinder_5", "piston_5"},
     {"rod_LM", "rod_NL", "rod_PR", "rod_QP", "rod_ST"}}};

/// One part by the velocity of its centre of mass and its angular velocity, in its own frame \eq{ma,37}.
template <typename S>
S energy_of_part(const MachineCase<S>& now, const Described<S>& file, const std::string& link, const S& fraction)
{
  const Twist<S> V = now.twist(link);
  const Vector3<S> v_c = V.v + cross(V.w, file.center(link));
  return fraction * (file.mass(link) * inner(v_c, v_c) + inner(V.w, file.inertia(link) * V.w)) / S(2);
}

/// The witness in the case's instant.
template <typename S>
struct SeenMachine {
  witness::VectorNewtonEuler<S> newton_euler;

  explicit SeenMachine(const Specimen<S>& x) : newton_euler(x.inputs.mechanism, false)
  {
    const MachineCase<S>& now = x.template once<MachineCase<S>>();
    newton_euler.inverse_dynamics(now.q, now.motion.qd, now.motion.qdd, x.gravity.eigen());
  }
};

template <typename S>
void energies_of_machine(Registry<S>& r)
{
  r.identity({.name = "the_parts_of_the_three_sums_have_the_energies_of_vector_mechanics",
              .keys = {"ma:84", "ma:85", "ma:86"},
              .symbols = "ForwardKinematics::link_twist",
              .method = "cross-check: vector mechanics",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& seen = x.template once<SeenMachine<S>>().newton_euler;
                    const Described<S> file(x);
                    for (int sum = 0; sum < 3; ++sum)
                      for (const std::string& link : parts_of_energy[sum]) {
                        const auto& body = seen.links[x.mechanism_index(link)];
                        const Vector3<S> v(body.center_velocity()), w(body.angular_velocity);
                        const S E = (body.mass * inner(v, v) + inner(w, Vector3<S>(body.inertia_times(w.eigen())))) / 2;
                        // Of a pair of rods the file has both as one.
                        const S half = S(1) / S(2);
                        sides.add(sum < 2 ? energy_of_part(now, file, link, S(1))
                                          : S(2) * energy_of_part(now, file, link, half),
                                  E);
                      }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "the_three_sums_are_all_the_kinetic_energy_of_the_machine",
              .keys = {"ma:87"},
              .symbols = "ForwardKinematics::kinetic_energy CompositeBodies LoopMotion",
              .method = "cross-check: composite bodies",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    S E(0);
                    for (const auto& sum : parts_of_energy)
                      for (const std::string& link : sum) E += energy_of_part(now, file, link, S(1));
                    CompositeBodies<S> composite(x.model);
                    const VectorX<S> momentum = composite(now.q) * now.motion.qd;
                    sides.add(E, S(inner_product<S>(now.motion.qd, momentum) / S(2)));
                    sides.add(E, now.bodies.kinetic_energy());
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "the_potential_energy_is_weight_times_height_summed_over_all_parts",
              .keys = {"ma:88"},
              .symbols = "ForwardKinematics::potential_energy HydraulicManipulator::close",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    using std::sqrt;
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const Described<S> file(x);
                    const S g = sqrt(inner(x.gravity, x.gravity));
                    S U(0), terms(0);
                    for (const auto& sum : parts_of_energy)
                      for (const std::string& link : sum) {
                        const S height = moved(file.pose("base", link), file.center(link))[2];
                        U += g * file.mass(link) * height, terms += magnitude(S(g * file.mass(link) * height));
                      }
                    sides.add(U, now.bodies.potential_energy({S(0), S(0), -g}), terms);
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "lagranges_equations_in_six_coordinates_are_the_tree_s_forces_gathered_by_the_loops",
              .keys = {"ma:83"},
              .symbols = "LoopMotion InverseDynamics HydraulicManipulator::close ForwardKinematics::kinetic_energy",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& by = x.template once<MachineByCoordinates<S>>();
                    VectorX<S> energies(5), gathered(5);
                    for (int k = 0, row = 0; k < 6; ++k)
                      if (k != 4) energies(row) = by.lagrange(k), gathered(row++) = now.moments[k];
                    sides.add(energies, gathered);
                    sides.add(by.lagrange(4), now.moments[4]);  // the force on the telescope
                  },
              .applies = is_the_manipulator});
}

/// Where a cylinder and two rods meet, seen in space: a link whose origin is each pin.
struct PinForces {
  int leader;                                          ///< the coordinate that the cylinder drives
  const char *foot, *pin, *rocker_foot, *coupler_pin;  ///< K, L, N, M
  const char* driven;                                  ///< the component whose joint turns
};
constexpr std::array<PinForces, 3> pins_of_rods{{{2, "cylinder_2", "piston_2_L", "rod_NL", "arm_2_M", "arm_2"},
                                                 {3, "cylinder_3", "piston_3_P", "rod_QP", "arm_3_R", "arm_3"},
                                                 {5, "cylinder_5", "piston_5_T", "rod_ST", "arm_4_W", "arm_4"}}};

/// The pushes of the four cylinders by the balance of pins, from the moments of the joints that they drive.
template <typename S>
std::array<S, 4> pushes_in_case(const MachineCase<S>& now)
{
  return now.machine.pushes(now.main.q, {now.moments[1], now.moments[2], now.moments[3], now.moments[5]});
}

template <typename S>
void forces_of_cylinders(Registry<S>& r)
{
  r.identity({.name = "a_cylinder_works_on_its_length_what_its_moment_works_on_the_angle",
              .keys = {"ma:92", "ma:94", "ma:E.2", "ma:E.4"},
              .symbols = "HydraulicManipulator::pushes",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& by = x.template once<MachineByCoordinates<S>>();
                    const std::array<S, 4> f = pushes_in_case(now);
                    constexpr std::array<int, 4> drives{1, 2, 3, 5};
                    for (int k = 0; k < 4; ++k) {
                      const S lever = by.derivative_of(HydraulicManipulator<S>::cylinders[k], drives[k]);
                      sides.add(f[k], S(now.moments[drives[k]] / lever));
                    }
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "forces_along_cylinder_and_rods_balance_at_their_pin_and_turn_the_driven_joint",
       .keys = {"ma:92", "ma:93", "ma:94", "ma:E.1", "ma:E.2", "ma:E.3", "ma:E.4"},
       .symbols = "HydraulicManipulator::pushes ForwardKinematics",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             const std::array<S, 4> f = pushes_in_case(now);
             const auto at = [&](const char* link) { return now.pose(link).p; };
             const auto along = [&](const char* from, const char* to) {
               const Vector3<S> way = at(to) - at(from);
               return S(1) / norm(way) * way;
             };
             const Vector3<S> z = now.pose("plane").R * z_axis<S>();
             const auto moment = [&](const char* joint, const char* pin, const Vector3<S>& F) {
               return inner(z, cross(at(pin) - at(joint), F));
             };
             // A moment is a difference of products of this size.
             const auto size = [&](const char* joint, const char* pin, const Vector3<S>& F) {
               return S(norm(at(pin) - at(joint)) * norm(F));
             };

             // The first cylinder pushes the arm itself.
             const Vector3<S> F_1 = f[0] * along("cylinder_1", "arm_1_J");
             sides.add(moment("arm_1", "arm_1_J", F_1), now.moments[1], size("arm_1", "arm_1_J", F_1));  // (92)

             for (int k = 0; k < 3; ++k) {
               const PinForces& one = pins_of_rods[k];
               // What the rods take: the sine rule in the triangle of forces.
               const Vector3<S> F = f[k + 1] * along(one.foot, one.pin);
               const Vector3<S> coupler = along(one.pin, one.coupler_pin), rocker = along(one.rocker_foot, one.pin);
               const S sine = inner(z, cross(coupler, rocker));
               const Vector3<S> F_coupler = inner(z, cross(F, rocker)) / sine * coupler;
               const Vector3<S> F_rocker = inner(z, cross(coupler, F)) / sine * rocker;
               sides.add(F_coupler + F_rocker, F);  // (93), (E.1), (E.3)

               const S tau = now.moments[one.leader];
               sides.add(moment(one.driven, one.coupler_pin, F_coupler), tau,
                         size(one.driven, one.coupler_pin, F_coupler));  // (94), (E.2)
               // What rocker and cylinder do to the component that carries their feet (E.4).
               sides.add(S(moment(one.driven, one.rocker_foot, F_rocker) - moment(one.driven, one.foot, F)), S(-tau),
                         S(size(one.driven, one.rocker_foot, F_rocker) + size(one.driven, one.foot, F)));
             }
           },
       .applies = is_the_manipulator});

  r.identity(
      {.name = "energies_and_balanced_pins_give_the_forces_that_multipliers_give",
       .keys = {"ma:T1"},
       .symbols = "constrained_inverse_dynamics LoopMotion HydraulicManipulator::pushes HydraulicManipulator::close",
       .method = "cross-check: multipliers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             const auto& by = x.template once<MachineByCoordinates<S>>();
             const std::array<S, 4> f =
                 now.machine.pushes(now.main.q, {by.lagrange(1), by.lagrange(2), by.lagrange(3), by.lagrange(5)});
             std::vector<bool> actuated(x.model.nv(), false);
             for (const char* joint : {"theta_1", "L_1", "L_2", "L_3", "d_5", "L_5"})
               actuated[now.machine.slot(joint)] = true;
             const VectorX<S> tau = constrained_inverse_dynamics<S>(now.tau, VectorX<S>::Zero(x.model.nv()),
                                                                    now.motion.loops().A, actuated)
                                        .tau;
             for (int k = 0; k < 4; ++k) sides.add(f[k], tau(now.machine.slot(HydraulicManipulator<S>::cylinders[k])));
             // What no linkage carries.
             for (int k : {0, 4}) sides.add(by.lagrange(k), tau(now.machine.slot(now.machine.leaders[k])));
           },
       .applies = is_the_manipulator});
}

}  // namespace

template <typename S>
void mechanisms_dynamics(Registry<S>& r)
{
  centers_of_main_chain(r);
  energies_of_machine(r);
  forces_of_cylinders(r);
}

template void mechanisms_dynamics(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
