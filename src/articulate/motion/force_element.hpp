/** \file
 *  \brief Force elements as a person describes them: springs, dampers, friction, given forces; plain numbers.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <functional>
#include <variant>
#include <articulate/model/bodies.hpp>  // VectorX
#include <articulate/model/error.hpp>

namespace articulate {

/// \brief A point of a link, or of the world.
struct Attachment {
  std::string link;                  ///< empty for the world
  std::array<double, 3> position{};  ///< m, in the link's frame
};

/** \brief Numbers that change with time, linearly between those given; before the first and after the last they are held.
 *  \tparam n  how many
 */
template <std::size_t n>
struct TimeTable {
  std::vector<double> times;  ///< s, increasing
  std::vector<std::array<double, n>> values;

  TimeTable() = default;
  TimeTable(const std::array<double, n>& constant) : times{0}, values{constant} {}
  TimeTable(std::vector<double> t, std::vector<std::array<double, n>> x) : times(std::move(t)), values(std::move(x)) {}
};

/// \brief A spring and a damper side by side, in line between two points.
struct SpringDamper {
  std::string name;
  Attachment first, second;
  double stiffness = 0;    ///< N/m
  double damping = 0;      ///< N s/m
  double rest_length = 0;  ///< m
};

/// \brief A spring and a damper about or along one degree of a joint.
struct JointSpring {
  std::string name, joint;
  int degree = 0;        ///< which of the joint's rates, from 0
  double stiffness = 0;  ///< N m/rad, N/m
  double damping = 0;    ///< N m s/rad, N s/m
  double rest = 0;       ///< the coordinate at which the spring is slack, rad or m
};

/// \brief Friction in one degree of a joint; Coulomb's part is smoothed to \f$\dot q/\sqrt{\dot q^2 + w^2}\f$ of itself.
struct JointFriction {
  std::string name, joint;
  int degree = 0;
  double viscous = 0;   ///< N m s/rad, N s/m
  double coulomb = 0;   ///< N m, N: what sliding tends to
  double width = 1e-3;  ///< w in rad/s, m/s: the rate at which 71 % of it is reached; 99.5 % are at ten times that rate
};

/// \brief A force on a point of a link, given in time.
struct AppliedForce {
  std::string name;
  Attachment at;
  TimeTable<3> force;    ///< N
  bool in_link = false;  ///< whether its axes are those of the link; else those of the world
};

/// \brief A force in one degree of a joint, given in time.
struct AppliedJointForce {
  std::string name, joint;
  int degree = 0;
  TimeTable<1> force;  ///< N m, N
};

/// \brief What a geared rotor adds to the inertia of one degree of a joint; the moments of its own axle are left out.
struct RotorInertia {
  std::string name, joint;
  int degree = 0;
  double inertia = 0;  ///< kg m^2, kg: the rotor's own, times the square of the gear ratio
};

/** \brief The gravity of a point, on every moving body at its centre of mass.
 *
 *  The gravity gradient within one body is left out: it is smaller by the square of the body's size over the distance.
 *  Between the bodies of a mechanism it is there. Gravity that is the same everywhere acts besides, unless it is zero.
 */
struct GravityField {
  std::string name;
  double strength = 0;             ///< the gravitational constant times the attracting mass, m^3/s^2
  std::array<double, 3> center{};  ///< m, in the world
};

/** \brief A user's law in double: nv joint forces from nq coordinates, nv rates and time.
 *
 *  It is called once for every evaluation. No other scalar, and no derivative, can see inside of it: both refuse it.
 */
struct UserLaw {
  std::string name;
  std::function<VectorX<double>(const VectorX<double>& q, const VectorX<double>& qd, double t)> force;
};

/// \brief Anything that acts on a mechanism, depending on its state and on time.
using ForceElement = std::variant<SpringDamper, JointSpring, JointFriction, AppliedForce, AppliedJointForce,
                                  RotorInertia, GravityField, UserLaw>;

/// \brief What the element is called.
inline const std::string& name_of(const ForceElement& element)
{
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, element);
}

}  // namespace articulate
