/** \file
 *  \brief Proofs of chapter rnea: Park 1995, section 3, \eq{park,22} to \eq{park,28}, and the appendix, \eq{park,70}
 *         to \eq{park,73} and \eq{park,80}.
 */
#include <body/park_bodies.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <rnea/park_recursion.hpp>

namespace articulate::validation {
namespace {

template <typename S>
std::vector<Twist<S>> first_twists(const std::vector<Vector6<S>>& columns, int bodies)
{
  std::vector<Twist<S>> all;
  for (int i = 0; i <= bodies; ++i) all.push_back(to_twist(columns[i]));
  return all;
}
/// From the first link on: what the world carries is no part of the recursion.
template <typename S>
std::vector<Wrench<S>> link_wrenches(const std::vector<Vector6<S>>& columns, int bodies)
{
  std::vector<Wrench<S>> all;
  for (int i = 1; i <= bodies; ++i) all.push_back(to_wrench(columns[i]));
  return all;
}

/// The library's recursion on a chain.
template <typename S>
struct LibraryRecursion {
  std::vector<Twist<S>> V, Vdot;
  std::vector<Wrench<S>> F;
  VectorX<S> tau;

  explicit LibraryRecursion(const Chain<S>& chain)
  {
    InverseDynamics<S> library(chain.model);
    tau = library(chain.x, chain.xd, chain.xdd);
    V = library.V, Vdot = library.Vdot, F.assign(library.F.begin() + 1, library.F.end());
  }
};

/// The recursion on a chain beside the library's, and its joint forces beside those of vector mechanics.
template <typename S>
void add_recursion(Sides<S>& sides, const Chain<S>& chain, const PrintedTerms& printed = {})
{
  const ParkRecursion<S> park(chain, printed);
  const LibraryRecursion<S> library(chain);
  const int n = chain.model.bodies();
  sides.add(library.V, first_twists(park.V, n));
  sides.add(library.Vdot, first_twists(park.Vdot, n));
  sides.add(library.F, link_wrenches(park.F, n));
  sides.add_by_unit(chain.model, library.tau, park.tau);
  sides.add_by_unit(chain.model, park.tau, chain.witness_tau());
}

/// The twists of all links that a chain carries: by the recursion, and as vector mechanics sees them, in their axes.
template <typename S>
void add_seen_twists(Sides<S>& sides, const Chain<S>& chain, const ParkRecursion<S>& park)
{
  witness::VectorNewtonEuler<S> witness(chain.mechanism, false);
  witness.inverse_dynamics(chain.x, chain.xd, chain.xdd, chain.model.gravity().eigen());
  std::vector<Twist<S>> carried, seen;
  for (const LinkFrame<S>& frame : chain.model.links()) {
    int l = 0;
    while (chain.mechanism.links[l].name != frame.name) ++l;
    const auto& link = witness.links[l];
    const Eigen::Matrix<S, 3, 3> back = link.rotation.transpose();
    carried.push_back(AdInv(frame.X, to_twist(park.V[frame.body])));
    seen.push_back({Vector3<S>(back * link.angular_velocity), Vector3<S>(back * link.velocity)});
  }
  sides.add(carried, seen);
}

template <typename S>
void recursion_of_park(Registry<S>& r)
{
  r.identity(
      {.name = "parks_recursion_along_every_path_is_vector_newton_euler",
       .keys = {"park:22/rest", "park:22/weight", "park:24", "park:70", "park:25", "park:73", "park:26", "park:27"},
       .symbols = "InverseDynamics Recursion newton_euler coAdInv JointJacobian::project",
       .method = "independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         for (const Chain<S>& chain : paths(x)) {
           const int n = chain.model.bodies();
           const ParkRecursion<S> park(chain), without_weight(chain, {}, S(0));
           const LibraryRecursion<S> library(chain);
           const VectorX<S> seen = chain.witness_tau(), seen_without_weight = chain.witness_tau(S(0));
           const auto with = [&](const PrintedTerms& slip) { return ParkRecursion<S>(chain, slip); };

           sides.clause("park:22/rest");
           sides.add_by_unit(chain.model, without_weight.tau, seen_without_weight);
           sides.rival("the base is lifted where nothing weighs",
                       [&](auto& wrong) { wrong.add_by_unit(chain.model, park.tau, seen_without_weight); });
           sides.clause("park:22/weight");
           sides.add_by_unit(chain.model, park.tau, seen);
           sides.rival("the base falls with the weight", [&](auto& wrong) {
             wrong.add_by_unit(chain.model, ParkRecursion<S>(chain, {}, S(-1)).tau, seen);
           });
           sides.rival("the printed start for a robot that weighs",
                       [&](auto& wrong) { wrong.add_by_unit(chain.model, without_weight.tau, seen); });

           sides.clause({"park:24", "park:70"});
           sides.add(library.V, first_twists(park.V, n));
           add_seen_twists(sides, chain, park);
           sides.rival("Ad without the inverse",
                       [&](auto& wrong) { wrong.add(library.V, first_twists(with({.velocity = true}).V, n)); });
           const auto accelerations = [&](auto& to, const PrintedTerms& slip) {
             to.add(library.Vdot, first_twists(with(slip).Vdot, n));
           };
           sides.clause({"park:25", "park:73"});
           accelerations(sides, {});
           sides.rival("the acceleration carried without the inverse",
                       [&](auto& wrong) { accelerations(wrong, {.acceleration = true}); });
           sides.rival("the velocity in the bracket carried without the inverse",
                       [&](auto& wrong) { accelerations(wrong, {.bracket = true}); });
           sides.rival("the sides of the bracket exchanged",
                       [&](auto& wrong) { accelerations(wrong, {.swapped = true}); });
           sides.rival("the link's own velocity in the bracket",
                       [&](auto& wrong) { accelerations(wrong, {.own_velocity = true}); });
           const auto forces = [&](auto& to, const PrintedTerms& slip) {
             to.add(library.F, link_wrenches(with(slip).F, n));
           };
           sides.clause("park:26");
           forces(sides, {});
           sides.rival("Ad* without the inverse", [&](auto& wrong) { forces(wrong, {.force = true}); });
           sides.rival("ad* is added", [&](auto& wrong) { forces(wrong, {.added = true}); });
           sides.clause("park:27");
           sides.add_by_unit(chain.model, library.tau, park.tau);
           sides.add_by_unit(chain.model, seen, park.tau);
           sides.rival("the axis as the link before the joint sees it",
                       [&](auto& wrong) { wrong.add_by_unit(chain.model, seen, with({.outer_axis = true}).tau); });
         }
       }});
  r.identity({.name = "what_a_moving_frame_sees_of_a_twist_changes_by_three_terms",
              .keys = {"park:71", "park:72"},
              .symbols = "AdInv inverse",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> carried, s71, s72, motion_of_frame_forgotten, rate_of_inverse_with_plus;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SE3<Series<S>>& f = x.along_motion().T[i];
                  const Twist<Series<S>>& V = x.along_motion().V[x.model.body(i).parent];
                  carried.push_back(derivative(AdInv(f, V), 1));

                  // Boost and Eigen both claim the operator of series in matrices: name the product.
                  const Matrix4<Series<S>> back_V = matrix(inverse(f)).lazyProduct(hat(V));
                  const Matrix4<Series<S>> back_V_f = back_V.lazyProduct(matrix(f));
                  s71.push_back(derivative(vee(back_V_f), 1));

                  const Matrix4<S> f0 = derivative(f, 0), V0 = hat(derivative(V, 0));
                  const Matrix4<S> back = derivative(inverse(f), 0), back_dot = derivative(inverse(f), 1);
                  const Matrix4<S> of_inverse = back_dot * V0 * f0, of_V = back * hat(derivative(V, 1)) * f0;
                  const Matrix4<S> of_f = back * V0 * derivative(f, 1);
                  s72.push_back(vee(Matrix4<S>(of_inverse + of_V + of_f)));
                  motion_of_frame_forgotten.push_back(vee(of_V));
                  rate_of_inverse_with_plus.push_back(vee(Matrix4<S>(of_V + of_f - of_inverse)));
                }
                sides.clause("park:71");
                sides.add(carried, s71);
                sides.rival("the frame's own motion is forgotten",
                            [&](auto& wrong) { wrong.add(carried, motion_of_frame_forgotten); });
                sides.clause("park:72");
                sides.add(carried, s72);
                sides.rival("the rate of the inverse without its minus",
                            [&](auto& wrong) { wrong.add(carried, rate_of_inverse_with_plus); });
              }});
  r.identity({.name = "what_a_link_gets_and_does_not_give_on_is_the_rate_of_its_momentum",
              .keys = {"park:80"},
              .symbols = "InverseDynamics::F coAdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& J = x.model.body(i).I;
                  const SE3<S>& pose = x.kinematics.pose[i];
                  Vector6<S> resultant = coordinates(x.inverse.F[i]), without_inverse = resultant;
                  for (int k = i + 1; k <= x.bodies(); ++k)
                    if (x.model.body(k).parent == i) {
                      resultant -= Ad_matrix(inverse(x.inverse.T[k])).transpose() * coordinates(x.inverse.F[k]);
                      without_inverse -= Ad_matrix(x.inverse.T[k]).transpose() * coordinates(x.inverse.F[k]);
                    }

                  // A tree adds to Park's chain: several children, weight, and what else acts on the link.
                  const Wrench<S> at_rest = derivative(
                      coAdInv(x.along_motion().pose[i], x.series_model().body(i).I * x.along_motion().V[i]), 1);
                  const Vector3<S> g = inverse(pose.R) * x.gravity;
                  const Wrench<S> weight{cross(J.first_moment, g), J.mass * g};
                  const Wrench<S> needed = coAd(pose, at_rest) - weight - x.Fext[i];
                  const auto add = [&](auto& to, const Wrench<S>& F) {
                    to.add(F.m, needed.m, taxicab(at_rest.m) + taxicab(x.inverse.F[i].m));
                    to.add(F.f, needed.f, taxicab(at_rest.f) + taxicab(x.inverse.F[i].f));
                  };
                  add(sides, to_wrench(resultant));
                  sides.rival("Ad* without the inverse, as the sentence before it has it",
                              [&](auto& wrong) { add(wrong, to_wrench(without_inverse)); });
                  sides.rival("what the link gives on is added",
                              [&](auto& wrong) { add(wrong, S(2) * x.inverse.F[i] - to_wrench(resultant)); });
                }
              }});
}

