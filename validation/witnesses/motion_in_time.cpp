#include <witnesses/motion_in_time.hpp>
#include <type_traits>
#include <ledger/scalars.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::witness {

/// A function of time by its Taylor coefficients: enough arithmetic for the plain witness.
///
/// The constructor of Boost's series takes anything, so that Eigen cannot tell a factor from a matrix.
template <class S>
struct Function {
  static constexpr int terms = derivatives_in_time;
  std::array<S, terms> c;

  Function(const S& constant = S(0))
  {
    c.fill(S(0));
    c[0] = constant;
  }
  template <class Number>
  requires std::is_arithmetic_v<Number> Function(Number constant) : Function(S(constant)) {}

  Function& operator+=(const Function& y) { return *this = *this + y; }
  Function& operator-=(const Function& y) { return *this = *this - y; }
  Function& operator*=(const Function& y) { return *this = *this * y; }
  friend Function operator-(const Function& x) { return Function() - x; }
  friend Function operator+(Function x, const Function& y)
  {
    for (int k = 0; k < terms; ++k) x.c[k] += y.c[k];
    return x;
  }
  friend Function operator-(Function x, const Function& y)
  {
    for (int k = 0; k < terms; ++k) x.c[k] -= y.c[k];
    return x;
  }
  friend Function operator*(const Function& x, const Function& y)
  {
    Function product;
    for (int l = 0; l < terms; ++l) {
      if (x.c[l] == S(0)) continue;  // most factors are constants
      for (int k = 0; k + l < terms; ++k)
        if (y.c[k] != S(0)) product.c[k + l] += x.c[l] * y.c[k];
    }
    return product;
  }
  /// z with z y = x.
  friend Function operator/(const Function& x, const Function& y)
  {
    Function z;
    for (int k = 0; k < terms; ++k) {
      S rest = x.c[k];
      for (int l = 0; l < k; ++l) rest -= z.c[l] * y.c[k - l];
      z.c[k] = rest / y.c[0];
    }
    return z;
  }
  /// z with z z = x.
  friend Function sqrt(const Function& x)
  {
    using std::sqrt;
    Function z(sqrt(x.c[0]));
    for (int k = 1; k < terms; ++k) {
      S rest = x.c[k];
      for (int l = 1; l < k; ++l) rest -= z.c[l] * z.c[k - l];
      z.c[k] = rest / (S(2) * z.c[0]);
    }
    return z;
  }
  /// sin(x0 + h) = sin x0 cos h + cos x0 sin h, by the power series of h, which starts with t.
  friend Function sin(const Function& x) { return around(x, 0); }
  friend Function cos(const Function& x) { return around(x, 1); }

  friend Function abs(const Function& x) { return x.c[0] < S(0) ? -x : x; }
  friend bool operator<(const Function& x, const Function& y) { return x.c[0] < y.c[0]; }
  friend bool operator<=(const Function& x, const Function& y) { return x.c[0] <= y.c[0]; }

private:
  /// The function whose derivatives are those of the sine, from the given one on.
  static Function around(const Function& x, int derivative)
  {
    using std::cos, std::sin;
    const S values[] = {sin(x.c[0]), cos(x.c[0]), -sin(x.c[0]), -cos(x.c[0])};
    Function h = x, power(1), sum;
    h.c[0] = S(0);
    for (int k = 0; k < terms; ++k) {
      sum += values[(derivative + k) % 4] * power;
      power = power * h / Function(k + 1);
    }
    return sum;
  }
};

}  // namespace articulate::witness

namespace Eigen {

template <class S>
struct NumTraits<articulate::witness::Function<S>> : GenericNumTraits<S> {
  using Real = articulate::witness::Function<S>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 5, MulCost = 25 };
};

}  // namespace Eigen

