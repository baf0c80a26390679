/** \file
 *  \brief Motion in time in double, and what takes longest of Eigen, compiled once, in motion.cpp.
 */
#pragma once
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <instances/dynamics.hpp>

#ifndef ARTICULATE_INSTANCE
#define ARTICULATE_INSTANCE extern
#endif

namespace articulate {

ARTICULATE_INSTANCE template class Assembly<double>;
ARTICULATE_INSTANCE template class ForceElements<double>;
ARTICULATE_INSTANCE template class ForceElementsJacobians<double>;
ARTICULATE_INSTANCE template class Stops<double>;
ARTICULATE_INSTANCE template class ClosedMotion<double>;
ARTICULATE_INSTANCE template class StoppedMotion<double>;
ARTICULATE_INSTANCE template class RungeKuttaMuntheKaas<double>;
ARTICULATE_INSTANCE template class DormandPrinceMuntheKaas<double>;
ARTICULATE_INSTANCE template class RadauMuntheKaas<double>;
ARTICULATE_INSTANCE template class LagrangianDerivatives<double>;
ARTICULATE_INSTANCE template class VariationalIntegrator<double>;

}  // namespace articulate

namespace Eigen {

ARTICULATE_INSTANCE template SelfAdjointEigenSolver<Matrix3d>& SelfAdjointEigenSolver<Matrix3d>::compute(
    const EigenBase<Matrix3d>&, int);
ARTICULATE_INSTANCE template class JacobiSVD<MatrixXd>;
ARTICULATE_INSTANCE template class ColPivHouseholderQR<MatrixXd>;

namespace internal {

using Columns = blas_data_mapper<double, Index, ColMajor>;
using Kernel = gebp_traits<double, double>;
ARTICULATE_INSTANCE template struct gebp_kernel<double, double, Index, Columns, Kernel::mr, Kernel::nr, false, false>;

}  // namespace internal
}  // namespace Eigen
#undef ARTICULATE_INSTANCE
