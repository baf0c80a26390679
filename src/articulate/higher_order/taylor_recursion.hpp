/** \file
 *  \brief Newton and Euler with Taylor series in time: coefficients of body twists and wrenches, order by order.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 1 to 4, in another form: body twists, constant inertias, and no
 *    derivative of a matrix.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <span>
#include <articulate/higher_order/joint_steps.hpp>
#include <articulate/model/recursion.hpp>

namespace articulate {

// [taylor-body]
/// \brief Angular momentum about the centre of mass, and the velocity of that point.
template <typename Scalar>
struct CenterMotion {
  Vector3<Scalar> L, v;
};

/// \brief The map from the twist of a body to \f$(Jw,\, v + w\times c)\f$.
template <typename Scalar>
class CenterMap {
public:
  CenterMap() = default;
  CenterMap(const Symmetric3<Scalar>& J, const Vector3<Scalar>& center) : J_(J), center_(center) {}
  Vector3<Scalar> center() const { return Vector3<Scalar>(center_); }
  friend Halves<CenterMotion<Scalar>> operator*(const CenterMap& A, const TwistHalves<Scalar>& V)
  {
    const Vector3<Scalar> w = V.angular();
    return {Symmetric3<Scalar>(A.J_) * w, V.linear() + cross(w, A.center())};
  }

private:
  Symmetric3<Constant<Scalar>> J_;
  Vector3<Constant<Scalar>> center_;
};

/// \brief In double: what stands in front of w by columns, as halves.
template <>
class CenterMap<double> {
public:
  CenterMap() = default;
  CenterMap(const Symmetric3<double>& J, const Vector3<double>& center) : center_(center)
  {
    const Matrix3<double> shift = skew(-center);
    for (int k = 0; k < 3; ++k) column_[k] = {J.row(k), shift.column(k)};
  }
  Vector3<double> center() const { return center_; }
  friend Halves<CenterMotion<double>> operator*(const CenterMap& A, const TwistHalves<double>& V)
  {
    const Vector3<double> w = V.angular();
    return Halves<CenterMotion<double>>({}, V.linear()) + w[0] * A.column_[0] + w[1] * A.column_[1] +
           w[2] * A.column_[2];
  }

private:
  Vector3<double> center_;
  Halves<CenterMotion<double>> column_[3];
};

/// \brief The inertia of a body about its centre of mass, along the axes of its frame.
template <typename Scalar>
class CenteredInertia {
public:
  CenteredInertia() = default;
  explicit CenteredInertia(const Inertia<Scalar>& I) : mass_(I.mass)
  {
    Vector3<Scalar> center;
    if (comparable(I.mass) != 0) center = Scalar(1) / I.mass * I.first_moment;
    map_ = CenterMap<Scalar>(I.second_moment - skew_products(Scalar(1) / Scalar(2) * I.first_moment, center), center);
  }
  /// \brief \f$(Jw,\, v + w\times c)\f$.
  Halves<CenterMotion<Scalar>> operator*(const TwistHalves<Scalar>& V) const { return map_ * V; }
  /// \brief The wrench about the frame's origin of a rate of the above: the force is mass times acceleration.
  WrenchHalves<Scalar> wrench(const Halves<CenterMotion<Scalar>>& rate) const
  {
    const Vector3<Scalar> f = Scalar(mass_) * rate.linear();
    return {rate.angular() + cross(map_.center(), f), f};
  }

private:
  Constant<Scalar> mass_ = Constant<Scalar>(0);
  CenterMap<Scalar> map_;
};

/// \brief Order k of \f$w\times L\f$ and \f$w\times v_c\f$: what the rates of the two gain because the frame turns.
template <typename Scalar>
inline Halves<CenterMotion<Scalar>> turning(Row<TwistHalves<Scalar>> V, Row<Halves<CenterMotion<Scalar>>> Q, int k)
{
  Halves<CenterMotion<Scalar>> sum;
  cauchy(V, Q, k, [&](const TwistHalves<Scalar>& V_l, const Halves<CenterMotion<Scalar>>& Q_m) {
    const Vector3<Scalar> w = V_l.angular();
    sum[0] += w[1] * Q_m[2], sum[0] -= w[2] * Q_m[1];
    sum[1] += w[2] * Q_m[0], sum[1] -= w[0] * Q_m[2];
    sum[2] += w[0] * Q_m[1], sum[2] -= w[1] * Q_m[0];
  });
  return sum;
}
// [taylor-body]

/** \brief The sweeps of a tree whose rates are series \f$\dot q(t) = \sum_k \dot q_k t^k\f$.
 *
 *  Coefficients, not derivatives: \f$x^{(k)} = k!\,x_k\f$, and no binomials. Order k of a sweep outward finds
 *  \f$V_{i,k}\f$ from \f$\dot q_0, \ldots, \dot q_k\f$; order k inward finds \f$F_{i,k}\f$, which needs
 *  \f$V_{i,0}, \ldots, V_{i,k+1}\f$.
 *
 *  A joint acts in steps, each with series of its own: a turn multiplies by those of \f$\cos q(t)\f$ and
 *  \f$\sin q(t)\f$. A screw of finite pitch is a slide and a turn, a free joint a rotation and a shift.
 *
 *  Gravity is the base's acceleration as everywhere: a base twist \f$(0, -g\,t)\f$. A recursion can be moved, not copied.
 */
