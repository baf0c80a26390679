/** \file
 *  \brief The hydraulic manipulator with its loops closed, in a drawn instant of its working process.
 *
 *  - Paper: Ma et al. 2021. Chapter: \ref mechanisms
 */
#pragma once
#include <articulate/mechanisms/hydraulic_manipulator.hpp>
#include <articulate/mechanisms/loop_motion.hpp>
#include <articulate/mechanisms/working_process.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <models/closed_machines.hpp>

namespace articulate::validation {

/// \brief Whether a model is the built-in manipulator.
inline bool is_the_manipulator(const Model<double>& model)
{
  return model.mechanism().name == "hydraulic_manipulator" && model.nq() == 20 && model.nv() == 20;
}

/** \brief A case of the manipulator: the angles of arms 1 to 3 from the process at a drawn time, all else of its main
 *  chain drawn, and its rates and accelerations; the followers by closed forms and by the loops' rows.
 *
 *  Ask a specimen for it by `x.template once<MachineCase<S>>()`.
 */
template <typename S>
class MachineCase {
public:
  const HydraulicManipulator<S> machine;
  const std::vector<Loop> loops;
  MainMotion<S> main;           ///< of the six joints that lead, in the paper's order
  LoopMotion<S> motion;         ///< run: G, qd, qdd
  VectorX<S> q;                 ///< all coordinates
  ForwardKinematics<S> bodies;  ///< run at (q, qd)
  InverseDynamics<S> inverse;   ///< run at (q, qd, qdd)
  VectorX<S> tau;               ///< its result: of the tree, before the loops carry anything
  std::array<S, 6> moments;     ///< generalized forces of the six leaders

  explicit MachineCase(const Specimen<S>& x)
      : machine(x.model),
        loops(hydraulic_manipulator().loops),
        motion(x.model, loops, leads(machine)),
        bodies(x.model),
        inverse(x.model)
  {
    const S t = S(40) + S(39) * x.number(0);
    main = WorkingProcess<S>(working_process())(t);
    main.q[0] = S(3) * x.number(13), main.q[4] = S(2) + x.number(14);  // no loop depends on these two
    main.q[5] = S(-3) / S(2) + S(7) / S(5) * x.number(15);             // within the half turn that cylinder 5 makes
    VectorX<S> rates(6), accelerations(6);
    for (int k = 0; k < 6; ++k) {
      main.qd[k] = x.number(k + 1), main.qdd[k] = x.number(k + 7);
      const int column = column_of(k);
      rates(column) = main.qd[k], accelerations(column) = main.qdd[k];
    }
    q = machine.close(main.q);
    motion(q, rates, accelerations);
    bodies(q, motion.qd);
    tau = inverse(q, motion.qd, motion.qdd);
    const VectorX<S> all = motion.G.transpose() * tau;
    for (int k = 0; k < 6; ++k) moments[k] = all(column_of(k));
  }

  /// \brief The pose of a link in the base, and its body twist.
  SE3<S> pose(const std::string& link) const { return bodies.link_pose(machine.model().link(link)); }
  Twist<S> twist(const std::string& link) const { return bodies.link_twist(machine.model().link(link)); }

  /// \brief The space velocity of the body of a link, \eq{ma,26}, and its rate.
  Twist<S> space_velocity(const std::string& link) const
  {
    const int i = machine.model().link(link).body;
    return Ad(bodies.pose[i], bodies.V[i]);
  }
  Twist<S> space_velocity_rate(const std::string& link) const
  {
    const int i = machine.model().link(link).body;
    return Ad(bodies.pose[i], inverse.Vdot[i]) + Twist<S>{{}, machine.model().gravity()};  // inverse's base accelerates
  }

  S coordinate(const std::string& joint) const { return q(machine.slot(joint)); }
  S rate(const std::string& joint) const { return motion.qd(machine.slot(joint)); }

  /// \brief The column of G that belongs to the k-th leader in the paper's order.
  int column_of(int k) const
  {
    const std::vector<int>& l = motion.leaders();
    return static_cast<int>(std::find(l.begin(), l.end(), machine.slot(machine.leaders[k])) - l.begin());
  }

private:
  static std::vector<bool> leads(const HydraulicManipulator<S>& machine)
  {
    std::vector<bool> flags(machine.model().nv(), false);
    for (const char* joint : machine.leaders) flags[machine.slot(joint)] = true;
    return flags;
  }
};

/** \brief The machine along the motion of a case, in an arithmetic that carries derivatives in time.
 *
 *  Its poses know no rate and no Jacobian: they are closed forms of six polynomials in t.
 */
template <typename S>
class MachineAlongMotion {
public:
  const HydraulicManipulator<Series<S>> machine;
  std::array<Series<S>, 6> main;        ///< the six leaders
  VectorX<Series<S>> q;                 ///< all coordinates
  ForwardKinematics<Series<S>> bodies;  ///< poses, and twists with their first derivative

