/** \file
 *  \brief Newton and Euler with Taylor series in time: coefficients of body twists and wrenches, order by order.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 1 to 4, in another form: body twists, constant inertias, and no
 *    derivative of a matrix.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/model/recursion.hpp>
#include <articulate/higher_order/pair.hpp>

namespace articulate {

/** \brief The sweeps of a tree whose rates are series \f$\dot q(t) = \sum_k \dot q_k t^k\f$.
 *
 *  Coefficients, not derivatives: \f$x^{(k)} = k!\,x_k\f$, and no binomials. Order k of a sweep outward finds
 *  \f$V_{i,k}\f$ from \f$\dot q_0, \ldots, \dot q_k\f$; order k inward finds \f$F_{i,k}\f$, which needs
 *  \f$V_{i,0}, \ldots, V_{i,k+1}\f$.
 *
 *  A joint acts in steps: turn about an axis of its frame, or slide along one; so a step multiplies two numbers of each
 *  half by the series of \f$\cos q(t)\f$ and \f$\sin q(t)\f$. A screw of finite pitch is a slide and a turn, a free joint
 *  a shift and a rotation. Twists and wrenches are kept as pairs of their halves.
 *
 *  Gravity is the base's acceleration as everywhere: a base twist \f$(0, -g\,t)\f$. A recursion can be moved, not copied.
 */
template <typename Scalar>
class TaylorRecursion {
public:
  /** \param order  r: wrenches are found up to \f$t^r\f$, twists up to \f$t^{r+1}\f$
   */
  TaylorRecursion(const Model<Scalar>& model, int order) : model_(model), terms_(order + 2), places_(model.bodies() + 1)
  {
    for (int k = 1; k < terms_; ++k) reciprocal_.push_back(Scalar(1) / Scalar(k));
    for (const Body<Scalar>& body : model.outward()) {
      const int i = body.index;
      Place& place = places_[i];
      place.parent = &places_[body.parent];
      place.in_parent = body.M, place.of_parent = inverse(body.M);
      about_center_of_mass(body.I, place);
      place.first = static_cast<int>(steps_.size());
      add_steps(body);
      place.last = static_cast<int>(steps_.size()) - 1;
    }
    give_rows();
    set_gravity(model.gravity());
  }
  TaylorRecursion(TaylorRecursion&&) = default;  // a copy would point into the original

  const Model<Scalar>& model() const { return model_; }
  int order() const { return terms_ - 2; }
  void set_gravity(const Vector3<Scalar>& g) { places_[0].V[1] = Halves<Scalar>({}, -g); }

  Scalar& rate(int v, int k) { return rates_[of_rate(v, k)]; }           ///< \f$\dot q_{v,k}\f$
  const Scalar& tau(int v, int k) const { return tau_[of_rate(v, k)]; }  ///< \f$\tau_{v,k}\f$
  const Halves<Scalar>& V(int i, int k) const
  {
    return places_[i].V[k];
  }  ///< \f$V_{i,k}\f$ of body i, the world being 0
  const Halves<Scalar>& F(int i, int k) const { return places_[i].F[k]; }  ///< \f$F_{i,k}\f$ through its joint

  /// \brief Begin at q (nq coordinates).
  void start(const Scalar* q)
  {
    using std::cos, std::sin;
    for (const Step& step : steps_) {
      const Scalar* const x = q + step.q;
      if (step.kind == Step::turn) {
        const Scalar angle = step.factor * x[0];
        step.e[0] = {cos(angle), sin(angle)};
      } else if (step.kind == Step::slide) {
        step.e[0] = {step.factor * x[0], Scalar(0)};
      } else if (step.kind == Step::shift) {
        step.p[0] = {x[0], x[1], x[2]};
      } else {
        step.R[0] = SO3<Scalar>(Quaternion<Scalar>{{x[0], x[1], x[2]}, x[3]}).matrix;
      }
    }
  }

  // [taylor-outward]
  /// \brief Orders 0 to last of body i outward: the parent's twist is carried through the steps of its joint.
  void outward(int i, int last)
  {
    const Place& place = places_[i];
    for (int k = 0; k <= last; ++k) place.X[k] = twist_in(place.of_parent, place.parent->V[k]);
    for (int k = 1; k <= last; ++k) advance(place, k);
    for (int k = 0; k <= last; ++k) through_joint(place, k, 0);
    for (int k = 0; k <= last; ++k) place.Q[k] = at_center_of_mass(place, place.V[k]);
    advance(place, last + 1);
  }
  // [taylor-outward]

