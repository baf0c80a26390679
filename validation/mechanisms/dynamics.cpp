/** \file
 *  \brief Proofs of chapter mechanisms: energies, Lagrange's equations and the forces of the cylinders, \eq{ma,83} to
 *  \eq{ma,94}, appendices C and E.
 */
#include <articulate/lagrange/composite_body.hpp>
#include <constrained/compiled.hpp>
#include <mechanisms/components.hpp>

namespace articulate::validation {
namespace {

/// The rows of the first half of appendix C.
struct RowsOfCenter {
  Component component;
  const char *place, *velocity, *turning;
};
constexpr std::array<RowsOfCenter, 5> rows_of_centers{{{main_chain[0], "ma:C.1", "ma:C.2", "ma:C.3"},
                                                       {main_chain[1], "ma:C.4", "ma:C.5", "ma:C.6"},
                                                       {main_chain[2], "ma:C.7", "ma:C.8", "ma:C.9"},
                                                       {main_chain[3], "ma:C.10", "ma:C.11", "ma:C.12"},
                                                       {main_chain[5], "ma:C.13", "ma:C.14", "ma:C.15"}}};

template <typename S>
void centers_of_main_chain(Registry<S>& r)
{
  r.identity({.name = "centres_of_mass_of_slewing_body_and_arms_are_fixed_in_them_and_move_with_them",
              .keys = {"ma:C.1", "ma:C.2", "ma:C.3", "ma:C.4", "ma:C.5", "ma:C.6", "ma:C.7", "ma:C.8", "ma:C.9",
                       "ma:C.10", "ma:C.11", "ma:C.12", "ma:C.13", "ma:C.14", "ma:C.15"},
              .symbols = "HydraulicManipulator::close",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& along = x.template once<MachineAlongMotion<S>>();
                    const Described<S> file(x);
                    // The centre of the slewing body is on its axis, at rest, and its frame has not left the origin: so
                    // space is seen from a frame in general position, and a second point of each body is followed, too.
                    const SE3<S> space = x.pose(30);
                    for (const RowsOfCenter& rows : rows_of_centers) {
                      const char* link = rows.component.link;
                      const Matrix4<S> T = matrix(space) * file.pose("base", link);
                      const Twist<S> V = now.twist(link);
                      const SO3<S> R = now.pose(link).R;
                      std::vector<Vector3<S>> places, unmoved, path, velocities, of_frame, rates;
                      for (const Vector3<S>& c : {file.center(link), file.center(link) + x.vector(20)}) {
                        const Vector3<Series<S>> moving = along.pose(link) * constant(c);
                        places.push_back(moved(T, c)), path.push_back(space * derivative(moving, 0));
                        unmoved.push_back(Vector3<S>(T.template topLeftCorner<3, 3>() * c.eigen()));
                        velocities.push_back(V.v + cross(V.w, c)), of_frame.push_back(V.v);
                        rates.push_back(inverse(R) * derivative(moving, 1));
                      }
                      sides.clause(rows.place);
                      add_vectors(sides, places, path);
                      sides.rival("the point has no 1 below it",
                                  [&](auto& wrong) { add_vectors(wrong, unmoved, path); });
                      sides.clause(rows.velocity);
                      add_vectors(sides, velocities, rates);
                      sides.rival("the centre moves as the frame's origin does",
                                  [&](auto& wrong) { add_vectors(wrong, of_frame, rates); });
                      const Vector3<S> turning = along.body_velocity(link).w;
                      sides.clause(rows.turning);
                      sides.add(V.w, turning);
                      sides.rival("it is left in the axes of space",
                                  [&](auto& wrong) { wrong.add((space.R * R) * V.w, turning); });
                    }
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
                    const SE3<S> here = now.pose("telescope");
                    const SE3<Series<S>> T = along.pose("telescope");
                    // The stages of the model lag by nothing; others by drawn parts of the way.
                    for (const bool lags : {false, true}) {
                      S mass(0);
                      Vector3<S> r_c, rate, mean;
                      Vector3<Series<S>> moment;
                      for (int k = 1; k <= 3; ++k) {
                        const std::string stage = "telescope_" + std::to_string(k);
                        const Vector3<S> e = S(lags ? -(S(1) + x.number(20 + k)) / S(2) : S(0)) * along_slide<S>();
                        const S m = file.mass(stage);
                        const Vector3<S> r0 = moved(file.pose("telescope", stage), file.center(stage));
                        const Vector3<S> r_k = r0 + now.coordinate("d_5") * e;
                        mass += m;
                        r_c += m * r_k, mean += S(S(1) / S(3)) * r_k;
                        rate += m * now.rate("d_5") * e;
                        moment += Series<S>(m) * (constant(r0) + along.main[4] * constant(e));
                      }
                      r_c = S(1) / mass * r_c, rate = S(1) / mass * rate;
                      const Vector3<Series<S>> path = T * (Series<S>(S(1) / mass) * moment);
                      const Vector3<S> place = derivative(path, 0), velocity = inverse(here.R) * derivative(path, 1);
                      sides.clause("ma:C.16");
                      sides.add(moved(file.pose("base", "telescope"), r_c), place);
                      sides.rival("the point has no 1 below it", [&](auto& wrong) { wrong.add(here.R * r_c, place); });
                      sides.clause("ma:C.17");
                      sides.add(V.v + cross(V.w, r_c) + rate, velocity);
                      if (lags)
                        sides.rival("the centre is fixed in the telescope",
                                    [&](auto& wrong) { wrong.add(V.v + cross(V.w, r_c), velocity); });
                      sides.clause("ma:C.18");
                      sides.add(here * r_c, place);
                      sides.rival("the stages weigh the same", [&](auto& wrong) { wrong.add(here * mean, place); });
                      if (lags) continue;
                      const LinkFrame<S>& link = x.model.link("telescope");
                      const Inertia<S>& I = x.model.body(link.body).I;
                      sides.add(r_c, inverse(link.X) * (S(1) / I.mass * I.first_moment));
                    }
                    const Vector3<S> turning = along.body_velocity("telescope").w;
                    sides.clause("ma:C.19");
                    sides.add(V.w, turning);
                    sides.rival("it is left in the axes of space",
                                [&](auto& wrong) { wrong.add(here.R * V.w, turning); });
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
S energy_of_part(const MachineCase<S>& now, const Described<S>& file, const std::string& link)
{
  const Twist<S> V = now.twist(link);
  const Vector3<S> v_c = V.v + cross(V.w, file.center(link));
  return (file.mass(link) * inner(v_c, v_c) + inner(V.w, file.inertia(link) * V.w)) / S(2);
}
/// The same with the velocity of the frame's origin.
template <typename S>
S energy_by_origin(const MachineCase<S>& now, const Described<S>& file, const std::string& link)
{
  const Twist<S> V = now.twist(link);
  return (file.mass(link) * inner(V.v, V.v) + inner(V.w, file.inertia(link) * V.w)) / S(2);
}

/** A pair of rods as two bodies, each beside the middle, where the file has one link for both.
 *
 *  A rod has half the mass; its own inertia is half of the pair's without what its distance from the middle makes, which
 *  is so small that a body may have it.
 */
template <typename S>
struct PairOfRods {
  S mass, distance;
  Symmetric3<S> own_inertia, inertia_about_middle;  ///< of one rod

  PairOfRods(const Specimen<S>& x, const Described<S>& file, const std::string& link)
      : mass(file.mass(link) / S(2)), distance(S(1) / S(100) + x.number(40) / S(200))
  {
    const Symmetric3<S> I = file.inertia(link);
    const S half = S(1) / S(2);
    inertia_about_middle = {half * I.xx, half * I.xy, half * I.xz, half * I.yy, half * I.yz, half * I.zz};
    const Vector3<S> aside = distance * z_axis<S>();
    own_inertia = inertia_about_middle - skew_products(mass / S(2) * aside, aside);
  }

  /// By the vector mechanics of each rod alone, from the motion that the witness has of the middle.
  template <typename Body>
  S energy_of_both(const Body& seen) const
  {
    const Vector3<S> w(seen.angular_velocity), v(seen.center_velocity());
    const Vector3<S> w_own(seen.rotation.transpose() * seen.angular_velocity);
    S E(0);
    for (const int side : {-1, 1}) {
      const Vector3<S> aside = S(S(side) * distance) * Vector3<S>(seen.rotation.col(2));
      const Vector3<S> v_rod = v + cross(w, aside);
      E += (mass * inner(v_rod, v_rod) + inner(w_own, own_inertia * w_own)) / S(2);
    }
    return E;
  }
};

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
              .keys = {"ma:84", "ma:85"},
              .symbols = "ForwardKinematics::link_twist",
              .method = "cross-check: vector mechanics",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& seen = x.template once<SeenMachine<S>>().newton_euler;
                    const Described<S> file(x);
                    for (int sum = 0; sum < 2; ++sum) {
                      S by_parts(0), by_origins(0), all(0), some(0);
                      sides.clause(sum == 0 ? "ma:84" : "ma:85");
                      for (const std::string& link : parts_of_energy[sum]) {
                        const auto& body = seen.links[x.mechanism_index(link)];
                        const Vector3<S> v(body.center_velocity()), w(body.angular_velocity);
                        const S E = (body.mass * inner(v, v) + inner(w, Vector3<S>(body.inertia_times(w.eigen())))) / 2;
                        const S one = energy_of_part(now, file, link);
                        sides.add(one, E);
                        by_parts += one, by_origins += energy_by_origin(now, file, link), all += E;
                        if (sum == 0 ? link != "rod_TW" : link.starts_with("cylinder")) some += one;
                      }
                      sides.add(by_parts, all);
                      sides.rival("the origins of frames move for the centres of mass",
                                  [&](auto& wrong) { wrong.add(by_origins, all); });
                      sides.rival(sum == 0 ? "rod 6 is left out" : "the rods of the cylinders are left out",
                                  [&](auto& wrong) { wrong.add(some, all); });
                    }
                  },
              .applies = is_the_manipulator});

