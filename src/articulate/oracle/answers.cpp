#include <articulate/oracle/answers.hpp>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loops.hpp>
#include <articulate/derivatives/jacobians.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/model/space_motion.hpp>
#include <articulate/motion/force_laws.hpp>
#include <articulate/oracle/coriolis_families.hpp>
#include <articulate/oracle/nudge.hpp>
#include <articulate/oracle/score.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace articulate::oracle {
namespace {

using enum Axis;

constexpr Quantity all_quantities[] = {
    {"inverse_dynamics", "the joint forces tau of q, qd and qdd, with gravity and external wrenches", "N m, N", forces,
     one, true},
    {"forward_dynamics", "the joint accelerations qdd of q, qd and tau, with gravity and external wrenches",
     "rad/s^2, m/s^2", rates, one, false, true},
    {"mass_matrix", "the derivatives of the joint forces with respect to qdd", "kg m^2, kg m, kg", forces, by_rates},
    {"inverse_mass_matrix", "the derivatives of the joint accelerations with respect to tau",
     "1/(kg m^2), 1/(kg m), 1/kg", rates, by_forces},
    {"bias", "the joint forces at zero qdd, with gravity and external wrenches", "N m, N", forces, one},
    {"gravity_force", "the joint forces that hold the machine at rest, without external wrenches", "N m, N", forces,
     one},
    {"coriolis_force", "the joint forces that qd alone needs, without gravity and external wrenches", "N m, N", forces,
     one},
    {"coriolis_matrix", "C of Christoffel's symbols: coriolis_force = C qd, dM/dt = C + C^T", "kg m^2/s, kg m/s, kg/s",
     forces, by_rates},
    {"kinetic_energy", "of all moving links", "J", one, one},
    {"potential_energy", "of all moving links, zero when their centre of mass is at the world's origin", "J", one, one},
    {"momentum", "of all moving links about the world's origin: angular, then linear, in world axes",
     "kg m^2/s, kg m/s", wrench, one},
    {"center_of_mass", "of all moving links, in the world", "m", space, one},
    {"center_of_mass_velocity", "in world axes", "m/s", space, one},
    {"center_of_mass_jacobian", "center_of_mass_velocity = J qd", "m, 1", space, by_rates},
    {"centroidal_momentum", "about the centre of mass: angular, then linear, in world axes", "kg m^2/s, kg m/s", wrench,
     one},
    {"centroidal_momentum_matrix", "centroidal_momentum = A qd", "kg m^2, kg m, kg", wrench, by_rates},
    {"centroidal_momentum_rate", "the derivative of centroidal_momentum with respect to time at qdd", "N m, N", wrench,
     one, true},
    {"link_rotations", "a row for each link: the rows of the matrix that takes link axes to world axes", "1", links,
     rotation},
    {"link_positions", "a row for each link: its origin in the world", "m", links, space},
    {"link_twists", "a row for each link: angular velocity, velocity of its origin, in its own axes", "rad/s, m/s",
     links, twist},
    {"link_twist_rates",
     "a row for each link: the component-wise derivatives of its twist, without gravity, at qdd: spatial acceleration "
     "in its own frame",
     "rad/s^2, m/s^2", links, twist, true},
    {"link_accelerations",
     "a row for each link: angular acceleration, acceleration of its origin, in world axes, without gravity: classical "
     "acceleration",
     "rad/s^2, m/s^2", links, twist, true},
    {"tip_jacobian", "of the last link: angular velocity and velocity of its origin, in world axes, = J qd", "1, m",
     twist, by_rates},
    {"jacobian:", "the same of the link that is named", "1, m", twist, by_rates},
    {"torque_regressor",
     "inverse dynamics without external wrenches = Y pi; pi: of each link that a moving joint carries, in the order of "
     "the rates, with all links fixed to it: mass, first moments x y z, moments of inertia xx xy xz yy yz zz about its "
     "origin in its axes",
     "per parameter", forces, parameters, true},
    {"gravity_regressor", "gravity_force = Y pi", "per parameter", forces, parameters},
    {"inverse_dynamics_by_q",
     "derivatives of inverse_dynamics with respect to q, external wrenches held in link axes; of ball and floating "
     "joints along turns about and slides along the link's axes, with qd held",
     "N m/rad, N m/m, N/rad, N/m", forces, by_displacement, true},
    {"inverse_dynamics_by_qd", "derivatives of inverse_dynamics with respect to qd", "N m s/rad, N s, N s/m", forces,
     by_rates, true},
    {"forward_dynamics_by_q", "derivatives of forward_dynamics with respect to q, as above", "1/s^2 and so on", rates,
     by_displacement, false, true},
    {"forward_dynamics_by_qd", "derivatives of forward_dynamics with respect to qd", "1/s and so on", rates, by_rates,
     false, true},
    {"closed_forward_dynamics", "the joint accelerations qdd of q, qd and tau while the loops stay closed",
     "rad/s^2, m/s^2", rates, one, false, true, true},
    {"constraint_force",
     "the joint forces A^T lambda that keep the loops closed in this motion; multipliers are compared as these",
     "N m, N", forces, one, false, true, true},
};

constexpr std::string_view of_a_family = "coriolis_matrix (";
constexpr Quantity coriolis_matrix_times_qd = {
    "coriolis_matrix times qd", "what every right C has in common: coriolis_force", "N m, N", forces, one};
constexpr Quantity coriolis_matrix_of_a_family = {of_a_family, "C of the family that is named",
                                                  "kg m^2/s, kg m/s, kg/s", forces, by_rates};

/// The family of `coriolis_matrix (ploen)`, if there is such a one.
std::optional<CoriolisFamily> named_family(std::string_view name)
{
  if (!name.starts_with(of_a_family)) return std::nullopt;
  for (const auto& [known, family] : coriolis_families)
    if (name.substr(of_a_family.size()) == known + ")") return family;
  return std::nullopt;
}

JointLaw<double> friction_law(double coulomb, double width)
{
  return JointLaw<double>(JointFriction{{}, {}, 0, 0, coulomb, width});
}

/// What several quantities need, found once.
class Calculation {
public:
  Calculation(const Model<double>& model, const Question& x)
      : model_(model), x_(x), none_(VectorX<double>::Zero(model.nv())), rnea_(model)
  {
    damping_ = friction_ = armature_ = none_;
    const JointDynamics& used = model.options().dynamics;
    if (!used.damping && !used.friction && !used.armature) return;
    for (const JointSlot& slot : model.joints())
      for (const Joint& joint : model.mechanism().joints) {
        if (joint.name != slot.name || slot.nv != 1) continue;
        if (used.damping) damping_(slot.v) = joint.damping;
        if (used.friction) friction_(slot.v) = joint.friction;
        if (used.armature) armature_(slot.v) = joint.armature;
      }
  }

