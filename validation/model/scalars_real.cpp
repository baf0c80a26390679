#include <model/scalars.hpp>

namespace articulate::scalars {

template Answers<double> all_answers(const double& p);
template Answers<float> all_answers(const float& p);

}  // namespace articulate::scalars
