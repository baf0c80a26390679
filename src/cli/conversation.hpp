/** \file
 *  \brief The protocol by which an engine is asked: JSON lines, `start`, `model`, `state`, `stop`.
 */
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
#include "claims.hpp"
#include "engine.hpp"

namespace articulate::cli {

/// \brief A state as JSON in the order of the model.   \param external_wrenches  by link, or null
Json state_of(const oracle::Question& question, const Model<double>& model, const Json& external_wrenches);

/** \brief What is said to an engine and what it answers.
 *
 *  After a crash or a broken limit it is started again with the next question, and told the model again.
 */
class Conversation {
public:
  /// \brief Start the engine.   \throws EngineError, and StateError for a start that is no start
  Conversation(std::vector<std::string> command, EngineLimits limits);

  /// \brief What it said at the start: name, version, quantities, formats, perhaps conventions.
  const Json& engine() const { return engine_; }
  /// \brief Which of some quantities it computes.
  std::vector<std::string> quantities_of(const std::vector<std::string>& wanted) const;
  /// \brief Whether it reads URDF or MJCF.
  bool reads(const std::string& format) const;
  /// \brief Whether it can be told of loops.
  bool closes_loops() const;

  /** \brief The message that gives it a model, null if that is in no format that it reads.
   *  \param loops  what closes it, if the engine can be told; null for a tree
   *  \param original  the text of the file that the model is from, and its format; empty for a text of our own
   *  \throws StateError for a loop that a loop file cannot describe
   */
  Json message_of(const Model<double>& model, const CutJoints& loops = {}, const std::string& original = "",
                  const std::string& original_format = "") const;

  /** \brief Give it a model.
   *  \return the reason why it cannot read it, or nothing
   *  \throws EngineError, StateError
   */
  std::optional<std::string> model(const Json& message);

  /** \brief Ask for some quantities of a state.
   *  \return the object `answers`, or the reason why it cannot
   *  \throws EngineError when it breaks; StateError for an answer that is none
   */
  std::variant<Json, std::string> answer(std::int64_t number, const std::vector<std::string>& quantities,
                                         const Json& state);

  void stop();
  /// \brief After so many failures in a row there is no sense in asking again.
  static constexpr int patience = 3;
  bool has_given_up() const { return failures_ >= patience; }

private:
  void start();
  Json ask(const Json& message, const std::string& reply);
  Json said(const std::string& line, const std::string& reply) const;

  const std::vector<std::string> command_;
  const EngineLimits limits_;
  std::unique_ptr<Engine> child_;
  Json engine_, model_;
  int failures_ = 0;
};

}  // namespace articulate::cli
