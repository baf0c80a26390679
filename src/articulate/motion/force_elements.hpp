/** \file
 *  \brief Force elements at work: joint forces, wrenches, potential and power at a state.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <articulate/model/recursion.hpp>
#include <articulate/motion/force_laws.hpp>
#include <articulate/motion/placed_elements.hpp>  // the elements, with their places in the model

namespace articulate {

/// \brief What an element holds and gives.
template <typename Scalar>
struct ElementEnergy {
  Scalar potential{0};  ///< J
  Scalar power{0};      ///< W, of all of its forces on the motion
  Scalar supplied{0};   ///< W, of those without a potential: the power is this less the rate of the potential
};

/** \brief All force elements of a model.
 *
 *  Their forces come as joint forces and as wrenches on the bodies, to be added to those that forward or hybrid dynamics
 *  is given. A rotor's inertia is no force of the state, since it answers the acceleration: it is told to the dynamics by
 *  `set_armature(armature)`. Owns its workspace; without elements a call does nothing.
 */
template <typename Scalar>
class ForceElements {
public:
  VectorX<Scalar> tau;            ///< nv joint forces (N m, N)
  ExternalWrenches<Scalar> Fext;  ///< wrenches on the bodies, in body frames; empty when no element acts on one
  VectorX<Scalar> armature;       ///< nv inertias of rotors (kg m^2, kg)
  Recursion<Scalar> motion;       ///< what was seen of a state that came without a recursion

