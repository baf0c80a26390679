/** \file
 *  \brief A joint at work: the pose that it gives its body, the twist that its rates produce, and how that changes.
 *
 *  - Papers: Kim 2012, section 2.1, \eq{kim,S_i}, \eq{kim,37}; Park 1995, \eq{park,23} and Proposition 1.
 *  - Chapter: \ref model
 */
#pragma once
#include <articulate/group/pack.hpp>  // sine_cosine
#include <articulate/model/bodies.hpp>

namespace articulate {

template <typename Scalar>
class JointJacobian;

// [screw-pose]
/** \brief The pose that a screw gives its body: the axes x and y turn about z, and the body slides along z.
 *  \tparam Number  a scalar, or several of them side by side
 *  \param M         the joint's place in the parent's frame
 *  \param of_angle  the sine and the cosine of the angle that it has turned
 *  \param slide     how far it has slid (m)
 */
template <typename Number>
SE3<Number> screw_pose(const SE3<Number>& M, const SineCosine<Number>& of_angle, const Number& slide)
{
  const auto& [s, c] = of_angle;
  const Vector3<Number> x = M.R.matrix.column(0), y = M.R.matrix.column(1), z = M.R.matrix.column(2);
  return {SO3<Number>(Matrix3<Number>::of_columns(c * x + s * y, c * y - s * x, z)), M.p + slide * z};
}
// [screw-pose]

/** \brief \f$S_i^{\mathsf T}F\f$, not multiplied out before it is written somewhere.
 *  \tparam Number  that of F, which may be several wrenches side by side
 */
template <typename Scalar, typename Number>
struct JointForce {
  const JointJacobian<Scalar>& S;
  const Wrench<Number>& F;
};

/// \brief What is left of given joint forces beside \f$S_i^{\mathsf T}F\f$.
template <typename Scalar, typename Number>
struct JointForceLeft {
  const Number* tau;
  JointForce<Scalar, Number> force;
};

/** \brief The nv numbers of one joint, where they stand in a vector.
 *  \tparam Number  the scalar, const when they are only read
 */
template <typename Number>
class JointSegment {
public:
  using Scalar = std::remove_const_t<Number>;

  JointSegment(Number* first) : first_(first) {}
  template <typename Other, typename = std::enable_if_t<std::is_same_v<const Other, Number>>>
  JointSegment(const JointSegment<Other>& x) : first_(&x[0])
  {
  }
  Number& operator[](int k) const { return first_[k]; }

  /// \brief \f$\tau_i = S_i^{\mathsf T}F\f$.
  template <typename OfJoint>
  void operator=(const JointForce<OfJoint, Scalar>& force) const
  {
    force.S.project(force.F, first_);
  }
  /// \brief \f$\tau_i - S_i^{\mathsf T}F\f$.
  template <typename OfJoint>
  void operator=(const JointForceLeft<OfJoint, Scalar>& left) const
  {
    *this = left.force;
    for (int k = 0; k < left.force.S.columns(); ++k) first_[k] = left.tau[k] - first_[k];
  }
  template <typename OfJoint>
  friend JointForceLeft<OfJoint, Scalar> operator-(const JointSegment& tau, const JointForce<OfJoint, Scalar>& force)
  {
    return {tau.first_, force};
  }

private:
  Number* first_;
};

/// \brief A vector of nv numbers seen joint by joint: `qd(body)` are those of its joint. Keeps nothing alive.
template <typename Number>
class JointVector {
public:
  using Scalar = std::remove_const_t<Number>;

  JointVector(Number* first) : first_(first) {}
  template <typename Other, typename = std::enable_if_t<std::is_same_v<const Other, Number>>>
  JointVector(const JointVector<Other>& x) : first_(&x(0))
  {
  }
  template <typename Vector, typename = decltype(std::declval<Vector>().data())>
  JointVector(Vector&& x) : first_(x.data())
  {
  }

  Number& operator()(int k) const { return first_[k]; }
  JointSegment<Number> operator()(const Body<Scalar>& body) const { return first_ + body.v; }

private:
  Number* first_;
};

/// \brief Rates, accelerations or forces that are only read.
template <typename Scalar>
using Rates = JointVector<const Scalar>;

/** \brief \f$S_i x\f$, not multiplied out before use: for a screw two numbers, a turn about z and a slide along it.
 *
 *  Sums and brackets cost what these two numbers cost.
 */
template <typename Scalar>
class JointTwist {
public:
  JointTwist(const JointJacobian<Scalar>& S, const JointSegment<const Scalar>& x) : S_(S), x_(x) {}

