/** \file
 *  \brief Witness (b): motion of bodies that know nothing of each other but what their joints forbid.
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
 *
 *  A joint that closes a loop is a joint like all others: it forbids what it does not allow. Only its motion is no
 *  coordinate. A coordinate whose acceleration is prescribed is one more direction with a multiplier, its drive.
 */
#pragma once
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/QR>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include <ledger/eager_matrices.hpp>        // products and sums computed at once
#include <ledger/linear_systems.hpp>        // solutions of dense systems, compiled once
#include <articulate/constrained/loop.hpp>  // Loop: a cut joint as plain numbers
#include <witnesses/joint_order.hpp>        // JointOrder: the plain reading of a mechanism

namespace articulate::witness {

using namespace validation::eager;

/// \brief Dynamics of a tree and its loops; coordinates, rates, forces and their order are those of VectorNewtonEuler.
template <class S>
class MaximalCoordinates {
public:
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  using Vector6 = Eigen::Matrix<S, 6, 1>;
  using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
  using Matrix3 = Eigen::Matrix<S, 3, 3>;
  using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

  MaximalCoordinates(const Mechanism& mechanism, bool floating_base, const std::vector<Loop>& loops = {})
      : order_(mechanism, floating_base), bodies_(mechanism.links.size()), loops_(loops)
  {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Link& link = mechanism.links[i];
      number_[link.name] = i;
      const Vector6 I = exactly(link.inertia);
      const Matrix3 axes = turn(link.inertial_quaternion).toRotationMatrix();
      Matrix3 inertia;
      inertia << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
      bodies_[i] = {S(link.mass), exactly(link.center_of_mass), axes * inertia * axes.transpose()};
    }
  }

  /** \brief Joint accelerations of the tree, its loops open, under joint forces.
   *  \param gravity   gravitational acceleration in world axes
   *  \param external  per link, in the order of the mechanism: moment about its origin and force, in its axes; or empty
   */
  VectorX forward_dynamics(const VectorX& q, const VectorX& qd, const VectorX& tau, const Vector3& gravity,
                           const std::vector<Vector6>& external = {}) const
  {
    const Free free = set_free(q, qd, tau, gravity, external);
    const Joints& tree = free.tree;
    const MatrixX system = with_multipliers(free.mass, tree.N.transpose() * tree.A);
    VectorX right(system.rows());
    right << free.force + tree.A.transpose() * (tree.drive * tau), tree.N.transpose() * tree.bent;
    return free.accelerations(validation::solution(system, right));
  }

  /** \brief Complete a motion with closed loops, at a q and qd that close them.
   *  \param qdd, tau    of each rate one is given, and the other is found
   *  \param prescribed  per rate: is it qdd that is given?
   *  \return            six numbers per loop: what the cut joint exerts on the second link, moment about the second frame's
   *                     origin and force, in world axes
   *
   *  Where the multipliers of the loops are not unique, the shortest are taken; that decides on the tau found, too.
   */
  VectorX complete(const VectorX& q, const VectorX& qd, VectorX& qdd, VectorX& tau, const std::vector<bool>& prescribed,
                   const Vector3& gravity, const std::vector<Vector6>& external = {}) const
  {
    const Free free = set_free(q, qd, tau, gravity, external);
    const Joints &tree = free.tree, loops = closing(free);
    std::vector<Eigen::Index> u, v;
    for (Eigen::Index k = 0; k < order_.rates; ++k) (prescribed[k] ? u : v).push_back(k);
    const MatrixX drive_u = tree.drive(Eigen::all, u), drive_v = tree.drive(Eigen::all, v);

    // Forbidden by the joints, said of the prescribed coordinates, forbidden by the loops.
    const Eigen::Index size = free.force.size(), n = tree.N.cols(), given = u.size(), m = loops.N.cols();
    MatrixX C(n + given + m, size);
    C << tree.N.transpose() * tree.A, drive_u.transpose() * tree.A, loops.N.transpose() * loops.A;
    const MatrixX system = with_multipliers(free.mass, C);
    VectorX right(system.rows());
    right << free.force + tree.A.transpose() * (drive_v * tau(v)), tree.N.transpose() * tree.bent,
        qdd(u) + drive_u.transpose() * tree.bent, loops.N.transpose() * loops.bent;

    // The motion is unique. Of the multipliers take those that are shortest at the loops.
    using std::sqrt;
    Eigen::FullPivLU<MatrixX> lu(system.rows(), system.cols());
    lu.setThreshold(sqrt(Eigen::NumTraits<S>::epsilon()));  // between what is sound and what is rounding
    VectorX x = lu.compute(system).solve(right);
    if (!lu.isInvertible()) {
      const MatrixX Z = lu.kernel(), Z_m = Z.bottomRows(m);
      x -= Z * validation::definite_solution(MatrixX(Z_m.transpose() * Z_m), VectorX(Z_m.transpose() * x.tail(m)));
    }

    qdd = free.accelerations(x);
    for (Eigen::Index k = 0; k < given; ++k) tau[u[k]] = -x[size + n + k];
    return -loops.N * x.tail(m);
  }

private:
  using Quaternion = Eigen::Quaternion<S>;

