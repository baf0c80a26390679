/** \file
 *  \brief What every algorithm answers at one state of one small tree, for any scalar.
 */
#pragma once
#include <cmath>
#include <complex>
#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>
#include <articulate/articulate.hpp>

namespace articulate::scalars {

using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, 1>>;

/// A tree with a joint of every kind, or of every kind that has coordinates; its last link is never a parent.
inline Mechanism tree_of_joints(const std::vector<JointType>& types)
{
  Mechanism m;
  m.name = m.source = "tree";
  m.links = {{"l0", 1, {}, {0, 0, 0, 1}, {1, 0, 0, 1, 0, 1}}};
  for (int i = 1; i <= static_cast<int>(types.size()); ++i) {
    const std::string name = "l" + std::to_string(i), parent = "l" + std::to_string(i / 2);
    const double t = 0.1 * i;
    m.links.push_back({name, 1 + t, {t, 0.2, -0.1}, {0.2, t, 0.3, 0.9}, {0.3, 0.01, 0, 0.4, 0.02, 0.5}});
    m.joints.push_back({"j" + std::to_string(i),
                        types[i - 1],
                        parent,
                        name,
                        {0.2, -0.1, t},
                        {t, 0.4, -0.2, 0.8},
                        {0.3, -0.5, 0.6 - t},
                        0.2});
  }
  m.gravity = {0.7, -1.1, -9.6};
  return m;
}

inline const std::vector<JointType> with_charts = {JointType::revolute, JointType::universal, JointType::prismatic,
                                                   JointType::helical, JointType::planar};
inline const std::vector<JointType> all_kinds = {JointType::revolute,  JointType::ball,    JointType::universal,
                                                 JointType::prismatic, JointType::helical, JointType::floating};

template <typename Scalar>
VectorX<Scalar> ramp(int n, double start, double step)
{
  VectorX<Scalar> x(n);
  for (int k = 0; k < n; ++k) x(k) = Scalar(std::sin(start + step * k));
  return x;
}

/// Numbers in a row, each set under the name of the algorithm that answered.
template <typename Scalar>
struct Answers {
  std::vector<std::pair<std::string, std::vector<Scalar>>> sets;