  r.identity({.name = "two_rods_side_by_side_have_twice_the_energy_of_one_about_the_middle",
              .keys = {"ma:86"},
              .symbols = "HydraulicManipulator",
              .method = "cross-check: vector mechanics of both rods",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& seen = x.template once<SeenMachine<S>>().newton_euler;
                    const Described<S> file(x);
                    S twice(0), once(0), both(0), turning_of_both(0), own(0);
                    for (const std::string& link : parts_of_energy[2]) {
                      const PairOfRods<S> pair(x, file, link);
                      const Twist<S> V = now.twist(link);
                      const Vector3<S> v_c = V.v + cross(V.w, file.center(link));
                      const S turning = inner(V.w, pair.inertia_about_middle * V.w);
                      const S E = (pair.mass * inner(v_c, v_c) + turning) / S(2);
                      twice += S(2) * E, once += E;
                      own += inner(V.w, pair.own_inertia * V.w);
                      const S seen_of_both = pair.energy_of_both(seen.links[x.mechanism_index(link)]);
                      both += seen_of_both, turning_of_both += seen_of_both - pair.mass * inner(v_c, v_c);
                    }
                    sides.add(twice, both);
                    sides.rival("a pair is counted as one rod", [&](auto& wrong) { wrong.add(once, both); });
                    sides.rival("the inertia is that about the rod's own centre",
                                [&](auto& wrong) { wrong.add(own, turning_of_both); });
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
                    std::array<S, 3> sums{S(0), S(0), S(0)};
                    for (int k = 0; k < 3; ++k)
                      for (const std::string& link : parts_of_energy[k]) sums[k] += energy_of_part(now, file, link);
                    const S E = sums[0] + sums[1] + sums[2];
                    CompositeBodies<S> composite(x.model);
                    const VectorX<S> momentum = composite(now.q) * now.motion.qd;
                    sides.add(E, S(inner_product<S>(now.motion.qd, momentum) / S(2)));
                    sides.add(E, now.bodies.kinetic_energy());
                    sides.rival("of each pair one rod is counted", [&](auto& wrong) {
                      wrong.add(S(sums[0] + sums[1] + sums[2] / S(2)), now.bodies.kinetic_energy());
                    });
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
                    S U(0), of_origins(0), terms(0);
                    for (const auto& sum : parts_of_energy)
                      for (const std::string& link : sum) {
                        const Matrix4<S> T = file.pose("base", link);
                        const S weight = g * file.mass(link), height = moved(T, file.center(link))[2];
                        U += weight * height, terms += magnitude(S(weight * height));
                        of_origins += weight * T(2, 3);
                      }
                    const S ours = now.bodies.potential_energy({S(0), S(0), -g});
                    sides.add(U, ours, terms);
                    sides.rival("the weight hangs on the origin of the frame",
                                [&](auto& wrong) { wrong.add(of_origins, ours, terms); });
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
                    VectorX<S> energies(5), gathered(5), of_tree(5), by_time_alone(5);
                    for (int k = 0, row = 0; k < 6; ++k)
                      if (k != 4) {
                        energies(row) = by.lagrange(k), gathered(row) = now.moments[k];
                        by_time_alone(row) = energies(row) + by.kinetic_derivative(k);
                        of_tree(row++) = now.tau(now.machine.slot(now.machine.leaders[k]));
                      }
                    sides.add(energies, gathered);
                    sides.add(by.lagrange(4), now.moments[4]);  // the force on the telescope
                    sides.rival("the derivative of the kinetic energy by the coordinates is forgotten",
                                [&](auto& wrong) { wrong.add(by_time_alone, gathered); });
                    sides.rival("the joints of the tree carry what the loops carry",
                                [&](auto& wrong) { wrong.add(energies, of_tree); });
                  },
              .applies = is_the_manipulator});
}

