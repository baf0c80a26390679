/** \file
 *  \brief Newton and Euler with Taylor series in time: coefficients of body twists and wrenches, order by order.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 1 to 4, in another form: body twists, constant inertias, and no
 *    derivative of a matrix.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <algorithm>
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
 *  Gravity is the base's acceleration as everywhere: a base twist \f$(0, -g\,t)\f$.
 */
template <typename Scalar>
class TaylorRecursion {
public:
  /** \param model  must outlive the recursion
   *  \param order  r: wrenches are found up to \f$t^r\f$, twists up to \f$t^{r+1}\f$
   */
  TaylorRecursion(const Model<Scalar>& model, int order) : model_(&model), terms_(order + 2)
  {
    for (int k = 1; k < terms_; ++k) reciprocal_.push_back(Scalar(1) / Scalar(k));
    places_.resize(model.bodies() + 1);
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      Place& place = places_[i];
      place.first = static_cast<int>(steps_.size());
      add_steps(body);
      place.last = static_cast<int>(steps_.size()) - 1;
      place.parent = body.parent, place.v = body.v, place.nv = body.nv;
      place.row = static_cast<std::size_t>(i) * terms_, place.behind = steps_.back().row;
      place.in_parent = body.M, place.of_parent = inverse(body.M);
      about_center_of_mass(body.I, place);
    }
    const std::size_t n = steps_.size() * terms_, N = places_.size() * terms_;
    given_.resize(N), Q_.resize(N), V_.resize(n), F_.resize(n), cos_.resize(n), sin_.resize(n);
    rates_.resize(model.nv() * terms_), tau_.resize(model.nv() * terms_), passed_.resize(terms_);
    set_gravity(model.gravity());
  }
  TaylorRecursion(Model<Scalar>&&, int) = delete;

  const Model<Scalar>& model() const { return *model_; }
  int order() const { return terms_ - 2; }
  void set_gravity(const Vector3<Scalar>& g) { base_ = Halves<Scalar>({}, -g); }

  Scalar& rate(int v, int k) { return rates_[of_rate(v, k)]; }                       ///< \f$\dot q_{v,k}\f$
  const Scalar& tau(int v, int k) const { return tau_[of_rate(v, k)]; }              ///< \f$\tau_{v,k}\f$
  Twist<Scalar> V(int i, int k) const { return V_[places_[i].behind + k].twist(); }  ///< \f$V_{i,k}\f$ of body i
  Wrench<Scalar> F(int i, int k) const
  {
    return F_[places_[i].behind + k].wrench();
  }  ///< \f$F_{i,k}\f$ through its joint
  const Halves<Scalar>& halves_of_V(int i, int k) const
  {
    return V_[places_[i].behind + k];
  }  ///< the same, as they are kept
  const Halves<Scalar>& halves_of_F(int i, int k) const { return F_[places_[i].behind + k]; }

  /// \brief Begin at q (nq coordinates).
  void start(const Scalar* q)
  {
    using std::cos, std::sin;
    for (const Step& step : steps_) {
      const Scalar* const x = q + step.q;
      if (step.kind == Step::turn)
        cos_[step.row] = cos(step.factor * x[0]), sin_[step.row] = sin(step.factor * x[0]);
      else if (step.kind == Step::slide)
        cos_[step.row] = step.factor * x[0];
      else if (step.kind == Step::shift)
        p_[step.group_row] = {x[0], x[1], x[2]};
      else
        R_[step.group_row] = SO3<Scalar>(Quaternion<Scalar>{{x[0], x[1], x[2]}, x[3]}).R;
    }
  }

  // [taylor-outward]
  /// \brief Orders first to last of body i outward: its parent's twists are carried through the steps of its joint.
  void outward(int i, int first, int last)
  {
    const int parent = model_->body(i).parent;
    for (int k = first; k <= last; ++k)
      given_[places_[i].row + k] = parent != 0 ? twist_in(places_[i].of_parent, V_[places_[parent].behind + k])
                                   : k == 1    ? twist_in(places_[i].of_parent, base_)
                                               : Halves<Scalar>{};
    through_joint(i, first, last);
    for (int k = first; k <= last; ++k)
      Q_[places_[i].row + k] = at_center_of_mass(places_[i], V_[places_[i].behind + k]);
  }
  // [taylor-outward]

  /** \brief Order k > 1 of the twist of body i as if that of its parent were zero, and its own rates where unknown.
   *
   *  What it needs then counts no acceleration of this order.
   */
  const Halves<Scalar>& bias(int i, int k)
  {
    const Place& place = places_[i];
    given_[place.row + k] = {};
    through_joint(i, k, k);
    Q_[place.row + k] = {};
    return V_[place.behind + k];
  }

  // [taylor-inward]
  /** \brief Orders first to last of body i inward: what it needs and what hangs on it goes back through its joint.
   *
   *  `begin_inward` for these orders comes before; bodies from the tips to the base.
   */
  void inward(int i, int first, int last)
  {
    need(i, first, last);
    to_parent(i, first, last);
  }

  /// \brief What body i needs is added to what hangs on it; the forces of its joint follow.
  void need(int i, int first, int last)
  {
    const Place& place = places_[i];
    for (int k = first; k <= last; ++k) F_[place.behind + k] += needed(place, k);
    for (int j = place.last; j >= place.first; --j) {
      const Step& step = steps_[j];
      for (int k = first; k <= last; ++k) project(step, F_[step.row + k], k);
      if (j > place.first) carry_wrench(step, &F_[step.row], &F_[steps_[j - 1].row], first, last);
    }
  }

  /// \brief The wrenches in front of the joint of body i hang on its parent.
  void to_parent(int i, int first, int last)
  {
    const Place& place = places_[i];
    if (place.parent == 0) return;
    const Step& step = steps_[place.first];
    carry_wrench(step, &F_[step.row], passed_.data(), first, last);
    Halves<Scalar>* const F = &F_[places_[place.parent].behind];
    for (int k = first; k <= last; ++k) F[k] += wrench_from(place.in_parent, passed_[k]);
  }

  /** \brief Orders first to last: nothing hangs on any body yet, and what acts from outside helps.
   *  \param Fext  external wrenches and their derivatives, by order and body, in body frames
   */
  void begin_inward(int first, int last, const std::vector<ExternalWrenches<Scalar>>& Fext)
  {
    for (int k = first; k <= last; ++k)
      for (int v = 0; v < model_->nv(); ++v) tau_[of_rate(v, k)] = Scalar(0);
    Scalar factorial(1);
    for (int k = 0; k <= last; ++k) {
      if (k > 0) factorial *= Scalar(k);
      if (k < first) continue;
      const bool acts = k < static_cast<int>(Fext.size()) && !Fext[k].empty();
      for (int i = 1; i <= model_->bodies(); ++i)
        F_[places_[i].behind + k] = acts ? Halves<Scalar>(Scalar(-1) / factorial * Fext[k][i]) : Halves<Scalar>{};
    }
  }
  // [taylor-inward]

  // [taylor-correct]
  /// \brief Order k of the wrench through the joint of body i before what the body itself needs.
  void add_to_wrench(int i, int k, const Halves<Scalar>& F) { F_[places_[i].behind + k] += F; }

  /// \brief Order k of the wrench of body i grows by F behind `need`: so do the forces of its joint.
  void change_wrench(int i, int k, Halves<Scalar> F)
  {
    const Place& place = places_[i];
    for (int j = place.last; j >= place.first; --j) {
      const Step& step = steps_[j];
      F_[step.row + k] += F;
      project(step, F, k);
      if (j > place.first) F = before_at_start(step, F);
    }
  }

  /// \brief Order k of the wrench of body i is F in the end.
  void complete_wrench(int i, int k, const Halves<Scalar>& F)
  {
    const Place& place = places_[i];
    change_wrench(i, k, F - F_[place.behind + k]);
  }

  /// \brief What order k of the parent's twist comes to at body i, if its joint adds nothing.
  Halves<Scalar> carried(int i, int k)
  {
    const Place& place = places_[i];
    if (place.parent == 0) return {};
    Halves<Scalar> X = twist_in(place.of_parent, V_[places_[place.parent].behind + k]);
    given_[place.row + k] = X;
    for (int j = place.first; j < place.last; ++j) {
      X = behind_at_start(steps_[j], X);
      V_[steps_[j].row + k] += X;
    }
    return behind_at_start(steps_[place.last], X);
  }

  /** \brief Complete order k of the twist of body i, of which there is the bias.
   *  \param carried  what the parent's twist comes to
   *  \param x        the body's nv rates of order k
   *  \return what the twist of body i grows by
   */
  Halves<Scalar> complete_twist(int i, int k, const Halves<Scalar>& carried, const Scalar* x)
  {
    const Place& place = places_[i];
    for (int v = 0; v < place.nv; ++v) rates_[of_rate(place.v + v, k)] += x[v];
    Halves<Scalar> D;
    for (int j = place.first; j <= place.last; ++j) {
      const Step& step = steps_[j];
      if (j > place.first) D = behind_at_start(step, D);
      add_rate(step, x + (step.v - place.v), 1, D);
      if (j < place.last) V_[step.row + k] += D;
    }
    D += carried;
    V_[place.behind + k] += D;
    Q_[place.row + k] = at_center_of_mass(place, V_[place.behind + k]);
    return D;
  }
  // [taylor-correct]

