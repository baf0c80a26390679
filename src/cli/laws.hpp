/** \file
 *  \brief Laws of mechanics that anyone's numbers must keep: what another view of a machine changes, and what energy and
 *  momentum do. None of them needs a reference.
 *
 *  A law is asked of a machine in a state. It says which questions are to be asked, and which answers must then be equal.
 *  chapters/protocol.md describes them.
 */
#pragma once
#include <articulate/oracle/answers.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace articulate::cli {

/** \brief Numbers k / 128 with |k| <= 128, drawn once and kept, so that a case can be repeated with smaller ones.
 *
 *  They are exact in binary, and zero is always the simplest: no motion, no turn, the first of a list.
 */
class Draws {
public:
  explicit Draws(std::uint64_t seed) : generator_(seed) {}
  /// \brief Those of before, or what has been made of them; beyond their end come zeros.
  explicit Draws(std::vector<int> kept) : kept_(std::move(kept)), is_new_(false) {}

  const std::vector<int>& kept() const { return kept_; }
  int below(int count) { return std::abs(next()) % count; }
  double number(double size) { return size * next() / most; }  ///< from -size to size; size is a power of two
  Vector3<double> vector(double size);
  Quaternion<double> quaternion();  ///< of length one
  SE3<double> pose() { return {SO3<double>(quaternion()), vector(1)}; }

private:
  static constexpr int most = 128;
  int next();

  std::mt19937_64 generator_;
  std::vector<int> kept_;
  std::size_t at_ = 0;
  bool is_new_ = true;
};

/// \brief A machine in a state.
struct Situation {
  Mechanism mechanism;
  ModelOptions options;
  oracle::Question state;                          ///< without wrenches
  std::map<std::string, Wrench<double>> wrenches;  ///< by link, in its frame

  Model<double> model() const { return Model<double>(mechanism, options); }
};

/// \brief Answers to those of the quantities that can be had.
using Names = std::vector<std::string_view>;
using Ask = std::function<oracle::Answers(const Situation&, const Names&)>;

/// \brief Two tables that must be equal.
struct Comparison {
  std::string what;      ///< is compared
  std::string quantity;  ///< whose rows, columns and units the tables have
  MatrixX<double> is, must_be;
  Model<double> model;  ///< that the rows and columns are numbered by
};

/// \brief What must hold of a machine, whatever computes it.
struct Law {
  std::string_view name;
  std::string_view words;  ///< after "the law that"
  std::string_view needs;  ///< what is needed to ask it
  /// \brief Ask what is to be asked.   \return nothing if these answers, or this machine, cannot be asked
  std::vector<Comparison> (*compare)(const Situation&, Draws&, const Ask&);
};

/// \brief All of them.
std::span<const Law> laws();

}  // namespace articulate::cli
