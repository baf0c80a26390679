/** \file
 *  \brief What nearly every test needs of the library and of Eigen in double, compiled once, in instances.cpp.
 *
 *  This spares only what is defined outside its class, such as the making of a model and Eigen's factorizations.
 */
#pragma once
#include <Eigen/QR>
#include <Eigen/SVD>
#include <articulate/aba/articulated_bodies.hpp>
#include <articulate/model/model.hpp>
#include <ledger/scalars.hpp>

#ifndef ARTICULATE_INSTANCE  // what stands before `template`
#define ARTICULATE_INSTANCE extern
#endif

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

namespace articulate {

ARTICULATE_INSTANCE template class Model<double>;
ARTICULATE_INSTANCE template class ArticulatedBodies<double>;
ARTICULATE_INSTANCE template class ArticulatedBodies<validation::Fifty>;

}  // namespace articulate
