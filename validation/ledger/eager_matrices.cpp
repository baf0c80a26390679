#include <ledger/scalars.hpp>

namespace articulate::validation {

template struct MatrixLoops<double>;
template struct MatrixLoops<Fifty>;
template struct MatrixLoops<Series<double>>;
template struct MatrixLoops<Series<Fifty>>;
template struct MatrixLoops<Dual<double>>;
template struct MatrixLoops<Dual<Fifty>>;

}  // namespace articulate::validation
