/** \file
 *  \brief What every proof includes and no mutation touches: compiled once, beforehand.
 */
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <ledger/scalars.hpp>
