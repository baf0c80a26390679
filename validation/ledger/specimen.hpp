/** \file
 *  \brief A model in a state, in any scalar, with everything that the library's algorithms and the witness say of it.
 */
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <typeindex>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/body/solids.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/model/displacement.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <ledger/scalars.hpp>
#include <models/inputs.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::validation {

template <typename Scalar>
VectorX<Scalar> to_vector(const std::vector<double>& x)
{
  VectorX<Scalar> y(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) y(k) = Scalar(x[k]);
  return y;
}

/** \brief A case in a scalar.
 *
 *  The runs of the library are made at once; what costs more is made when an identity asks for it.
 */
template <typename S>
class Specimen {
public:
  const Inputs inputs;
  const Model<S> model;
  const VectorX<S> q, qd, qdd, tau;
  const Vector3<S> gravity;
  ExternalWrenches<S> Fext;         ///< on the bodies
  ForwardKinematics<S> kinematics;  ///< run at (q, qd)
  InverseDynamics<S> inverse;       ///< run at (q, qd, qdd)
  VectorX<S> inverse_tau;           ///< its result
  ForwardDynamics<S> forward;       ///< run at (q, qd, tau)
  VectorX<S> forward_qdd;           ///< its result
  Recursion<S> motion;              ///< the true accelerations: as inverse, but with a base at rest

  explicit Specimen(const Inputs& in);

  int bodies() const { return model.bodies(); }

  /// \brief The drawn wrench on a link, in the link's frame.
  Wrench<S> link_wrench(const std::string& name) const;

  /** \brief A result that is handed to another algorithm is an input of that one: moved by an ulp when the case is.
   *  \param beside  of what size the terms are of which the result is a sum, whose ulp it is, if they may cancel
   */
  template <typename Result>
  Result as_input(Result result, const Result& beside) const
  {
    if (inputs.nudge == 0) return result;
    std::mt19937_64 signs(inputs.nudge + (++handed_on_ << 32));
    for (Eigen::Index k = 0; k < result.size(); ++k)
      result.reshaped()(k) +=
          S(signs() % 2 ? unit_roundoff<double>() : -unit_roundoff<double>()) * beside.reshaped()(k);
    return result;
  }
  template <typename Result>
  Result as_input(const Result& result) const
  {
    return as_input(result, result);
  }

  /// \brief Free numbers of the case: the k-th scalar, vector, twist, wrench, pose.
  S number(int k) const { return S(inputs.free_numbers.at(k)); }
  Vector3<S> vector(int k) const { return {number(k), number(k + 1), number(k + 2)}; }
  Twist<S> twist(int k) const { return {vector(k), vector(k + 3)}; }
  Wrench<S> wrench(int k) const { return {vector(k), vector(k + 3)}; }
  SE3<S> pose(int k) const { return {SO3<S>(Quaternion<S>{vector(k), number(k + 3)}), vector(k + 4)}; }

  /// \brief The bodies along the motion through this state: poses and twists as series in time.
  const ForwardKinematics<Series<S>>& along_motion() const;
  const Model<Series<S>>& series_model() const { return along_motion(), *series_model_; }

  /// \brief Vector Newton-Euler run at (q, qd, qdd), and its joint forces.
  const witness::VectorNewtonEuler<S>& newton_euler() const { return run_witness(), *witness_; }
  const VectorX<S>& witness_tau() const { return run_witness(), witness_tau_; }
  /// \brief Mass matrix and bias by the witness, and the acceleration that they give to (q, qd, tau) by a dense solve.
  const MatrixX<S>& witness_mass_matrix() const { return solve_witness(), witness_M_; }
  const VectorX<S>& witness_bias() const { return solve_witness(), witness_b_; }
  const VectorX<S>& witness_qdd() const { return solve_witness(), witness_qdd_; }

  /// \brief Joint forces by Lagrange's equations, and joint accelerations of free bodies held together by multipliers.
  VectorX<S> lagrange_tau() const;
  VectorX<S> maximal_qdd() const;

  /// \brief What is made of a case, once: when it is first asked for.
  template <typename Result>
  const Result& once() const
  {
    std::shared_ptr<const void>& made = made_[typeid(Result)];
    if (!made) made = std::make_shared<const Result>(*this);
    return *static_cast<const Result*>(made.get());
  }

  /// \brief The index of a link in the mechanism's list, which is the witness's order.
  int mechanism_index(const std::string& name) const
  {
    int l = 0;
    while (inputs.mechanism.links[l].name != name) ++l;
    return l;
  }

private:
  std::vector<Vector6<S>> witness_wrenches() const;
  void run_witness() const;
  void solve_witness() const;

  mutable std::optional<Model<Series<S>>> series_model_;
  mutable std::optional<ForwardKinematics<Series<S>>> along_motion_;
  mutable std::optional<witness::VectorNewtonEuler<S>> witness_;
  mutable VectorX<S> witness_tau_, witness_b_, witness_qdd_;
  mutable MatrixX<S> witness_M_;
  mutable std::map<std::type_index, std::shared_ptr<const void>> made_;
  mutable std::uint64_t handed_on_ = 0;  // results, each of which is moved in its own way
};

// Compiled once per scalar, in case_in_scalar.cpp.
extern template class Specimen<double>;
extern template class Specimen<Fifty>;

}  // namespace articulate::validation

namespace articulate {

extern template struct witness::VectorNewtonEuler<double>;
extern template struct witness::VectorNewtonEuler<validation::Fifty>;
extern template class InverseDynamics<double>;
extern template class InverseDynamics<validation::Fifty>;
extern template class ArticulatedBodies<double>;
extern template class ArticulatedBodies<validation::Fifty>;
extern template class ForwardDynamics<double>;
extern template class ForwardDynamics<validation::Fifty>;

}  // namespace articulate
