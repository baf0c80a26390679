/** \file
 *  \brief Newton and Euler with Taylor series in time: one more coefficient of every twist and wrench per pass.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 1 to 4, in another form: body twists, constant inertias, and no
 *    derivative of a matrix.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/model/recursion.hpp>

namespace articulate {

/** \brief The passes outward and inward of a tree whose rates are series \f$\dot q(t) = \sum_k \dot q_k t^k\f$.
 *
 *  Coefficients, not derivatives: \f$x^{(k)} = k!\,x_k\f$, and no binomials. Pass k outward finds the coefficients
 *  \f$V_{i,k}\f$ of the body twists, pass k inward those of the joint wrenches, \f$F_{i,k}\f$, which need
 *  \f$V_{i,k+1}\f$. A joint acts in steps, one per coordinate: a turn about an axis of its frame or a slide along it, so
 *  that a step multiplies two numbers of a vector by the series of \f$e^{\mathrm i q(t)}\f$. A ball or free joint is one
 *  step, with the series of its rotation and place.
 *
 *  Gravity is the base's acceleration as everywhere: a base twist \f$(0, -g\,t)\f$.
 */
template <typename Scalar>
class TaylorRecursion {
public:
  MatrixX<Scalar> rates;  ///< nv x (r + 2), column k is \f$\dot q_k\f$: set before pass k outward
  MatrixX<Scalar> tau;    ///< nv x (r + 1), column k is \f$\tau_k\f$, after pass k inward

  /// \param order  r: wrenches are found up to \f$t^r\f$
  TaylorRecursion(const Model<Scalar>& model, int order)
      : rates(MatrixX<Scalar>::Zero(model.nv(), order + 2)),
        tau(MatrixX<Scalar>::Zero(model.nv(), order + 1)),
        model_(&model),
        terms_(order + 2)
  {
    last_.assign(1, -1);
    for (int i = 1; i <= model.bodies(); ++i) {
      const Body<Scalar>& body = model.body(i);
      const bool is_group = body.nq != body.nv;
      for (int k = 0; k < (is_group ? 1 : body.nv); ++k) {
        Step step{};
        step.body = i, step.v = body.v + k, step.q = body.q + k;
        step.before = k == 0 ? last_[body.parent] : static_cast<int>(steps_.size()) - 1;
        step.is_first = k == 0, step.is_last = is_group || k == body.nv - 1;
        step.axis = 2, step.turn = body.turn, step.slide = body.slide;
        if (body.kind == JointKind::chart) {
          const bool turns = body.directions[k] < 3;
          step.axis = body.directions[k] % 3, step.turn = Scalar(turns), step.slide = Scalar(!turns);
        }
        step.turns = comparable(step.turn) != 0, step.slides = comparable(step.slide) != 0;
        if (is_group) {
          step.turns = step.slides = false;
          step.group = static_cast<int>(R_.size()) / terms_;
          R_.resize(R_.size() + terms_), p_.resize(R_.size()), shifted_.resize(R_.size()), turned_.resize(R_.size());
        } else {
          step.group = -1;
        }
        steps_.push_back(step);
      }
      last_.push_back(static_cast<int>(steps_.size()) - 1);
    }
    const std::size_t n = steps_.size() * terms_;
    given_.resize(n), V_.resize(n), F_.resize(n), passed_.resize(n);
    cos_.resize(n), sin_.resize(n), slid_.resize(n);
    dV_.resize(steps_.size()), dF_.resize(steps_.size());
    set_gravity(model.gravity());
  }
  TaylorRecursion(Model<Scalar>&&, int) = delete;  // the model must outlive the recursion

  const Model<Scalar>& model() const { return *model_; }
  int order() const { return terms_ - 2; }
  void set_gravity(const Vector3<Scalar>& g) { base_ = {{}, -g}; }