  // [taylor-inward]
  /** \brief Order k of all bodies: nothing hangs on any of them yet, and what acts from outside helps.
   *  \param Fext  external wrenches and their derivatives, by order and body, in body frames
   */
  void begin_inward(int k, const Indexed<ExternalWrenches<Scalar>>& Fext)
  {
    const bool acts = k < static_cast<int>(Fext.size()) && !Fext[k].empty();
    Scalar share(-1);
    for (int l = 0; l < k; ++l) share *= reciprocal_[l];
    for (std::size_t i = 0; i < places_.size(); ++i)
      places_[i].F[k] = acts ? Halves<Scalar>(share * Fext[k][i]) : Halves<Scalar>{};
  }

  /** \brief Orders 0 to last of body i inward: what it needs and what hangs on it goes through its joint to its parent.
   *
   *  `begin_inward` for these orders comes before; bodies from the tips to the base.
   */
  void inward(int i, int last)
  {
    const Place& place = places_[i];
    for (int k = 0; k <= last; ++k) place.F[k] += needed(place, k);
    for (int k = 0; k <= last; ++k) find_forces(i, k);
    for (int k = 0; k <= last; ++k) to_parent(i, k);
  }

  /// \brief Order k of the forces of the joint of body i, and of the wrenches within it, from the wrench on the body.
  void find_forces(int i, int k)
  {
    const Place& place = places_[i];
    for (int j = place.last; j >= place.first; --j) {
      project(steps_[j], k);
      if (j > place.first) steps_[j - 1].F[k] = through<true>(steps_[j], steps_[j].F, k);
    }
  }

  /// \brief Order k of the wrench in front of the joint of body i hangs on its parent.
  void to_parent(int i, int k)
  {
    const Place& place = places_[i];
    const Step& step = steps_[place.first];
    place.parent->F[k] += wrench_from(place.in_parent, through<true>(step, step.F, k));
  }
  // [taylor-inward]

  // [taylor-complete]
  /** \brief Order k > 1 of the twist of body i as if that of its parent were zero, and its own rates where unknown.
   *
   *  What it needs then counts no acceleration of this order.
   */
  const Halves<Scalar>& bias(int i, int k)
  {
    const Place& place = places_[i];
    through_joint(place, k, 1);
    place.Q[k] = {};
    return place.V[k];
  }

  /// \brief What body i needs, as far as it is known, is added to what hangs on it.
  void need(int i, int k) { add_to_wrench(i, k, needed(places_[i], k)); }

  /// \brief Order k of the wrench on body i grows by F: so do the forces of its joint.
  void add_to_wrench(int i, int k, const Halves<Scalar>& F)
  {
    places_[i].F[k] += F;
    find_forces(i, k);
  }

  /** \brief Complete order k of the twist of body i, of which there is the bias, by that of its parent and its rates.
   *  \param x  nv rates of order k, of which the body's are read
   *  \return what the twist grows by
   */
  Halves<Scalar> complete_twist(int i, int k, const Scalar* x)
  {
    const Place& place = places_[i];
    Halves<Scalar> X = place.X[k] = twist_in(place.of_parent, place.parent->V[k]);
    for (int j = place.first; j <= place.last; ++j) {
      const Step& step = steps_[j];
      X = at_start<false>(step, X);
      add_rates(step, x + step.v, 1, X);
      step.V[k] += X;
      if (!step.shares)
        for (int v = 0; v < step.rates; ++v) step.u[v * terms_ + k] += x[step.v + v];
    }
    place.Q[k] = at_center_of_mass(place, place.V[k]);
    advance(place, k + 1);
    return X;
  }

