#include <articulate/group/matrices.hpp>
#include <articulate/model/kinematics.hpp>
#include <articulate/oracle/hypothesis.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <deque>
#include <numbers>
#include <numeric>
#include <set>

namespace articulate::oracle {
namespace {

using Matrix3d = Eigen::Matrix3d;
using Matrix6d = Matrix6<double>;

constexpr double degree = std::numbers::pi / 180;

// [base-basis]
using Complex = std::complex<double>;

/// How a basis of a free base's velocity is made of ours: V = X nu, and what X changes by in time.
template <typename Scalar>
using MakeBasis = void (*)(const SE3<Scalar>& T, const Twist<Scalar>& V, Matrix6<Scalar>& X, Matrix6<Scalar>& Xdot);

struct BaseBasis {
  const char *key, *words;
  bool linear_first;
  MakeBasis<double> of;
  MakeBasis<Complex> of_complex;  ///< the same, for derivatives by a complex step
  bool of_center = false;         ///< the velocity is that of the base link's centre of mass
};

template <typename Scalar>
Eigen::Matrix<Scalar, 3, 3> skew_matrix(const Vector3<Scalar>& w)
{
  return skew(w).eigen();
}

template <typename Scalar>
void body_axes(const SE3<Scalar>&, const Twist<Scalar>&, Matrix6<Scalar>& X, Matrix6<Scalar>& Xdot)
{
  X.setIdentity(), Xdot.setZero();
}
template <typename Scalar>
void world_axes(const SE3<Scalar>& T, const Twist<Scalar>& V, Matrix6<Scalar>& X, Matrix6<Scalar>& Xdot)
{
  const Eigen::Matrix<Scalar, 3, 3> Rt = T.R.matrix.eigen().transpose(), rate = -skew_matrix(V.w) * Rt;
  X.setZero(), Xdot.setZero();
  X.template topLeftCorner<3, 3>() = X.template bottomRightCorner<3, 3>() = Rt;
  Xdot.template topLeftCorner<3, 3>() = Xdot.template bottomRightCorner<3, 3>() = rate;
}
template <typename Scalar>
void world_linear(const SE3<Scalar>& T, const Twist<Scalar>& V, Matrix6<Scalar>& X, Matrix6<Scalar>& Xdot)
{
  world_axes(T, V, X, Xdot);
  X.template topLeftCorner<3, 3>().setIdentity(), Xdot.template topLeftCorner<3, 3>().setZero();
}
template <typename Scalar>
void world_point(const SE3<Scalar>& T, const Twist<Scalar>& V, Matrix6<Scalar>& X, Matrix6<Scalar>& Xdot)
{
  X = Ad_matrix(inverse(T));
  Xdot = -ad_matrix(V) * X;
}
/// Rates of position and of roll, pitch and yaw, R = R_z(yaw) R_y(pitch) R_x(roll).
template <typename Scalar>
void euler_rates(const SE3<Scalar>& T, const Twist<Scalar>& V, Matrix6<Scalar>& X, Matrix6<Scalar>& Xdot)
{
  using std::sqrt;
  using Matrix = Eigen::Matrix<Scalar, 3, 3>;
  world_linear(T, V, X, Xdot);
  const auto& R = T.R.matrix;
  const Scalar sp = -R(2, 0), cp = sqrt(R(2, 1) * R(2, 1) + R(2, 2) * R(2, 2)), sr = R(2, 1) / cp, cr = R(2, 2) / cp;
  const Scalar zero(0), one(1);
  Matrix E, by_roll, by_pitch;
  E << one, zero, -sp, zero, cr, sr * cp, zero, -sr, cr * cp;
  by_roll << zero, zero, zero, zero, -sr, cr * cp, zero, -cr, -sr * cp;
  by_pitch << zero, zero, -cp, zero, zero, -sr * sp, zero, zero, -cr * sp;
  const Eigen::Matrix<Scalar, 3, 1> rates = E.inverse() * V.w.eigen();
  X.template topLeftCorner<3, 3>() = E;
  Xdot.template topLeftCorner<3, 3>() = rates(0) * by_roll + rates(1) * by_pitch;
}

constexpr BaseBasis base_bases[] = {
    {"body_linear_first", "in the base's own axes, linear first", true, body_axes<double>, body_axes<Complex>},
    {"world_angular_first", "in world axes at the base's origin, angular first", false, world_axes<double>,
     world_axes<Complex>},
    {"world_linear_first", "in world axes at the base's origin, linear first", true, world_axes<double>,
     world_axes<Complex>},
    {"world_linear_body_angular", "linear in world axes first, then angular in the base's own axes", true,
     world_linear<double>, world_linear<Complex>},
    {"body_angular_world_linear", "angular in the base's own axes first, then linear in world axes", false,
     world_linear<double>, world_linear<Complex>},
    {"world_point_angular_first", "a spatial twist: in world axes, of the point at the world's origin, angular first",
     false, world_point<double>, world_point<Complex>},
    {"world_point_linear_first", "a spatial twist: in world axes, of the point at the world's origin, linear first",
     true, world_point<double>, world_point<Complex>},
    {"euler_rates", "rates of the position first, then of roll, pitch and yaw", true, euler_rates<double>,
     euler_rates<Complex>},
    {"euler_rates_angles_first", "rates of roll, pitch and yaw first, then of the position", false, euler_rates<double>,
     euler_rates<Complex>},
    {"center_of_mass_angular_first", "in world axes, of the base link's centre of mass, angular first", false,
     world_axes<double>, world_axes<Complex>, true},
    {"center_of_mass_linear_first", "in world axes, of the base link's centre of mass, linear first", true,
     world_axes<double>, world_axes<Complex>, true}};
// [base-basis]

/// From the velocity of a point of the base to that of its origin.
Matrix6d from_point(const Eigen::Vector3d& point) { return Ad_matrix(SE3<double>{{}, {point[0], point[1], point[2]}}); }

/// Of the link that no joint carries.
Eigen::Vector3d center_of_base(const Mechanism& mechanism)
{
  const auto is_root = [&](const Link& link) {
    return std::none_of(mechanism.joints.begin(), mechanism.joints.end(),
                        [&](const Joint& joint) { return joint.child == link.name; });
  };
  const auto& center = std::find_if(mechanism.links.begin(), mechanism.links.end(), is_root)->center_of_mass;
  return {center[0], center[1], center[2]};
}

SE3<double> base_pose(const VectorX<double>& q)
{
  return {SO3<double>(Quaternion<double>{{q(3), q(4), q(5)}, q(6)}), {q(0), q(1), q(2)}};
}
Twist<double> base_twist(const VectorX<double>& qd) { return to_twist(Vector6<double>(qd.head<6>())); }

/// The inverse of a matrix whose upper right block is zero.
Matrix6d inverse_of_blocks(const Matrix6d& X)
{
  const Matrix3d angular = X.topLeftCorner<3, 3>().inverse(), linear = X.bottomRightCorner<3, 3>().inverse();
  Matrix6d inverse = Matrix6d::Zero();
  inverse.topLeftCorner<3, 3>() = angular;
  inverse.bottomRightCorner<3, 3>() = linear;
  inverse.bottomLeftCorner<3, 3>() = -linear * X.bottomLeftCorner<3, 3>() * angular;
  return inverse;
}

// [moving-basis]
/// How a basis, and the drift of its rates, change along displacements and with rates, by a complex step.
void add_changes(const BaseBasis& base, const Matrix6d& from, const SE3<double>& T, const Vector6<double>& nu,
                 const Matrix6d& order, Basis& basis)
{
  constexpr double step = 1e-100;
  const Eigen::Index n = basis.X.rows();
  basis.X_by_displacement.assign(6, MatrixX<double>::Zero(n, n));
  basis.drift_by_displacement = basis.drift_by_rates = MatrixX<double>::Zero(n, n);
  // The basis and the drift where the base is displaced by a twist and its rates are others.
  const auto changed = [&](const Twist<double>& d, const Vector6<double>& of_rates, Matrix6<Complex>& X) {
    SE3<Complex> moved;
    const Vector3<double> along = T.R * d.v;
    for (int i = 0; i < 3; ++i) {
      moved.p[i] = Complex(T.p[i], step * along[i]);
      const Vector3<double> turned = cross(T.R.matrix.row(i), d.w);
      for (int j = 0; j < 3; ++j) moved.R.matrix(i, j) = Complex(T.R.matrix(i, j), step * turned[j]);
    }
    const Vector6<double> given = order * nu, more = step * order * of_rates;
    Eigen::Matrix<Complex, 6, 1> rates;
    for (int i = 0; i < 6; ++i) rates(i) = Complex(given(i), more(i));
    Matrix6<Complex> Xdot;
    base.of_complex(moved, Twist<Complex>{}, X, Xdot);
    const Eigen::Matrix<Complex, 6, 1> V = X * rates;
    base.of_complex(moved, {{V(0), V(1), V(2)}, {V(3), V(4), V(5)}}, X, Xdot);
    return Vector6<double>(from * (Xdot * rates).imag() / step);
  };
  for (int k = 0; k < 6; ++k) {
    Matrix6<Complex> X;
    const Vector6<double> d = basis.displacement.topLeftCorner<6, 6>().col(k);
    basis.drift_by_displacement.col(k).head<6>() = changed(to_twist(d), Vector6<double>::Zero(), X);
    basis.X_by_displacement[static_cast<std::size_t>(k)].topLeftCorner<6, 6>() = from * X.imag() / step * order;
    basis.drift_by_rates.col(k).head<6>() = changed({}, Vector6<double>::Unit(k), X);
  }
}
// [moving-basis]

/// The basis of all rates where that of the base is theirs; its changes are asked for where derivatives are written in it.
Basis basis_of_all(const BaseBasis& base, const Matrix6d& from, const Question& x, bool numbers_are_theirs,
                   bool with_changes)
{
  const Eigen::Index nv = x.qd.size();
  Matrix6d X, Xdot, order = Matrix6d::Identity();
  if (base.linear_first)
    order << Matrix6d::Zero().topRows<3>().leftCols<3>(), Matrix3d::Identity(), Matrix3d::Identity(), Matrix3d::Zero();
  const SE3<double> T = base_pose(x.q);
  Twist<double> V = base_twist(x.qd);
  base.of(T, V, X, Xdot);
  if (numbers_are_theirs) {
    V = to_twist(Vector6<double>(from * X * order * x.qd.head<6>()));
    base.of(T, V, X, Xdot);
  }
  X = (from * X).eval(), Xdot = (from * Xdot).eval();
  const MatrixX<double> one = MatrixX<double>::Identity(nv, nv);
  Basis basis{one, one, 0 * one, one};
  basis.X.topLeftCorner<6, 6>() = X * order;
  basis.inverse.topLeftCorner<6, 6>() = order.transpose() * inverse_of_blocks(X);
  basis.Xdot.topLeftCorner<6, 6>() = Xdot * order;
  // Displacements of a floating joint are written as its velocity is, but for angles, which no one uses for them.
  basis.displacement = basis.X;
  if (with_changes && base.of != body_axes<double>)
    add_changes(base, from, T, (basis.inverse * x.qd).head<6>(), order, basis);
  return basis;
}

/// Numbers that were written in our basis, read in theirs.
void read_in(Question& x, const Basis& basis)
{
  const VectorX<double> nu = x.qd;
  x.qd = basis.X * nu;
  if (x.qdd.size()) x.qdd = basis.X * x.qdd + basis.Xdot * nu;
  if (x.tau.size()) x.tau = VectorX<double>(basis.inverse.transpose() * x.tau);
}

void add_base_velocity(Hypotheses& all, const Model<double>& model)
{
  if (!model.floating_base()) return;
  for (const BaseBasis& base : base_bases) {
    const auto basis_of =
        [&base, from = from_point(base.of_center ? center_of_base(model.mechanism()) : Eigen::Vector3d::Zero())](
            const Question& x, bool numbers_are_theirs, bool with_changes) {
          return basis_of_all(base, from, x, numbers_are_theirs, with_changes);
        };
    const std::string key = std::string("base_velocity/") + base.key;
    const auto outputs = [basis_of](Answers& a, const Situation& at) {
      const bool with_derivatives = std::any_of(
          a.begin(), a.end(), [](const auto& answer) { return answer.first.find("_by_q") != std::string::npos; });
      change_basis(a, at, basis_of(at.question, false, with_derivatives));
    };
    all.push_back({key,
                   std::string("You read the velocity, acceleration and force of the free base ") + base.words +
                       "; ours are in the base's own axes, angular first.",
                   std::string("convert qd, qdd and tau of the base from its body twist to velocities ") + base.words +
                       ", with the term X-dot in qdd, and the answers back",
                   {},
                   [basis_of](Question& x, const Situation&) { read_in(x, basis_of(x, true, false)); },
                   outputs});
    all.push_back({key + "_in_answers",
                   std::string("You write accelerations, forces and matrices of the free base ") + base.words +
                       "; ours are in the base's own axes, angular first.",
                   std::string("convert the base's rows and columns of the answers from velocities ") + base.words +
                       " to its body twist",
                   {},
                   {},
                   [outputs](Answers& a, const Situation& at) { write_in(a, at, outputs); }});
    if (base.of != body_axes<double>) {
      all.push_back(
          {key + "_in_answers_without_drift",
           std::string("You turn accelerations, forces and matrices of the free base to axes ") + base.words +
               ", as they are, without what the moving axes add.",
           "add X-dot times the rates where accelerations are converted, and M X-dot times the rates to forces "
           "without accelerations",
           {},
           {},
           [basis_of](Answers& a, const Situation& at) {
             write_in(a, at, [&](Answers& all_of, const Situation& here) {
               Basis still = basis_of(here.question, false, false);
               still.Xdot.setZero();
               change_basis(all_of, here, still);
             });
           }});
      all.back().alone = true;
    }
    // [misread-base]
    struct Reading {
      const char *key, *words;
      void (*of)(Question& x, const Basis& basis);
    };
    static constexpr Reading readings[] = {
        {"_in_state", "the velocity, acceleration and force",
         [](Question& x, const Basis& basis) { read_in(x, basis); }},
        {"_of_motion", "the velocity and the acceleration",
         [](Question& x, const Basis& basis) {
           const VectorX<double> tau = x.tau;
           read_in(x, basis);
           x.tau = tau;
         }},
        {"_of_rates", "the velocity alone",
         [](Question& x, const Basis& basis) { x.qd = VectorX<double>(basis.X * x.qd); }},
        {"_of_accelerations", "the acceleration alone", [](Question& x, const Basis& basis) {
           if (x.qdd.size()) x.qdd = VectorX<double>(basis.X * x.qdd);
         }}};
    for (const Reading& reading : readings)
      all.push_back({key + reading.key,
                     std::string("You read ") + reading.words + " of the free base " + base.words +
                         ", and they are given in the base's own axes, angular first; your answers are in ours.",
                     std::string("convert them from the base's body twist to velocities ") + base.words,
                     {},
                     [basis_of, of = reading.of](Question& x, const Situation&) { of(x, basis_of(x, true, false)); }});
    if (base.of != body_axes<double>)
      all.push_back({key + "_without_drift",
                     std::string("You read and write velocity, acceleration and force of the free base ") + base.words +
                         ", and convert accelerations without the term X-dot of the moving axes.",
                     "add X-dot times the rates where accelerations are converted",
                     {},
                     [basis_of](Question& x, const Situation&) {
                       Basis still = basis_of(x, true, false);
                       still.Xdot.setZero();
                       read_in(x, still);
                     },
                     [basis_of](Answers& a, const Situation& at) {
                       Basis still = basis_of(at.question, false, false);
                       still.Xdot.setZero();
                       change_basis(a, at, still);
                     }});
    // [misread-base]
  }
  all.push_back(
      {"base_acceleration/classical",
       "The linear acceleration of the free base is that of its origin, and ours is the derivative of the body "
       "twist, which is less by w x v: the term of T-dot is missing.",
       "subtract w x v from the base's linear acceleration in its own axes before qdd is handed over, and add it "
       "to what comes back",
       {},
       [](Question& x, const Situation&) {
         if (x.qdd.size() == 0) return;
         const Twist<double> V = base_twist(x.qd);
         x.qdd.segment<3>(3) -= cross(V.w, V.v).eigen();
       },
       [](Answers& a, const Situation& at) {
         const auto found = a.find("forward_dynamics");
         if (found == a.end()) return;
         const Twist<double> V = base_twist(at.question.qd);
         found->second.block<3, 1>(3, 0) += cross(V.w, V.v).eigen();
       }});
}

/// Rates of ball joints in the axes of what carries them, which the joint turns, and itself with them; or along principal axes.
void add_ball_velocity(Hypotheses& all, const Model<double>& model)
{
  std::vector<JointSlot> balls;
  for (const JointSlot& slot : model.joints())
    if (slot.type == JointType::ball) balls.push_back(slot);
  if (balls.empty()) return;
  const int nv = model.nv();
  const MatrixX<double> one = MatrixX<double>::Identity(nv, nv), none = MatrixX<double>::Zero(nv, nv);
  const auto of_parent = [balls, nv, one, none](const Question& x, bool numbers_are_theirs) {
    Basis basis{one, one, none, one, {}, none, none};
    basis.X_by_displacement.assign(static_cast<std::size_t>(nv), none);
    for (const JointSlot& ball : balls) {
      const auto q = x.q.segment<4>(ball.q);
      const Matrix3d R = SO3<double>(Quaternion<double>{{q(0), q(1), q(2)}, q(3)}).matrix.eigen(), Rt = R.transpose();
      const auto block = [&](MatrixX<double>& of) { return of.block<3, 3>(ball.v, ball.v); };
      const Eigen::Vector3d rates = x.qd.segment<3>(ball.v),
                            w = numbers_are_theirs ? Eigen::Vector3d(Rt * rates) : rates;
      block(basis.X) = Rt, block(basis.inverse) = R, block(basis.displacement) = Rt;
      block(basis.Xdot) = -skew_matrix(Vector3<double>(w)) * Rt;
      for (int k = 0; k < 3; ++k)
        block(basis.X_by_displacement[static_cast<std::size_t>(ball.v + k)]) =
            -skew_matrix(Vector3<double>(Eigen::Vector3d(Rt.col(k)))) * Rt;
    }
    return basis;
  };
  Basis principal{one, one, none, one};
  for (const JointSlot& ball : balls)
    for (const Joint& joint : model.mechanism().joints)
      for (const Link& link : model.mechanism().links)
        if (joint.name == ball.name && link.name == joint.child)
          principal.X.block<3, 3>(ball.v, ball.v) = principal_axes(link);
  principal.inverse = principal.X.transpose(), principal.displacement = principal.X;
  const auto of_principal = [principal](const Question&, bool) { return principal; };
  const auto add = [&](const std::string& key, const std::string& axes, const std::string& remedy, auto basis_of) {
    const std::string words = " of ball joints " + axes + "; ours are in the joint's own axes.";
    const auto out = [basis_of](Answers& a, const Situation& at) { change_basis(a, at, basis_of(at.question, false)); };
    all.push_back({"ball_velocity/" + key,
                   "You read rates, accelerations and forces" + words,
                   remedy,
                   {},
                   [basis_of](Question& x, const Situation&) { read_in(x, basis_of(x, true)); },
                   out});
    all.push_back({"ball_velocity/" + key + "_in_answers",
                   "You write accelerations, forces and matrices" + words,
                   remedy,
                   {},
                   {},
                   [out](Answers& a, const Situation& at) { write_in(a, at, out); }});
  };
  add("parent_axes", "in the axes of the link that carries them",
      "turn rates, accelerations and forces of ball joints by the joint's rotation", of_parent);
  add("principal_axes", "along the principal axes of the inertia of the link that they carry",
      "turn rates, accelerations and forces of ball joints from the principal axes to those of the link", of_principal);
}

// [layout]
/// The name of the joint on the other side, or the same.
std::string other_side(const std::string& name, const Indexed<JointSlot>& slots)
{
  static constexpr std::pair<const char*, const char*> sides[] = {
      {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"l_", "r_"}, {"_l", "_r"}, {"L", "R"}};
  for (const auto& [left, right] : sides)
    for (const auto& [one, other] : {std::pair<std::string, std::string>{left, right}, {right, left}})
      for (std::size_t at = name.find(one); at != std::string::npos; at = name.find(one, at + 1)) {
        std::string mirrored = name;
        mirrored.replace(at, one.size(), other);
        if (std::any_of(slots.begin(), slots.end(), [&](const JointSlot& slot) { return slot.name == mirrored; }))
          return mirrored;
      }
  return name;
}

/// The joints of a file from the root on, those of one link in the order of the file: level by level, or branch by branch.
std::vector<std::string> walked(const Mechanism& mechanism, bool by_level)
{
  std::set<std::string> children;
  for (const Joint& joint : mechanism.joints) children.insert(joint.child);
  std::vector<std::string> names;
  std::deque<const Joint*> next;
  const auto leave = [&](const std::string& link) {
    std::vector<const Joint*> joints;
    for (const Joint& joint : mechanism.joints)
      if (joint.parent == link) joints.push_back(&joint);
    next.insert(by_level ? next.end() : next.begin(), joints.begin(), joints.end());
  };
  for (const Link& link : mechanism.links)
    if (!children.count(link.name)) leave(link.name);
  while (!next.empty()) {
    const Joint& joint = *next.front();
    next.pop_front();
    names.push_back(joint.name);
    leave(joint.child);
  }
  return names;
}

/// The slots of the joints as another library numbers them; a free base stays in front. Empty if there is no such order.
std::vector<int> numbered(const Model<double>& model, const std::string& name)
{
  const Indexed<JointSlot>& slots = model.joints();
  std::vector<int> sequence(slots.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  const auto begin = sequence.begin() + (model.floating_base() ? 1 : 0);
  if (begin == sequence.end()) return {};
  if (name == "reversed") std::reverse(begin, sequence.end());
  if (name == "shifted") std::rotate(begin, begin + 1, sequence.end());
  if (name == "shifted_back") std::rotate(begin, sequence.end() - 1, sequence.end());
  if (name == "sides_exchanged") {
    for (auto at = begin; at != sequence.end(); ++at) {
      const std::string other = other_side(slots[*at].name, slots);
      *at = static_cast<int>(
          std::find_if(slots.begin(), slots.end(), [&](const JointSlot& slot) { return slot.name == other; }) -
          slots.begin());
    }
    std::vector<int> sorted = sequence;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
  }
  std::vector<int> place(slots.size());
  const bool by_file = name.ends_with("_by_file");
  const std::vector<std::string> walk =
      by_file ? walked(model.mechanism(), name == "breadth_by_file") : std::vector<std::string>{};
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (by_file) {
      place[s] = static_cast<int>(std::find(walk.begin(), walk.end(), slots[s].name) - walk.begin());
    } else if (name == "file") {
      const Indexed<Joint>& joints = model.mechanism().joints;
      place[s] = static_cast<int>(
          std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == slots[s].name; }) -
          joints.begin());
    } else if (name == "breadth") {
      for (const Body<double>* body = &model.body(slots[s].body); body->parent; body = &model.body(body->parent))
        ++place[s];
    }
  }
  if (by_file || name == "file" || name == "breadth")
    std::stable_sort(begin, sequence.end(), [&](int a, int b) {
      return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
    });
  if (name == "alphabet")
    std::stable_sort(begin, sequence.end(), [&](int a, int b) { return slots[a].name < slots[b].name; });
  return sequence;
}