template <typename S>
void featherstone(Registry<S>& r)
{
  r.identity({.name = "featherstones_inertia_is_the_same_map_with_its_force_first",
              .keys = {"park:28"},
              .symbols = "Inertia::matrix Inertia::about_center_of_mass Model::inertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Lump<S> b = lump(x, i);
                  const Matrix3<S> mr = b.m * skew(b.r);
                  Matrix6<S> spatial, exchange = Matrix6<S>::Zero();
                  exchange.template topRightCorner<3, 3>().setIdentity();
                  exchange.template bottomLeftCorner<3, 3>().setIdentity();
                  spatial << -mr.eigen(), b.m * Eigen::Matrix<S, 3, 3>::Identity(),  //
                      (b.I - mr * skew(b.r)).eigen(), mr.eigen();
                  const auto add = [&](auto& to, const Matrix6<S>& J) {
                    for (int j = 0; j < 6; j += 3)
                      for (int k = 0; k < 6; k += 3)
                        to.add(spatial.template block<3, 3>(j, k), J.template block<3, 3>(j, k));
                  };
                  const Matrix6<S> J = x.model.body(i).I.matrix();
                  add(sides, exchange * J);
                  sides.rival("the exchange on the other side", [&](auto& wrong) { add(wrong, J * exchange); });

                  // His inner product pairs the halves crosswise; of V and its momentum it is twice the energy.
                  const Vector6<S> V = coordinates(x.kinematics.V[i]), L = spatial * V;
                  const S twice =
                      V.template head<3>().dot(L.template tail<3>()) + V.template tail<3>().dot(L.template head<3>());
                  sides.add(twice / S(2), kinetic_energy(x.model.body(i).I, x.kinematics.V[i]));
                }
              }});
}

template <typename S>
void errata_of_park(Registry<S>& r)
{
  const auto reading = [](const PrintedTerms& printed) {
    return [printed](const Specimen<S>& x, Sides<S>& sides) { add_recursion(sides, drawn_chain(x), printed); };
  };
  r.erratum({.id = "E-park-1",
             .keys = {"park:24", "park:25", "park:26", "park:80"},
             .margin = 1e-2,
             .printed = {reading({.velocity = true}), reading({.acceleration = true}), reading({.bracket = true}),
                         reading({.force = true})},
             .corrected = reading({})});
  r.erratum({.id = "E-park-7",
             .keys = {"park:73"},
             .margin = 1e-2,
             .printed = {reading({.own_velocity = true})},
             .corrected = reading({})});
}

}  // namespace

template <typename S>
void rnea_park(Registry<S>& r)
{
  recursion_of_park(r);
  featherstone(r);
  errata_of_park(r);
}

template void rnea_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