  /// \brief A wrench on body i as it hangs on the parent at t = 0.
  Halves<Scalar> on_parent(int i, Halves<Scalar> F) const
  {
    const Place& place = places_[i];
    for (int j = place.last; j >= place.first; --j) F = at_start<true>(steps_[j], F);
    return wrench_from(place.in_parent, F);
  }
  // [taylor-complete]

private:
  /// What a joint does one after the other, and where its coefficients begin.
  struct Step {
    enum Kind { turn, slide, shift, rotate } kind;
    int axis;       // of a turn or slide
    Scalar factor;  // rad or m per unit of the coordinate
    int q, v;       // where its numbers stand
    int rates;      // how many rates it adds: 3 of a ball, 6 of a free joint; one of a turn or slide
    bool shares;    // its rate with the next step: the slide of a screw that turns, too
    const Halves<Scalar>* X = nullptr;         // the twist in front
    Halves<Scalar>*V = nullptr, *F = nullptr;  // twist and wrench behind
    Scalar *u = nullptr, *tau = nullptr;       // of its first rate
    Pair<Scalar>* e = nullptr;                 // cosine and sine of a turn; the length of a slide
    Matrix3<Scalar>* R = nullptr;              // of a rotation
    Vector3<Scalar>* p = nullptr;              // of a shift
  };
  /// A body: its joint's place in the parent and the other way round, its steps, its inertia about its centre of mass.
  struct Place {
    const Place* parent = nullptr;
    int first = 0, last = -1;
    SE3<Scalar> in_parent, of_parent;
    Scalar mass = Scalar(0);
    Vector3<Scalar> center;
    Halves<Scalar> momentum[3];  // by columns: (J w, v - c x w) = (0, v) + sum of these times w
    Halves<Scalar>*X = nullptr, *V = nullptr, *F = nullptr, *Q = nullptr;  // in front; behind; (L, v_c)
  };

  int of_rate(int v, int k) const { return v * terms_ + k; }

  // [taylor-steps]
  void add_steps(const Body<Scalar>& body)
  {
    const auto add = [&](typename Step::Kind kind, int axis, const Scalar& factor, int q, int v, int rates,
                         bool shares = false) {
      steps_.push_back({kind, axis, factor, q, v, rates, shares});
    };
    if (body.kind == JointKind::chart) {
      for (int k = 0; k < body.nv; ++k)
        add(body.directions[k] < 3 ? Step::turn : Step::slide, body.directions[k] % 3, Scalar(1), body.q + k,
            body.v + k, 1);
    } else if (body.kind == JointKind::screw) {
      const bool turns = comparable(body.turn) != 0;
      if (comparable(body.slide) != 0) add(Step::slide, 2, body.slide, body.q, body.v, 1, turns);
      if (turns) add(Step::turn, 2, body.turn, body.q, body.v, 1);
    } else {
      if (body.kind == JointKind::free) add(Step::shift, 0, Scalar(1), body.q, body.v, 0);
      add(Step::rotate, 0, Scalar(1), body.q + body.nq - 4, body.v, body.nv);
    }
  }

  static void about_center_of_mass(const Inertia<Scalar>& I, Place& place)
  {
    place.mass = I.mass;
    if (comparable(I.mass) != 0) place.center = Scalar(1) / I.mass * I.first_moment;
    const Vector3<Scalar>& c = place.center;
    const Symmetric3<Scalar> J = I.second_moment - skew_products(Scalar(1) / Scalar(2) * I.first_moment, c);
    const Matrix3<Scalar> A = J.matrix(), shift = skew(-c);
    for (int k = 0; k < 3; ++k) place.momentum[k] = {A.column(k), shift.column(k)};
  }
  // [taylor-steps]

  void give_rows()
  {
    const int n = static_cast<int>(steps_.size()) + 1, N = model_.bodies() + 1, nv = model_.nv();
    for (auto* rows : {&V_, &F_}) rows->resize(n * terms_);
    for (auto* rows : {&X_, &Q_}) rows->resize(N * terms_);
    e_.resize(n * terms_), R_.resize(n * terms_), p_.resize(n * terms_);
    rates_.resize(nv * terms_), tau_.resize(nv * terms_);
    for (int i = 0; i < N; ++i) {
      Place& place = places_[i];
      place.X = &X_[i * terms_], place.Q = &Q_[i * terms_];
      const int last = (place.last + 1) * terms_;
      place.V = &V_[last], place.F = &F_[last];
      for (int j = place.first; j <= place.last; ++j) {
        Step& step = steps_[j];
        const int row = (j + 1) * terms_;
        step.X = j == place.first ? place.X : steps_[j - 1].V;
        step.V = &V_[row], step.F = &F_[row], step.e = &e_[row], step.R = &R_[row], step.p = &p_[row];
        step.u = &rates_[of_rate(step.v, 0)], step.tau = &tau_[of_rate(step.v, 0)];
      }
    }
  }