/// For each of their numbers, of coordinates or of rates, the place of it among ours.
struct Places {
  std::vector<int> q, v;

  Places(const Model<double>& model, const std::vector<int>& sequence)
  {
    for (const int s : sequence) {
      const JointSlot& slot = model.joints()[s];
      for (int k = 0; k < slot.nq; ++k) q.push_back(slot.q + k);
      for (int k = 0; k < slot.nv; ++k) v.push_back(slot.v + k);
    }
  }
};

/// Joints in another order: in states and answers, in the answers, or in the states.
void add_order(Hypotheses& all, const std::string& key, const std::string& words, const Places& places, bool alone)
{
  const auto in = [places](Question& x, const Situation&) {
    const Question given = x;
    x.q(places.q) = given.q, x.qd(places.v) = given.qd;
    if (x.qdd.size()) x.qdd(places.v) = given.qdd;
    if (x.tau.size()) x.tau(places.v) = given.tau;
  };
  const auto out = [v = places.v](Answers& a, const Situation& at) {
    const auto n = static_cast<Eigen::Index>(v.size());
    const MatrixX<double> one = MatrixX<double>::Identity(n, n), P = one(Eigen::all, v);
    change_basis(a, at, {P, P.transpose(), 0 * P, P});
  };
  const std::string ours = "; ours are depth first, children by joint name.",
                    remedy = "address the joints by name when the state is handed over and the answers are read";
  all.push_back({key, "Your joints are numbered " + words + ours, remedy, {}, in, out});
  all.push_back({key + "_in_answers",
                 "Your answers number the joints " + words + ours,
                 remedy,
                 {},
                 {},
                 [out](Answers& a, const Situation& at) { write_in(a, at, out); }});
  all.push_back({key + "_in_state", "You read the state with joints numbered " + words + ours, remedy, {}, in});
  for (auto one = all.end() - 3; one != all.end(); ++one) one->alone = alone;
}

