/** \file
 *  \brief Proofs of the derivatives of the motion of links, \eq{ours,56}, and of their Jacobians, \eq{ours,58}.
 */
#include <articulate/derivatives/kinematic_hessian.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <derivatives/direction.hpp>
#include <model/carried_frames.hpp>

namespace articulate::validation {
namespace {

/// The last link that moves.
template <typename S>
const LinkFrame<S>& last_moving_link(const Model<S>& model)
{
  std::size_t l = model.links().size() - 1;
  while (model.links()[l].body == 0) --l;
  return model.links()[l];
}

/// A link in motion, seen from one of the three frames: of what size the terms are of which its derivatives are made. In
/// a plane, and along parallel axes, they cancel.
template <typename S>
struct TermsOfMotion {
  MatrixX<S> J;
  S lever;
  Terms<S> V, A;

  TermsOfMotion(const SpaceMotion<S>& motion, const LinkFrame<S>& frame, JacobianFrame from)
      : J(motion.link_jacobian(frame, from)),
        lever(lever_of<S>(motion.link_pose(frame).p.eigen(), from)),
        V(terms_of(coordinates(motion.link_twist(frame, from)), lever)),
        A(terms_of(coordinates(motion.link_acceleration(frame, from)), lever))
  {
  }

  Terms<S> product(const VectorX<S>& step) const { return terms_of_product(J, step, lever); }
  Terms<S> twist_by_q(const VectorX<S>& step) const { return terms_of_bracket(V, product(step)); }
  Terms<S> acceleration_by_q(const VectorX<S>& step) const
  {
    return terms_of_bracket(A, product(step)) + terms_of_bracket(V, twist_by_q(step));
  }
  Terms<S> acceleration_by_qd(const VectorX<S>& step) const { return twist_by_q(step); }
};

template <typename S>
void motions_of_links(Registry<S>& r)
{
  r.identity({.name = "twist_and_acceleration_of_a_link_change_with_coordinates_and_rates",
              .keys = {"ours:56/twist", "ours:56/acceleration", "ours:56/rate"},
              .symbols = "LinkDerivatives SubtreeChanges against",
              .method = "dual numbers",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                SpaceMotion<S> motion(x.model);
                motion(x.q, x.qd, x.qdd);
                LinkDerivatives<S> derivatives(x.model);
                derivatives(motion, x.qd, x.qdd);
                const LinkFrame<S> frame = frame_on(last_moving_link(x.model), x.pose(3));
                const auto moved = [&](Kind kind) {
                  const Moved<Dual<S>> state(x, drawn_direction(x, kind), dual_parameter<S>());
                  SpaceMotion<Dual<S>> along(state.model);
                  along(state.q, state.qd, state.qdd);
                  return along;
                };
                const SpaceMotion<Dual<S>> by_q = moved(Kind::coordinate), by_qd = moved(Kind::rate);
                const Quaternion<Dual<S>> turned{Vector3<Dual<S>>(x.vector(3)), Dual<S>(x.number(6))};
                const SE3<Dual<S>> offset{SO3<Dual<S>>(turned), Vector3<Dual<S>>(x.vector(7))};
                const LinkFrame<Dual<S>> along = frame_on(last_moving_link(by_q.model()), offset);
                const VectorX<S> q = steps_of(x, Kind::coordinate), qd = steps_of(x, Kind::rate);
                for (const JacobianFrame from : {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed}) {
                  const LinkMotionJacobians<S> by = derivatives.of(motion, frame, from);
                  const JacobianFrame other = from == JacobianFrame::link ? JacobianFrame::mixed : JacobianFrame::link;
                  const LinkMotionJacobians<S> by_other = derivatives.of(motion, frame, other);
                  const TermsOfMotion<S> terms(motion, frame, from);
                  const auto add = [&](MatrixX<S> LinkMotionJacobians<S>::*of, const VectorX<S>& step,
                                       const Twist<Dual<S>>& moved, const Terms<S>& beside) {
                    const Vector6<S> exact = coordinates(derivative(moved, 1));
                    add_six(sides, Vector6<S>(by.*of * step), exact, beside);
                    sides.rival("from another frame",
                                [&](auto& wrong) { add_six(wrong, Vector6<S>(by_other.*of * step), exact, beside); });
                  };
                  sides.clause("ours:56/twist");
                  add(&LinkMotionJacobians<S>::twist_by_q, q, by_q.link_twist(along, from), terms.twist_by_q(q));
                  sides.clause("ours:56/acceleration");
                  add(&LinkMotionJacobians<S>::acceleration_by_q, q, by_q.link_acceleration(along, from),
                      terms.acceleration_by_q(q));
                  sides.clause("ours:56/rate");
                  add(&LinkMotionJacobians<S>::acceleration_by_qd, qd, by_qd.link_acceleration(along, from),
                      terms.acceleration_by_qd(qd));
                }
              }});
  r.identity({.name = "the_rates_of_twist_and_acceleration_in_time_are_made_of_their_derivatives",
              .keys = {"ours:56/time"},
              .symbols = "LinkDerivatives ForwardKinematics::link_jacobian",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                MatrixX<S> rates = MatrixX<S>::Zero(x.model.nv(), witness::derivatives_in_time);
                rates.col(0) = x.qd, rates.col(1) = x.qdd;
                for (int k = 0; k < x.model.nv(); ++k) rates(k, 2) = S(3) * x.number((7 * k + 62) % 128);
                const auto seen = witness::motion_in_time<S>(x.inputs.mechanism, x.inputs.options.floating_base, x.q,
                                                             rates, x.gravity.eigen(), {});
                SpaceMotion<S> motion(x.model);
                motion(x.q, x.qd, x.qdd);
                LinkDerivatives<S> derivatives(x.model);
                derivatives(motion, x.qd, x.qdd);
                const LinkFrame<S>& link = last_moving_link(x.model);
                const auto& in_time = seen.links[x.mechanism_index(link.name)].twist;
                const LinkMotionJacobians<S> by = derivatives.of(motion, link, JacobianFrame::world);
                const TermsOfMotion<S> terms(motion, link, JacobianFrame::world);
                const VectorX<S> third = rates.col(2);
                add_six(sides, Vector6<S>(by.twist_by_q * x.qd + terms.J * x.qdd), in_time[1],
                        terms.twist_by_q(x.qd) + terms.product(x.qdd));
                const Vector6<S> held = by.acceleration_by_q * x.qd + terms.J * third;
                const Terms<S> beside =
                    terms.acceleration_by_q(x.qd) + terms.acceleration_by_qd(x.qdd) + terms.product(third);
                add_six(sides, Vector6<S>(held + by.acceleration_by_qd * x.qdd), in_time[2], beside);
                sides.rival("the rates are held", [&](auto& wrong) { add_six(wrong, held, in_time[2], beside); });
              }});
}