  /// \brief Coefficient k of the twist of body i, in its frame; k up to r + 1.
  const Twist<Scalar>& V(int i, int k) const { return V_[at(last_[i], k)]; }

  /// \brief Begin at q (nq coordinates).
  void start(const Scalar* q)
  {
    using std::cos, std::sin;
    for (std::size_t j = 0; j < steps_.size(); ++j) {
      const Step& step = steps_[j];
      if (step.group < 0) {
        cos_[at(j, 0)] = cos(step.turn * q[step.q]), sin_[at(j, 0)] = sin(step.turn * q[step.q]);
        slid_[at(j, 0)] = step.slide * q[step.q];
      } else {
        const Body<Scalar>& body = model_->body(step.body);
        const SE3<Scalar> T = joint_pose(identity_place(body), q + step.q);
        R_[of_group(step, 0)] = T.R.R, p_[of_group(step, 0)] = T.p;
      }
    }
  }

  // [taylor-outward]
  /// \brief Pass k outward: the coefficients \f$V_{i,k}\f$, from column k of `rates`.
  void outward(int k)
  {
    for (std::size_t j = 0; j < steps_.size(); ++j) {
      const Step& step = steps_[j];
      Twist<Scalar>& X = given_[at(j, k)];
      X = step.before >= 0 ? V_[at(step.before, k)] : k == 1 ? base_ : Twist<Scalar>{};
      if (step.is_first) X = AdInv(model_->body(step.body).M, X);
      if (k > 0) advance(step, j, k);
      V_[at(j, k)] = add_rate(*model_, step, behind(step, j, k), rates.col(k).data());
    }
  }
  // [taylor-outward]

  // [taylor-inward]
  /** \brief Pass k inward: the coefficients \f$F_{i,k}\f$ and column k of `tau`.
   *  \param Fext   the k-th derivative of the external wrenches, by body, or nothing
   *  \param scale  1/k!, which makes a coefficient of it
   */
  void inward(int k, const ExternalWrenches<Scalar>* Fext, const Scalar& scale)
  {
    for (std::size_t j = 0; j < steps_.size(); ++j)
      F_[at(j, k)] = steps_[j].is_last ? needed(model_->body(steps_[j].body).I, &V_[at(j, 0)], k) : Wrench<Scalar>{};
    if (Fext)
      for (std::size_t j = 0; j < steps_.size(); ++j)
        if (steps_[j].is_last) F_[at(j, k)] = F_[at(j, k)] - scale * (*Fext)[steps_[j].body];
    for (std::size_t j = steps_.size(); j-- > 0;) {
      const Step& step = steps_[j];
      project(step, F_[at(j, k)], tau.col(k).data());
      if (step.before < 0) continue;
      const Wrench<Scalar> Q = before(step, j, k);
      F_[at(step.before, k)] += step.is_first ? coAdInv(model_->body(step.body).M, Q) : Q;
    }
  }
  // [taylor-inward]

  // [taylor-correct]
  /** \brief Column k + 1 of `rates` grows by x after pass k inward: what that changes, at a cost that has no r in it.
   *
   *  Only the poses at t = 0 carry it on, as if it were an acceleration.
   */
  void correct(int k, const VectorX<Scalar>& x)
  {
    const Scalar factor(k + 1);
    rates.col(k + 1) += x;
    for (std::size_t j = 0; j < steps_.size(); ++j) {
      const Step& step = steps_[j];
      Twist<Scalar> dX = step.before >= 0 ? dV_[step.before] : Twist<Scalar>{};
      if (step.is_first) dX = AdInv(model_->body(step.body).M, dX);
      given_[at(j, k + 1)] += dX;
      dV_[j] = add_rate(*model_, step, AdInv(pose_at_start(step, j), dX), x.data());
      if (step.group >= 0) shifted_[of_group(step, k + 1)] += dX.v - cross(p_[of_group(step, 0)], dX.w);
      V_[at(j, k + 1)] += dV_[j];
      dF_[j] = step.is_last ? factor * (model_->body(step.body).I * dV_[j]) : Wrench<Scalar>{};
    }
    for (std::size_t j = steps_.size(); j-- > 0;) {
      const Step& step = steps_[j];
      F_[at(j, k)] += dF_[j];
      project(step, F_[at(j, k)], tau.col(k).data());
      if (step.before < 0) continue;
      const Wrench<Scalar> Q = coAdInv(pose_at_start(step, j), dF_[j]);
      if (step.group >= 0) turned_[of_group(step, k)] += Q.f;
      if (step.slides) passed_[at(j, k)] += Q.f;
      dF_[step.before] += step.is_first ? coAdInv(model_->body(step.body).M, Q) : Q;
    }
  }
  // [taylor-correct]

private:
  struct Step {
    int body, before, v, q, axis, group;
    bool is_first, is_last, turns, slides;
    Scalar turn, slide;
  };