  static Halves<Scalar> twist_in(const SE3<Scalar>& T, const Halves<Scalar>& V)
  {
    const Halves<Scalar> turned = T.R.matrix * V;
    return turned + Halves<Scalar>({}, cross(T.p, turned.angular()));
  }
  static Halves<Scalar> wrench_from(const SE3<Scalar>& T, const Halves<Scalar>& F)
  {
    const Halves<Scalar> turned = T.R.matrix * F;
    return turned + Halves<Scalar>(cross(T.p, turned.linear()), {});
  }

  /// Order k of the twist behind every step of a joint; of the twist in front of it, terms from order `from` of the step.
  void through_joint(const Place& place, int k, int from)
  {
    for (int j = place.first; j <= place.last; ++j) {
      const Step& step = steps_[j];
      Halves<Scalar> V = through<false>(step, step.X, k, j == place.first ? from : 0);
      add_rates(step, step.u + k, terms_, V);
      step.V[k] = V;
    }
  }

  /// Order k of the series of all steps of a joint, if it has one.
  void advance(const Place& place, int k)
  {
    if (k == terms_) return;
    for (int j = place.last; j >= place.first; --j) advance(steps_[j], k);  // a shift needs the rotation behind it
  }

  /// Order k of the series of a step, from rates of lower order: \f$\dot c = -s\,\dot q\f$ and so on.
  void advance(const Step& step, int k)
  {
    const Scalar* const u = step.u;
    const Scalar& over_k = reciprocal_[k - 1];
    if (step.kind == Step::turn) {
      Pair<Scalar> sum;
      for (int l = 0; l < k; ++l) sum += u[k - 1 - l] * step.e[l];
      step.e[k] = over_k * step.factor * Pair<Scalar>(-sum.linear(), sum.angular());
    } else if (step.kind == Step::slide) {
      step.e[k] = {over_k * step.factor * u[k - 1], Scalar(0)};
    } else if (step.kind == Step::shift) {  // p' = R v, with the rotation of the next step
      Vector3<Scalar> v;
      for (int l = 0; l < k; ++l) v += (&step)[1].R[l] * vector_rate(u + 3 * terms_, k - 1 - l);
      step.p[k] = over_k * v;
    } else {
      Matrix3<Scalar> R;
      for (int l = 0; l < k; ++l) R = R + step.R[l] * skew(vector_rate(u, k - 1 - l));
      step.R[k] = over_k * R;
    }
  }
  Vector3<Scalar> vector_rate(const Scalar* u, int k) const { return {u[k], u[terms_ + k], u[2 * terms_ + k]}; }

  /// What the rates add behind a step; those of one order are `stride` apart.
  void add_rates(const Step& step, const Scalar* u, int stride, Halves<Scalar>& V) const
  {
    if (step.kind == Step::turn) {
      V.e[step.axis] += Pair<Scalar>(step.factor * u[0], Scalar(0));
    } else if (step.kind == Step::slide) {
      V.e[step.axis] += Pair<Scalar>(Scalar(0), step.factor * u[0]);
    } else {
      for (int i = 0; i < step.rates; ++i) {
        const Scalar& x = u[i * stride];
        V.e[i % 3] += i < 3 ? Pair<Scalar>(x, Scalar(0)) : Pair<Scalar>(Scalar(0), x);
      }
    }
  }

  /// What the wrench behind a step is to its rates.
  void project(const Step& step, int k)
  {
    const Halves<Scalar>& F = step.F[k];
    if (step.kind == Step::turn) {
      step.tau[k] = step.factor * F.e[step.axis].angular();
    } else if (step.kind == Step::slide) {
      const Scalar tau = step.factor * F.e[step.axis].linear();
      step.tau[k] = step.shares ? Scalar(step.tau[k] + tau) : tau;
    } else {
      for (int i = 0; i < step.rates; ++i) step.tau[i * terms_ + k] = i < 3 ? F.e[i].angular() : F.e[i - 3].linear();
    }
  }

