#include <articulate/constrained/semidefinite.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/oracle/evidence.hpp>
#include <articulate/oracle/investigation.hpp>
#include <articulate/oracle/possible_numbers.hpp>
#include <articulate/rnea/inverse_dynamics.hpp>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <optional>

namespace articulate::oracle {
namespace {

using Ten = Eigen::Matrix<double, 10, 1>;

std::string number(double x)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

/** One run of inverse dynamics, and by how much somebody's forces are more than the prediction.
 *
 *  Every quantity of forces is such a run, the columns of the mass matrix are, and a forward dynamics is one with
 *  somebody's accelerations, whose forces are known.
 */
struct Run {
  Question x;
  std::shared_ptr<const Model<double>> model;
  std::string name;  ///< of the quantity that rewrites it
  Investigation::Asked asked;
  VectorX<double> excess;
  VectorX<double> rounding;     ///< what it may do to each of the forces
  Eigen::Index column;          ///< of the mass matrix, or -1
  MatrixX<double> rewriting{};  ///< what becomes of a unit of each force; empty where nothing does
  std::size_t state = 0;        ///< the first run in a state with the same coordinates, rates, gravity and wrenches
};

/// Rows under those that are there.
template <typename Table>
void append(Table& to, const Table& more)
{
  Table both(to.rows() + more.rows(), more.cols());
  if (to.rows()) both.topRows(to.rows()) = to;
  both.bottomRows(more.rows()) = more;
  to = both;
}

// [roundings]
/** What rounding may do to each entry of somebody's table.
 *
 *  It was measured of ours in this state, and grows with the table, where theirs is larger.
 */
MatrixX<double> rounding_of(const std::string& name, const Investigation::State& state, const Model<double>& model)
{
  const auto size = [](const MatrixX<double>& table) { return table.cwiseAbs().maxCoeff(); };
  const MatrixX<double>&ours = state.ours.values.at(name), &theirs = state.theirs.at(name);
  const double scale = size(ours) > 0 ? std::max(size(theirs) / size(ours), 1.0) : 1;
  const double least = std::max(std::numeric_limits<double>::epsilon() * std::max(size(ours), size(theirs)),
                                std::numeric_limits<double>::min());  // of tables of zeros
  const Rounding& measured = state.ours.rounding.at(name);
  const MatrixX<std::size_t> group = unit_groups(*find_quantity(name), ours.rows(), ours.cols(), model);
  return group.unaryExpr([&](std::size_t unit) { return std::max(scale * measured[unit], least); });
}

/// What rounding leaves is no more than so many roundings: the ledger's 100 n eps kappa, of which eps kappa is measured.
double most_roundings(const Model<double>& model) { return 100.0 * std::max(model.nv(), 1); }

/// The largest of some numbers, each in its own roundings.
double in_roundings(const VectorX<double>& numbers, const VectorX<double>& rounding)
{
  return numbers.size() ? numbers.cwiseQuotient(rounding).cwiseAbs().maxCoeff() : 0;
}
// [roundings]

/// The most rows that a fit looks at.
constexpr Eigen::Index enough_rows = 400;

/// Unknowns on which what is unexplained depends linearly, and the hypothesis that their values make, if they are any.
struct Family {
  std::string kind;
  MatrixX<double> A;
  VectorX<double> b;
  /// Of their values, and of what a unit of each makes; behind them there may be unknowns of another family.
  std::function<std::optional<Hypothesis>(const VectorX<double>&, const MatrixX<double>&)> make;
  bool diagonal = false;  ///< whether the unknowns say that no entry beside the diagonal of the mass matrix is wrong
  std::vector<int> bodies{};                  ///< the only ones on which forces can be wrong by it, if not on all
  std::optional<PossibleChanges> possible{};  ///< of the unknowns, if not all are
  std::function<std::optional<Hypothesis>()> mistyped{};  ///< what may be so nevertheless where they are impossible
  MatrixX<double> mixed{};                                ///< A and b, in some sums of their rows
};

class Fit {
public:
  Fit(Investigation& investigation, const Product& product, const std::vector<std::string>& names)
      : of_(investigation), product_(product), names_(names.begin(), names.end())
  {
    for (const bool of_matrices : {false, true})
      for (const Investigation::State& state : of_.sample()) add_runs(state, of_matrices);
    if (!runs_.empty()) model_ = runs_.front().model;
    for (const Investigation::State& state : of_.sample()) add_beside(state);
    rounding_ = stacked(&Run::rounding, beside_rounding_);
  }
  bool empty() const { return !model_ || !(largest_excess() > 0); }

  Hypotheses mistakes_in_one_link();
  std::vector<Family> families();
  void mix(std::vector<Family>& families);
  std::optional<Hypothesis> fitted(const Family& family) const
  {
    const auto x = solved(family.A, family.b, family.diagonal, family.bodies);
    if (!x || !is_seen(family.A * *x)) return std::nullopt;
    if (!family.possible || !is_none_possible(*x, family.A, *family.possible)) return family.make(*x, family.A);
    return family.mistyped ? family.mistyped() : std::nullopt;
  }
  std::optional<std::pair<Hypothesis, Hypothesis>> fitted(const Family& a, const Family& b) const;

private:
  /// Forces of all states come first, the many columns of mass matrices then, up to what a fit looks at.
  void add_runs(const Investigation::State& state, bool of_matrices)
  {
    const auto asked = of_.asked(product_, state);
    if (!asked) return;
    const Question& x = asked->question;
    const VectorX<double> none = VectorX<double>::Zero(x.qd.size());
    const auto add = [&](const std::string& name, Question at, const VectorX<double>& theirs,
                         const VectorX<double>& rounding, Eigen::Index column = -1) {
      if (of_matrices && rows_ > enough_rows) return;
      if (is_replaced(name, *asked, at.qd.size())) return;
      const VectorX<double> ours = rewritten(name, *asked, run(*asked->model, at));
      if (ours.size() != theirs.size() || !ours.allFinite()) return;
      rows_ += ours.size();
      runs_.push_back({std::move(at), asked->model, name, *asked, theirs - ours, rounding, column,
                       name.empty() ? MatrixX<double>() : rewriting(name, *asked, none.size())});
      const auto same = std::find_if(runs_.begin(), runs_.end(), [&](const Run& before) {
        return is_one_place(before.asked.question, asked->question);
      });
      runs_.back().state = static_cast<std::size_t>(same - runs_.begin());
    };
    const Vector3<double> weightless{};
    for (const auto& [name, theirs] : state.theirs) {
      if (!names_.count(name) || of_matrices != (name == "mass_matrix")) continue;
      const MatrixX<double> rounding = rounding_of(name, state, of_.model());
      if (name == "inverse_dynamics") add(name, x, theirs, rounding);
      if (name == "bias") add(name, asks(x, x.qd, none, x.gravity, x.external_wrenches), theirs, rounding);
      if (name == "gravity_force") add(name, asks(x, none, none, x.gravity), theirs, rounding);
      // The Coriolis force is without what the joints have of their own.
      const JointDynamics& used = asked->model->options().dynamics;
      const bool is_product = name == "coriolis_matrix times qd" && asked->multiplier == x.qd;
      if ((name == "coriolis_force" || is_product) && !used.damping && !used.friction)
        add(name, asks(x, x.qd, none, weightless), theirs, rounding);
      // Accelerations are known to their rounding, and so are the forces that they need.
      const auto of_accelerations = [&]() -> VectorX<double> {
        static const std::string M = "mass_matrix";
        return answers(*asked->model, x, {&M, 1})[M].cwiseAbs() * rounding;
      };
      if (name == "forward_dynamics" && !rewrites(name, *asked, theirs))
        add("", asks(x, x.qd, theirs, x.gravity, x.external_wrenches), x.tau, of_accelerations());
      // With closed loops it is one with somebody's accelerations, whose forces and constraint forces are known.
      if (const auto kept = state.theirs.find("constraint_force");
          name == "closed_forward_dynamics" && kept != state.theirs.end() && names_.count(kept->first) &&
          !rewrites(name, *asked, theirs) && !rewrites(kept->first, *asked, kept->second))
        add("", asks(x, x.qd, theirs, x.gravity, x.external_wrenches), x.tau + kept->second,
            of_accelerations() + rounding_of(kept->first, state, of_.model()));
      if (name == "mass_matrix" && !rewrites(name, *asked, theirs))
        for (Eigen::Index k = 0; k < theirs.cols(); ++k)
          add("", asks(x, none, VectorX<double>::Unit(theirs.cols(), k), weightless), theirs.col(k), rounding.col(k),
              k);
    }
  }

