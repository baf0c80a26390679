/** \file
 *  \brief A path as Python gives it: a str, or anything that is os.PathLike.
 */
#pragma once
#include <pybind11/stl/filesystem.h>
#include <filesystem>
#include <string>
#include <variant>

namespace articulate::python {

using Path = std::variant<std::string, std::filesystem::path>;

inline std::string text(const Path& path)
{
  if (const auto* given = std::get_if<std::filesystem::path>(&path)) return given->string();
  return std::get<std::string>(path);
}

}  // namespace articulate::python
