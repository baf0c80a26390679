/** \file
 *  \brief Fifty decimal digits: a number of MPFR's that holds its own limbs.
 *
 *  MPFR rounds every operation correctly, on every processor alike. Its operations are called from fifty.cpp alone: a
 *  proof that is run once should not be compiled for longer than it runs.
 */
#pragma once
#include <compare>
#include <iosfwd>
#include <limits>
#include <string>
#include <type_traits>
#include <Eigen/Core>

namespace articulate::validation {

/// \brief Fifty decimal digits (168 bits), rounded to nearest; zero unless told otherwise.
class Fifty {
public:
  static constexpr int digits = 168;

  Fifty() = default;
  Fifty(int);
  Fifty(unsigned);
  Fifty(long);
  Fifty(unsigned long);
  Fifty(long long);
  Fifty(unsigned long long);
  Fifty(float);
  Fifty(double);
  Fifty(long double);
  explicit Fifty(const std::string& decimal);

  explicit operator bool() const;
  explicit operator int() const;
  explicit operator long() const;
  explicit operator float() const;
  explicit operator double() const;
  explicit operator long double() const;

  /// \brief The same number among more digits, exactly.
  template <typename Wider>
  requires std::is_class_v<Wider> &&(std::numeric_limits<Wider>::digits > digits) explicit operator Wider() const
  {
    int exponent = 0;
    Fifty rest = frexp(*this, &exponent);
    Wider sum(0);
    for (int bits = 0; bits < digits; bits += 56) {
      rest = ldexp(rest, 56);
      const Fifty whole = trunc(rest);
      rest -= whole;
      sum += ldexp(Wider(static_cast<long>(whole)), exponent - bits - 56);
    }
    return sum;
  }

  Fifty& operator+=(const Fifty&);
  Fifty& operator-=(const Fifty&);
  Fifty& operator*=(const Fifty&);
  Fifty& operator/=(const Fifty&);

  friend Fifty operator+(const Fifty&, const Fifty&);
  friend Fifty operator-(const Fifty&, const Fifty&);
  friend Fifty operator*(const Fifty&, const Fifty&);
  friend Fifty operator/(const Fifty&, const Fifty&);
  friend Fifty operator-(const Fifty&);
  friend Fifty operator+(const Fifty& x) { return x; }

  friend bool operator==(const Fifty&, const Fifty&);
  friend std::partial_ordering operator<=>(const Fifty&, const Fifty&);

  friend Fifty abs(const Fifty&);
  friend Fifty fabs(const Fifty&);
  friend Fifty sqrt(const Fifty&);
  friend Fifty sin(const Fifty&);
  friend Fifty cos(const Fifty&);
  friend Fifty tan(const Fifty&);
  friend Fifty asin(const Fifty&);
  friend Fifty acos(const Fifty&);
  friend Fifty atan(const Fifty&);
  friend Fifty atan2(const Fifty& y, const Fifty& x);
  friend Fifty exp(const Fifty&);
  friend Fifty log(const Fifty&);
  friend Fifty pow(const Fifty& x, const Fifty& y);
  friend Fifty pow(const Fifty& x, int n);
  friend Fifty floor(const Fifty&);
  friend Fifty ceil(const Fifty&);
  friend Fifty trunc(const Fifty&);
  friend Fifty ldexp(const Fifty&, int exponent);
  friend Fifty frexp(const Fifty&, int* exponent);
  friend bool isfinite(const Fifty&);
  friend bool isnan(const Fifty&);
  friend bool isinf(const Fifty&);

  friend std::ostream& operator<<(std::ostream&, const Fifty&);

private:
  friend class MpfrView;
  friend class MpfrResult;

  static constexpr int zero_ = 2;  // as MPFR counts kinds

  // Thirty-two bytes, which a compiler that does not optimise still copies in registers.
  unsigned long limbs_[192 / std::numeric_limits<unsigned long>::digits]{};  ///< the significand, least first
  int exponent_ = 0;  ///< as far as MPFR goes unless told otherwise
  int kind_ = zero_;  ///< zero, regular, infinite or no number, negative with its sign
};

}  // namespace articulate::validation

namespace std {

template <>
class numeric_limits<articulate::validation::Fifty> {
  using Fifty = articulate::validation::Fifty;

public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false,
                        is_bounded = true, is_modulo = false, is_iec559 = false, has_infinity = true,
                        has_quiet_NaN = true, has_signaling_NaN = false, has_denorm_loss = false, traps = false,
                        tinyness_before = false;
  static constexpr float_denorm_style has_denorm = denorm_absent;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr int radix = 2, digits = Fifty::digits, digits10 = 50, max_digits10 = 53;
  // As far as MPFR goes unless told otherwise.
  static constexpr int min_exponent = -(1 << 30) + 1, max_exponent = (1 << 30) - 1, min_exponent10 = -323228496,
                       max_exponent10 = 323228496;

  static Fifty(min)();
  static Fifty(max)();
  static Fifty lowest();
  static Fifty epsilon();
  static Fifty round_error();
  static Fifty infinity();
  static Fifty quiet_NaN();
  static Fifty signaling_NaN() { return quiet_NaN(); }
  static Fifty denorm_min() { return (min)(); }
};

}  // namespace std

namespace Eigen {

template <>
struct NumTraits<articulate::validation::Fifty> : GenericNumTraits<articulate::validation::Fifty> {
  using Literal = double;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 4, MulCost = 8 };
  static articulate::validation::Fifty dummy_precision() { return 1000 * epsilon(); }
};

template <typename Number, typename Operation>
requires std::is_arithmetic_v<Number>
struct ScalarBinaryOpTraits<articulate::validation::Fifty, Number, Operation> {
  using ReturnType = articulate::validation::Fifty;
};
template <typename Number, typename Operation>
requires std::is_arithmetic_v<Number>
struct ScalarBinaryOpTraits<Number, articulate::validation::Fifty, Operation> {
  using ReturnType = articulate::validation::Fifty;
};

}  // namespace Eigen
