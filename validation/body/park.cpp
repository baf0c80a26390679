/** \file
 *  \brief Proofs of chapter body: Park 1995, \eq{park,21}, and the appendix, \eq{park,74} to \eq{park,79} and
 *         \eq{park,81} to \eq{park,83}: the law of one link, from its particles to the geometric form.
 */
#include <body/park_bodies.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void inertia_of_a_link(Registry<S>& r)
{
  r.identity({.name = "the_inertia_in_blocks_of_mass_centre_and_central_inertia_is_the_sum_over_particles",
              .keys = {"park:21"},
              .symbols = "Inertia::matrix Inertia::about_center_of_mass Model::inertia",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const MomentsOfParticles<S> moments(x, i);
                  const auto add = [&](auto& to, const Matrix6<S>& J) { moments.compare(to, J); };
                  const Lump<S> b = lump(x, i);
                  add(sides, b.J());
                  add(sides, x.model.body(i).I.matrix());
                  sides.rival("Steiner's term with the other sign", [&](auto& wrong) {
                    Matrix6<S> J = b.J();
                    J.template topLeftCorner<3, 3>() = (b.I + b.m * (skew(b.r) * skew(b.r))).eigen();
                    add(wrong, J);
                  });
                  sides.rival("the blocks beside the diagonal exchanged", [&](auto& wrong) {
                    Matrix6<S> J = b.J();
                    J.template topRightCorner<3, 3>() = -b.m * skew(b.r).eigen();
                    J.template bottomLeftCorner<3, 3>() = b.m * skew(b.r).eigen();
                    add(wrong, J);
                  });
                }
              }});
}

/// A link in motion, in its own axes: accelerations from its poses in time, resultants from its particles.
template <typename S>
struct SeenLink {
  Lump<S> b;
  Twist<S> V, Vdot;
  Vector3<S> a, a_bar;  ///< of the origin and of the centre of mass
  Wrench<S> resultant;
  S force{0}, moment{0};  ///< of what size the terms of the resultants are

  SeenLink(const Specimen<S>& x, int i) : b(lump(x, i)), V(x.motion.V[i]), Vdot(x.motion.Vdot[i])
  {
    const SE3<Series<S>>& f = x.along_motion().pose[i];
    const SO3<S> back = inverse(x.kinematics.pose[i].R);
    const Matrix4<S> second = derivative(f, 2);  // of the homogeneous matrix: it takes points to their accelerations
    const auto acceleration = [&](const Vector3<S>& point) {
      const Eigen::Matrix<S, 3, 3> turning = second.template topLeftCorner<3, 3>();
      const Eigen::Matrix<S, 3, 1> origin = second.template topRightCorner<3, 1>();
      return back * Vector3<S>(turning * point.eigen() + origin);
    };
    a = acceleration({});
    a_bar = acceleration(b.r);
    for (const MassPoint<S>& point : particles(x, i)) {
      const Vector3<S> one = point.mass * acceleration(point.r);
      resultant += Wrench<S>{cross(point.r, one), one};
      force += taxicab(one), moment += taxicab(point.r) * taxicab(one);
    }
    // In a moment there are large terms that cancel, like v x mv, however small the body may be.
    const S terms = b.m * (taxicab(Vdot.v) + taxicab(cross(V.w, V.v)));
    force += terms, moment += taxicab(b.r) * terms + b.m * inner(V.v, V.v);
  }

  void add_force(auto& sides, const Vector3<S>& f) const { sides.add(resultant.f, f, force); }
  void add_moment(auto& sides, const Vector3<S>& m) const { sides.add(resultant.m, m, moment); }

  /// \f$J\dot V - \ad^*_VJV\f$, by matrices; the sign stands before the second term.
  Wrench<S> geometric(const S& sign = S(-1)) const
  {
    const Vector6<S> rate = b.J() * coordinates(Vdot), turning = ad_matrix(V).transpose() * (b.J() * coordinates(V));
    return to_wrench(Vector6<S>(rate + sign * turning));
  }
  /// The terms in the bracket of (78); signs stand before the two that are quadratic in velocities.
  Vector3<S> in_bracket(const S& of_v = S(1), const S& of_r = S(1)) const
  {
    const Matrix3<S> w = skew(V.w), wdot = skew(Vdot.w);
    return Vdot.v + of_v * (w * V.v) + wdot * b.r + of_r * (w * (w * b.r));
  }
  /// (79), term by term
  Vector3<S> moment_79(const S& of_v = S(1)) const
  {
    const Matrix3<S> r = skew(b.r), w = skew(V.w), wdot = skew(Vdot.w);
    return b.I * Vdot.w + cross(V.w, b.I * V.w) + b.m * (r * Vdot.v) + of_v * b.m * (r * (w * V.v)) +
           b.m * (r * (wdot * b.r)) + b.m * (r * (w * (w * b.r)));
  }
};