/// Where a cylinder and two rods meet, seen in space: a link whose origin is each pin, and the rows that speak of it.
struct PinForces {
  int leader;                                           ///< the coordinate that the cylinder drives
  const char *foot, *pin, *rocker_foot, *coupler_pin;   ///< K, L, N, M
  const char* driven;                                   ///< the component whose joint turns
  const char *loop_of_pin, *loop_of_coupler;            ///< the loops that were cut at L and at M
  const char *balance, *along_rods, *moment, *by_work;  ///< clauses
};
constexpr std::array<PinForces, 3> pins_of_rods{
    {{2, "cylinder_2", "piston_2_L", "rod_NL", "arm_2_M", "arm_2", "BKLN", "BKMC", "ma:93/sum", "ma:93/along",
      "ma:94/moment", "ma:94/work"},
     {3, "cylinder_3", "piston_3_P", "rod_QP", "arm_3_R", "arm_3", "COPQ", "CORD", "ma:E.1/sum", "ma:E.1/along",
      "ma:E.2/moment", "ma:E.2/work"},
     {5, "cylinder_5", "piston_5_T", "rod_ST", "arm_4_W", "arm_4", "FSTV", "FSWG", "ma:E.3/sum", "ma:E.3/along",
      "ma:E.4/moment", "ma:E.4/work"}}};