  struct Body {
    S mass;
    Vector3 center_of_mass;  // in the link's axes
    Matrix3 inertia;         // about it, in the link's axes
  };

  // A body in place; this and all that follows along world axes.
  struct Placed {
    Quaternion turn;
    Vector3 origin, center;
  };

  // A joint in place, and how its child may move relative to its parent.
  struct Connection {
    std::size_t child, parent;
    Vector3 point;
    MatrixX free;  // per rate: relative angular velocity, relative velocity of the child's point
    Vector6 bent;  // what the turning of these directions, as seen from the parent, adds to the relative acceleration
  };

  // Several joints, six rows each. The columns of `drive` are wrenches that do unit work per unit of one coordinate;
  // transposed, they read the coordinates off a relative motion.
  struct Joints {
    MatrixX A;              // takes the velocities of all bodies to relative ones
    MatrixX Phi, N, drive;  // what is allowed; what is forbidden: the orthogonal complement
    VectorX bent;  // the relative accelerations, less A times the accelerations, that leave all rates as they are
  };

  // Bodies that know nothing of each other, in motion: Newton and Euler for each alone.
  struct Free {
    std::vector<Placed> placed;
    Joints tree;
    VectorX velocity, force;
    MatrixX mass;

    // Joint accelerations from those of the bodies, which come first in the solution of the system.
    VectorX accelerations(const VectorX& solution) const
    {
      return tree.drive.transpose() * (tree.A * solution.head(force.size()) - tree.bent);
    }
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

  // The turn after which z is the axis given. The shortest is half a turn about z, then one about the bisector of z and
  // the axis. Where the axis points down: the shortest to its opposite, after half a turn about x, which with that about
  // z makes one about y.
  static Quaternion axis_turn(const std::array<double, 3>& given)
  {
    const Vector3 axis = exactly(given).normalized();
    const bool down = axis[2] < 0;
    const Vector3 bisector = (Vector3::UnitZ() + (down ? -axis : axis)).normalized();
    return half_turn(bisector) * half_turn(down ? Vector3::UnitY() : Vector3::UnitZ());
  }
  static Quaternion half_turn(const Vector3& axis) { return Quaternion(S(0), axis[0], axis[1], axis[2]); }

  // Put the bodies where the coordinates say; a joint comes after those that carry it.
  std::vector<Connection> place(const VectorX& q, const VectorX& qd, std::vector<Placed>& placed) const
  {
    std::vector<Connection> connections;
    placed.resize(bodies_.size());
    for (const Carried& carried : order_.links) {
      const Joint& joint = carried.joint;
      const bool on_world = carried.parent == world;
      const Quaternion ground = on_world ? Quaternion::Identity() : placed[carried.parent].turn;
      const Quaternion joint_turn = ground * turn(joint.quaternion),
                       to_axis = has_axis(joint.type) ? axis_turn(joint.axis) : Quaternion::Identity();
      Placed& body = placed[carried.link];
      body.origin = ground * exactly(joint.position);
      if (!on_world) body.origin += placed[carried.parent].origin;
      body.turn = joint_turn * to_axis;
      Connection c{carried.link, carried.parent, {}, MatrixX::Zero(6, freedoms(joint.type).second), Vector6::Zero()};

      // Before each step the turns so far, at the angular velocity w, have turned the axes.
      Vector3 w = Vector3::Zero();
      int rate = 0;
      for (const Step& step : steps(joint)) {
        const S &x = q[carried.q + rate], &xd = qd[carried.qd + rate];
        const Vector3 axis = body.turn * Vector3::Unit(step.axis);
        c.free.col(rate++) << step.turn * axis, step.slide * axis;
        c.bent.template head<3>() += step.turn * xd * w.cross(axis);
        c.bent.template tail<3>() += step.slide * xd * w.cross(axis);
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
        c.free.template topLeftCorner<3, 3>() = axes;
        c.free.bottomRightCorner(slides, slides) = axes.topLeftCorner(slides, slides);
        w = axes * qd.template segment<3>(carried.qd);
        if (slides) c.bent.template tail<3>() = w.cross(axes * qd.template segment<3>(carried.qd + 3));
      }
      body.center = body.origin + body.turn * bodies_[carried.link].center_of_mass;
      c.point = body.origin;
      connections.push_back(c);
    }
    return connections;
  }

