#include <higher_order/true_motion.hpp>

namespace articulate::validation {

using ProofScalar = ARTICULATE_PROOF_SCALAR;

}  // namespace articulate::validation

namespace articulate {

template class SpatialForm<validation::ProofScalar>;
template class HigherOrderDynamics<validation::ProofScalar>;

}  // namespace articulate

namespace articulate::validation {

template <typename S>
MatrixX<S> drawn_rates(const Specimen<S>& x, int columns)
{
  MatrixX<S> rates(x.model.nv(), columns);
  for (int d = 0; d < rates.rows(); ++d)
    for (int k = 0; k < columns; ++k)
      rates(d, k) = k == 0 ? x.qd(d) : k == 1 ? x.qdd(d) : S(5) * x.number((7 * d + 31 * k) % 128);
  return rates;
}

template <typename S>
Wrench<S> drawn_wrench(const Specimen<S>& x, const std::string& link, int k)
{
  return k == 0 ? x.link_wrench(link) : S(3) * x.wrench((6 * x.mechanism_index(link) + 17 * k) % 122);
}

template <typename S>
WrenchDerivatives<S> drawn_wrenches(const Specimen<S>& x, int r)
{
  WrenchDerivatives<S> Fext(r + 1, ExternalWrenches<S>(x.bodies() + 1));
  for (int k = 0; k <= r; ++k)
    for (const LinkFrame<S>& link : x.model.links())
      Fext[k][link.body] += coAdInv(link.X, drawn_wrench(x, link.name, k));
  return Fext;
}

template <typename S>
TrueMotion<S>::TrueMotion(const Specimen<S>& x)
    : rates(drawn_rates(x, highest_order + 2)), Fext(drawn_wrenches(x, highest_order))
{
  const Model<S>& model = x.model;
  std::mt19937_64 signs(x.inputs.nudge);
  const auto input = [&](auto result) {
    for (S& number : result.reshaped())
      if (x.inputs.nudge != 0) number += S(signs() % 2 ? unit_roundoff<double>() : -unit_roundoff<double>()) * number;
    return result;
  };
  std::vector<std::vector<Vector6<S>>> external(Fext.size());
  for (int k = 0; k <= highest_order; ++k)
    for (const Link& link : x.inputs.mechanism.links) external[k].push_back(coordinates(drawn_wrench(x, link.name, k)));
  const auto seen = witness::motion_in_time<S>(x.inputs.mechanism, x.inputs.options.floating_base, x.q, rates,
                                               x.gravity.eigen(), external);
  tau = input(MatrixX<S>(seen.tau.leftCols(highest_order + 1)));
  for (const auto& screw : seen.screws) {
    screws.emplace_back();
    for (const Vector6<S>& derivative : screw) screws.back().push_back(to_twist(input(derivative)));
  }
  const std::size_t N = model.bodies() + 1, terms = highest_order + 2;
  pose.resize(N), V.resize(N), V_body.resize(N), transport.resize(N), W.resize(N);
  M.assign(N, std::vector<Matrix6<S>>(terms, Matrix6<S>::Zero()));
  Pi.assign(N, std::vector<Wrench<S>>(terms)), applied = weight = Pi;
  for (const LinkFrame<S>& frame : model.links()) {
    if (frame.body == 0) continue;
    const int i = frame.body;
    const auto& link = seen.links[x.mechanism_index(frame.name)];
    const bool first = V[i].empty();  // the one that the joint carries
    for (std::size_t k = 0; k < terms; ++k) {
      if (first) {
        pose[i].push_back(input(link.pose[k]) * matrix(inverse(frame.X)));
        V[i].push_back(to_twist(input(link.twist[k])));
        V_body[i].push_back(Ad(frame.X, to_twist(input(link.twist_in_link[k]))));
        transport[i].push_back(link.transport[k] * Ad_matrix(frame.X).transpose());
        W[i].push_back(to_wrench(input(link.joint_wrench[k])));
      }
      M[i][k] += link.inertia[k];
      Pi[i][k] += to_wrench(input(link.momentum[k]));
      applied[i][k] += to_wrench(input(link.applied[k]));
      weight[i][k] += to_wrench(link.weight[k]);
    }
  }
}

template MatrixX<ProofScalar> drawn_rates(const Specimen<ProofScalar>&, int);
template WrenchDerivatives<ProofScalar> drawn_wrenches(const Specimen<ProofScalar>&, int);
template Wrench<ProofScalar> drawn_wrench(const Specimen<ProofScalar>&, const std::string&, int);
template struct TrueMotion<ProofScalar>;

}  // namespace articulate::validation