template <typename S>
void law_of_a_link(Registry<S>& r)
{
  r.identity({.name = "a_link_obeys_newton_at_its_centre_of_mass_and_euler_about_its_origin",
              .keys = {"park:74", "park:75", "park:76", "park:77"},
              .symbols = "newton_euler Recursion::carry_acceleration",
              .method = "series and independent formulation: accelerations of poses, forces of particles",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SeenLink<S> link(x, i);
                  const S& m = link.b.m;
                  const Vector3<S>& arm = link.b.r;
                  const Matrix3<S>& I = link.b.I;
                  const Vector3<S>&w = link.V.w, &v = link.V.v, &wdot = link.Vdot.w, &vdot = link.Vdot.v;
                  const Wrench<S> library = articulate::newton_euler(x.model.body(i).I, link.V, link.Vdot);

                  sides.clause("park:74");
                  link.add_force(sides, m * link.a_bar);
                  link.add_force(sides, library.f);
                  sides.rival("the acceleration of the frame's origin",
                              [&](auto& wrong) { link.add_force(wrong, m * link.a); });
                  const auto moment_75 = [&](const Vector3<S>& turning, const Vector3<S>& acceleration) {
                    return I * wdot + turning + cross(arm, m * acceleration);
                  };
                  const Vector3<S> w_Iw = cross(w, I * w);
                  sides.clause("park:75");
                  link.add_moment(sides, moment_75(w_Iw, link.a_bar));
                  link.add_moment(sides, library.m);
                  sides.rival("the gyroscopic term is dropped",
                              [&](auto& wrong) { link.add_moment(wrong, moment_75({}, link.a_bar)); });
                  sides.rival("the origin's acceleration at the lever of the centre",
                              [&](auto& wrong) { link.add_moment(wrong, moment_75(w_Iw, link.a)); });
                  sides.rival("the moment about the centre of mass",
                              [&](auto& wrong) { link.add_moment(wrong, moment_75(w_Iw, {})); });

                  S size = taxicab(vdot) + taxicab(cross(w, v));
                  sides.clause("park:76");
                  sides.add(link.a, vdot + cross(w, v), size);
                  sides.rival("the rate of the components alone", [&](auto& wrong) { wrong.add(link.a, vdot, size); });
                  sides.rival("v x w", [&](auto& wrong) { wrong.add(link.a, vdot + cross(v, w), size); });
                  const Vector3<S> drawn = cross(w, cross(w, arm));
                  size += taxicab(cross(wdot, arm)) + taxicab(drawn);
                  sides.clause("park:77");
                  sides.add(link.a_bar, link.a + cross(wdot, arm) + drawn, size);
                  sides.rival("away from the axis and not towards it",
                              [&](auto& wrong) { wrong.add(link.a_bar, link.a + cross(wdot, arm) - drawn, size); });
                  sides.rival("the derivative of v in place of the acceleration",
                              [&](auto& wrong) { wrong.add(link.a_bar, vdot + cross(wdot, arm) + drawn, size); });
                }
              }});
}

/// The terms of (82) and (83), where the sign of the first in its second line is left open.
template <typename S>
struct MomentRows {
  Vector3<S> first_line, others;

  MomentRows(const Lump<S>& b, const Twist<S>& V, const Twist<S>& Vdot, const S& sign = S(-1))
  {
    const Matrix3<S> r = skew(b.r), w = skew(V.w), v = skew(V.v);
    first_line = b.I * Vdot.w - b.m * (r * (r * Vdot.w)) + b.m * (r * Vdot.v) + w * (b.I * V.w);
    others = sign * b.m * (w * (r * (r * V.w))) + b.m * (w * (r * V.v)) + b.m * (v * (w * b.r));
  }
  Vector3<S> all() const { return first_line + others; }
};