void add_layout(Hypotheses& all, const Model<double>& model)
{
  const std::pair<const char*, const char*> orders[] = {
      {"file", "in the order of the file"},
      {"breadth", "breadth first"},
      {"breadth_by_file", "breadth first, joints of one link in the order of the file"},
      {"depth_by_file", "depth first, joints of one link in the order of the file"},
      {"alphabet", "by the alphabet"},
      {"reversed", "in reverse order"},
      {"shifted", "from the second on, the first as the last"},
      {"shifted_back", "from the last, then the first and so on"},
      {"sides_exchanged", "with left and right exchanged"}};
  std::set<std::vector<int>> known;
  for (const auto& [order, words] : orders) {
    const std::vector<int> sequence = numbered(model, order);
    if (std::is_sorted(sequence.begin(), sequence.end()) || !known.insert(sequence).second) continue;
    add_order(all, std::string("layout/") + order, words, {model, sequence}, false);
  }
  if (model.floating_base() && model.nv() > 6) {
    Places places(model, numbered(model, "model"));
    std::rotate(places.v.begin(), places.v.begin() + 6, places.v.end());
    add_order(all, "layout/base_last", "with the six rates of the base behind those of the joints", places, false);
  }
  // [two-exchanged]
  const Indexed<JointSlot>& slots = model.joints();
  for (std::size_t i = 0; i < slots.size(); ++i)
    for (std::size_t j = i + 1; j < slots.size(); ++j) {
      if (slots[i].nq != 1 || slots[j].nq != 1) continue;
      std::vector<int> sequence(slots.size());
      std::iota(sequence.begin(), sequence.end(), 0);
      std::swap(sequence[i], sequence[j]);
      if (!known.insert(sequence).second) continue;
      add_order(all, "layout/exchanged:" + slots[i].name + "," + slots[j].name,
                "with '" + slots[i].name + "' and '" + slots[j].name + "' exchanged", {model, sequence}, true);
    }
  // [two-exchanged]

  std::vector<int> quaternions;
  for (const JointSlot& slot : model.joints())
    if (slot.nq > slot.nv) quaternions.push_back(slot.q + slot.nq - 4);
  if (quaternions.empty()) return;
  all.push_back({"layout/quaternion_wxyz",
                 "You read quaternions as w x y z, and they are given as x y z w.",
                 "hand over q with the quaternion's w first",
                 {},
                 [quaternions](Question& x, const Situation&) {
                   for (const int k : quaternions) {
                     const Eigen::Vector4d was = x.q.segment<4>(k);
                     x.q.segment<4>(k) << was(1), was(2), was(3), was(0);
                   }
                 }});
  all.push_back({"layout/quaternion_xyzw",
                 "Your library reads quaternions as x y z w, and they are handed over as w x y z.",
                 "hand over q with the quaternion's w last",
                 {},
                 [quaternions](Question& x, const Situation&) {
                   for (const int k : quaternions) {
                     const Eigen::Vector4d was = x.q.segment<4>(k);
                     x.q.segment<4>(k) << was(3), was(0), was(1), was(2);
                   }
                 }});
  all.push_back({"layout/quaternion_inverse",
                 "You read quaternions as those of the inverse rotation.",
                 "hand over q with the quaternion's x y z negated",
                 {},
                 [quaternions](Question& x, const Situation&) {
                   for (const int k : quaternions) x.q.segment<3>(k) *= -1;
                 }});
  if (!model.floating_base()) return;
  all.push_back({"layout/quaternion_before_position",
                 "You read the base's quaternion before its position, and the position comes first.",
                 "hand over q with the base's position behind its quaternion",
                 {},
                 [](Question& x, const Situation&) {
                   const Eigen::Matrix<double, 7, 1> was = x.q.head<7>();
                   x.q.head<4>() = was.tail<4>();
                   x.q.head<7>() << was(4), was(5), was(6), was(0), was(1), was(2), was(3);
                 }});
}
// [layout]