/// The pushes of the four cylinders by the balance of pins, from the moments of the joints that they drive.
template <typename S>
std::array<S, 4> pushes_in_case(const MachineCase<S>& now)
{
  return now.machine.pushes(now.main.q, {now.moments[1], now.moments[2], now.moments[3], now.moments[5]});
}

/** The machine of a case with rods and cylinders that weigh nothing, as the paper draws the forces at their pins.
 *
 *  What goes through the pins are multipliers of the loops: they know of no triangle of forces, and of no rod.
 */
template <typename S>
class WeightlessRods {
public:
  std::array<S, 4> pushes;  ///< by the balance of pins

  explicit WeightlessRods(const Specimen<S>& x) : now_(x.template once<MachineCase<S>>()), pins_(now_.loops.size())
  {
    Mechanism light = x.inputs.mechanism;
    for (Link& link : light.links)
      for (const char* part : {"cylinder_", "piston_", "rod_"})
        if (link.name.starts_with(part)) link.mass = 0, link.center_of_mass = {}, link.inertia = {};
    const Model<S> model{Model<double>(light)};
    InverseDynamics<S> inverse(model);
    const VectorX<S> tau = inverse(now_.q, now_.motion.qd, now_.motion.qdd);
    const VectorX<S> moments = now_.motion.G.transpose() * tau;
    const auto of = [&](int k) { return moments(now_.column_of(k)); };
    pushes = now_.machine.pushes(now_.main.q, {of(1), of(2), of(3), of(5)});

    std::vector<bool> actuated(model.nv(), false);
    for (const char* joint : {"theta_1", "L_1", "L_2", "L_3", "d_5", "L_5"}) actuated[now_.machine.slot(joint)] = true;
    const Loops<S>& loops = now_.motion.loops();
    const VectorX<S> lambda =
        constrained_inverse_dynamics<S>(tau, VectorX<S>::Zero(model.nv()), loops.A, actuated).lambda;
    // A row's wrench is on the second link and in its frame, about the pin.
    for (int row = 0; row < loops.rows(); ++row) {
      const int cut = loops.row(row).cut;
      const SO3<S> R = now_.pose(now_.loops[cut].second.link).R;
      pins_[cut] += lambda(row) * (R * loops.reaction[row].f);
    }
  }

