#include <ledger/scalars.hpp>

namespace articulate::validation {

template struct MatrixLoops<double>;
template struct MatrixLoops<Fifty>;
template struct MatrixLoops<Series<double>>;
template struct MatrixLoops<Series<Fifty>>;
template struct MatrixLoops<Dual<double>>;
template struct MatrixLoops<Dual<Fifty>>;

}  // namespace articulate::validation

namespace boost::math::differentiation::inline autodiff_v1::detail {

ARTICULATE_OPERATIONS(, articulate::validation::Series<double>)
ARTICULATE_OPERATIONS(, articulate::validation::Series<articulate::validation::Fifty>)
ARTICULATE_OPERATIONS(, articulate::validation::Dual<double>)
ARTICULATE_OPERATIONS(, articulate::validation::Dual<articulate::validation::Fifty>)

}  // namespace boost::math::differentiation::inline autodiff_v1::detail
