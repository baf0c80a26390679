/** \file
 *  \brief Several doubles that act as one scalar: what a processor computes in one instruction, and the templates in one run.
 *
 *  - Chapter: \ref rnea
 *  - Sine and cosine of angles below 2^20 (of others, the standard library's are taken) are off by less than 1.1 units in the
 *    last place: 0.8 in millions of angles, 1.06 next to multiples of a right angle. glibc's are off by less than 1.
 */
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#if defined(__AVX__)
#include <immintrin.h>
#endif
#include <Eigen/Core>
#include <articulate/group/scalar.hpp>   // Constant
#include <articulate/group/vector3.hpp>  // copied_one_by_one
#include <articulate/model/error.hpp>    // StateError

namespace articulate {

/// \brief What one instruction holds, by the flags of this translation unit: 8 doubles (AVX-512), 4 (AVX) or 2.
#if defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#elif defined(__AVX__)
inline constexpr int native_lanes = 4;
#else
inline constexpr int native_lanes = 2;
#endif

namespace detail {

/// What Eigen aligns, which allocates vectors of packs; told to align nothing, it leaves that to the standard library.
constexpr int allocated = EIGEN_MAX_ALIGN_BYTES > 0 ? EIGEN_MAX_ALIGN_BYTES : alignof(std::max_align_t);
constexpr int aligned_to(int bytes) { return bytes < allocated ? bytes : allocated; }

/// Vectors as compilers have them.
template <int lanes>
struct Vectors;
template <>
struct Vectors<2> {
  typedef double Numbers __attribute__((vector_size(16), aligned(aligned_to(16))));
  typedef std::int64_t Integers __attribute__((vector_size(16), aligned(aligned_to(16))));
  typedef double Unaligned __attribute__((vector_size(16), aligned(alignof(double)), may_alias));
};
template <>
struct Vectors<4> {
  typedef double Numbers __attribute__((vector_size(32), aligned(aligned_to(32))));
  typedef std::int64_t Integers __attribute__((vector_size(32), aligned(aligned_to(32))));
  typedef double Unaligned __attribute__((vector_size(32), aligned(alignof(double)), may_alias));
};
template <>
struct Vectors<8> {
  typedef double Numbers __attribute__((vector_size(64), aligned(aligned_to(64))));
  typedef std::int64_t Integers __attribute__((vector_size(64), aligned(aligned_to(64))));
  typedef double Unaligned __attribute__((vector_size(64), aligned(alignof(double)), may_alias));
};

}  // namespace detail

/// \brief Some states of a pack would take another way through the formulas than the rest of it.
struct LanesDisagree : StateError {
  LanesDisagree() : StateError("the states of one pack take different ways through a formula; run them one by one.") {}
};

/// \brief \f$\sin\theta\f$ and \f$\cos\theta\f$.
template <typename Scalar>
struct SineCosine {
  Scalar sine, cosine;
};
/// \brief Of one angle (rad); a Pack has its own.
template <typename Scalar>
SineCosine<Scalar> sine_cosine(const Scalar& angle)
{
  using std::cos, std::sin;
  return {sin(angle), cos(angle)};
}

/** \brief As many doubles as there are lanes, each with its own value, added and multiplied lane by lane.
 *
 *  A comparison has one answer for all lanes. Where they differ there is none, and LanesDisagree is thrown: no lane is
 *  ever led along the way of another.
 *  \tparam lanes  2, 4 or 8; more than `native_lanes` are right, too, and slower
 */
template <int lanes>
class Pack {
  using Numbers = typename detail::Vectors<lanes>::Numbers;
  using Integers = typename detail::Vectors<lanes>::Integers;
  using Unaligned = typename detail::Vectors<lanes>::Unaligned;

public:
  Pack() = default;
  // Not trivial: else compilers copy whatever consists of packs byte by byte, through memory.
  Pack(const Pack& a) : x_(a.x_) {}
  Pack& operator=(const Pack& a)
  {
    x_ = a.x_;
    return *this;
  }
  Pack(double x) : x_(x - Numbers{}) {}
  explicit Pack(const Numbers& x) : x_(x) {}
  /// \brief A number for each lane.
  template <typename... Number, typename = std::enable_if_t<sizeof...(Number) == lanes>>
  Pack(Number... x) : x_{x...}
  {
  }

