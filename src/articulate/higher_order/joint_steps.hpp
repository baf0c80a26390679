/** \file
 *  \brief Series in time, their product, and what a joint does one after the other: turn, slide, shift, rotate.
 *
 *  - Chapter: \ref higher_order
 *  - `advance` finds order k of the step's own series from rates of lower order; `forward` order k of a twist behind
 *    the step from that in front, or with `first` = 1 what lower orders of that make of it; `add_motion` what its own rate
 *    adds; `back` carries a wrench the other way, `project` finds the force; `own` picks the step's rates from all.
 *  - Products are added one at a time: each addition is one fused instruction then.
 */
#pragma once
#include <variant>
#include <articulate/higher_order/pair.hpp>
#include <articulate/model/model.hpp>

namespace articulate {

/// \brief A series: where its coefficients of \f$t^0, t^1, \ldots\f$ stand, side by side.
template <typename T>
class Row {
public:
  Row() = default;
  explicit Row(T* coefficients) : first_(coefficients) {}
  T& operator[](int k) const { return first_[k]; }
  explicit operator bool() const { return first_ != nullptr; }

private:
  T* first_ = nullptr;
};

/// \brief Where such rows of equal length are kept. They stay where they are when more are added, or this is moved.
template <typename T>
class Rows {
public:
  explicit Rows(int terms) : terms_(terms) {}
  Row<T> add() { return Row<T>(rows_.emplace_back(terms_).data()); }
  T& operator()(int row, int k) { return rows_[row][k]; }
  const T& operator()(int row, int k) const { return rows_[row][k]; }
  Row<T> operator[](int row) { return Row<T>(rows_[row].data()); }

private:
  int terms_;
  Indexed<Indexed<T>> rows_;
};

// [cauchy]
/// \brief Every pair of orders l and k - l of two series, of which order k of a product is made; from l = `first` on.
template <typename A, typename B, typename Add>
inline void cauchy(const A& a, const B& b, int k, const Add& add, int first = 0)
{
  for (int l = first, m = k - first; l <= k; ++l, --m) add(a[l], b[m]);
}
/// \brief The same for rows: a place in each, one walking up and one down, which costs packs less than an index.
template <typename A, typename B, typename Add>
inline void cauchy(Row<A> a, Row<B> b, int k, const Add& add, int first = 0)
{
  const A* a_l = &a[first];
  const B* b_m = &b[k - first];
  for (int l = first; l <= k; ++l) add(*a_l++, *b_m--);
}

/// \brief Order k of the product of two series, \f$\sum_{l\le k}a_lb_{k-l}\f$.
template <typename A, typename B>
inline auto cauchy(const A& a, const B& b, int k)
{
  decltype(a[0] * b[0]) sum{};
  cauchy(a, b, k, [&sum](const auto& x, const auto& y) { sum += x * y; });
  return sum;
}
// [cauchy]

/// \brief Three series of numbers as one of vectors.
template <typename Scalar>
struct VectorRow {
  Row<Scalar> x, y, z;
  Vector3<Scalar> operator[](int k) const { return {x[k], y[k], z[k]}; }
  void set(int k, const Vector3<Scalar>& a) const { x[k] = a[0], y[k] = a[1], z[k] = a[2]; }
};

/// \brief Six series of numbers as one of twists, or of the wrench to each.
template <typename Scalar>
struct HalvesRow {
  VectorRow<Scalar> w, v;
  TwistHalves<Scalar> operator[](int k) const { return {w[k], v[k]}; }
  void set(int k, const WrenchHalves<Scalar>& F) const { w.set(k, F.angular()), v.set(k, F.linear()); }
};

// [taylor-turn]
/// \brief Cosine and sine of an angle, factors of both halves of what is turned.
template <typename Scalar>
struct Rotor {
  Both<Scalar> c, s;
};

/** \brief A hinge: turn about axis z of the frame by a multiple of the coordinate.
 *
 *  Both halves of what it carries are multiplied by \f$e^{\mp\mathrm iq(t)}\f$ across the axis, from x to y.
 */
template <typename Scalar, int z>
struct Turn {
  static constexpr int x = (z + 1) % 3, y = (z + 2) % 3;
  Constant<Scalar> factor;  ///< rad per unit of the coordinate
  int q, v;                 ///< where the coordinate and its rate stand
  Row<Scalar> u, tau;       ///< its rate and its force
  Row<Rotor<Scalar>> e;     ///< \f$e^{\mathrm iq}\f$

