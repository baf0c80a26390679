/** \file
 *  \brief What `compute` says of a model with closed loops.
 */
#pragma once
#include <articulate/constrained/assembly.hpp>
#include <articulate/derivatives/constrained_derivative.hpp>
#include <articulate/derivatives/loop_impulse_derivative.hpp>
#include "forces.hpp"
#include "loops.hpp"
#include "output.hpp"
#include "state.hpp"

namespace articulate::cli {

/// \brief The algorithms of one model with loops, used for one state after another.
class ConstrainedCalculator {
public:
  /// \param impulse  where the loops close at once: the restitution; the rates of a state are then those before
  ConstrainedCalculator(const Model<double>& model, const LoopFile& file, const LoopOptions& options, bool derivatives,
                        std::optional<double> impulse = {});

  /** \brief Close the state, where that is asked for, and evaluate the loops.
   *
   *  Rates before an impulse are left as they are.
   *  \param source  what messages call the state
   *  \throws StateError naming the loop that is open, or opens, and by how much
   */
  void close(State& state, const std::string& source);

  /// \brief The loops in the state that was closed.
  const Loops<double>& loops() const { return loops_; }

  /** \brief All results for the state that was closed.
   *  \param forces    the force elements, evaluated in the state
   *  \param warnings  the list to which these results add theirs
   *  \throws StateError where the loops and what is given contradict each other, and by how much
   */
  Json operator()(const State& state, const std::string& source, ForcesInState& forces, Json& warnings);

private:
  /// Refuse a row that misses by more than is allowed beside the largest of the terms that should cancel.
  void require_closed(const std::string& source, const std::string& words, const VectorX<double>& miss,
                      double largest_term, const std::string& per, const std::string& remedy) const;
  std::string demand(int row) const;
  Json description_of_rows() const;
  Json reactions(const VectorX<double>& lambda) const;
  Json motion(const State& state, const std::vector<bool>& prescribed, const std::string& name,
              const std::string& source, ForcesInState& forces, Json& warnings);
  Json derivatives(ConstrainedDynamics<double>& run, const State& state, const std::string& name, ForcesInState& forces,
                   Json& warnings) const;
  bool is_singular(const State& state, int rank) const;
  Json inverse_dynamics(const State& state, const std::string& source, const ForcesInState& forces);
  Json impulse(const State& state, const std::string& source, const ForcesInState& forces, Json& warnings) const;

  const Model<double>& model_;
  const LoopOptions options_;
  const bool derivatives_;
  const std::optional<double> impulse_;
  const LoopFile file_;
  Assembly<double> assembly_;
  Loops<double> loops_;
};

}  // namespace articulate::cli