  std::size_t at(std::size_t step, int k) const { return step * terms_ + k; }
  std::size_t of_group(const Step& step, int k) const { return static_cast<std::size_t>(step.group) * terms_ + k; }
  static Body<Scalar> identity_place(Body<Scalar> body)
  {
    body.M = {};
    return body;
  }

  /// Coefficient k > 0 of the series of a step, from the rates before it: \f$\dot c = -s\,\dot q\f$ and so on.
  void advance(const Step& step, std::size_t j, int k)
  {
    const Scalar one_over_k = Scalar(1) / Scalar(k);
    if (step.group >= 0) {
      Matrix3<Scalar> R;
      Vector3<Scalar> p;
      for (int l = 0; l < k; ++l) {
        const Matrix3<Scalar>& R_l = R_[of_group(step, l)];
        const Twist<Scalar> u = group_rate(step, k - 1 - l);
        R = R + R_l * skew(u.w);
        p += R_l * u.v;
      }
      R_[of_group(step, k)] = one_over_k * R, p_[of_group(step, k)] = one_over_k * p;
      return;
    }
    Scalar c(0), s(0);
    if (step.turns)
      for (int l = 0; l < k; ++l) {
        const Scalar& qd = rates(step.v, k - 1 - l);
        c -= sin_[at(j, l)] * qd, s += cos_[at(j, l)] * qd;
      }
    cos_[at(j, k)] = one_over_k * step.turn * c, sin_[at(j, k)] = one_over_k * step.turn * s;
    if (step.slides) slid_[at(j, k)] = one_over_k * step.slide * rates(step.v, k - 1);
  }

