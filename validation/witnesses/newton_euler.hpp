/** \file
 *  \brief Witness (a): inverse dynamics as a course in vector mechanics teaches it, one free-body diagram per link.
 *
 *  Every vector has three components along the world axes. There are no screws, no adjoints and no merged links: a
 *  fixed joint is a joint without freedom, and gravity is a force on each link. Nothing of the library is used but the
 *  plain description of the mechanism, so the agreement of the two is evidence.
 *  - Outward: kinematics of rigid bodies, the motion of a link from that of its parent and that of its joint.
 *  - Inward: the laws of Newton and Euler, the force and the moment that a joint has to transmit.
 */
#pragma once
#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>
#include <ledger/eager_matrices.hpp>  // products and sums computed at once
#include <witnesses/joint_order.hpp>  // JointOrder: the plain reading of a mechanism

namespace articulate::witness {

using namespace validation::eager;

/** \brief Motion and forces of a tree of links.
 *
 *  - A joint is a chain of turns and slides, one per coordinate, each along an axis that those before it carry along.
 *  - Ball and floating joints are no chains; q: (position and) quaternion x y z w of the child in the joint frame.
 *  - Their qd, qdd: (w, v) in the child's axes, v being the velocity of its origin, both as seen from the joint frame,
 *    and the derivatives of these six numbers; a ball has w alone.
 *  - Joint forces: dual to qd; floating: (moment about the child's origin, force), ball: moment, in the child's axes.
 */
template <class S>
struct VectorNewtonEuler {
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Matrix3 = Eigen::Matrix<S, 3, 3>;
  using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

  /// A frame in motion; position, velocity and acceleration are those of its origin.
  struct Motion {
    Matrix3 rotation = Matrix3::Identity();  // columns: its axes
    Vector3 position = Vector3::Zero(), velocity = Vector3::Zero(), acceleration = Vector3::Zero();
    Vector3 angular_velocity = Vector3::Zero(), angular_acceleration = Vector3::Zero();
  };

  /// One coordinate x of a joint: it turns all beyond it by x * turn and slides it by x * slide.
  struct Freedom {
    Vector3 turn, slide;                                                        // along the axes reached before
    Vector3 turn_in_world = Vector3::Zero(), slide_in_world = Vector3::Zero();  // in motion
  };

  struct Body : Motion {  // in world axes
    // As described, in the link's own axes.
    S mass{0};
    Vector3 center_of_mass = Vector3::Zero();
    Matrix3 inertia = Matrix3::Zero();  // about the centre of mass

    // The joint that holds the link.
    std::size_t parent = world;
    JointType joint = JointType::fixed;
    Motion joint_place;  // of the joint frame, in the parent's axes
    std::vector<Freedom> chain;
    Eigen::Index first_coordinate = 0, first_rate = 0;
    bool moves = false;  // no chain of fixed joints ties it to the world

    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();  // through the joint; moment about the link's origin

    Vector3 arm() const;
    Vector3 center() const;
    Vector3 center_velocity() const;
    Vector3 inertia_times(const Vector3& w) const;
  };

  std::vector<Body> links;       ///< in the order of the mechanism; in motion as in the last inverse_dynamics
  Eigen::Index coordinates = 0;  ///< length of q
  Eigen::Index rates = 0;        ///< length of qd, of qdd and of the joint forces

  explicit VectorNewtonEuler(const Mechanism& mechanism, bool floating_base);

  /** \brief Joint forces of a motion.
   *  \param gravity   gravitational acceleration in world axes
   *  \param external  per link, in the order of the mechanism: moment about its origin and force, in its axes; or empty
   */
  VectorX inverse_dynamics(const VectorX& q, const VectorX& qd, const VectorX& qdd, const Vector3& gravity,
                           const std::vector<Vector6>& external = {});

  /// \brief Joint forces at zero joint acceleration.
  VectorX bias(const VectorX& q, const VectorX& qd, const Vector3& gravity, const std::vector<Vector6>& external = {});

  /// \brief Column j: the joint forces that give rate j a unit derivative from rest, without weight.
  MatrixX mass_matrix(const VectorX& q) const;