/// What of a state is not handed over.
void add_what_is_not_read(Hypotheses& all, const Model<double>& model)
{
  const auto add = [&](const char* key, const char* words, const char* what, auto change) {
    all.push_back({std::string("state/") + key,
                   std::string("Your numbers are those of ") + words + ": what the state gives is not read.",
                   std::string("hand ") + what + " over before the algorithms run",
                   {},
                   [change](Question& x, const Situation&) { change(x); }});
  };
  add("rates_ignored", "a machine at rest", "qd", [](Question& x) { x.qd.setZero(); });
  add("accelerations_ignored", "zero accelerations", "qdd", [](Question& x) { x.qdd.setZero(); });
  add("forces_ignored", "zero joint forces", "tau", [](Question& x) { x.tau.setZero(); });
  if (!model.floating_base()) return;
  add("base_at_origin", "a base at the world's origin", "the position of the base",
      [](Question& x) { x.q.head<3>().setZero(); });
  add("base_upright", "a base that is not turned", "the rotation of the base",
      [](Question& x) { x.q.segment<4>(3) << 0, 0, 0, 1; });
  add("base_rates_ignored", "a base at rest", "the velocity of the base",
      [](Question& x) { x.qd.head<6>().setZero(); });
}

/// A joint whose axis points the other way.
void add_directions(Hypotheses& all, const Model<double>& model)
{
  const int n = model.nv();
  for (const JointSlot& slot : model.joints()) {
    if (slot.nv != 1 || slot.nq != 1) continue;
    MatrixX<double> P = MatrixX<double>::Identity(n, n);
    P(slot.v, slot.v) = -1;
    all.push_back({"direction/" + slot.name,
                   "Your joint '" + slot.name + "' counts the other way: its axis points the other way than ours.",
                   "negate the axis of this joint, or its q, qd, qdd and tau",
                   {},
                   [slot, P](Question& x, const Situation&) {
                     x.q(slot.q) *= -1;
                     read_in(x, {P, P, 0 * P, P});
                   },
                   [P](Answers& a, const Situation& at) {
                     change_basis(a, at, {P, P, 0 * P, P});
                   }});
    Hypothesis in_answers = all.back();
    in_answers.key += "_in_answers";
    in_answers.sentence = "In your answers the numbers of joint '" + slot.name + "' have the other sign.";
    in_answers.question = {};
    in_answers.answers = [out = in_answers.answers](Answers& a, const Situation& at) { write_in(a, at, out); };
    in_answers.alone = true;
    all.push_back(std::move(in_answers));
  }
}

