/** \file
 *  \brief Proofs of second derivatives, \eq{ours,50} to \eq{ours,55}.
 *
 *  The closed form is held against three things that know nothing of it: the first derivatives over dual numbers, entry by
 *  entry; the undifferentiated dynamics over series of second order; and the second rate of the joint forces of vector
 *  mechanics along a motion in time.
 */
#include <algorithm>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <derivatives/direction.hpp>
#include <ledger/beside.hpp>
#include <ledger/long_robots.hpp>
#include <ledger/registry.hpp>
#include <model/carried_frames.hpp>
#include <witnesses/motion_in_time.hpp>

namespace articulate::validation {
namespace {

/// Inverse dynamics of a case with its Hessians.
template <typename S>
struct InverseHessians : InverseDynamicsSecondDerivatives<S> {
  explicit InverseHessians(const Specimen<S>& x) : InverseDynamicsSecondDerivatives<S>(x.model)
  {
    (*this)(x.inverse, x.qd, x.qdd);
  }
};

/// \f$u^{\T}H_iv\f$ for every i.
template <typename S>
VectorX<S> contracted(const Hessians<S>& H, const VectorX<S>& u, const VectorX<S>& v)
{
  VectorX<S> sum(H.size());
  for (std::size_t i = 0; i < H.size(); ++i) sum(i) = inner_product<S>(u, VectorX<S>(H[i] * v));
  return sum;
}
/// The same of the numbers without their signs: of what size the terms are.
template <typename S>
VectorX<S> contracted_sizes(const Hessians<S>& H, const VectorX<S>& u, const VectorX<S>& v)
{
  VectorX<S> sum(H.size());
  for (std::size_t i = 0; i < H.size(); ++i)
    sum(i) = inner_product<S>(VectorX<S>(u.cwiseAbs()), VectorX<S>(H[i].cwiseAbs() * v.cwiseAbs()));
  return sum;
}

/// The displacement that is left when two are made and undone in turn: the bracket of those of each ball or free joint.
template <typename S>
VectorX<S> bracket_of(const Model<S>& model, const VectorX<S>& u, const VectorX<S>& v)
{
  VectorX<S> bracket = VectorX<S>::Zero(model.nv());
  for (const Body<S>& body : model.outward()) {
    if (body.kind != JointKind::ball && body.kind != JointKind::free) continue;
    Vector6<S> a = Vector6<S>::Zero(), b = a;
    for (int k = 0; k < body.nv; ++k) a(k) = u(body.v + k), b(k) = v(body.v + k);
    const Vector6<S> both = coordinates(ad(to_twist(a), to_twist(b)));
    for (int k = 0; k < body.nv; ++k) bracket(body.v + k) = both(k);
  }
  return bracket;
}

template <typename S>
void one_body(Registry<S>& r)
{
  r.identity({.name = "a_change_of_motion_changes_the_wrench_of_a_body_by_a_polynomial_of_second_degree",
              .keys = {"ours:50/wrench", "ours:50/inertia"},
              .symbols = "newton_euler coad",
              .method = "cross-check",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                const Twist<S> V = x.twist(0), Vdot = x.twist(6), c = x.twist(12), g = x.twist(18), J = x.twist(24);
                std::vector<Wrench<S>> changed, expanded, linear;
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& I = x.model.body(i).I;
                  const Wrench<S> B = -(I * ad(V, c)) - coad(c, I * V) - coad(V, I * c);
                  changed.push_back(newton_euler(I, V + c, Vdot + g - ad(V, c)));
                  linear.push_back(newton_euler(I, V, Vdot) + I * g + B);
                  expanded.push_back(linear.back() - coad(c, I * c));
                }
                sides.clause("ours:50/wrench");
                sides.add(changed, expanded, linear);
                sides.rival("it is linear", [&](auto& wrong) { wrong.add(changed, linear, linear); });
                // What is quadratic, as a joint feels it, is how the inertia changes along that joint.
                sides.clause("ours:50/inertia");
                const Model<Dual<S>> model(x.model);
                for (int i = 1; i <= x.bodies(); ++i) {
                  const Inertia<S>& I = x.model.body(i).I;
                  const Wrench<S> both = -coad(c, I * g) - coad(g, I * c);
                  const Dual<S> p = dual_parameter<S>();
                  const Inertia<Dual<S>> moved = coAd(exp(p * in_arithmetic<Dual<S>>(J)), model.body(i).I);
                  const Wrench<S> rate = derivative(moved * in_arithmetic<Dual<S>>(c), 1);
                  const S size = magnitude(pairing(I * c, ad(J, g))) + magnitude(pairing(I * g, ad(J, c)));
                  sides.add(pairing(both, J), pairing(rate, g), size);
                  sides.add(pairing(coad(J, I) * c, g), pairing(rate, g), size);
                  sides.rival("the inertia goes the other way",
                              [&](auto& wrong) { wrong.add(pairing(both, J), -pairing(rate, g), size); });
                }
              }});
}

