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

/// \brief Which operations round to binary64; the others have eleven bits more.
enum class Rounded { all, none, places, motion };

/// \brief A number of binary64, and one of more bits where it is not rounded.
class RandomlyRounded {
public:
  RandomlyRounded() = default;
  RandomlyRounded(double x) : x_(x) {}
  explicit operator double() const { return static_cast<double>(x_); }

  inline static Rounded rounded = Rounded::all;

  /// \brief Say that this is a rate or an acceleration: what is computed with it belongs to the motion, all else to the places.
  void set_moving() { moves_ = true; }

  /// \brief Begin other rounding errors.
  static void seed(std::uint64_t value) { engine_.seed(value); }

  RandomlyRounded& operator+=(RandomlyRounded y) { return *this = *this + y; }
  RandomlyRounded& operator-=(RandomlyRounded y) { return *this = *this - y; }
  RandomlyRounded& operator*=(RandomlyRounded y) { return *this = *this * y; }
  RandomlyRounded& operator/=(RandomlyRounded y) { return *this = *this / y; }

  friend RandomlyRounded operator+(RandomlyRounded x, RandomlyRounded y)
  {
    return of(x.x_ + y.x_, x.moves_ || y.moves_);
  }
  friend RandomlyRounded operator-(RandomlyRounded x, RandomlyRounded y)
  {
    return of(x.x_ - y.x_, x.moves_ || y.moves_);
  }
  friend RandomlyRounded operator*(RandomlyRounded x, RandomlyRounded y)
  {
    return of(x.x_ * y.x_, x.moves_ || y.moves_);
  }
  friend RandomlyRounded operator/(RandomlyRounded x, RandomlyRounded y)
  {
    return of(x.x_ / y.x_, x.moves_ || y.moves_);
  }
  friend RandomlyRounded operator-(RandomlyRounded x)
  {
    x.x_ = -x.x_;
    return x;
  }
  friend RandomlyRounded operator+(RandomlyRounded x) { return x; }
  friend auto operator<=>(RandomlyRounded x, RandomlyRounded y) { return x.x_ <=> y.x_; }
  friend bool operator==(RandomlyRounded x, RandomlyRounded y) { return x.x_ == y.x_; }

  friend RandomlyRounded abs(RandomlyRounded x) { return x.x_ < 0 ? -x : x; }
  friend RandomlyRounded sqrt(RandomlyRounded x) { return of(std::sqrt(x.x_), x.moves_); }
  friend RandomlyRounded sin(RandomlyRounded x) { return of(std::sin(x.x_), x.moves_); }
  friend RandomlyRounded cos(RandomlyRounded x) { return of(std::cos(x.x_), x.moves_); }
  friend RandomlyRounded atan(RandomlyRounded x) { return of(std::atan(x.x_), x.moves_); }

private:
  /// What is a number of binary64 stays; anything else becomes one of its two neighbours.
  static RandomlyRounded of(long double x, bool moves)
  {
    RandomlyRounded y;
    y.x_ = x, y.moves_ = moves;
    if (rounded != Rounded::all && rounded != (moves ? Rounded::motion : Rounded::places)) return y;
    const double nearest = static_cast<double>(x);
    y.x_ = x == nearest || !std::isfinite(nearest) || engine_() % 2
               ? nearest
               : std::nextafter(nearest, x > nearest ? INFINITY : -INFINITY);
    return y;
  }

  inline static std::minstd_rand engine_;
  long double x_ = 0;
  bool moves_ = false;
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