  /// A state with other rates, accelerations and forces that act.
  static Question asks(const Question& x, const VectorX<double>& qd, const VectorX<double>& qdd,
                       const Vector3<double>& gravity, const ExternalWrenches<double>& wrenches = {})
  {
    Question other{x.q, qd, qdd, {}, gravity, wrenches};
    other.friction_width = x.friction_width;
    return other;
  }
  static VectorX<double> run(const Model<double>& model, const Question& x)
  {
    static const std::string name = "inverse_dynamics";
    return answers(model, x, {&name, 1})[name];
  }
  /// What a column of forces becomes.
  VectorX<double> rewritten(const std::string& name, const Investigation::Asked& asked,
                            const VectorX<double>& forces) const
  {
    if (name.empty()) return forces;
    Answers table{{name, forces}};
    Investigation::rewrite(product_, asked, table);
    return table[name];
  }
  /// What becomes of a unit of each force: nothing that is done to forces is more than linear in them.
  MatrixX<double> rewriting(const std::string& name, const Investigation::Asked& asked, Eigen::Index n) const
  {
    if (std::none_of(product_.begin(), product_.end(), [](const auto* one) { return bool(one->answers); })) return {};
    const VectorX<double> zero = rewritten(name, asked, VectorX<double>::Zero(n));
    MatrixX<double> of_units(zero.size(), n);
    for (Eigen::Index k = 0; k < n; ++k) of_units.col(k) = rewritten(name, asked, VectorX<double>::Unit(n, k)) - zero;
    return of_units;
  }
  /// Whether forces are not changed but replaced by others.
  bool is_replaced(const std::string& name, const Investigation::Asked& asked, Eigen::Index n) const
  {
    return rewritten(name, asked, VectorX<double>::Ones(n)) == rewritten(name, asked, VectorX<double>::Zero(n));
  }
  /// Whether a table of that shape is changed at all.
  bool rewrites(const std::string& name, const Investigation::Asked& asked, const MatrixX<double>& theirs) const
  {
    const auto number = [](Eigen::Index i, Eigen::Index j) { return static_cast<double>(1 + i + 100 * j); };
    const MatrixX<double> any = MatrixX<double>::NullaryExpr(theirs.rows(), theirs.cols(), number);
    Answers table{{name, any}};
    Investigation::rewrite(product_, asked, table);
    return table[name] != any;
  }
  double largest_excess() const
  {
    double largest = beside_.size() ? beside_.cwiseAbs().maxCoeff() : 0;
    for (const Run& run : runs_) largest = std::max(largest, run.excess.cwiseAbs().maxCoeff());
    return largest;
  }

  /// What each run gains of a unit of each unknown: rows of all runs under each other.
  template <typename Columns>
  MatrixX<double> columns(const Columns& of, Eigen::Index count) const
  {
    MatrixX<double> A = MatrixX<double>::Zero(total_rows() + beside_.size(), count);
    Eigen::Index row = 0;
    for (const Run& run : runs_) {
      const MatrixX<double> of_run = of(run);
      auto rows = A.block(row, 0, run.excess.size(), of_run.cols());
      if (run.rewriting.size())
        rows = run.rewriting * of_run;
      else
        rows = of_run;
      row += run.excess.size();
    }
    return A;
  }
  Eigen::Index total_rows() const
  {
    Eigen::Index rows = 0;
    for (const Run& run : runs_) rows += run.excess.size();
    return rows;
  }
  VectorX<double> excess() const { return stacked(&Run::excess, beside_); }
  /// One column of each run under each other, and what there is beside.
  VectorX<double> stacked(VectorX<double> Run::*of_run, const VectorX<double>& beside) const
  {
    VectorX<double> all(total_rows() + beside.size());
    Eigen::Index row = 0;
    for (const Run& run : runs_) {
      all.segment(row, run.excess.size()) = run.*of_run;
      row += run.excess.size();
    }
    all.tail(beside.size()) = beside;
    return all;
  }
  /// Whether forces, one in each row, are more than rounding would make them.
  bool is_seen(const VectorX<double>& forces) const
  {
    return in_roundings(forces, rounding_) > most_roundings(*model_);
  }
  /// The number that was found, which is zero where its forces are rounding, and ours.
  std::string instead_of(double ours, double more, const VectorX<double>& of_unit) const
  {
    return " = " + number(is_seen(of_unit * (ours + more)) ? ours + more : 0) + " instead of " + number(ours);
  }
  /// Whether nothing but rounding is left; who passes is evaluated in full.
  bool is_rounding(const VectorX<double>& left) const
  {
    return !is_seen(left) && left.cwiseAbs().maxCoeff() <= std::pow(10, -least_gain_of_a_fit) * largest_excess();
  }
  /// What equations say of unknowns that move forces on some bodies alone, or on all where none is told.
  Evidence evidence(MatrixX<double> A, const VectorX<double>& b, const std::vector<int>& bodies) const
  {
    std::vector<Origin> rows;
    for (const Run& run : runs_) {
      using Sum = Origin::Sum;
      const bool is_coriolis = run.name == "coriolis_force" || run.name == "coriolis_matrix times qd";
      const Sum sum = run.column >= 0               ? Sum::inertia
                      : run.name == "gravity_force" ? Sum::gravity
                      : is_coriolis                 ? Sum::coriolis
                                                    : Sum::motion;
      rows.push_back({sum, run.x, run.state, run.excess.size(), run.column});
      if (run.rewriting.size()) rows.back().undoing = run.rewriting.completeOrthogonalDecomposition().pseudoInverse();
    }
    // Energies that follow from M are no evidence beside it.
    for (Eigen::Index k = 0; k < beside_.size(); ++k)
      if (repeats_M_[static_cast<std::size_t>(k)]) A.row(total_rows() + k).setZero();
    if (beside_.size()) rows.push_back({Origin::Sum::beside, {}, runs_.size(), beside_.size(), -1});
    const auto local = [this, bodies](std::size_t state) { return unit_wrenches(runs_[state], bodies); };
    return {independent(rows, A, b, rounding_), most_roundings(*model_),
            bodies.empty() ? std::function<MatrixX<double>(std::size_t)>() : local};
  }
  /// What six unit wrenches on each of some bodies make of the joint forces of a run.
  static MatrixX<double> unit_wrenches(const Run& run, const std::vector<int>& bodies)
  {
    const VectorX<double> none = VectorX<double>::Zero(run.x.qd.size());
    InverseDynamics<double> rnea(*run.model);
    rnea.set_gravity({});
    MatrixX<double> forces(none.size(), 6 * static_cast<Eigen::Index>(bodies.size()));
    Eigen::Index column = 0;
    for (const int body : bodies)
      for (int k = 0; k < 6; ++k) {
        Vector3<double> m{}, f{};
        (k < 3 ? m : f)[k % 3] = 1;
        ExternalWrenches<double> Fext(run.model->bodies() + 1);
        Fext[body] = {m, f};
        forces.col(column++) = rnea(run.x.q, none, none, Fext);
      }
    return forces;
  }
  /// The unknowns, if nothing but rounding is left, and more could have been. Each row counts by its rounding.
  std::optional<VectorX<double>> solved(const MatrixX<double>& A, const VectorX<double>& b, bool diagonal,
                                        const std::vector<int>& bodies) const
  {
    const VectorX<double> weights = rounding_.cwiseInverse();
    const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(weights.asDiagonal() * A);
    if (qr.rank() == 0) return std::nullopt;
    const VectorX<double> x = qr.solve(weights.cwiseProduct(b));
    if (!x.allFinite() || !is_rounding(b - A * x)) return std::nullopt;
    return evidence(A, b, bodies).could_have_failed(diagonal) ? std::optional(x) : std::nullopt;
  }

