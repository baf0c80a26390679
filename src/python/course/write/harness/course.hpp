// What a program of an exercise may use: matrices of Eigen by short names. Twists and wrenches have their angular part first.
#pragma once
#include <cmath>
#include <utility>
#include <vector>
#include <Eigen/Dense>
#include "solvers.hpp"

namespace Eigen {
EACH_SOLVER(extern)
}

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Vector4 = Eigen::Vector4d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using VectorX = Eigen::VectorXd;
using Matrix2 = Eigen::Matrix2d;
using Matrix3 = Eigen::Matrix3d;
using Matrix4 = Eigen::Matrix4d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using MatrixX = Eigen::MatrixXd;
