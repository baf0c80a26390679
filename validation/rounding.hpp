/** \file
 *  \brief Whether copies of one formula gave the same numbers.
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <Eigen/Core>

namespace articulate::validation {

/** \brief Whether the numbers that two copies of one formula made are the same, bit for bit.
 *
 *  Where a processor fuses a product and a sum, and the compiler may use it, the compiler chooses in each copy which of them
 *  to fuse. There the numbers may differ by 100 n eps of the largest: the house's rule with the least condition, 1.
 */
inline bool copies_agree(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b)
{
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  double allowed = 0;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const double n = static_cast<double>(std::max<Eigen::Index>(6, a.size()));
  allowed = 100 * n * std::numeric_limits<double>::epsilon() * a.lpNorm<Eigen::Infinity>();
#endif
  for (Eigen::Index k = 0; k < a.size(); ++k)
    if (!(std::abs(a.data()[k] - b.data()[k]) <= allowed)) return false;  // nor does a NaN agree with anything
  return true;
}
inline bool copies_agree(double a, double b)
{
  return copies_agree(Eigen::MatrixXd::Constant(1, 1, a), Eigen::MatrixXd::Constant(1, 1, b));
}

}  // namespace articulate::validation