  /// Whether no unknowns that make the same of the forces are possible.
  bool is_none_possible(const VectorX<double>& x, const MatrixX<double>& A, const PossibleChanges& possible) const
  {
    return is_impossible(x, in_roundings_of_forces(A), possible, [this](const VectorX<double>& moved) {
      return moved.cwiseAbs().maxCoeff() > most_roundings(*model_);
    });
  }
  MatrixX<double> in_roundings_of_forces(const MatrixX<double>& A) const
  {
    return rounding_.cwiseInverse().asDiagonal() * A;
  }

  void add_beside(const Investigation::State& state);
  MatrixX<double> regressors() const
  {
    std::shared_ptr<const Model<double>> model;  // of the last run, which most others share
    std::optional<Regressor<double>> of_run;
    MatrixX<double> Y = columns(
        [&](const Run& run) {
          if (run.model != model) {
            model = run.model;
            of_run.emplace(*model);
          }
          of_run->set_gravity(run.x.gravity);
          return (*of_run)(run.x.q, run.x.qd, run.x.qdd);
        },
        10 * model_->bodies());
    if (beside_.size()) Y.bottomRows(beside_.size()) = beside_by_inertia_;
    return Y;
  }
  void add_inertias(std::vector<Family>& all) const;
  Ten own_numbers(int body) const;
  std::optional<Hypothesis> other_parameters(int body, const Ten& change, const MatrixX<double>& of_units,
                                             const MatrixX<double>& Y) const;
  std::optional<Hypothesis> mistyped(int body, const MatrixX<double>& Y) const;
  /// Which of ten unknowns the forces determine, whatever the others are.
  std::vector<bool> told(const MatrixX<double>& A, Eigen::Index first) const
  {
    MatrixX<double> of_units = in_roundings_of_forces(A);
    for (Eigen::Index c = 0; c < of_units.cols(); ++c)  // each in units of what it does
      if (const double size = of_units.col(c).norm(); size > 0) of_units.col(c) /= size;
    const MatrixX<double> open = left_open(of_units).middleRows(first, 10);
    std::vector<bool> are;
    for (Eigen::Index p = 0; p < 10; ++p)
      are.push_back(open.row(p).norm() <= rank_tolerance<double>(static_cast<int>(A.cols())));
    return are;
  }
  void add_gravity(std::vector<Family>& all) const;
  void add_turned_gravity(std::vector<Family>& all, const MatrixX<double>& G) const;
  void add_points_of_wrenches(std::vector<Family>& all) const;
  void add_numbers_of_joints(std::vector<Family>& all) const;
  VectorX<double> armatures() const;
  const Joint* hinge(const JointSlot& slot) const;
  double moment_about_joint(const JointSlot& slot) const;
  std::optional<Hypothesis> other_moment_about_joint(const JointSlot& slot, double more) const;
  /// The ten numbers of a link in the frame of its body's parameters.
  static Ten parameters(const Model<double>& model, const LinkFrame<double>& frame, const Link& link)
  {
    const auto& [ix, iy, iz, iw] = link.inertial_quaternion;
    const auto& I = link.inertia;
    const SE3<double>& X = frame.X;
    const Vector3<double> c{link.center_of_mass[0], link.center_of_mass[1], link.center_of_mass[2]};
    return ten_numbers(
        coAd(detail::parameter_frame(model, frame.body),
             Inertia<double>::about_center_of_mass(link.mass, X * c, {I[0], I[1], I[2], I[3], I[4], I[5]},
                                                   X.R * SO3<double>(Quaternion<double>{{ix, iy, iz}, iw}))));
  }
  Investigation& of_;
  const Product& product_;
  const std::set<std::string> names_;
  std::shared_ptr<const Model<double>> model_;
  std::vector<Run> runs_;
  Eigen::Index rows_ = 0;
  /// Of energies, momenta and centres of mass: what is unexplained, and what ten numbers of each body, gravity, and the
  /// armature of each rate make of it.
  VectorX<double> beside_, beside_rounding_, excess_mixed_;
  double most_mixed_ = 0;  ///< the largest length that roundings of all rows give to the mixed ones
  MatrixX<double> beside_by_inertia_, beside_by_gravity_, beside_by_armature_;
  MatrixX<double> gravity_beside_;  ///< in each of these rows
  std::vector<bool> repeats_M_;     ///< which of these rows do
  VectorX<double> rounding_;        ///< of all rows
};

// [one-link]
/// Forces are linear in the ten numbers of a body: a mistake in one link moves them along the columns of its body.
Hypotheses Fit::mistakes_in_one_link()
{
  Hypotheses found;
  const Model<double>& model = *model_;
  const MatrixX<double> Y = regressors();
  const VectorX<double> b = excess();
  for (const Link& link : model.mechanism().links) {
    const LinkFrame<double>& frame = model.link(link.name);
    if (frame.body == 0) continue;
    for (const InertiaMistake& mistake : inertia_mistakes()) {
      Link wrong = link;
      mistake.make(wrong);
      const Ten change = parameters(model, frame, wrong) - parameters(model, frame, link);
      if (!is_rounding(b - Y.middleCols(10 * (frame.body - 1), 10) * change)) continue;
      found.push_back({"inertia/" + mistake.key + ":" + link.name, "In link '" + link.name + "' " + mistake.words + ".",
                       mistake.remedy, [name = link.name, make = mistake.make](Machine& m) {
                         m.options.accept_unphysical = true;
                         for (Link& l : m.mechanism.links)
                           if (l.name == name) make(l);
                       }});
    }
  }
  return found;
}

/// Energies, momentum and moment of mass are linear in them, too, and see what joint forces do not.
void Fit::add_beside(const Investigation::State& state)
{
  const auto asked = of_.asked(product_, state);
  if (!asked) return;
  if (!model_) model_ = asked->model;
  const Model<double>& model = *asked->model;
  const Question& x = asked->question;
  const Indexed<Inertia<double>> unit = unit_inertias(model);
  ForwardKinematics<double> motion(model);
  motion(x.q, x.qd);
  for (const auto& [name, theirs] : state.theirs) {
    if (!names_.count(name) || rewrites(name, *asked, theirs)) continue;
    const bool is_center = name == "center_of_mass";
    // What an inertia of a body makes of the quantity, as a column.
    std::function<VectorX<double>(const Inertia<double>&, const SE3<double>&, const Twist<double>&)> of;
    if (name == "kinetic_energy")
      of = [](const auto& E, const auto&, const auto& V) { return VectorX<double>::Constant(1, kinetic_energy(E, V)); };
    else if (name == "potential_energy")
      of = [&](const auto& E, const auto& T, const auto&) {
        return VectorX<double>::Constant(1, -inner(x.gravity, mass_moment(T, E)));
      };
    else if (name == "momentum")
      of = [](const auto& E, const auto& T, const auto& V) { return coordinates(coAdInv(T, E * V)); };
    else if (is_center)
      of = [&theirs = theirs](const auto& E, const auto& T, const auto&) {
        return VectorX<double>(mass_moment(T, E).eigen() - E.mass * theirs);
      };
    else
      continue;
    VectorX<double> left = is_center ? VectorX<double>(VectorX<double>::Zero(3)) : VectorX<double>(theirs);
    MatrixX<double> by_inertia(left.size(), 10 * model.bodies()),
        by_gravity = MatrixX<double>::Zero(left.size(), 3),
        by_armature = MatrixX<double>::Zero(left.size(), model.nv());
    double mass = 0;
    for (const Body<double>& body : model.outward()) {
      const int i = body.index;
      mass += body.I.mass;
      left -= of(body.I, motion.pose[i], motion.V[i]);
      for (int p = 10 * (i - 1); p < 10 * i; ++p) by_inertia.col(p) = of(unit[p], motion.pose[i], motion.V[i]);
      if (name == "potential_energy") by_gravity -= mass_moment(motion.pose[i], body.I).eigen().transpose();
    }
    // Who counts rotors there, too, is wrong there.
    if (name == "kinetic_energy" && of_.missing().count(name)) by_armature = 0.5 * x.qd.cwiseAbs2().transpose();
    VectorX<double> rounding = rounding_of(name, state, of_.model());
    if (is_center) rounding *= mass;
    repeats_M_.insert(repeats_M_.end(), static_cast<std::size_t>(left.size()),
                      name == "kinetic_energy" && names_.count("mass_matrix") && state.theirs.count("mass_matrix"));
    append(beside_, left);
    append(beside_rounding_, rounding);
    append(beside_by_inertia_, by_inertia);
    append(beside_by_gravity_, by_gravity);
    append(gravity_beside_, MatrixX<double>(x.gravity.eigen().transpose().replicate(left.size(), 1)));
    append(beside_by_armature_, by_armature);
  }
}

/// The same with any numbers of one body.
void Fit::add_inertias(std::vector<Family>& all) const
{
  const auto Y = std::make_shared<const MatrixX<double>>(regressors());
  for (int i = 1; i <= model_->bodies(); ++i) {
    all.push_back({"inertia",
                   Y->middleCols(10 * (i - 1), 10),
                   excess(),
                   [this, i, Y](const VectorX<double>& change, const MatrixX<double>& of_units) {
                     return other_parameters(i, change, of_units, *Y);
                   },
                   false,
                   {i}});
    all.back().possible = changes_of_a_body(own_numbers(i));
    all.back().mistyped = [this, i, Y] { return mistyped(i, *Y); };
  }
}

Ten Fit::own_numbers(int body) const
{
  return ten_numbers(coAd(detail::parameter_frame(*model_, body), model_->body(body).I));
}

// [what-they-tell]
/** The numbers that differ, by how much of them is told: what no other link can do to these forces, what only this link can
 *  if it is the only wrong one, and what is told in combinations alone.
 *  \param of_units  what a unit of each number makes; unknowns of another family may come behind
 *  \param Y         the same of all bodies
 */
std::optional<Hypothesis> Fit::other_parameters(int i, const Ten& change, const MatrixX<double>& of_units,
                                                const MatrixX<double>& Y) const
{
  static const char* const names[] = {"m", "m c_x", "m c_y", "m c_z", "I_xx", "I_xy", "I_xz", "I_yy", "I_yz", "I_zz"};
  const Model<double>& model = *model_;
  const Ten is = own_numbers(i);
  const std::vector<bool> alone = told(of_units, 0), always = told(Y, 10 * (i - 1));
  std::string sure, conditional, combined;
  for (int p = 0; p < 10; ++p) {
    if (!is_seen(of_units.col(p) * change(p))) continue;
    std::string& words = always[p] ? sure : alone[p] ? conditional : combined;
    words += (words.empty() ? "" : ", ") + std::string(names[p]);
    if (alone[p]) words += instead_of(is(p), change(p), of_units.col(p));
  }
  const std::string link = own_link(model, i).name;
  std::string words = sure;
  if (!conditional.empty())
    words += (words.empty() ? "" : ", and") + std::string(", if no other link is wrong, ") + conditional;
  if (!combined.empty())
    words += (words.empty() ? "" : ", and ") + ("other values of " + combined + ", which show in combinations only");
  if (words.empty()) return std::nullopt;
  return Hypothesis{
      "inertia/parameters:" + link,
      "In the body of link '" + link + "', about its origin in its axes, your numbers have" +
          (words[0] == ',' ? "" : " ") + words + ", as far as they tell.",
      "compare the inertia of this link with the description",
      [link, change](Machine& m) {
        const Model<double> here(m.mechanism, m.options);
        const LinkFrame<double>& frame = here.link(link);
        m.options.accept_unphysical = true;
        for (Link& l : m.mechanism.links) {
          if (l.name != link) continue;
          const Ten pi = parameters(here, frame, l) + change;
          const double mass = pi(0);
          const Eigen::Vector3d c = mass != 0 ? Eigen::Vector3d(pi.segment<3>(1) / mass) : Eigen::Vector3d(0, 0, 0);
          const Eigen::Matrix3d S = mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
          l.mass = mass;
          l.center_of_mass = {c(0), c(1), c(2)};
          l.inertial_quaternion = {0, 0, 0, 1};
          l.inertia = {pi(4) - S(0, 0), pi(5) - S(0, 1), pi(6) - S(0, 2),
                       pi(7) - S(1, 1), pi(8) - S(1, 2), pi(9) - S(2, 2)};
        }
      },
      {},
      {},
      false,
      10};
}
// [what-they-tell]

/// One number of a link's description, of which a slip of the pen may make any value: no body need have it.
std::optional<Hypothesis> Fit::mistyped(int i, const MatrixX<double>& Y) const
{
  static const char* const names[] = {"mass", "ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const auto value = [](Link& link, std::size_t k) -> double& { return k == 0 ? link.mass : link.inertia[k - 1]; };
  for (const Link& link : model_->mechanism().links) {
    const LinkFrame<double>& frame = model_->link(link.name);
    if (frame.body != i) continue;
    for (std::size_t k = 0; k < 7; ++k) {
      Link wrong = link;
      value(wrong, k) += 1;
      const MatrixX<double> A =
          Y.middleCols(10 * (i - 1), 10) * (parameters(*model_, frame, wrong) - parameters(*model_, frame, link));
      const auto x = solved(A, excess(), false, {i});
      if (!x) continue;
      const double more = (*x)(0);
      const double ours = value(wrong, k) - 1;
      return Hypothesis{"inertia/parameters:" + link.name,
                        "In link '" + link.name + "' your numbers have " + names[k] + instead_of(ours, more, A.col(0)) +
                            ", as far as they tell: no body has this, a misprint may.",
                        "compare this number with the description",
                        [name = link.name, k, more, value](Machine& m) {
                          m.options.accept_unphysical = true;
                          for (Link& l : m.mechanism.links)
                            if (l.name == name) value(l, k) += more;
                        },
                        {},
                        {},
                        false,
                        1};
    }
  }
  return std::nullopt;
}
// [one-link]

// [effective-gravity]
/// Forces are linear in gravity: the one that they need, if it is the same in all states, or has the same size.
void Fit::add_gravity(std::vector<Family>& all) const
{
  const auto of_units = [](const Run& run) {
    MatrixX<double> of_unit(run.x.qd.size(), 3);
    const VectorX<double> none = VectorX<double>::Zero(run.x.qd.size());
    const bool weightless = inner(run.x.gravity, run.x.gravity) == 0;
    InverseDynamics<double> rnea(*run.model);
    for (int k = 0; k < 3; ++k) {
      Vector3<double> g{};
      g[k] = weightless ? 0 : 1;
      rnea.set_gravity(g);
      of_unit.col(k) = rnea(run.x.q, none, none);
    }
    return of_unit;
  };
  MatrixX<double> G = columns(of_units, 3);
  if (beside_.size()) G.bottomRows(beside_.size()) = beside_by_gravity_;
  // It is found as a change of the first state's, so that what these forces do not see stays as it is.
  std::optional<Eigen::Vector3d> of_first;
  bool of_one_size = true;
  for (const Investigation::State& state : of_.sample())
    if (const auto asked = of_.asked(product_, state)) {
      const Eigen::Vector3d g = asked->question.gravity.eigen();
      if (!of_first) of_first = g;
      of_one_size = of_one_size && std::abs(g.norm() - of_first->norm()) <= rounding<double>(3) * g.norm();
    }
  const Eigen::Vector3d first = *of_first;  // there is a model, which one of them has given
  MatrixX<double> along(G.rows(), 1);       // gravity as it is in the state of each row
  Eigen::Index at = 0;
  for (const Run& run : runs_) {
    along.middleRows(at, run.excess.size()) = G.middleRows(at, run.excess.size()) * run.x.gravity.eigen();
    at += run.excess.size();
  }
  for (Eigen::Index k = 0; k < beside_.size(); ++k, ++at) along(at, 0) = G.row(at).dot(gravity_beside_.row(k));
  all.push_back(
      {"gravity", along, excess(), [of_one_size, size = first.norm()](const VectorX<double>& more, const auto&) {
         const double factor = 1 + more(0);
         return Hypothesis{of_one_size ? "gravity/size" : "gravity/factor",
                           of_one_size ? "In your numbers gravity has the size " + number(factor * size) +
                                             " m/s^2 instead of " + number(size) + ", and its direction is ours."
                                       : "In your numbers gravity is " + number(factor) + " times ours.",
                           "set the gravity of your model to that of the state",
                           {},
                           [factor](Question& x, const Situation&) { x.gravity = factor * x.gravity; },
                           {},
                           false,
                           1};
       }});
  VectorX<double> b = excess();
  Eigen::Index row = 0;
  for (const Run& run : runs_) {
    b.segment(row, run.excess.size()) += G.middleRows(row, run.excess.size()) * (run.x.gravity.eigen() - first);
    row += run.excess.size();
  }
  for (Eigen::Index k = 0; k < beside_.size(); ++k, ++row)
    b(row) += G.row(row).dot(gravity_beside_.row(k) - first.transpose());
  all.push_back({"gravity", G, b, [first](const VectorX<double>& change, const auto&) {
                   const Eigen::Vector3d g = first + change;
                   const Vector3<double> effective{g(0), g(1), g(2)};
                   return Hypothesis{"gravity/other",
                                     "In your numbers gravity is (" + number(effective[0]) + ", " +
                                         number(effective[1]) + ", " + number(effective[2]) +
                                         ") m/s^2 in all states, as far as they tell.",
                                     "set the gravity of your model to that of the state, in world axes",
                                     {},
                                     [effective](Question& x, const Situation&) { x.gravity = effective; },
                                     {},
                                     false,
                                     3};
                 }});
  add_turned_gravity(all, G);
}
// [effective-gravity]

// [turned-gravity]
/// The rotation that takes some vectors nearest to others: 3 x n each, column by column.
Eigen::Matrix3d nearest_rotation(const MatrixX<double>& to, const MatrixX<double>& from)
{
  const Eigen::Matrix3d both = to * from.transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(both, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double side = (svd.matrixU() * svd.matrixV()).determinant() > 0 ? 1 : -1;  // a mirror is none
  return svd.matrixU() * Eigen::Vector3d(1, 1, side).asDiagonal() * svd.matrixV().transpose();
}

/// Where states have different gravities, the forces may need A g instead of g: nine numbers, of which only rotations and
/// exchanged axes are a cause.
void Fit::add_turned_gravity(std::vector<Family>& all, const MatrixX<double>& G) const
{
  MatrixX<double> given(3, 0);
  for (const Investigation::State& state : of_.sample())
    if (const auto asked = of_.asked(product_, state)) {
      given.conservativeResize(3, given.cols() + 1);
      given.col(given.cols() - 1) = asked->question.gravity.eigen();
    }
  // The directions that they span: one says nothing of a rotation, and of two the third follows.
  Eigen::JacobiSVD<MatrixX<double>> svd(given, Eigen::ComputeThinU);
  svd.setThreshold(rank_tolerance<double>(3));
  const Eigen::Index spanned = svd.rank();
  if (spanned < 2) return;
  const MatrixX<double> U = svd.matrixU().leftCols(spanned);
  MatrixX<double> A(G.rows(), 3 * spanned);
  Eigen::Index row = 0;
  const auto add_row = [&](const Vector3<double>& g) {
    const Eigen::RowVectorXd along = g.eigen().transpose() * U;
    for (int i = 0; i < 3; ++i) A.row(row).segment(i * spanned, spanned) = G(row, i) * along;
    ++row;
  };
  for (const Run& run : runs_)
    for (Eigen::Index k = 0; k < run.excess.size(); ++k) add_row(run.x.gravity);
  for (Eigen::Index k = 0; k < beside_.size(); ++k) add_row(Vector3<double>(Eigen::Vector3d(gravity_beside_.row(k))));
  if (Eigen::ColPivHouseholderQR<MatrixX<double>>(A).rank() < A.cols()) return;
  all.push_back(
      {"turned gravity", A, excess(),
       [this, A, U, given](const VectorX<double>& x, const auto&) -> std::optional<Hypothesis> {
         using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
         const auto forces = [&](const Eigen::Matrix3d& more) -> VectorX<double> {
           const Rows of_spanned = more * U;
           return A * Eigen::Map<const VectorX<double>>(of_spanned.data(), of_spanned.size());
         };
         const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
         const auto explains = [&](const Eigen::Matrix3d& map) { return is_rounding(excess() - forces(map - one)); };
         const auto turned = [](const Eigen::Matrix3d& by) {
           return [by](Question& at, const Situation&) {
             at.gravity = Vector3<double>(Eigen::Vector3d(by * at.gravity.eigen()));
           };
         };
         const Eigen::Matrix3d map = (U + Eigen::Map<const Rows>(x.data(), 3, U.cols())) * U.transpose();
         if (const Eigen::Matrix3d R = nearest_rotation(map * given, given); explains(R)) {
           const Eigen::AngleAxisd turn(R);
           const Eigen::Vector3d& a = turn.axis();
           return Hypothesis{"gravity/turned",
                             "In your numbers gravity is turned by " + number(turn.angle() * 180 / std::numbers::pi) +
                                 " degrees about (" + number(a(0)) + ", " + number(a(1)) + ", " + number(a(2)) +
                                 ") in all states: a rotation of the base is left out, or counted where "
                                 "there is none.",
                             "turn gravity into the axes in which the base stands",
                             {},
                             turned(R),
                             {},
                             false,
                             3};
         }
         // Axes that are lost, exchanged or reversed: each row has at most one entry, which is 1 or -1.
         const Eigen::Matrix3d whole = map.array().round();
         if (U.cols() < 3 || whole.isZero() || (whole.cwiseAbs().rowwise().sum().array() > 1).any() || !explains(whole))
           return std::nullopt;
         std::string words;
         for (int i = 0; i < 3; ++i) {
           std::string entry = "0";
           for (int j = 0; j < 3; ++j)
             if (whole(i, j) != 0) entry = (whole(i, j) < 0 ? "-" : "") + std::string(1, "xyz"[j]);
           words += (i ? ", " : "") + entry;
         }
         return Hypothesis{"gravity/axes",
                           "In your numbers gravity (x, y, z) is read as (" + words + ").",
                           "hand gravity over in world axes",
                           {},
                           turned(whole),
                           {},
                           false,
                           3};
       }});
}
// [turned-gravity]

// [wrench-point]
/// The moment of a wrench grows with the point of its force: where in the link it acts.
void Fit::add_points_of_wrenches(std::vector<Family>& all) const
{
  const Model<double>& model = *model_;
  for (int i = 1; i <= model.bodies(); ++i) {
    const LinkFrame<double>& link = own_link(model, i);
    const auto of_units = [&](const Run& run) {
      MatrixX<double> of_unit = MatrixX<double>::Zero(run.x.qd.size(), 3);
      if (run.x.external_wrenches.empty()) return of_unit;
      const VectorX<double> none = VectorX<double>::Zero(run.x.qd.size());
      InverseDynamics<double> rnea(*run.model);
      rnea.set_gravity({});
      const Wrench<double> F = coAd(link.X, run.x.external_wrenches[i]);
      for (int k = 0; k < 3; ++k) {
        Vector3<double> r{};
        r[k] = 1;
        ExternalWrenches<double> Fext(model.bodies() + 1);
        Fext[i] = coAdInv(link.X, Wrench<double>{cross(r, F.f), {}});
        of_unit.col(k) = rnea(run.x.q, none, none, Fext);
      }
      return of_unit;
    };
    all.push_back({"external_forces",
                   columns(of_units, 3),
                   excess(),
                   [i, name = link.name](const VectorX<double>& r, const auto&) {
                     const Vector3<double> point{r(0), r(1), r(2)};
                     return Hypothesis{
                         "external_forces/point:" + name,
                         "In your numbers the external force on link '" + name + "' acts at (" + number(point[0]) +
                             ", " + number(point[1]) + ", " + number(point[2]) +
                             ") m in its frame, and not at its origin.",
                         "move the external wrench to the origin of the link's frame",
                         {},
                         [i, point](Question& x, const Situation& at) {
                           if (x.external_wrenches.empty()) return;
                           const SE3<double> place = own_link(at.model, i).X;
                           const Wrench<double> F = coAd(place, x.external_wrenches[i]);
                           x.external_wrenches[i] = coAdInv(place, Wrench<double>{F.m + cross(point, F.f), F.f});
                         },
                         {},
                         false,
                         3};
                   },
                   false,
                   {i}});
  }
}
// [wrench-point]

// [joint-numbers]
/// Each joint has an armature, a damping or a friction of its own: one number, which its accelerations or rates multiply.
void Fit::add_numbers_of_joints(std::vector<Family>& all) const
{
  struct Kind {
    const char* name;
    double (*factor)(const Question&, Eigen::Index);
    double Joint::*value;
    bool JointDynamics::*used;
    double width = 0;  ///< of friction, where ours has none
  };
  static const Kind kinds[] = {
      {"armature", [](const Question& x, Eigen::Index k) { return x.qdd(k); }, &Joint::armature,
       &JointDynamics::armature},
      {"damping", [](const Question& x, Eigen::Index k) { return x.qd(k); }, &Joint::damping, &JointDynamics::damping},
      {"friction", [](const Question& x, Eigen::Index k) { return coulomb_friction(1, x.qd(k), x); }, &Joint::friction,
       &JointDynamics::friction},
      {"friction", [](const Question& x, Eigen::Index k) { return coulomb_friction(1, x.qd(k), x); }, &Joint::friction,
       &JointDynamics::friction, JointFriction{}.width}};
  const Model<double>& model = *model_;
  for (const Kind& kind : kinds) {
    const bool is_armature = kind.value == &Joint::armature, is_friction = kind.value == &Joint::friction;
    // Where ours has friction, theirs is as smooth.
    const bool has_own_law = is_friction && !model.options().dynamics.friction;
    if (kind.width > 0 && !has_own_law) continue;
    const auto of_units = [&](const Run& run) {
      VectorX<double> factors = VectorX<double>::Zero(model.nv());
      Question x = run.x;
      if (has_own_law) x.friction_width = kind.width;
      for (const JointSlot& slot : model.joints())
        if (slot.nv == 1 && run.name != "coriolis_force" && run.name != "coriolis_matrix times qd")
          factors(slot.v) = kind.factor(x, slot.v);
      return MatrixX<double>(factors.asDiagonal());
    };
    MatrixX<double> A = columns(of_units, model.nv());
    const bool in_energy = is_armature && of_.missing().count("kinetic_energy");
    if (is_armature && beside_.size()) A.bottomRows(beside_.size()) = beside_by_armature_;
    const auto make = [this, kind, A, in_energy, is_friction, has_own_law](const VectorX<double>& solution,
                                                                           const auto&) -> std::optional<Hypothesis> {
      std::map<std::string, double> values;
      std::string more_words, less_words;
      bool both_signs = false;  // else a constant would do as well as a friction
      for (const JointSlot& slot : model_->joints()) {
        const double value = solution(slot.v);
        if (slot.nv != 1 || !is_seen(A.col(slot.v) * value)) continue;
        values[slot.name] = value;
        std::string& words = value > 0 ? more_words : less_words;
        words += (words.empty() ? "" : ", ") + number(std::abs(value)) + " at '" + slot.name + "'";
        both_signs = both_signs || (A.col(slot.v).maxCoeff() > 0 && A.col(slot.v).minCoeff() < 0);
      }
      if (values.empty() || (is_friction && !both_signs)) return std::nullopt;
      const auto said = [&](const char* how_much, const std::string& words) {
        return std::string(how_much) + " " + kind.name + " of the joints than ours: " + words;
      };
      Hypothesis found{std::string(kind.name) + "/other",
                       "Your numbers have " +
                           (more_words.empty() ? "" : said("more", more_words) + (less_words.empty() ? "" : ", and ")) +
                           (less_words.empty() ? "" : said("less", less_words)) +
                           (in_energy        ? "; it counts in the kinetic energy, too."
                            : kind.width > 0 ? "; it is smoothed over 0.001 rad/s or m/s, as compute does."
                                             : "."),
                       std::string("set the ") + kind.name + " of the joints to what the description says",
                       [values, kind](Machine& m) {
                         for (Joint& joint : m.mechanism.joints) {
                           const double ours = m.options.dynamics.*kind.used ? joint.*kind.value : 0;
                           const auto more = values.find(joint.name);
                           joint.*kind.value = more == values.end() ? ours : ours + more->second;
                         }
                         m.options.dynamics.*kind.used = true;
                       },
                       {},
                       {},
                       false,
                       static_cast<int>(values.size())};
      if (has_own_law)
        found.question = [width = kind.width](Question& x, const Situation&) { x.friction_width = width; };
      if (in_energy)
        found.answers = [values](Answers& a, const Situation& at) {
          const auto energy = a.find("kinetic_energy");
          if (energy == a.end()) return;
          for (const JointSlot& slot : at.model.joints())
            if (const auto more = values.find(slot.name); more != values.end())
              energy->second(0, 0) += 0.5 * more->second * at.question.qd(slot.v) * at.question.qd(slot.v);
        };
      return found;
    };
    all.push_back({kind.name, A, excess(), make, is_armature});
    if (!is_armature) continue;
    all.back().possible = changes_of_rotors(armatures());
    // A moment of inertia about the axis of the joint is felt as its armature is, where the joint that carries it is at
    // rest or parallel: in one joint alone, it may be either.
    all.push_back({"moment", A, excess(),
                   [this, A](const VectorX<double>& solution, const auto&) -> std::optional<Hypothesis> {
                     const JointSlot* one = nullptr;
                     for (const JointSlot& slot : model_->joints()) {
                       if (slot.nv != 1 || !is_seen(A.col(slot.v) * solution(slot.v))) continue;
                       if (one) return std::nullopt;
                       one = &slot;
                     }
                     if (!one) return std::nullopt;
                     const double more = solution(one->v), left = moment_about_joint(*one) + more;
                     const bool is_negative = left < 0 && is_seen(A.col(one->v) * left);
                     return is_negative ? std::nullopt : other_moment_about_joint(*one, more);
                   },
                   true});
  }
}

/// Those that ours counts, of all rates.
VectorX<double> Fit::armatures() const
{
  VectorX<double> all = VectorX<double>::Zero(model_->nv());
  if (!model_->options().dynamics.armature) return all;
  for (const JointSlot& slot : model_->joints())
    for (const Joint& joint : model_->mechanism().joints)
      if (joint.name == slot.name && slot.nv == 1) all(slot.v) = joint.armature;
  return all;
}

/// The hinge of a slot, if it is one.
const Joint* Fit::hinge(const JointSlot& slot) const
{
  for (const Joint& joint : model_->mechanism().joints)
    if (joint.name == slot.name && (joint.type == JointType::revolute || joint.type == JointType::continuous))
      return &joint;
  return nullptr;
}

/// What the body behind a hinge has about the axis of the hinge.
double Fit::moment_about_joint(const JointSlot& slot) const
{
  const Joint* joint = hinge(slot);
  if (!joint) return 0;
  const Ten pi = own_numbers(model_->link(joint->child).body);
  const Eigen::Vector3d a = Eigen::Vector3d(joint->axis[0], joint->axis[1], joint->axis[2]).normalized();
  Eigen::Matrix3d I;
  I << pi(4), pi(5), pi(6), pi(5), pi(7), pi(8), pi(6), pi(8), pi(9);
  return a.dot(I * a);
}

/// The link that a joint carries with another inertia about the axis of the joint.
std::optional<Hypothesis> Fit::other_moment_about_joint(const JointSlot& slot, double more) const
{
  const Joint* joint = hinge(slot);
  if (!joint) return std::nullopt;
  return Hypothesis{
      "inertia/parameters:" + joint->child,
      "In link '" + joint->child + "' your numbers have " + number(std::abs(more)) + " kg m^2 " +
          (more > 0 ? "more" : "less") + " about the axis of joint '" + slot.name + "', as far as they tell.",
      "compare the tensor of this link with the description",
      [link = joint->child, axis = joint->axis, more](Machine& m) {
        m.options.accept_unphysical = true;
        const Eigen::Vector3d a = Eigen::Vector3d(axis[0], axis[1], axis[2]).normalized();
        for (Link& l : m.mechanism.links) {
          if (l.name != link) continue;
          const auto& [x, y, z, w] = l.inertial_quaternion;
          const Eigen::Vector3d u = SO3<double>(Quaternion<double>{{x, y, z}, w}).matrix.eigen().transpose() * a;
          const std::array<std::pair<int, int>, 6> places{{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
          for (std::size_t k = 0; k < 6; ++k) l.inertia[k] += more * u(places[k].first) * u(places[k].second);
        }
      },
      {},
      {},
      false,
      1};
}
// [joint-numbers]

std::vector<Family> Fit::families()
{
  std::vector<Family> all;
  add_numbers_of_joints(all);
  add_gravity(all);
  add_points_of_wrenches(all);
  add_inertias(all);
  return all;
}

/// Few sums of the rows, which contradict most pairs of families already.
void Fit::mix(std::vector<Family>& families)
{
  const MatrixX<double> parts = MatrixX<double>::NullaryExpr(96, excess().size(), [](Eigen::Index i, Eigen::Index j) {
    return std::cos(1.7 * double(i * i + 1) * double(j + 1));
  });
  const MatrixX<double> sums = parts * rounding_.cwiseInverse().asDiagonal();
  for (Family& family : families) {
    family.mixed.resize(sums.rows(), family.A.cols() + 1);
    family.mixed << sums * family.A, sums * family.b;
  }
  excess_mixed_ = sums * excess();
  most_mixed_ = most_roundings(*model_) * parts.cwiseAbs().rowwise().sum().norm();
}

// [two-fits]
/** Two families whose unknowns are found together, from one linear system.
 *
 *  Gravity and the numbers of a body multiply each other, and two gravities are one. Both have to be needed.
 */
std::optional<std::pair<Hypothesis, Hypothesis>> Fit::fitted(const Family& a, const Family& b) const
{
  const auto is = [&](const char* one, const char* other) {
    return (a.kind == one && b.kind == other) || (a.kind == other && b.kind == one);
  };
  if (is("gravity", "inertia") || is("gravity", "gravity") || is("friction", "friction") || a.kind == "moment" ||
      b.kind == "moment" || a.kind == "turned gravity" || b.kind == "turned gravity")
    return std::nullopt;
  const Eigen::Index first = a.A.cols(), second = b.A.cols();
  MatrixX<double> A(a.A.rows(), first + second);
  A << a.A, b.A;
  // What a few sums of the rows contradict need not be looked at row by row.
  const Eigen::Index sums = a.mixed.rows();
  MatrixX<double> mixed(sums, first + second);
  mixed << a.mixed.leftCols(first), b.mixed.leftCols(second);
  const VectorX<double> left = a.b + b.b - excess();
  if (first + second < sums - 8) {
    const VectorX<double> of_both = a.mixed.rightCols(1) + b.mixed.rightCols(1) - excess_mixed_;
    const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(mixed);
    if ((of_both - mixed * qr.solve(of_both)).norm() > most_mixed_) return std::nullopt;
  }
  std::vector<int> bodies = a.bodies;
  bodies.insert(bodies.end(), b.bodies.begin(), b.bodies.end());
  if (a.bodies.empty() || b.bodies.empty()) bodies.clear();
  const auto x = solved(A, left, false, bodies);
  if (!x) return std::nullopt;
  if (!is_seen(a.A * x->head(first)) || !is_seen(b.A * x->tail(second))) return std::nullopt;
  // A diagonal has evidence of its own, in the zeros beside it.
  const Evidence found = evidence(A, left, bodies);
  const bool has_matrix = std::any_of(runs_.begin(), runs_.end(), [](const Run& run) { return run.column >= 0; });
  if (!(a.diagonal && has_matrix) && !found.tests(0, first)) return std::nullopt;
  if (!(b.diagonal && has_matrix) && !found.tests(first, second)) return std::nullopt;
  if (a.possible || b.possible) {
    const PossibleChanges of_a = a.possible.value_or(any_change(first)), of_b = b.possible.value_or(any_change(second));
    if (is_none_possible(*x, A, of_both(of_a, of_b))) return std::nullopt;
  }
  MatrixX<double> reversed(A.rows(), A.cols());
  reversed << b.A, a.A;
  const auto one = a.make(x->head(first), A), other = b.make(x->tail(second), reversed);
  if (!one || !other) return std::nullopt;
  return std::pair{*one, *other};
}
// [two-fits]

/// What a product makes of ours, of the quantities that are given in a state.
Answers expected(Investigation& of, const Product& product, const Investigation::State& state,
                 const std::vector<std::string>& names)
{
  if (product.empty()) return state.ours.values;
  std::vector<std::string> given;
  for (const std::string& name : names)
    if (state.theirs.count(name)) given.push_back(name);
  return of.predicted(product, state, given).value_or(Answers{});
}

// [assignment]
/// Joints in some order, found by assignment: entry by entry what is the same number in all states.
Hypotheses permuted(Investigation& of, const Product& product, const std::vector<std::string>& names)
{
  const Model<double>& model = of.model();
  const Eigen::Index n = model.nv();
  std::vector<std::string> looked_at;
  for (const char* name : {"inverse_dynamics", "forward_dynamics", "bias", "gravity_force", "mass_matrix"})
    if (std::find(names.begin(), names.end(), name) != names.end()) looked_at.emplace_back(name);
  std::vector<VectorX<double>> ours, theirs, roundings;
  for (const Investigation::State& state : of.sample()) {
    const Answers predicted = expected(of, product, state, looked_at);
    for (const std::string& name : looked_at) {
      const auto found = state.theirs.find(name);
      if (found == state.theirs.end() || !predicted.count(name)) continue;
      const MatrixX<double>& reference = predicted.at(name);
      const auto of_joints = [&](const MatrixX<double>& table) {
        return reference.cols() == n ? VectorX<double>(table.diagonal()) : VectorX<double>(table);
      };
      ours.push_back(of_joints(reference));
      theirs.push_back(of_joints(found->second));
      roundings.push_back(of_joints(rounding_of(name, state, model)));
    }
  }
  if (ours.size() < 2 || n < 2) return {};
  MatrixX<double> P = MatrixX<double>::Zero(n, n);
  std::string words;
  for (Eigen::Index j = 0; j < n; ++j) {
    Eigen::Index match = -1;
    for (Eigen::Index i = 0; i < n; ++i) {
      bool same = P.row(i).isZero();
      for (std::size_t s = 0; same && s < ours.size(); ++s)
        same = std::abs(ours[s](i) - theirs[s](j)) <= most_roundings(model) * roundings[s](i);
      if (same) {
        match = i;
        break;
      }
    }
    if (match < 0) return {};
    P(match, j) = 1;
    words += (j ? ", " : "") + std::to_string(match + 1);
  }
  if (P.isIdentity(0)) return {};
  return {{"layout/permuted_in_answers",
           "Your answers number the degrees of freedom otherwise: in our numbers " + words + ".",
           "address the joints by name when the answers are read",
           {},
           {},
           [basis = Basis{P, P.transpose(), 0 * P, P}](Answers& a, const Situation& at) {
             write_in(a, at, [&](Answers& all, const Situation& here) { change_basis(all, here, basis); });
           }}};
}
// [assignment]

// [fitted-answers]
/// What is left of one table in all states, if it misses digits there; and one column of it for each unknown.
struct Left {
  MatrixX<double> A;
  VectorX<double> b, rounding;

  void add(const MatrixX<double>& columns, const VectorX<double>& left, const VectorX<double>& rounding_of_left)
  {
    append(A, columns);
    append(b, left);
    append(rounding, rounding_of_left);
  }
  /// The unknowns, if twice as many rows meet them.
  std::optional<VectorX<double>> solved(const Model<double>& model) const
  {
    if (A.rows() < 2 * A.cols()) return std::nullopt;
    const Eigen::ColPivHouseholderQR<MatrixX<double>> qr(A);
    if (qr.rank() < A.cols()) return std::nullopt;
    const VectorX<double> x = qr.solve(b);
    if (!x.allFinite() || in_roundings(b - A * x, rounding) > most_roundings(model)) return std::nullopt;
    return x;
  }
};

/// A potential energy that is zero elsewhere, and Jacobians of another point of the link.
Hypotheses offsets_and_points(Investigation& of, const Product& product, const std::vector<std::string>& names)
{
  Hypotheses all;
  for (const std::string& name : names) {
    const bool is_energy = name == "potential_energy", is_jacobian = kind_of(name) == "jacobians";
    if ((!is_energy && !is_jacobian) || !of.missing().count(name)) continue;
    Left left;
    for (const Investigation::State& state : of.sample()) {
      const auto found = state.theirs.find(name);
      if (found == state.theirs.end()) continue;
      const Answers predicted = expected(of, product, state, {name});
      if (!predicted.count(name)) continue;
      const MatrixX<double>& ours = predicted.at(name);
      const MatrixX<double> more = found->second - ours, rounding = rounding_of(name, state, of.model());
      if (is_energy) {
        left.add(MatrixX<double>::Ones(1, 1), more.col(0), rounding.col(0));
        continue;
      }
      // The velocity of a point that is r away, in link axes: more by w x R r.
      const Question& x = of.question(state);
      const std::string rotations = "link_rotations";
      const MatrixX<double> R_of_links = answers(of.model(), x, {&rotations, 1}).at(rotations);
      Eigen::Matrix3d R;
      for (int k = 0; k < 9; ++k) R(k / 3, k % 3) = R_of_links(link_of(name, of.model()), k);
      for (Eigen::Index c = 0; c < ours.cols(); ++c) {
        const Eigen::Vector3d w = ours.col(c).head<3>();
        Eigen::Matrix3d by_point;
        by_point << 0, -w(2), w(1), w(2), 0, -w(0), -w(1), w(0), 0;
        left.add(by_point * R, more.col(c).tail<3>(), rounding.col(c).tail<3>());
      }
    }
    const auto x = left.solved(of.model());
    if (!x) continue;
    if (is_energy)
      all.push_back({"potential_energy/offset",
                     "Your potential energy is " + number((*x)(0)) + " J more in all states: it is zero elsewhere.",
                     "compare differences of it, or count it from the world's origin",
                     {},
                     {},
                     [more = (*x)(0)](Answers& a, const Situation&) {
                       if (a.count("potential_energy")) a["potential_energy"].array() += more;
                     },
                     false,
                     1});
    else
      all.push_back({"jacobian/of_point",
                     "Your Jacobian is that of the point (" + number((*x)(0)) + ", " + number((*x)(1)) + ", " +
                         number((*x)(2)) + ") m of the link, in its axes, not of its origin.",
                     "ask for the Jacobian of the link's origin",
                     {},
                     {},
                     [name, r = Eigen::Vector3d(*x)](Answers& a, const Situation& at) {
                       const auto found = a.find(name);
                       if (found == a.end()) return;
                       const MatrixX<double> R_of_links = answer(at, "link_rotations");
                       Eigen::Vector3d in_world = Eigen::Vector3d::Zero();
                       for (int k = 0; k < 9; ++k) in_world(k / 3) += R_of_links(link_of(name, at.model), k) * r(k % 3);
                       for (Eigen::Index c = 0; c < found->second.cols(); ++c) {
                         const Eigen::Vector3d w = found->second.col(c).head<3>();
                         found->second.col(c).tail<3>() += w.cross(in_world);
                       }
                     },
                     false,
                     3});
  }
  return all;
}
// [fitted-answers]

}  // namespace

Hypotheses fitted_answers(Investigation& investigation, const Product& product, const std::vector<std::string>& names)
{
  Hypotheses all = permuted(investigation, product, names);
  for (Hypothesis& one : offsets_and_points(investigation, product, names)) all.push_back(std::move(one));
  return all;
}

Hypotheses fitted_causes(Investigation& investigation, const Product& product, const std::vector<std::string>& names)
{
  Hypotheses all;
  if (product.empty()) all = fitted_answers(investigation, product, names);
  Fit fit(investigation, product, names);
  if (fit.empty()) return all;
  for (Hypothesis& mistake : fit.mistakes_in_one_link()) all.push_back(std::move(mistake));
  for (const Family& family : fit.families())
    if (auto found = fit.fitted(family)) all.push_back(std::move(*found));
  return all;
}

std::vector<std::pair<Hypothesis, Hypothesis>> pairs_of_fitted_causes(Investigation& investigation)
{
  std::vector<std::pair<Hypothesis, Hypothesis>> all;
  const Product none;
  Fit fit(investigation, none, investigation.names());
  if (fit.empty()) return all;
  std::vector<Family> families = fit.families();
  fit.mix(families);
  for (auto a = families.begin(); a != families.end(); ++a)
    for (auto b = std::next(a); b != families.end(); ++b)
      if (auto found = fit.fitted(*a, *b)) all.push_back(std::move(*found));
  return all;
}

}  // namespace articulate::oracle
