/** \file
 *  \brief Proofs of chapter rnea: Park 1995, section 3, \eq{park,22} to \eq{park,28}, and the appendix, \eq{park,71},
 *         \eq{park,72} and \eq{park,78} to \eq{park,83}.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <rnea/park_recursion.hpp>

namespace articulate::validation {
namespace {

template <typename S>
S largest(const Vector3<S>& x)
{
  return magnitude(x[0]) + magnitude(x[1]) + magnitude(x[2]);
}

/// The recursion on a chain beside the library's, and its joint forces beside those of vector mechanics.
template <typename S>
void add_recursion(Sides<S>& sides, const Chain<S>& chain, const PrintedTerms& printed = {})
{
  const ParkRecursion<S> park(chain, printed);
  InverseDynamics<S> library(chain.model);
  const VectorX<S> tau = library(chain.x, chain.xd, chain.xdd);
  std::vector<Twist<S>> V, Vdot;
  std::vector<Wrench<S>> F{library.F[0]};  // what the world carries is no part of the recursion
  for (int i = 0; i <= chain.model.bodies(); ++i) {
    V.push_back(to_twist(park.V[i]));
    Vdot.push_back(to_twist(park.Vdot[i]));
    if (i > 0) F.push_back(to_wrench(park.F[i]));
  }
  sides.add(library.V, V);
  sides.add(library.Vdot, Vdot);
  sides.add(library.F, F);
  sides.add_by_unit(chain.model, tau, park.tau);
  sides.add_by_unit(chain.model, park.tau, chain.witness_tau());
}

template <typename S>
void recursion(Registry<S>& r)
{
  r.identity({.name = "parks_recursion_along_every_path_is_vector_newton_euler",
              .keys = {"park:22", "park:24", "park:25", "park:26", "park:27"},
              .symbols = "InverseDynamics Recursion newton_euler coAdInv JointJacobian::project",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const Chain<S>& chain : paths(x)) add_recursion(sides, chain);
              }});
  r.identity({.name = "what_a_moving_frame_sees_of_a_twist_changes_by_three_terms",
              .keys = {"park:71", "park:72"},
              .symbols = "AdInv inverse JointJacobian::place",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                std::vector<Twist<S>> carried, s71, s72;
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
                  s72.push_back(vee(Matrix4<S>(back_dot * V0 * f0 + back * hat(derivative(V, 1)) * f0 +
                                               back * V0 * derivative(f, 1))));
                }
                sides.add(carried, s71);
                sides.add(carried, s72);
              }});
  r.identity({.name = "what_a_link_gets_and_does_not_give_on_is_the_rate_of_its_momentum",
              .keys = {"park:80"},
              .symbols = "InverseDynamics::F coAdInv",
              .method = "series",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& J = x.model.body(i).I;
                  const SE3<S>& pose = x.kinematics.pose[i];
                  Vector6<S> resultant = coordinates(x.inverse.F[i]);
                  for (int k = i + 1; k <= x.bodies(); ++k)
                    if (x.model.body(k).parent == i)
                      resultant -= Ad_matrix(inverse(x.inverse.T[k])).transpose() * coordinates(x.inverse.F[k]);

                  // A tree adds to Park's chain: several children, weight, and what else acts on the link.
                  const Wrench<S> at_rest = derivative(
                      coAdInv(x.along_motion().pose[i], x.series_model().body(i).I * x.along_motion().V[i]), 1);
                  const Vector3<S> g = inverse(pose.R) * x.gravity;
                  const Wrench<S> weight{cross(J.first_moment, g), J.mass * g};
                  const Wrench<S> needed = coAd(pose, at_rest) - weight - x.Fext[i];
                  sides.add(to_wrench(resultant).m, needed.m, largest(at_rest.m) + largest(x.inverse.F[i].m));
                  sides.add(to_wrench(resultant).f, needed.f, largest(at_rest.f) + largest(x.inverse.F[i].f));
                }
              }});
}

/// A body as the paper describes it: mass, centre of mass, and the inertia about the centre in parallel axes.
template <typename S>
struct Lump {
  S m;
  Vector3<S> r;
  Matrix3<S> I;

  /// (21) with its blocks as they stand there
  Matrix6<S> J() const
  {
    const Matrix3<S> mr = m * skew(r);
    Matrix6<S> blocks;
    blocks << (I - mr * skew(r)).eigen(), mr.eigen(), -mr.eigen(), m * Eigen::Matrix<S, 3, 3>::Identity();
    return blocks;
  }
};

/// A body put together from its links as the mechanism describes them. Without mass it has no centre.
template <typename S>
Lump<S> lump(const Specimen<S>& x, int body)
{
  Lump<S> whole{S(0), {}, {}};
  const auto each_link = [&](const auto& visit) {
    for (const LinkFrame<S>& link : x.model.links())
      if (link.body == body) visit(link.X, x.newton_euler().links[x.mechanism_index(link.name)]);
  };
  each_link([&](const SE3<S>& X, const auto& link) {
    whole.m += link.mass;
    whole.r += link.mass * (X * Vector3<S>(link.center_of_mass));
  });
  if (whole.m == S(0)) return whole;
  whole.r = S(1) / whole.m * whole.r;
  each_link([&](const SE3<S>& X, const auto& link) {
    const Eigen::Matrix<S, 3, 3> R = X.R.matrix.eigen(), I = R * link.inertia * R.transpose();
    const Matrix3<S> arm = skew(X * Vector3<S>(link.center_of_mass) - whole.r);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) whole.I(j, k) += I(j, k);
    whole.I = whole.I - link.mass * (arm * arm);
  });
  return whole;
}

/// A body and its motion.
template <typename S>
struct MovingBody {
  Lump<S> lump;
  Twist<S> V, Vdot;
};

/// Bodies made of free numbers, for some robots move too plainly to tell a slip.
template <typename S>
std::vector<MovingBody<S>> drawn_bodies(const Specimen<S>& x)
{
  std::vector<MovingBody<S>> bodies;
  for (int k = 0; k < 110; k += 22) {
    const Symmetric3<S> I{S(3) + x.number(k + 4), x.number(k + 5), x.number(k + 6),
                          S(3) + x.number(k + 7), x.number(k + 8), S(3) + x.number(k + 9)};
    bodies.push_back({{S(2) + x.number(k), x.vector(k + 1), I.matrix()}, x.twist(k + 10), x.twist(k + 16)});
  }
  return bodies;
}

/// The moment of (82), where the sign of the term with the squared arm and two angular velocities is left open.
template <typename S>
Vector3<S> moment_82(const Lump<S>& b, const Twist<S>& V, const Twist<S>& Vdot, const S& sign)
{
  const Matrix3<S> r = skew(b.r), w = skew(V.w), v = skew(V.v);
  return b.I * Vdot.w - b.m * (r * (r * Vdot.w)) + b.m * (r * Vdot.v) + w * (b.I * V.w) +
         sign * b.m * (w * (r * (r * V.w))) + b.m * (w * (r * V.v)) + b.m * (v * (w * b.r));
}

/// The terms with which (82) begins to differ from (79), beside their partners there.
template <typename S>
void add_partners(Sides<S>& sides, const MovingBody<S>& b)
{
  const S& m = b.lump.m;
  const Matrix3<S> r = skew(b.lump.r), w = skew(b.V.w), v = skew(b.V.v);
  sides.add(-m * (r * (r * b.Vdot.w)), m * (r * (skew(b.Vdot.w) * b.lump.r)));
  sides.add(-m * (w * (r * (r * b.V.w))), m * (r * (w * (w * b.lump.r))));
  sides.add(m * (w * (r * b.V.v)) + m * (v * (w * b.lump.r)), m * (r * (w * b.V.v)));
}

template <typename S>
void single_body(Registry<S>& r)
{
  r.identity({.name = "the_law_of_a_body_is_the_same_term_by_term_and_in_blocks",
              .keys = {"park:78", "park:79", "park:81", "park:82"},
              .symbols = "newton_euler coad Inertia::operator* Model::inertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Lump<S> b = lump(x, i);
                  const Twist<S> V = x.motion.V[i], Vdot = x.motion.Vdot[i];
                  const Matrix3<S> r = skew(b.r), w = skew(V.w), wdot = skew(Vdot.w);
                  const Vector3<S> f78 = b.m * (Vdot.v + w * V.v + wdot * b.r + w * (w * b.r));
                  const Vector3<S> m79 = b.I * Vdot.w + cross(V.w, b.I * V.w) + b.m * (r * Vdot.v) +
                                         b.m * (r * (w * V.v)) + b.m * (r * (wdot * b.r)) + b.m * (r * (w * (w * b.r)));
                  const Vector6<S> F81 =
                      b.J() * coordinates(Vdot) - ad_matrix(V).transpose() * (b.J() * coordinates(V));

                  const Wrench<S> F = articulate::newton_euler(x.model.body(i).I, V, Vdot);
                  // In a moment there are large terms that cancel, like v x mv, however small the body may be.
                  const S force = b.m * (largest(Vdot.v) + largest(cross(V.w, V.v)));
                  for (const Vector3<S>& f : {f78, to_wrench(F81).f}) sides.add(F.f, f, force);
                  for (const Vector3<S>& m : {m79, to_wrench(F81).m, moment_82(b, V, Vdot, S(-1))})
                    sides.add(F.m, m, largest(b.r) * force + b.m * inner(V.v, V.v));
                }
              }});
  r.identity({.name = "the_terms_of_the_moment_have_partners_by_the_jacobi_identity",
              .keys = {"park:83"},
              .symbols = "skew",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const MovingBody<S>& body : drawn_bodies(x)) add_partners(sides, body);
              }});
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
                  const Matrix6<S> exchanged = exchange * x.model.body(i).I.matrix();
                  for (int j = 0; j < 6; j += 3)
                    for (int k = 0; k < 6; k += 3)
                      sides.add(spatial.template block<3, 3>(j, k), exchanged.template block<3, 3>(j, k));

                  // His inner product pairs the halves crosswise; of V and its momentum it is twice the energy.
                  const Vector6<S> V = coordinates(x.kinematics.V[i]), L = spatial * V;
                  const S twice =
                      V.template head<3>().dot(L.template tail<3>()) + V.template tail<3>().dot(L.template head<3>());
                  sides.add(twice / S(2), kinetic_energy(x.model.body(i).I, x.kinematics.V[i]));
                }
              }});
}

template <typename S>
void errata(Registry<S>& r)
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

  const auto moment = [](const Specimen<S>& x, const S& sign) {
    Sides<S> sides;
    for (const auto& [b, V, Vdot] : drawn_bodies(x)) {
      const Inertia<S> J = Inertia<S>::about_center_of_mass(b.m, b.r, Symmetric3<S>::upper(b.I));
      sides.add(moment_82(b, V, Vdot, sign), articulate::newton_euler(J, V, Vdot).m);
    }
    return sides;
  };
  const auto told_partner = [](const Specimen<S>& x, Sides<S>& sides) {  // of the second term, in the closing sentence
    for (const auto& [b, V, Vdot] : drawn_bodies(x)) {
      const Matrix3<S> r = skew(b.r), w = skew(V.w);
      sides.add(-b.m * (r * (r * Vdot.w)), b.m * (r * (w * (w * b.r))));
    }
  };
  r.erratum({.id = "E-park-8",
             .keys = {"park:82", "park:83"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(moment(x, S(1))); }, told_partner},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(moment(x, S(-1)));
               for (const MovingBody<S>& body : drawn_bodies(x)) add_partners(sides, body);
             }});
}

}  // namespace

template <typename S>
void rnea_park(Registry<S>& r)
{
  recursion(r);
  single_body(r);
  errata(r);
}

template void rnea_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
