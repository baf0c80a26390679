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
  bool has_loops() const { return !case_.problem.loops.empty(); }
  /// \brief The state as a STATE.
  Json state() const;
  /** \brief Score a claim against the certified numbers.
   *
   *  What double precision attains of the entries of a unit are their least `double_digits`, and of zeros what
   *  oracle::widen_for_zeros() says; what the file does not answer is left out.
   */
  std::map<std::string, Outcome> outcomes(const Claim& claim) const;

private:
  struct Certified {
    MatrixX<double> value;
    oracle::Rounding rounding;
  };

  const reference::Case case_;
  const Model<double> model_;
  std::map<std::string, Certified> answers_;
};

}  // namespace articulate::cli