  void start(const Scalar* coordinates) const
  {
    using std::cos, std::sin;
    const Scalar angle = factor * coordinates[q];
    e[0] = {Both<Scalar>(cos(angle)), Both<Scalar>(sin(angle))};
  }
  /// \f$\frac{d}{dt}e^{\mathrm iq} = \mathrm i\,\dot q\,e^{\mathrm iq}\f$.
  void advance(int k, const Scalar& over_k) const
  {
    const Scalar share = over_k * factor;
    Scalar c(0), s(0);
    cauchy(u, e, k - 1,
           [&](const Scalar& u_l, const Rotor<Scalar>& e_m) { c -= u_l * number(e_m.s), s += u_l * number(e_m.c); });
    e[k] = {Both<Scalar>(share * c), Both<Scalar>(share * s)};
  }
  TwistHalves<Scalar> forward(Row<TwistHalves<Scalar>> X, int k, int first = 0) const
  {
    return turned<x, y>(X, k, first);
  }
  WrenchHalves<Scalar> back(Row<WrenchHalves<Scalar>> F, int k) const { return turned<y, x>(F, k, 0); }
  void add_motion(const Scalar& rate, TwistHalves<Scalar>& V) const { V[z] += Pair<Scalar>(factor * rate, Scalar(0)); }
  void project(const WrenchHalves<Scalar>& F, int k) const { tau[k] = factor * F[z].first(); }
  const Scalar& own(const Indexed<Scalar>& rates) const { return rates[v]; }

private:
  /// Order k of X, turned from one axis to the other; from \f$e_{\text{first}}X_{k-\text{first}}\f$ on.
  template <int to, int from, typename Quantity>
  Quantity turned(Row<Quantity> X, int k, int first) const
  {
    Quantity Y;
    const auto add = [&](const Rotor<Scalar>& e_l, const Quantity& X_m) {
      Y[to] += e_l.c * X_m[to], Y[to] += e_l.s * X_m[from];
      Y[from] += e_l.c * X_m[from], Y[from] -= e_l.s * X_m[to];
    };
    cauchy(e, X, k, add, first);
    if (first == 0) Y[z] = X[k][z];
    return Y;
  }
};
// [taylor-turn]

/// \brief A slide along an axis of the frame by a multiple of the coordinate.
template <typename Scalar>
struct Slide {
  int x, y, z;              ///< the axes: along z
  Constant<Scalar> factor;  ///< m per unit of the coordinate
  int q, v;                 ///< where the coordinate and its rate stand
  Row<Scalar> u, tau;       ///< its rate and its force
  Row<Scalar> p;            ///< the distance
  bool is_alone;  ///< otherwise this is a screw: the turn that follows has the same rate, and their forces add up

  void start(const Scalar* coordinates) const { p[0] = factor * coordinates[q]; }
  void advance(int k, const Scalar& over_k) const { p[k] = over_k * factor * u[k - 1]; }
  /// \f$v + w\times p\f$.
  TwistHalves<Scalar> forward(Row<TwistHalves<Scalar>> X, int k, int first = 0) const
  {
    Scalar along_x(0), along_y(0);
    const auto add = [&](const Scalar& p_l, const TwistHalves<Scalar>& X_m) {
      along_x += p_l * X_m[y].first(), along_y -= p_l * X_m[x].first();
    };
    cauchy(p, X, k, add, first);
    TwistHalves<Scalar> V = first == 0 ? X[k] : TwistHalves<Scalar>();
    V[x] += Pair<Scalar>(Scalar(0), along_x), V[y] += Pair<Scalar>(Scalar(0), along_y);
    return V;
  }
  /// \f$m + p\times f\f$.
  WrenchHalves<Scalar> back(Row<WrenchHalves<Scalar>> F, int k) const
  {
    Scalar along_x(0), along_y(0);
    cauchy(p, F, k, [&](const Scalar& p_l, const WrenchHalves<Scalar>& F_m) {
      along_x -= p_l * F_m[y].second(), along_y += p_l * F_m[x].second();
    });
    WrenchHalves<Scalar> W = F[k];
    W[x] += Pair<Scalar>(along_x, Scalar(0)), W[y] += Pair<Scalar>(along_y, Scalar(0));
    return W;
  }
  void add_motion(const Scalar& rate, TwistHalves<Scalar>& V) const { V[z] += Pair<Scalar>(Scalar(0), factor * rate); }
  void project(const WrenchHalves<Scalar>& F, int k) const
  {
    const Scalar own = factor * F[z].second();
    tau[k] = is_alone ? own : Scalar(tau[k] + own);
  }
  const Scalar& own(const Indexed<Scalar>& rates) const { return rates[v]; }
};

/// \brief What a ball does, and a free body first: rotate. The rates are the angular velocity in the axes behind.
template <typename Scalar>
struct Rotation {
  int q, v;                ///< where the quaternion and the rates stand
  VectorRow<Scalar> u;     ///< angular velocity
  VectorRow<Scalar> tau;   ///< and the moments
  Row<Matrix3<Scalar>> R;  ///< from the axes behind to those in front
  bool is_last;            ///< otherwise the shift that follows adds its rates

