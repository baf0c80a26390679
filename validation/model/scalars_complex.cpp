#include <model/scalars.hpp>

namespace articulate::scalars {

template Answers<std::complex<double>> all_answers(const std::complex<double>& p);

}  // namespace articulate::scalars
