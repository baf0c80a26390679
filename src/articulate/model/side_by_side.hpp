/** \file
 *  \brief What belongs to consecutive degrees of freedom, side by side: one formula computes several of them at once.
 *
 *  - Chapter: \ref derivatives; the lanes: \ref several_states
 */
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>
#include <articulate/group/pack.hpp>
#include <articulate/model/indexed.hpp>

namespace articulate {

namespace detail {

/// Run f(0), ..., f(count - 1). Not a loop: that would keep in memory what it reads or makes.
template <int count, typename Function>
void for_each(const Function& f)
{
  [&]<int... k>(std::integer_sequence<int, k...>) { (f(std::integral_constant<int, k>()), ...); }
  (std::make_integer_sequence<int, count>());
}

}  // namespace detail

/// \brief Into how many blocks of a size a length is divided; the last may be shorter.
constexpr int blocks(int length, int size) { return (length + size - 1) / size; }

/** \brief What one formula computes at once: four doubles; of any other scalar, which may hold several states itself, one.
 *
 *  Four with any flags: how the numbers are laid out must not depend on them.
 */
template <typename Scalar>
struct SeveralOf {
  using Type = Scalar;
  static constexpr int count = 1;
  static const Scalar& gather(const Scalar* x, const int* which) { return x[*which]; }
  static void write(const Scalar& x, Scalar* first) { *first = x; }
  static void scatter(const Scalar& x, Scalar* first, std::ptrdiff_t) { *first = x; }
  static void transpose(const Scalar* rows, std::ptrdiff_t, Scalar* to, std::ptrdiff_t) { *to = *rows; }
  template <template <typename> class Quantity>
  static void take_apart(const Quantity<Scalar>& x, Quantity<Scalar>* to, int)
  {
    *to = x;
  }
  static const Scalar& lane(const Scalar& x, int) { return x; }
  static Scalar unit(int lane) { return Scalar(lane == 0 ? 1 : 0); }
  static Scalar between(int first, int end) { return Scalar(first <= 0 && 0 < end ? 1 : 0); }
};
template <>
struct SeveralOf<double> {
  using Type = Four;
  static constexpr int count = 4;
  static Type from(const double* first) { return Type::from(first); }
  /// Numbers from here and there.
  static Type gather(const double* x, const int* which)
  {
    return Type(x[which[0]], x[which[1]], x[which[2]], x[which[3]]);
  }
  static void write(const Type& x, double* first) { x.to(first); }
  /// To places that are a step apart.
  static void scatter(const Type& x, double* first, std::ptrdiff_t step)
  {
    first[0] = x[0];
    first[step] = x[1];
    first[2 * step] = x[2];
    first[3 * step] = x[3];
  }
  /// A block whose rows are a step apart, as columns.
  static void transpose(const double* rows, std::ptrdiff_t row, double* to, std::ptrdiff_t step)
  {
    const auto [a, b, c, d] = transposed(from(rows), from(rows + row), from(rows + 2 * row), from(rows + 3 * row));
    a.to(to), b.to(to + step), c.to(to + 2 * step), d.to(to + 3 * step);
  }
  /// The first `many` of four quantities, one after the other; each consists of a multiple of four numbers.
  template <template <typename> class Quantity>
  static void take_apart(const Quantity<Type>& x, Quantity<double>* to, int many)
  {
    constexpr int numbers = sizeof(Quantity<double>) / sizeof(double);
    static_assert(numbers % 4 == 0);
    const auto* const rows = reinterpret_cast<const double*>(&x);
    auto* const one = reinterpret_cast<double*>(to);
    if (many == 4) {
      detail::for_each<numbers / 4>([&](auto c) { transpose(rows + 16 * c, 4, one + 4 * c, numbers); });
    } else {
      for (int k = 0; k < many; ++k) detail::for_each<numbers>([&](auto c) { one[numbers * k + c] = rows[4 * c + k]; });
    }
  }
  static double lane(const Type& x, int l) { return x[l]; }
  /// One in a lane, zero in the others.
  static Type unit(int lane)
  {
    static constexpr double one[] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    return from(one + 4 - std::clamp(lane, -1, 4));
  }
  /// One in the lanes from the first to the end, zero in the others.
  static Type between(int first, int end)
  {
    static constexpr double steps[] = {1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
    return from(steps + 8 - std::clamp(first, 0, 4)) * from(steps + 4 - std::clamp(end, 0, 4));
  }
};
template <typename Scalar>
using Several = typename SeveralOf<Scalar>::Type;

/** \brief A list of quantities, such as twists, several side by side.
 *
 *  \tparam Quantity  consists of numbers of one type and nothing else
 */
template <template <typename> class Quantity, typename Scalar>
class SideBySide {
  static constexpr int count = SeveralOf<Scalar>::count, numbers = sizeof(Quantity<Scalar>) / sizeof(Scalar);

public:
  explicit SideBySide(int length) : several_(blocks(length, count)) {}

  /// \brief The b-th several of them; the last may have lanes that belong to nothing.
  const Quantity<Several<Scalar>>& operator[](int b) const { return several_[b]; }
  Quantity<Several<Scalar>>& operator[](int b) { return several_[b]; }
  int size() const { return static_cast<int>(several_.size()); }

  /// \brief The k-th.
  Quantity<Scalar> operator()(int k) const
  {
    Quantity<Scalar> one;
    const auto* const x = first_number(k);
    auto* const of = reinterpret_cast<Scalar*>(&one);
    detail::for_each<numbers>([&](auto c) { of[c] = x[c * count]; });
    return one;
  }
  void set(int k, const Quantity<Scalar>& one)
  {
    auto* const x = first_number(k);
    const auto* const of = reinterpret_cast<const Scalar*>(&one);
    detail::for_each<numbers>([&](auto c) { x[c * count] = of[c]; });
  }
  /// \brief Add the k-th to the j-th, number by number.
  void add(int j, int k)
  {
    auto* const x = first_number(j);
    const auto* const y = first_number(k);
    detail::for_each<numbers>([&](auto c) { x[c * count] += y[c * count]; });
  }

private:
  const Scalar* first_number(int k) const
  {
    const auto lane = static_cast<unsigned>(k) % count, b = static_cast<unsigned>(k) / count;
    return reinterpret_cast<const Scalar*>(&several_[b]) + lane;
  }
  Scalar* first_number(int k) { return const_cast<Scalar*>(std::as_const(*this).first_number(k)); }

  Indexed<Quantity<Several<Scalar>>> several_;
};

}  // namespace articulate
