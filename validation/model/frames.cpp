/** \file
 *  \brief Proofs of chapter model: Jacobians of frames that links carry, and how they change, \eq{ours,40} to
 *  \eq{ours,42}.
 */
#include <model/carried_frames.hpp>

namespace articulate::validation {
namespace {

/// The columns of a Jacobian about angles, then those along lengths.
template <typename S>
void add_jacobian(Sides<S>& sides, const Model<S>& model, const MatrixX<S>& left, const MatrixX<S>& right,
                  const std::function<Terms<S>(const VectorX<S>&)>& terms)
{
  for (const bool angular : {true, false}) {
    std::vector<int> columns;
    VectorX<S> factor = VectorX<S>::Zero(model.nv());
    for (int k = 0; k < model.nv(); ++k)
      if (model.rate_is_angular(k) == angular) columns.push_back(k), factor(k) = S(1);
    if (columns.empty()) continue;
    const MatrixX<S> some = left(Eigen::all, columns), others = right(Eigen::all, columns);
    add_six(sides, some, others, terms(factor));
  }
}

template <typename S>
void jacobians_of_frames(Registry<S>& r)
{
  r.identity({.name = "the_jacobian_of_a_frame_has_the_screws_of_its_joints_in_its_columns",
              .keys = {"ours:40/link", "ours:40/world", "ours:40/mixed"},
              .symbols = "ForwardKinematics::link_jacobian ForwardKinematics::seen_from frame_on",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CarriedFrame<S>& at : carried_frames(x))
                  for (const JacobianFrame from : three_frames) {
                    const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
                    const auto terms = [&](const VectorX<S>& factor) {
                      return terms_of_product(J, factor, at.lever(from));
                    };
                    sides.clause({clause_of("ours:40", from)});
                    add_jacobian<S>(sides, x.model, x.kinematics.link_jacobian(at.frame, from), J, terms);
                    sides.rival("from another of the three frames", [&](auto& wrong) {
                      add_jacobian<S>(wrong, x.model, x.kinematics.link_jacobian(at.frame, mistaken(from)), J, terms);
                    });
                  }
              }});
  r.identity({.name = "the_rate_of_a_jacobian_is_that_of_the_screws_in_its_columns",
              .keys = {"ours:41/link", "ours:41/world", "ours:41/mixed"},
              .symbols = "ForwardKinematics::link_jacobian_rate against",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CarriedFrame<S>& at : carried_frames(x))
                  for (const JacobianFrame from : three_frames) {
                    const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
                    const MatrixX<S> Jdot = at.jacobian(from, x.model.nv(), true);
                    const Vector6<S> V = seen_in(from, at.pose, at.twist).now;
                    const auto terms = [&](const VectorX<S>& factor) {
                      return terms_of_rate(J, V, factor, at.lever(from));
                    };
                    sides.clause({clause_of("ours:41", from)});
                    add_jacobian<S>(sides, x.model, x.kinematics.link_jacobian_rate(at.frame, x.qd, from), Jdot, terms);
                    sides.rival("from another of the three frames", [&](auto& wrong) {
                      add_jacobian<S>(wrong, x.model, x.kinematics.link_jacobian_rate(at.frame, x.qd, mistaken(from)),
                                      Jdot, terms);
                    });
                  }
              }});
  r.identity({.name = "the_bias_acceleration_is_the_rate_of_the_jacobian_times_the_rates",
              .keys = {"ours:42/link", "ours:42/world", "ours:42/mixed"},
              .symbols = "ForwardKinematics::link_bias_acceleration ForwardKinematics::rate_of_twist",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x, Sides<S>& sides) {
                for (const CarriedFrame<S>& at : carried_frames(x))
                  for (const JacobianFrame from : three_frames) {
                    const MatrixX<S> J = at.jacobian(from, x.model.nv(), false);
                    const Vector6<S> product = at.jacobian(from, x.model.nv(), true) * x.qd;
                    const Vector6<S> V = seen_in(from, at.pose, at.twist).now;
                    const Terms<S> terms = terms_of_rate(J, V, x.qd, at.lever(from));
                    sides.clause({clause_of("ours:42", from)});
                    add_six(sides, coordinates(x.kinematics.link_bias_acceleration(at.frame, from)), product, terms);
                    sides.rival("from another of the three frames", [&](auto& wrong) {
                      add_six(wrong, coordinates(x.kinematics.link_bias_acceleration(at.frame, mistaken(from))),
                              product, terms);
                    });
                  }
              }});
}

}  // namespace

template <typename S>
void model_frames(Registry<S>& r)
{
  jacobians_of_frames(r);
}

template void model_frames(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
