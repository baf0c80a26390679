/** \file
 *  \brief A URDF read for engines that have no reader of their own, or none that knows all joints of the protocol.
 */
#pragma once
#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace articulate::peers {

/// \brief A link and the joint that carries it.
struct Part {
  std::string name;
  double mass = 0;
  Eigen::Vector3d center = Eigen::Vector3d::Zero();    ///< of mass, in the link's frame
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();    ///< about the centre of mass, in the link's axes
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of the file's tensor, in the link's
  Eigen::Matrix3d tensor_in_file = Eigen::Matrix3d::Zero();
  int parent = -1;                                         ///< its place in the list; -1 for the root
  std::string joint, type;                                 ///< of its joint; empty for the root
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();  ///< of the joint's frame in the parent
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();         ///< of length one
  double pitch = 0;                                        ///< of a screw, m/rad
};

/// \brief Coordinates and rates of a joint's type.
struct Freedom {
  int coordinates, rates;
};
Freedom freedom_of(const std::string& type);

/// \brief The links, each after its parent. \throws Cannot
std::vector<Part> parts_of_urdf(const std::string& text);

/// \brief Where the numbers of a joint begin in the protocol's q and rates.
struct Slot {
  int part, q, v;
};
/// \brief One for each joint that moves, in the order of `joints`, without a floating base; v starts behind its six.
std::vector<Slot> slots_of(const std::vector<Part>& parts, const std::vector<std::string>& joints, bool floating_base);

}  // namespace articulate::peers