  // Joints together: how the bodies move at them, what they allow and forbid.
  Joints together(const std::vector<Connection>& connections, const std::vector<Placed>& placed) const
  {
    Eigen::Index rates = 0, row = 0, allowed = 0, forbidden = 0;
    for (const Connection& c : connections) rates += c.free.cols();
    const Eigen::Index size = 6 * connections.size();
    Joints joints{relative_motion(connections, placed), MatrixX::Zero(size, rates), MatrixX::Zero(size, size - rates),
                  MatrixX::Zero(size, rates), VectorX(size)};
    for (const Connection& c : connections) {
      const Eigen::Index freedom = c.free.cols();
      MatrixX Q = MatrixX::Identity(6, 6);
      if (freedom > 0) {
        const Eigen::HouseholderQR<MatrixX> qr(c.free);
        Q = qr.householderQ() * Q;
        joints.drive.block(row, allowed, 6, freedom) = qr.solve(MatrixX::Identity(6, 6)).transpose();
      }
      joints.Phi.block(row, allowed, 6, freedom) = c.free;
      joints.N.block(row, forbidden, 6, 6 - freedom) = Q.rightCols(6 - freedom);
      joints.bent.template segment<6>(row) = c.bent;
      row += 6, allowed += freedom, forbidden += 6 - freedom;
    }
    return joints;
  }

  // The bodies at the velocities that the rates say, each under its weight, its external wrench, the turning of its inertia.
  Free set_free(const VectorX& q, const VectorX& qd, const VectorX& tau, const Vector3& gravity,
                const std::vector<Vector6>& external) const
  {
    if (q.size() != order_.coordinates || qd.size() != order_.rates || tau.size() != order_.rates)
      throw std::invalid_argument("MaximalCoordinates: q, qd or tau has a wrong length");
    if (!external.empty() && external.size() != bodies_.size())
      throw std::invalid_argument("MaximalCoordinates: external needs one wrench for each link");
    Free free;
    const std::vector<Connection> connections = place(q, qd, free.placed);
    free.tree = together(connections, free.placed);
    free.velocity = validation::solution(free.tree.A, VectorX(free.tree.Phi * qd));
    free.tree.bent -= unaccelerated(connections, free.placed, free.velocity);

    const Eigen::Index size = 6 * bodies_.size();
    free.mass = MatrixX::Zero(size, size);
    free.force.resize(size);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Placed& body = free.placed[i];
      const Matrix3 axes = body.turn.toRotationMatrix(), inertia = axes * bodies_[i].inertia * axes.transpose();
      const Vector3 w = free.velocity.template segment<3>(6 * i);
      Vector3 moment = -w.cross(inertia * w), force = bodies_[i].mass * gravity;
      if (!external.empty()) {
        const Vector3 push = axes * external[i].template tail<3>();
        moment += axes * external[i].template head<3>() + (body.origin - body.center).cross(push);
        force += push;
      }
      free.mass.template block<3, 3>(6 * i, 6 * i) = inertia;
      free.mass.template block<3, 3>(6 * i + 3, 6 * i + 3).diagonal().setConstant(bodies_[i].mass);
      free.force.template segment<6>(6 * i) << moment, force;
    }
    return free;
  }

  // What acts on the child acts back on the parent: to apply multipliers is the transpose of taking relative motion.
  static MatrixX with_multipliers(const MatrixX& mass, const MatrixX& C)
  {
    const Eigen::Index size = mass.rows(), rows = C.rows();
    MatrixX system = MatrixX::Zero(size + rows, size + rows);
    system.topLeftCorner(size, size) = mass;
    system.topRightCorner(size, rows) = C.transpose();
    system.bottomLeftCorner(rows, size) = C;
    return system;
  }