  MatrixX<double> operator()(const std::string& name)
  {
    const auto is = [&](const char* other) { return name == other; };
    if (is("inverse_dynamics")) return at(x_.gravity, x_.qd, x_.qdd, x_.external_wrenches);
    if (is("forward_dynamics")) return forward();
    if (is("closed_forward_dynamics")) return closed().qdd();
    if (is("constraint_force")) return loops_->A.transpose() * closed().lambda();
    if (is("mass_matrix")) return mass_matrix();
    if (is("inverse_mass_matrix")) return inverse_mass_matrix();
    if (is("bias")) return at(x_.gravity, x_.qd, none_, x_.external_wrenches);
    if (is("gravity_force")) return at(x_.gravity, none_, none_, {});
    if (is("coriolis_force") || is("coriolis_matrix times qd")) return forces({}, x_.qd, none_, {});
    if (is("coriolis_matrix")) return coriolis_matrix(model_, x_.q, x_.qd);
    if (const auto family = named_family(name)) return coriolis_matrix(model_, x_.q, x_.qd, *family);
    if (name.ends_with("regressor"))
      return regressor_of(is("gravity_regressor") ? none_ : x_.qdd, is("gravity_regressor"));
    if (name.find("_by_q") != std::string::npos) return derivative(name);
    if (name.starts_with("center_of_mass") || name.starts_with("centroidal")) return whole(name);
    return kinematic(name);
  }

private:
  static MatrixX<double> single(double x) { return MatrixX<double>::Constant(1, 1, x); }
  static Vector6<double> six(const Twist<double>& V) { return coordinates(V); }