  // [taylor-step]
  /** Order k of the twist behind a step, without its rates, from the twist in front; or of the wrench in front from the
   *  wrench behind, the transposed map: terms of a product of series, those whose order in the step is at least `from`.
   */
  template <bool back>
  Halves<Scalar> through(const Step& step, const Halves<Scalar>* X, int k, int from = 0) const
  {
    if (step.kind == Step::turn)
      return step.axis == 2   ? turned<2, back>(step.e, X, k, from)
             : step.axis == 1 ? turned<1, back>(step.e, X, k, from)
                              : turned<0, back>(step.e, X, k, from);
    Vector3<Scalar> a, l;
    for (int n = from; n <= k; ++n) {
      const Halves<Scalar>& Z = X[k - n];
      if (step.kind == Step::rotate) {
        const Matrix3<Scalar> R = back ? step.R[n] : transpose(step.R[n]);
        a += R * Z.angular(), l += R * Z.linear();
      } else if (back) {
        a += cross(shifted(step, n), Z.linear());
      } else {
        l += cross(Z.angular(), shifted(step, n));
      }
    }
    const Halves<Scalar> sum(a, l);
    return step.kind == Step::rotate || from > 0 ? sum : X[k] + sum;
  }

  /// Both halves turned about an axis by -q(t), or back by +q(t).
  template <int axis, bool back>
  static Halves<Scalar> turned(const Pair<Scalar>* e, const Halves<Scalar>* X, int k, int from)
  {
    constexpr int x = (axis + 1) % 3, y = (axis + 2) % 3;
    Pair<Scalar> along_x, along_y;
    for (int l = from; l <= k; ++l) {
      const Scalar c = e[l].angular(), s = e[l].linear();
      const Halves<Scalar>& Z = X[k - l];
      if constexpr (back) {
        along_x += c * Z.e[x] - s * Z.e[y];
        along_y += c * Z.e[y] + s * Z.e[x];
      } else {
        along_x += c * Z.e[x] + s * Z.e[y];
        along_y += c * Z.e[y] - s * Z.e[x];
      }
    }
    Halves<Scalar> Y;
    Y.e[x] = along_x, Y.e[y] = along_y;
    if (from == 0) Y.e[axis] = X[k].e[axis];
    return Y;
  }

  /// A twist or wrench carried through a step where it stands at t = 0.
  template <bool back>
  Halves<Scalar> at_start(const Step& step, const Halves<Scalar>& X) const
  {
    return through<back>(step, &X, 0);
  }
  // [taylor-step]

  /// The shift of a step, or of a slide.
  static Vector3<Scalar> shifted(const Step& step, int k)
  {
    if (step.kind == Step::shift) return step.p[k];
    Vector3<Scalar> p;
    p[step.axis] = step.e[k].angular();
    return p;
  }

  // [taylor-body]
  /// \f$(J w,\, v + w \times c)\f$: angular momentum about the centre of mass, and its velocity.
  static Halves<Scalar> at_center_of_mass(const Place& place, const Halves<Scalar>& V)
  {
    const Vector3<Scalar> w = V.angular();
    return Halves<Scalar>({}, V.linear()) + w[0] * place.momentum[0] + w[1] * place.momentum[1] +
           w[2] * place.momentum[2];
  }

  /** Order k of what a body needs: the rates of the two in its moving frame, \f$\dot L + w \times L\f$ and
   *  \f$\dot v_c + w \times v_c\f$; the force is the mass times the second, and turns about the frame's origin.
   */
  Halves<Scalar> needed(const Place& place, int k) const
  {
    Halves<Scalar> sum = Scalar(k + 1) * place.Q[k + 1];
    for (int l = 0; l <= k; ++l) sum += cross(place.V[l].angular(), place.Q[k - l]);
    const Vector3<Scalar> f = place.mass * sum.linear();
    return {sum.angular() + cross(place.center, f), f};
  }
  // [taylor-body]

  Model<Scalar> model_;
  int terms_;
  Indexed<Scalar> reciprocal_;  // of 1, 2, ...
  Indexed<Place> places_;       // by body; of the world, its twist and what hangs on it
  Indexed<Step> steps_;
  Indexed<Halves<Scalar>> X_, Q_, V_, F_;  // rows of coefficients, for the pointers of bodies and steps
  Indexed<Pair<Scalar>> e_;
  Indexed<Matrix3<Scalar>> R_;
  Indexed<Vector3<Scalar>> p_;
  Indexed<Scalar> rates_, tau_;  // by rate
};

}  // namespace articulate
