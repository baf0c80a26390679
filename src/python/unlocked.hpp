/** \file
 *  \brief Numbers computed while other threads of Python run.
 */
#pragma once
#include <pybind11/pybind11.h>
#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <articulate/model/model.hpp>

namespace articulate::python {

namespace py = pybind11;

/// \brief How much is to be computed, in steps from body to body; one takes a tenth of a microsecond or two.
struct Work {
  double steps;

  /// \brief Below 50 us, handing the interpreter over may cost more than what others gain.
  bool is_long() const { return steps >= 250; }
};

/// \brief A sweep or two over the bodies.
inline Work linear(const Model<double>& model) { return {1.0 * model.bodies()}; }
/// \brief A sweep for each degree of freedom: a matrix.
inline Work quadratic(const Model<double>& model) { return {1.0 * model.bodies() * (model.nv() + 1)}; }
/// \brief What takes so long, or so many iterations, that nothing need be counted.
inline Work any_length() { return {1e9}; }

/// \brief Of a constructor that takes nothing of Python: others run meanwhile.
using OthersRun = py::call_guard<py::gil_scoped_release>;

/** \brief Lets other threads of Python run, and keeps those off that call the same object.
 *
 *  Whoever waits for the object has let the interpreter go before, and whoever has the object does not ask for the
 *  interpreter: nobody waits for ever. Members are destroyed in that order, too.
 */
class Unlocked {
public:
  Unlocked(Work work, const void* object)
  {
    if (work.is_long()) others_run_.emplace();
    if (!object) return;
    alone_ = std::unique_lock(mutex_of(object), std::try_to_lock);
    if (alone_) return;
    if (!others_run_) others_run_.emplace();
    alone_.lock();
  }

private:
  /// Objects are many and short-lived: two of them share a mutex now and then.
  static std::mutex& mutex_of(const void* object)
  {
    static std::array<std::mutex, 1009> all;
    return all[reinterpret_cast<std::uintptr_t>(object) / alignof(std::max_align_t) % all.size()];
  }

  std::optional<py::gil_scoped_release> others_run_;
  std::unique_lock<std::mutex> alone_;
};

/** \brief What `compute` returns; it must touch nothing of Python, and not call this again.
 *  \param object what it writes on, null when nobody else can know it
 *
 *  A result that lies in the object is to be returned as a copy: the next call may come at once.
 */
template <typename Compute>
auto unlocked(Work work, const void* object, Compute&& compute)
{
  const Unlocked now(work, object);
  return compute();
}

}  // namespace articulate::python