  /// Inverse dynamics with what the joints have of their own.
  VectorX<double> at(const Vector3<double>& gravity, const VectorX<double>& qd, const VectorX<double>& qdd,
                     const ExternalWrenches<double>& Fext)
  {
    return forces(gravity, qd, qdd, Fext) + armature_.cwiseProduct(qdd) + resistance(qd);
  }
  const VectorX<double>& forces(const Vector3<double>& gravity, const VectorX<double>& qd, const VectorX<double>& qdd,
                                const ExternalWrenches<double>& Fext)
  {
    rnea_.set_gravity(gravity);
    return rnea_(x_.q, qd, qdd, Fext);
  }
  VectorX<double> resistance(const VectorX<double>& qd) const
  {
    VectorX<double> forces = damping_.cwiseProduct(qd);
    for (Eigen::Index k = 0; k < forces.size(); ++k) forces(k) += coulomb_friction(friction_(k), qd(k), x_);
    return forces;
  }

  VectorX<double> forward()
  {
    ForwardDynamics<double> aba(model_);
    aba.set_gravity(x_.gravity);
    aba.set_armature(armature_);
    return aba(x_.q, x_.qd, x_.tau - resistance(x_.qd), x_.external_wrenches);
  }
  /// The motion with closed loops.
  const ConstrainedDynamics<double>& closed()
  {
    if (closed_) return *closed_;
    loops_.emplace(model_, *x_.loops);
    (*loops_)(x_.q, x_.qd);
    closed_ = std::make_unique<ConstrainedDynamics<double>>(
        model_, std::vector<bool>(static_cast<std::size_t>(model_.nv())), loops_->rows());
    closed_->tree.set_gravity(x_.gravity);
    closed_->tree.set_armature(armature_);
    (*closed_)(x_.q, x_.qd, none_, x_.tau - resistance(x_.qd), loops_->A, loops_->Adot_qd, x_.external_wrenches);
    return *closed_;
  }
  MatrixX<double> mass_matrix() const
  {
    MatrixX<double> M = CompositeBodies<double>(model_)(x_.q);
    M.diagonal() += armature_;
    return M;
  }
  MatrixX<double> inverse_mass_matrix() const
  {
    InverseMassMatrix<double> inverse(model_);
    inverse.set_armature(armature_);
    return inverse(x_.q);
  }

  MatrixX<double> regressor_of(const VectorX<double>& qdd, bool at_rest) const
  {
    Regressor<double> Y(model_);
    Y.set_gravity(x_.gravity);
    return at_rest ? Y.at_rest(x_.q) : Y(x_.q, x_.qd, qdd);
  }

  MatrixX<double> derivative(const std::string& name)
  {
    const bool forward_dynamics = name.starts_with("forward"), by_q = name.ends_with("by_q");
    const VectorX<double> qdd = forward_dynamics ? forward() : x_.qdd;
    at(x_.gravity, x_.qd, qdd, x_.external_wrenches);
    InverseDynamicsJacobians<double> J(model_);
    J(rnea_, x_.qd, qdd);
    MatrixX<double> of_forces = by_q ? J.dtau_dq : J.dtau_dqd;
    if (!by_q) of_forces.diagonal() += damping_;
    if (!by_q && x_.friction_width > 0)
      for (Eigen::Index k = 0; k < of_forces.rows(); ++k)
        of_forces(k, k) -= friction_law(friction_(k), x_.friction_width).loss_by_rate(x_.qd(k));
    return forward_dynamics ? MatrixX<double>(-(inverse_mass_matrix() * of_forces)) : of_forces;
  }

