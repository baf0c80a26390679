#include <ledger/fifty.hpp>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <vector>
#include <ledger/random_rounding.hpp>
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

namespace articulate::validation {

/// A number as MPFR reads it, where it is stored.
class MpfrView {
public:
  explicit MpfrView(const Fifty& x)
  {
    static_assert(sizeof(mp_limb_t) == sizeof(unsigned long) && Fifty::zero_ == MPFR_ZERO_KIND);
    static_assert(MPFR_EMAX_DEFAULT <= std::numeric_limits<int>::max() &&
                  MPFR_EMIN_DEFAULT >= std::numeric_limits<int>::min());
    mpfr_custom_init_set(number_, x.kind_, x.exponent_, Fifty::digits, const_cast<unsigned long*>(x.limbs_));
  }
  operator mpfr_srcptr() const { return number_; }

private:
  mpfr_t number_;
};

/// Where MPFR writes what becomes a number; its limbs stay where they are.
class MpfrResult {
public:
  explicit MpfrResult(Fifty& x) : x_(x) { mpfr_custom_init_set(number_, MPFR_ZERO_KIND, 0, Fifty::digits, x.limbs_); }
  MpfrResult(const MpfrResult&) = delete;
  ~MpfrResult()
  {
    x_.kind_ = mpfr_custom_get_kind(number_);
    if (mpfr_regular_p(number_)) x_.exponent_ = static_cast<int>(mpfr_custom_get_exp(number_));
  }
  operator mpfr_ptr() { return number_; }

private:
  Fifty& x_;
  mpfr_t number_;
};

namespace {

using View = MpfrView;

/// From which it follows how the next result is rounded; 0 where each goes to nearest.
thread_local std::uint64_t drawn = 0;

mpfr_rnd_t side()
{
  if (drawn == 0) return MPFR_RNDN;
  drawn ^= drawn << 13, drawn ^= drawn >> 7, drawn ^= drawn << 17;  // Marsaglia's xorshift, which never comes to 0
  return drawn >> 63 == 0 ? MPFR_RNDD : MPFR_RNDU;
}

/// Stores the result of an operation of MPFR's.
template <typename Operation, typename... Arguments>
Fifty& store(Fifty& y, const Operation& operation, const Arguments&... x)
{
  operation(MpfrResult(y), x..., side());
  return y;
}

template <typename Operation, typename... Arguments>
Fifty rounded(const Operation& operation, const Arguments&... x)
{
  Fifty y;
  store(y, operation, x...);
  return y;
}

Fifty read(const std::string& decimal)
{
  Fifty y;
  if (mpfr_set_str(MpfrResult(y), decimal.c_str(), 10, MPFR_RNDN) != 0)
    throw std::runtime_error("'" + decimal + "' is no decimal number.");
  return y;
}

bool is_zero(int kind) { return kind == MPFR_ZERO_KIND || kind == -MPFR_ZERO_KIND; }
bool is_regular(int kind) { return kind == MPFR_REGULAR_KIND || kind == -MPFR_REGULAR_KIND; }

/// The whole number on one side.
Fifty whole(const Fifty& x, mpfr_rnd_t side)
{
  Fifty y;
  mpfr_rint(MpfrResult(y), View(x), side);
  return y;
}

}  // namespace

RandomRounding::RandomRounding(std::uint64_t seed) { drawn = 2 * seed + 1; }
RandomRounding::~RandomRounding() { drawn = 0; }

Fifty::Fifty(int x) : Fifty(static_cast<long>(x)) {}
Fifty::Fifty(unsigned x) : Fifty(static_cast<unsigned long>(x)) {}
Fifty::Fifty(long x)
{
  if (x != 0) store(*this, mpfr_set_si, x);
}
Fifty::Fifty(unsigned long x) : Fifty(rounded(mpfr_set_ui, x)) {}
Fifty::Fifty(long long x) : Fifty(rounded(mpfr_set_sj, std::intmax_t(x))) {}
Fifty::Fifty(unsigned long long x) : Fifty(rounded(mpfr_set_uj, std::uintmax_t(x))) {}
Fifty::Fifty(float x) : Fifty(rounded(mpfr_set_flt, x)) {}
Fifty::Fifty(double x) : Fifty(rounded(mpfr_set_d, x)) {}
Fifty::Fifty(long double x) : Fifty(rounded(mpfr_set_ld, x)) {}
Fifty::Fifty(const std::string& decimal) : Fifty(read(decimal)) {}

Fifty::operator bool() const { return kind_ != zero_ && kind_ != -zero_; }
Fifty::operator int() const { return static_cast<int>(static_cast<long>(*this)); }
Fifty::operator long() const { return mpfr_get_si(View(*this), MPFR_RNDZ); }
Fifty::operator float() const { return mpfr_get_flt(View(*this), MPFR_RNDN); }
Fifty::operator double() const { return mpfr_get_d(View(*this), MPFR_RNDN); }
Fifty::operator long double() const { return mpfr_get_ld(View(*this), MPFR_RNDN); }

Fifty& Fifty::operator+=(const Fifty& y) { return *this = *this + y; }
Fifty& Fifty::operator-=(const Fifty& y) { return *this = *this - y; }
Fifty& Fifty::operator*=(const Fifty& y) { return *this = *this * y; }
Fifty& Fifty::operator/=(const Fifty& y) { return store(*this, mpfr_div, View(*this), View(y)); }

// Three of four products have a factor zero when a robot is proved, and MPFR need not be asked.
Fifty operator+(const Fifty& x, const Fifty& y)
{
  if (is_zero(x.kind_) && is_zero(y.kind_)) return x.kind_ == y.kind_ ? x : Fifty();
  if (is_regular(x.kind_) && is_zero(y.kind_)) return x;
  if (is_zero(x.kind_) && is_regular(y.kind_)) return y;
  return rounded(mpfr_add, View(x), View(y));
}
Fifty operator-(const Fifty& x, const Fifty& y)
{
  if (is_zero(x.kind_) || is_zero(y.kind_)) return x + -y;
  return rounded(mpfr_sub, View(x), View(y));
}
Fifty operator*(const Fifty& x, const Fifty& y)
{
  if ((is_zero(x.kind_) && (is_zero(y.kind_) || is_regular(y.kind_))) || (is_regular(x.kind_) && is_zero(y.kind_))) {
    Fifty zero;
    zero.kind_ = (x.kind_ < 0) == (y.kind_ < 0) ? Fifty::zero_ : -Fifty::zero_;
    return zero;
  }
  return rounded(mpfr_mul, View(x), View(y));
}
Fifty operator/(const Fifty& x, const Fifty& y) { return rounded(mpfr_div, View(x), View(y)); }
Fifty operator-(const Fifty& x)
{
  Fifty y = x;
  y.kind_ = -x.kind_;
  return y;
}

bool operator==(const Fifty& x, const Fifty& y) { return mpfr_equal_p(View(x), View(y)) != 0; }
std::partial_ordering operator<=>(const Fifty& x, const Fifty& y)
{
  const View a(x), b(y);
  if (mpfr_unordered_p(a, b)) return std::partial_ordering::unordered;
  return mpfr_cmp(a, b) <=> 0;
}

Fifty abs(const Fifty& x) { return x.kind_ < 0 ? -x : x; }
Fifty fabs(const Fifty& x) { return abs(x); }
Fifty sqrt(const Fifty& x) { return rounded(mpfr_sqrt, View(x)); }
Fifty sin(const Fifty& x) { return rounded(mpfr_sin, View(x)); }
Fifty cos(const Fifty& x) { return rounded(mpfr_cos, View(x)); }
Fifty tan(const Fifty& x) { return rounded(mpfr_tan, View(x)); }
Fifty asin(const Fifty& x) { return rounded(mpfr_asin, View(x)); }
Fifty acos(const Fifty& x) { return rounded(mpfr_acos, View(x)); }
Fifty atan(const Fifty& x) { return rounded(mpfr_atan, View(x)); }
Fifty atan2(const Fifty& y, const Fifty& x) { return rounded(mpfr_atan2, View(y), View(x)); }
Fifty exp(const Fifty& x) { return rounded(mpfr_exp, View(x)); }
Fifty log(const Fifty& x) { return rounded(mpfr_log, View(x)); }
Fifty pow(const Fifty& x, const Fifty& y) { return rounded(mpfr_pow, View(x), View(y)); }
Fifty pow(const Fifty& x, int n) { return rounded(mpfr_pow_si, View(x), long(n)); }
Fifty floor(const Fifty& x) { return whole(x, MPFR_RNDD); }
Fifty ceil(const Fifty& x) { return whole(x, MPFR_RNDU); }
Fifty trunc(const Fifty& x) { return whole(x, MPFR_RNDZ); }
Fifty ldexp(const Fifty& x, int exponent) { return rounded(mpfr_mul_2si, View(x), long(exponent)); }
Fifty frexp(const Fifty& x, int* exponent)
{
  Fifty y;
  mpfr_exp_t e = 0;
  mpfr_frexp(&e, MpfrResult(y), View(x), MPFR_RNDN);
  *exponent = static_cast<int>(e);
  return y;
}
bool isfinite(const Fifty& x) { return mpfr_number_p(View(x)) != 0; }
bool isnan(const Fifty& x) { return mpfr_nan_p(mpfr_srcptr(View(x))); }
bool isinf(const Fifty& x) { return mpfr_inf_p(mpfr_srcptr(View(x))); }

std::ostream& operator<<(std::ostream& stream, const Fifty& x)
{
  const int digits = static_cast<int>(stream.precision());
  std::vector<char> text(static_cast<std::size_t>(mpfr_snprintf(nullptr, 0, "%.*Rg", digits, mpfr_srcptr(View(x)))) +
                         1);
  mpfr_snprintf(text.data(), text.size(), "%.*Rg", digits, mpfr_srcptr(View(x)));
  return stream << text.data();
}

}  // namespace articulate::validation

namespace std {

using articulate::validation::Fifty;

Fifty(numeric_limits<Fifty>::min)() { return ldexp(Fifty(1), min_exponent - 1); }
Fifty(numeric_limits<Fifty>::max)() { return ldexp(Fifty(1) - ldexp(Fifty(1), -digits), max_exponent); }
Fifty numeric_limits<Fifty>::lowest() { return -(max)(); }
Fifty numeric_limits<Fifty>::epsilon() { return ldexp(Fifty(1), 1 - digits); }
Fifty numeric_limits<Fifty>::round_error() { return ldexp(Fifty(1), -1); }
Fifty numeric_limits<Fifty>::infinity() { return Fifty(1) / Fifty(0); }
Fifty numeric_limits<Fifty>::quiet_NaN() { return Fifty(0) / Fifty(0); }

}  // namespace std
