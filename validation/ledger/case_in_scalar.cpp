/** \file
 *  \brief The library and a case, compiled for one scalar.
 */
#include <ledger/linear_systems.hpp>
#include <ledger/specimen.hpp>
#include <witnesses/compiled.hpp>

namespace articulate::validation {

using ProofScalar = ARTICULATE_PROOF_SCALAR;

}  // namespace articulate::validation

namespace articulate {

template struct witness::VectorNewtonEuler<validation::ProofScalar>;
template class InverseDynamics<validation::ProofScalar>;
template class ArticulatedBodies<validation::ProofScalar>;
template class ForwardDynamics<validation::ProofScalar>;

}  // namespace articulate

namespace articulate::validation {

template <typename S>
Specimen<S>::Specimen(const Inputs& in)
    : inputs(in),
      model(Model<double>(in.mechanism, {in.options.floating_base, true})),
      q(to_vector<S>(in.q)),
      qd(to_vector<S>(in.qd)),
      qdd(to_vector<S>(in.qdd)),
      tau(to_vector<S>(in.tau)),
      gravity(model.gravity()),
      Fext(model.bodies() + 1),
      kinematics(model),
      inverse(model),
      forward(model),
      motion(model)
{
  for (const auto& link : model.links()) Fext[link.body] += coAdInv(link.X, link_wrench(link.name));
  kinematics(q, qd);
  inverse_tau = inverse(q, qd, qdd, Fext);
  forward_qdd = forward(q, qd, tau, Fext);
  motion.set_gravity({});
  motion.place(q);
  for (int i = 1; i <= model.bodies(); ++i) {
    motion.carry_velocity(model.body(i), qd.data());
    motion.carry_acceleration(model.body(i), qdd.data());
  }
}

template <typename S>
Wrench<S> Specimen<S>::link_wrench(const std::string& name) const
{
  const auto& x = inputs.link_wrenches[mechanism_index(name)];
  return {{S(x[0]), S(x[1]), S(x[2])}, {S(x[3]), S(x[4]), S(x[5])}};
}

template <typename S>
const ForwardKinematics<Series<S>>& Specimen<S>::along_motion() const
{
  if (along_motion_) return *along_motion_;
  const Series<S> t = time_series<S>();
  series_model_.emplace(model);
  VectorX<Series<S>> step(model.nv()), rate(model.nv());
  for (int k = 0; k < model.nv(); ++k) {
    step(k) = t * qd(k) + t * t * S(qdd(k) / 2);
    rate(k) = qd(k) + t * qdd(k);
  }
  along_motion_.emplace(*series_model_);
  (*along_motion_)(displaced<Series<S>>(*series_model_, q.template cast<Series<S>>(), step), rate);
  return *along_motion_;
}

template <typename S>
std::vector<Vector6<S>> Specimen<S>::witness_wrenches() const
{
  std::vector<Vector6<S>> wrenches;
  for (const Link& link : inputs.mechanism.links) wrenches.push_back(coordinates(link_wrench(link.name)));
  return wrenches;
}

template <typename S>
void Specimen<S>::run_witness() const
{
  if (witness_) return;
  witness_.emplace(inputs.mechanism, inputs.options.floating_base);
  witness_tau_ = witness_->inverse_dynamics(q, qd, qdd, gravity.eigen(), witness_wrenches());
}

template <typename S>
void Specimen<S>::solve_witness() const
{
  if (witness_M_.size()) return;
  witness::VectorNewtonEuler<S> fresh(inputs.mechanism, inputs.options.floating_base);
  witness_M_ = fresh.mass_matrix(q);
  witness_b_ = fresh.bias(q, qd, gravity.eigen(), witness_wrenches());
  witness_qdd_ = definite_solution(as_input(witness_M_), VectorX<S>(tau - as_input(witness_b_)));
}

template <typename S>
VectorX<S> Specimen<S>::lagrange_tau() const
{
  return witness::lagrange_tau<S>(inputs.mechanism, inputs.options.floating_base, q, qd, qdd, gravity.eigen(),
                                  witness_wrenches());
}

template <typename S>
VectorX<S> Specimen<S>::maximal_qdd() const
{
  return witness::maximal_qdd<S>(inputs.mechanism, inputs.options.floating_base, q, qd, tau, gravity.eigen(),
                                 witness_wrenches());
}

template class Specimen<ProofScalar>;

}  // namespace articulate::validation