template <typename Scalar>
class TaylorRecursion {
public:
  /** \param order           r: wrenches are found up to \f$t^r\f$, twists up to \f$t^{r+1}\f$
   *  \param order_by_order  whether orders will be completed one after the other: for that more is kept of each body
   *  \throws LanesDisagree when the model of a Pack is not the same in all lanes
   */
  TaylorRecursion(const Model<Scalar>& model, int order, bool order_by_order)
      : model_(model),
        terms_(order + 2),
        places_(model.bodies() + 1),
        rates_(terms_),
        tau_(terms_),
        twists_(terms_),
        wrenches_(terms_),
        motions_(terms_),
        rotors_(terms_),
        distances_(terms_),
        rotations_(terms_),
        shifts_(terms_)
  {
    for (int k = 1; k < terms_; ++k) reciprocal_.push_back(Scalar(1) / Scalar(k));
    for (int v = 0; v < model.nv(); ++v) rates_.add(), tau_.add();
    places_[0].V = twists_.add(), places_[0].F = wrenches_.add();
    // Where no order is completed later, these serve one body after the other, and stay in a fast cache.
    const auto X = twists_.add();
    const auto Q = motions_.add();
    for (const Body<Scalar>& body : model.outward()) {
      Place& place = places_[body.index];
      place.parent = &places_[body.parent];
      place.M = HalvesPose<Scalar>(body.M), place.I = CenteredInertia<Scalar>(body.I);
      place.X = order_by_order ? twists_.add() : X, place.Q = order_by_order ? motions_.add() : Q;
      add_steps(body, place);
      place.steps = place.stored_steps;
      place.V = place.steps.back().V, place.F = place.steps.back().F;
    }
    set_gravity(model.gravity());
  }
  TaylorRecursion(TaylorRecursion&&) = default;  // a copy would point into the original

  const Model<Scalar>& model() const { return model_; }
  int order() const { return terms_ - 2; }
  bool has_one_step(int i) const { return places_[i].steps.size() == 1; }  ///< the joint of body i
  void set_gravity(const Vector3<Scalar>& g) { places_[0].V[1] = TwistHalves<Scalar>({}, -g); }

  Row<Scalar> rates(int v) { return rates_[v]; }                                ///< \f$\dot q_{v,k}\f$
  Row<Scalar> forces(int v) { return tau_[v]; }                                 ///< \f$\tau_{v,k}\f$
  const Scalar& tau(int v, int k) const { return tau_(v, k); }                  ///< \f$\tau_{v,k}\f$
  const TwistHalves<Scalar>& V(int i, int k) const { return places_[i].V[k]; }  ///< of body i, the world being 0
  /// \brief Through the joint of body i; of the world, all that hangs on it.
  const WrenchHalves<Scalar>& F(int i, int k) const { return places_[i].F[k]; }

