/** \file
 *  \brief A certified case as something to be asked: its model, its state, and its answers as doubles.
 */
#pragma once
#include <reference/case_reader.hpp>
#include "tally.hpp"

namespace articulate::cli {

/// \brief One file that `./articulate reference generate` made.
class CertifiedCase {
public:
  /// \throws Error in one sentence for a file that is none
  CertifiedCase(const Json& file, const std::string& source);

  const Model<double>& model() const { return model_; }
  /// \brief The joints that were cut to leave the tree; null for a tree.
  const CutJoints& loops() const { return loops_; }
  /// \brief The state as a STATE; with loops, as they close: all coordinates and rates are then certified answers.
  Json state() const;
  /** \brief Score a claim against the certified numbers.
   *
   *  What double precision attains of the entries of a unit are their least `double_digits`, and of zeros what
   *  oracle::widen_for_zeros() says; of a machine with loops less, as far as rounding its state moves them. What the file
   *  does not answer is left out.
   */
  std::map<std::string, Outcome> outcomes(const Claim& claim) const;

private:
  struct Certified {
    MatrixX<double> value;
    oracle::Rounding rounding;
  };

  const reference::Case case_;
  const Model<double> model_;
  const CutJoints loops_;
  VectorX<double> q_, qd_;
  std::map<std::string, Certified> answers_;
};

}  // namespace articulate::cli