  template <typename Derived>
  void add(const std::string& name, const Eigen::MatrixBase<Derived>& x)
  {
    std::vector<Scalar> numbers;
    for (int j = 0; j < x.cols(); ++j)
      for (int i = 0; i < x.rows(); ++i) numbers.push_back(x(i, j));
    sets.emplace_back(name, numbers);
  }
};

/// The state at p = 0 and the direction in which it is left.
template <typename Scalar>
struct State {
  VectorX<Scalar> q, qd, qdd;
  State(const Model<Scalar>& model, const Scalar& p)
      : q(displaced(model, displaced(model, model.zero_coordinates(), ramp<Scalar>(model.nv(), 0.4, 1.7)),
                    VectorX<Scalar>(p * ramp<Scalar>(model.nv(), 1.1, 0.6)))),
        qd(ramp<Scalar>(model.nv(), 0.2, 0.9) + p * ramp<Scalar>(model.nv(), 2.1, 0.7)),
        qdd(ramp<Scalar>(model.nv(), 0.3, 1.3) + p * ramp<Scalar>(model.nv(), 0.9, 0.8))
  {
  }
};

template <typename Scalar>
std::vector<bool> every_third(const Model<Scalar>& model)
{
  std::vector<bool> prescribed(model.nv());
  for (int k = 0; k < model.nv(); ++k) prescribed[k] = k % 3 == 1;
  return prescribed;
}

template <typename Scalar>
void answer_dynamics(const Scalar& p, Answers<Scalar>& answers)
{
  const Model<Scalar> model(Model<double>(tree_of_joints(all_kinds)));
  const State<Scalar> x(model, p);
  const VectorX<Scalar> tau = x.qdd;
  ExternalWrenches<Scalar> Fext(model.bodies() + 1);
  Fext[3] = {{Scalar(1), Scalar(2), Scalar(-1)}, {Scalar(0), p, Scalar(3)}};

  ForwardKinematics<Scalar> kinematics(model);
  kinematics(x.q, x.qd);
  const LinkFrame<Scalar>& tip = model.links().back();
  answers.add("pose", matrix(kinematics.link_pose(tip)));
  answers.add("Jacobian", kinematics.link_jacobian(tip, JacobianFrame::mixed));
  answers.add("momentum", coordinates(kinematics.momentum()));
  SpaceMotion<Scalar> motion(model);
  motion(x.q, x.qd, x.qdd);
  answers.add("acceleration of a link", coordinates(motion.link_classical_acceleration(tip)));
  LinkDerivatives<Scalar> of_links(model);
  of_links(motion, x.qd, x.qdd);
  answers.add("its Jacobian", of_links.of(motion, tip, JacobianFrame::mixed).acceleration_by_q);
  answers.add("derivative of a Jacobian", link_jacobian_derivatives(kinematics, tip, JacobianFrame::mixed)[0]);
  InverseDynamics<Scalar> rnea(model);
  answers.add("inverse dynamics", rnea(x.q, x.qd, x.qdd, Fext));
  ForwardDynamics<Scalar> aba(model);
  answers.add("forward dynamics", aba(x.q, x.qd, tau, Fext));
  HybridDynamics<Scalar> hybrid(model, every_third(model));
  hybrid(x.q, x.qd, x.qdd, tau, Fext);
  answers.add("hybrid accelerations", hybrid.qdd());
  answers.add("hybrid forces", hybrid.tau());

  const std::vector<Loop> cut{cut_joint("cut", JointType::ball, {"l5"}, {"l6"})};
  Loops<Scalar> loops(model, cut);
  loops(x.q, x.qd);
  ConstrainedDynamics<Scalar> constrained(model, every_third(model), loops.rows());
  constrained(x.q, x.qd, x.qdd, tau, loops.A, loops.Adot_qd, Fext);
  answers.add("constrained accelerations", constrained.qdd());
  answers.add("constraint forces", constrained.lambda());
  const Scalar restitution = Scalar(0.375);
  LoopImpulseDerivative<Scalar> of_impulse(model, cut);
  of_impulse(x.q, x.qd, restitution);
  answers.add("rates after an impulse", of_impulse.impulse.qd);
  answers.add("impulse", of_impulse.impulse.Lambda);
  answers.add("derivatives of an impulse", of_impulse.dLambda_dq);

  Mobility<Scalar> at(model);
  at(x.q);
  const MatrixX<Scalar> J = kinematics.link_jacobian(tip), slides = J.bottomRows(3);
  answers.add("operational-space inertia", operational_inertia(at, slides));
  answers.add("mobility with loops", constrained_mobility(at, J, loops.A));
}

template <typename Scalar>
void answer_matrices(const Scalar& p, Answers<Scalar>& answers)
{
  const Model<Scalar> model(Model<double>(tree_of_joints(all_kinds)));
  const State<Scalar> x(model, p);
  answers.add("mass matrix", CompositeBodies<Scalar>(model)(x.q));
  answers.add("inverse of the mass matrix", InverseMassMatrix<Scalar>(model)(x.q));
  CentroidalMomentum<Scalar> whole(model);
  answers.add("centroidal momentum matrix", whole(x.q, x.qd));
  answers.add("its rate", whole.Adot);
  CentroidalDerivatives<Scalar> of_whole(model);
  of_whole(x.q, x.qd, x.qdd);
  answers.add("derivatives of the centroidal momentum", of_whole.dh_dq);
  answers.add("those of its rate", of_whole.dhdot_dq);
  answers.add("rate of the centroidal momentum", coordinates(whole.momentum_rate(x.qdd)));
  for (const CoriolisFamily family : {CoriolisFamily::ploen, CoriolisFamily::christoffel})
    answers.add("Coriolis matrix", CoriolisMatrix<Scalar>(model, family)(x.q, x.qd));
  answers.add("reference dynamics", ReferenceDynamics<Scalar>(model)(x.q, x.qd, x.qdd, x.qdd));
  answers.add("regressor", Regressor<Scalar>(model)(x.q, x.qd, x.qdd));
  answers.add("Lagrange's equations", LagrangeEquations<Scalar>(model)(x.q, x.qd, x.qdd));
  HybridDynamics<Scalar> hybrid(model, every_third(model));
  hybrid(x.q, x.qd, x.qdd, x.qdd);
  HybridDynamicsJacobians<Scalar> jacobians(model);
  jacobians(hybrid, x.q, x.qd, hybrid.qdd());
  answers.add("Jacobian of hybrid dynamics", jacobians.by_q);
  Seeds<Scalar> seeds(model);
  Parameter::coordinate(0).add_to(seeds, hybrid, VectorRef<Scalar>(x.qd));
  HybridDynamicsDerivative<Scalar> derivative(model);
  derivative(hybrid, x.qd, hybrid.qdd(), seeds);
  answers.add("derivative of hybrid dynamics", derivative.dqdd());
  HybridDynamicsSecondDerivatives<Scalar> hessians(model);
  hessians(hybrid, x.q, x.qd, hybrid.qdd());
  for (const MatrixX<Scalar>& one : hessians.dq_dq) answers.add("Hessian of hybrid dynamics", one);

  const Model<Scalar> charts(Model<double>(tree_of_joints(with_charts)));
  InertiaMetric<Scalar> metric(charts);
  metric(State<Scalar>(charts, p).q);
  answers.add("symbols of Christoffel", metric.C(State<Scalar>(charts, p).qd));
}

template <typename Scalar, typename Form>
void answer_higher_order(const Scalar& p, const std::string& name, Answers<Scalar>& answers)
{
  const Model<Scalar> model(Model<double>(tree_of_joints(all_kinds)));
  const State<Scalar> x(model, p);
  MatrixX<Scalar> given(model.nv(), 2);
  given << x.qdd, x.qd;
  HigherOrderDynamics<Scalar, Form> dynamics(model, 1, every_third(model));
  dynamics(x.q, x.qd, given, given);
  answers.add(name, dynamics.qdd());
}

template <typename Scalar>
Answers<Scalar> all_answers(const Scalar& p)
{
  Answers<Scalar> answers;
  answer_dynamics(p, answers);
  answer_matrices(p, answers);
  answer_higher_order<Scalar, BodyForm<Scalar>>(p, "derivatives in time, by bodies", answers);
  answer_higher_order<Scalar, SpatialForm<Scalar>>(p, "derivatives in time, in space", answers);
  return answers;
}

// Each in a translation unit of its own, or nearly.
extern template Answers<double> all_answers(const double& p);
extern template Answers<float> all_answers(const float& p);
extern template Answers<std::complex<double>> all_answers(const std::complex<double>& p);
extern template Answers<Dual> all_answers(const Dual& p);

}  // namespace articulate::scalars