/// Whether a row feels what is behind both joints, between them or before both.
enum class Place { behind, between, before };

/// The degrees in the order in which they displace each other: those of a ball or a free joint at once.
template <typename S>
bool is_before(const Model<S>& model, int i, int k)
{
  const Body<S>&a = model.body_of_rate(i), &b = model.body_of_rate(k);
  if (a.index == b.index) return a.kind == JointKind::chart && i < k;
  for (const Body<S>& carrier : model.way_to_base(b.index))
    if (carrier.index == a.index) return true;
  return false;
}
template <typename S>
Place place_of_row(const Model<S>& model, int i, int j, int k)
{
  const int first = is_before(model, k, j) ? k : j, later = first == j ? k : j;
  if (!is_before(model, i, later)) return Place::behind;
  return is_before(model, i, first) ? Place::before : Place::between;
}

/// A link in motion and what each variable of a joint does to it, in the axes of the link.
template <typename P>
struct ChangesOfLink {
  Twist<P> V, Vdot;
  MatrixX<P> J;
  LinkMotionJacobians<P> by;

  ChangesOfLink(const Model<P>& model, const VectorX<P>& q, const VectorX<P>& qd, const VectorX<P>& qdd)
  {
    const auto& links = model.links();
    const LinkFrame<P>& last = *std::find_if(links.begin(), links.end(),
                                             [&](const LinkFrame<P>& link) { return link.body == model.bodies(); });
    SpaceMotion<P> motion(model);
    motion(q, qd, qdd);
    LinkDerivatives<P> derivatives(model);
    derivatives(motion, qd, qdd);
    V = motion.link_twist(last), Vdot = motion.link_acceleration(last);
    J = motion.link_jacobian(last), by = derivatives.of(motion, last);
  }

  /// \f$\partial V\f$, which accelerations leave, and \f$\partial\dot V\f$, a column for each degree.
  const MatrixX<P>& twists(Kind kind) const { return kind == Kind::rate ? J : by.twist_by_q; }
  const MatrixX<P>& accelerations(Kind kind) const
  {
    if (kind == Kind::acceleration) return J;
    return kind == Kind::rate ? by.acceleration_by_qd : by.acceleration_by_q;
  }
  Twist<P> c(Kind kind, int k) const { return kind == Kind::acceleration ? Twist<P>{} : to_twist(twists(kind).col(k)); }
  Twist<P> g(Kind kind, int k) const { return to_twist(accelerations(kind).col(k)) + ad(V, c(kind, k)); }
};

/// The changes of the last link, as each degree moves by a variable of a kind.
template <typename S>
std::vector<ChangesOfLink<Dual<S>>> changes_along(const Specimen<S>& x, Kind kind)
{
  std::vector<ChangesOfLink<Dual<S>>> along;
  for (int j = 0; j < x.model.nv(); ++j) {
    const Moved<Dual<S>> moved(x, Direction<S>{{kind, j, 0, S(1)}}, dual_parameter<S>());
    along.emplace_back(moved.model, moved.q, moved.qd, moved.qdd);
  }
  return along;
}