void add_gravity(Hypotheses& all, const Model<double>& model)
{
  struct Gravity {
    const char *key, *words;
    Vector3<double> (*of)(const Vector3<double>&);
  };
  static constexpr Gravity gravities[] = {
      {"sign", "has the other sign", [](const Vector3<double>& g) { return -g; }},
      {"zero", "does not act",
       [](const Vector3<double>&) {
         return Vector3<double>{0, 0, 0};
       }},
      {"standard", "is (0, 0, -9.81) m/s^2, whatever the state says",
       [](const Vector3<double>&) {
         return Vector3<double>{0, 0, -9.81};
       }},
      {"standard_9.80665", "is (0, 0, -9.80665) m/s^2, whatever the state says",
       [](const Vector3<double>&) {
         return Vector3<double>{0, 0, -9.80665};
       }},
      {"standard_9.8", "is (0, 0, -9.8) m/s^2, whatever the state says",
       [](const Vector3<double>&) {
         return Vector3<double>{0, 0, -9.8};
       }},
      {"standard_10", "is (0, 0, -10) m/s^2, whatever the state says",
       [](const Vector3<double>&) {
         return Vector3<double>{0, 0, -10};
       }},
      {"twice", "counts twice", [](const Vector3<double>& g) { return 2 * g; }},
      {"only_z", "is its z component alone",
       [](const Vector3<double>& g) {
         return Vector3<double>{0, 0, g[2]};
       }},
      {"x_and_z_exchanged", "acts along x: (x, y, z) is read as (z, y, x)",
       [](const Vector3<double>& g) {
         return Vector3<double>{g[2], g[1], g[0]};
       }},
      {"y_up", "is turned as if y, not z, pointed up: (x, y, z) is read as (x, z, -y)",
       [](const Vector3<double>& g) {
         return Vector3<double>{g[0], g[2], -g[1]};
       }},
      {"z_up", "is turned as if z, not y, pointed up: (x, y, z) is read as (x, -z, y)", [](const Vector3<double>& g) {
         return Vector3<double>{g[0], -g[2], g[1]};
       }}};
  for (const Gravity& gravity : gravities)
    all.push_back({std::string("gravity/") + gravity.key,
                   std::string("In your numbers gravity ") + gravity.words + ".",
                   "set the gravity of your model to that of the state, in world axes, before the algorithms run",
                   {},
                   [of = gravity.of](Question& x, const Situation&) { x.gravity = of(x.gravity); }});
  for (const auto& [size, words] : {std::pair{9.8, "9.8"}, {9.80665, "9.80665"}, {9.81, "9.81"}, {10.0, "10"}})
    all.push_back({std::string("gravity/size_") + words,
                   std::string("In your numbers gravity has the size ") + words + " m/s^2, and its direction is ours.",
                   "set the gravity of your model to that of the state",
                   {},
                   [size = size](Question& x, const Situation&) {
                     const double is = std::sqrt(inner(x.gravity, x.gravity));
                     if (is == 0) throw StateError("gravity has no size of its own here");
                     x.gravity = size / is * x.gravity;
                   }});
  if (!model.floating_base()) return;
  all.push_back({"gravity/base_axes",
                 "You read gravity in the axes of the base, and it is given in world axes.",
                 "turn gravity by the inverse rotation of the base, or leave it in the world",
                 {},
                 [](Question& x, const Situation&) { x.gravity = base_pose(x.q).R * x.gravity; }});
  all.push_back({"gravity/turned_back",
                 "In your numbers gravity is turned by the inverse of the base's rotation.",
                 "leave gravity in world axes",
                 {},
                 [](Question& x, const Situation&) { x.gravity = inverse(base_pose(x.q).R) * x.gravity; }});
}

