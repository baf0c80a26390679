/** \file
 *  \brief How many multiplications the dynamics of an order take: what a clock can only estimate.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, section 7.1, Figure 4.
 *  - Chapter: \ref higher_order
 */
#pragma once
#include <articulate/model/model.hpp>

namespace articulate::validation {

/// \brief Who computes.
enum class Method {
  plain,    ///< the recursion of its own chapter, which knows order 0 only
  body,     ///< `BodyForm`
  spatial,  ///< `SpatialForm`
  dense     ///< `SpatialForm` with `DenseProducts`
};

/** \brief The multiplications and divisions of one call, with sines, cosines and roots left out.
 *
 *  In a state where every coordinate is 0.5, but all quaternions are 0 0 0 1.
 *  \param prescribed  every motion (inverse dynamics), or none (forward dynamics)?
 *  \param order       r; the plain recursions do not read it
 */
long multiplications(const Model<double>& model, Method method, bool prescribed, int order);

/** \brief Those of plain inverse dynamics in numbers that carry rates, rates of rates and so on, r of them: automatic
 *  differentiation in time, applied r times.
 *  \param order  r, from 0 to 3
 */
long differentiated_multiplications(const Model<double>& model, int order);

}  // namespace articulate::validation
