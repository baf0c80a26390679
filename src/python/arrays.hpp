/** \file
 *  \brief Numbers between numpy and the library: checked on the way in, seen or copied on the way out.
 *
 *  An argument that is float64 without gaps is read where it lies; anything else that numpy makes an array of real
 *  numbers of is copied. What a chapter binds takes these types as arguments:
 *  - Number, Vector3<double>, Matrix3<double>, Symmetric3<double>: refused with one sentence when their shape is wrong
 *    or a number is not finite;
 *  - Numbers: an array of any shape, to be read with vector() or rows(), which know the name to complain of.
 *
 *  What does not consist of numbers at all is left to pybind11, which tries other overloads and raises TypeError.
 */
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <cmath>
#include <articulate/body/inertia.hpp>
#include <articulate/model/error.hpp>
#include <articulate/model/indexed.hpp>
#include <articulate/model/recursion.hpp>  // require_size

namespace articulate::python {

namespace py = pybind11;

/// \brief A result.
using Array = py::array_t<double>;

/// \brief A finite number, as an argument.
struct Number {
  double value = 0;
  operator double() const { return value; }
};

/// \brief Numbers in an array of any shape, as an argument: float64, by rows, without gaps.
struct Numbers {
  py::array_t<double, py::array::c_style> array;

  py::ssize_t size() const { return array.size(); }
  const double* begin() const { return array.data(); }
  const double* end() const { return begin() + size(); }
  double operator[](py::ssize_t k) const { return begin()[k]; }
  std::vector<py::ssize_t> shape() const { return {array.shape(), array.shape() + array.ndim()}; }
};

/// \brief A Python list whose elements are known.
template <typename T>
struct ListOf : py::list {
  using py::list::list;
  ListOf() = default;
  template <typename Range>
  explicit ListOf(const Range& range)
  {
    for (const auto& element : range) append(py::cast(element));
  }
};

/// \brief An iterator over elements that are known: what lets Python unpack an object.
template <typename T>
struct IteratorOf : py::iterator {
  explicit IteratorOf(const py::tuple& elements) : py::iterator(py::iter(elements)) {}
};

/// \brief "(2, 3)", as Python writes a shape.
inline std::string text(const std::vector<py::ssize_t>& shape)
{
  std::string list;
  for (const py::ssize_t n : shape) list += (list.empty() ? "" : ", ") + std::to_string(n);
  return "(" + list + (shape.size() == 1 ? ",)" : ")");
}

// --- in --------------------------------------------------------------------------------------------------------------

/// \brief Refuse an array of another shape or with a number that is not finite, in words of a function of geometry.
inline void require(const Numbers& x, const std::vector<py::ssize_t>& shape)
{
  if (x.shape() != shape)
    throw Error("An array of shape " + text(x.shape()) + " is given where one of shape " + text(shape) + " is needed.");
  for (const double number : x)
    if (!std::isfinite(number))
      throw Error("An array of shape " + text(shape) + " holds " + std::to_string(number) +
                  " where finite numbers are needed.");
}

/// \brief Refuse a number that is not finite, of an argument that has a name.
inline void require_finite(const Numbers& x, const std::string& name)
{
  for (py::ssize_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k]))
      throw StateError(name + "[" + std::to_string(k) + "] is " + std::to_string(x[k]) +
                       " where a finite number is needed.");
}

/** \brief A vector of the state where the caller keeps it.
 *  \throws SizeError, StateError naming the argument
 */
inline Eigen::Map<const VectorX<double>> vector(const Numbers& x, const char* name, int size)
{
  if (x.array.ndim() != 1)
    throw StateError(std::string(name) + " has the shape " + text(x.shape()) + " where the model needs " +
                     text({size}) + ".");
  detail::require_size(name, x, size);
  require_finite(x, name);
  return {x.begin(), x.size()};
}

/** \brief A matrix of any number of rows, m x columns.
 *  \throws StateError naming the argument
 */
inline MatrixX<double> rows_of(const Numbers& x, const char* name, int columns)
{
  const std::vector<py::ssize_t> shape = x.shape();
  if (shape.size() != 2 || shape[1] != columns)
    throw StateError(std::string(name) + " has the shape " + text(shape) + " where (m, " + std::to_string(columns) +
                     ") is needed.");
  require_finite(x, name);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(x.begin(), shape[0],
                                                                                                  shape[1]);
}

/// \brief A matrix of the given size.
template <int rows, int columns>
Eigen::Matrix<double, rows, columns> matrix(const Numbers& x)
{
  require(x, {rows, columns});
  return Eigen::Map<const Eigen::Matrix<double, rows, columns, Eigen::RowMajor>>(x.begin());
}

/// \brief A few numbers, as a mechanism keeps them.
template <std::size_t n>
std::array<double, n> numbers(const Numbers& x)
{
  require(x, {n});
  std::array<double, n> copy;
  std::copy(x.begin(), x.end(), copy.begin());
  return copy;
}

/// \brief Six numbers.
inline Vector6<double> six(const Numbers& x)
{
  require(x, {6});
  return Vector6<double>(x.begin());
}

inline void read(const Numbers& x, Vector3<double>& a)
{
  require(x, {3});
  a = {x[0], x[1], x[2]};
}
inline void read(const Numbers& x, Matrix3<double>& a)
{
  require(x, {3, 3});
  std::copy(x.begin(), x.end(), a.e);
}
/// Symmetric up to what products of matrices round away: half of the digits. The upper triangle is taken.
inline void read(const Numbers& x, Symmetric3<double>& a)
{
  const Eigen::Matrix3d full = matrix<3, 3>(x);
  if ((full - full.transpose()).cwiseAbs().maxCoeff() > std::ldexp(full.cwiseAbs().maxCoeff(), -26))
    throw Error("A matrix that is not symmetric is given where an inertia is needed.");
  a = {full(0, 0), full(0, 1), full(0, 2), full(1, 1), full(1, 2), full(2, 2)};
}