  void start(const Scalar* coordinates) const
  {
    const Scalar* const x = coordinates + q;
    R[0] = SO3<Scalar>(Quaternion<Scalar>{{x[0], x[1], x[2]}, x[3]}).matrix;
  }
  /// \f$\dot R = R\,[w]\f$.
  void advance(int k, const Scalar& over_k) const
  {
    Matrix3<Scalar> rate;
    cauchy(R, u, k - 1, [&](const Matrix3<Scalar>& R_l, const Vector3<Scalar>& w_m) { rate = rate + R_l * skew(w_m); });
    R[k] = over_k * rate;
  }
  TwistHalves<Scalar> forward(Row<TwistHalves<Scalar>> X, int k, int first = 0) const
  {
    TwistHalves<Scalar> sum;
    const auto add = [&](const Matrix3<Scalar>& R_l, const TwistHalves<Scalar>& X_m) { sum += transpose(R_l) * X_m; };
    cauchy(R, X, k, add, first);
    return sum;
  }
  WrenchHalves<Scalar> back(Row<WrenchHalves<Scalar>> F, int k) const { return cauchy(R, F, k); }
  void add_motion(const Vector3<Scalar>& rate, TwistHalves<Scalar>& V) const
  {
    if (is_last) V += TwistHalves<Scalar>(rate, {});
  }
  void project(const WrenchHalves<Scalar>& F, int k) const
  {
    if (is_last) tau.set(k, F.angular());
  }
  Vector3<Scalar> own(const Indexed<Scalar>& rates) const { return {rates[v], rates[v + 1], rates[v + 2]}; }
};

/// \brief What a free body does after it has rotated: shift. The six rates are the body twist (w, v).
template <typename Scalar>
struct Shift {
  int q, v;                ///< where position and quaternion, and the rates, stand
  HalvesRow<Scalar> u;     ///< body twist
  HalvesRow<Scalar> tau;   ///< and the wrench
  Row<Vector3<Scalar>> p;  ///< the position, along the axes behind

  void start(const Scalar* coordinates) const
  {
    const Scalar* const x = coordinates + q;
    const SO3<Scalar> R(Quaternion<Scalar>{{x[3], x[4], x[5]}, x[6]});
    p[0] = transpose(R.matrix) * Vector3<Scalar>(x[0], x[1], x[2]);
  }
  /// \f$\dot p = v - w\times p\f$.
  void advance(int k, const Scalar& over_k) const
  {
    Vector3<Scalar> rate = u.v[k - 1];
    cauchy(p, u.w, k - 1, [&](const Vector3<Scalar>& p_l, const Vector3<Scalar>& w_m) { rate += cross(p_l, w_m); });
    p[k] = over_k * rate;
  }
  /// \f$v + w\times p\f$.
  TwistHalves<Scalar> forward(Row<TwistHalves<Scalar>> X, int k, int first = 0) const
  {
    Vector3<Scalar> sum;
    const auto add = [&](const Vector3<Scalar>& p_l, const TwistHalves<Scalar>& X_m) {
      sum += cross(X_m.angular(), p_l);
    };
    cauchy(p, X, k, add, first);
    return (first == 0 ? X[k] : TwistHalves<Scalar>()) + TwistHalves<Scalar>({}, sum);
  }
  /// \f$m + p\times f\f$.
  WrenchHalves<Scalar> back(Row<WrenchHalves<Scalar>> F, int k) const
  {
    Vector3<Scalar> sum;
    cauchy(p, F, k,
           [&](const Vector3<Scalar>& p_l, const WrenchHalves<Scalar>& F_m) { sum += cross(p_l, F_m.linear()); });
    return F[k] + WrenchHalves<Scalar>(sum, {});
  }
  void add_motion(const TwistHalves<Scalar>& rate, TwistHalves<Scalar>& V) const { V += rate; }
  void project(const WrenchHalves<Scalar>& F, int k) const { tau.set(k, F); }
  TwistHalves<Scalar> own(const Indexed<Scalar>& x) const
  {
    return {{x[v], x[v + 3]}, {x[v + 1], x[v + 4]}, {x[v + 2], x[v + 5]}};
  }
};

/// \brief Any of these; hinges about z come first, as most joints are such.
template <typename Scalar>
using JointStep =
    std::variant<Turn<Scalar, 2>, Turn<Scalar, 1>, Turn<Scalar, 0>, Slide<Scalar>, Shift<Scalar>, Rotation<Scalar>>;

/// \brief What f makes of a step. One comparison for each kind: a jump with mixed targets would cost more.
template <typename Scalar, int kind = 0, typename F>
inline decltype(auto) by_kind(const JointStep<Scalar>& step, const F& f)
{
  if constexpr (kind == std::variant_size_v<JointStep<Scalar>> - 1)
    return f(std::get<kind>(step));
  else
    return step.index() == kind ? f(std::get<kind>(step)) : by_kind<Scalar, kind + 1>(step, f);
}

}  // namespace articulate