  double operator[](int lane) const { return x_[lane]; }
  /// \brief The number of all lanes.   \throws LanesDisagree
  explicit operator double() const { return static_cast<void>(*this == Pack(x_[0])), x_[0]; }
  void set(int lane, double x) { x_[lane] = x; }
  /// \brief As many numbers as there are lanes, read from there on, or written.
  static Pack from(const double* first) { return Pack(Numbers(*reinterpret_cast<const Unaligned*>(first))); }
  void to(double* first) const { *reinterpret_cast<Unaligned*>(first) = x_; }

  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(Numbers(a.x_ + b.x_)); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(Numbers(a.x_ - b.x_)); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(Numbers(a.x_ * b.x_)); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(Numbers(a.x_ / b.x_)); }
  friend Pack operator-(const Pack& a) { return Pack(Numbers(-a.x_)); }
  Pack& operator+=(const Pack& b) { return *this = *this + b; }
  Pack& operator-=(const Pack& b) { return *this = *this - b; }
  Pack& operator*=(const Pack& b) { return *this = *this * b; }
  Pack& operator/=(const Pack& b) { return *this = *this / b; }

  friend bool operator<(const Pack& a, const Pack& b) { return agreed(Integers(a.x_ < b.x_)); }
  friend bool operator<=(const Pack& a, const Pack& b) { return agreed(Integers(a.x_ <= b.x_)); }
  friend bool operator==(const Pack& a, const Pack& b) { return agreed(Integers(a.x_ == b.x_)); }
  friend bool operator!=(const Pack& a, const Pack& b) { return agreed(Integers(a.x_ != b.x_)); }
  friend bool operator>(const Pack& a, const Pack& b) { return b < a; }
  friend bool operator>=(const Pack& a, const Pack& b) { return b <= a; }

  friend Pack sqrt(const Pack& a)
  {
    return lane_by_lane([](double x) { return std::sqrt(x); }, a);
  }
  friend Pack atan(const Pack& a)
  {
    return lane_by_lane([](double x) { return std::atan(x); }, a);
  }
  friend Pack sin(const Pack& a) { return sine_cosine(a).sine; }
  friend Pack cos(const Pack& a) { return sine_cosine(a).cosine; }
  friend SineCosine<Pack> sine_cosine(const Pack& a)
  {
    const Turned t(a);
    if (!t.is_near()) return {far_sine(a), far_cosine(a)};
    const Pack s = t.sine(), c = t.cosine();
    return {t.choose(s, c), t.choose(c, -s)};
  }

  /// \brief Rows become columns: of every four numbers that are a square the two beside its diagonal change places, then
  /// so do the squares of a square of four.
  friend void transpose(Pack (&rows)[lanes])
  {
    exchange<1>(rows);
    if constexpr (lanes > 2) exchange<2>(rows);
    if constexpr (lanes > 4) exchange<4>(rows);
  }
  /// \brief The columns of four rows of four.
  friend std::array<Pack, 4> transposed(const Pack& a, const Pack& b, const Pack& c, const Pack& d)
  {
    static_assert(lanes == 4);
    Pack rows[] = {a, b, c, d};
    transpose(rows);
    return {rows[0], rows[1], rows[2], rows[3]};
  }

private:
  // [pack-sine]
  /// An angle \f$r + \delta + k\,\pi/2\f$ with \f$|r| \le \pi/4\f$ and what r has lost by rounding, \f$\delta\f$.
  struct Turned {
    Numbers angle, r, delta;
    Integers k;