/** \brief What two changes do together to the last link, against the derivatives of what each of them does.
 *  \param at       what each does alone
 *  \param u, kind  the one that changes first, at joints before the other or at the same, and that of the other
 *  \param along    what each does as u changes
 */
template <typename S>
void add_meetings(Sides<S>& sides, const Specimen<S>& x, const ChangesOfLink<S>& at, Kind u, Kind kind,
                  const std::vector<ChangesOfLink<Dual<S>>>& along)
{
  const int n = x.model.nv();
  const bool displaces = kind == Kind::coordinate, both_displace = displaces && u == kind;
  std::vector<MatrixX<S>> twists, accelerations;  // by u
  for (const ChangesOfLink<Dual<S>>& one : along) {
    twists.push_back(derivative(one.twists(kind), 1));
    accelerations.push_back(derivative(one.accelerations(kind), 1));
  }
  const Terms<S> V = terms_of(coordinates(at.V)), Vdot = terms_of(coordinates(at.Vdot)) + terms_of_bracket(V, V);
  const auto with_motion = [&](const Terms<S>& both) {
    if (both_displace) return terms_of_bracket(Vdot, both);
    return u == kind || u == Kind::acceleration ? both : terms_of_bracket(V, both);
  };
  for (int k = 0; k < n; ++k) {
    Vector6<S> twist = Vector6<S>::Zero(), acceleration = twist;
    Twist<S> c, g, lacks_g, lacks_c;
    Terms<S> of_c, of_g;
    for (int j = 0; j < n; ++j) {
      const bool same = !is_before(x.model, j, k);
      if (same) {
        if (x.model.body_of_rate(j).index != x.model.body_of_rate(k).index || is_before(x.model, k, j)) continue;
        if (u != Kind::coordinate && u != kind) continue;  // at one joint a coordinate is the first
      }
      const S size = x.number((7 * j + 3) % 128);
      twist += size * twists[j].col(k), acceleration += size * accelerations[j].col(k);
      const Twist<S> J = to_twist(at.J.col(k)), c_u = at.c(u, j), g_u = at.g(u, j);
      // (51); two rates of one joint do not meet
      const Twist<S> c_ux = displaces ? ad(c_u, J) : Twist<S>{};
      const Twist<S> meet = same && u == Kind::rate ? Twist<S>{} : ad(c_u, at.c(kind, k));
      const Twist<S> turned = displaces ? ad(g_u, J) : Twist<S>{};
      c += size * c_ux, g += size * (meet + turned - ad(at.V, c_ux));
      lacks_g += size * (meet - ad(at.V, c_ux)), lacks_c += size * (turned - ad(at.V, c_ux));
      const Terms<S> both = terms_of_bracket(terms_of<S>(at.J.col(j)), terms_of<S>(at.J.col(k)));
      of_c = of_c + (both_displace ? terms_of_bracket(V, both) : both);
      of_g = of_g + with_motion(both);
    }
    sides.clause(displaces ? "ours:51/coordinate" : "ours:51/rate");
    add_six(sides, coordinates(c), twist, of_c);
    add_six(sides, coordinates(g), acceleration, of_g);
    if (displaces)
      sides.rival("what the first adds to the acceleration is not displaced by the second",
                  [&](auto& wrong) { add_six(wrong, coordinates(lacks_g), acceleration, of_g); });
    if (u != Kind::acceleration)
      sides.rival("twists that are added do not meet",
                  [&](auto& wrong) { add_six(wrong, coordinates(lacks_c), acceleration, of_g); });
  }
}