private:
  /// What a joint does one after the other.
  struct Step {
    enum Kind { turn, slide, shift, rotate } kind;
    int axis;       // of a turn or slide
    Scalar factor;  // rad or m per unit of the coordinate
    int q, v;       // where its numbers stand
    int rates;      // how many rates a rotation adds: 3 of a ball, 6 of a free joint; one of a turn or slide
    int body;
    std::size_t row, rate_row, group_row;  // where its coefficients begin: of all; of rates; of a shift or rotation
  };
  /// A body: its steps, its joint's place in the parent and the other way round, its inertia about its centre of mass.
  struct Place {
    int parent, v, nv, first, last;
    std::size_t row, behind;  // where its coefficients begin, and those of its last step
    SE3<Scalar> in_parent, of_parent;
    Scalar mass;
    Vector3<Scalar> center;
    Halves<Scalar> momentum[3];  // by columns: (J w, v - c x w) = (0, v) + sum of these times w
  };

  std::size_t of_rate(int v, int k) const { return static_cast<std::size_t>(v) * terms_ + k; }
  const Halves<Scalar>* in_front(int j) const
  {
    const Place& place = places_[steps_[j].body];
    return j == place.first ? &given_[place.row] : &V_[steps_[j - 1].row];
  }

  // [taylor-steps]
  void add_steps(const Body<Scalar>& body)
  {
    const auto add = [&](typename Step::Kind kind, int axis, const Scalar& factor, int q, int v, int rates) {
      steps_.push_back({kind, axis, factor, q, v, rates, body.index, steps_.size() * terms_, of_rate(v, 0), R_.size()});
      if (kind == Step::shift || kind == Step::rotate) R_.resize(R_.size() + terms_), p_.resize(R_.size());
    };
    if (body.kind == JointKind::chart) {
      for (int k = 0; k < body.nv; ++k)
        add(body.directions[k] < 3 ? Step::turn : Step::slide, body.directions[k] % 3, Scalar(1), body.q + k,
            body.v + k, 1);
    } else if (body.kind == JointKind::screw) {
      if (comparable(body.slide) != 0) add(Step::slide, 2, body.slide, body.q, body.v, 1);
      if (comparable(body.turn) != 0) add(Step::turn, 2, body.turn, body.q, body.v, 1);
    } else {
      if (body.kind == JointKind::free) add(Step::shift, 0, Scalar(1), body.q, body.v, 0);
      add(Step::rotate, 0, Scalar(1), body.q + body.nq - 4, body.v, body.nv);
    }
  }

  static void about_center_of_mass(const Inertia<Scalar>& I, Place& place)
  {
    place.mass = I.mass;
    if (comparable(I.mass) != 0) place.center = Scalar(1) / I.mass * I.moment;
    const Vector3<Scalar>& c = place.center;
    const Symmetric3<Scalar> J = I.rotation - skew_products(Scalar(1) / Scalar(2) * I.moment, c);
    const Matrix3<Scalar> A = J.matrix(), shift = skew(-c);
    for (int k = 0; k < 3; ++k) place.momentum[k] = {A.column(k), shift.column(k)};
  }
  // [taylor-steps]

  static Halves<Scalar> twist_in(const SE3<Scalar>& T, const Halves<Scalar>& V)
  {
    const Halves<Scalar> turned = T.R.R * V;
    return turned + Halves<Scalar>({}, cross(T.p, turned.angular()));
  }
  static Halves<Scalar> wrench_from(const SE3<Scalar>& T, const Halves<Scalar>& F)
  {
    const Halves<Scalar> turned = T.R.R * F;
    return turned + Halves<Scalar>(cross(T.p, turned.linear()), {});
  }

  /// Twists of orders first to last behind every step of the joint of body i, from those in front.
  void through_joint(int i, int first, int last)
  {
    const Place& place = places_[i];
    for (int j = place.last; j >= place.first; --j) advance(j, first, last);  // a shift needs the rotation behind it
    for (int j = place.first; j <= place.last; ++j) {
      const Step& step = steps_[j];
      carry_twist(step, in_front(j), &V_[step.row], first, last);
      for (int k = first; k <= last; ++k) add_rate(step, &rates_[step.rate_row + k], terms_, V_[step.row + k]);
    }
  }

  /// A twist or wrench carried through a step where it stands at t = 0.
  Halves<Scalar> behind_at_start(const Step& step, const Halves<Scalar>& X) const
  {
    Halves<Scalar> Y;
    carry_twist(step, &X, &Y, 0, 0);
    return Y;
  }
  Halves<Scalar> before_at_start(const Step& step, const Halves<Scalar>& F) const
  {
    Halves<Scalar> G;
    carry_wrench(step, &F, &G, 0, 0);
    return G;
  }

  /// Coefficients of the series of a step, from rates of lower order: \f$\dot c = -s\,\dot q\f$ and so on.
  void advance(int j, int first, int last)
  {
    const Step& step = steps_[j];
    const Scalar* const u = &rates_[step.rate_row];
    for (int k = std::max(first, 1); k <= last; ++k) {
      const Scalar& over_k = reciprocal_[k - 1];
      if (step.kind == Step::turn) {
        Scalar *const c = &cos_[step.row], *const s = &sin_[step.row], dc(0), ds(0);
        for (int l = 0; l < k; ++l) dc -= s[l] * u[k - 1 - l], ds += c[l] * u[k - 1 - l];
        c[k] = over_k * step.factor * dc, s[k] = over_k * step.factor * ds;
      } else if (step.kind == Step::slide) {
        cos_[step.row + k] = over_k * step.factor * u[k - 1];
      } else if (step.kind == Step::shift) {  // p' = R v, with the rotation of the next step
        Vector3<Scalar> v;
        for (int l = 0; l < k; ++l) v += R_[steps_[j + 1].group_row + l] * vector_rate(u + 3 * terms_, k - 1 - l);
        p_[step.group_row + k] = over_k * v;
      } else {
        Matrix3<Scalar> R;
        for (int l = 0; l < k; ++l) R = R + R_[step.group_row + l] * skew(vector_rate(u, k - 1 - l));
        R_[step.group_row + k] = over_k * R;
      }
    }
  }
  Vector3<Scalar> vector_rate(const Scalar* u, int k) const { return {u[k], u[terms_ + k], u[2 * terms_ + k]}; }

  /// What the rates add behind a step; those of one order are `stride` apart.
  void add_rate(const Step& step, const Scalar* u, int stride, Halves<Scalar>& V) const
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

  /// What a wrench behind a step is to its rates.
  void project(const Step& step, const Halves<Scalar>& F, int k)
  {
    Scalar* const tau = &tau_[step.rate_row + k];
    if (step.kind == Step::turn)
      tau[0] += step.factor * F.e[step.axis].angular();
    else if (step.kind == Step::slide)
      tau[0] += step.factor * F.e[step.axis].linear();
    else
      for (int i = 0; i < step.rates; ++i) tau[i * terms_] += i < 3 ? F.e[i].angular() : F.e[i - 3].linear();
  }

  // [taylor-step]
  /// Orders first to last of the twist behind a step, without its rates, from the twist in front.
  void carry_twist(const Step& step, const Halves<Scalar>* X, Halves<Scalar>* Y, int first, int last) const
  {
    if (step.kind == Step::turn) {
      const Scalar *const c = &cos_[step.row], *const s = &sin_[step.row];
      step.axis == 2   ? turn<2>(c, s, X, Y, first, last)
      : step.axis == 1 ? turn<1>(c, s, X, Y, first, last)
                       : turn<0>(c, s, X, Y, first, last);
      return;
    }
    for (int k = first; k <= last; ++k) {
      Vector3<Scalar> w, v;
      for (int l = 0; l <= k; ++l) {
        const Halves<Scalar>& Z = X[k - l];
        if (step.kind == Step::rotate) {
          const Matrix3<Scalar> Rt = transpose(R_[step.group_row + l]);
          w += Rt * Z.angular(), v += Rt * Z.linear();
        } else {
          v += cross(Z.angular(), shifted(step, l));
        }
      }
      Y[k] = step.kind == Step::rotate ? Halves<Scalar>(w, v) : X[k] + Halves<Scalar>({}, v);
    }
  }

  /// Orders first to last of the wrench in front of a step, from the wrench behind: the transposed map.
  void carry_wrench(const Step& step, const Halves<Scalar>* F, Halves<Scalar>* G, int first, int last) const
  {
    if (step.kind == Step::turn) {
      const Scalar *const c = &cos_[step.row], *const s = &sin_[step.row];
      step.axis == 2   ? turn<2, true>(c, s, F, G, first, last)
      : step.axis == 1 ? turn<1, true>(c, s, F, G, first, last)
                       : turn<0, true>(c, s, F, G, first, last);
      return;
    }
    for (int k = first; k <= last; ++k) {
      Vector3<Scalar> m, f;
      for (int l = 0; l <= k; ++l) {
        const Halves<Scalar>& Z = F[k - l];
        if (step.kind == Step::rotate)
          m += R_[step.group_row + l] * Z.angular(), f += R_[step.group_row + l] * Z.linear();
        else
          m += cross(shifted(step, l), Z.linear());
      }
      G[k] = step.kind == Step::rotate ? Halves<Scalar>(m, f) : F[k] + Halves<Scalar>(m, {});
    }
  }

  /// Both halves turned about an axis by -q(t), or back by +q(t): the product of two series.
  template <int axis, bool back = false>
  static void turn(const Scalar* c, const Scalar* s, const Halves<Scalar>* X, Halves<Scalar>* Y, int first, int last)
  {
    constexpr int x = (axis + 1) % 3, y = (axis + 2) % 3;
    for (int k = first; k <= last; ++k) {
      Pair<Scalar> along_x, along_y;
      for (int l = 0; l <= k; ++l) {
        const Halves<Scalar>& Z = X[k - l];
        const Scalar sine = back ? Scalar(-s[l]) : s[l];
        along_x += c[l] * Z.e[x] + sine * Z.e[y];
        along_y += c[l] * Z.e[y] - sine * Z.e[x];
      }
      Y[k].e[x] = along_x, Y[k].e[y] = along_y, Y[k].e[axis] = X[k].e[axis];
    }
  }
  // [taylor-step]

  /// The shift of a step, or of a slide.
  Vector3<Scalar> shifted(const Step& step, int k) const
  {
    if (step.kind == Step::shift) return p_[step.group_row + k];
    Vector3<Scalar> p;
    p[step.axis] = cos_[step.row + k];
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
    const Halves<Scalar>* const Q = &Q_[place.row];
    const Halves<Scalar>* const V = &V_[place.behind];
    Halves<Scalar> sum = Scalar(k + 1) * Q[k + 1];
    for (int l = 0; l <= k; ++l) sum += cross(V[l].angular(), Q[k - l]);
    const Vector3<Scalar> f = place.mass * sum.linear();
    return {sum.angular() + cross(place.center, f), f};
  }
  // [taylor-body]

  const Model<Scalar>* model_;
  int terms_;
  std::vector<Scalar> reciprocal_;  // of 1, 2, ...
  std::vector<Place> places_;       // by body
  std::vector<Step> steps_;
  Halves<Scalar> base_;
  std::vector<Halves<Scalar>> given_, Q_;  // by body, a row of coefficients each: V in front of its joint; (L, v_c)
  std::vector<Halves<Scalar>> V_, F_;      // by step: behind it
  std::vector<Halves<Scalar>> passed_;     // one row
  std::vector<Scalar> cos_, sin_;          // by step; of a slide, its length stands in place of the cosine
  std::vector<Matrix3<Scalar>> R_;         // of ball and free joints
  std::vector<Vector3<Scalar>> p_;
  std::vector<Scalar> rates_, tau_;  // by rate
};

}  // namespace articulate