  /// What a loop's first link does to its second where it was cut (N, in space).
  Vector3<S> force(const std::string& loop) const
  {
    std::size_t k = 0;
    while (now_.loops[k].name != loop) ++k;
    return pins_[k];
  }

private:
  const MachineCase<S>& now_;
  std::vector<Vector3<S>> pins_;
};

template <typename S>
void forces_of_cylinders(Registry<S>& r)
{
  r.identity({.name = "a_cylinder_works_on_its_length_what_its_moment_works_on_the_angle",
              .keys = {"ma:92/work", "ma:94/work", "ma:E.2/work", "ma:E.4/work"},
              .symbols = "HydraulicManipulator::pushes",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const MachineCase<S>& now = x.template once<MachineCase<S>>();
                    const auto& by = x.template once<MachineByCoordinates<S>>();
                    const std::array<S, 4> f = pushes_in_case(now);
                    constexpr std::array<int, 4> drives{1, 2, 3, 5};
                    constexpr std::array<const char*, 4> keys{"ma:92/work", "ma:94/work", "ma:E.2/work", "ma:E.4/work"};
                    for (int k = 0; k < 4; ++k) {
                      const S lever = by.derivative_of(HydraulicManipulator<S>::cylinders[k], drives[k]);
                      sides.clause(keys[k]);
                      sides.add(S(f[k] * lever), now.moments[drives[k]]);
                      sides.rival("the angle is differentiated by the length",
                                  [&](auto& wrong) { wrong.add(S(f[k] / lever), now.moments[drives[k]]); });
                    }
                  },
              .applies = is_the_manipulator});

  r.identity(
      {.name = "forces_along_cylinder_and_rods_turn_the_driven_joint",
       .keys = {"ma:92/moment", "ma:94/moment", "ma:E.2/moment", "ma:E.4/moment"},
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
             const S size_1 = size("arm_1", "arm_1_J", F_1);
             sides.clause("ma:92/moment");
             sides.add(moment("arm_1", "arm_1_J", F_1), now.moments[1], size_1);
             sides.rival("force and arm change places", [&](auto& wrong) {
               wrong.add(inner(z, cross(F_1, at("arm_1_J") - at("arm_1"))), now.moments[1], size_1);
             });

             for (int k = 0; k < 3; ++k) {
               const PinForces& one = pins_of_rods[k];
               // What the rods take: the sine rule in the triangle of forces.
               const Vector3<S> F = f[k + 1] * along(one.foot, one.pin);
               const Vector3<S> coupler = along(one.pin, one.coupler_pin), rocker = along(one.rocker_foot, one.pin);
               const S sine = inner(z, cross(coupler, rocker));
               const Vector3<S> F_coupler = inner(z, cross(F, rocker)) / sine * coupler;
               const Vector3<S> F_rocker = inner(z, cross(coupler, F)) / sine * rocker;
               const S tau = now.moments[one.leader];
               sides.clause(one.moment);
               if (one.leader != 5) {
                 const S terms = size(one.driven, one.coupler_pin, F_coupler);
                 sides.add(moment(one.driven, one.coupler_pin, F_coupler), tau, terms);
                 sides.rival("the coupler hands on all that the cylinder pushes", [&](auto& wrong) {
                   wrong.add(moment(one.driven, one.coupler_pin, norm(F) / norm(F_coupler) * F_coupler), tau, terms);
                 });
                 continue;
               }
               // What rocker and cylinder do to the component that carries their feet.
               const S of_rocker = moment(one.driven, one.rocker_foot, F_rocker),
                       of_cylinder = moment(one.driven, one.foot, -F);
               const S terms = size(one.driven, one.rocker_foot, F_rocker) + size(one.driven, one.foot, F);
               sides.add(S(of_rocker + of_cylinder), S(-tau), terms);
               sides.rival("the rod's foot is left out", [&](auto& wrong) { wrong.add(of_cylinder, S(-tau), terms); });
             }
           },
       .applies = is_the_manipulator});

  r.identity(
      {.name = "what_multipliers_send_through_weightless_rods_lies_along_them_and_sums_to_the_push",
       .keys = {"ma:93/sum", "ma:93/along", "ma:E.1/sum", "ma:E.1/along", "ma:E.3/sum", "ma:E.3/along"},
       .symbols = "HydraulicManipulator::pushes constrained_inverse_dynamics",
       .method = "cross-check: multipliers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const MachineCase<S>& now = x.template once<MachineCase<S>>();
             const WeightlessRods<S> light(x);
             const auto along = [&](const char* from, const char* to) {
               const Vector3<S> way = now.pose(to).p - now.pose(from).p;
               return S(1) / norm(way) * way;
             };
             const Vector3<S> none;
             for (int k = 0; k < 3; ++k) {
               const PinForces& one = pins_of_rods[k];
               const Vector3<S> push = light.pushes[k + 1] * along(one.foot, one.pin);
               const Vector3<S> rocker = along(one.rocker_foot, one.pin), coupler = along(one.pin, one.coupler_pin);
               const Vector3<S> at_pin = light.force(one.loop_of_pin), at_coupler = light.force(one.loop_of_coupler);
               if (one.leader != 5) {
                 // Of the loop at L the rocker is the second link; of that at M the coupler, which pushes back.
                 const Vector3<S> on_rocker = at_pin, on_coupler = -at_coupler;
                 sides.clause(one.balance);
                 sides.add(push, on_coupler + on_rocker);
                 sides.rival("the coupler takes all", [&](auto& wrong) { wrong.add(push, on_coupler); });
                 sides.clause(one.along_rods);
                 const S size = norm(push);
                 sides.add(cross(on_rocker, rocker), none, size);
                 sides.add(cross(on_coupler, coupler), none, size);
                 sides.rival("the rods change places", [&](auto& wrong) {
                   wrong.add(cross(on_rocker, coupler), none, size);
                   wrong.add(cross(on_coupler, rocker), none, size);
                 });
                 continue;
               }
               // The cylinder is the second link of the loop at T, rod 6 that of the loop at W. Rod 5 carries what
               // lies along it.
               const Vector3<S> by_cylinder = -at_pin, by_arm = at_coupler;
               const Vector3<S> by_rod = -inner(by_cylinder + by_arm, rocker) * rocker;
               sides.clause(one.balance);
               sides.add(push, by_cylinder);
               sides.add(push + by_rod + by_arm, none, norm(push));
               sides.rival("rod 5 is left out", [&](auto& wrong) { wrong.add(push + by_arm, none, norm(push)); });
               sides.clause(one.along_rods);
               sides.add(cross(by_arm, coupler), none, norm(push));
               sides.rival("arm 4 pushes along rod 5",
                           [&](auto& wrong) { wrong.add(cross(by_arm, rocker), none, norm(push)); });
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
             const auto& cylinders = HydraulicManipulator<S>::cylinders;
             for (int k = 0; k < 4; ++k) sides.add(f[k], tau(now.machine.slot(cylinders[k])));
             sides.rival("the joints of the tree need what the cylinders push", [&](auto& wrong) {
               for (int k = 0; k < 4; ++k) wrong.add(f[k], now.tau(now.machine.slot(cylinders[k])));
             });
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
