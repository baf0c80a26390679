/** \file
 *  \brief What can be asked of a dynamics library about one state, and our answer with the digits that it bears.
 *
 *  A *question* is a state of a model, an *answer* is a table of numbers by the name of its quantity. The names, shapes and
 *  frames are those of the certified cases.
 *  - Chapter: \ref oracle
 */
#pragma once
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <articulate/constrained/loop.hpp>
#include <articulate/model/model.hpp>
#include <articulate/motion/force_element.hpp>

namespace articulate::oracle {

/// \brief One state, in binary64 and exact.
struct Question {
  VectorX<double> q;                           ///< nq coordinates (rad, m; free joint: position, quaternion x y z w)
  VectorX<double> qd;                          ///< nv rates (rad/s, m/s; free joint: body twist)
  VectorX<double> qdd;                         ///< nv accelerations, or empty
  VectorX<double> tau;                         ///< nv forces, or empty
  Vector3<double> gravity;                     ///< m/s^2, in the world
  ExternalWrenches<double> external_wrenches;  ///< on each body, in body frames; or empty
  /// Of these, what acts on links that are fixed to one that a joint carries: by link, in its frame.
  std::map<std::string, Wrench<double>> on_fixed_links{};
  std::shared_ptr<const std::vector<Loop>> loops{};  ///< the joints that were cut to leave the tree; none for a tree
  /// rad/s, m/s: the rate at which 71 % of Coulomb friction are there, see JointFriction; 0 for its sign itself.
  double friction_width = JointFriction{}.width;
};

/// \brief By the name of the quantity: rows x columns; a vector is n x 1.
using Answers = std::map<std::string, MatrixX<double>>;

/** \brief What the rows or the columns of a table are numbered by.
 *
 *  It tells which of the numbers have the same unit, and what becomes of a table when somebody writes rates in another
 *  basis: forces change against rates, so that power does not.
 */
enum class Axis {
  one,              ///< a single number
  forces,           ///< joint forces: one for each rate
  rates,            ///< accelerations of the joints
  by_rates,         ///< derivatives with respect to rates or accelerations
  by_forces,        ///< derivatives with respect to joint forces
  by_displacement,  ///< derivatives with respect to coordinates, along joint displacements
  space,            ///< x y z
  twist,            ///< angular, then linear
  wrench,           ///< moment, then force
  links,            ///< the links of the mechanism, in its order
  rotation,         ///< the nine entries of a rotation, row by row
  parameters        ///< ten numbers of each body
};

/// \brief A quantity of the protocol.
struct Quantity {
  std::string_view name;   ///< with a colon at the end: the name of a link follows
  std::string_view words;  ///< what it is, in one line
  std::string_view unit;   ///< of angular and of linear entries
  Axis rows, columns;
  bool needs_qdd = false, needs_tau = false, needs_loops = false;

  bool per_link() const { return name.ends_with(':'); }
};

/// \brief All of them.
std::span<const Quantity> quantities();

/** \brief The quantity of a name, such as `inverse_dynamics` or `jacobian:tool0`; nullptr for none.
 *
 *  Of a Coriolis matrix two more are known, which are made of what is given: `coriolis_matrix times qd`, which is the same
 *  for all of them, and `coriolis_matrix (ploen)` of a family that is named.
 */
const Quantity* find_quantity(std::string_view name);

/// \brief Whether a name is that of a Coriolis matrix, of Christoffel's symbols or of a family that is named.
bool is_coriolis_matrix(std::string_view name);

/// \brief How many rows and columns the table of a quantity has.
std::pair<int, int> shape(const Quantity& quantity, const Model<double>& model);

/// \brief The link that the joint of a body carries; others may be fixed to it.
const LinkFrame<double>& own_link(const Model<double>& model, int body);

/// \brief The force that a joint with Coulomb friction of some size needs at a rate, as smooth as the question says.
double coulomb_friction(double size, double rate, const Question& question);

/// \brief Whether a model and a question give what the quantity needs: qdd, tau, loops, a mass that every joint moves.
bool can_answer(const Quantity& quantity, const Model<double>& model, const Question& question);

/** \brief Our numbers, by the library's recursions in double.
 *
 *  Damping, Coulomb friction and armature of the joints count as far as `ModelOptions::dynamics` of the model says so.
 *  \param names  of quantities that the question answers, see can_answer()
 *  \throws StateError naming a quantity that does not exist, or that the question does not answer
 */
Answers answers(const Model<double>& model, const Question& question, std::span<const std::string> names);

/// \brief Of each entry of a table with some rows and columns: the number of its unit, from 0.
MatrixX<std::size_t> unit_groups(const Quantity& quantity, Eigen::Index rows, Eigen::Index columns,
                                 const Model<double>& model);

/// \brief By the numbers of unit_groups(): how much rounding may move entries of a table, in their unit.
using Rounding = std::array<double, 9>;
/// \brief The largest change of the entries of each unit; infinity where one is not finite.
Rounding largest_change(const Quantity& quantity, const MatrixX<double>& from, const MatrixX<double>& to,
                        const Model<double>& model);

/// \brief The larger of two, unit by unit.
void add(Rounding& to, const Rounding& more);

/// \brief By unit, what a unit in the last place of each entry of a Coriolis matrix makes of its product with rates.
Rounding rounding_of_product(const MatrixX<double>& C, const VectorX<double>& qd, const Model<double>& model);

/// \brief What the lengths of a machine at a configuration add up to (m): no lever is longer.
double reach(const Model<double>& model, const VectorX<double>& q);

/// \brief By the numbers of unit_groups(): a length where entries have one in them, being linear or moments, or its inverse.
Rounding levers(const Quantity& quantity, double length);

/** \brief Allows zeros the rounding of the terms whose sums they are.
 *
 *  Where rounding leaves an entry not one digit, or nothing was there to be rounded, it counts as a sum of terms as large
 *  as the largest entry of the table, with a lever as long as the machine where the units differ.
 *  \param largest  by unit, the largest entry of the table
 *  \param length   of the lever, see reach()
 */
void widen_for_zeros(Rounding& rounding, const Quantity& quantity, const Rounding& largest, double length);

/// \brief Ours, what rounding may do to it, and the digits that are left to the unit that loses most.
struct Reference {
  Answers values;
  std::map<std::string, Rounding> rounding;
  std::map<std::string, double> digits;
};

/** \brief Answers one question after the other, and measures how much rounding may do to them.
 *
 *  The digits of a quantity are those that stay when every number of the model and of the state is moved by a unit in its
 *  last place, up or down: log10 of 1 / (eps kappa), with the rounding of our own sums in it. They are relative to the
 *  largest entry with the same unit, see score().
 */
class Oracle {
public:
  explicit Oracle(const Model<double>& model);
  const Model<double>& model() const { return model_; }
  /// \brief Takes and refuses what answers() does.
  Reference operator()(const Question& question, std::span<const std::string> names) const;

private:
  Model<double> model_;
  std::vector<Model<double>> nudged_;
};

/// \brief The same for a single question; for many of one model keep an Oracle.
Reference reference(const Model<double>& model, const Question& question, std::span<const std::string> names);

}  // namespace articulate::oracle
