// Numbers in, a student's function, numbers out. It has no verdict: that is found elsewhere, from the numbers.
//
// A case comes as the count of its arguments, each with its rank, its sizes and its numbers, row by row; the rank of a list of arrays is told
// by adding 10. For each case one line goes out: how many numbers, and they.
#pragma once
#include "course.hpp"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <unistd.h>

inline double number()
{
  double x;
  if (std::scanf("%lf", &x) != 1) std::exit(3);
  return x;
}

// Sizes that are known beforehand must be those that come.
inline Eigen::Index size(Eigen::Index known)
{
  const auto come = static_cast<Eigen::Index>(number());
  if (known != Eigen::Dynamic && known != come) std::exit(4);
  return come;
}

template <typename Matrix>
Matrix numbers(Eigen::Index rows, Eigen::Index cols)
{
  Matrix A(rows, cols);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < cols; ++j) A(i, j) = number();
  return A;
}

template <typename T>
struct Argument {
  static T read()
  {
    number();  // the rank
    const Eigen::Index rows = size(T::RowsAtCompileTime), cols = T::ColsAtCompileTime == 1 ? 1 : size(T::ColsAtCompileTime);
    return numbers<T>(rows, cols);
  }
};

template <>
struct Argument<double> {
  static double read() { return number(), number(); }
};

template <>
struct Argument<int> {
  static int read() { return static_cast<int>(Argument<double>::read()); }
};

template <typename T>
struct Argument<std::vector<T>> {
  static std::vector<T> read()
  {
    number();
    std::vector<T> list(size(Eigen::Dynamic));
    const Eigen::Index rows = size(T::RowsAtCompileTime), cols = T::ColsAtCompileTime == 1 ? 1 : size(T::ColsAtCompileTime);
    for (T& one : list) one = numbers<T>(rows, cols);
    return list;
  }
};

inline void collect(std::vector<double>& out, double x) { out.push_back(x); }

template <typename Derived>
void collect(std::vector<double>& out, const Eigen::MatrixBase<Derived>& A)
{
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) out.push_back(A(i, j));
}

template <typename First, typename Second>
void collect(std::vector<double>& out, const std::pair<First, Second>& both)
{
  collect(out, both.first);
  collect(out, both.second);
}

template <typename Result, typename... Arguments>
int each_case(Result (*function)(Arguments...))
{
  // What the student prints to look at goes nowhere, so that it does not get between the numbers.
  std::FILE* answers = fdopen(dup(1), "w");
  if (answers == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr) return 5;
  for (int left = static_cast<int>(number()); left > 0; --left) {
    size(sizeof...(Arguments));
    const std::tuple<std::decay_t<Arguments>...> arguments{Argument<std::decay_t<Arguments>>::read()...};  // in order, by the braces
    std::vector<double> out;
    collect(out, std::apply(function, arguments));
    std::fprintf(answers, "%zu", out.size());
    for (const double x : out) std::fprintf(answers, " %.17g", x);
    std::fputc('\n', answers);
    std::fflush(answers);
  }
  return 0;
}
