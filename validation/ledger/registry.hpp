/** \file
 *  \brief What an identity is: a name, the equations that it proves, the symbols that it tests, and two sides.
 */
#pragma once
#include <functional>
#include <ledger/linear_systems.hpp>
#include <ledger/sides.hpp>
#include <ledger/specimen.hpp>

namespace articulate::validation {

/// \brief \f$x^{\mathsf T}y\f$ without conjugation.
template <typename S>
S inner_product(const VectorX<S>& x, const VectorX<S>& y)
{
  S sum(0);
  for (Eigen::Index k = 0; k < x.size(); ++k) sum += x(k) * y(k);
  return sum;
}

/// \brief Whether a model is small enough for the witnesses that are slow in 50 digits.
inline bool is_small(const Model<double>& model) { return model.bodies() > 0 && model.nv() <= 12; }

/** \brief What an identity compares: a function that adds its comparisons to the sides.
 *
 *  It returns nothing. A function that returned its sides instead would compile as a std::function, and prove nothing.
 */
template <typename S>
struct Comparison : std::function<void(const Specimen<S>&, Sides<S>&)> {
  Comparison() = default;
  template <typename Function>
  requires std::is_void_v < std::invoke_result_t < Function&, const Specimen<S>
  &, Sides<S>& >> Comparison(Function f) : std::function<void(const Specimen<S>&, Sides<S>&)>(std::move(f)) {}

  /// \brief All that it compares of a case.
  Sides<S> of(const Specimen<S>& x) const
  {
    Sides<S> sides;
    (*this)(x, sides);
    return sides;
  }
};

/// \brief An identity in one scalar.
template <typename S>
struct Identity {
  std::string name;               ///< a sentence that states a law
  std::vector<std::string> keys;  ///< rows of the ledger
  std::string symbols;            ///< what a mutation must break
  std::string method;
  Comparison<S> sides;
  std::function<bool(const Model<double>&)> applies = [](const Model<double>& m) { return m.bodies() > 0; };
};

/// \brief An erratum in one scalar: each printed line by itself must fail, the corrected form must hold.
template <typename S>
struct Erratum {
  std::string id;
  std::vector<std::string> keys;
  double margin;  ///< the printed form's residual on the built-in models is at least this
  std::vector<Comparison<S>> printed;
  Comparison<S> corrected;
  std::string chapter{};  ///< set by the registry
};

/// \brief All identities and errata in one scalar, by chapter.
template <typename S>
struct Registry {
  struct Entry {
    std::string chapter;
    Identity<S> identity;
  };
  std::string chapter;  ///< of what is being added
  std::vector<Entry> identities;
  std::vector<Erratum<S>> errata;

  void identity(Identity<S> one) { identities.push_back({chapter, std::move(one)}); }
  void erratum(Erratum<S> one)
  {
    one.chapter = chapter;
    errata.push_back(std::move(one));
  }

  static const Registry& instance();
};

}  // namespace articulate::validation