  /// \brief Begin at q (nq coordinates).
  void start(const Scalar* q)
  {
    for (const Place& place : places_)
      for (const Step& step : place.steps) by_kind<Scalar>(step.joint, [&](const auto& joint) { joint.start(q); });
  }

  // [taylor-outward]
  /// \brief Orders 0 to last of body i outward: the parent's twist is carried through the steps of its joint, and tells
  /// what wrenches the body needs, of which the orders are one fewer.
  void outward(int i, int last)
  {
    const Place& place = places_[i];
    for (int k = 0; k <= last; ++k) place.X[k] = AdInv(place.M, place.parent->V[k]);
    through_joint(place, 0, last);
    for (int k = 0; k <= last; ++k) place.Q[k] = place.I * place.V[k];
    for (int k = 0; k < last; ++k)
      place.F[k] = place.I.wrench(Scalar(k + 1) * place.Q[k + 1] + turning(place.V, place.Q, k));
  }
  // [taylor-outward]

  // [taylor-inward]
  /** \brief Orders `from` to `to` of all bodies: nothing hangs on the world yet, and what acts from outside helps them.
   *  \param Fext  external wrenches and their derivatives, by order and body, in body frames
   */
  void begin_inward(int from, int to, const Indexed<ExternalWrenches<Scalar>>& Fext)
  {
    for (int k = from; k <= to; ++k) places_[0].F[k] = {};
    Scalar share(-1);
    for (int k = 0; k <= to && k < static_cast<int>(Fext.size()); ++k) {
      if (k > 0) share *= reciprocal_[k - 1];
      if (k < from || Fext[k].empty()) continue;
      for (std::size_t i = 0; i < places_.size(); ++i) places_[i].F[k] += WrenchHalves<Scalar>(share * Fext[k][i]);
    }
  }

  /** \brief Orders 0 to last of body i inward: what it needs and what hangs on it goes through its joint to its parent.
   *
   *  All bodies outward, and `begin_inward` for these orders, come before; then bodies from the tips to the base.
   */
  void inward(int i, int last)
  {
    const Place& place = places_[i];
    find_forces(place, 0, last);
    to_parent(place, 0, last);
  }
  // [taylor-inward]

  // [taylor-complete]
  /// \brief Order k > 1 of the twist of body i as if that of its parent were zero, and its own rates where unknown.
  const TwistHalves<Scalar>& bias(int i, int k)
  {
    const Place& place = places_[i];
    through_joint(place, k, k, 1);
    return place.V[k];
  }

  /// \brief What body i needs without an acceleration of this order: of V and Q order k is the last that is known.
  void need(int i, int k)
  {
    const Place& place = places_[i];
    place.F[k] = place.I.wrench(turning(place.V, place.Q, k));
  }

  /// \brief Order k of the forces of the joint of body i, and of the wrenches within it.
  void find_forces(int i, int k) { find_forces(places_[i], k, k); }

  /// \brief Order k of the wrench on body i grows by F, and so do the wrenches within its joint.
  void add_to_wrench(int i, int k, WrenchHalves<Scalar> F)
  {
    const Place& place = places_[i];
    for (auto step = place.steps.rbegin(); step != place.steps.rend(); ++step) {
      step->F[k] += F;
      if (step->W) F = by_kind<Scalar>(step->joint, [&](const auto& joint) { return at_start(joint, F); });
    }
  }

  /// \brief Order k of the forces of the joint of body i, from the wrenches behind its steps.
  void project(int i, int k)
  {
    const Place& place = places_[i];
    for (auto step = place.steps.rbegin(); step != place.steps.rend(); ++step)
      by_kind<Scalar>(step->joint, [&](const auto& joint) { joint.project(step->F[k], k); });
  }

