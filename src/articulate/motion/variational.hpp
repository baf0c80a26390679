/** \file
 *  \brief A step in time that is symplectic: the discrete equations of Lagrange on the group of configurations.
 *
 *  - Chapter: \ref motion
 *  - After Marsden, Pekarsky and Shkoller (1999) and Bou-Rabee and Marsden (2009); none of the five papers integrates.
 */
#pragma once
#include <algorithm>
#include <sstream>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/motion/pull_back.hpp>  // and displace
#include <articulate/constrained/semidefinite.hpp>

namespace articulate {

/** \brief The two derivatives of Lagrange's function.
 *
 *  \f$\ell(q, \dot q) = \tfrac12\sum_i V_i^{\mathsf T}\mathcal I_iV_i - U(q)\f$. One sweep outward and one inward, O(n). External wrenches count as part of the second.
 */
template <typename Scalar>
class LagrangianDerivatives : public Recursion<Scalar> {
  using Base = Recursion<Scalar>;
  using Base::model_;

public:
  using Base::T, Base::S, Base::V, Base::Vdot, Base::place, Base::carry_velocity, Base::gather_force;

  VectorX<Scalar> momentum;  ///< nv: \f$\partial\ell/\partial\dot q = M\dot q\f$
  VectorX<Scalar> force;     ///< nv: by displacements of the joints at held rates, \f$\text D_q\ell\f$

  explicit LagrangianDerivatives(const Model<Scalar>& model)
      : Base(model), momentum(VectorX<Scalar>::Zero(model.nv())), force(momentum), P_(T.size()), W_(P_)
  {
  }

  /** \brief Both at a state.
   *  \param q, qd  nq coordinates and nv rates   \param Fext  wrenches on the bodies, in body frames; empty for none
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const ExternalWrenches<Scalar>& Fext = {})
  {
    detail::require_size("q", q, model_.nq());
    detail::require_size("qd", qd, model_.nv());
    if (!Fext.empty()) detail::require_size("Fext", Fext, model_.bodies() + 1);
    const Rates<Scalar> rates(qd);
    const JointVector<Scalar> felt(force);
    // [lagrangian]
    // Each body alone: its momentum, its weight, what acts on it.
    place(q);
    for (const Body<Scalar>& body : model_.outward()) {
      const int i = body.index, parent = body.parent;
      carry_velocity(body, qd);
      Vdot[i] = AdInv(T[i], Vdot[parent]);  // (0, -g), seen from the body
      P_[i] = body.I * V[i];
      W_[i] = -(body.I * Vdot[i]);
      if (!Fext.empty()) W_[i] += Fext[i];
    }
    // What a joint carries in all. A displacement S eta of it turns the twist V - S qd that comes from the parent,
    // by ad_{V - S qd} S eta, and changes the columns of S where they depend on q.
    for (const Body<Scalar>& body : model_.inward()) {
      const int i = body.index;
      const Twist<Scalar> S_qd = S[i] * rates(body);
      felt(body) = transpose(S[i]) * (W_[i] + coad(V[i] - S_qd, P_[i]));
      for (int k = 0; k < body.nv; ++k)
        for (int j = 0; j < k; ++j) felt(body)[k] += rates(body)[j] * pairing(P_[i], S[i].derivative(j, k));
      W_[body.parent] += coAdInv(T[i], W_[i]);
      gather_force(body, P_, momentum);
    }
    // [lagrangian]
  }

private:
  Indexed<Wrench<Scalar>> P_, W_;
};

/** \brief Order 2, symmetric, symplectic; momentum is kept to rounding where nothing outside acts.
 *
 *  The motion between two places is \f$q_1 = q_0\,e^{h\xi}\f$. Its action is taken by the trapezoidal rule,
 *  \f$\tfrac h2\,\ell(q_0,\xi) + \tfrac h2\,\ell(q_1,\xi)\f$, and the equations of the step are its derivatives by both
 *  ends. Loops are closed at the end to rounding, and so are the rates. Owns its workspace.
 */
template <typename Scalar>
class VariationalIntegrator {
public:
  /** \brief Make the workspace.
   *  \param loops  of the machine; none for a tree
   *  \throws ModelError for a joint that moves no mass, or for a loop as Loops does
   */
  explicit VariationalIntegrator(const Model<Scalar>& model, const std::vector<Loop>& loops = {})
      : start_(model),
        end_(model),
        loops_(model, loops),
        system_(model, Indexed<bool>(model.nv(), false), loops_.rows()),
        none_(VectorX<Scalar>::Zero(model.nv())),
        no_row_(VectorX<Scalar>::Zero(loops_.rows())),
        next_(model.zero_coordinates()),
        xi_(none_),
        way_(none_),
        momentum_(none_),
        mean_(none_),
        carried_(none_),
        excess_(none_),
        change_(none_),
        open_(no_row_),
        lambda_(no_row_),
        armature_(none_)
  {
  }

  /// \brief Inertias of rotors, nv (kg m^2, kg), see ForceElements.
  void set_armature(const VectorRef<Scalar>& armature)
  {
    system_.tree.set_armature(armature);
    armature_ = armature;
  }