template <typename S>
void jacobians_of_links(Registry<S>& r)
{
  r.identity(
      {.name = "the_jacobian_of_a_link_changes_with_coordinates",
       .keys = {"ours:58/displacement", "ours:58/time"},
       .symbols = "link_jacobian_derivatives against",
       .method = "dual numbers, independent formulation",
       .sides = [](const Specimen<S>& x, Sides<S>& sides) {
         const int n = x.model.nv();
         const Moved<Dual<S>> state(x, drawn_direction(x, Kind::coordinate), dual_parameter<S>());
         ForwardKinematics<Dual<S>> along(state.model);
         along(state.q, state.qd);
         const auto change = [&](const Indexed<MatrixX<S>>& H, const VectorX<S>& by) {
           MatrixX<S> sum = MatrixX<S>::Zero(6, n);
           for (int j = 0; j < n; ++j) sum += by(j) * H[j];
           return sum;
         };
         const auto carried = carried_frames(x);
         for (std::size_t c = 0; c < carried.size(); ++c) {
           const LinkFrame<S>& frame = carried[c].frame;
           const int drawn = 11 * static_cast<int>(c);
           const Quaternion<Dual<S>> turned{Vector3<Dual<S>>(x.vector(drawn)), Dual<S>(x.number(drawn + 3))};
           const SE3<Dual<S>> offset{SO3<Dual<S>>(turned), Vector3<Dual<S>>(x.vector(drawn + 4))};
           const LinkFrame<Dual<S>> moving = frame_on(state.model.link(frame.name), offset);
           for (const JacobianFrame from : three_frames) {
             const Indexed<MatrixX<S>> H = link_jacobian_derivatives(x.kinematics, frame, from),
                                       H_other = link_jacobian_derivatives(x.kinematics, frame, mistaken(from));
             const MatrixX<S> J = x.kinematics.link_jacobian(frame, from);
             const S lever = carried[c].lever(from);
             const auto add = [&](const char* clause, const VectorX<S>& by, const MatrixX<S>& exact) {
               sides.clause(clause);
               const auto compare = [&](auto& both, const MatrixX<S>& left) {
                 // Columns of angles and of lengths have different units.
                 for (const bool angle : {true, false}) {
                   MatrixX<S> ours = MatrixX<S>::Zero(6, n), theirs(ours);
                   Terms<S> largest;
                   for (int k = 0; k < n; ++k) {
                     if (x.model.rate_is_angular(k) != angle) continue;
                     ours.col(k) = left.col(k), theirs.col(k) = exact.col(k);
                     const Terms<S> column = terms_of<S>(J.col(k), lever);
                     largest = {std::max(largest.angular, column.angular), std::max(largest.linear, column.linear)};
                   }
                   add_six(both, ours, theirs, terms_of_bracket(terms_of_product(J, by, lever), largest));
                 }
               };
               compare(sides, change(H, by));
               sides.rival("from another frame", [&](auto& wrong) { compare(wrong, change(H_other, by)); });
             };
             add("ours:58/displacement", steps_of(x, Kind::coordinate),
                 derivative(along.link_jacobian(moving, from), 1));
             add("ours:58/time", x.qd, carried[c].jacobian(from, n, true));
           }
         }
       }});
}

}  // namespace

template <typename S>
void derivatives_links(Registry<S>& r)
{
  motions_of_links(r);
  jacobians_of_links(r);
}

template void derivatives_links(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
