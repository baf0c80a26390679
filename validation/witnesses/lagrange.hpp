/** \file
 *  \brief Witness (c): Lagrange's equations, by automatic differentiation of energies summed over mass points.
 *
 *  A link is a handful of points with its mass, centre of mass and inertia. Their positions are products of homogeneous
 *  matrices of turns and slides; all else is differentiation by dual numbers: of positions in time, which gives the
 *  velocities and the Lagrangian \f$L(u,\dot u) = \sum\tfrac12 m\,|\dot x|^2 + m\,g\cdot x\f$, and of L in
 *  \f[ \tau_k = \frac{d}{dt}\frac{\partial L}{\partial\dot u_k} - \frac{\partial L}{\partial u_k} - Q_k, \f]
 *  Q being the virtual work of the external wrenches. No velocity, inertia or force is ever transformed.
 *
 *  The u are local coordinates of the configuration, zero where it is now. For most joints they are added to q. Ball
 *  and floating joints have rates w that are not derivatives of coordinates: there the link is turned further by the
 *  quaternion (u/2, 1), whose u-dot is w and whose u-double-dot is w-dot at u = 0, for w = u-dot - u x u-dot / 2 + ...
 *  A floating link is slid along its present axes as well; the body velocity v is given in axes that turn, so that the
 *  second derivatives of these coordinates are v-dot + w x v.
 */
#pragma once
#include <Eigen/Core>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <vector>
#include <ledger/eager_matrices.hpp>  // products and sums computed at once
#include <witnesses/joint_order.hpp>  // JointOrder: the plain reading of a mechanism
#include <witnesses/mass_points.hpp>  // mass_points: a link as points

namespace articulate::witness {

/// \brief A number and its derivative in one direction: a + b e with e e = 0. Duals of duals have mixed derivatives.
template <class T>
struct Dual {
  T value{0}, slope{0};

  Dual() = default;
  Dual(const T& v, const T& s) : value(v), slope(s) {}
  template <class Constant, class = std::enable_if_t<std::is_convertible_v<Constant, T>>>
  Dual(const Constant& constant) : value(constant)
  {
  }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b)
  {
    return {a.value * b.value, a.value * b.slope + a.slope * b.value};
  }
  friend Dual operator/(const Dual& a, const Dual& b)
  {
    const T ratio = a.value / b.value;
    return {ratio, (a.slope - ratio * b.slope) / b.value};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  friend Dual sin(const Dual& a)
  {
    using std::sin, std::cos;
    return {sin(a.value), cos(a.value) * a.slope};
  }
  friend Dual cos(const Dual& a)
  {
    using std::sin, std::cos;
    return {cos(a.value), T(0) - sin(a.value) * a.slope};
  }
};

}  // namespace articulate::witness

namespace Eigen {

template <class T>
struct NumTraits<articulate::witness::Dual<T>> : GenericNumTraits<articulate::witness::Dual<T>> {
  using Real = articulate::witness::Dual<T>;
  using NonInteger = Real;
  using Nested = Real;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 3, MulCost = 6 };
};

}  // namespace Eigen

namespace articulate::witness {

using namespace validation::eager;

/// \brief Inverse dynamics of a tree; coordinates, rates, forces and their order are those of VectorNewtonEuler.
template <class S>
class Lagrange {
public:
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

  Lagrange(const Mechanism& mechanism, bool floating_base) : order_(mechanism, floating_base)
  {
    for (const Carried& carried : order_.links) {
      const auto& p = carried.joint.position;
      const auto& h = carried.joint.quaternion;
      const Matrix<S> axes = axis_turn(carried.joint);
      const Matrix<S> place = slide(S(p[0]), S(p[1]), S(p[2])) * turn(S(h[0]), S(h[1]), S(h[2]), S(h[3]));
      joints_.push_back({carried, place * axes, axes.transpose()});
    }
    for (const Link& link : mechanism.links) points_.push_back(mass_points<S>(link));
  }

