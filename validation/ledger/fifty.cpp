#include <ledger/fifty.hpp>
#include <ostream>
#include <boost/multiprecision/cpp_bin_float.hpp>

namespace articulate::validation {
namespace {

using Backend = boost::multiprecision::cpp_bin_float<50>;
using Number = boost::multiprecision::number<Backend, boost::multiprecision::et_off>;
using Limits = std::numeric_limits<Number>;
using Limb = boost::multiprecision::limb_type;

constexpr int limb_bits = std::numeric_limits<Limb>::digits;

}  // namespace

/// The way between the numbers that are stored and those of Boost.
struct FiftyNumber {
  static_assert(Limits::digits == Fifty::digits);
  static_assert(static_cast<std::int32_t>(Backend::exponent_zero) == Fifty::exponent_of_zero);
  static_assert(limb_bits == 64 || limb_bits == 128);

  static Number of(const Fifty& x)
  {
    Number y;
    auto& bits = y.backend().bits();
    if constexpr (limb_bits == 128) {
      bits.resize(2, 2);
      bits.limbs()[0] = static_cast<Limb>(x.limbs_[1]) << (limb_bits / 2) | x.limbs_[0];
      bits.limbs()[1] = x.limbs_[2];
    } else {
      bits.resize(3, 3);
      for (int k = 0; k < 3; ++k) bits.limbs()[k] = static_cast<Limb>(x.limbs_[k]);
    }
    bits.normalize();
    y.backend().exponent() = x.exponent_;
    y.backend().sign() = x.negative_;
    return y;
  }

  static Fifty stored(const Number& y)
  {
    Fifty x;
    const auto& bits = y.backend().bits();
    constexpr int per_limb = limb_bits / 64;
    for (unsigned k = 0; k < bits.size(); ++k)
      for (int half = 0; half < per_limb && static_cast<int>(k) * per_limb + half < 3; ++half)
        x.limbs_[static_cast<int>(k) * per_limb + half] =
            static_cast<std::uint64_t>(bits.limbs()[k] >> (limb_bits / 2 * half * (per_limb - 1)));
    x.exponent_ = static_cast<std::int32_t>(y.backend().exponent());
    x.negative_ = y.backend().sign();
    return x;
  }
};

namespace {

Number of(const Fifty& x) { return FiftyNumber::of(x); }
Fifty stored(const Number& y) { return FiftyNumber::stored(y); }

}  // namespace

Fifty::Fifty(int x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(unsigned x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(long x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(unsigned long x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(long long x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(unsigned long long x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(float x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(double x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(long double x) : Fifty(stored(Number(x))) {}
Fifty::Fifty(const std::string& decimal) : Fifty(stored(Number(decimal))) {}

Fifty::operator bool() const { return exponent_ != exponent_of_zero; }
Fifty::operator int() const { return static_cast<int>(of(*this)); }
Fifty::operator long() const { return static_cast<long>(of(*this)); }
Fifty::operator float() const { return static_cast<float>(of(*this)); }
Fifty::operator double() const { return static_cast<double>(of(*this)); }
Fifty::operator long double() const { return static_cast<long double>(of(*this)); }

Fifty& Fifty::operator+=(const Fifty& y) { return *this = *this + y; }
Fifty& Fifty::operator-=(const Fifty& y) { return *this = *this - y; }
Fifty& Fifty::operator*=(const Fifty& y) { return *this = *this * y; }
Fifty& Fifty::operator/=(const Fifty& y) { return *this = *this / y; }

Fifty operator+(const Fifty& x, const Fifty& y) { return stored(of(x) + of(y)); }
Fifty operator-(const Fifty& x, const Fifty& y) { return stored(of(x) - of(y)); }
Fifty operator*(const Fifty& x, const Fifty& y) { return stored(of(x) * of(y)); }
Fifty operator/(const Fifty& x, const Fifty& y) { return stored(of(x) / of(y)); }
Fifty operator-(const Fifty& x) { return stored(-of(x)); }

bool operator==(const Fifty& x, const Fifty& y) { return of(x) == of(y); }
std::partial_ordering operator<=>(const Fifty& x, const Fifty& y)
{
  const Number a = of(x), b = of(y);
  if (isnan(a) || isnan(b)) return std::partial_ordering::unordered;
  return a.compare(b) <=> 0;
}

Fifty abs(const Fifty& x) { return stored(abs(of(x))); }
Fifty fabs(const Fifty& x) { return abs(x); }
Fifty sqrt(const Fifty& x) { return stored(sqrt(of(x))); }
Fifty sin(const Fifty& x) { return stored(sin(of(x))); }
Fifty cos(const Fifty& x) { return stored(cos(of(x))); }
Fifty tan(const Fifty& x) { return stored(tan(of(x))); }
Fifty asin(const Fifty& x) { return stored(asin(of(x))); }
Fifty acos(const Fifty& x) { return stored(acos(of(x))); }
Fifty atan(const Fifty& x) { return stored(atan(of(x))); }
Fifty atan2(const Fifty& y, const Fifty& x) { return stored(atan2(of(y), of(x))); }
Fifty exp(const Fifty& x) { return stored(exp(of(x))); }
Fifty log(const Fifty& x) { return stored(log(of(x))); }
Fifty pow(const Fifty& x, const Fifty& y) { return stored(pow(of(x), of(y))); }
Fifty pow(const Fifty& x, int n) { return stored(pow(of(x), n)); }
Fifty floor(const Fifty& x) { return stored(floor(of(x))); }
Fifty ceil(const Fifty& x) { return stored(ceil(of(x))); }
Fifty trunc(const Fifty& x) { return stored(trunc(of(x))); }
Fifty ldexp(const Fifty& x, int exponent) { return stored(ldexp(of(x), exponent)); }
Fifty frexp(const Fifty& x, int* exponent) { return stored(frexp(of(x), exponent)); }
bool isfinite(const Fifty& x) { return isfinite(of(x)); }
bool isnan(const Fifty& x) { return isnan(of(x)); }
bool isinf(const Fifty& x) { return isinf(of(x)); }

std::ostream& operator<<(std::ostream& stream, const Fifty& x) { return stream << of(x); }

}  // namespace articulate::validation

namespace std {

using articulate::validation::Fifty;
using articulate::validation::Limits;
using articulate::validation::stored;

Fifty(numeric_limits<Fifty>::min)() { return stored((Limits::min)()); }
Fifty(numeric_limits<Fifty>::max)() { return stored((Limits::max)()); }
Fifty numeric_limits<Fifty>::lowest() { return stored(Limits::lowest()); }
Fifty numeric_limits<Fifty>::epsilon() { return stored(Limits::epsilon()); }
Fifty numeric_limits<Fifty>::round_error() { return stored(Limits::round_error()); }
Fifty numeric_limits<Fifty>::infinity() { return stored(Limits::infinity()); }
Fifty numeric_limits<Fifty>::quiet_NaN() { return stored(Limits::quiet_NaN()); }

}  // namespace std