// [external-wrenches]
/// Change each wrench in the frame of its link: what is not given on links that are fixed to a body is on its own link.
template <typename Change>
void change_wrenches(Question& x, const Model<double>& model, const Change& change)
{
  if (x.external_wrenches.empty()) return;
  ExternalWrenches<double> sum(model.bodies() + 1), on_own = x.external_wrenches;
  for (auto& [name, F] : x.on_fixed_links) {
    const LinkFrame<double>& link = model.link(name);
    on_own[link.body] += -coAdInv(link.X, F);
    F = change(F, link);
    sum[link.body] += coAdInv(link.X, F);
  }
  for (const Body<double>& body : model.outward()) {
    const LinkFrame<double>& own = own_link(model, body.index);
    sum[body.index] += coAdInv(own.X, change(coAd(own.X, on_own[body.index]), own));
  }
  x.external_wrenches = sum;
}

/// The same six numbers on another link: the one that carries it, or the next of the file.
void add_other_links(Hypotheses& all, const Model<double>& model)
{
  std::map<std::string, std::string> carriers, next, previous;
  const Mechanism& mechanism = model.mechanism();
  for (const Joint& joint : mechanism.joints) carriers[joint.child] = joint.parent;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const std::string &one = mechanism.links[k].name, &other = mechanism.links[(k + 1) % mechanism.links.size()].name;
    next[one] = other, previous[other] = one;
  }
  const auto add = [&](const char* key, const char* words, const std::map<std::string, std::string>& instead) {
    all.push_back({std::string("external_forces/") + key,
                   std::string("In your numbers each external wrench acts with the same six numbers on ") + words +
                       " the one that it is given for.",
                   "hand external wrenches over by the name of their link",
                   {},
                   [instead](Question& x, const Situation& at) {
                     ExternalWrenches<double> moved(at.model.bodies() + 1);
                     change_wrenches(x, at.model, [&](const Wrench<double>& F, const LinkFrame<double>& link) {
                       const auto found = instead.find(link.name);
                       const LinkFrame<double>& other = found == instead.end() ? link : at.model.link(found->second);
                       moved[other.body] += coAdInv(other.X, F);
                       return F;
                     });
                     if (!x.external_wrenches.empty()) x.external_wrenches = moved;
                   }});
  };
  add("on_carrier", "the link that carries", carriers);
  add("on_next_link", "the link that follows in the file", next);
  add("on_previous_link", "the link that precedes in the file", previous);
}

void add_external_wrenches(Hypotheses& all, const Model<double>& model)
{
  using Change = std::function<Wrench<double>(const Wrench<double>&, const SE3<double>&, const Vector3<double>&)>;
  struct Force {
    std::string key, words, remedy;
    Change of;  // of the wrench in the link's frame, the pose of the link, and its centre of mass
  };
  const Force forces[] = {
      {"sign", "have the other sign: they are those that the links exert", "negate the external wrenches",
       [](const auto& F, const auto&, const auto&) { return -F; }},
      {"ignored", "are ignored", "hand the external wrenches over",
       [](const auto&, const auto&, const auto&) { return Wrench<double>{}; }},
      {"twice", "count twice", "add the external wrenches once",
       [](const auto& F, const auto&, const auto&) { return F + F; }},
      {"world_axes", "are read in world axes, about the link's origin",
       "turn the external wrenches from the link's axes to world axes",
       [](const auto& F, const auto& T, const auto&) -> Wrench<double> {
         const SO3<double> Rt = inverse(T.R);
         return {Rt * F.m, Rt * F.f};
       }},
      {"world_point", "are read in world axes, about the world's origin",
       "move the external wrenches from the link's frame to the world's",
       [](const auto& F, const auto& T, const auto&) { return coAd(T, F); }},
      {"world_turned", "are turned from the link's axes to world axes once too often",
       "hand the external wrenches over in the link's axes",
       [](const auto& F, const auto& T, const auto&) -> Wrench<double> {
         return {T.R * F.m, T.R * F.f};
       }},
      {"force_first", "are read as force first, then moment", "hand over moment and force in the order that is read",
       [](const auto& F, const auto&, const auto&) -> Wrench<double> {
         return {F.f, F.m};
       }},
      {"at_center_of_mass", "act at the centre of mass of the link, not at its origin",
       "move the external wrenches to the centre of mass: subtract c x f from the moment",
       [](const auto& F, const auto&, const auto& c) -> Wrench<double> {
         return {F.m + cross(c, F.f), F.f};
       }},
      {"moment_ignored", "count without their moments", "hand over the moment of each external wrench, too",
       [](const auto& F, const auto&, const auto&) -> Wrench<double> {
         return {{}, F.f};
       }},
      {"force_ignored", "count without their forces", "hand over the force of each external wrench, too",
       [](const auto& F, const auto&, const auto&) -> Wrench<double> {
         return {F.m, {}};
       }},
      {"world_axes_at_center_of_mass", "are read in world axes, about the link's centre of mass",
       "turn the external wrenches to world axes, and move them to the centre of mass",
       [](const auto& F, const auto& T, const auto& c) -> Wrench<double> {
         const SO3<double> Rt = inverse(T.R);
         const Vector3<double> f = Rt * F.f;
         return {Rt * F.m + cross(c, f), f};
       }}};
  if (model.bodies() == 0) return;
  for (const Force& force : forces)
    all.push_back({"external_forces/" + force.key,
                   "In your numbers the external wrenches " + force.words + ".",
                   force.remedy,
                   {},
                   [of = force.of](Question& x, const Situation& at) {
                     ForwardKinematics<double> kinematics(at.model);
                     kinematics(x.q, x.qd);
                     change_wrenches(x, at.model, [&](const Wrench<double>& F, const LinkFrame<double>& link) {
                       const Inertia<double> I = coAd(link.X, at.model.body(link.body).I);
                       const Vector3<double> c = I.mass > 0 ? 1 / I.mass * I.first_moment : Vector3<double>{};
                       return of(F, kinematics.pose[link.body] * link.X, c);
                     });
                   }});
  for (const int step : {1, -1})
    all.push_back({std::string("external_forces/") + (step > 0 ? "next" : "previous") + "_body",
                   std::string("In your numbers each external wrench acts on the body ") +
                       (step > 0 ? "after" : "before") + " the one that it is given for.",
                   "count the bodies as the list of wrenches does: the world may be the first of them",
                   {},
                   [step](Question& x, const Situation& at) {
                     if (x.external_wrenches.empty()) return;
                     const ExternalWrenches<double> given = x.external_wrenches;
                     for (int i = 1; i <= at.model.bodies(); ++i) {
                       const int from = i - step;
                       const bool is_given = from >= 1 && from <= at.model.bodies();
                       x.external_wrenches[i] =
                           is_given ? coAdInv(own_link(at.model, i).X, coAd(own_link(at.model, from).X, given[from]))
                                    : Wrench<double>{};
                     }
                   }});
  add_other_links(all, model);
  if (std::none_of(model.links().begin(), model.links().end(), [&](const LinkFrame<double>& link) {
        return link.body > 0 && own_link(model, link.body).name != link.name;
      }))
    return;
  all.push_back(
      {"external_forces/at_center_of_mass_of_link",
       "In your numbers the external wrenches act at the centre of mass of the link alone, without those that "
       "are fixed to it, not at its origin.",
       "move the external wrenches to the centre of mass: subtract c x f from the moment",
       {},
       [](Question& x, const Situation& at) {
         change_wrenches(x, at.model, [&](const Wrench<double>& F, const LinkFrame<double>& link) {
           for (const Link& described : at.model.mechanism().links)
             if (described.name == link.name) {
               const auto& c = described.center_of_mass;
               return Wrench<double>{F.m + cross(Vector3<double>{c[0], c[1], c[2]}, F.f), F.f};
             }
           return F;
         });
       }});
  const auto of_fixed = [&](const char* key, const std::string& words, const char* remedy, auto change) {
    all.push_back({std::string("external_forces/fixed_links_") + key,
                   "In your numbers external wrenches on links that hang on others by fixed joints " + words + ".",
                   remedy,
                   {},
                   [change](Question& x, const Situation& at) {
                     change_wrenches(x, at.model, [&](const Wrench<double>& F, const LinkFrame<double>& link) {
                       const LinkFrame<double>& own = own_link(at.model, link.body);
                       return own.name == link.name ? F : change(F, link, own);
                     });
                   }});
  };
  of_fixed("ignored", "are ignored", "hand them over as wrenches on the link that carries the fixed one",
           [](const auto&, const auto&, const auto&) { return Wrench<double>{}; });
  of_fixed("at_carrier", "are read in the frame of the link that carries the fixed one",
           "move them by the placement of the fixed joint",
           [](const auto& F, const auto& link, const auto& own) { return coAd(link.X, coAdInv(own.X, F)); });
}
// [external-wrenches]

