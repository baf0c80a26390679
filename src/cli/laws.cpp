#include "laws.hpp"
#include <algorithm>
#include <articulate/group/matrices.hpp>
#include <articulate/model/displacement.hpp>
#include <cmath>
#include <optional>
#include <set>

namespace articulate::cli {

int Draws::next()
{
  if (at_ == kept_.size()) kept_.push_back(is_new_ ? static_cast<int>(generator_() % (2 * most + 1)) - most : 0);
  return kept_[at_++];
}

Vector3<double> Draws::vector(double size)
{
  const double x = number(size), y = number(size), z = number(size);
  return {x, y, z};
}

Quaternion<double> Draws::quaternion()
{
  const Vector3<double> v = vector(1);
  const double length = std::sqrt(1 + inner(v, v));
  return {1 / length * v, 1 / length};
}

namespace {

// --- another view of a machine --------------------------------------------------------------------------------------

/// Another view: the machine as it is then described, and how its numbers follow. What is not said stays.
struct Change {
  Mechanism mechanism;
  std::map<std::string, std::string> joints{}, links{};  ///< new names
  std::map<std::string, double> signs{}, zeros{};        ///< of joints: -1 if it counts backwards; where its zero is
  double mass = 1, length = 1, time = 1;                 ///< how many times larger the numbers become
  SE3<double> world{};                                   ///< the old frame of the world seen from the new one
  SE3<double> root{};                                    ///< the new frame of a free root seen from its old one
  std::set<std::string> unseen{};                        ///< links whose new frame moves otherwise than the old one
};

/// How the numbers of a quantity follow besides its rows and columns: factors energy^a and time^b.
struct Powers {
  std::string_view quantity;
  int energy, time;
};
constexpr Powers all_powers[] = {{"inverse_dynamics", 1, 0},
                                 {"forward_dynamics", 0, -2},
                                 {"mass_matrix", 1, 2},
                                 {"inverse_mass_matrix", -1, -2},
                                 {"bias", 1, 0},
                                 {"gravity_force", 1, 0},
                                 {"coriolis_force", 1, 0},
                                 {"kinetic_energy", 1, 0},
                                 {"potential_energy", 1, 0},
                                 {"momentum", 1, 1},
                                 {"center_of_mass", 0, 0},
                                 {"center_of_mass_velocity", 0, -1},
                                 {"center_of_mass_jacobian", 0, 0},
                                 {"centroidal_momentum", 1, 1},
                                 {"centroidal_momentum_matrix", 1, 2},
                                 {"centroidal_momentum_rate", 1, 0},
                                 {"link_rotations", 0, 0},
                                 {"link_positions", 0, 0},
                                 {"link_twists", 0, -1},
                                 {"link_twist_rates", 0, -2},
                                 {"link_accelerations", 0, -2},
                                 {"tip_jacobian", 0, 0},
                                 {"inverse_dynamics_by_q", 1, 0},
                                 {"inverse_dynamics_by_qd", 1, 1},
                                 {"forward_dynamics_by_q", 0, -2},
                                 {"forward_dynamics_by_qd", 0, -1}};

double moving_mass(const Model<double>& model)
{
  double mass = 0;
  for (const Body<double>& body : model.outward()) mass += body.I.mass;
  return mass;
}

/// The name that something has after a change.
std::string renamed(const std::map<std::string, std::string>& names, const std::string& name)
{
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

double number_of(const std::map<std::string, double>& numbers, const std::string& joint, double otherwise)
{
  const auto found = numbers.find(joint);
  return found == numbers.end() ? otherwise : found->second;
}

/// Carries numbers from one view to the other. With D by which rates change, forces change by D^-T.
class Carrier {
public:
  Carrier(const Situation& from, Change change)
      : change_(std::move(change)),
        before_(from.model()),
        energy_(change_.mass * change_.length * change_.length / (change_.time * change_.time)),
        to_{change_.mechanism, from.options, from.state, {}},
        after_(to_.model()),
        D_(MatrixX<double>::Zero(after_.nv(), before_.nv())),
        D_inverse_(D_.transpose())
  {
    for (const JointSlot& joint : before_.joints()) take(joint, from.state.q);
    const double T = change_.time;
    to_.state.qd = D_ * from.state.qd / T;
    to_.state.qdd = D_ * from.state.qdd / (T * T);
    to_.state.tau = energy_ * (D_inverse_.transpose() * from.state.tau);
    to_.state.gravity = change_.length / (T * T) * (change_.world.R * from.state.gravity);
    for (const auto& [link, F] : from.wrenches) {
      const bool is_root = before_.floating_base() && link == before_.links().front().name;
      const Wrench<double> here = is_root ? coAd(change_.root, F) : F;
      to_.wrenches[renamed(change_.links, link)] = {energy_ * here.m, energy_ / change_.length * here.f};
    }
  }

  const Situation& to() const { return to_; }
  const Model<double>& after() const { return after_; }

  /// What the table must be in the other view. Rows of links that one view alone knows are taken from `is`.
  MatrixX<double> operator()(const Powers& powers, MatrixX<double> x, const MatrixX<double>& is) const
  {
    using enum oracle::Axis;
    const oracle::Quantity& quantity = *oracle::find_quantity(powers.quantity);
    const Eigen::Matrix3d R = change_.world.R.matrix.eigen();
    const double L = change_.length, factor = std::pow(energy_, powers.energy) * std::pow(change_.time, powers.time);
    if (quantity.rows == links) return of_links(quantity, x, factor, is);
    if (quantity.rows == forces) x = D_inverse_.transpose() * x;
    if (quantity.rows == rates) x = D_ * x;
    if (quantity.rows == space) x = L * R * x;
    if (quantity.rows == twist || quantity.rows == wrench) {
      x.topRows(3) = R * x.topRows(3);
      x.bottomRows(3) = (quantity.rows == twist ? L : 1 / L) * R * x.bottomRows(3);
    }
    if (quantity.columns == by_rates || quantity.columns == by_displacement) x = x * D_inverse_;
    if (quantity.columns == by_forces) x = x * D_.transpose();
    x *= factor;

    // What is measured from the world's origin.
    const Vector3<double>& p = change_.world.p;
    if (powers.quantity == "center_of_mass") x += p.eigen();
    if (powers.quantity == "momentum") x.topRows(3) += p.eigen().cross(Eigen::Vector3d(x.bottomRows(3)));
    if (powers.quantity == "potential_energy") x(0, 0) -= moving_mass(after_) * inner(to_.state.gravity, p);
    return x;
  }

private:
  /// A joint's columns of D and its coordinates.
  void take(const JointSlot& joint, const VectorX<double>& q)
  {
    const std::string name = renamed(change_.joints, joint.name);
    const auto other = std::find_if(after_.joints().begin(), after_.joints().end(),
                                    [&](const JointSlot& slot) { return slot.name == name; });
    const double sign = number_of(change_.signs, joint.name, 1), zero = number_of(change_.zeros, joint.name, 0);
    const auto length = [&](int k) { return before_.rate_is_angular(joint.v + k) ? 1 : change_.length; };
    for (int k = 0; k < joint.nv; ++k) {
      D_(other->v + k, joint.v + k) = sign * length(k);
      D_inverse_(joint.v + k, other->v + k) = sign / length(k);
    }
    for (int k = 0; k < joint.nq; ++k) to_.state.q(other->q + k) = q(joint.q + k);
    if (joint.nq == joint.nv)
      for (int k = 0; k < joint.nq; ++k) to_.state.q(other->q + k) = sign * length(k) * (q(joint.q + k) - zero);
    if (joint.nq == 7) to_.state.q.segment(other->q, 3) *= change_.length;
    if (before_.floating_base() && joint.v == 0) take_base();
  }

  /// Of a floating base: T' = world T root, and its twist is seen from the new frame.
  void take_base()
  {
    const SE3<double> root = change_.root;
    D_.topLeftCorner(6, 6) *= Ad_matrix(inverse(root));
    D_inverse_.topLeftCorner(6, 6) = Ad_matrix(root) * D_inverse_.topLeftCorner(6, 6);
    VectorX<double>& q = to_.state.q;
    const Quaternion<double> orientation{{q(3), q(4), q(5)}, q(6)};
    const SE3<double> T =
        change_.world * SE3<double>{SO3<double>(orientation), Vector3<double>(q.head(3))} * change_.root;
    const Quaternion<double> turned = quaternion(T.R);
    q.head(7) << T.p.eigen(), turned.v.eigen(), turned.w;
  }

  MatrixX<double> of_links(const oracle::Quantity& quantity, const MatrixX<double>& x, double factor,
                           MatrixX<double> all) const
  {
    const Indexed<Link>&old = before_.mechanism().links, &now = after_.mechanism().links;
    const Eigen::Matrix3d R = change_.world.R.matrix.eigen();
    for (Eigen::Index l = 0; l < x.rows(); ++l) {
      if (change_.unseen.count(old[l].name)) continue;
      const std::string name = renamed(change_.links, old[l].name);
      const auto at =
          std::find_if(now.begin(), now.end(), [&](const Link& link) { return link.name == name; }) - now.begin();
      Eigen::RowVectorXd row = factor * x.row(l);
      if (quantity.name == "link_rotations") {
        using ByRows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
        const ByRows turned = R * ByRows(Eigen::Map<const ByRows>(row.data()));
        row = Eigen::Map<const Eigen::RowVectorXd>(turned.data(), 9);
      } else if (quantity.name == "link_positions") {
        row = (change_.length * row * R.transpose()).eval() + change_.world.p.eigen().transpose();
      } else {
        row.tail(3) *= change_.length;
        if (quantity.name == "link_accelerations")  // in world axes
          row << Eigen::RowVector3d(row.head(3) * R.transpose()), Eigen::RowVector3d(row.tail(3) * R.transpose());
      }
      all.row(at) = row;
    }
    return all;
  }

  const Change change_;
  const Model<double> before_;
  const double energy_;
  Situation to_;
  const Model<double> after_;
  MatrixX<double> D_, D_inverse_;
};

/// Every answer in the other view is the one that is carried there. A law that changes nothing of this machine is empty.
template <std::optional<Change> (*change)(const Situation&, Draws&)>
std::vector<Comparison> in_another_view(const Situation& from, Draws& draw, const Ask& ask)
{
  const std::optional<Change> other = change(from, draw);
  if (!other) return {};
  const Carrier carried(from, *other);
  Names names;
  for (const Powers& powers : all_powers)
    if (powers.quantity != "tip_jacobian" || !other->unseen.count(from.mechanism.links.back().name))
      names.push_back(powers.quantity);
  const oracle::Answers before = ask(from, names), after = ask(carried.to(), names);
  std::vector<Comparison> all;
  for (const Powers& powers : all_powers) {
    const std::string name(powers.quantity);
    if (before.count(name) && after.count(name))
      all.push_back({name, name, after.at(name), carried(powers, before.at(name), after.at(name)), carried.after()});
  }
  return all;
}

SE3<double> pose(const Joint& joint)
{
  const auto& q = joint.quaternion;
  return {SO3<double>(Quaternion<double>{{q[0], q[1], q[2]}, q[3]}),
          {joint.position[0], joint.position[1], joint.position[2]}};
}

void place(Joint& joint, const SE3<double>& T)
{
  const Quaternion<double> q = quaternion(T.R);
  joint.position = {T.p[0], T.p[1], T.p[2]};
  joint.quaternion = {q.v[0], q.v[1], q.v[2], q.w};
}

/// The same mass described in a frame whose pose in the old one is T.
void describe_in(Link& link, const SE3<double>& T)
{
  const SE3<double> back = inverse(T);
  const auto& q = link.inertial_quaternion;
  const Vector3<double> c =
      back * Vector3<double>{link.center_of_mass[0], link.center_of_mass[1], link.center_of_mass[2]};
  const Quaternion<double> turned = quaternion(back.R * SO3<double>(Quaternion<double>{{q[0], q[1], q[2]}, q[3]}));
  link.center_of_mass = {c[0], c[1], c[2]};
  link.inertial_quaternion = {turned.v[0], turned.v[1], turned.v[2], turned.w};
}

const std::string& root_of(const Mechanism& mechanism)
{
  const auto is_carried = [&](const Link& link) {
    return std::any_of(mechanism.joints.begin(), mechanism.joints.end(),
                       [&](const Joint& joint) { return joint.child == link.name; });
  };
  return std::find_if_not(mechanism.links.begin(), mechanism.links.end(), is_carried)->name;
}

/// A name that no link and no joint has.
std::string new_name(const Mechanism& mechanism, std::string name)
{
  const auto is_it = [&](const auto& one) { return one.name == name; };
  while (std::any_of(mechanism.links.begin(), mechanism.links.end(), is_it) ||
         std::any_of(mechanism.joints.begin(), mechanism.joints.end(), is_it))
    name += "_";
  return name;
}

/// Let a fixed joint hold a link.
void hold(Mechanism& mechanism, const std::string& parent, const std::string& child, const SE3<double>& T)
{
  Joint joint;
  joint.name = new_name(mechanism, "held");
  joint.type = JointType::fixed;
  joint.parent = parent, joint.child = child;
  place(joint, T);
  mechanism.joints.insert(mechanism.joints.begin(), joint);
}

bool is_screw(const Joint& joint)
{
  return joint.type == JointType::revolute || joint.type == JointType::continuous ||
         joint.type == JointType::prismatic || joint.type == JointType::helical;
}

// [laws]
/// A machine that stands elsewhere is the same machine, if gravity is turned with it.
std::optional<Change> world_frame(const Situation& from, Draws& draw)
{
  Change other{from.mechanism};
  other.world = draw.pose();
  if (from.options.floating_base) return other;
  const std::string ground = new_name(from.mechanism, "ground"), root = root_of(from.mechanism);
  other.mechanism.links.insert(other.mechanism.links.begin(), Link{ground});
  hold(other.mechanism, ground, root, other.world);
  return other;
}

/// The root link may have another frame: what is fixed to it is described anew, and its twist is seen from there.
std::optional<Change> base_frame(const Situation& from, Draws& draw)
{
  if (!from.options.floating_base) return {};
  Change other{from.mechanism};
  other.root = draw.pose();
  const std::string root = root_of(from.mechanism);
  other.unseen = {root};
  for (Link& link : other.mechanism.links)
    if (link.name == root) describe_in(link, other.root);
  for (Joint& joint : other.mechanism.joints)
    if (joint.parent == root) place(joint, inverse(other.root) * pose(joint));
  return other;
}

/// Names and the order of the file mean nothing; the last link stays the last, as it is the tip.
std::optional<Change> relabelling(const Situation& from, Draws& draw)
{
  Change other{from.mechanism};
  const auto shuffle = [&draw](auto& ones, int first) {
    for (int k = first; k > 1; --k) std::swap(ones[k - 1], ones[k - 1 - draw.below(k)]);
  };
  // The order of the alphabet is one, that of the file another.
  const auto relabel = [&](auto& ones, int first, const char* kind, std::map<std::string, std::string>& names) {
    shuffle(ones, first);
    for (std::size_t k = 0; k < ones.size(); ++k) ones[k].name = names[ones[k].name] = kind + std::to_string(1000 + k);
    shuffle(ones, first);
  };
  Indexed<Link>& links = other.mechanism.links;
  Indexed<Joint>& joints = other.mechanism.joints;
  relabel(links, static_cast<int>(links.size()) - 1, "link", other.links);
  relabel(joints, static_cast<int>(joints.size()), "joint", other.joints);
  for (Joint& joint : joints) joint.parent = other.links[joint.parent], joint.child = other.links[joint.child];
  return other;
}

/// A joint whose axis is turned round counts backwards.
std::optional<Change> axis_flip(const Situation& from, Draws& draw)
{
  Change other{from.mechanism};
  for (Joint& joint : other.mechanism.joints)
    if (is_screw(joint) && draw.below(2)) {
      for (double& x : joint.axis) x = -x;
      other.signs[joint.name] = -1;
    }
  if (other.signs.empty()) return {};
  return other;
}

/// A joint may count from another zero.
std::optional<Change> zero_shift(const Situation& from, Draws& draw)
{
  Change other{from.mechanism};
  for (Joint& joint : other.mechanism.joints)
    if (is_screw(joint)) {
      const double zero = other.zeros[joint.name] = draw.number(1);
      const Vector3<double> along{joint.axis[0], joint.axis[1], joint.axis[2]};
      const Vector3<double> a = 1 / std::sqrt(inner(along, along)) * along;
      const double turn = joint.type == JointType::prismatic ? 0 : zero;
      const double slide = joint.type == JointType::prismatic ? zero
                           : joint.type == JointType::helical ? joint.pitch * zero
                                                              : 0;
      place(joint, pose(joint) * SE3<double>{exp(turn * a), slide * a});
    }
  if (other.zeros.empty()) return {};
  return other;
}

/// Other units of mass, length and time, each a power of two.
std::optional<Change> in_units(const Situation& from, double mass, double length, double time)
{
  Change other{from.mechanism};
  other.mass = mass, other.length = length, other.time = time;
  for (Link& link : other.mechanism.links) {
    link.mass *= mass;
    for (double& x : link.center_of_mass) x *= length;
    for (double& x : link.inertia) x *= mass * length * length;
  }
  for (Joint& joint : other.mechanism.joints) {
    for (double& x : joint.position) x *= length;
    joint.pitch *= length;
  }
  return other;
}
std::optional<Change> mass_scale(const Situation& from, Draws& draw)
{
  return in_units(from, draw.below(2) ? 0.25 : 4, 1, 1);
}
std::optional<Change> length_scale(const Situation& from, Draws& draw)
{
  return in_units(from, 1, draw.below(2) ? 0.25 : 4, 1);
}
std::optional<Change> time_scale(const Situation& from, Draws& draw)
{
  return in_units(from, 1, 1, draw.below(2) ? 0.25 : 4);
}

/// A link is cut in two of half its mass, which a fixed joint holds together; some of what it carries hangs on the new one.
std::optional<Change> split(const Situation& from, Draws& draw)
{
  Change other{from.mechanism};
  Indexed<Link>& links = other.mechanism.links;
  Link& half = links[links.size() - 1 - static_cast<std::size_t>(draw.below(static_cast<int>(links.size())))];
  half.mass /= 2;
  for (double& x : half.inertia) x /= 2;
  const SE3<double> T = draw.pose();
  Link part = half;
  part.name = new_name(other.mechanism, "part");
  describe_in(part, T);
  for (Joint& joint : other.mechanism.joints)
    if (joint.parent == half.name && draw.below(2)) {
      joint.parent = part.name;
      place(joint, inverse(T) * pose(joint));
    }
  hold(other.mechanism, half.name, part.name, T);
  links.insert(links.begin(), part);  // the last link of the file stays the last: it is the tip
  return other;
}
// [laws]

// --- rates ----------------------------------------------------------------------------------------------------------

constexpr double rate_weights[] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};  ///< of the eighth order

/** Rates of answers in a motion through the state, by differences.
 *
 *  Any curve through the state with the velocity (qd, qdd) will do: q moves with constant qd, and qd with constant qdd.
 *  No answer oscillates faster than with w = 2 sum |qd|, as none has more than two sines of a joint in a product. Of a rate
 *  w the differences leave out w (w h)^8 / 630 and lose eps / h by rounding; with w h <= 1/32 the first is 1.4e-15 w, and
 *  the second 7e-15 w.
 */
oracle::Answers rates(const Situation& at, const Names& names, const Ask& ask)
{
  const Model<double> model = at.model();
  const double h = std::exp2(-5 - std::ceil(std::log2(std::max(1.0, 2 * at.state.qd.cwiseAbs().sum()))));
  oracle::Answers rates;
  for (int k = 1; k <= 4; ++k)
    for (const double t : {k * h, -k * h}) {
      Situation moved = at;
      displace(model, moved.state.q, VectorX<double>(t * at.state.qd));
      moved.state.qd += t * at.state.qdd;
      for (const auto& [name, value] : ask(moved, names)) {
        MatrixX<double>& rate = rates[name];
        if (rate.size() == 0) rate = MatrixX<double>::Zero(value.rows(), value.cols());
        rate += (t < 0 ? -1 : 1) * rate_weights[k - 1] / h * value;
      }
    }
  return rates;
}

bool has(const oracle::Answers& answers, std::initializer_list<const char*> names)
{
  return std::all_of(names.begin(), names.end(), [&](const char* name) { return answers.count(name); });
}

MatrixX<double> single(double x) { return MatrixX<double>::Constant(1, 1, x); }

// [rates]
/// Energy grows by the power of the joints and of the wrenches; without gravity and wrenches the kinetic energy alone does.
std::vector<Comparison> power_balance(const Situation& at, Draws&, const Ask& ask)
{
  const Model<double> model = at.model();
  const VectorX<double>& qd = at.state.qd;
  std::vector<Comparison> all;
  const oracle::Answers now = ask(at, {"inverse_dynamics", "link_twists"});
  const oracle::Answers rate = rates(at, {"kinetic_energy", "potential_energy"}, ask);
  if (has(now, {"inverse_dynamics", "link_twists"}) && has(rate, {"kinetic_energy", "potential_energy"})) {
    double power = qd.dot(now.at("inverse_dynamics").col(0));
    for (std::size_t l = 0; l < at.mechanism.links.size(); ++l)
      if (const auto F = at.wrenches.find(at.mechanism.links[l].name); F != at.wrenches.end())
        power += pairing(F->second,
                         Twist<double>(to_twist(now.at("link_twists").row(static_cast<Eigen::Index>(l)).transpose())));
    all.push_back({"the rate of kinetic_energy + potential_energy", "kinetic_energy",
                   rate.at("kinetic_energy") + rate.at("potential_energy"), single(power), model});
  }

  Situation weightless = at;
  weightless.state.gravity = {};
  weightless.wrenches.clear();
  const oracle::Answers force = ask(weightless, {"inverse_dynamics"});
  const oracle::Answers change = rates(weightless, {"mass_matrix"}, ask);
  const oracle::Answers M = ask(weightless, {"mass_matrix"});
  if (has(force, {"inverse_dynamics"}) && has(change, {"mass_matrix"}) && has(M, {"mass_matrix"}))
    all.push_back({"the rate of qd^T mass_matrix qd / 2", "kinetic_energy",
                   single(qd.dot(M.at("mass_matrix") * at.state.qdd + 0.5 * (change.at("mass_matrix") * qd))),
                   single(qd.dot(force.at("inverse_dynamics").col(0))), model});
  return all;
}

/// The momentum is the mass times the velocity of its centre, and grows by what acts from outside.
std::vector<Comparison> momentum_rate(const Situation& pushed, Draws&, const Ask& ask)
{
  Situation at = pushed;
  at.wrenches.clear();
  const Model<double> model = at.model();
  const double mass = moving_mass(model);
  std::vector<Comparison> all;
  const oracle::Answers now = ask(at, {"momentum", "center_of_mass", "inverse_dynamics", "centroidal_momentum_rate"});
  const oracle::Answers rate = rates(at, {"momentum", "center_of_mass", "centroidal_momentum"}, ask);
  if (has(now, {"momentum"}) && has(rate, {"center_of_mass"}))
    all.push_back({"momentum by mass", "center_of_mass_velocity", now.at("momentum").bottomRows(3) / mass,
                   rate.at("center_of_mass"), model});
  if (has(now, {"centroidal_momentum_rate"}) && has(rate, {"centroidal_momentum"}))
    all.push_back({"the rate of centroidal_momentum", "centroidal_momentum_rate", rate.at("centroidal_momentum"),
                   now.at("centroidal_momentum_rate"), model});
  if (at.options.floating_base && has(now, {"inverse_dynamics", "center_of_mass"}) && has(rate, {"momentum"})) {
    const VectorX<double>& q = at.state.q;
    const SE3<double> T{SO3<double>(Quaternion<double>{{q(3), q(4), q(5)}, q(6)}), Vector3<double>(q.head(3))};
    const Wrench<double> base = to_wrench(now.at("inverse_dynamics").topRows(6).col(0));
    const Wrench<double> weight =
        wrench_of_force(Vector3<double>(now.at("center_of_mass").col(0)), mass * at.state.gravity);
    all.push_back(
        {"the rate of momentum", "momentum", rate.at("momentum"), coordinates(coAdInv(T, base) + weight), model});
  }
  return all;
}

/// What falls freely feels no weight: gravity accelerates the base and changes nothing else.
std::vector<Comparison> free_fall(const Situation& at, Draws&, const Ask& ask)
{
  if (!at.options.floating_base) return {};
  const VectorX<double>& q = at.state.q;
  const SO3<double> R(Quaternion<double>{{q(3), q(4), q(5)}, q(6)});
  VectorX<double> falling = VectorX<double>::Zero(at.state.qd.size());
  falling.segment(3, 3) = (inverse(R) * at.state.gravity).eigen();
  Situation weightless = at, faster = at;
  weightless.state.gravity = {};
  faster.state.qdd += falling;
  const oracle::Answers force = ask(faster, {"inverse_dynamics"}), fall = ask(at, {"forward_dynamics"});
  const oracle::Answers rest = ask(weightless, {"inverse_dynamics", "forward_dynamics"});
  std::vector<Comparison> all;
  if (has(force, {"inverse_dynamics"}) && has(rest, {"inverse_dynamics"}))
    all.push_back({"inverse_dynamics in free fall", "inverse_dynamics", force.at("inverse_dynamics"),
                   rest.at("inverse_dynamics"), at.model()});
  if (has(fall, {"forward_dynamics"}) && has(rest, {"forward_dynamics"}))
    all.push_back({"forward_dynamics in free fall", "forward_dynamics", fall.at("forward_dynamics"),
                   rest.at("forward_dynamics") + falling, at.model()});
  return all;
}
// [rates]

constexpr std::string_view any = "any quantity", floating = "a floating base";
const Law all_laws[] = {
    {"world_frame", "a machine that stands elsewhere is the same machine", any, in_another_view<world_frame>},
    {"base_frame", "a floating base may be described in another frame", floating, in_another_view<base_frame>},
    {"relabelling", "names and the order of the file mean nothing", any, in_another_view<relabelling>},
    {"axis_flip", "a joint whose axis is turned round counts backwards", any, in_another_view<axis_flip>},
    {"zero_shift", "a joint may count from another zero", any, in_another_view<zero_shift>},
    {"mass_scale", "forces grow with all masses", any, in_another_view<mass_scale>},
    {"length_scale", "all lengths may have another unit", any, in_another_view<length_scale>},
    {"time_scale", "all times may have another unit", any, in_another_view<time_scale>},
    {"split", "two halves held by a fixed joint are one link", any, in_another_view<split>},
    {"power_balance", "energy grows by the power of all forces",
     "inverse_dynamics, with mass_matrix or with both energies and link_twists", power_balance},
    {"momentum_rate", "momentum is mass times velocity, and grows by what acts from outside",
     "momentum and center_of_mass, or centroidal_momentum and its rate", momentum_rate},
    {"free_fall", "what falls freely feels no weight", "a floating base, and inverse_dynamics or forward_dynamics",
     free_fall},
};

}  // namespace

std::span<const Law> laws() { return all_laws; }

}  // namespace articulate::cli