/// The vector product by components: it knows no matrix.
template <typename S>
Vector3<S> by_components(const Vector3<S>& a, const Vector3<S>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The terms with which (82) and (83) differ from (79), beside their partners there, which are taken by components.
template <typename S>
struct Partners {
  Vector3<S> second, fifth, last;                          ///< in (82) and (83)
  Vector3<S> second_partner, fifth_partner, last_partner;  ///< in (79)

  explicit Partners(const MovingBody<S>& body)
  {
    const auto& [m, arm, I] = body.lump;
    const Vector3<S>&turn = body.V.w, &wdot = body.Vdot.w;
    const Matrix3<S> r = skew(arm), w = skew(turn), v = skew(body.V.v);
    second = -m * (r * (r * wdot));
    fifth = -m * (w * (r * (r * turn)));
    last = m * (w * (r * body.V.v)) + m * (v * (w * arm));
    second_partner = m * by_components(arm, by_components(wdot, arm));
    fifth_partner = m * by_components(arm, by_components(turn, by_components(turn, arm)));
    last_partner = m * by_components(arm, by_components(turn, body.V.v));
  }
};

template <typename S>
void geometric_form(Registry<S>& r)
{
  r.identity({.name = "the_law_of_a_link_is_the_same_term_by_term_and_in_blocks",
              .keys = {"park:78", "park:79", "park:81/equation", "park:81/force", "park:82", "park:83/lines"},
              .symbols = "coad Inertia::operator* Model::inertia newton_euler",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (int i = 1; i <= x.bodies(); ++i) {
                  const SeenLink<S> link(x, i);
                  const S& m = link.b.m;
                  sides.clause("park:78");
                  link.add_force(sides, m * link.in_bracket());
                  sides.rival("the turning of v is dropped",
                              [&](auto& wrong) { link.add_force(wrong, m * link.in_bracket(S(0))); });
                  sides.rival("the squared turn with a minus",
                              [&](auto& wrong) { link.add_force(wrong, m * link.in_bracket(S(1), S(-1))); });
                  sides.clause("park:79");
                  link.add_moment(sides, link.moment_79());
                  sides.rival("the turning of v is dropped",
                              [&](auto& wrong) { link.add_moment(wrong, link.moment_79(S(0))); });

                  const Wrench<S> geometric = link.geometric();
                  const Wrench<S> library = articulate::newton_euler(x.model.body(i).I, link.V, link.Vdot);
                  const auto add = [&](auto& to, const Wrench<S>& F) {
                    link.add_force(to, F.f), link.add_moment(to, F.m);
                  };
                  sides.clause("park:81/equation");
                  add(sides, geometric), add(sides, library);
                  sides.rival("ad* is added", [&](auto& wrong) { add(wrong, link.geometric(S(1))); });
                  sides.clause("park:81/force");
                  sides.add(geometric.f, m * link.in_bracket(), link.force);
                  sides.rival("v with the turn as (78) has it for r",
                              [&](auto& wrong) { wrong.add(geometric.f, m * link.in_bracket(S(-1)), link.force); });

                  const MomentRows<S> rows(link.b, link.V, link.Vdot);
                  sides.clause("park:82");
                  sides.add(geometric.m, rows.all(), link.moment);
                  link.add_moment(sides, rows.all());
                  sides.rival("the first line alone", [&](auto& wrong) { link.add_moment(wrong, rows.first_line); });
                  sides.rival("a plus before the squared arm, as read", [&](auto& wrong) {
                    link.add_moment(wrong, MomentRows<S>(link.b, link.V, link.Vdot, S(1)).all());
                  });
                  sides.clause("park:83/lines");
                  sides.add(geometric.m - rows.first_line, rows.others, link.moment);
                  sides.rival("a plus before the squared arm, as read", [&](auto& wrong) {
                    wrong.add(geometric.m - rows.first_line, MomentRows<S>(link.b, link.V, link.Vdot, S(1)).others,
                              link.moment);
                  });
                }
              }});
  r.identity({.name = "the_terms_of_the_moment_have_partners_by_the_jacobi_identity",
              .keys = {"park:83/second-term", "park:83/fifth-term", "park:83/last-terms"},
              .symbols = "skew",
              .method = "cross-check: matrices of the library beside vector products by components",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const MovingBody<S>& body : drawn_bodies(x)) {
                  const Partners<S> of(body);
                  sides.clause("park:83/second-term");
                  sides.add(of.second, of.second_partner);
                  sides.rival("the partner that the closing sentence names",
                              [&](auto& wrong) { wrong.add(of.second, of.fifth_partner); });
                  sides.clause("park:83/fifth-term");
                  sides.add(of.fifth, of.fifth_partner);
                  sides.rival("with the sign as read", [&](auto& wrong) { wrong.add(-of.fifth, of.fifth_partner); });
                  sides.clause("park:83/last-terms");
                  sides.add(of.last, of.last_partner);
                  sides.rival("the first of the two alone", [&](auto& wrong) {
                    wrong.add(body.lump.m * (skew(body.V.w) * (skew(body.lump.r) * body.V.v)), of.last_partner);
                  });
                }
              }});
}

template <typename S>
void erratum_8(Registry<S>& r)
{
  const auto moment = [](const Specimen<S>& x, const S& sign) {
    Sides<S> sides;
    for (const auto& [b, V, Vdot] : drawn_bodies(x)) {
      const Inertia<S> J = Inertia<S>::about_center_of_mass(b.m, b.r, Symmetric3<S>::upper(b.I));
      sides.add(MomentRows<S>(b, V, Vdot, sign).all(), articulate::newton_euler(J, V, Vdot).m);
    }
    return sides;
  };
  const auto told_partner = [](const Specimen<S>& x, Sides<S>& sides) {  // of the second term, in the closing sentence
    for (const MovingBody<S>& body : drawn_bodies(x)) {
      const Partners<S> of(body);
      sides.add(of.second, of.fifth_partner);
    }
  };
  r.erratum({.id = "E-park-8",
             .keys = {"park:82", "park:83"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(moment(x, S(1))); }, told_partner},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) {
               sides.append(moment(x, S(-1)));
               for (const MovingBody<S>& body : drawn_bodies(x)) {
                 const Partners<S> of(body);
                 sides.add(of.second, of.second_partner);
                 sides.add(of.fifth, of.fifth_partner);
                 sides.add(of.last, of.last_partner);
               }
             }});
}

}  // namespace

template <typename S>
void body_park(Registry<S>& r)
{
  inertia_of_a_link(r);
  law_of_a_link(r);
  geometric_form(r);
  erratum_8(r);
}

template void body_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
