/** \file
 *  \brief A spring as engines are told of it: plain numbers, without the library's linear algebra.
 */
#pragma once
#include <articulate/constrained/loop.hpp>

namespace articulate::validation {

/// \brief A spring and a damper in line between two points, see SpringDamper.
struct Spring {
  Loop::End first, second;  ///< of which the positions count
  double stiffness, damping, rest_length;
};

}  // namespace articulate::validation
