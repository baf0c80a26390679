/** \file
 *  \brief Numbers of binary64 whose every operation is rounded up or down at random: what rounding costs an algorithm.
 *
 *  The library in this scalar answers as it might on a machine that rounds otherwise. How far such answers lie from each
 *  other is what rounding does to them, whatever the algorithm loses of what the problem allows (Vignes's CESTAC).
 */
#pragma once
#include <cmath>
#include <limits>
#include <random>
#include <Eigen/Core>

namespace articulate::reference {

/// \brief A number of binary64, and one of more bits while nothing is rounded.
class RandomlyRounded {
public:
  RandomlyRounded() = default;
  RandomlyRounded(double x) : x_(x) {}
  explicit operator double() const { return static_cast<double>(x_); }

  inline static bool rounds = true;  ///< to binary64: operations that do not have eleven bits more

  /// \brief Begin other rounding errors.
  static void seed(std::uint64_t value) { engine_.seed(value); }

  RandomlyRounded& operator+=(RandomlyRounded y) { return *this = *this + y; }
  RandomlyRounded& operator-=(RandomlyRounded y) { return *this = *this - y; }
  RandomlyRounded& operator*=(RandomlyRounded y) { return *this = *this * y; }
  RandomlyRounded& operator/=(RandomlyRounded y) { return *this = *this / y; }

  friend RandomlyRounded operator+(RandomlyRounded x, RandomlyRounded y) { return rounded(x.x_ + y.x_); }
  friend RandomlyRounded operator-(RandomlyRounded x, RandomlyRounded y) { return rounded(x.x_ - y.x_); }
  friend RandomlyRounded operator*(RandomlyRounded x, RandomlyRounded y) { return rounded(x.x_ * y.x_); }
  friend RandomlyRounded operator/(RandomlyRounded x, RandomlyRounded y) { return rounded(x.x_ / y.x_); }
  friend RandomlyRounded operator-(RandomlyRounded x)
  {
    x.x_ = -x.x_;
    return x;
  }
  friend RandomlyRounded operator+(RandomlyRounded x) { return x; }
  friend auto operator<=>(RandomlyRounded x, RandomlyRounded y) = default;

  friend RandomlyRounded abs(RandomlyRounded x) { return x.x_ < 0 ? -x : x; }
  friend RandomlyRounded sqrt(RandomlyRounded x) { return rounded(std::sqrt(x.x_)); }
  friend RandomlyRounded sin(RandomlyRounded x) { return rounded(std::sin(x.x_)); }
  friend RandomlyRounded cos(RandomlyRounded x) { return rounded(std::cos(x.x_)); }
  friend RandomlyRounded atan(RandomlyRounded x) { return rounded(std::atan(x.x_)); }

private:
  /// What is a number of binary64 stays; anything else becomes one of its two neighbours.
  static RandomlyRounded rounded(long double x)
  {
    RandomlyRounded y;
    y.x_ = x;
    if (!rounds) return y;
    const double nearest = static_cast<double>(x);
    if (x == nearest || !std::isfinite(nearest) || engine_() % 2) return nearest;
    return std::nextafter(nearest, x > nearest ? INFINITY : -INFINITY);
  }

  inline static std::minstd_rand engine_;
  long double x_ = 0;
};

}  // namespace articulate::reference

namespace std {

template <>
class numeric_limits<articulate::reference::RandomlyRounded> : public numeric_limits<double> {
};

}  // namespace std

namespace Eigen {

template <>
struct NumTraits<articulate::reference::RandomlyRounded> : NumTraits<double> {
  using Real = articulate::reference::RandomlyRounded;
  using NonInteger = Real;
  using Nested = Real;
};

template <typename Operation>
struct ScalarBinaryOpTraits<articulate::reference::RandomlyRounded, double, Operation> {
  using ReturnType = articulate::reference::RandomlyRounded;
};
template <typename Operation>
struct ScalarBinaryOpTraits<double, articulate::reference::RandomlyRounded, Operation> {
  using ReturnType = articulate::reference::RandomlyRounded;
};

}  // namespace Eigen
