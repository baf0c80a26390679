/** \file
 *  \brief A state as Python has it: arrays, and wrenches by link.
 */
#pragma once
#include <map>
#include <optional>
#include <string>
#include "arrays.hpp"

namespace articulate::python {

struct State {
  Array q, qd, qdd, tau;
  std::optional<Array> gravity;
  std::map<std::string, Array> Fext;
};

}  // namespace articulate::python
