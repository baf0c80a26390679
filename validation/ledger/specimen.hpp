/** \file
 *  \brief A model in a state, in any scalar, with everything that the library's algorithms and the witness say of it.
 */
#pragma once
#include <optional>
#include <random>
#include <articulate/articulate.hpp>
#include <articulate/model/displacement.hpp>
#include <ledger/scalars.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::validation {

/** \brief The binary64 numbers of one case: all that is drawn, and all that may be moved by one unit in the last place. */
struct Inputs {
  Mechanism mechanism;  ///< its gravity is drawn too: never along an axis
  ModelOptions options;
  std::vector<double> q, qd, qdd, tau;
  std::vector<std::array<double, 6>> link_wrenches;  ///< on each link of the mechanism, in its frame
  std::vector<double> free_numbers;                  ///< in (-1, 1), for what the robot does not supply
  std::uint64_t nudge = 0;                           ///< the seed by which the numbers were moved, 0 if they were not

  /// \brief Draw a case of a mechanism: the same numbers for the same seed on every machine.
  static Inputs draw(const Mechanism& mechanism, const ModelOptions& options, std::uint64_t seed);

  /// \brief The same case with every number, the mechanism's included, moved by one ulp up or down.
  Inputs nudged(std::uint64_t seed) const;
};

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

  explicit Specimen(const Inputs& in)
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
    for (const auto& visit : model.links()) Fext[visit.body] += coAdInv(visit.X, link_wrench(visit.name));
    kinematics(q, qd);
    inverse_tau = inverse(q, qd, qdd, Fext);
    forward_qdd = forward(q, qd, tau, Fext);
    motion.set_gravity({});
    for (int i = 1; i <= model.bodies(); ++i) {
      motion.place(model.body(i), q.data());
      motion.carry_velocity(model.body(i), qd.data());
      motion.carry_acceleration(model.body(i), qdd.data());
    }
  }

  int bodies() const { return model.bodies(); }

  /// \brief The drawn wrench on a link, in the link's frame.
  Wrench<S> link_wrench(const std::string& name) const
  {
    for (std::size_t l = 0; l < inputs.mechanism.links.size(); ++l)
      if (inputs.mechanism.links[l].name == name) {
        const auto& x = inputs.link_wrenches[l];
        return {{S(x[0]), S(x[1]), S(x[2])}, {S(x[3]), S(x[4]), S(x[5])}};
      }
    return {};
  }

  /// \brief A result that is handed to another algorithm is an input of that one: moved by an ulp when the case is.
  VectorX<S> as_input(VectorX<S> result) const
  {
    std::mt19937_64 signs(inputs.nudge);
    if (inputs.nudge != 0)
      for (Eigen::Index k = 0; k < result.size(); ++k)
        result(k) += S(signs() % 2 ? unit_roundoff<double>() : -unit_roundoff<double>()) * result(k);
    return result;
  }

  /// \brief Free numbers of the case: the k-th scalar, vector, twist, wrench, pose.
  S number(int k) const { return S(inputs.free_numbers.at(k)); }
  Vector3<S> vector(int k) const { return {number(k), number(k + 1), number(k + 2)}; }
  Twist<S> twist(int k) const { return {vector(k), vector(k + 3)}; }
  Wrench<S> wrench(int k) const { return {vector(k), vector(k + 3)}; }
  SE3<S> pose(int k) const { return {SO3<S>(Quaternion<S>{vector(k), number(k + 3)}), vector(k + 4)}; }

  /// \brief The bodies along the motion through this state: poses and twists as series in time.
  const ForwardKinematics<Series<S>>& along_motion() const
  {
    if (!along_motion_) {
      const Series<S> t = time_series<S>();
      series_model_.emplace(model);
      VectorX<Series<S>> step(model.nv()), rate(model.nv());
      for (int k = 0; k < model.nv(); ++k) {
        step(k) = t * qd(k) + t * t * S(qdd(k) / 2);
        rate(k) = qd(k) + t * qdd(k);
      }
      along_motion_.emplace(*series_model_);
      (*along_motion_)(displaced<Series<S>>(*series_model_, q.template cast<Series<S>>(), step), rate);
    }
    return *along_motion_;
  }
  const Model<Series<S>>& series_model() const { return along_motion(), *series_model_; }

  /// \brief Vector Newton-Euler run at (q, qd, qdd), and its joint forces.
  const witness::VectorNewtonEuler<S>& newton_euler() const { return run_witness(), *witness_; }
  const VectorX<S>& witness_tau() const { return run_witness(), witness_tau_; }
  /// \brief Mass matrix and bias by the witness.
  const MatrixX<S>& witness_mass_matrix() const { return solve_witness(), witness_M_; }
  const VectorX<S>& witness_bias() const { return solve_witness(), witness_b_; }

  /// \brief The index of a link in the mechanism's list, which is the witness's order.
  int mechanism_index(const std::string& name) const
  {
    int l = 0;
    while (inputs.mechanism.links[l].name != name) ++l;
    return l;
  }

  std::vector<Vector6<S>> witness_wrenches() const
  {
    std::vector<Vector6<S>> wrenches;
    for (const Link& link : inputs.mechanism.links) wrenches.push_back(coordinates(link_wrench(link.name)));
    return wrenches;
  }

private:
  void run_witness() const
  {
    if (witness_) return;
    witness_.emplace(inputs.mechanism, inputs.options.floating_base);
    witness_tau_ = witness_->inverse_dynamics(q, qd, qdd, gravity.eigen(), witness_wrenches());
  }
  void solve_witness() const
  {
    if (witness_M_.size()) return;
    witness::VectorNewtonEuler<S> fresh(inputs.mechanism, inputs.options.floating_base);
    witness_M_ = fresh.mass_matrix(q);
    witness_b_ = fresh.bias(q, qd, gravity.eigen(), witness_wrenches());
  }

  mutable std::optional<Model<Series<S>>> series_model_;
  mutable std::optional<ForwardKinematics<Series<S>>> along_motion_;
  mutable std::optional<witness::VectorNewtonEuler<S>> witness_;
  mutable VectorX<S> witness_tau_, witness_b_;
  mutable MatrixX<S> witness_M_;
};

}  // namespace articulate::validation