  explicit MachineAlongMotion(const Specimen<S>& x) : machine(x.series_model()), bodies(x.series_model())
  {
    const MachineCase<S>& now = x.template once<MachineCase<S>>();
    const Series<S> t = time_series<S>();
    for (int k = 0; k < 6; ++k) main[k] = now.main.q[k] + now.main.qd[k] * t + S(now.main.qdd[k] / S(2)) * t * t;
    q = machine.close(main);
    VectorX<Series<S>> qd(q.size());
    for (int k = 0; k < q.size(); ++k) qd(k) = derivative(q(k), 1) + derivative(q(k), 2) * t;
    bodies(q, qd);
  }

  SE3<Series<S>> pose(const std::string& link) const { return bodies.link_pose(machine.model().link(link)); }

  /// \brief \f$(T^{-1}\dot T)^\vee\f$ of the pose of a link in another.
  Twist<S> body_velocity(const std::string& link, const std::string& in = "base") const
  {
    const SE3<Series<S>> T = inverse(pose(in)) * pose(link);
    return vee(Matrix4<S>(inverted(derivative(T, 0)) * derivative(T, 1)));
  }
};

/** \brief The machine of a case as a function of its six coordinates alone.
 *
 *  Along a straight line in the six, \f$\theta + su\f$, the closed forms give series
 *  \f$f_u(s) = q + q_\theta u\,s + \tfrac12 q_{\theta\theta}(u,u)\,s^2\f$, and with them all second derivatives,
 *  \f$q_{\theta\theta}(u,v) = \tfrac14(f_{u+v}'' - f_{u-v}'')\f$. No Jacobian and no row of a loop is used.
 */
template <typename S>
class MachineByCoordinates {
public:
  explicit MachineByCoordinates(const Specimen<S>& x)
      : machine_(x.series_model()), now_(&x.template once<MachineCase<S>>()), rate_(now_->main.qd)
  {
    const VectorX<S> qd = first(rate_);
    for (int k = 0; k < 6; ++k) displaced_.push_back(run(now_->q, first(unit(k)), qd, second(rate_, unit(k))));
  }

  const Model<Series<S>>& model() const { return machine_.model(); }
  /// \brief All bodies while the k-th coordinate grows with the series' variable and the six rates are held.
  const ForwardKinematics<Series<S>>& displaced(int k) const { return displaced_[k]; }
  /// \brief The derivative of the coordinate of a joint by the k-th of the six.
  S derivative_of(const std::string& joint, int k) const { return first(unit(k))(machine_.slot(joint)); }

  /// \brief The left side of Lagrange's equation of the k-th coordinate \eq{ma,83}, from energies alone.
  S lagrange(int k) const
  {
    const Vector3<Series<S>> g(now_->machine.model().gravity());
    return momentum_rate(k) - kinetic_derivative(k) + derivative(displaced_[k].potential_energy(g), 1);
  }
  /// \brief Its second term.
  S kinetic_derivative(int k) const { return derivative(displaced_[k].kinetic_energy(), 1); }

private:
  using Six = std::array<S, 6>;

  static Six unit(int k)
  {
    Six u{};
    u[k] = S(1);
    return u;
  }
  static Six sum(const Six& u, const S& factor, const Six& v)
  {
    Six w = u;
    for (int k = 0; k < 6; ++k) w[k] += factor * v[k];
    return w;
  }

  VectorX<S> derivative_along(const Six& u, int order) const
  {
    std::array<Series<S>, 6> main;
    for (int k = 0; k < 6; ++k) main[k] = now_->main.q[k] + u[k] * time_series<S>();
    const VectorX<Series<S>> q = machine_.close(main);
    VectorX<S> d(q.size());
    for (int k = 0; k < q.size(); ++k) d(k) = derivative(q(k), order);
    return d;
  }
  VectorX<S> first(const Six& u) const { return derivative_along(u, 1); }
  VectorX<S> second(const Six& u, const Six& v) const
  {
    return S(S(1) / S(4)) * (derivative_along(sum(u, S(1), v), 2) - derivative_along(sum(u, S(-1), v), 2));
  }

  ForwardKinematics<Series<S>> run(const VectorX<S>& q, const VectorX<S>& dq, const VectorX<S>& qd,
                                   const VectorX<S>& dqd) const
  {
    VectorX<Series<S>> place(q.size()), rate(q.size());
    for (int k = 0; k < q.size(); ++k)
      place(k) = q(k) + dq(k) * time_series<S>(), rate(k) = qd(k) + dqd(k) * time_series<S>();
    ForwardKinematics<Series<S>> bodies(model());
    bodies(place, rate);
    return bodies;
  }

  /// E is of second degree in the rates: its derivative by one is a difference quotient of any step, here of two.
  S momentum_rate(int k) const
  {
    const VectorX<S> acceleration = first(now_->main.qdd), qd = first(rate_);
    const auto energy = [&](const S& step) {
      const Six v = sum(rate_, step, unit(k));
      const auto bodies = run(now_->q, qd, first(v), acceleration + second(rate_, v));
      return derivative(bodies.kinetic_energy(), 1);
    };
    return (energy(S(1)) - energy(S(-1))) / S(2);
  }

  const HydraulicManipulator<Series<S>> machine_;
  const MachineCase<S>* now_;
  const Six rate_;
  std::vector<ForwardKinematics<Series<S>>> displaced_;
};

}  // namespace articulate::validation