/// Every entry of a Hessian against the derivative of a Jacobian along each displacement, by the place of its row.
template <typename S>
void add_entries_of(Sides<S>& sides, const Specimen<S>& x, const Hessians<S>& H, const std::vector<MatrixX<S>>& by,
                    const VectorX<S>& beside, const char* rival, const Hessians<S>& wrong_form)
{
  const std::pair<Place, const char*> places[] = {
      {Place::behind, "ours:52/behind"}, {Place::between, "ours:52/between"}, {Place::before, "ours:52/before"}};
  const int n = x.model.nv();
  for (const auto& [place, key] : places) {
    sides.clause(key);
    for (int k = 0; k < n; ++k) {
      VectorX<S> found = VectorX<S>::Zero(n), exact = found, mistaken = found;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (place_of_row(x.model, i, j, k) == place) {
            const S size = x.number((7 * j + 3) % 128);
            found(i) += size * H[i](j, k), exact(i) += size * by[j](i, k), mistaken(i) += size * wrong_form[i](j, k);
          }
      sides.add_by_unit(x.model, found, exact, beside);
      sides.rival(rival, [&](auto& wrong) { wrong.add_by_unit(x.model, mistaken, exact, beside); });
    }
  }
}

/// Of what size the terms of the second rate of each joint force are, as vector mechanics adds it up.
template <typename S>
VectorX<S> second_rate_terms(const Specimen<S>& x, const witness::MotionInTime<S>& seen)
{
  VectorX<S> terms = VectorX<S>::Zero(x.model.nv());
  for (const LinkFrame<S>& frame : x.model.links()) {
    const Body<S>& body = x.model.body(frame.body);
    const auto& wrench = seen.links[x.mechanism_index(frame.name)].joint_wrench;
    for (int d = body.v; d < body.v + body.nv; ++d) {
      const S size = force_terms_about<S>(
          x.kinematics.pose[frame.body].p, 2, [&](int k) { return to_wrench(wrench[k]); },
          [&](int k) { return to_twist(seen.screws[d][k]); });
      terms(d) = std::max(terms(d), size);
    }
  }
  return terms;
}