// --- out -------------------------------------------------------------------------------------------------------------

/// \brief A copy of a vector or a matrix.
template <typename Derived>
Array array(const Eigen::MatrixBase<Derived>& x)
{
  std::vector<py::ssize_t> shape{x.rows()};
  if (Derived::ColsAtCompileTime != 1) shape.push_back(x.cols());
  Array copy(shape);
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) copy.mutable_data()[i * x.cols() + j] = x(i, j);
  return copy;
}
inline Array array(const Vector3<double>& x) { return array(x.eigen()); }
inline Array array(const Matrix3<double>& x) { return array(x.eigen()); }

/// \brief A result that overflowed is no result.   \throws StateError naming it
template <typename Derived>
void require_finite_result(const Eigen::MatrixBase<Derived>& x, const char* name)
{
  if (!x.allFinite())
    throw StateError(std::string("the result ") + name +
                     " is not finite; some number of the state is too large for double precision.");
}
template <typename Derived>
Array finite_array(const Eigen::MatrixBase<Derived>& x, const char* name)
{
  require_finite_result(x, name);
  return array(x);
}

inline double finite(double x, const char* name)
{
  require_finite_result(Eigen::Matrix<double, 1, 1>(x), name);
  return x;
}
/// \brief The same of a twist or a wrench.
template <typename Six>
requires requires(const Six& x) { coordinates(x); }
Six finite(const Six& x, const char* name)
{
  require_finite_result(coordinates(x), name);
  return x;
}

/// \brief Numbers of the library's own, to look at only; they and their owner live as long as the view.
inline Array view(const double* first, const std::vector<py::ssize_t>& shape, const std::vector<py::ssize_t>& strides,
                  py::handle owner)
{
  Array numbers(shape, strides, first, owner);
  numbers.attr("setflags")(py::arg("write") = false);
  return numbers;
}
inline Array view(const Vector3<double>& x, py::handle owner) { return view(x.e, {3}, {sizeof(double)}, owner); }
inline Array view(const Matrix3<double>& x, py::handle owner)
{
  return view(x.e, {3, 3}, {3 * sizeof(double), sizeof(double)}, owner);
}

/// \brief Twists or wrenches, one per body: (N + 1, 6).
template <typename Six>
Array view(const std::vector<Six>& x, py::handle owner)
{
  static_assert(sizeof(Six) == 6 * sizeof(double));
  return view(reinterpret_cast<const double*>(x.data()), {static_cast<py::ssize_t>(x.size()), 6},
              {sizeof(Six), sizeof(double)}, owner);
}

/// \brief A read-only property that is a view of a member: `.def_property_readonly("V", seen(&Recursion::V), doc)`.
template <typename Class, typename Member>
auto seen(Member Class::*member)
{
  return py::cpp_function([member](py::object self) { return view(self.cast<const Class&>().*member, self); },
                          py::return_value_policy::move);
}

}  // namespace articulate::python

namespace pybind11::detail {

/// A list, as of a std::vector.
template <typename T>
struct type_caster<articulate::Indexed<T>> : list_caster<articulate::Indexed<T>, T> {
};

template <>
struct type_caster<articulate::python::Numbers> {
  PYBIND11_TYPE_CASTER(articulate::python::Numbers, const_name("numpy.typing.ArrayLike"));

  bool load(handle source, bool)
  {
    const array any = array::ensure(source);
    if (!any) return false;
    const char kind = any.dtype().kind();
    if (kind != 'f' && kind != 'i' && kind != 'u') return false;
    if (any.ptr() != source.ptr() && isinstance(source, module_::import("numpy.ma").attr("MaskedArray")) &&
        source.attr("mask").attr("any")().cast<bool>())
      throw articulate::Error("An array with masked numbers is given where all are needed.");
    value.array = array_t<double, array::c_style | array::forcecast>::ensure(any);
    return static_cast<bool>(value.array);
  }
};

template <>
struct type_caster<articulate::python::Number> {
  PYBIND11_TYPE_CASTER(articulate::python::Number, const_name("float"));

  bool load(handle source, bool convert)
  {
    make_caster<double> number;
    if (!number.load(source, convert)) return false;
    value.value = number;
    if (!std::isfinite(value.value))
      throw articulate::Error("The number " + std::to_string(value.value) + " is given where a finite one is needed.");
    return true;
  }
};

/// Casters that read an array of one shape.
template <typename T>
struct geometry_caster {
  PYBIND11_TYPE_CASTER(T, const_name("numpy.typing.ArrayLike"));

  bool load(handle source, bool convert)
  {
    make_caster<articulate::python::Numbers> numbers;
    if (!numbers.load(source, convert)) return false;
    articulate::python::read(numbers, value);
    return true;
  }
};
template <>
struct type_caster<articulate::Vector3<double>> : geometry_caster<articulate::Vector3<double>> {
};
template <>
struct type_caster<articulate::Matrix3<double>> : geometry_caster<articulate::Matrix3<double>> {
};
template <>
struct type_caster<articulate::Symmetric3<double>> : geometry_caster<articulate::Symmetric3<double>> {
};

template <typename T>
struct handle_type_name<articulate::python::ListOf<T>> {
  static constexpr auto name = const_name("List[") + make_caster<T>::name + const_name("]");
};
template <typename T>
struct handle_type_name<articulate::python::IteratorOf<T>> {
  static constexpr auto name = const_name("Iterator[") + make_caster<T>::name + const_name("]");
};

}  // namespace pybind11::detail
