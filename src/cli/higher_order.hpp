/** \file
 *  \brief What `compute` says of derivatives of the dynamics in time.
 */
#pragma once
#include "output.hpp"
#include "state.hpp"

namespace articulate::cli {

/** \brief Forces and accelerations with their derivatives up to the order of the state, by joint name.
 *
 *  Hybrid dynamics where the state divides the degrees; otherwise inverse dynamics if it gives the derivatives of the
 *  motion, forward dynamics if it gives those of the forces, and both if it gives both.
 *  \param state     with `derivatives`
 *  \param source    what messages call the state
 *  \param warnings  the list to which is added from which order on rounding of the state shows in the sixth digit
 *  \throws StateError where the model is singular at this state
 */
Json higher_order(const Model<double>& model, const State& state, const std::string& source, Json& warnings);

}  // namespace articulate::cli