template <typename S>
void inverse_dynamics_twice(Registry<S>& r)
{
  r.identity({.name = "two_changes_together_add_a_twist_and_an_acceleration_to_a_link_behind_both",
              .keys = {"ours:51/coordinate", "ours:51/rate"},
              .symbols = "LinkDerivatives SubtreeChanges",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ChangesOfLink<S> at(x.model, x.q, x.qd, x.qdd);
                    for (const Kind u : {Kind::coordinate, Kind::rate, Kind::acceleration}) {
                      const auto along = changes_along(x, u);
                      add_meetings(sides, x, at, u, Kind::coordinate, along);
                      if (u != Kind::acceleration) add_meetings(sides, x, at, u, Kind::rate, along);
                    }
                  },
              .applies = is_small});
  r.identity(
      {.name = "every_entry_of_the_hessians_is_the_derivative_of_a_jacobian",
       .keys = {"ours:52/behind", "ours:52/between", "ours:52/before"},
       .symbols = "InverseDynamicsSecondDerivatives SubtreeChanges",
       .method = "dual numbers",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const auto& H = x.template once<InverseHessians<S>>();
             std::vector<MatrixX<S>> q, qd, qdd, qd_qd;
             for (int j = 0; j < x.model.nv(); ++j)
               for (const Kind kind : {Kind::coordinate, Kind::rate}) {
                 const Moved<Dual<S>> moved(x, Direction<S>{{kind, j, 0, S(1)}}, dual_parameter<S>());
                 InverseDynamics<Dual<S>> rnea(moved.model);
                 rnea.Vdot[0] = moved.Vdot0;
                 rnea(moved.q, moved.qd, moved.qdd, moved.Fext);
                 InverseDynamicsJacobians<Dual<S>> J(moved.model);
                 J(rnea, moved.qd, moved.qdd);
                 if (kind == Kind::rate) {
                   qd_qd.push_back(derivative(J.dtau_dqd, 1));
                 } else {
                   q.push_back(derivative(J.dtau_dq, 1)), qd.push_back(derivative(J.dtau_dqd, 1));
                   qdd.push_back(derivative(J.dtau_dqdd, 1));
                 }
               }
             const VectorX<S> beside = x.inverse_tau;
             const auto transposed = [](Hessians<S> of) {
               for (MatrixX<S>& one : of) one = MatrixX<S>(one.transpose());
               return of;
             };
             const auto doubled = [](Hessians<S> of) {
               for (MatrixX<S>& one : of) one = MatrixX<S>(S(2) * one);
               return of;
             };
             add_entries_of(sides, x, H.dq_dq, q, beside, "a coefficient of the series", doubled(H.dq_dq));
             add_entries_of(sides, x, H.dq_dqd, qd, beside, "the indices change places", transposed(H.dq_dqd));
             add_entries_of(sides, x, H.dqd_dqd, qd_qd, beside, "a coefficient of the series", doubled(H.dqd_dqd));
             add_entries_of(sides, x, H.dq_dqdd, qdd, beside, "the indices change places", transposed(H.dq_dqdd));
           },
       .applies = is_small});
  r.identity({.name = "the_second_rate_of_joint_forces_in_time_is_made_of_their_hessians",
              .keys = {"ours:53/time"},
              .symbols = "InverseDynamicsSecondDerivatives InverseDynamicsJacobians",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const int n = x.model.nv();
                    MatrixX<S> rates = MatrixX<S>::Zero(n, witness::derivatives_in_time);
                    rates.col(0) = x.qd, rates.col(1) = x.qdd;
                    for (int k = 0; k < n; ++k)
                      for (const int order : {2, 3}) rates(k, order) = S(3) * x.number((7 * k + 31 * order) % 128);
                    std::vector<std::vector<Vector6<S>>> wrenches(1);
                    for (const Link& link : x.inputs.mechanism.links)
                      wrenches[0].push_back(coordinates(x.link_wrench(link.name)));
                    const auto seen = witness::motion_in_time<S>(x.inputs.mechanism, x.inputs.options.floating_base,
                                                                 x.q, rates, x.gravity.eigen(), wrenches);
                    const VectorX<S> second = seen.tau.col(2);
                    const auto& H = x.template once<InverseHessians<S>>();
                    InverseDynamicsJacobians<S> J(x.model);
                    J(x.inverse, x.qd, x.qdd);
                    const VectorX<S> third = rates.col(2), fourth = rates.col(3);
                    const VectorX<S> first = J.dtau_dq * x.qdd + J.dtau_dqd * third + J.dtau_dqdd * fourth;
                    const VectorX<S> qq = contracted<S>(H.dq_dq, x.qd, x.qd),
                                     qqd = contracted<S>(H.dq_dqd, x.qd, x.qdd),
                                     qdqd = contracted<S>(H.dqd_dqd, x.qdd, x.qdd),
                                     qqdd = contracted<S>(H.dq_dqdd, x.qd, third);
                    const VectorX<S> found = first + qq + S(2) * qqd + qdqd + S(2) * qqdd;
                    const VectorX<S> terms = first.cwiseAbs() + contracted_sizes<S>(H.dq_dq, x.qd, x.qd) +
                                             contracted_sizes<S>(H.dq_dqd, x.qd, x.qdd) +
                                             contracted_sizes<S>(H.dqd_dqd, x.qdd, x.qdd) +
                                             contracted_sizes<S>(H.dq_dqdd, x.qd, third) + second_rate_terms(x, seen);
                    sides.add_by_unit(x.model, found, second, terms);
                    sides.rival("each pair is counted once", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, VectorX<S>(first + qq + qqd + qdqd + qqdd), second, terms);
                    });
                    sides.rival("the Jacobians are held",
                                [&](auto& wrong) { wrong.add_by_unit(x.model, first, second, terms); });
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "joint_forces_are_quadratic_in_rates_and_linear_in_accelerations",
              .keys = {"ours:53/rates", "ours:53/accelerations"},
              .symbols = "InverseDynamicsSecondDerivatives",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    witness::VectorNewtonEuler<S> witness(x.inputs.mechanism, x.inputs.options.floating_base);
                    const VectorX<S> u = x.qd, v = steps_of(x, Kind::rate), none = VectorX<S>::Zero(x.model.nv());
                    const Eigen::Matrix<S, 3, 1> weightless = Eigen::Matrix<S, 3, 1>::Zero();
                    const auto forces = [&](const VectorX<S>& rates) {
                      return witness.inverse_dynamics(x.q, rates, none, weightless);
                    };
                    const auto& H = x.template once<InverseHessians<S>>();
                    const VectorX<S> both = forces(u + v) - forces(u) - forces(v);
                    const VectorX<S> sizes = u.cwiseAbs() + v.cwiseAbs();
                    const VectorX<S> terms = contracted_sizes<S>(H.dqd_dqd, sizes, sizes) + x.inverse_tau.cwiseAbs();
                    sides.clause("ours:53/rates");
                    sides.add_by_unit(x.model, contracted<S>(H.dqd_dqd, u, v), both, terms);
                    sides.rival("once with each order of the two", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, VectorX<S>(S(2) * contracted<S>(H.dqd_dqd, u, v)), both, terms);
                    });
                    // The rate of the mass matrix is that of the kinetic energy, by the power of inverse dynamics.
                    const VectorX<S> Mdot_qd = contracted<S>(H.dq_dqdd, u, u), coriolis = forces(u);
                    const VectorX<S> turned = contracted_sizes<S>(H.dq_dqdd, u, u);
                    const S power = inner_product<S>(u, coriolis);
                    const S size =
                        inner_product<S>(VectorX<S>(u.cwiseAbs()), VectorX<S>(turned + x.inverse_tau.cwiseAbs()));
                    sides.clause("ours:53/accelerations");
                    sides.add(S(inner_product<S>(u, Mdot_qd) / S(2)), power, size);
                    sides.rival("it is not halved",
                                [&](auto& wrong) { wrong.add(inner_product<S>(u, Mdot_qd), power, size); });
                  },
              .applies = is_compared_in_full});
  r.identity({.name = "two_displacements_of_one_joint_commute_up_to_their_bracket",
              .keys = {"ours:54"},
              .symbols = "InverseDynamicsSecondDerivatives",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const auto& H = x.template once<InverseHessians<S>>();
                    InverseDynamicsJacobians<S> J(x.model);
                    J(x.inverse, x.qd, x.qdd);
                    const VectorX<S> u = steps_of(x, Kind::coordinate), v = steps_of(x, Kind::rate);
                    const VectorX<S> difference = contracted<S>(H.dq_dq, u, v) - contracted<S>(H.dq_dq, v, u);
                    const VectorX<S> along = J.dtau_dq * bracket_of(x.model, u, v),
                                     terms = contracted_sizes<S>(H.dq_dq, u, v) + x.inverse_tau.cwiseAbs();
                    sides.add_by_unit(x.model, difference, along, terms);
                    sides.rival("the bracket is that of motions in space", [&](auto& wrong) {
                      wrong.add_by_unit(x.model, difference, VectorX<S>(-along), terms);
                    });
                  },
              .applies =
                  [](const Model<double>& model) {
                    if (!is_compared_in_full(model)) return false;
                    for (const Body<double>& body : model.outward())
                      if (body.kind == JointKind::ball || body.kind == JointKind::free) return true;
                    return false;
                  }});
}