  /** \brief Find the places of the elements in the model.
   *  \throws ModelError in one sentence for a link, joint or degree that does not exist, or a number that cannot be meant
   */
  explicit ForceElements(const Model<Scalar>& model, const std::vector<ForceElement>& elements = {})
      : tau(VectorX<Scalar>::Zero(model.nv())),
        armature(tau),
        motion(model),
        elements_(place(model, elements)),
        energy_(elements_.size()),
        joint_forces_(tau),
        transmitted_(model.bodies() + 1)
  {
    for (const auto& element : elements_)
      std::visit(
          [&](const auto& one) {
            using Element = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Element, PlacedRotor<Scalar>>) armature(one.v) += one.inertia;
            if constexpr (Element::acts_on_bodies) Fext.resize(model.bodies() + 1);
          },
          element);
  }

  /** \brief All forces at a state.
   *  \param q   nq coordinates   \param qd  nv joint rates   \param t  time (s)
   *  \throws SizeError naming the argument, the length given and the length expected
   *  \throws StateError for a spring whose ends coincide, or a body at the centre of a field
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd, const Scalar& t)
  {
    detail::require_size("q", q, motion.model().nq());
    detail::require_size("qd", qd, motion.model().nv());
    if (!Fext.empty()) {
      motion.place(q);
      for (const Body<Scalar>& body : motion.model().outward()) motion.carry_velocity(body, qd);
    }
    (*this)(motion, q, qd, t);
  }

  /// \brief The same where a recursion, such as Loops, has placed and moved all bodies at this state already.
  void operator()(const Recursion<Scalar>& moved, const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd,
                  const Scalar& t)
  {
    if (elements_.empty()) return;
    tau.setZero();
    std::fill(Fext.begin(), Fext.end(), Wrench<Scalar>{});
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      energy_[k] = {};
      std::visit([&](const auto& one) { act(one, State{moved, q, qd, t}, energy_[k]); }, elements_[k]);
    }
  }

  int size() const { return static_cast<int>(elements_.size()); }
  /// \brief Of the k-th element, at the latest state.
  const ElementEnergy<Scalar>& energy(int k) const { return energy_[k]; }
  Scalar potential() const { return sum(&ElementEnergy<Scalar>::potential); }  ///< J, of all elements
  Scalar power() const { return sum(&ElementEnergy<Scalar>::power); }          ///< W, of all elements
  Scalar supplied() const { return sum(&ElementEnergy<Scalar>::supplied); }    ///< W, of all forces without a potential

  /// \brief The kinetic energy of the rotors (J), which no body has.
  Scalar rotor_energy(const VectorRef<Scalar>& qd) const
  {
    Scalar twice(0);
    for (int k = 0; k < armature.size(); ++k) twice += armature(k) * qd(k) * qd(k);
    return twice / Scalar(2);
  }

  // [joint-forces]
  /// \brief \f$\tau + J^{\mathsf T}F\f$: all forces as nv joint forces; `moved` is the recursion of the latest state.
  const VectorX<Scalar>& joint_forces(const Recursion<Scalar>& moved)
  {
    joint_forces_ = tau;
    if (Fext.empty()) return joint_forces_;
    std::copy(Fext.begin(), Fext.end(), transmitted_.begin());
    for (const Body<Scalar>& body : moved.model().inward()) {
      Scalar own[6];
      JointSegment<Scalar>{own} = transpose(moved.S[body.index]) * transmitted_[body.index];
      for (int k = 0; k < body.nv; ++k) joint_forces_(body.v + k) += own[k];
      transmitted_[body.parent] += coAdInv(moved.T[body.index], transmitted_[body.index]);
    }
    return joint_forces_;
  }
  const VectorX<Scalar>& joint_forces() { return joint_forces(motion); }  ///< where the state came without a recursion
  // [joint-forces]

  const Indexed<PlacedElement<Scalar>>& elements() const { return elements_; }

private:
  /// Where the mechanism is and how it moves; a recursion has seen it.
  struct State {
    const Recursion<Scalar>& moved;
    const VectorRef<Scalar>& q;
    const VectorRef<Scalar>& qd;
    const Scalar& t;
  };

  // [spring-acts]
  // Seen from the last body that carries both ends: the digits do not depend on where that is.
  void act(const PlacedSpring<Scalar>& s, const State& x, ElementEnergy<Scalar>& energy)
  {
    const SE3<Scalar> X1 = seen_from(s.common, s.first.body, x.moved), X2 = seen_from(s.common, s.second.body, x.moved);
    const Vector3<Scalar> d = X2 * s.second.r - X1 * s.first.r;
    const Vector3<Scalar> ddot = X2.R * velocity(s.second, x.moved) - X1.R * velocity(s.first, x.moved);
    s.require_direction(d);
    const Vector3<Scalar> f = s.law.force(d, ddot);
    push(s.second, inverse(X2.R) * f);
    push(s.first, inverse(X1.R) * -f);
    energy = {s.law.potential(d), inner(f, ddot), s.law.supplied(d, ddot)};
  }
  // [spring-acts]

  void act(const PlacedJointLaw<Scalar>& j, const State& x, ElementEnergy<Scalar>& energy)
  {
    // [joint-acts]
    const Scalar loss = j.law.loss(x.qd(j.v));
    Scalar force = loss;
    if (j.law.is_spring) force += j.law.pull(x.q(j.q)), energy.potential = j.law.potential(x.q(j.q));
    tau(j.v) += force;
    energy.power = force * x.qd(j.v);
    energy.supplied = loss * x.qd(j.v);
    // [joint-acts]
  }

  void act(const PlacedForce<Scalar>& p, const State& x, ElementEnergy<Scalar>& energy)
  {
    const Vector3<Scalar> f = p.in_body(seen_from(0, p.at.body, x.moved).R, x.t);
    push(p.at, f);
    energy.power = energy.supplied = inner(f, velocity(p.at, x.moved));
  }

  void act(const PlacedJointForce<Scalar>& j, const State& x, ElementEnergy<Scalar>& energy)
  {
    const Scalar force = value_at(j.force, x.t)[0];
    tau(j.v) += force;
    energy.power = energy.supplied = force * x.qd(j.v);
  }

  void act(const PlacedRotor<Scalar>&, const State&, ElementEnergy<Scalar>&) {}

  void act(const PlacedField<Scalar>& field, const State& x, ElementEnergy<Scalar>& energy)
  {
    // [field-acts]
    for (const PlacedPoint<Scalar>& center_of_mass : field.centers) {
      const Scalar& m = x.moved.model().body(center_of_mass.body).I.mass;
      const SE3<Scalar> X = seen_from(0, center_of_mass.body, x.moved);
      const Vector3<Scalar> r = X * center_of_mass.r - field.center;
      field.require_distance(r);
      const Vector3<Scalar> f = inverse(X.R) * field.law.force(m, r);
      push(center_of_mass, f);
      energy.potential += field.law.potential(m, r);
      energy.power += inner(f, velocity(center_of_mass, x.moved));
    }
    // [field-acts]
  }

  void act(const PlacedUserLaw& user, const State& x, ElementEnergy<Scalar>& energy)
  {
    if constexpr (std::is_same_v<Scalar, double>) {
      const VectorX<double> force = user.force(x.q, x.qd, x.t);
      if (force.size() != tau.size()) throw SizeError("the force of '" + user.name + "'", force.size(), tau.size());
      tau += force;
      energy.power = energy.supplied = force.dot(x.qd);
    }
  }

  static Vector3<Scalar> velocity(const PlacedPoint<Scalar>& at, const Recursion<Scalar>& moved)
  {
    const Twist<Scalar>& V = moved.V[at.body];
    return V.v + cross(V.w, at.r);
  }
  void push(const PlacedPoint<Scalar>& at, const Vector3<Scalar>& f)
  {
    if (at.body != 0) Fext[at.body] += wrench_of_force(at.r, f);
  }
  Scalar sum(Scalar ElementEnergy<Scalar>::*part) const
  {
    Scalar total(0);
    for (const ElementEnergy<Scalar>& one : energy_) total += one.*part;
    return total;
  }

  Indexed<PlacedElement<Scalar>> elements_;
  Indexed<ElementEnergy<Scalar>> energy_;
  VectorX<Scalar> joint_forces_;
  Indexed<Wrench<Scalar>> transmitted_;
};

}  // namespace articulate