  operator Twist<Scalar>() const { return S_.times(x_); }
  friend Twist<Scalar> operator+(const Twist<Scalar>& V, const JointTwist& y) { return y.added_to(V); }
  friend Twist<Scalar> ad(const Twist<Scalar>& V, const JointTwist& y) { return y.turned_by(V); }

private:
  Twist<Scalar> added_to(const Twist<Scalar>& V) const { return S_.add(V, x_); }
  Twist<Scalar> turned_by(const Twist<Scalar>& V) const { return S_.bracket(V, x_); }

  const JointJacobian<Scalar>& S_;
  JointSegment<const Scalar> x_;
};

/** \brief \f$S_i\f$ of a body: the Jacobian of its joint's pose, a map from joint rates to twists.
 *
 *  With several coordinates, a joint is a product of exponentials \f$e^{E_1q_1}\cdots e^{E_nq_n}\f$ of turns about and slides
 *  along the axes x, y, z. Its columns depend on q, and all of that follows from one formula:
 *  \f$\partial S_j/\partial q_l = \ad_{S_j}S_l\f$ for \f$l > j\f$, and 0 otherwise. All other joints have a constant S.
 */
template <typename Scalar>
class JointJacobian {
public:
  explicit JointJacobian(const Body<Scalar>& body)
      : kind_(body.nv == 0 ? JointKind::chart : body.kind),  // the world has no joint: S has no column
        nv_(body.nv),
        turn_(body.turn),
        slide_(body.slide),
        columns_(kind_ == JointKind::chart ? body.nv : 0)
  {
  }

  int columns() const { return is_screw() ? 1 : nv_; }

  /** \brief \f$T_{\lambda(i),i}(q)\f$: the body in its parent's frame, from the nq numbers at q \eq{park,23}.
   *
   *  From then on, S is the one at q.
   */
  SE3<Scalar> place(const Body<Scalar>& body, const Scalar* q)
  {
    return is_screw() ? screw_pose(body.M, sine_cosine(Scalar(turn_ * q[0])), Scalar(slide_ * q[0])) : several(body, q);
  }

  /// \brief \f$S_i x\f$ for nv numbers x.
  JointTwist<Scalar> operator*(const JointSegment<const Scalar>& x) const { return {*this, x}; }

  /// \brief \f$S_i^{\mathsf T}\f$, to be multiplied by a wrench: nv numbers.
  struct Transposed {
    const JointJacobian& S;
    template <typename Number>
    JointForce<Scalar, Number> operator*(const Wrench<Number>& F) const
    {
      return {S, F};
    }
  };
  friend Transposed transpose(const JointJacobian& S) { return {S}; }

  /// \brief The k-th column.
  Twist<Scalar> column(int k) const
  {
    if (kind_ == JointKind::chart) return columns_[k];
    if (kind_ == JointKind::screw) return {{Scalar(0), Scalar(0), turn_}, {Scalar(0), Scalar(0), slide_}};
    return basis_twist(k);
  }

  /// \brief \f$\Ad_X\f$ of the k-th column, where X is the pose of the body in some frame.
  Twist<Scalar> column_seen_from(const SE3<Scalar>& X, int k) const
  {
    if (kind_ != JointKind::screw) return Ad(X, column(k));
    const Vector3<Scalar> z = X.R.matrix.column(2), w = turn_ * z;
    return {w, cross(X.p, w) + slide_ * z};
  }

  /// \brief The k-th column of \f$\mathcal I S_i\f$, the inertia of a body or an articulated one: for a screw a
  /// combination of two of its columns.
  template <typename Inertia>
  Wrench<Scalar> column(const Inertia& I, int k) const
  {
    if (kind_ == JointKind::screw) return turn_ * I.about_z() + slide_ * I.along_z();
    return I * column(k);
  }

  // [joint-derivatives]
  /// \brief \f$\partial S_j/\partial q_l\f$, the one formula.
  Twist<Scalar> derivative(int j, int l) const
  {
    if (kind_ != JointKind::chart || l <= j) return {};
    return ad(columns_[j], columns_[l]);
  }

  /// \brief Column j of \f$\dot S_i\f$ at the rates x: \f$\sum_l (\partial S_j/\partial q_l)\dot q_l\f$.
  Twist<Scalar> rate(int j, const JointSegment<const Scalar>& x) const
  {
    Twist<Scalar> sum;
    if (kind_ == JointKind::chart)
      for (int l = j + 1; l < nv_; ++l) sum += x[l] * derivative(j, l);
    return sum;
  }

  /// \brief Column j of \f$\partial\dot S_i/\partial q_l\f$ at the rates x, by the product rule on the one formula.
  Twist<Scalar> rate_derivative(int j, int l, const JointSegment<const Scalar>& x) const
  {
    Twist<Scalar> sum;
    if (kind_ == JointKind::chart)
      for (int m = j + 1; m < nv_; ++m)
        sum += x[m] * (ad(derivative(j, l), column(m)) + ad(column(j), derivative(m, l)));
    return sum;
  }
  // [joint-derivatives]