/** \brief The Hessians of hybrid dynamics: along a drawn direction against the second derivative of its answers, and two
 *  displacements in either order.
 */
template <typename S>
void add_hybrid_hessians(Sides<S>& sides, const Specimen<S>& x, const Partition& prescribed,
                         const std::function<void(bool)>& clause)
{
  HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
  HybridDynamicsSecondDerivatives<S> H(x.model);
  H(hybrid, x.q, x.qd, hybrid.qdd(), x.Fext);
  Direction<S> direction = drawn_direction(x, {Kind::coordinate, Kind::rate, Kind::force});
  VectorX<S> q = VectorX<S>::Zero(x.model.nv()), qd = q, given = q;
  for (Step<S>& step : direction) {
    (step.kind == Kind::coordinate ? q : step.kind == Kind::rate ? qd : given)(step.index) = step.size;
    if (step.kind == Kind::force && prescribed[step.index]) step.kind = Kind::acceleration;
  }
  const Moved<Series<S>> moved(x, direction, time_series<S>());
  const HybridDynamics<Series<S>> exact = moved.hybrid_dynamics(prescribed);
  const VectorX<S> tau = derivative(exact.tau(), 2), qdd = derivative(exact.qdd(), 2);
  const VectorX<S> q_q = contracted<S>(H.dq_dq, q, q), q_qd = contracted<S>(H.dq_dqd, q, qd),
                   qd_qd = contracted<S>(H.dqd_dqd, qd, qd), q_given = contracted<S>(H.dq_dgiven, q, given);
  const VectorX<S> found = q_q + S(2) * q_qd + qd_qd + S(2) * q_given, once = q_q + q_qd + qd_qd + q_given;
  const VectorX<S> terms = contracted_sizes<S>(H.dq_dq, q, q) + contracted_sizes<S>(H.dq_dqd, q, qd) +
                           contracted_sizes<S>(H.dqd_dqd, qd, qd) + contracted_sizes<S>(H.dq_dgiven, q, given);
  // One direction taken twice does not feel what is not symmetric: that is the change along the bracket of two.
  HybridDynamicsJacobians<S> J(x.model);
  J(hybrid, x.q, x.qd, hybrid.qdd());
  const VectorX<S> difference = contracted<S>(H.dq_dq, q, qd) - contracted<S>(H.dq_dq, qd, q),
                   along_bracket = J.by_q * bracket_of(x.model, q, qd),
                   in_order = contracted_sizes<S>(H.dq_dq, q, qd) + contracted_sizes<S>(H.dq_dq, qd, q);
  for (const bool of_u : {true, false}) {
    const VectorX<S> answer = part(of_u ? tau : qdd, prescribed, of_u);
    if (std::find(prescribed.begin(), prescribed.end(), of_u) == prescribed.end()) continue;
    clause(of_u);
    const VectorX<S>& differentiated = of_u ? hybrid.tau() : hybrid.qdd();
    const VectorX<S> beside = part(VectorX<S>(terms + differentiated.cwiseAbs()), prescribed, of_u);
    sides.add_by_unit(x.model, part(found, prescribed, of_u), answer, beside);
    sides.rival("each pair is counted once",
                [&](auto& wrong) { wrong.add_by_unit(x.model, part(once, prescribed, of_u), answer, beside); });
    const VectorX<S> both = part(VectorX<S>(in_order + differentiated.cwiseAbs()), prescribed, of_u);
    sides.add_by_unit(x.model, part(difference, prescribed, of_u), part(along_bracket, prescribed, of_u), both);
    sides.rival("the bracket is that of motions in space", [&](auto& wrong) {
      wrong.add_by_unit(x.model, part(difference, prescribed, of_u), part(VectorX<S>(-along_bracket), prescribed, of_u),
                        both);
    });
  }
}

