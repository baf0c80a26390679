// Solvers of Eigen that take a compiler seconds. They are compiled once, in solvers.cpp, with which each program is linked.
#pragma once
#include <Eigen/Dense>

#define EACH_SOLVER(DECLARED) \
  DECLARED template class PartialPivLU<Matrix2d>; \
  DECLARED template class PartialPivLU<Matrix3d>; \
  DECLARED template class PartialPivLU<Matrix4d>; \
  DECLARED template class PartialPivLU<Matrix<double, 6, 6>>; \
  DECLARED template class PartialPivLU<MatrixXd>; \
  DECLARED template struct internal::triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>; \
  DECLARED template struct internal::triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
