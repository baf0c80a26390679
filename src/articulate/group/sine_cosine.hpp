/** \file
 *  \brief Sines and cosines of many angles: of doubles as many at once as the processor has lanes.
 *
 *  - Chapter: \ref model; the lanes: \ref several_states
 */
#pragma once
#include <cmath>
#include <cstddef>
#include <articulate/group/pack.hpp>
#include <articulate/model/indexed.hpp>

namespace articulate {

/// \brief Sine and cosine of one angle (rad); a Pack has its own.
template <typename Scalar>
SineCosine<Scalar> sine_cosine(const Scalar& angle)
{
  using std::cos, std::sin;
  return {sin(angle), cos(angle)};
}

/** \brief The sines and cosines of a list of angles (rad): set all, then read.
 *
 *  Of doubles a whole pack is computed at once, when `complete` is called; of any other scalar each when it is set.
 */
template <typename Scalar>
class SinesCosines {
public:
  explicit SinesCosines(int count) : of_(count) {}

  void set(int i, const Scalar& angle) { of_[i] = sine_cosine(angle); }
  void complete() {}
  const SineCosine<Scalar>& operator[](int i) const { return of_[i]; }

private:
  Indexed<SineCosine<Scalar>> of_;
};

// [sines-cosines]
template <>
class SinesCosines<double> {
public:
  explicit SinesCosines(int count) : angle_((count + most - 1) / most * most), sine_(angle_), cosine_(angle_) {}

  void set(int i, double angle) { angle_[i] = angle; }
  void complete()
  {
    for (std::size_t i = 0; i < angle_.size(); i += native_lanes) {
      const auto [sine, cosine] = sine_cosine(Pack<native_lanes>::from(&angle_[i]));
      sine.to(&sine_[i]), cosine.to(&cosine_[i]);
    }
  }
  SineCosine<double> operator[](int i) const { return {sine_[i], cosine_[i]}; }

private:
  static constexpr int most = 8;  // lanes of any processor: how long the lists are must not depend on flags
  Indexed<double> angle_, sine_, cosine_;
};
// [sines-cosines]

}  // namespace articulate