  /// \brief Order k of the wrench in front of the joint of body i hangs on its parent.
  void to_parent(int i, int k) { to_parent(places_[i], k, k); }

  /** \brief Complete order k of the twist of body i, of which there is the bias, by that of its parent and by x.
   *  \param x  what the nv rates of order k grow by, of which the body's are read
   *  \return what the twist grows by
   */
  TwistHalves<Scalar> complete_twist(int i, int k, const Indexed<Scalar>& x)
  {
    const Place& place = places_[i];
    TwistHalves<Scalar> X = place.X[k] = AdInv(place.M, place.parent->V[k]);
    for (const Step& step : place.steps) {
      by_kind<Scalar>(step.joint, [&](const auto& joint) {
        X = at_start(joint, X);
        joint.add_motion(joint.own(x), X);
      });
      step.V[k] += X;
    }
    place.Q[k] = place.I * place.V[k];
    return X;
  }

  /// \brief Order k of all rates grows by x, as the twists have.
  void add_to_rates(int k, const Indexed<Scalar>& x)
  {
    for (int v = 0; v < model_.nv(); ++v) rates_(v, k) += x[v];
  }

  /// \brief A wrench on body i as it hangs on the parent at t = 0.
  WrenchHalves<Scalar> on_parent(int i, WrenchHalves<Scalar> F) const
  {
    const Place& place = places_[i];
    for (auto step = place.steps.rbegin(); step != place.steps.rend(); ++step)
      F = by_kind<Scalar>(step->joint, [&](const auto& joint) { return at_start(joint, F); });
    return coAdInv(place.M, F);
  }
  // [taylor-complete]

private:
  /// What a joint does one after the other, between the twist and the wrench in front and those behind.
  struct Step {
    JointStep<Scalar> joint;
    Row<TwistHalves<Scalar>> X, V;   // in front of it and behind it
    Row<WrenchHalves<Scalar>> W, F;  // the same; none in front of the first step
  };
  /// A body: its joint's place in the parent, the steps of the joint, its inertia; in front of the joint and behind it.
  struct Place {
    Place* parent = nullptr;
    std::vector<Step> stored_steps;
    std::span<const Step> steps;  // all of them, with their number: where it is known to be one, there is no loop
    HalvesPose<Scalar> M;
    CenteredInertia<Scalar> I;
    Row<TwistHalves<Scalar>> X, V;
    Row<WrenchHalves<Scalar>> F;
    Row<Halves<CenterMotion<Scalar>>> Q;
  };

  // [taylor-joints]
  /// What the joint of a body does, one step after the other.
  void add_steps(const Body<Scalar>& body, Place& place)
  {
    const int q = body.q, v = body.v;
    const auto add = [&](const auto& joint) {
      auto& steps = place.stored_steps;
      const auto X = steps.empty() ? place.X : steps.back().V;
      const auto W = steps.empty() ? Row<WrenchHalves<Scalar>>() : steps.back().F;
      steps.push_back({joint, X, twists_.add(), W, wrenches_.add()});
    };
    const auto turn = [&](int axis, const Constant<Scalar>& factor, int k) {
      const auto about = [&](auto z) {
        if (axis == z) add(Turn<Scalar, z>{factor, q + k, v + k, rates_[v + k], tau_[v + k], rotors_.add()});
      };
      about(std::integral_constant<int, 0>()), about(std::integral_constant<int, 1>());
      about(std::integral_constant<int, 2>());
    };
    const auto slide = [&](int z, const Constant<Scalar>& factor, int k, bool is_alone = true) {
      add(Slide<Scalar>{(z + 1) % 3, (z + 2) % 3, z, factor, q + k, v + k, rates_[v + k], tau_[v + k], distances_.add(),
                        is_alone});
    };
    const auto rates = [&](int k) { return VectorRow<Scalar>{rates_[v + k], rates_[v + k + 1], rates_[v + k + 2]}; };
    const auto forces = [&](int k) { return VectorRow<Scalar>{tau_[v + k], tau_[v + k + 1], tau_[v + k + 2]}; };
    if (body.kind == JointKind::chart) {
      for (int k = 0; k < body.nv; ++k)
        if (body.directions[k] < 3)
          turn(body.directions[k], Constant<Scalar>(1), k);
        else
          slide(body.directions[k] - 3, Constant<Scalar>(1), k);
    } else if (body.kind == JointKind::screw) {
      const bool turns = comparable(body.turn) != 0;
      if (comparable(body.slide) != 0) slide(2, Constant<Scalar>(body.slide), 0, !turns);
      if (turns) turn(2, Constant<Scalar>(body.turn), 0);
    } else {
      const bool is_free = body.kind == JointKind::free;
      add(Rotation<Scalar>{q + body.nq - 4, v, rates(0), forces(0), rotations_.add(), !is_free});
      if (is_free) add(Shift<Scalar>{q, v, {rates(0), rates(3)}, {forces(0), forces(3)}, shifts_.add()});
    }
  }
  // [taylor-joints]