void add_degrees(Hypotheses& all, const Model<double>& model)
{
  std::vector<int> angles;  // coordinates
  VectorX<double> turn = VectorX<double>::Ones(model.nv());
  for (const JointSlot& slot : model.joints())
    for (int k = 0; k < slot.nv; ++k) {
      if (!model.rate_is_angular(slot.v + k)) continue;
      if (slot.nq == slot.nv) angles.push_back(slot.q + k);
      if (slot.nq == slot.nv) turn(slot.v + k) = degree;
    }
  if (angles.empty()) return;
  const auto read_q = [angles](Question& x) {
    for (const int k : angles) x.q(k) *= degree;
  };
  const std::string remedy = "convert angles, angular rates and accelerations between degrees and radians";
  all.push_back({"units/degrees",
                 "You read the joints' angles, rates and accelerations in degrees, and they are given in "
                 "radians.",
                 remedy,
                 {},
                 [read_q, turn](Question& x, const Situation&) {
                   read_q(x);
                   x.qd = x.qd.cwiseProduct(turn);
                   if (x.qdd.size()) x.qdd = x.qdd.cwiseProduct(turn);
                 }});
  all.push_back({"units/degrees_in_q",
                 "You read the joints' angles in degrees, and they are given in radians.",
                 remedy,
                 {},
                 [read_q](Question& x, const Situation&) { read_q(x); }});
  all.push_back({"units/degrees_in_answers",
                 "Your accelerations of the joints are in degrees, and ours in radians.",
                 remedy,
                 {},
                 {},
                 [turn](Answers& a, const Situation&) {
                   for (auto& [name, table] : a)
                     if (find_quantity(name)->rows == Axis::rates)
                       table = MatrixX<double>(turn.cwiseInverse().asDiagonal() * table);
                 }});
}

// [mimic]
/// Who follows whom, by rate, where both joints have one degree.
struct Follower {
  int q, v, leader_q, leader_v;
  double multiplier, offset;
};
std::vector<Follower> followers(const Model<double>& model)
{
  std::vector<Follower> all;
  const Indexed<JointSlot>& slots = model.joints();
  const auto slot = [&](const std::string& name) {
    return std::find_if(slots.begin(), slots.end(), [&](const JointSlot& s) { return s.name == name && s.nv == 1; });
  };
  for (const Joint& joint : model.mechanism().joints) {
    if (!joint.mimic) continue;
    const auto follower = slot(joint.name), leader = slot(joint.mimic->joint);
    if (follower != slots.end() && leader != slots.end())
      all.push_back({follower->q, follower->v, leader->q, leader->v, joint.mimic->multiplier, joint.mimic->offset});
  }
  return all;
}

