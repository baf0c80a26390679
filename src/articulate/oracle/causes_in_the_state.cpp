#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/inertial_parameters.hpp>  // parameter_frame: a body's own link
#include <articulate/model/kinematics.hpp>
#include <articulate/oracle/hypothesis.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

namespace articulate::oracle {
namespace {

using Matrix3d = Eigen::Matrix3d;
using Matrix6d = Matrix6<double>;

constexpr double degree = std::numbers::pi / 180;

// [base-basis]
/// How a basis of a free base's velocity is made of ours: V = X nu, and what X changes by in time.
struct BaseBasis {
  const char *key, *words;
  bool linear_first;
  void (*of)(const SE3<double>& T, const Twist<double>& V, Matrix6d& X, Matrix6d& Xdot);
};

Matrix3d skew_matrix(const Vector3<double>& w) { return skew(w).eigen(); }

void body_axes(const SE3<double>&, const Twist<double>&, Matrix6d& X, Matrix6d& Xdot)
{
  X.setIdentity(), Xdot.setZero();
}
void world_axes(const SE3<double>& T, const Twist<double>& V, Matrix6d& X, Matrix6d& Xdot)
{
  const Matrix3d Rt = T.R.matrix.eigen().transpose(), rate = -skew_matrix(V.w) * Rt;
  X.setZero(), Xdot.setZero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = Rt;
  Xdot.topLeftCorner<3, 3>() = Xdot.bottomRightCorner<3, 3>() = rate;
}
void world_linear(const SE3<double>& T, const Twist<double>& V, Matrix6d& X, Matrix6d& Xdot)
{
  world_axes(T, V, X, Xdot);
  X.topLeftCorner<3, 3>().setIdentity(), Xdot.topLeftCorner<3, 3>().setZero();
}
void world_point(const SE3<double>& T, const Twist<double>& V, Matrix6d& X, Matrix6d& Xdot)
{
  X = Ad_matrix(inverse(T));
  Xdot = -ad_matrix(V) * X;
}
/// Rates of position and of roll, pitch and yaw, R = R_z(yaw) R_y(pitch) R_x(roll).
void euler_rates(const SE3<double>& T, const Twist<double>& V, Matrix6d& X, Matrix6d& Xdot)
{
  world_linear(T, V, X, Xdot);
  const auto& R = T.R.matrix;
  const double sp = -R(2, 0), cp = std::hypot(R(2, 1), R(2, 2)), sr = R(2, 1) / cp, cr = R(2, 2) / cp;
  Matrix3d E, by_roll, by_pitch;
  E << 1, 0, -sp, 0, cr, sr * cp, 0, -sr, cr * cp;
  by_roll << 0, 0, 0, 0, -sr, cr * cp, 0, -cr, -sr * cp;
  by_pitch << 0, 0, -cp, 0, 0, -sr * sp, 0, 0, -cr * sp;
  const Eigen::Vector3d rates = E.inverse() * V.w.eigen();
  X.topLeftCorner<3, 3>() = E;
  Xdot.topLeftCorner<3, 3>() = rates(0) * by_roll + rates(1) * by_pitch;
}

constexpr BaseBasis base_bases[] = {
    {"body_linear_first", "in the base's own axes, linear first", true, body_axes},
    {"world_angular_first", "in world axes at the base's origin, angular first", false, world_axes},
    {"world_linear_first", "in world axes at the base's origin, linear first", true, world_axes},
    {"world_linear_body_angular", "linear in world axes first, then angular in the base's own axes", true,
     world_linear},
    {"world_point_angular_first", "a spatial twist: in world axes, of the point at the world's origin, angular first",
     false, world_point},
    {"world_point_linear_first", "a spatial twist: in world axes, of the point at the world's origin, linear first",
     true, world_point},
    {"euler_rates", "rates of the position first, then of roll, pitch and yaw", true, euler_rates}};
// [base-basis]

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

/// The basis of all rates where that of the base is theirs. The twist is ours if V is given, else it is found from nu.
Basis basis_of_all(const BaseBasis& base, const Question& x, int nv, bool numbers_are_theirs)
{
  Matrix6d X, Xdot, order = Matrix6d::Identity();
  if (base.linear_first)
    order << Matrix6d::Zero().topRows<3>().leftCols<3>(), Matrix3d::Identity(), Matrix3d::Identity(), Matrix3d::Zero();
  const SE3<double> T = base_pose(x.q);
  Twist<double> V = base_twist(x.qd);
  base.of(T, V, X, Xdot);
  if (numbers_are_theirs) {
    V = to_twist(Vector6<double>(X * order * x.qd.head<6>()));
    base.of(T, V, X, Xdot);
  }
  const MatrixX<double> one = MatrixX<double>::Identity(nv, nv);
  Basis basis{one, one, 0 * one, one};
  basis.X.topLeftCorner<6, 6>() = X * order;
  basis.inverse.topLeftCorner<6, 6>() = order.transpose() * inverse_of_blocks(X);
  basis.Xdot.topLeftCorner<6, 6>() = Xdot * order;
  // Displacements of a floating joint are written as its velocity is, but for angles, which no one uses for them.
  basis.displacement = basis.X;
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
  const int nv = model.nv();
  for (const BaseBasis& base : base_bases) {
    const std::string key = std::string("base_velocity/") + base.key;
    const auto outputs = [&base, nv](Answers& a, const Situation& at) {
      change_basis(a, at, basis_of_all(base, at.question, nv, false));
    };
    all.push_back({key,
                   std::string("You read the velocity, acceleration and force of the free base ") + base.words +
                       "; ours are in the base's own axes, angular first.",
                   std::string("convert qd, qdd and tau of the base from its body twist to velocities ") + base.words +
                       ", with the term X-dot in qdd, and the answers back",
                   {},
                   [&base, nv](Question& x, const Situation&) { read_in(x, basis_of_all(base, x, nv, true)); },
                   outputs});
    all.push_back({key + "_in_answers",
                   std::string("You write accelerations, forces and matrices of the free base ") + base.words +
                       "; ours are in the base's own axes, angular first.",
                   std::string("convert the base's rows and columns of the answers from velocities ") + base.words +
                       " to its body twist",
                   {},
                   {},
                   outputs});
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

// [layout]
/// The slots of the joints as another library numbers them; a free base stays in front.
std::vector<int> numbered(const Model<double>& model, const char* order)
{
  const Indexed<JointSlot>& slots = model.joints();
  std::vector<int> sequence(slots.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  const auto begin = sequence.begin() + (model.floating_base() ? 1 : 0);
  const std::string name = order;
  std::vector<int> place(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (name == "file") {
      const Indexed<Joint>& joints = model.mechanism().joints;
      place[s] = static_cast<int>(
          std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == slots[s].name; }) -
          joints.begin());
    } else if (name == "breadth") {
      for (const Body<double>* body = &model.body(slots[s].body); body->parent; body = &model.body(body->parent))
        ++place[s];
    }
  }
  std::stable_sort(begin, sequence.end(), [&](int a, int b) {
    return name == "alphabet" ? slots[a].name < slots[b].name
                              : place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
  });
  return sequence;
}

/// The matrix that takes their numbers to ours, of coordinates or of rates.
MatrixX<double> reorder(const Model<double>& model, const std::vector<int>& sequence, bool coordinates)
{
  const int n = coordinates ? model.nq() : model.nv();
  MatrixX<double> P = MatrixX<double>::Zero(n, n);
  int theirs = 0;
  for (const int s : sequence) {
    const JointSlot& slot = model.joints()[s];
    for (int k = 0; k < (coordinates ? slot.nq : slot.nv); ++k) P((coordinates ? slot.q : slot.v) + k, theirs++) = 1;
  }
  return P;
}

void add_layout(Hypotheses& all, const Model<double>& model)
{
  const std::pair<const char*, const char*> orders[] = {
      {"file", "in the order of the file"}, {"breadth", "breadth first"}, {"alphabet", "by the alphabet"}};
  for (const auto& [order, words] : orders) {
    const std::vector<int> sequence = numbered(model, order);
    if (std::is_sorted(sequence.begin(), sequence.end())) continue;
    const MatrixX<double> Q = reorder(model, sequence, true), P = reorder(model, sequence, false);
    const Basis basis{P, P.transpose(), 0 * P, P};
    const auto in = [Q, P](Question& x, const Situation&) {
      x.q = VectorX<double>(Q * x.q), x.qd = VectorX<double>(P * x.qd);
      if (x.qdd.size()) x.qdd = VectorX<double>(P * x.qdd);
      if (x.tau.size()) x.tau = VectorX<double>(P * x.tau);
    };
    const auto out = [basis](Answers& a, const Situation& at) { change_basis(a, at, basis); };
    const std::string key = std::string("layout/") + order, ours = "; ours are depth first, children by joint name.",
                      remedy = "address the joints by name when the state is handed over and the answers are read";
    all.push_back({key, std::string("Your joints are numbered ") + words + ours, remedy, {}, in, out});
    all.push_back(
        {key + "_in_answers", std::string("Your answers number the joints ") + words + ours, remedy, {}, {}, out});
    all.push_back(
        {key + "_in_state", std::string("You read the state with joints numbered ") + words + ours, remedy, {}, in});
  }

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
  if (!model.floating_base()) return;
  all.push_back({"gravity/base_axes",
                 "You read gravity in the axes of the base, and it is given in world axes.",
                 "turn gravity by the inverse rotation of the base, or leave it in the world",
                 {},
                 [](Question& x, const Situation&) { x.gravity = base_pose(x.q).R * x.gravity; }});
}

// [external-wrenches]
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
       }}};
  if (model.bodies() == 0) return;
  for (const Force& force : forces)
    all.push_back({"external_forces/" + force.key,
                   "In your numbers the external wrenches " + force.words + ".",
                   force.remedy,
                   {},
                   [of = force.of](Question& x, const Situation& at) {
                     if (x.external_wrenches.empty()) return;
                     ForwardKinematics<double> kinematics(at.model);
                     kinematics(x.q, x.qd);
                     for (const Body<double>& body : at.model.outward()) {
                       const SE3<double> X = detail::parameter_frame(at.model, body.index);
                       Wrench<double>& F = x.external_wrenches[body.index];
                       const Inertia<double> I = coAd(X, body.I);
                       const Vector3<double> c = I.mass > 0 ? 1 / I.mass * I.first_moment : Vector3<double>{};
                       F = coAdInv(X, of(coAd(X, F), kinematics.pose[body.index] * X, c));
                     }
                   }});
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
}
// [mimic]

}  // namespace

