/** \file
 *  \brief Which models have a centre of mass that moves.
 */
#pragma once
#include <articulate/model/model.hpp>

namespace articulate::validation {

inline bool moves_mass(const Model<double>& model)
{
  double mass = 0;
  for (const Body<double>& body : model.outward()) mass += body.I.mass;
  return mass > 0;
}

}  // namespace articulate::validation
