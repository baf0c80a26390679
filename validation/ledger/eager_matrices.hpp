/** \file
 *  \brief Sums and products of Eigen's matrices that are computed at once, by loops that are compiled once per scalar.
 *
 *  Eigen makes a type of each expression and compiles it where it stands: a page of matrix formulas then takes longer to
 *  compile than the whole library. What includes this and is written in this namespace, or in one that
 *  names `eager`, uses the operators below, which fit Eigen's matrices
 *  better than Eigen's own (they ask for no conversion to a base class) and answer a matrix. The formulas stay as they
 *  are; the library and what stands in other namespaces compute as before.
 */
#pragma once
#include <concepts>
#include <Eigen/Core>

namespace articulate::validation {

/// \brief The numbers of a matrix, a block or a transpose, where they lie.
template <typename S>
struct Entries {
  const S* first;
  Eigen::Index rows, cols, down, right;  ///< down, right: the way in memory to the next row, to the next column

  const S& operator()(Eigen::Index i, Eigen::Index j) const { return first[i * down + j * right]; }
};
/// \brief The same, to be written to.
template <typename S>
struct WritableEntries {
  S* first;
  Eigen::Index rows, cols, down, right;

  S& operator()(Eigen::Index i, Eigen::Index j) const { return first[i * down + j * right]; }
};

/// \brief The loops. What is written is no part of what is read, or the same numbers in the same places.
template <typename S>
struct MatrixLoops {
  static void product(WritableEntries<S> to, Entries<S> a, Entries<S> b);
  static void sum(WritableEntries<S> to, Entries<S> a, Entries<S> b);
  static void difference(WritableEntries<S> to, Entries<S> a, Entries<S> b);
  static void multiple(WritableEntries<S> to, const S& s, Entries<S> a);
  static void quotient(WritableEntries<S> to, Entries<S> a, const S& s);
  static void negative(WritableEntries<S> to, Entries<S> a);
};

template <typename S>
void MatrixLoops<S>::product(WritableEntries<S> to, Entries<S> a, Entries<S> b)
{
  eigen_assert(a.cols == b.rows);
  for (Eigen::Index j = 0; j < b.cols; ++j)
    for (Eigen::Index i = 0; i < a.rows; ++i) {
      S entry(0);
      for (Eigen::Index k = 0; k < a.cols; ++k) entry += a(i, k) * b(k, j);
      to(i, j) = entry;
    }
}
template <typename S>
void MatrixLoops<S>::sum(WritableEntries<S> to, Entries<S> a, Entries<S> b)
{
  eigen_assert(a.rows == b.rows && a.cols == b.cols);
  for (Eigen::Index j = 0; j < a.cols; ++j)
    for (Eigen::Index i = 0; i < a.rows; ++i) to(i, j) = a(i, j) + b(i, j);
}
template <typename S>
void MatrixLoops<S>::difference(WritableEntries<S> to, Entries<S> a, Entries<S> b)
{
  eigen_assert(a.rows == b.rows && a.cols == b.cols);
  for (Eigen::Index j = 0; j < a.cols; ++j)
    for (Eigen::Index i = 0; i < a.rows; ++i) to(i, j) = a(i, j) - b(i, j);
}
template <typename S>
void MatrixLoops<S>::multiple(WritableEntries<S> to, const S& s, Entries<S> a)
{
  for (Eigen::Index j = 0; j < a.cols; ++j)
    for (Eigen::Index i = 0; i < a.rows; ++i) to(i, j) = s * a(i, j);
}
template <typename S>
void MatrixLoops<S>::quotient(WritableEntries<S> to, Entries<S> a, const S& s)
{
  for (Eigen::Index j = 0; j < a.cols; ++j)
    for (Eigen::Index i = 0; i < a.rows; ++i) to(i, j) = a(i, j) / s;
}
template <typename S>
void MatrixLoops<S>::negative(WritableEntries<S> to, Entries<S> a)
{
  for (Eigen::Index j = 0; j < a.cols; ++j)
    for (Eigen::Index i = 0; i < a.rows; ++i) to(i, j) = -a(i, j);
}

template <typename Derived>
std::true_type is_matrix(const Eigen::MatrixBase<Derived>*);
std::false_type is_matrix(const void*);

/// \brief Eigen's matrices, vectors and expressions of them.
template <typename A>
concept EigenMatrix = decltype(is_matrix(static_cast<std::remove_reference_t<A>*>(nullptr)))::value;

template <typename A>
using ScalarOf = typename std::remove_cvref_t<A>::Scalar;

template <typename A, typename B>
concept OfOneScalar = std::same_as<ScalarOf<A>, ScalarOf<B>>;

/// \brief What has its numbers in memory as it is; of any other expression, its value.
template <EigenMatrix A>
decltype(auto) in_memory(const A& a)
{
  if constexpr (A::Flags & Eigen::DirectAccessBit)
    return (a);
  else
    return typename A::PlainObject(a);
}
template <EigenMatrix A>
Entries<ScalarOf<A>> entries(const A& a)
{
  const Eigen::Index inner = a.innerStride(), outer = a.outerStride();
  return {a.data(), a.rows(), a.cols(), A::IsRowMajor ? outer : inner, A::IsRowMajor ? inner : outer};
}
template <EigenMatrix A>
WritableEntries<ScalarOf<A>> writable_entries(A& a)
{
  const Eigen::Index inner = a.innerStride(), outer = a.outerStride();
  return {a.data(), a.rows(), a.cols(), A::IsRowMajor ? outer : inner, A::IsRowMajor ? inner : outer};
}

/// \brief A matrix with sizes known when compiling where they are, rows from one matrix and columns from another.
template <EigenMatrix A, EigenMatrix B>
using Shaped = Eigen::Matrix<ScalarOf<A>, A::RowsAtCompileTime, B::ColsAtCompileTime,
                             A::RowsAtCompileTime == 1 && B::ColsAtCompileTime != 1 ? Eigen::RowMajor : Eigen::ColMajor,
                             A::MaxRowsAtCompileTime, B::MaxColsAtCompileTime>;
/// \brief The shape of two matrices that are equally large: the one whose sizes are known.
template <EigenMatrix A, EigenMatrix B>
using Alike = std::conditional_t<
    A::RowsAtCompileTime != Eigen::Dynamic || B::RowsAtCompileTime == Eigen::Dynamic,
    std::conditional_t<A::ColsAtCompileTime != Eigen::Dynamic || B::ColsAtCompileTime == Eigen::Dynamic, Shaped<A, A>,
                       Shaped<A, B>>,
    std::conditional_t<A::ColsAtCompileTime != Eigen::Dynamic, Shaped<B, A>, Shaped<B, B>>>;

// Found by their names within this namespace, not by their arguments' types: the library does not see them.
namespace eager {

/// \brief Products; not those of a row and a column, which Eigen turns into a number where one is asked for.
template <EigenMatrix A, EigenMatrix B>
requires OfOneScalar<A, B> &&(A::RowsAtCompileTime != 1 || B::ColsAtCompileTime != 1) Shaped<A, B> operator*(const A& a,
                                                                                                             const B& b)
{
  Shaped<A, B> result(a.rows(), b.cols());
  const auto& x = in_memory(a);
  const auto& y = in_memory(b);
  MatrixLoops<ScalarOf<A>>::product(writable_entries(result), entries(x), entries(y));
  return result;
}
template <EigenMatrix A, EigenMatrix B>
requires OfOneScalar<A, B> Alike<A, B>
operator+(const A& a, const B& b)
{
  Alike<A, B> result(a.rows(), a.cols());
  const auto& x = in_memory(a);
  const auto& y = in_memory(b);
  MatrixLoops<ScalarOf<A>>::sum(writable_entries(result), entries(x), entries(y));
  return result;
}
template <EigenMatrix A, EigenMatrix B>
requires OfOneScalar<A, B> Alike<A, B>
operator-(const A& a, const B& b)
{
  Alike<A, B> result(a.rows(), a.cols());
  const auto& x = in_memory(a);
  const auto& y = in_memory(b);
  MatrixLoops<ScalarOf<A>>::difference(writable_entries(result), entries(x), entries(y));
  return result;
}
template <EigenMatrix A>
Shaped<A, A> operator-(const A& a)
{
  Shaped<A, A> result(a.rows(), a.cols());
  const auto& x = in_memory(a);
  MatrixLoops<ScalarOf<A>>::negative(writable_entries(result), entries(x));
  return result;
}
template <EigenMatrix A, typename Number>
requires(!EigenMatrix<Number> && std::convertible_to<Number, ScalarOf<A>>) Shaped<A, A>
operator*(const Number& s, const A& a)
{
  Shaped<A, A> result(a.rows(), a.cols());
  const auto& x = in_memory(a);
  MatrixLoops<ScalarOf<A>>::multiple(writable_entries(result), ScalarOf<A>(s), entries(x));
  return result;
}
template <EigenMatrix A, typename Number>
requires(!EigenMatrix<Number> && std::convertible_to<Number, ScalarOf<A>>) Shaped<A, A>
operator*(const A& a, const Number& s) { return eager::operator*(s, a); }
template <EigenMatrix A, typename Number>
requires(!EigenMatrix<Number> && std::convertible_to<Number, ScalarOf<A>>) Shaped<A, A>
operator/(const A& a, const Number& s)
{
  Shaped<A, A> result(a.rows(), a.cols());
  const auto& x = in_memory(a);
  MatrixLoops<ScalarOf<A>>::quotient(writable_entries(result), entries(x), ScalarOf<A>(s));
  return result;
}

// Entry by entry, the sum may lie where its first term does.
template <EigenMatrix A, EigenMatrix B>
requires OfOneScalar<A, B>
decltype(auto) operator+=(A&& a, const B& b)
{
  const auto& y = in_memory(b);
  MatrixLoops<ScalarOf<A>>::sum(writable_entries(a), entries(a), entries(y));
  return std::forward<A>(a);
}
template <EigenMatrix A, EigenMatrix B>
requires OfOneScalar<A, B>
decltype(auto) operator-=(A&& a, const B& b)
{
  const auto& y = in_memory(b);
  MatrixLoops<ScalarOf<A>>::difference(writable_entries(a), entries(a), entries(y));
  return std::forward<A>(a);
}

}  // namespace eager

using namespace eager;

}  // namespace articulate::validation