  // Sums over the moving links in their last motion. What is tied to the world has no velocity, but it has a weight.
  S mass() const;
  S kinetic_energy() const;
  S potential_energy(const Vector3& gravity) const { return -dot(gravity, first_moment()); }
  Vector3 center_of_mass() const { return first_moment() / mass(); }
  Vector3 linear_momentum() const;
  Vector3 angular_momentum() const;  ///< about the world's origin

private:
  static S dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  static Vector3 cross(const Vector3& a, const Vector3& b)
  {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  template <std::size_t n>
  static Eigen::Matrix<S, int(n), 1> exactly(const std::array<double, n>& a)
  {
    return Eigen::Matrix<double, int(n), 1>(a.data()).template cast<S>();
  }

  // The axes turned by a quaternion (u, s) of any length: e + 2 u x (u x e + s e) / (u . u + s s).
  static Matrix3 turned(const Vector3& u, const S& s);
  static Matrix3 turned(const Eigen::Matrix<S, 4, 1>& xyzw) { return turned(xyzw.template head<3>(), xyzw[3]); }

  // The numbers of a link and of its joint.
  void describe(Body& body, const Link& link, const Carried& carried) const;

  // A joint as turns and slides, in the order of its coordinates.
  static std::vector<Freedom> chain(const Joint& joint);

  // Pose, velocity and acceleration of a link: joint by joint, coordinate by coordinate.
  void move(Body& body, const VectorX& q, const VectorX& qd, const VectorX& qdd) const;

  // The motion of what moves relative to a frame in motion.
  static Motion beyond(const Motion& frame, const Motion& relative);

  // Sum of mass times centre of mass.
  Vector3 first_moment() const;

  std::vector<std::size_t> outward_;  // parents before children
};

// Defined apart from the class, so that `extern template` spares them to those who include this.

template <class S>
auto VectorNewtonEuler<S>::Body::arm() const -> Vector3
{
  return this->rotation * center_of_mass;
}
template <class S>
auto VectorNewtonEuler<S>::Body::center() const -> Vector3
{
  return this->position + arm();
}
template <class S>
auto VectorNewtonEuler<S>::Body::center_velocity() const -> Vector3
{
  return this->velocity + cross(this->angular_velocity, arm());
}
template <class S>
auto VectorNewtonEuler<S>::Body::inertia_times(const Vector3& w) const -> Vector3
{
  return this->rotation * (inertia * (this->rotation.transpose() * w));
}

template <class S>
VectorNewtonEuler<S>::VectorNewtonEuler(const Mechanism& mechanism, bool floating_base) : links(mechanism.links.size())
{
  const JointOrder order(mechanism, floating_base);
  coordinates = order.coordinates, rates = order.rates;
  for (const Carried& carried : order.links) {
    outward_.push_back(carried.link);
    describe(links[carried.link], mechanism.links[carried.link], carried);
  }
}

template <class S>
auto VectorNewtonEuler<S>::inverse_dynamics(const VectorX& q, const VectorX& qd, const VectorX& qdd,
                                            const Vector3& gravity, const std::vector<Vector6>& external) -> VectorX
{
  if (q.size() != coordinates || qd.size() != rates || qdd.size() != rates)
    throw std::invalid_argument("VectorNewtonEuler: q, qd or qdd has a wrong length");
  if (!external.empty() && external.size() != links.size())
    throw std::invalid_argument("VectorNewtonEuler: external needs one wrench for each link");

  // Outward: the parent carries the link along, the joint moves it.
  for (const auto i : outward_) move(links[i], q, qd, qdd);

  // Each link alone: what must act on it besides its weight and the external wrench?
  for (std::size_t i = 0; i < links.size(); ++i) {
    auto& body = links[i];
    const Vector3 w = body.angular_velocity, alpha = body.angular_acceleration, arm = body.arm();
    // Acceleration of a point of a rigid body.
    const Vector3 center_acceleration = body.acceleration + cross(alpha, arm) + cross(w, cross(w, arm));
    // Newton: all forces, the weight among them, add up to mass times acceleration of the centre of mass.
    body.force = body.mass * (center_acceleration - gravity);
    // Euler: all moments about the centre of mass add up to the rate of the angular momentum I w.
    const Vector3 central_moment = body.inertia_times(alpha) + cross(w, body.inertia_times(w));
    // Moment of a force: shifting its reference from the centre of mass to the origin adds arm x force.
    body.moment = central_moment + cross(arm, body.force);
    if (external.empty()) continue;
    body.moment -= body.rotation * external[i].template head<3>();
    body.force -= body.rotation * external[i].template tail<3>();
  }

  // Inward: from the tips to the root.
  VectorX tau(rates);
  for (auto i = outward_.rbegin(); i != outward_.rend(); ++i) {
    const auto& body = links[*i];
    // Action and reaction: a joint also holds what the joints beyond it transmit.
    if (body.parent != world) {
      auto& parent = links[body.parent];
      parent.force += body.force;
      parent.moment += body.moment + cross(body.position - parent.position, body.force);
    }
    // Virtual power: the drive of a joint supplies what does work along its freedom, its bearings the rest.
    if (body.joint == JointType::ball || body.joint == JointType::floating)
      tau.template segment<3>(body.first_rate) = body.rotation.transpose() * body.moment;
    if (body.joint == JointType::floating)
      tau.template segment<3>(body.first_rate + 3) = body.rotation.transpose() * body.force;
    // All turning axes of a chain pass through the link's origin.
    for (std::size_t k = 0; k < body.chain.size(); ++k)
      tau[body.first_rate + k] =
          dot(body.chain[k].turn_in_world, body.moment) + dot(body.chain[k].slide_in_world, body.force);
  }
  return tau;
}

template <class S>
auto VectorNewtonEuler<S>::bias(const VectorX& q, const VectorX& qd, const Vector3& gravity,
                                const std::vector<Vector6>& external) -> VectorX
{
  return inverse_dynamics(q, qd, VectorX::Zero(rates), gravity, external);
}

template <class S>
auto VectorNewtonEuler<S>::mass_matrix(const VectorX& q) const -> MatrixX
{
  auto copy = *this;  // the readable motion stays that of the last call
  MatrixX M(rates, rates);
  const VectorX rest = VectorX::Zero(rates);
  for (Eigen::Index j = 0; j < rates; ++j)
    M.col(j) = copy.inverse_dynamics(q, rest, VectorX::Unit(rates, j), Vector3::Zero());
  return M;
}

template <class S>
S VectorNewtonEuler<S>::mass() const
{
  S sum{0};
  for (const auto& body : links)
    if (body.moves) sum += body.mass;
  return sum;
}

template <class S>
S VectorNewtonEuler<S>::kinetic_energy() const
{
  S sum{0};
  for (const auto& body : links) {
    const Vector3 v = body.center_velocity(), w = body.angular_velocity;
    sum += (body.mass * dot(v, v) + dot(w, body.inertia_times(w))) / S(2);
  }
  return sum;
}

template <class S>
auto VectorNewtonEuler<S>::linear_momentum() const -> Vector3
{
  Vector3 sum = Vector3::Zero();
  for (const auto& body : links) sum += body.mass * body.center_velocity();
  return sum;
}

template <class S>
auto VectorNewtonEuler<S>::angular_momentum() const -> Vector3
{
  Vector3 sum = Vector3::Zero();
  for (const auto& body : links)
    sum += cross(body.center(), body.mass * body.center_velocity()) + body.inertia_times(body.angular_velocity);
  return sum;
}

template <class S>
auto VectorNewtonEuler<S>::turned(const Vector3& u, const S& s) -> Matrix3
{
  Matrix3 axes;
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = Vector3::Unit(k);
    axes.col(k) = e + cross(u, cross(u, e) + s * e) * (S(2) / (dot(u, u) + s * s));
  }
  return axes;
}

template <class S>
void VectorNewtonEuler<S>::describe(Body& body, const Link& link, const Carried& carried) const
{
  const Vector6 I = exactly(link.inertia);
  const Matrix3 axes = turned(exactly(link.inertial_quaternion));
  body.mass = S(link.mass);
  body.center_of_mass = exactly(link.center_of_mass);
  body.inertia << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  body.inertia = axes * body.inertia.eval() * axes.transpose();

  body.parent = carried.parent;
  body.joint = carried.joint.type;
  body.joint_place.position = exactly(carried.joint.position);
  body.joint_place.rotation = turned(exactly(carried.joint.quaternion));
  body.chain = chain(carried.joint);
  body.first_coordinate = carried.q;
  body.first_rate = carried.qd;
  body.moves = body.joint != JointType::fixed || (body.parent != world && links[body.parent].moves);
}

template <class S>
auto VectorNewtonEuler<S>::chain(const Joint& joint) -> std::vector<Freedom>
{
  using std::sqrt;
  const Vector3 none = Vector3::Zero(), x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  switch (joint.type) {
    case JointType::fixed:
    case JointType::ball:
    case JointType::floating:
      return {};
    case JointType::universal:
      return {{x, none}, {y, none}};
    case JointType::euler_ball:
      return {{z, none}, {y, none}, {x, none}};
    case JointType::euler_free:
      return {{none, x}, {none, y}, {none, z}, {z, none}, {y, none}, {x, none}};
    default:
      break;
  }
  const Vector3 given = exactly(joint.axis), axis = given / sqrt(dot(given, given));
  switch (joint.type) {
    case JointType::prismatic:
      return {{none, axis}};
    case JointType::helical:
      return {{axis, S(joint.pitch) * axis}};
    case JointType::cylindrical:
      return {{axis, none}, {none, axis}};
    case JointType::planar: {
      // The shortest turn from z to the axis is about z x axis: the quaternion (z x axis, 1 + z . axis). Where the
      // axis points down, it is the shortest turn from -z, after half a turn about x.
      const bool down = axis[2] < 0;
      const Vector3 up = down ? Vector3(-axis) : axis;
      const Matrix3 directions = turned(cross(z, up), S(1) + up[2]);
      return {{none, directions.col(0)}, {none, (down ? -1 : 1) * directions.col(1)}, {axis, none}};
    }
    default:
      return {{axis, none}};
  }
}

template <class S>
void VectorNewtonEuler<S>::move(Body& body, const VectorX& q, const VectorX& qd, const VectorX& qdd) const
{
  using std::cos, std::sin;
  Motion motion = beyond(body.parent == world ? Motion() : Motion(links[body.parent]), body.joint_place);
  for (std::size_t k = 0; k < body.chain.size(); ++k) {
    Freedom& freedom = body.chain[k];
    const S &x = q[body.first_coordinate + k], &xd = qd[body.first_rate + k], &xdd = qdd[body.first_rate + k];
    freedom.turn_in_world = motion.rotation * freedom.turn;
    freedom.slide_in_world = motion.rotation * freedom.slide;
    const bool turns = !freedom.turn.isZero(0);
    motion = beyond(
        motion, {turns ? turned(freedom.turn * sin(x / S(2)), cos(x / S(2))) : Matrix3::Identity(), freedom.slide * x,
                 freedom.slide * xd, freedom.slide * xdd, freedom.turn * xd, freedom.turn * xdd});
  }
  if (body.joint == JointType::ball || body.joint == JointType::floating) {
    const bool slides = body.joint == JointType::floating;
    const Eigen::Index c = body.first_coordinate, r = body.first_rate;
    // Rate of a vector given along turning axes: the rate of its components, and the turning of the axes.
    Motion free;
    free.rotation = turned(q.template segment<4>(c + (slides ? 3 : 0)));
    free.angular_velocity = free.rotation * qd.template segment<3>(r);
    free.angular_acceleration = free.rotation * qdd.template segment<3>(r);  // w x w = 0
    if (slides) {
      free.position = q.template segment<3>(c);
      free.velocity = free.rotation * qd.template segment<3>(r + 3);
      free.acceleration = free.rotation * qdd.template segment<3>(r + 3) + cross(free.angular_velocity, free.velocity);
    }
    motion = beyond(motion, free);
  }
  static_cast<Motion&>(body) = motion;
}

template <class S>
auto VectorNewtonEuler<S>::beyond(const Motion& frame, const Motion& relative) -> Motion
{
  const Vector3 arm = frame.rotation * relative.position, W = frame.angular_velocity;
  const Vector3 v = frame.rotation * relative.velocity, vdot = frame.rotation * relative.acceleration;
  const Vector3 w = frame.rotation * relative.angular_velocity, wdot = frame.rotation * relative.angular_acceleration;
  Motion sum;
  sum.rotation = frame.rotation * relative.rotation;
  sum.position = frame.position + arm;
  // Addition of velocities: that of the point carried along, and that relative to the frame.
  sum.angular_velocity = W + w;
  sum.velocity = frame.velocity + cross(W, arm) + v;
  // Coriolis: what moves relative to a turning frame gains 2 W x v, and its angular velocity is turned by W.
  sum.angular_acceleration = frame.angular_acceleration + cross(W, w) + wdot;
  sum.acceleration =
      frame.acceleration + cross(frame.angular_acceleration, arm) + cross(W, cross(W, arm)) + S(2) * cross(W, v) + vdot;
  return sum;
}

template <class S>
auto VectorNewtonEuler<S>::first_moment() const -> Vector3
{
  Vector3 sum = Vector3::Zero();
  for (const auto& body : links)
    if (body.moves) sum += body.mass * body.center();
  return sum;
}

}  // namespace articulate::witness
