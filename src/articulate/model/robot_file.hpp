/** \file
 *  \brief A robot file of any format that is read: URDF or MJCF, as its outermost element says.
 *  - Chapter: \ref model
 */
#pragma once
#include <cstddef>
#include <string>
#include <articulate/model/mechanism.hpp>

namespace articulate {

/// \brief The largest text that is read as a whole, in bytes; as elements in memory it is ten times as large.
inline constexpr std::size_t largest_file = 100'000'000;

/** \brief The mechanism in a file: MJCF where the outermost element is `<mujoco>`, else URDF.
 *  \throws ModelError as read_mjcf() and read_urdf() do
 */
Mechanism read_robot(const std::string& path);

/** \brief The mechanism in a text, which messages call source_name.
 *  \throws ModelError as parse_mjcf() and parse_urdf() do
 */
Mechanism parse_robot(const std::string& xml_text, const std::string& source_name);

/** \brief Whether a mechanism is one on a floating base as mjcf_text() writes it; then what stands for the base is taken out.
 *
 *  That is a root without mass called `world`, and a floating joint called floating_base from its origin to the only link
 *  that it carries. What is left is the mechanism of ModelOptions::floating_base. Others stay as they are.
 */
bool take_floating_base(Mechanism& mechanism);

}  // namespace articulate
