/** \file
 *  \brief What the types of joints are called, in files and in Python.
 */
#pragma once
#include <utility>
#include <articulate/model/mechanism.hpp>

namespace articulate::cli {

/// \brief Every type of joint by its name.
inline constexpr std::pair<const char*, JointType> joint_types[] = {{"fixed", JointType::fixed},
                                                                    {"revolute", JointType::revolute},
                                                                    {"continuous", JointType::continuous},
                                                                    {"prismatic", JointType::prismatic},
                                                                    {"helical", JointType::helical},
                                                                    {"universal", JointType::universal},
                                                                    {"cylindrical", JointType::cylindrical},
                                                                    {"planar", JointType::planar},
                                                                    {"euler_ball", JointType::euler_ball},
                                                                    {"euler_free", JointType::euler_free},
                                                                    {"ball", JointType::ball},
                                                                    {"floating", JointType::floating}};

}  // namespace articulate::cli
