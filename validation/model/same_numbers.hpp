/** \file
 *  \brief Do two descriptions give the same numbers, as far as rounding lets them?
 *
 *  What rounding does is measured: 100 n times what the answers change when every number of the description and of the
 *  state moves by one unit in its last place (design: 100 n eps kappa).
 */
#pragma once
#include <algorithm>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <models/inputs.hpp>

namespace articulate::validation {

/// \brief A state in plain vectors, and the wrenches on links by name.
struct DrawnState {
  VectorX<double> q, qd, qdd;
  std::vector<std::pair<std::string, Wrench<double>>> wrenches;

  DrawnState(const Model<double>& model, const Inputs& in) : q(vector(in.q)), qd(vector(in.qd)), qdd(vector(in.qdd))
  {
    for (const JointSlot& joint : model.joints())
      if (joint.nq > joint.nv) q.segment(joint.q + joint.nq - 4, 4).normalize();
    for (std::size_t l = 0; l < in.link_wrenches.size(); ++l) {
      const auto& w = in.link_wrenches[l];
      wrenches.push_back({in.mechanism.links[l].name, {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}}});
    }
  }

private:
  static VectorX<double> vector(const std::vector<double>& x)
  {
    return Eigen::Map<const VectorX<double>>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
};

/// \brief What is compared: forces, mass matrix and bias of a state.
struct Answers {
  VectorX<double> tau, bias;
  MatrixX<double> M;

  Answers(const Model<double>& model, const DrawnState& x)
  {
    ExternalWrenches<double> F(model.bodies() + 1);
    for (const auto& [name, W] : x.wrenches) {
      const LinkFrame<double>& frame = model.link(name);
      F[frame.body] += coAdInv(frame.X, W);
    }
    InverseDynamics<double> rnea(model);
    tau = rnea(x.q, x.qd, x.qdd, F);
    bias = rnea(x.q, x.qd, VectorX<double>::Zero(model.nv()), F);
    M = mass_matrix<double>(model, x.q);
  }
};

/// \brief The largest differences of tau, of bias and of M.
inline std::array<double, 3> difference(const Answers& a, const Answers& b)
{
  const auto largest = [](const auto& x) { return x.size() == 0 ? 0. : x.cwiseAbs().maxCoeff(); };
  return {largest(a.tau - b.tau), largest(a.bias - b.bias), largest(a.M - b.M)};
}

/// \brief How far the answers may be off by rounding.
inline std::array<double, 3> rounding_of(const Inputs& in)
{
  const Model<double> model(in.mechanism, in.options);
  const Answers here(model, DrawnState(model, in));
  std::array<double, 3> largest{};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Inputs beside = in.nudged(seed);
    const Model<double> moved(beside.mechanism, in.options);
    const std::array<double, 3> change = difference(here, Answers(moved, DrawnState(moved, beside)));
    for (int k = 0; k < 3; ++k) largest[k] = std::max(largest[k], 100 * model.nv() * change[k]);
  }
  return largest;
}

}  // namespace articulate::validation
