/** \file
 *  \brief Witness (b): forward dynamics of bodies that know nothing of each other but what their joints forbid.
 *
 *  Every link is a free body with six velocities: angular, and that of its centre of mass, along the world axes. A
 *  joint is a list of directions in which its two links may move relative to each other; in the directions that remain
 *  they must not, and a Lagrange multiplier each sees to that. Newton, Euler and all joints are one symmetric system,
 *  \f[ \begin{pmatrix} M & A^{\mathsf T}N \\ N^{\mathsf T}A & 0 \end{pmatrix}
 *      \begin{pmatrix} a \\ -\lambda \end{pmatrix} =
 *      \begin{pmatrix} f + A^{\mathsf T}w \\ N^{\mathsf T}(\dot\Phi\dot q - \gamma) \end{pmatrix}, \f]
 *  where \f$Aa + \gamma\f$ is the relative acceleration at all joints, \f$\Phi\f$ spans what they allow, N what they
 *  forbid, and w are the wrenches of their drives. There is no recursion but that of the poses; the joint accelerations
 *  are read off the relative motion. Fixed joints, also those to the world, forbid all six directions.
 */
#pragma once
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <array>
#include <stdexcept>
#include <vector>
#include <witnesses/joint_order.hpp>  // JointOrder: the plain reading of a mechanism

namespace articulate::witness {

/// \brief Forward dynamics of a tree; coordinates, rates, forces and their order are those of VectorNewtonEuler.
template <class S>
class MaximalCoordinates {
public:
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Matrix3 = Eigen::Matrix<S, 3, 3>;
  using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

  MaximalCoordinates(const Mechanism& mechanism, bool floating_base)
      : order_(mechanism, floating_base), bodies_(mechanism.links.size())
  {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Link& link = mechanism.links[i];
      const Vector6 I = exactly(link.inertia);
      const Matrix3 axes = turn(link.inertial_quaternion).toRotationMatrix();
      Matrix3 inertia;
      inertia << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
      bodies_[i] = {S(link.mass), exactly(link.center_of_mass), axes * inertia * axes.transpose()};
    }
  }

  /** \brief Joint accelerations under joint forces.
   *  \param gravity   gravitational acceleration in world axes
   *  \param external  per link, in the order of the mechanism: moment about its origin and force, in its axes; or empty
   */
  VectorX forward_dynamics(const VectorX& q, const VectorX& qd, const VectorX& tau, const Vector3& gravity,
                           const std::vector<Vector6>& external = {}) const
  {
    if (q.size() != order_.coordinates || qd.size() != order_.rates || tau.size() != order_.rates)
      throw std::invalid_argument("MaximalCoordinates: q, qd or tau has a wrong length");
    if (!external.empty() && external.size() != bodies_.size())
      throw std::invalid_argument("MaximalCoordinates: external needs one wrench for each link");

    // What each joint allows, and what it forbids: the orthogonal complement. The columns of `drive` are wrenches that
    // do unit work per unit of one coordinate; transposed, they read the coordinates off a relative motion.
    const std::vector<Placed> placed = place(q, qd);
    const Eigen::Index size = 6 * bodies_.size(), n = order_.rates;
    MatrixX Phi = MatrixX::Zero(size, n), N = MatrixX::Zero(size, size - n), drive = MatrixX::Zero(size, n);
    VectorX bent(size);  // Phi-dot qd
    Eigen::Index forbidden = 0;
    for (const Carried& joint : order_.links) {
      const Eigen::Index row = 6 * joint.link;
      const MatrixX& free = placed[joint.link].free;
      const Eigen::HouseholderQR<MatrixX> qr(free);
      const MatrixX Q = qr.householderQ() * MatrixX::Identity(6, 6);
      Phi.block(row, joint.qd, 6, free.cols()) = free;
      N.block(row, forbidden, 6, 6 - free.cols()) = Q.rightCols(6 - free.cols());
      drive.block(row, joint.qd, 6, free.cols()) = qr.solve(MatrixX::Identity(6, 6)).transpose();
      bent.template segment<6>(row) = placed[joint.link].bent;
      forbidden += 6 - free.cols();
    }

    // Velocities: each joint has the relative motion that its rates say.
    const MatrixX A = relative_motion(placed);
    const VectorX velocity = A.partialPivLu().solve(Phi * qd);

    // Newton and Euler for each body alone, under its weight, its external wrench and the turning of its inertia.
    MatrixX system = MatrixX::Zero(2 * size - n, 2 * size - n);
    VectorX right(2 * size - n);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Matrix3 axes = placed[i].turn.toRotationMatrix(), inertia = axes * bodies_[i].inertia * axes.transpose();
      const Vector3 w = velocity.template segment<3>(6 * i);
      Vector3 moment = -w.cross(inertia * w), force = bodies_[i].mass * gravity;
      if (!external.empty()) {
        const Vector3 push = axes * external[i].template tail<3>();
        moment += axes * external[i].template head<3>() + (placed[i].origin - placed[i].center).cross(push);
        force += push;
      }
      system.template block<3, 3>(6 * i, 6 * i) = inertia;
      system.template block<3, 3>(6 * i + 3, 6 * i + 3).diagonal().setConstant(bodies_[i].mass);
      right.template segment<6>(6 * i) << moment, force;
    }