template <typename S>
void forward_dynamics_twice(Registry<S>& r)
{
  r.identity({.name = "the_hessians_of_forward_dynamics_are_its_second_derivatives_along_every_direction",
              .keys = {"ours:55/forward"},
              .symbols = "HybridDynamicsSecondDerivatives InverseDynamicsSecondDerivatives HybridDynamicsJacobians",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    add_hybrid_hessians<S>(sides, x, Partition(x.model.nv(), false),
                                           [&](bool) { sides.clause("ours:55/forward"); });
                  },
              .applies = is_small});
  r.identity({.name = "the_hessians_of_hybrid_dynamics_are_its_second_derivatives_along_every_direction",
              .keys = {"ours:55/given-force", "ours:55/given-acceleration"},
              .symbols = "HybridDynamicsSecondDerivatives InverseDynamicsSecondDerivatives HybridDynamicsJacobians",
              .method = "dual numbers",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    add_hybrid_hessians<S>(sides, x, drawn_partition(x), [&](bool of_u) {
                      sides.clause(of_u ? "ours:55/given-acceleration" : "ours:55/given-force");
                    });
                  },
              .applies = is_small});
}

}  // namespace

template <typename S>
void derivatives_second(Registry<S>& r)
{
  one_body(r);
  inverse_dynamics_twice(r);
  forward_dynamics_twice(r);
}

template void derivatives_second(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
