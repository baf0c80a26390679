/** \file
 *  \brief A cause of differing numbers as something that can be done to ours.
 *
 *  - Chapter: \ref oracle
 */
#pragma once
#include <functional>
#include <set>
#include <articulate/oracle/answers.hpp>

namespace articulate::oracle {

/// \brief What is described, and how it is read.
struct Machine {
  Mechanism mechanism;
  ModelOptions options;
};

/// \brief Where a hypothesis stands when it changes a question or answers.
struct Situation {
  const Model<double>& model;
  const Question& question;          ///< the one that is answered
  const Question* before = nullptr;  ///< the state before it, if there is one
  const Question* first = nullptr;   ///< the state that was given first
  /// What the answers are of, where causes that are nearer to the library than this one read more of it wrongly.
  const Situation* inside = nullptr;

  const Situation& innermost() const { return inside ? *inside : *this; }
};

// [hypothesis]
/** \brief A cause: a change of the description, of the question or of our answers, or of several of them.
 *
 *  What it predicts is what somebody would answer who makes this mistake, or has this convention. Changes of answers act
 *  on the tables that are there and leave others alone.
 */
struct Hypothesis {
  std::string key, sentence, remedy;
  std::function<void(Machine&)> machine{};
  std::function<void(Question&, const Situation&)> question{};
  std::function<void(Answers&, const Situation&)> answers{};
  bool needs_before = false;  ///< it says nothing of a state that none comes before
  int parameters = 0;         ///< how many numbers of it were fitted to what it explains
  double spare = 1;           ///< so many digits may be missing of what it explains
  bool of_some = false;       ///< it is meant of some quantities, and never of all
  bool alone = false;         ///< one of a family that is too large to be tried in pairs
  bool of_zeros = false;      ///< it says that all numbers are zero
};
// [hypothesis]

using Hypotheses = std::vector<Hypothesis>;

/// \brief Masses, centres and tensors misread; origins and axes of joints; armature, damping and friction; units of a
/// description; its conventions.
Hypotheses causes_in_the_machine(const Machine& machine);
/// \brief Gravity, external wrenches, layouts of coordinates, bases of the free base's velocity, angles in degrees; and
/// causes_in_one_input().
Hypotheses causes_in_the_state(const Model<double>& model);
/// \brief One input alone misread: its unit, its sign, its zero, or that of one joint.
Hypotheses causes_in_one_input(const Model<double>& model);
/// \brief Quantities taken for one another, or made of the wrong terms.
Hypotheses confused_quantities(const Model<double>& model, std::span<const std::string> names);
/// \brief Frames, orders of six numbers, signs, other Coriolis matrices, derivatives, triangles, answers of another state.
Hypotheses causes_in_the_answers(const Model<double>& model, std::span<const std::string> names);

/// \brief Of some quantities all numbers are zero, as of an array that nobody has filled.
Hypothesis all_zero();
/// \brief Factors and signs, of which only some quantities can have one.
Hypotheses causes_in_some_answers();

/// \brief What one function of a program writes: the Jacobians of all links are one kind, others one each.
std::string kind_of(const std::string& quantity);
/** \brief A cause that some quantities have alone: all others are as ours.
 *  \param names   the quantities that have it
 *  \param others  those that would have it, but have it not
 */
Hypothesis limited(const Hypothesis& cause, const std::set<std::string>& names, const std::set<std::string>& others);

/// \brief A mistake in reading one link's inertia.
struct InertiaMistake {
  std::string key, words, remedy;
  void (*make)(Link&);
};
/// \brief All of them; each is a cause if it is made in all links, and if it is made in one.
std::span<const InertiaMistake> inertia_mistakes();

/// \brief In somebody's basis: our rates are X times theirs, and our accelerations Xdot times them on top.
struct Basis {
  MatrixX<double> X, inverse, Xdot;
  MatrixX<double> displacement;  ///< ours are this times theirs, where derivatives with respect to q are taken along
  /// Of a basis that moves: how X changes along each of their displacements (none for those that leave it), and how the
  /// drift, Xdot times their rates, changes along these and with their rates.
  std::vector<MatrixX<double>> X_by_displacement{};
  MatrixX<double> drift_by_displacement{}, drift_by_rates{};
};
/// \brief Answers of a question in our basis, written in theirs. It leaves power and accelerations as they are.
void change_basis(Answers& answers, const Situation& at, const Basis& basis);

/// \brief The same where the state is in our basis: `coriolis_matrix times qd` is then a C in theirs times rates in ours.
void write_in(Answers& answers, const Situation& at, const std::function<void(Answers&, const Situation&)>& basis);

/// \brief Mass, first moment and second moment of an inertia, in the order of inertial_parameters().
Eigen::Matrix<double, 10, 1> ten_numbers(const Inertia<double>& I);

/// \brief The row of the link whose Jacobian a name asks for.
Eigen::Index link_of(const std::string& name, const Model<double>& model);

/** \brief The axes of a link whose engine keeps three moments of inertia, in the link's own.
 *
 *  They are principal. Of the 24 frames along them it is the one that is turned least from the axes of the description.
 */
Eigen::Matrix3d principal_axes(const Link& link);

/// \brief What a library does its own way: the first of these causes that a machine can have.
struct Convention {
  std::vector<std::string> causes;
  std::set<std::string> kinds{};  ///< of the quantities that it is meant of; of all if there are none
};
/// \brief All of it; the first convention is nearest to the one who asks.
struct Library {
  std::string name;
  std::vector<Convention> conventions;
};
std::span<const Library> known_libraries();

/// \brief One table of a situation.
MatrixX<double> answer(const Situation& at, const std::string& name);

}  // namespace articulate::oracle