  /** \brief Joint forces of a motion.
   *  \param gravity   gravitational acceleration in world axes
   *  \param external  per link, in the order of the mechanism: moment about its origin and force, in its axes; or empty
   */
  VectorX inverse_dynamics(const VectorX& q, const VectorX& qd, const VectorX& qdd, const Vector3& gravity,
                           const std::vector<Vector6>& external = {}) const
  {
    if (q.size() != order_.coordinates || qd.size() != order_.rates || qdd.size() != order_.rates)
      throw std::invalid_argument("Lagrange: q, qd or qdd has a wrong length");
    if (!external.empty() && external.size() != points_.size())
      throw std::invalid_argument("Lagrange: external needs one wrench for each link");
    const int n = order_.rates;
    const VectorX udd = chart_acceleration(qd, qdd);

    using Along = Dual<Dual<S>>;  // outside: along the motion in time; inside: in the k-th coordinate or rate
    VectorX tau(n);
    std::vector<Along> moving(n), rate(n);
    std::vector<Dual<S>> moved(n), constant_rate(n);
    for (int j = 0; j < n; ++j) {
      moving[j] = {S(0), qd[j]};
      rate[j] = {qd[j], udd[j]};
      constant_rate[j] = qd[j];
    }
    for (int k = 0; k < n; ++k) {
      rate[k].value.slope = moved[k].slope = S(1);
      const S momentum_rate = lagrangian(q, moving, rate, gravity).slope.slope;
      const S pull = lagrangian(q, moved, constant_rate, gravity).slope;
      tau[k] = momentum_rate - pull - virtual_work(q, moved, external);
      rate[k].value.slope = moved[k].slope = S(0);
    }
    return tau;
  }

  /// \brief Joint forces at zero joint acceleration.
  VectorX bias(const VectorX& q, const VectorX& qd, const Vector3& gravity,
               const std::vector<Vector6>& external = {}) const
  {
    return inverse_dynamics(q, qd, VectorX::Zero(order_.rates), gravity, external);
  }

  /// \brief Second derivatives of the kinetic energy in the rates.
  MatrixX mass_matrix(const VectorX& q) const
  {
    using Twice = Dual<Dual<S>>;
    const int n = order_.rates;
    const std::vector<Twice> here(n);
    std::vector<Twice> rate(n);
    MatrixX M(n, n);
    for (int j = 0; j < n; ++j) {
      rate[j].slope.value = S(1);
      for (int k = 0; k <= j; ++k) {
        rate[k].value.slope = S(1);
        M(j, k) = M(k, j) = lagrangian(q, here, rate, Vector3::Zero()).slope.slope;
        rate[k].value.slope = S(0);
      }
      rate[j].slope.value = S(0);
    }
    return M;
  }

private:
  template <class T>
  using Matrix = Eigen::Matrix<T, 4, 4>;

  struct Place : Carried {
    Matrix<S> before, after;  // constant displacements on both sides of the joint's own
  };

  // Kinetic less potential energy at the local coordinates u, when they change at the rates udot.
  template <class T>
  T lagrangian(const VectorX& q, const std::vector<T>& u, const std::vector<T>& udot, const Vector3& gravity) const
  {
    std::vector<Dual<T>> in_time(u.size());
    for (std::size_t j = 0; j < u.size(); ++j) in_time[j] = {u[j], udot[j]};
    const std::vector<Matrix<Dual<T>>> X = poses(q, in_time);
    T L(0);
    for (std::size_t i = 0; i < points_.size(); ++i)
      for (const PointMass<S>& point : points_[i]) {
        if (point.mass == 0) continue;
        T square(0), height(0);
        for (int k = 0; k < 3; ++k) {
          Dual<T> x = X[i](k, 3);
          for (int j = 0; j < 3; ++j) x += X[i](k, j) * point.position[j];
          square += x.slope * x.slope;
          height += x.value * gravity[k];
        }
        L += (square / S(2) + height) * point.mass;
      }
    return L;
  }

  // Work of the external wrenches per unit of the direction in which u moves. A turn by (a, b, c) about a link's own
  // axes x, y, z moves y by a towards z, z by b towards x and x by c towards y.
  S virtual_work(const VectorX& q, const std::vector<Dual<S>>& u, const std::vector<Vector6>& external) const
  {
    S work(0);
    if (external.empty()) return work;
    const std::vector<Matrix<Dual<S>>> X = poses(q, u);
    for (std::size_t i = 0; i < X.size(); ++i)
      for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k) {
          work += external[i][a] * X[i](k, (a + 2) % 3).value * X[i](k, (a + 1) % 3).slope;
          work += external[i][3 + a] * X[i](k, a).value * X[i](k, 3).slope;
        }
    return work;
  }