    /// The first two parts of \f$\pi/2\f$ have 33 bits each and k has 20, so that their products are exact.
    explicit Turned(const Pack& a) : angle(a.x_)
    {
      constexpr double turns = 0x1.8p52;  // what is added to it loses its fraction, and stands in its last bits
      const Numbers shifted = angle * 0x1.45f306dc9c883p-1 + turns, count = shifted - turns;
      const Numbers high = angle - count * 0x1.921fb544p+0, second = count * 0x1.0b4611a6p-34, middle = high - second;
      const Numbers low = ((high - middle) - second) - count * 0x1.3198a2e037073p-69;
      r = middle + low;
      delta = (middle - r) + low;
      k = __builtin_bit_cast(Integers, shifted);
    }
    bool is_near() const { return signs(Integers((angle < 0x1p20) & (angle > -0x1p20))) == all_lanes; }
    /// Taylor's series; \f$(\pi/4)^{19}/19!\f$ and \f$(\pi/4)^{18}/18!\f$ are below a fiftieth of a rounding.
    Pack sine() const
    {
      const Numbers x = r * r, sum = series(x, 1 / 355687428096000., -1 / 1307674368000., 1 / 6227020800.,
                                            -1 / 39916800., 1 / 362880., -1 / 5040., 1 / 120., -1 / 6.);
      return Pack(Numbers(r + (r * x * sum + (delta - delta * x / 2))));
    }
    Pack cosine() const
    {
      const Numbers x = r * r, sum = series(x, 1 / 20922789888000., -1 / 87178291200., 1 / 479001600., -1 / 3628800.,
                                            1 / 40320., -1 / 720., 1 / 24.);
      const Numbers half = x / 2, first = 1 - half;
      return Pack(Numbers(first + (((1 - first) - half) + (x * x * sum - r * delta))));
    }
    /// Horner's scheme from the highest power on. Not a loop: that would load one coefficient after the other.
    template <typename... Coefficient>
    static Numbers series(const Numbers& x, double first, double second, Coefficient... next)
    {
      Numbers sum = x * first + second;
      ((sum = sum * x + next), ...);
      return sum;
    }
    /// The first where k is even, the second where it is odd; and minus that where k is 2 or 3 beyond a multiple of 4.
    Pack choose(const Pack& even, const Pack& odd) const
    {
      const Integers is_odd = -(k & 1), sign = (k & 2) << 62;
      const Integers bits =
          (__builtin_bit_cast(Integers, odd.x_) & is_odd) | (__builtin_bit_cast(Integers, even.x_) & ~is_odd);
      return Pack(__builtin_bit_cast(Numbers, bits ^ sign));
    }
  };
  // [pack-sine]

  static constexpr int all_lanes = (1 << lanes) - 1;

  // [pack-transpose]
  /// Of two rows that are `size` apart, what stands in a column with that bit of the first changes places with what stands
  /// `size` columns before it in the second.
  template <int size>
  static void exchange(Pack (&rows)[lanes])
  {
    [&]<int... l>(std::integer_sequence<int, l...>)
    {
      const auto pair = [](Pack& upper, Pack& lower) {
        const Numbers a = upper.x_, b = lower.x_;
        upper.x_ = __builtin_shufflevector(a, b, (l & size ? lanes + l - size : l)...);
        lower.x_ = __builtin_shufflevector(a, b, (l & size ? lanes + l : l + size)...);
      };
      ((l & size ? void() : pair(rows[l], rows[l + size])), ...);
    }
    (std::make_integer_sequence<int, lanes>());
  }
  // [pack-transpose]