  MatrixX<double> whole(const std::string& name)
  {
    CentroidalMomentum<double> centroidal(model_);
    centroidal(x_.q, x_.qd);
    if (name == "center_of_mass") return centroidal.center.eigen();
    if (name == "center_of_mass_velocity") return centroidal.velocity.eigen();
    if (name == "center_of_mass_jacobian") return centroidal.J();
    if (name == "centroidal_momentum") return coordinates(centroidal.momentum);
    if (name == "centroidal_momentum_matrix") return centroidal.A;
    return coordinates(centroidal.momentum_rate(x_.qdd));
  }

  MatrixX<double> kinematic(const std::string& name)
  {
    if (!motion_) {
      motion_ = std::make_unique<SpaceMotion<double>>(model_);
      (*motion_)(x_.q, x_.qd, x_.qdd.size() ? x_.qdd : none_);
    }
    const SpaceMotion<double>& motion = *motion_;
    if (name == "kinetic_energy") return single(motion.kinetic_energy());
    if (name == "potential_energy") return single(motion.potential_energy(x_.gravity));
    if (name == "momentum") return coordinates(motion.momentum());
    const Indexed<Link>& links = model_.mechanism().links;
    if (name == "tip_jacobian") return motion.link_jacobian(model_.link(links.back().name), JacobianFrame::mixed);
    if (const std::size_t colon = name.find(':'); colon != std::string::npos)
      return motion.link_jacobian(model_.link(name.substr(colon + 1)), JacobianFrame::mixed);
    const Quantity& quantity = *find_quantity(name);
    MatrixX<double> rows(static_cast<Eigen::Index>(links.size()), shape(quantity, model_).second);
    for (Eigen::Index l = 0; l < rows.rows(); ++l) {
      const LinkFrame<double>& link = model_.link(links[l].name);
      const SE3<double> X = motion.link_pose(link);
      if (name == "link_rotations")
        for (int k = 0; k < 9; ++k) rows(l, k) = X.R.matrix(k / 3, k % 3);
      else if (name == "link_positions")
        rows.row(l) = X.p.eigen().transpose();
      else if (name == "link_twists")
        rows.row(l) = six(motion.link_twist(link)).transpose();
      else if (name == "link_twist_rates")
        rows.row(l) = six(motion.link_acceleration(link)).transpose();
      else
        rows.row(l) = six(motion.link_classical_acceleration(link, JacobianFrame::mixed)).transpose();
    }
    return rows;
  }

  const Model<double>& model_;
  const Question& x_;
  const VectorX<double> none_;
  VectorX<double> damping_, friction_, armature_;
  InverseDynamics<double> rnea_;
  std::unique_ptr<SpaceMotion<double>> motion_;
  std::optional<Loops<double>> loops_;
  std::unique_ptr<ConstrainedDynamics<double>> closed_;
};

bool moves_mass(const Model<double>& model)
{
  return std::any_of(model.outward().begin(), model.outward().end(),
                     [](const Body<double>& body) { return body.I.mass > 0; });
}

int length(Axis axis, const Model<double>& model)
{
  switch (axis) {
    case one:
      return 1;
    case space:
      return 3;
    case twist:
    case wrench:
      return 6;
    case rotation:
      return 9;
    case links:
      return static_cast<int>(model.mechanism().links.size());
    case parameters:
      return 10 * model.bodies();
    default:
      return model.nv();
  }
}

}  // namespace

std::span<const Quantity> quantities() { return all_quantities; }

const Quantity* find_quantity(std::string_view name)
{
  for (const Quantity& quantity : all_quantities)
    if (quantity.per_link() ? name.starts_with(quantity.name) : name == quantity.name) return &quantity;
  if (name == coriolis_matrix_times_qd.name) return &coriolis_matrix_times_qd;
  if (named_family(name)) return &coriolis_matrix_of_a_family;
  return nullptr;
}

bool is_coriolis_matrix(std::string_view name) { return name == "coriolis_matrix" || named_family(name); }