  VectorX chart_acceleration(const VectorX& qd, const VectorX& qdd) const
  {
    VectorX udd = qdd;
    for (const Place& place : joints_) {
      if (place.joint.type != JointType::floating) continue;
      const int w = place.qd, v = w + 3;
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        udd[v + k] += qd[w + l] * qd[v + m] - qd[w + m] * qd[v + l];
      }
    }
    return udd;
  }

  // Of all links, in the order of the mechanism.
  template <class T>
  std::vector<Matrix<T>> poses(const VectorX& q, const std::vector<T>& u) const
  {
    std::vector<Matrix<T>> X(points_.size());
    for (const Place& place : joints_) {
      Matrix<T>& pose = X[place.link];
      pose = place.before.template cast<T>() * displacement(place.joint, q.data() + place.q, u.data() + place.qd) *
             place.after.template cast<T>();
      if (place.parent != world) pose = X[place.parent] * pose.eval();
    }
    return X;
  }

  // What a joint does at its coordinates q, moved by u, as turns and slides one after the other.
  template <class T>
  static Matrix<T> displacement(const Joint& joint, const S* q, const T* u)
  {
    enum { x, y, z };
    const auto at = [&](int k) { return T(q[k]) + u[k]; };
    const auto euler = [&](int k) -> Matrix<T> { return turn(z, at(k)) * turn(y, at(k + 1)) * turn(x, at(k + 2)); };
    const auto given = [&](int k) { return turn<T>(q[k], q[k + 1], q[k + 2], q[k + 3]); };
    const auto further = [&] { return turn<T>(u[0] / T(2), u[1] / T(2), u[2] / T(2), 1); };
    switch (joint.type) {
      case JointType::revolute:
      case JointType::continuous:
        return turn(z, at(0));
      case JointType::prismatic:
        return slide(z, at(0));
      case JointType::helical:
        return turn(z, at(0)) * slide(z, at(0) * T(joint.pitch));
      case JointType::universal:
        return turn(x, at(0)) * turn(y, at(1));
      case JointType::cylindrical:
        return turn(z, at(0)) * slide(z, at(1));
      case JointType::planar:
        return slide(x, at(0)) * slide(y, at(1)) * turn(z, at(2));
      case JointType::euler_ball:
        return euler(0);
      case JointType::euler_free:
        return slide(at(0), at(1), at(2)) * euler(3);
      case JointType::ball:
        return given(0) * further();
      case JointType::floating:
        return slide<T>(q[0], q[1], q[2]) * given(3) * slide(u[3], u[4], u[5]) * further();
      default:
        return Matrix<T>::Identity();
    }
  }

  // The shortest turn that takes z to the axis of these joints: a tilt of z, in the vertical plane of the axis. Where
  // the axis points down: the shortest to its opposite, after half a turn about x.
  static Matrix<S> axis_turn(const Joint& joint)
  {
    using std::sqrt;
    switch (joint.type) {
      case JointType::revolute:
      case JointType::continuous:
      case JointType::prismatic:
      case JointType::helical:
      case JointType::cylindrical:
      case JointType::planar:
        break;
      default:
        return Matrix<S>::Identity();
    }
    const S a(joint.axis[0]), b(joint.axis[1]), c(joint.axis[2]);
    const S sign(c < 0 ? -1 : 1), across = sqrt(a * a + b * b), length = sqrt(a * a + b * b + c * c);
    const Matrix<S> half = turn<S>(0, sign, S(0));
    if (across == 0) return half;
    const Matrix<S> heading = turn<S>(2, sign * a / across, sign * b / across);
    return heading * turn<S>(1, sign * c / length, across / length) * heading.transpose() * half;
  }

  // Homogeneous matrices: turns about and slides along an axis by number, turns by a quaternion of any length, slides.
  template <class T>
  static Matrix<T> turn(int axis, const T& cosine, const T& sine)
  {
    const int l = (axis + 1) % 3, m = (axis + 2) % 3;
    Matrix<T> X = Matrix<T>::Identity();
    X(l, l) = X(m, m) = cosine;
    X(m, l) = sine;
    X(l, m) = T(0) - sine;
    return X;
  }
  template <class T>
  static Matrix<T> turn(int axis, const T& angle)
  {
    using std::cos, std::sin;
    return turn<T>(axis, cos(angle), sin(angle));
  }
  template <class T>
  static Matrix<T> turn(const T& x, const T& y, const T& z, const T& w)
  {
    // The product h e h* of quaternions, over the square of the length of h.
    const T two(2), square = x * x + y * y + z * z + w * w;
    Matrix<T> X;
    X << w * w + x * x - y * y - z * z, two * (x * y - w * z), two * (x * z + w * y), T(0),  //
        two * (x * y + w * z), w * w - x * x + y * y - z * z, two * (y * z - w * x), T(0),   //
        two * (x * z - w * y), two * (y * z + w * x), w * w - x * x - y * y + z * z, T(0),   //
        T(0), T(0), T(0), square;
    return X / square;
  }
  template <class T>
  static Matrix<T> slide(const T& x, const T& y, const T& z)
  {
    Matrix<T> X = Matrix<T>::Identity();
    X.col(3) << x, y, z, T(1);
    return X;
  }
  template <class T>
  static Matrix<T> slide(int axis, const T& distance)
  {
    Matrix<T> X = Matrix<T>::Identity();
    X(axis, 3) = distance;
    return X;
  }

  JointOrder order_;
  std::vector<Place> joints_;
  std::vector<std::vector<PointMass<S>>> points_;  // of each link, in the order of the mechanism
};

}  // namespace articulate::witness
