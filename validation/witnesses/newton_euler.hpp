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
#include <articulate/model/mechanism.hpp>  // Mechanism: links and joints as plain numbers
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace articulate::witness {

/** \brief Motion and forces of a tree of links.
 *
 *  - Joints: depth first, those of one link in the byte order of their names, fixed ones included.
 *  - q: one number per moving joint; floating: position and quaternion x y z w of the child in the joint frame.
 *  - qd, qdd: one number per moving joint; floating: (w, v) in the child's axes, v being the velocity of its origin,
 *    both as seen from the joint frame, and the derivatives of these six numbers.
 *  - Joint forces: dual to qd; floating: (moment about the child's origin, force) in the child's axes.
 *  - A floating base is a floating joint from the world to the root and comes first; else the root is fixed.
 */
template <class S>
struct VectorNewtonEuler {
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Matrix3 = Eigen::Matrix<S, 3, 3>;
  using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  static constexpr std::size_t world = -1;

  struct Body {
    // As described, in the link's own axes.
    S mass{0};
    Vector3 center_of_mass = Vector3::Zero();
    Matrix3 inertia = Matrix3::Zero();  // about the centre of mass

    // The joint that holds the link: q turns it by q * turn and slides it by q * slide, both along the axis.
    std::size_t parent = world;
    JointType joint = JointType::fixed;
    Vector3 joint_position = Vector3::Zero();      // in the parent's axes
    Matrix3 joint_rotation = Matrix3::Identity();  // columns: the joint's axes in the parent's axes
    Vector3 turn = Vector3::Zero(), slide = Vector3::Zero();
    Eigen::Index first_coordinate = 0, first_rate = 0;
    bool moves = false;  // no chain of fixed joints ties it to the world

    // In motion, in world axes; position, velocity and acceleration are those of the link's origin.
    Matrix3 rotation = Matrix3::Identity();  // columns: the link's axes
    Vector3 position = Vector3::Zero(), velocity = Vector3::Zero(), acceleration = Vector3::Zero();
    Vector3 angular_velocity = Vector3::Zero(), angular_acceleration = Vector3::Zero();
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();  // through the joint; moment about the link's origin

    Vector3 arm() const { return rotation * center_of_mass; }
    Vector3 center() const { return position + arm(); }
    Vector3 center_velocity() const { return velocity + cross(angular_velocity, arm()); }
    Vector3 inertia_times(const Vector3& w) const { return rotation * (inertia * (rotation.transpose() * w)); }
  };

  std::vector<Body> links;       ///< in the order of the mechanism; in motion as in the last inverse_dynamics
  Eigen::Index coordinates = 0;  ///< length of q
  Eigen::Index rates = 0;        ///< length of qd, of qdd and of the joint forces

  explicit VectorNewtonEuler(const Mechanism& mechanism, bool floating_base) : links(mechanism.links.size())
  {
    Mechanism sorted = mechanism;
    std::sort(sorted.joints.begin(), sorted.joints.end(), [](auto& a, auto& b) { return a.name < b.name; });
    for (const auto& link : mechanism.links) number_.emplace(link.name, number_.size());

    // The root is the link that is nobody's child.
    auto roots = number_;
    for (const auto& joint : mechanism.joints) roots.erase(joint.child);
    if (roots.size() == 1 && number_.size() == links.size() && mechanism.joints.size() + 1 == links.size()) {
      Joint base;
      base.type = floating_base ? JointType::floating : JointType::fixed;
      base.child = roots.begin()->first;
      attach(sorted, base, world);
    }
    if (outward_.empty() || outward_.size() != links.size())
      throw std::invalid_argument("VectorNewtonEuler: the links and joints of '" + mechanism.name + "' are not a tree");
  }

  /** \brief Joint forces of a motion.
   *  \param gravity   gravitational acceleration in world axes
   *  \param external  per link, in the order of the mechanism: moment about its origin and force, in its axes; or empty
   */
  VectorX inverse_dynamics(const VectorX& q, const VectorX& qd, const VectorX& qdd, const Vector3& gravity,
                           const std::vector<Vector6>& external = {})
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
      const Vector3 moment = body.rotation.transpose() * body.moment;
      const Vector3 force = body.rotation.transpose() * body.force;
      if (body.joint == JointType::floating)
        tau.template segment<6>(body.first_rate) << moment, force;
      else if (body.joint != JointType::fixed)  // the axis has the same components in joint and link axes
        tau[body.first_rate] = dot(body.turn, moment) + dot(body.slide, force);
    }
    return tau;
  }

  /// \brief Joint forces at zero joint acceleration.
  VectorX bias(const VectorX& q, const VectorX& qd, const Vector3& gravity, const std::vector<Vector6>& external = {})
  {
    return inverse_dynamics(q, qd, VectorX::Zero(rates), gravity, external);
  }

  /// \brief Column j: the joint forces that give rate j a unit derivative from rest, without weight.
  MatrixX mass_matrix(const VectorX& q) const
  {
    auto copy = *this;  // the readable motion stays that of the last call
    MatrixX M(rates, rates);
    const VectorX rest = VectorX::Zero(rates);
    for (Eigen::Index j = 0; j < rates; ++j)
      M.col(j) = copy.inverse_dynamics(q, rest, VectorX::Unit(rates, j), Vector3::Zero());
    return M;
  }

  // Sums over the moving links in their last motion. What is tied to the world has no velocity, but it has a weight.
  S mass() const
  {
    S sum{0};
    for (const auto& body : links)
      if (body.moves) sum += body.mass;
    return sum;
  }
  S kinetic_energy() const
  {
    S sum{0};
    for (const auto& body : links) {
      const Vector3 v = body.center_velocity(), w = body.angular_velocity;
      sum += (body.mass * dot(v, v) + dot(w, body.inertia_times(w))) / S(2);
    }
    return sum;
  }
  S potential_energy(const Vector3& gravity) const { return -dot(gravity, first_moment()); }
  Vector3 center_of_mass() const { return first_moment() / mass(); }
  Vector3 linear_momentum() const
  {
    Vector3 sum = Vector3::Zero();
    for (const auto& body : links) sum += body.mass * body.center_velocity();
    return sum;
  }
  Vector3 angular_momentum() const  ///< about the world's origin
  {
    Vector3 sum = Vector3::Zero();
    for (const auto& body : links)
      sum += cross(body.center(), body.mass * body.center_velocity()) + body.inertia_times(body.angular_velocity);
    return sum;
  }

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
  static Matrix3 turned(const Vector3& u, const S& s)
  {
    Matrix3 axes;
    for (int k = 0; k < 3; ++k) {
      const Vector3 e = Vector3::Unit(k);
      axes.col(k) = e + cross(u, cross(u, e) + s * e) * (S(2) / (dot(u, u) + s * s));
    }
    return axes;
  }
  static Matrix3 turned(const Eigen::Matrix<S, 4, 1>& xyzw) { return turned(xyzw.template head<3>(), xyzw[3]); }

  // Adds the child of a joint and all beyond it; a joint's numbers start where those before it have ended.
  void attach(const Mechanism& mechanism, const Joint& joint, std::size_t parent)
  {
    using std::sqrt;
    const std::size_t i = number_.at(joint.child);
    const Link& link = mechanism.links[i];
    Body& body = links[i];
    outward_.push_back(i);

    const Vector6 I = exactly(link.inertia);
    const Matrix3 axes = turned(exactly(link.inertial_quaternion));
    body.mass = S(link.mass);
    body.center_of_mass = exactly(link.center_of_mass);
    body.inertia << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
    body.inertia = axes * body.inertia.eval() * axes.transpose();

    body.parent = parent;
    body.joint = joint.type;
    body.joint_position = exactly(joint.position);
    body.joint_rotation = turned(exactly(joint.quaternion));
    body.first_coordinate = coordinates;
    body.first_rate = rates;
    body.moves = joint.type != JointType::fixed || (parent != world && links[parent].moves);
    if (joint.type == JointType::floating) {
      coordinates += 7;
      rates += 6;
    } else if (joint.type != JointType::fixed) {
      const Vector3 given = exactly(joint.axis), axis = given / sqrt(dot(given, given));
      if (joint.type != JointType::prismatic) body.turn = axis;
      if (joint.type == JointType::prismatic) body.slide = axis;
      if (joint.type == JointType::helical) body.slide = S(joint.pitch) * axis;
      coordinates += 1;
      rates += 1;
    }
    for (const auto& next : mechanism.joints)
      if (next.parent == link.name) attach(mechanism, next, i);
  }

  // Pose, velocity and acceleration of a link.
  void move(Body& body, const VectorX& q, const VectorX& qd, const VectorX& qdd) const
  {
    using std::cos, std::sin;
    // What the joint does, seen from the joint frame and in its axes.
    Matrix3 rotation = Matrix3::Identity();
    Vector3 slid = Vector3::Zero(), v = slid, vdot = slid, w = slid, wdot = slid;
    if (body.joint == JointType::floating) {
      const Eigen::Index c = body.first_coordinate, r = body.first_rate;
      slid = q.template segment<3>(c);
      rotation = turned(q.template segment<4>(c + 3));
      w = rotation * qd.template segment<3>(r);
      v = rotation * qd.template segment<3>(r + 3);
      // Rate of a vector given along turning axes: the rate of its components, and the turning of the axes.
      wdot = rotation * qdd.template segment<3>(r);  // w x w = 0
      vdot = rotation * qdd.template segment<3>(r + 3) + cross(w, v);
    } else if (body.joint != JointType::fixed) {
      const S &x = q[body.first_coordinate], &xd = qd[body.first_rate], &xdd = qdd[body.first_rate];
      if (body.joint != JointType::prismatic) rotation = turned(body.turn * sin(x / S(2)), cos(x / S(2)));
      slid = body.slide * x, v = body.slide * xd, vdot = body.slide * xdd;
      w = body.turn * xd, wdot = body.turn * xdd;
    }

    // The same in world axes.
    const Body ground;
    const Body& parent = body.parent == world ? ground : links[body.parent];
    const Matrix3 joint_axes = parent.rotation * body.joint_rotation;
    const Vector3 arm = parent.rotation * body.joint_position + joint_axes * slid, W = parent.angular_velocity;
    v = joint_axes * v, vdot = joint_axes * vdot, w = joint_axes * w, wdot = joint_axes * wdot;
    body.rotation = joint_axes * rotation;
    body.position = parent.position + arm;
    // Addition of velocities: that of the point carried along, and that relative to the parent.
    body.angular_velocity = W + w;
    body.velocity = parent.velocity + cross(W, arm) + v;
    // Coriolis: what moves relative to a turning parent gains 2 W x v, and its angular velocity is turned by W.
    body.angular_acceleration = parent.angular_acceleration + cross(W, w) + wdot;
    body.acceleration = parent.acceleration + cross(parent.angular_acceleration, arm) + cross(W, cross(W, arm)) +
                        S(2) * cross(W, v) + vdot;
  }

  // Sum of mass times centre of mass.
  Vector3 first_moment() const
  {
    Vector3 sum = Vector3::Zero();
    for (const auto& body : links)
      if (body.moves) sum += body.mass * body.center();
    return sum;
  }

  std::map<std::string, std::size_t> number_;  // of a link, by name
  std::vector<std::size_t> outward_;           // parents before children
};

}  // namespace articulate::witness
