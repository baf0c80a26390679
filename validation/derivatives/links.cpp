/** \file
 *  \brief Proofs of the derivatives of the motion of links, \eq{ours,56}.
 */
#include <articulate/derivatives/link_derivatives.hpp>
#include <derivatives/direction.hpp>
#include <ledger/registry.hpp>
#include <witnesses/motion_in_time.hpp>

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

/// Angular and linear halves, beside terms that are given by their sizes.
template <typename S>
void add_twist(Sides<S>& sides, const Vector6<S>& left, const Vector6<S>& right, const Vector6<S>& terms)
{
  S angular(0), linear(0);
  for (int k = 0; k < 3; ++k) angular += magnitude(terms(k)), linear += magnitude(terms(k + 3));
  sides.add(left.template head<3>(), right.template head<3>(), angular);
  sides.add(left.template tail<3>(), right.template tail<3>(), linear);
}

/// A matrix times a vector, and of what size its terms are.
template <typename S>
struct ProductOf {
  Vector6<S> value, terms;
  ProductOf(const MatrixX<S>& by, const VectorX<S>& x) : value(by * x), terms(by.cwiseAbs() * x.cwiseAbs()) {}
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
                VectorX<S> q(x.model.nv()), qd(x.model.nv());
                for (const Step<S>& step : drawn_direction(x, Kind::coordinate)) q(step.index) = step.size;
                for (const Step<S>& step : drawn_direction(x, Kind::rate)) qd(step.index) = step.size;
                for (const JacobianFrame from : {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed}) {
                  const LinkMotionJacobians<S> by = derivatives.of(motion, frame, from);
                  const JacobianFrame other = from == JacobianFrame::link ? JacobianFrame::mixed : JacobianFrame::link;
                  const auto add = [&](MatrixX<S> LinkMotionJacobians<S>::*of, const VectorX<S>& step,
                                       const Twist<Dual<S>>& exact) {
                    const ProductOf<S> product(by.*of, step);
                    const Vector6<S> found = coordinates(derivative(exact, 1));
                    add_twist(sides, product.value, found, product.terms);
                    sides.rival("from another frame", [&](auto& wrong) {
                      add_twist(wrong, ProductOf<S>(derivatives.of(motion, frame, other).*of, step).value, found,
                                product.terms);
                    });
                  };
                  sides.clause("ours:56/twist");
                  add(&LinkMotionJacobians<S>::twist_by_q, q, by_q.link_twist(along, from));
                  sides.clause("ours:56/acceleration");
                  add(&LinkMotionJacobians<S>::acceleration_by_q, q, by_q.link_acceleration(along, from));
                  sides.clause("ours:56/rate");
                  add(&LinkMotionJacobians<S>::acceleration_by_qd, qd, by_qd.link_acceleration(along, from));
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
                const MatrixX<S> J = motion.link_jacobian(link, JacobianFrame::world);
                const ProductOf<S> turned(by.twist_by_q, x.qd), driven(J, x.qdd);
                add_twist<S>(sides, turned.value + driven.value, in_time[1], turned.terms + driven.terms);
                const ProductOf<S> by_q(by.acceleration_by_q, x.qd), by_qd(by.acceleration_by_qd, x.qdd),
                    by_qdd(J, rates.col(2));
                const Vector6<S> terms = by_q.terms + by_qd.terms + by_qdd.terms;
                add_twist<S>(sides, by_q.value + by_qd.value + by_qdd.value, in_time[2], terms);
                sides.rival("the rates are held",
                            [&](auto& wrong) { add_twist<S>(wrong, by_q.value + by_qdd.value, in_time[2], terms); });
              }});
}

}  // namespace

template <typename S>
void derivatives_links(Registry<S>& r)
{
  motions_of_links(r);
}

template void derivatives_links(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