std::pair<int, int> shape(const Quantity& quantity, const Model<double>& model)
{
  return {length(quantity.rows, model), length(quantity.columns, model)};
}

namespace {

/// How an entry along an axis of a model differs in unit from others: angular and linear, parameters by power.
std::size_t unit_class(Axis axis, int index, const Model<double>& model)
{
  switch (axis) {
    case forces:
    case rates:
    case by_rates:
    case by_forces:
    case by_displacement:
      return model.rate_is_angular(index) ? 0 : 1;
    case twist:
    case wrench:
      return index < 3 ? 0 : 1;
    case parameters:
      return index % 10 == 0 ? 0 : index % 10 < 4 ? 1 : 2;
    default:
      return 0;
  }
}

}  // namespace

MatrixX<std::size_t> unit_groups(const Quantity& quantity, Eigen::Index rows, Eigen::Index columns,
                                 const Model<double>& model)
{
  MatrixX<std::size_t> groups(rows, columns);
  for (int i = 0; i < rows; ++i) groups.row(i).setConstant(3 * unit_class(quantity.rows, i, model));
  for (int j = 0; j < columns; ++j) groups.col(j).array() += unit_class(quantity.columns, j, model);
  return groups;
}

Rounding largest_change(const Quantity& quantity, const MatrixX<double>& from, const MatrixX<double>& to,
                        const Model<double>& model)
{
  Rounding largest{};
  const MatrixX<std::size_t> group = unit_groups(quantity, from.rows(), from.cols(), model);
  for (int i = 0; i < from.rows(); ++i)
    for (int j = 0; j < from.cols(); ++j) {
      const double change = std::abs(to(i, j) - from(i, j));
      double& of_unit = largest[group(i, j)];
      of_unit = std::isfinite(change) ? std::max(of_unit, change) : std::numeric_limits<double>::infinity();
    }
  return largest;
}

void add(Rounding& to, const Rounding& more)
{
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = std::max(to[k], more[k]);
}

Rounding rounding_of_product(const MatrixX<double>& C, const VectorX<double>& qd, const Model<double>& model)
{
  const MatrixX<double> moved = std::numeric_limits<double>::epsilon() * (C.cwiseAbs() * qd.cwiseAbs());
  return largest_change(coriolis_matrix_times_qd, MatrixX<double>::Zero(moved.rows(), 1), moved, model);
}

double reach(const Model<double>& model, const VectorX<double>& q)
{
  const auto length = [](const std::array<double, 3>& x) { return std::hypot(x[0], x[1], x[2]); };
  double sum = 0;
  for (const Joint& joint : model.mechanism().joints) sum += length(joint.position) + std::abs(joint.pitch);
  for (const Link& link : model.mechanism().links) {
    sum += length(link.center_of_mass);
    if (link.mass > 0) sum += std::sqrt((link.inertia[0] + link.inertia[3] + link.inertia[5]) / link.mass);
  }
  for (const JointSlot& joint : model.joints())
    for (int k = 0; k < joint.nq; ++k)
      if (joint.nq == 7 ? k < 3 : joint.nq == joint.nv && !model.rate_is_angular(joint.v + k))
        sum += std::abs(q(joint.q + k));
  return sum;
}

Rounding levers(const Quantity& quantity, double length)
{
  using enum Axis;
  const auto lever = [length](Axis axis, std::size_t unit) {
    if (axis == rates || axis == twist || axis == by_forces) return unit == 1 ? length : 1;
    if (axis == forces || axis == wrench || axis == by_rates || axis == by_displacement) return unit == 0 ? length : 1;
    return 1.0;
  };
  Rounding product;
  for (std::size_t k = 0; k < product.size(); ++k)
    product[k] = lever(quantity.rows, k / 3) * lever(quantity.columns, k % 3);
  return product;
}

void widen_for_zeros(Rounding& rounding, const Quantity& quantity, const Rounding& largest, double length)
{
  const Rounding lever = levers(quantity, length);
  double term = 0;
  for (std::size_t k = 0; k < largest.size(); ++k) term = std::max(term, largest[k] / lever[k]);
  for (std::size_t k = 0; k < largest.size(); ++k)
    if (largest[k] <= 10 * rounding[k])
      rounding[k] = std::max(rounding[k], std::numeric_limits<double>::epsilon() * term * lever[k]);
}

