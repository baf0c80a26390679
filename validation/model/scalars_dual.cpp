#include <model/scalars.hpp>

namespace articulate::scalars {

template Answers<Dual> all_answers(const Dual& p);

}  // namespace articulate::scalars