    // Joints: what acts on the child acts back on the parent, which is the transpose of taking relative motion.
    const VectorX gamma = unaccelerated(placed, velocity);
    right.head(size) += A.transpose() * (drive * tau);
    right.tail(size - n) = N.transpose() * (bent - gamma);
    system.bottomLeftCorner(size - n, size) = N.transpose() * A;
    system.topRightCorner(size, size - n) = A.transpose() * N;
    const VectorX acceleration = system.partialPivLu().solve(right).head(size);
    return drive.transpose() * (A * acceleration + gamma - bent);
  }

private:
  using Quaternion = Eigen::Quaternion<S>;

  struct Body {
    S mass;
    Vector3 center_of_mass;  // in the link's axes
    Matrix3 inertia;         // about it, in the link's axes
  };

  // A body in place, and the joint that holds it; all but the quaternion along world axes.
  struct Placed {
    Quaternion turn;
    Vector3 origin, center;
    MatrixX free;  // per rate: relative angular velocity, relative velocity of the origin
    Vector6 bent;  // what the turning of these directions, as seen from the parent, adds to the relative acceleration
  };

  // One coordinate x of a joint turns by x * turn about, and slides by x * slide along, one of its axes.
  struct Step {
    int axis;
    S turn, slide;
  };
  static std::vector<Step> steps(const Joint& joint)
  {
    enum { x, y, z };
    switch (joint.type) {
      case JointType::revolute:
      case JointType::continuous:
        return {{z, 1, 0}};
      case JointType::prismatic:
        return {{z, 0, 1}};
      case JointType::helical:
        return {{z, 1, joint.pitch}};
      case JointType::universal:
        return {{x, 1, 0}, {y, 1, 0}};
      case JointType::cylindrical:
        return {{z, 1, 0}, {z, 0, 1}};
      case JointType::planar:
        return {{x, 0, 1}, {y, 0, 1}, {z, 1, 0}};
      case JointType::euler_ball:
        return {{z, 1, 0}, {y, 1, 0}, {x, 1, 0}};
      case JointType::euler_free:
        return {{x, 0, 1}, {y, 0, 1}, {z, 0, 1}, {z, 1, 0}, {y, 1, 0}, {x, 1, 0}};
      default:
        return {};
    }
  }

  // The turn after which the z axis of these joints is the axis given. The shortest is half a turn about z, then one
  // about the bisector of z and the axis. Where the axis points down: the shortest to its opposite, after half a turn
  // about x, which with that about z makes one about y.
  static Quaternion axis_turn(const Joint& joint)
  {
    switch (joint.type) {
      case JointType::revolute:
      case JointType::continuous:
      case JointType::prismatic:
      case JointType::helical:
      case JointType::cylindrical:
      case JointType::planar:
        break;
      default:
        return Quaternion::Identity();
    }
    const Vector3 axis = exactly(joint.axis).normalized();
    const bool down = axis[2] < 0;
    const Vector3 bisector = (Vector3::UnitZ() + (down ? -axis : axis)).normalized();
    return half_turn(bisector) * half_turn(down ? Vector3::UnitY() : Vector3::UnitZ());
  }
  static Quaternion half_turn(const Vector3& axis) { return Quaternion(S(0), axis[0], axis[1], axis[2]); }

  std::vector<Placed> place(const VectorX& q, const VectorX& qd) const
  {
    std::vector<Placed> placed(bodies_.size());
    for (const Carried& carried : order_.links) {
      const Joint& joint = carried.joint;
      const bool on_world = carried.parent == world;
      const Quaternion ground = on_world ? Quaternion::Identity() : placed[carried.parent].turn;
      const Quaternion joint_turn = ground * turn(joint.quaternion), to_axis = axis_turn(joint);
      Placed& body = placed[carried.link];
      body.origin = ground * exactly(joint.position);
      if (!on_world) body.origin += placed[carried.parent].origin;
      body.turn = joint_turn * to_axis;
      body.free = MatrixX::Zero(6, freedoms(joint.type).second);
      body.bent.setZero();

      // Before each step the turns so far, at the angular velocity w, have turned the axes.
      Vector3 w = Vector3::Zero();
      int rate = 0;
      for (const Step& step : steps(joint)) {
        const S &x = q[carried.q + rate], &xd = qd[carried.qd + rate];
        const Vector3 axis = body.turn * Vector3::Unit(step.axis);
        body.free.col(rate++) << step.turn * axis, step.slide * axis;
        body.bent.template head<3>() += step.turn * xd * w.cross(axis);
        body.bent.template tail<3>() += step.slide * xd * w.cross(axis);
        body.origin += step.slide * x * axis;
        body.turn = body.turn * Quaternion(Eigen::AngleAxis<S>(step.turn * x, Vector3::Unit(step.axis)));
        w += step.turn * xd * axis;
      }
      body.turn = body.turn * to_axis.conjugate();

      // Freely turning links: the directions are the child's own axes, which turn with it.
      if (joint.type == JointType::ball || joint.type == JointType::floating) {
        const int slides = joint.type == JointType::floating ? 3 : 0;
        const Eigen::Matrix<S, 4, 1> given = q.template segment<4>(carried.q + slides);
        if (slides) body.origin += joint_turn * Vector3(q.template segment<3>(carried.q));
        body.turn = joint_turn * Quaternion(given).normalized();
        const Matrix3 axes = body.turn.toRotationMatrix();
        body.free.template topLeftCorner<3, 3>() = axes;
        body.free.bottomRightCorner(slides, slides) = axes.topLeftCorner(slides, slides);
        w = axes * qd.template segment<3>(carried.qd);
        if (slides) body.bent.template tail<3>() = w.cross(axes * qd.template segment<3>(carried.qd + 3));
      }
      body.center = body.origin + body.turn * bodies_[carried.link].center_of_mass;
    }
    return placed;
  }

  // The matrix that takes all velocities to the relative ones, six per joint: the angular velocity of the child, and
  // the velocity of its origin, less those that it would have if it were fixed to the parent.
  MatrixX relative_motion(const std::vector<Placed>& placed) const
  {
    MatrixX A = MatrixX::Zero(6 * placed.size(), 6 * placed.size());
    const auto add = [&](std::size_t child, std::size_t body, const S& sign) {
      const Vector3 arm = placed[child].origin - placed[body].center;
      auto block = A.template block<6, 6>(6 * child, 6 * body);
      block.diagonal().setConstant(sign);
      for (int k = 0; k < 3; ++k) block.template block<3, 1>(3, k) = sign * Vector3::Unit(k).cross(arm);
    };
    for (const Carried& joint : order_.links) {
      add(joint.link, joint.link, S(1));
      if (joint.parent != world) add(joint.link, joint.parent, S(-1));
    }
    return A;
  }

  // Relative accelerations as seen from the parents, when no body is accelerated: centripetal and Coriolis' terms.
  VectorX unaccelerated(const std::vector<Placed>& placed, const VectorX& velocity) const
  {
    VectorX gamma(velocity.size());
    for (const Carried& joint : order_.links) {
      const std::size_t i = joint.link, p = joint.parent;
      const Vector3 w = velocity.template segment<3>(6 * i), v = velocity.template segment<3>(6 * i + 3);
      const Vector3 arm = placed[i].origin - placed[i].center;
      gamma.template segment<6>(6 * i) << Vector3::Zero(), w.cross(w.cross(arm));
      if (p == world) continue;
      const Vector3 W = velocity.template segment<3>(6 * p), V = velocity.template segment<3>(6 * p + 3);
      const Vector3 parent_arm = placed[i].origin - placed[p].center;
      const Vector3 slip = v + w.cross(arm) - V - W.cross(parent_arm);
      gamma.template segment<3>(6 * i) -= W.cross(w);
      gamma.template segment<3>(6 * i + 3) -= W.cross(W.cross(parent_arm)) + S(2) * W.cross(slip);
    }
    return gamma;
  }

  template <std::size_t n>
  static Eigen::Matrix<S, int(n), 1> exactly(const std::array<double, n>& a)
  {
    return Eigen::Matrix<double, int(n), 1>(a.data()).template cast<S>();
  }
  static Quaternion turn(const std::array<double, 4>& xyzw) { return Quaternion(exactly(xyzw)).normalized(); }

  JointOrder order_;
  std::vector<Body> bodies_;  // in the order of the mechanism, as all vectors of bodies and joints here
};

}  // namespace articulate::witness