Hypotheses causes_in_the_state(const Model<double>& model)
{
  Hypotheses all;
  add_base_velocity(all, model);
  add_layout(all, model);
  add_gravity(all, model);
  add_external_wrenches(all, model);
  add_degrees(all, model);
  add_mimics(all, model);
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

// [change-basis]
void change_basis(Answers& answers, const Situation& at, const Basis& basis)
{
  const auto& [X, inverse, Xdot, displacement] = basis;
  const VectorX<double> drift = Xdot * (inverse * at.question.qd);  // of our rates while theirs are constant
  for (auto& [name, table] : answers) {
    const Quantity& quantity = *find_quantity(name);
    if (name == "bias" || name == "coriolis_force" || name == "coriolis_matrix times qd") table += answer(at, "mass_matrix") * drift;
    if (name == "forward_dynamics") table -= drift;
    if (quantity.columns == Axis::by_rates) table = MatrixX<double>(table * X);
    if (is_coriolis_matrix(name)) table += answer(at, "mass_matrix") * Xdot;
    if (quantity.columns == Axis::by_forces) table = MatrixX<double>(table * inverse.transpose());
    if (quantity.columns == Axis::by_displacement) table = MatrixX<double>(table * displacement);
    if (quantity.rows == Axis::forces) table = MatrixX<double>(X.transpose() * table);
    if (quantity.rows == Axis::rates) table = MatrixX<double>(inverse * table);
  }
}
// [change-basis]

}  // namespace articulate::oracle