  /// A bit for each lane: is its number negative, as a comparison that holds is?
  static int signs(const Integers& x)
  {
#if defined(__AVX__)
    if constexpr (lanes == 4) return _mm256_movemask_pd(__builtin_bit_cast(__m256d, x));
#endif
#if defined(__AVX512DQ__)
    if constexpr (lanes == 8) return _mm512_movepi64_mask(__builtin_bit_cast(__m512i, x));
#endif
    int bits = 0;
    for (int l = 0; l < lanes; ++l) bits |= (x[l] < 0) << l;
    return bits;
  }
  /// The answer of all lanes.   \throws LanesDisagree
  static bool agreed(const Integers& answers)
  {
    const int bits = signs(answers);
    if (bits != 0 && bits != all_lanes) disagree();
    return bits != 0;
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void disagree() { throw LanesDisagree(); }

  [[gnu::noinline, gnu::cold]] static Pack far_sine(const Pack& a)
  {
    return lane_by_lane([](double x) { return std::sin(x); }, a);
  }
  [[gnu::noinline, gnu::cold]] static Pack far_cosine(const Pack& a)
  {
    return lane_by_lane([](double x) { return std::cos(x); }, a);
  }
  template <typename Function>
  static Pack lane_by_lane(const Function& f, const Pack& a)
  {
    Pack y;
    for (int l = 0; l < lanes; ++l) y.x_[l] = f(a.x_[l]);
    return y;
  }

  Numbers x_;
};

template <int lanes>
inline constexpr bool copied_one_by_one<Pack<lanes>> = true;

namespace detail {

template <int lanes>
struct ConstantOf<Pack<lanes>> {
  using Type = double;
};

}  // namespace detail

/// \brief Four doubles in halves, for processors whose registers hold two.
class TwoPacks {
public:
  TwoPacks() = default;
  TwoPacks(double x) : low_(x), high_(x) {}
  TwoPacks(const Pack<2>& low, const Pack<2>& high) : low_(low), high_(high) {}
  TwoPacks(double a, double b, double c, double d) : low_(a, b), high_(c, d) {}

  double operator[](int lane) const { return lane < 2 ? low_[lane] : high_[lane - 2]; }
  static TwoPacks from(const double* first) { return {Pack<2>::from(first), Pack<2>::from(first + 2)}; }
  void to(double* first) const { low_.to(first), high_.to(first + 2); }

  friend TwoPacks operator+(const TwoPacks& a, const TwoPacks& b) { return {a.low_ + b.low_, a.high_ + b.high_}; }
  friend TwoPacks operator-(const TwoPacks& a, const TwoPacks& b) { return {a.low_ - b.low_, a.high_ - b.high_}; }
  friend TwoPacks operator*(const TwoPacks& a, const TwoPacks& b) { return {a.low_ * b.low_, a.high_ * b.high_}; }
  friend TwoPacks operator/(const TwoPacks& a, const TwoPacks& b) { return {a.low_ / b.low_, a.high_ / b.high_}; }
  friend TwoPacks operator-(const TwoPacks& a) { return {-a.low_, -a.high_}; }
  friend SineCosine<TwoPacks> sine_cosine(const TwoPacks& a)
  {
    const auto [low_sine, low_cosine] = sine_cosine(a.low_);
    const auto [high_sine, high_cosine] = sine_cosine(a.high_);
    return {{low_sine, high_sine}, {low_cosine, high_cosine}};
  }
  /// \brief The columns of four rows of four.
  friend std::array<TwoPacks, 4> transposed(const TwoPacks& a, const TwoPacks& b, const TwoPacks& c, const TwoPacks& d)
  {
    return {TwoPacks(a[0], b[0], c[0], d[0]), TwoPacks(a[1], b[1], c[1], d[1]), TwoPacks(a[2], b[2], c[2], d[2]),
            TwoPacks(a[3], b[3], c[3], d[3])};
  }
  TwoPacks& operator+=(const TwoPacks& b) { return *this = *this + b; }
  TwoPacks& operator-=(const TwoPacks& b) { return *this = *this - b; }

private:
  Pack<2> low_, high_;
};
template <>
inline constexpr bool copied_one_by_one<TwoPacks> = true;

/// \brief Four doubles in as few registers as the flags allow.
#if defined(__AVX__)
using Four = Pack<4>;
#else
using Four = TwoPacks;
#endif

}  // namespace articulate

/// \cond
namespace std {

template <int lanes>
struct numeric_limits<articulate::Pack<lanes>> : numeric_limits<double> {
};

}  // namespace std

namespace Eigen {

template <int lanes>
struct NumTraits<articulate::Pack<lanes>> : GenericNumTraits<double> {
  using Real = articulate::Pack<lanes>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
};

}  // namespace Eigen
/// \endcond