  Twist<Scalar> group_rate(const Step& step, int k) const
  {
    const Scalar* const u = rates.col(k).data() + step.v;
    if (model_->body(step.body).kind == JointKind::ball) return {{u[0], u[1], u[2]}, {}};
    return {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
  }

  static Twist<Scalar> add_rate(const Model<Scalar>& model, const Step& step, Twist<Scalar> V, const Scalar* rate)
  {
    const Scalar* const u = rate + step.v;
    if (step.group < 0) {
      V.w[step.axis] += step.turn * u[0], V.v[step.axis] += step.slide * u[0];
      return V;
    }
    for (int i = 0; i < 3; ++i) V.w[i] += u[i];
    if (model.body(step.body).kind == JointKind::free)
      for (int i = 0; i < 3; ++i) V.v[i] += u[3 + i];
    return V;
  }

  void project(const Step& step, const Wrench<Scalar>& F, Scalar* tau) const
  {
    if (step.group < 0) {
      tau[step.v] = step.turn * F.m[step.axis] + step.slide * F.f[step.axis];
      return;
    }
    for (int i = 0; i < 3; ++i) tau[step.v + i] = F.m[i];
    if (model_->body(step.body).kind == JointKind::free)
      for (int i = 0; i < 3; ++i) tau[step.v + 3 + i] = F.f[i];
  }

  // [taylor-step]
  /// Coefficient k of the twist behind a step, without the step's rate: turned by -q, then slid by -q.
  Twist<Scalar> behind(const Step& step, std::size_t j, int k) const
  {
    const Twist<Scalar>* const X = &given_[at(j, 0)];
    if (step.group >= 0) return behind_group(step, X, k);
    const int x = (step.axis + 1) % 3, y = (step.axis + 2) % 3;
    Twist<Scalar> V = X[k];
    if (step.turns) {
      V.w[x] = V.w[y] = V.v[x] = V.v[y] = Scalar(0);
      for (int l = 0; l <= k; ++l) {
        const Scalar &c = cos_[at(j, l)], &s = sin_[at(j, l)];
        const Twist<Scalar>& Z = X[k - l];
        V.w[x] += c * Z.w[x] + s * Z.w[y], V.w[y] += c * Z.w[y] - s * Z.w[x];
        V.v[x] += c * Z.v[x] + s * Z.v[y], V.v[y] += c * Z.v[y] - s * Z.v[x];
      }
    }
    if (step.slides) {
      const Twist<Scalar>* const W = &V_[at(j, 0)];  // its w across the axis is what has been turned
      V.v[x] += slid_[at(j, 0)] * V.w[y], V.v[y] -= slid_[at(j, 0)] * V.w[x];
      for (int l = 1; l <= k; ++l) V.v[x] += slid_[at(j, l)] * W[k - l].w[y], V.v[y] -= slid_[at(j, l)] * W[k - l].w[x];
    }
    return V;
  }

  /// Coefficient k of the wrench before a step: the transposed map, so slid and turned by +q.
  Wrench<Scalar> before(const Step& step, std::size_t j, int k)
  {
    const Wrench<Scalar>* const F = &F_[at(j, 0)];
    if (step.group >= 0) return before_group(step, F, k);
    const int x = (step.axis + 1) % 3, y = (step.axis + 2) % 3;
    Wrench<Scalar> Q = F[k];
    if (step.turns) {
      Q.m[x] = Q.m[y] = Q.f[x] = Q.f[y] = Scalar(0);
      for (int l = 0; l <= k; ++l) {
        const Scalar &c = cos_[at(j, l)], &s = sin_[at(j, l)];
        const Wrench<Scalar>& Z = F[k - l];
        Q.m[x] += c * Z.m[x] - s * Z.m[y], Q.m[y] += c * Z.m[y] + s * Z.m[x];
        Q.f[x] += c * Z.f[x] - s * Z.f[y], Q.f[y] += c * Z.f[y] + s * Z.f[x];
      }
    }
    if (step.slides) {
      passed_[at(j, k)] = Q.f;
      const Vector3<Scalar>* const f = &passed_[at(j, 0)];
      for (int l = 0; l <= k; ++l) Q.m[x] -= slid_[at(j, l)] * f[k - l][y], Q.m[y] += slid_[at(j, l)] * f[k - l][x];
    }
    return Q;
  }
  // [taylor-step]

  Twist<Scalar> behind_group(const Step& step, const Twist<Scalar>* X, int k) const
  {
    Vector3<Scalar>& v = shifted_[of_group(step, k)];
    v = X[k].v;
    for (int l = 0; l <= k; ++l) v += cross(X[k - l].w, p_[of_group(step, l)]);
    Twist<Scalar> V;
    for (int l = 0; l <= k; ++l) {
      const Matrix3<Scalar> Rt = transpose(R_[of_group(step, l)]);
      V.w += Rt * X[k - l].w, V.v += Rt * shifted_[of_group(step, k - l)];
    }
    return V;
  }

  Wrench<Scalar> before_group(const Step& step, const Wrench<Scalar>* F, int k)
  {
    Wrench<Scalar> Q;
    for (int l = 0; l <= k; ++l) {
      const Matrix3<Scalar>& R = R_[of_group(step, l)];
      Q.m += R * F[k - l].m, Q.f += R * F[k - l].f;
    }
    turned_[of_group(step, k)] = Q.f;
    for (int l = 0; l <= k; ++l) Q.m += cross(p_[of_group(step, l)], turned_[of_group(step, k - l)]);
    return Q;
  }

  /// The pose of a step at t = 0.
  SE3<Scalar> pose_at_start(const Step& step, std::size_t j) const
  {
    if (step.group >= 0) return {SO3<Scalar>(R_[of_group(step, 0)]), p_[of_group(step, 0)]};
    SE3<Scalar> T;
    const int x = (step.axis + 1) % 3, y = (step.axis + 2) % 3;
    T.R.R(x, x) = T.R.R(y, y) = cos_[at(j, 0)], T.R.R(y, x) = sin_[at(j, 0)], T.R.R(x, y) = -sin_[at(j, 0)];
    T.p[step.axis] = slid_[at(j, 0)];
    return T;
  }

  // [taylor-body]
  /** Coefficient k of \f$\mathcal I\dot V - \ad^*_V\mathcal IV\f$ of a body.
   *
   *  The products of series are \f$\sum w_l \times v_{k-l}\f$ and the six numbers of \f$\sum w_l w_{k-l}^{\mathsf T}\f$;
   *  inertia, which is constant, waits until they are summed.
   */
  Wrench<Scalar> needed(const Inertia<Scalar>& I, const Twist<Scalar>* V, int k) const
  {
    Vector3<Scalar> a;
    for (int l = 0; l <= k; ++l) a += cross(V[l].w, V[k - l].v);
    Symmetric3<Scalar> W;
    for (int l = 0; 2 * l < k; ++l) {
      const Vector3<Scalar>&u = V[l].w, &w = V[k - l].w;
      W = W + Symmetric3<Scalar>{Scalar(2) * u[0] * w[0], u[0] * w[1] + u[1] * w[0], u[0] * w[2] + u[2] * w[0],
                                 Scalar(2) * u[1] * w[1], u[1] * w[2] + u[2] * w[1], Scalar(2) * u[2] * w[2]};
    }
    if (k % 2 == 0) {
      const Vector3<Scalar>& w = V[k / 2].w;
      W = W + Symmetric3<Scalar>{w[0] * w[0], w[0] * w[1], w[0] * w[2], w[1] * w[1], w[1] * w[2], w[2] * w[2]};
    }
    const Vector3<Scalar>& h = I.moment;
    const Matrix3<Scalar> WJ = W.matrix() * I.rotation.matrix();
    const Wrench<Scalar> L = I * (Scalar(k + 1) * V[k + 1]);
    return {L.m + Vector3<Scalar>{WJ(1, 2) - WJ(2, 1), WJ(2, 0) - WJ(0, 2), WJ(0, 1) - WJ(1, 0)} + cross(h, a),
            L.f + I.mass * a - (W.xx + W.yy + W.zz) * h + W * h};
  }
  // [taylor-body]

  const Model<Scalar>* model_;
  int terms_;
  std::vector<Step> steps_;
  std::vector<int> last_;  // by body: its last step
  Twist<Scalar> base_;
  std::vector<Twist<Scalar>> given_, V_;  // by step, a row of coefficients each: before the step, behind it
  std::vector<Wrench<Scalar>> F_;
  std::vector<Scalar> cos_, sin_, slid_;
  std::vector<Vector3<Scalar>> passed_;  // forces before sliding steps
  std::vector<Matrix3<Scalar>> R_;       // of ball and free joints
  std::vector<Vector3<Scalar>> p_, turned_;
  mutable std::vector<Vector3<Scalar>> shifted_;
  std::vector<Twist<Scalar>> dV_;
  std::vector<Wrench<Scalar>> dF_;
};

}  // namespace articulate