namespace articulate::witness {
namespace {

constexpr int terms = derivatives_in_time;

template <class S, int rows, int columns = 1>
using Matrix = Eigen::Matrix<S, rows, columns>;
template <class S>
using Column = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using Table = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// k! for the few that are needed.
int factorial(int k) { return k > 1 ? k * factorial(k - 1) : 1; }

template <class S>
S derivative(const Function<S>& x, int k)
{
  return S(factorial(k)) * x.c[k];
}

/// The function of time with these derivatives at t = 0.
template <class S, class Derivatives>
Function<S> function(const Derivatives& derivative)
{
  Function<S> x;
  for (int k = 0; k < terms; ++k) x.c[k] = derivative(k) / S(factorial(k));
  return x;
}

/// x(0) and the integral of a function.
template <class S>
Function<S> integral(const S& start, const Function<S>& x)
{
  return function<S>([&](int k) { return k == 0 ? start : derivative(x, k - 1); });
}

template <class S, int rows, int columns>
InTime<Matrix<S, rows, columns>> in_time(const Matrix<Function<S>, rows, columns>& x)
{
  InTime<Matrix<S, rows, columns>> all;
  for (int k = 0; k < terms; ++k)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) all[k](i, j) = derivative(x(i, j), k);
  return all;
}

template <class T>
Matrix<T, 3> cross(const Matrix<T, 3>& a, const Matrix<T, 3>& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
Matrix<T, 3, 3> skew(const Matrix<T, 3>& a)
{
  Matrix<T, 3, 3> A;
  A << T(0), -a[2], a[1], a[2], T(0), -a[0], -a[1], a[0], T(0);
  return A;
}
template <class T>
Matrix<T, 6> joined(const Matrix<T, 3>& angular, const Matrix<T, 3>& linear)
{
  Matrix<T, 6> x;
  x << angular, linear;
  return x;
}

/// The rate of a quaternion x y z w whose frame turns with w in its own axes.
template <class T>
Matrix<T, 4> quaternion_rate(const Matrix<T, 4>& q, const Matrix<T, 3>& w)
{
  const Matrix<T, 3> u = q.template head<3>(), v = (w * q[3] + cross(u, w)) / T(2);
  Matrix<T, 4> rate;
  rate << v, -(u[0] * w[0] + u[1] * w[1] + u[2] * w[2]) / T(2);
  return rate;
}

/// A vector turned from the frame of a quaternion x y z w of any length.
template <class T>
Matrix<T, 3> turned(const Matrix<T, 4>& q, const Matrix<T, 3>& a)
{
  const Matrix<T, 3> u = q.template head<3>();
  const T square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + q[3] * q[3];
  return a + cross(u, Matrix<T, 3>(cross(u, a) + a * q[3])) * (T(2) / square);
}

template <class S>
class Following {
public:
  using F = Function<S>;
  using Witness = VectorNewtonEuler<F>;
  using Link = typename Witness::Body;
  using Vector3 = Matrix<F, 3>;
  using Matrix3 = Matrix<F, 3, 3>;
  using Vector6 = Matrix<F, 6>;

  Following(const Mechanism& mechanism, bool floating_base) : witness_(mechanism, floating_base) {}

  MotionInTime<S> follow(const Column<S>& q, const Table<S>& rates, const Matrix<S, 3>& gravity,
                         const std::vector<std::vector<Matrix<S, 6>>>& external)
  {
    const Eigen::Index n = witness_.rates;
    Column<F> qd(n), qdd(n);
    for (Eigen::Index d = 0; d < n; ++d) {
      qd(d) = function<S>([&](int k) { return rates(d, k); });
      qdd(d) = function<S>([&](int k) { return k + 1 < terms ? S(rates(d, k + 1)) : S(0); });
    }
    std::vector<Vector6> wrenches(witness_.links.size());
    for (std::size_t l = 0; l < wrenches.size(); ++l)
      for (int i = 0; i < 6; ++i)
        wrenches[l][i] =
            function<S>([&](int k) { return k < static_cast<int>(external.size()) ? external[k][l][i] : S(0); });
    const Vector3 g = gravity.template cast<F>();
    const Column<F> tau = witness_.inverse_dynamics(coordinates(q, qd), qd, qdd, g, wrenches);

    MotionInTime<S> motion;
    motion.screws.resize(n), motion.tau.resize(n, terms);
    for (Eigen::Index d = 0; d < n; ++d)
      for (int k = 0; k < terms; ++k) motion.tau(d, k) = derivative(tau(d), k);
    for (std::size_t l = 0; l < witness_.links.size(); ++l) {
      const Link& link = witness_.links[l];
      motion.links.push_back(seen(link, wrenches[l], g));
      for (std::size_t k = 0; k < link.chain.size(); ++k)
        motion.screws[link.first_rate + k] = screw(link, link.chain[k].turn_in_world, link.chain[k].slide_in_world);
      const bool slides = link.joint == JointType::floating;
      if (slides || link.joint == JointType::ball)
        for (int k = 0; k < 3; ++k) {
          motion.screws[link.first_rate + k] = screw(link, link.rotation.col(k), Vector3::Zero());
          if (slides) motion.screws[link.first_rate + 3 + k] = screw(link, Vector3::Zero(), link.rotation.col(k));
        }
    }
    return motion;
  }

private:
  /// Coordinates along the motion: those of quaternions and of places by turns to where their rates lead, which is right
  /// to one more order each time.
  Column<F> coordinates(const Column<S>& q, const Column<F>& qd) const
  {
    Column<F> along = q.template cast<F>();
    for (const Link& link : witness_.links) {
      const Eigen::Index c = link.first_coordinate, r = link.first_rate;
      for (std::size_t k = 0; k < link.chain.size(); ++k) along(c + k) = integral(q(c + k), qd(r + k));
      if (link.joint != JointType::floating && link.joint != JointType::ball) continue;
      const bool slides = link.joint == JointType::floating;
      const Eigen::Index at = slides ? c + 3 : c;
      const Vector3 w = qd.template segment<3>(r);
      Matrix<F, 4> turn = along.template segment<4>(at);
      for (int pass = 1; pass < terms; ++pass) {
        const Matrix<F, 4> rate = quaternion_rate(turn, w);
        for (int i = 0; i < 4; ++i) turn[i] = integral(q(at + i), rate[i]);
      }
      along.template segment<4>(at) = turn;
      if (!slides) continue;
      const Vector3 rate = turned(turn, Vector3(qd.template segment<3>(r + 3)));
      for (int i = 0; i < 3; ++i) along(c + i) = integral(q(c + i), rate[i]);
    }
    return along;
  }

  /// The twist of a turn about an axis through the link's origin and of a slide.
  static InTime<Matrix<S, 6>> screw(const Link& link, const Vector3& turn, const Vector3& slide)
  {
    return in_time(joined(turn, Vector3(cross(link.position, turn) + slide)));
  }

  static LinkInTime<S> seen(const Link& link, const Vector6& wrench, const Vector3& gravity)
  {
    LinkInTime<S> is;
    const Vector3 w = link.angular_velocity, p = link.position;
    const Matrix3 R = link.rotation, back = R.transpose();
    Matrix<F, 4, 4> pose = Matrix<F, 4, 4>::Identity();
    pose.template topLeftCorner<3, 3>() = R, pose.template topRightCorner<3, 1>() = p;
    is.pose = in_time(pose);
    is.twist = in_time(joined(w, Vector3(link.velocity - cross(w, p))));
    is.twist_in_link = in_time(joined(Vector3(back * w), Vector3(back * link.velocity)));

    const Vector3 c = link.center(), momentum = link.mass * link.center_velocity(), weight = link.mass * gravity;
    is.momentum = in_time(joined(Vector3(cross(c, momentum) + link.inertia_times(w)), momentum));
    is.weight = in_time(joined(cross(c, weight), weight));
    const Vector3 force = R * wrench.template tail<3>();
    is.applied = in_time(joined(Vector3(R * wrench.template head<3>() + cross(p, force)), force));
    is.joint_wrench = in_time(joined(Vector3(link.moment + cross(p, link.force)), link.force));

    const Matrix3 C = skew(c), zero = Matrix3::Zero();
    Matrix<F, 6, 6> inertia, transport;
    inertia << R * link.inertia * back - link.mass * C * C, link.mass * C, -link.mass * C,
        link.mass * Matrix3::Identity();
    transport << R, skew(p) * R, zero, R;
    is.inertia = in_time(inertia), is.transport = in_time(transport);
    return is;
  }

  Witness witness_;
};

}  // namespace

template <class S>
MotionInTime<S> motion_in_time(const Mechanism& mechanism, bool floating_base,
                               const Eigen::Matrix<S, Eigen::Dynamic, 1>& q,
                               const Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>& rates,
                               const Eigen::Matrix<S, 3, 1>& gravity,
                               const std::vector<std::vector<Eigen::Matrix<S, 6, 1>>>& external)
{
  return Following<S>(mechanism, floating_base).follow(q, rates, gravity, external);
}

using validation::Fifty;
using Scalar = ARTICULATE_PROOF_SCALAR;
template MotionInTime<Scalar> motion_in_time(const Mechanism&, bool, const Column<Scalar>&, const Table<Scalar>&,
                                             const Matrix<Scalar, 3>&,
                                             const std::vector<std::vector<Matrix<Scalar, 6>>>&);

}  // namespace articulate::witness
