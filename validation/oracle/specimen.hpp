/** \file
 *  \brief Somebody's numbers, made up: a model, states, and answers in which a known cause is hidden.
 */
#pragma once
#include <cstdint>
#include <random>
#include <articulate/oracle/diagnose.hpp>
#include <articulate/oracle/investigation.hpp>

namespace articulate::oracle {

/// \brief The same numbers for the same seed on every machine.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : bits_(seed) {}
  /// \brief Uniform in (-1, 1).
  double operator()() { return (static_cast<double>(bits_() >> 11) + 0.5) / 4503599627370496.0 - 1; }
  /// \brief From 0 to count - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits_() % count); }
  bool coin() { return bits_() & 1; }

private:
  std::mt19937_64 bits_;
};

/// \brief What is hidden in a specimen.
enum class Hidden { nothing, noise, one, two };

/// \brief A comparison whose outcome is known.
struct Specimen {
  std::string model;
  Machine machine;
  std::vector<Question> questions;
  std::vector<Answers> theirs;
  std::vector<std::string> causes;  ///< the keys of what is hidden
};

/// \brief The models of the campaign: all that are built in, and a drawn one.
std::vector<std::string> campaign_models();

/// \brief A built-in model in some states, its joints with armature, damping and friction that ours ignores.
Specimen clean_specimen(const std::string& model, std::uint64_t seed);

/** \brief Hide causes in answers.
 *
 *  Categories of causes are drawn with equal chances, then one of the category; what changes nothing that is given, or
 *  cannot be made, is drawn again.
 *  \param torques_only  give inverse dynamics and nothing else
 */
Specimen specimen(const std::string& model, Hidden hidden, bool torques_only, std::uint64_t seed);

/// \brief How a diagnosis did.
enum class Outcome {
  named,        ///< what is hidden, as the first
  in_class,     ///< what is hidden is among those that the numbers do not tell apart
  wrong,        ///< something else
  unexplained,  ///< nothing is named
  agreement     ///< nothing is missing
};
Outcome judged(const Diagnosis& diagnosis, const std::vector<std::string>& causes);

}  // namespace articulate::oracle