  /// \brief \f$\dot S_i\dot q_i\f$ at the rates x, in one sweep over the columns.
  Twist<Scalar> rate_times(const JointSegment<const Scalar>& x) const
  {
    Twist<Scalar> after, sum;  // after: the twist of the columns behind the present one
    if (kind_ == JointKind::chart)
      for (int j = nv_; j-- > 0;) {
        const Twist<Scalar> own = x[j] * columns_[j];
        sum += ad(own, after);
        after += own;
      }
    return sum;
  }

  bool is_screw() const { return kind_ == JointKind::screw; }     ///< whether S is the turn and slide of one coordinate
  bool is_constant() const { return kind_ != JointKind::chart; }  ///< whether S does not depend on q

private:
  friend class JointTwist<Scalar>;
  template <typename>
  friend class JointSegment;

  // [joint-twist]
  /// S x.
  Twist<Scalar> times(const JointSegment<const Scalar>& x) const
  {
    if (kind_ == JointKind::screw) return {{Scalar(0), Scalar(0), turn_ * x[0]}, {Scalar(0), Scalar(0), slide_ * x[0]}};
    if (kind_ == JointKind::ball) return {{x[0], x[1], x[2]}, {}};
    if (kind_ == JointKind::free) return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    Twist<Scalar> sum;
    for (int k = 0; k < nv_; ++k) sum += x[k] * columns_[k];
    return sum;
  }

  /// V + S x.
  Twist<Scalar> add(Twist<Scalar> V, const JointSegment<const Scalar>& x) const
  {
    if (kind_ != JointKind::screw) return V + times(x);
    V.w[2] += turn_ * x[0];
    V.v[2] += slide_ * x[0];
    return V;
  }

  /// ad_V S x.
  Twist<Scalar> bracket(const Twist<Scalar>& V, const JointSegment<const Scalar>& x) const
  {
    if (kind_ != JointKind::screw) return ad(V, times(x));
    const Scalar a = turn_ * x[0], b = slide_ * x[0];
    return {{V.w[1] * a, -(V.w[0] * a), Scalar(0)}, {V.v[1] * a + V.w[1] * b, -(V.v[0] * a + V.w[0] * b), Scalar(0)}};
  }

  /// S^T F, written to the nv numbers at tau.
  template <typename Number>
  void project(const Wrench<Number>& F, Number* tau) const
  {
    if (kind_ == JointKind::screw) {
      tau[0] = Number(turn_) * F.m[2] + Number(slide_) * F.f[2];
    } else if (kind_ == JointKind::chart) {
      for (int k = 0; k < nv_; ++k) tau[k] = pairing(F, Twist<Number>(columns_[k]));
    } else {
      for (int k = 0; k < nv_; ++k) tau[k] = k < 3 ? F.m[k] : F.f[k - 3];
    }
  }
  // [joint-twist]

  // [joint-chart]
  /// The pose that several coordinates give, and on the way the columns of S; a call even where a sweep has none.
  [[gnu::noinline]] SE3<Scalar> several(const Body<Scalar>& body, const Scalar* q)
  {
    if (kind_ == JointKind::ball) return body.M * SE3<Scalar>{SO3<Scalar>(quaternion(q)), {}};
    if (kind_ == JointKind::free) return body.M * SE3<Scalar>{SO3<Scalar>(quaternion(q + 3)), {q[0], q[1], q[2]}};
    SE3<Scalar> beyond;  // e^{E_{k+1} q_{k+1}} ... e^{E_n q_n}
    for (int k = nv_; k-- > 0;) {
      const Twist<Scalar> E = basis_twist(body.directions[k]);
      columns_[k] = AdInv(beyond, E);
      beyond = exp(E, q[k]) * beyond;
    }
    return body.M * beyond;
  }
  // [joint-chart]

  static Quaternion<Scalar> quaternion(const Scalar* q) { return {{q[0], q[1], q[2]}, q[3]}; }

  static Twist<Scalar> basis_twist(int direction)
  {
    Twist<Scalar> E;
    (direction < 3 ? E.w : E.v)[direction % 3] = Scalar(1);
    return E;
  }

  JointKind kind_;
  int nv_;
  Scalar turn_, slide_;
  Indexed<Twist<Scalar>> columns_;  ///< of a product of exponentials, at the q of the last `place`
};

/// \brief \f$T_{\lambda(i),i}(q)\f$ from the nq numbers at q; see JointJacobian::place.
template <typename Scalar>
SE3<Scalar> joint_pose(const Body<Scalar>& body, const Scalar* q)
{
  return JointJacobian<Scalar>(body).place(body, q);
}

}  // namespace articulate