  // The cut joints: the second link is the child, the first the parent.
  Joints closing(const Free& free) const
  {
    std::vector<Connection> connections;
    for (const Loop& loop : loops_) {
      const std::size_t first = number_.at(loop.first.link), second = number_.at(loop.second.link);
      const auto axes = [&](std::size_t link, const Loop::End& end) -> Matrix3 {
        return (free.placed[link].turn * turn(end.quaternion) * axis_turn(loop.axis)).toRotationMatrix();
      };
      const Matrix3 E = axes(first, loop.first), F = axes(second, loop.second);
      const Vector3 x = E.col(0), y = F.col(1), z = E.col(2);

      // Turns, then slides; the axes of both are at rest in the first link, but for the second axis of a universal joint.
      MatrixX turns(3, 0);
      Vector6 bent = Vector6::Zero();
      if (loop.turning == Turning::about_z) turns = z;
      if (loop.turning == Turning::free) turns = E;
      if (loop.turning == Turning::universal) {
        turns.resize(3, 2);
        turns << x, y;
        const Vector3 w = free.velocity.template segment<3>(6 * second) - free.velocity.template segment<3>(6 * first);
        bent.template head<3>() = w.dot(x) * w.dot(y) * x.cross(y);
      }
      std::vector<int> slides;
      for (int k = 0; k < 3; ++k)
        if (loop.slides[k]) slides.push_back(k);
      MatrixX directions = MatrixX::Zero(6, turns.cols() + slides.size());
      directions.topLeftCorner(3, turns.cols()) = turns;
      directions.bottomRightCorner(3, slides.size()) = E(Eigen::all, slides);
      if (loop.turning == Turning::about_z) directions.col(0).template tail<3>() = S(loop.pitch) * z;

      const Vector3 point = free.placed[second].origin + free.placed[second].turn * exactly(loop.second.position);
      connections.push_back({second, first, point, directions, bent});
    }
    Joints loops = together(connections, free.placed);
    loops.bent -= unaccelerated(connections, free.placed, free.velocity);
    return loops;
  }

  // The matrix that takes all velocities to the relative ones, six per joint: the angular velocity of the child, and
  // the velocity of its point, less those that it would have if it were fixed to the parent.
  MatrixX relative_motion(const std::vector<Connection>& connections, const std::vector<Placed>& placed) const
  {
    MatrixX A = MatrixX::Zero(6 * connections.size(), 6 * placed.size());
    Eigen::Index row = 0;
    const auto add = [&](const Vector3& point, std::size_t body, const S& sign) {
      const Vector3 arm = point - placed[body].center;
      auto block = A.template block<6, 6>(row, 6 * body);
      block.diagonal().setConstant(sign);
      for (int k = 0; k < 3; ++k) block.template block<3, 1>(3, k) = sign * Vector3::Unit(k).cross(arm);
    };
    for (const Connection& c : connections) {
      add(c.point, c.child, S(1));
      if (c.parent != world) add(c.point, c.parent, S(-1));
      row += 6;
    }
    return A;
  }

  // Relative accelerations as seen from the parents, when no body is accelerated: centripetal and Coriolis' terms.
  VectorX unaccelerated(const std::vector<Connection>& connections, const std::vector<Placed>& placed,
                        const VectorX& velocity) const
  {
    VectorX gamma(6 * connections.size());
    Eigen::Index row = 0;
    for (const Connection& c : connections) {
      const std::size_t i = c.child, p = c.parent;
      const Vector3 w = velocity.template segment<3>(6 * i), v = velocity.template segment<3>(6 * i + 3);
      const Vector3 arm = c.point - placed[i].center;
      auto here = gamma.template segment<6>(row);
      row += 6;
      here << Vector3::Zero(), w.cross(w.cross(arm));
      if (p == world) continue;
      const Vector3 W = velocity.template segment<3>(6 * p), V = velocity.template segment<3>(6 * p + 3);
      const Vector3 parent_arm = c.point - placed[p].center;
      const Vector3 slip = v + w.cross(arm) - V - W.cross(parent_arm);
      here.template head<3>() -= W.cross(w);
      here.template tail<3>() -= W.cross(W.cross(parent_arm)) + S(2) * W.cross(slip);
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
  std::vector<Body> bodies_;  // in the order of the mechanism, as all vectors of bodies here
  std::vector<Loop> loops_;
  std::map<std::string, std::size_t> number_;  // of a body, by the name of its link
};

}  // namespace articulate::witness