  /// \brief Gravity (m/s^2, world frame).
  void set_gravity(const Vector3<Scalar>& g)
  {
    start_.set_gravity(g);
    end_.set_gravity(g);
  }

  /** \brief One step.
   *  \param q, qd       nq coordinates and nv rates at its start, which meet the loops; on return those at its end
   *  \param tau0, tau1  nv joint forces at its start and at its end
   *  \param Fext        wrenches on the bodies, in body frames, constant there; empty for none
   *  \throws StateError when the step is too long for its equations to be solved; then q and qd are as they were
   */
  void step(VectorX<Scalar>& q, VectorX<Scalar>& qd, const Scalar& h, const VectorRef<Scalar>& tau0,
            const VectorRef<Scalar>& tau1, const ExternalWrenches<Scalar>& Fext = {})
  {
    const auto always = [](const VectorRef<Scalar>& tau) {
      return [&tau](const Recursion<Scalar>&, const VectorX<Scalar>&) -> const VectorRef<Scalar>& { return tau; };
    };
    solve(q, qd, h, always(tau0), always(tau1), Fext);
  }

  /** \brief One step under forces that depend on the state, at both ends at the rates between them.
   *  \param t       the time at its start
   *  \param forces  called as `forces(moved, q, qd, t)`, with all bodies placed and moved there; returns nv joint forces
   */
  template <typename Forces>
  void step_under(VectorX<Scalar>& q, VectorX<Scalar>& qd, const Scalar& t, const Scalar& h, Forces&& forces,
                  const ExternalWrenches<Scalar>& Fext = {})
  {
    const auto at = [&](const Scalar& time) {
      return [&, time](const Recursion<Scalar>& moved, const VectorX<Scalar>& place) -> decltype(auto) {
        return forces(moved, place, xi_, time);
      };
    };
    solve(q, qd, h, at(t), at(t + h), Fext);
  }

private:
  /// The equations of a step; tau0 and tau1 are told where and how the bodies are at its ends.
  template <typename AtStart, typename AtEnd>
  void solve(VectorX<Scalar>& q, VectorX<Scalar>& qd, const Scalar& h, const AtStart& tau0, const AtEnd& tau1,
             const ExternalWrenches<Scalar>& Fext)
  {
    const Scalar half = h / Scalar(2);
    const double length = static_cast<double>(comparable(h));  // a place that is rounded rounds rates by 1 / length
    start_(q, qd);
    momentum_ = start_.momentum + armature_.cwiseProduct(qd);
    factor(q);
    xi_ = qd;
    double best = std::numeric_limits<double>::infinity();
    for (int iteration = 0, stalled = 0; stalled < 2; ++iteration) {
      // [variational]
      // Where the rates xi lead, and the mean of the momenta that they have at both ends.
      way_ = h * xi_;
      next_ = q;
      displace(model(), next_, way_);
      start_(q, xi_, Fext);
      end_(next_, xi_, Fext);
      mean_ = (start_.momentum + end_.momentum) / Scalar(2) + armature_.cwiseProduct(xi_);

      // What the momentum of the start has too much, and how far the loops are open at the end.
      carried_ = mean_;
      way_ = -way_;
      pull_back_momenta(model(), way_, carried_);
      excess_ = momentum_ + half * (start_.force + tau0(start_, q)) - carried_;
      loops_(next_, none_);
      open_ = loops_.violation / h;

      // Newton's method, with the mass matrix of the start for the derivative: M change = excess + A^T lambda, where
      // the constraints leave A change = -open.
      system_.respond(excess_, change_, open_, lambda_);
      // [variational]
      const double size = largest(change_);
      if (!(size - size == 0) || iteration == 100) refuse(h);
      if (size < best)
        best = size;
      else if (best <= rank_tolerance<Scalar>(model().nv()) * std::max({1.0, largest(xi_), 1 / length}))
        ++stalled;
      if (size == 0) break;
      xi_ += change_;
    }
    // [variational-end]
    // The momentum of the end, and its rates.
    way_ = -way_;
    pull_back_momenta(model(), way_, mean_);
    momentum_ = mean_ + half * (end_.force + tau1(end_, next_));
    factor(next_);
    open_ = no_row_;
    system_.respond(momentum_, qd, open_, lambda_);
    q = next_;
    // [variational-end]
  }

  const Model<Scalar>& model() const { return start_.model(); }

  /// The mass matrix and the constraints at q, ready to respond.
  void factor(const VectorX<Scalar>& q)
  {
    loops_(q, none_);
    system_(q, none_, none_, none_, loops_.A, no_row_);
  }

  [[noreturn]] void refuse(const Scalar& h) const
  {
    std::ostringstream text;
    text << model().mechanism().source << ": the equations of a variational step of "
         << static_cast<double>(comparable(h)) << " s were not solved by 100 corrections; take a shorter step.";
    throw StateError(text.str());
  }

  LagrangianDerivatives<Scalar> start_, end_;
  Loops<Scalar> loops_;
  ConstrainedDynamics<Scalar> system_;
  VectorX<Scalar> none_, no_row_, next_, xi_, way_, momentum_, mean_, carried_, excess_, change_;
  VectorX<Scalar> open_, lambda_, armature_;
};

}  // namespace articulate