void add_mimics(Hypotheses& all, const Model<double>& model)
{
  const std::vector<Follower> mimics = followers(model);
  if (mimics.empty()) return;
  const auto follow = [mimics](Question& x, const Situation&) {
    for (const auto& [q, v, leader_q, leader_v, multiplier, offset] : mimics) {
      x.q(q) = multiplier * x.q(leader_q) + offset;
      x.qd(v) = multiplier * x.qd(leader_v);
      if (x.qdd.size()) x.qdd(v) = multiplier * x.qdd(leader_v);
    }
  };
  const std::string remedy = "treat joints with <mimic> as joints of their own, or ask ours with --with mimic";
  all.push_back({"mimic/followed",
                 "Your joints with <mimic> follow their leaders, whatever the state says of them.",
                 remedy,
                 {},
                 follow});
  all.push_back({"mimic/coupled",
                 "Your joints with <mimic> are coupled to their leaders, which bear their forces; ours are free.",
                 remedy,
                 {},
                 follow,
                 [mimics](Answers& a, const Situation& at) {
                   MatrixX<double> G = MatrixX<double>::Identity(at.model.nv(), at.model.nv());
                   for (const Follower& f : mimics) G.col(f.v).setZero(), G(f.v, f.leader_v) = f.multiplier;
                   for (auto& [name, table] : a) {
                     const Axis rows = find_quantity(name)->rows;
                     if (rows == Axis::forces && table.cols() == 1) table = MatrixX<double>(G.transpose() * table);
                     if (name != "forward_dynamics") continue;
                     MatrixX<double> M = G.transpose() * answer(at, "mass_matrix") * G;
                     for (const Follower& f : mimics) M(f.v, f.v) = 1;  // its row is zero otherwise
                     const VectorX<double> force = G.transpose() * (at.question.tau - answer(at, "bias"));
                     table = MatrixX<double>(G * M.llt().solve(force));
                   }
                 }});
  // The same numbers of a coupling misread: where it is a loop, whose accelerations do not depend on the offset, and where
  // the state follows.
  struct Reading {
    const char *key, *words;
    void (*change)(double& multiplier, double& offset);
    bool in_loops = true;
  };
  static constexpr Reading readings[] = {
      {"multiplier_one", "multiplier counts as 1", [](double& multiplier, double&) { multiplier = 1; }},
      {"multiplier_negated", "multiplier has the other sign", [](double& multiplier, double&) { multiplier *= -1; }},
      {"multiplier_inverted", "multiplier is used the other way round",
       [](double& multiplier, double&) { multiplier = 1 / multiplier; }},
      {"offset_dropped", "offset is dropped", [](double&, double& offset) { offset = 0; }, false},
      {"offset_negated", "offset has the other sign", [](double&, double& offset) { offset *= -1; }, false}};
  for (const Reading& reading : readings)
    for (const bool follows : {false, true})
      if (follows || reading.in_loops)
        all.push_back({std::string("mimic/") + reading.key + (follows ? "_and_followed" : ""),
                       std::string("Of <mimic> the ") + reading.words +
                           (follows ? ", and your joints follow their leaders so." : " in your constraints."),
                       "set q = multiplier times the leader's q, plus offset",
                       {},
                       [mimics, change = reading.change, follows](Question& x, const Situation&) {
                         if (x.loops) {
                           std::vector<Loop> loops = *x.loops;
                           for (Loop& loop : loops)
                             if (loop.coupling)
                               change(loop.coupling->follows.multiplier, loop.coupling->follows.offset);
                           x.loops = std::make_shared<const std::vector<Loop>>(std::move(loops));
                         }
                         if (!follows) return;
                         for (auto [q, v, leader_q, leader_v, multiplier, offset] : mimics) {
                           change(multiplier, offset);
                           x.q(q) = multiplier * x.q(leader_q) + offset;
                           x.qd(v) = multiplier * x.qd(leader_v);
                           if (x.qdd.size()) x.qdd(v) = multiplier * x.qdd(leader_v);
                         }
                       }});
}
// [mimic]

}  // namespace

Hypotheses causes_in_the_state(const Model<double>& model)
{
  Hypotheses all;
  add_base_velocity(all, model);
  add_ball_velocity(all, model);
  add_layout(all, model);
  add_gravity(all, model);
  add_external_wrenches(all, model);
  add_what_is_not_read(all, model);
  add_directions(all, model);
  add_degrees(all, model);
  add_mimics(all, model);
  for (Hypothesis& one : causes_in_one_input(model)) all.push_back(std::move(one));
  return all;
}

Eigen::Matrix<double, 10, 1> ten_numbers(const Inertia<double>& I)
{
  const Symmetric3<double>& J = I.second_moment;
  Eigen::Matrix<double, 10, 1> numbers;
  numbers << I.mass, I.first_moment.eigen(), J.xx, J.xy, J.xz, J.yy, J.yz, J.zz;
  return numbers;
}

MatrixX<double> answer(const Situation& at, const std::string& name)
{
  return answers(at.model, at.question, {&name, 1})[name];
}

// [times-qd]
void write_in(Answers& a, const Situation& at, const std::function<void(Answers&, const Situation&)>& basis)
{
  const auto product = a.find("coriolis_matrix times qd");
  if (product == a.end()) return basis(a, at);
  // Their C is in their basis, and the rates that multiply it are not.
  Answers C{{"coriolis_matrix", answer(at.innermost(), "coriolis_matrix")}};
  basis(C, at);
  basis(a, at);
  product->second = C.at("coriolis_matrix") * at.question.qd;
}
// [times-qd]

// [change-basis]
void change_basis(Answers& answers, const Situation& at, const Basis& basis)
{
  const auto& [X, inverse, Xdot, displacement, X_by_displacement, drift_by_displacement, drift_by_rates] = basis;
  const Question& x = at.question;
  const Situation& there = at.innermost();  // matrices are theirs, also where they misread the state behind this basis
  const VectorX<double> nu = inverse * x.qd, drift = Xdot * nu;  // of our rates while theirs are constant
  for (auto& [name, table] : answers) {
    const Quantity& quantity = *find_quantity(name);
    const bool by_q = name.ends_with("_by_q"), by_qd = name.ends_with("_by_qd"), forward = name.starts_with("forward");
    // Where the basis moves, what is held is theirs: their rates, and their accelerations or forces.
    MatrixX<double> held;
    if (!X_by_displacement.empty() && (by_q || by_qd)) {
      const VectorX<double> qdd = forward ? VectorX<double>(answer(there, "forward_dynamics")) : x.qdd;
      const VectorX<double> force = forward ? x.tau : VectorX<double>(answer(there, "inverse_dynamics"));
      const VectorX<double> a = inverse * (qdd - drift);
      const MatrixX<double> of_rates = answer(there, forward ? "forward_dynamics_by_qd" : "inverse_dynamics_by_qd"),
                            M = answer(there, forward ? "inverse_mass_matrix" : "mass_matrix");
      held = by_q ? drift_by_displacement : drift_by_rates;
      held = forward ? MatrixX<double>(-held) : MatrixX<double>(M * held);
      for (std::size_t k = 0; by_q && k < X_by_displacement.size(); ++k) {
        const MatrixX<double>& change = X_by_displacement[k];
        const auto column = static_cast<Eigen::Index>(k);
        const VectorX<double> turned = inverse.transpose() * (change.transpose() * force);
        held.col(column) += of_rates * (change * nu);
        if (forward)
          held.col(column) -= M * turned + change * a;
        else
          held.col(column) += turned + M * (change * a);
      }
    }
    if (name == "bias" || name == "coriolis_force" || name == "coriolis_matrix times qd")
      table += answer(there, "mass_matrix") * drift;
    if (name == "forward_dynamics" || name == "closed_forward_dynamics") table -= drift;
    if (quantity.columns == Axis::by_rates) table = MatrixX<double>(table * X);
    if (is_coriolis_matrix(name)) table += answer(there, "mass_matrix") * Xdot;
    if (quantity.columns == Axis::by_forces) table = MatrixX<double>(table * inverse.transpose());
    if (quantity.columns == Axis::by_displacement) table = MatrixX<double>(table * displacement);
    if (held.size()) table += held;
    if (quantity.rows == Axis::forces) table = MatrixX<double>(X.transpose() * table);
    if (quantity.rows == Axis::rates) table = MatrixX<double>(inverse * table);
  }
}
// [change-basis]

}  // namespace articulate::oracle