// [friction]
double coulomb_friction(double size, double rate, const Question& question)
{
  if (question.friction_width > 0) return -friction_law(size, question.friction_width).loss(rate);
  return size * ((rate > 0) - (rate < 0));
}
// [friction]

const LinkFrame<double>& own_link(const Model<double>& model, int body)
{
  return *std::find_if(model.links().begin(), model.links().end(),
                       [&](const LinkFrame<double>& link) { return link.body == body; });
}

bool can_answer(const Quantity& quantity, const Model<double>& model, const Question& question)
{
  if (quantity.needs_qdd && question.qdd.size() == 0) return false;
  if (quantity.needs_tau && question.tau.size() == 0) return false;
  if (quantity.needs_loops && !question.loops) return false;
  if (model.joint_that_moves_no_mass() && (quantity.needs_tau || quantity.name == "inverse_mass_matrix")) return false;
  const bool of_the_whole = quantity.name.starts_with("center_of_mass") || quantity.name.starts_with("centroidal");
  return !of_the_whole || moves_mass(model);
}

Answers answers(const Model<double>& model, const Question& question, std::span<const std::string> names)
{
  Calculation calculate(model, question);
  Answers table;
  for (const std::string& name : names) {
    const Quantity* quantity = find_quantity(name);
    if (!quantity) throw StateError("'" + name + "' is no quantity that is known here; `quantities` lists them.");
    if (!can_answer(*quantity, model, question))
      throw StateError(model.mechanism().source + ": " + name + " needs " +
                       (quantity->needs_qdd     ? "qdd"
                        : quantity->needs_loops ? "tau, loops, and a mass that every joint moves"
                                                : "tau, and a mass that every joint moves") +
                       ", which the question or the model does not give.");
    table[name] = calculate(name);
  }
  return table;
}

Oracle::Oracle(const Model<double>& model) : model_(model)
{
  ModelOptions options = model.options();
  options.accept_unphysical = true;  // a point or a rod may be moved off the border of what masses can have
  for (std::uint64_t seed = 1; seed <= 3; ++seed) nudged_.emplace_back(nudged(model.mechanism(), seed), options);
}

Reference Oracle::operator()(const Question& question, std::span<const std::string> names) const
{
  Reference reference{answers(model_, question, names), {}, {}};
  for (std::size_t k = 0; k < nudged_.size(); ++k)
    for (const auto& [name, moved] : answers(nudged_[k], nudged(question, k + 1), names))
      add(reference.rounding[name], largest_change(*find_quantity(name), reference.values[name], moved, model_));
  // What every right C has in common is found without a C: how far it is from ours times the rates is rounding, too.
  if (const auto product = reference.values.find(std::string(coriolis_matrix_times_qd.name));
      product != reference.values.end()) {
    const std::string name = "coriolis_matrix";
    const MatrixX<double> C = answers(model_, question, {&name, 1}).at(name), found_with_one = C * question.qd;
    add(reference.rounding[product->first],
        largest_change(coriolis_matrix_times_qd, product->second, found_with_one, model_));
    add(reference.rounding[product->first], rounding_of_product(C, question.qd, model_));
  }
  const double length = reach(model_, question.q);
  for (const auto& [name, value] : reference.values) {
    const Quantity& quantity = *find_quantity(name);
    const Rounding largest = largest_change(quantity, MatrixX<double>::Zero(value.rows(), value.cols()), value, model_);
    widen_for_zeros(reference.rounding[name], quantity, largest, length);
    reference.digits[name] = score(name, value, value, reference.rounding[name], model_).attainable;
  }
  return reference;
}

Reference reference(const Model<double>& model, const Question& question, std::span<const std::string> names)
{
  return Oracle(model)(question, names);
}

}  // namespace articulate::oracle
