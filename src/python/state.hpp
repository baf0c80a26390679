/** \file
 *  \brief A state as Python has it: arrays, and wrenches by link.
 */
#pragma once
#include <map>
#include <optional>
#include <string>
#include <utility>
#include "arrays.hpp"

namespace articulate::python {

/// \brief Numbers that no one changes: all arrays are read-only.
struct State {
  Array q, qd, qdd, tau;
  std::optional<Array> gravity;
  std::map<std::string, Array> Fext;

  State() = default;
  State(Array q, Array qd, Array qdd, Array tau, std::optional<Array> gravity, std::map<std::string, Array> Fext)
      : q(read_only(std::move(q))),
        qd(read_only(std::move(qd))),
        qdd(read_only(std::move(qdd))),
        tau(read_only(std::move(tau))),
        gravity(std::move(gravity)),
        Fext(std::move(Fext))
  {
    if (this->gravity) this->gravity = read_only(*this->gravity);
    for (auto& [link, wrench] : this->Fext) wrench = read_only(wrench);
  }

private:
  /// A view, for its owner could be made writable again.
  static Array read_only(Array numbers)
  {
    numbers.attr("setflags")(py::arg("write") = false);
    return numbers.attr("view")();
  }
};

}  // namespace articulate::python