  // [taylor-joint]
  /// Orders `from` to `to` of the twist behind every step of a joint, from the twist in front of it, or with `first` = 1
  /// from its lower orders.
  void through_joint(const Place& place, int from, int to, int first = 0)
  {
    for (const Step& step : place.steps) {
      by_kind<Scalar>(step.joint, [&](const auto& joint) {
        for (int k = from; k <= to; ++k) {
          if (k > 0) joint.advance(k, reciprocal_[k - 1]);
          TwistHalves<Scalar> V = joint.forward(step.X, k, &step == place.steps.data() ? first : 0);
          joint.add_motion(joint.u[k], V);
          step.V[k] = V;
        }
      });
    }
  }

  /// Orders `from` to `to` of the forces of a joint, and of the wrenches within it, from the wrench behind.
  void find_forces(const Place& place, int from, int to)
  {
    for (auto step = place.steps.rbegin(); step != place.steps.rend(); ++step) {
      by_kind<Scalar>(step->joint, [&](const auto& joint) {
        for (int k = from; k <= to; ++k) {
          joint.project(step->F[k], k);
          if (step->W) step->W[k] = joint.back(step->F, k);
        }
      });
    }
  }

  /// Orders `from` to `to` of the wrench in front of a joint hang on the parent.
  void to_parent(const Place& place, int from, int to)
  {
    const Step& step = place.steps.front();
    by_kind<Scalar>(step.joint, [&](const auto& joint) {
      for (int k = from; k <= to; ++k) place.parent->F[k] += coAdInv(place.M, joint.back(step.F, k));
    });
  }

  /// A twist, or a wrench, through a step where it stands at t = 0: series of one term.
  template <typename Joint>
  static TwistHalves<Scalar> at_start(const Joint& joint, TwistHalves<Scalar> X)
  {
    return joint.forward(Row<TwistHalves<Scalar>>(&X), 0);
  }
  template <typename Joint>
  static WrenchHalves<Scalar> at_start(const Joint& joint, WrenchHalves<Scalar> F)
  {
    return joint.back(Row<WrenchHalves<Scalar>>(&F), 0);
  }
  // [taylor-joint]

  Model<Scalar> model_;
  int terms_;
  Indexed<Scalar> reciprocal_;  // of 1, 2, ...
  Indexed<Place> places_;       // by body; of the world, its twist and what hangs on it
  Rows<Scalar> rates_, tau_;    // by rate
  Rows<TwistHalves<Scalar>> twists_;
  Rows<WrenchHalves<Scalar>> wrenches_;
  Rows<Halves<CenterMotion<Scalar>>> motions_;
  Rows<Rotor<Scalar>> rotors_;
  Rows<Scalar> distances_;
  Rows<Matrix3<Scalar>> rotations_;
  Rows<Vector3<Scalar>> shifts_;
};

}  // namespace articulate
