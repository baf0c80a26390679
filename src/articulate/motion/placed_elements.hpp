/** \file
 *  \brief Force elements that have found their places in a model: points on bodies, coordinates and rates.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <cmath>
#include <articulate/model/recursion.hpp>
#include <articulate/motion/force_laws.hpp>

namespace articulate {

/// \brief A point of a body (0: the world), in the body's frame.
template <typename Scalar>
struct PlacedPoint {
  int body;
  Vector3<Scalar> r;
};

template <typename Scalar>
struct PlacedSpring {
  static constexpr bool acts_on_bodies = true;
  std::string name;
  PlacedPoint<Scalar> first, second;
  int common;  ///< the last body that carries both ends, or the world
  SpringLaw<Scalar> law;

  /// \throws StateError when a direction is needed and there is none
  void require_direction(const Vector3<Scalar>& d) const
  {
    if (law.has_direction && !(comparable(inner(d, d)) > 0))
      throw StateError("the ends of the spring '" + name +
                       "' coincide, so that its force has no direction; only one without a damper and with the rest "
                       "length 0 may pass there.");
  }
};

template <typename Scalar>
struct PlacedJointLaw {
  static constexpr bool acts_on_bodies = false;
  std::string name;
  int q, v;
  JointLaw<Scalar> law;
};

template <typename Scalar>
struct PlacedForce {
  static constexpr bool acts_on_bodies = true;
  std::string name;
  PlacedPoint<Scalar> at;
  bool in_link;
  SO3<Scalar> axes;  ///< of the link in the body
  TimeTable<3> force;

  /// The force in the axes of the body, which is turned by R in the world.
  Vector3<Scalar> in_body(const SO3<Scalar>& R, const Scalar& t) const
  {
    const std::array<Scalar, 3> x = value_at(force, t);
    const Vector3<Scalar> f{x[0], x[1], x[2]};
    return in_link ? axes * f : inverse(R) * f;
  }
};

template <typename Scalar>
struct PlacedJointForce {
  static constexpr bool acts_on_bodies = false;
  std::string name;
  int v;
  TimeTable<1> force;
};

template <typename Scalar>
struct PlacedRotor {
  static constexpr bool acts_on_bodies = false;
  std::string name;
  int v;
  Scalar inertia;
};

template <typename Scalar>
struct PlacedField {
  static constexpr bool acts_on_bodies = true;
  std::string name;
  FieldLaw<Scalar> law;
  Vector3<Scalar> center;
  Indexed<PlacedPoint<Scalar>> centers;  ///< of mass, of the bodies that have one

  /// \throws StateError for a body at the centre
  void require_distance(const Vector3<Scalar>& r) const
  {
    if (!(comparable(inner(r, r)) > 0))
      throw StateError("a centre of mass is at the centre of the gravity field '" + name +
                       "', where its force is infinite; choose another state.");
  }
};

struct PlacedUserLaw : UserLaw {
  static constexpr bool acts_on_bodies = false;
};

template <typename Scalar>
using PlacedElement = std::variant<PlacedSpring<Scalar>, PlacedJointLaw<Scalar>, PlacedForce<Scalar>,
                                   PlacedJointForce<Scalar>, PlacedRotor<Scalar>, PlacedField<Scalar>, PlacedUserLaw>;

/// \brief The pose of a body seen from one that carries it, after both were placed.
template <typename Scalar>
SE3<Scalar> seen_from(int carrier, int body, const Recursion<Scalar>& moved)
{
  if (body == carrier) return {};
  SE3<Scalar> X = moved.T[body];
  for (const Body<Scalar>& a : moved.model().way_to_base(moved.model().body(body).parent, carrier))
    X = moved.T[a.index] * X;
  return X;
}

namespace detail {

/// \brief One element on its way to its place.
template <typename Scalar>
class ElementPlacer {
public:
  ElementPlacer(const Model<Scalar>& model, std::string name) : model_(model), name_(std::move(name)) {}

  PlacedElement<Scalar> operator()(const SpringDamper& s) const
  {
    not_negative("stiffness", s.stiffness);
    not_negative("damping", s.damping);
    not_negative("rest length", s.rest_length);
    const PlacedPoint<Scalar> first = point(s.first), second = point(s.second);
    if (first.body == second.body)
      refuse("joins two points of one rigid body; it needs two that move against each other");
    int i = first.body, j = second.body;  // a parent has the smaller index
    while (i != j) (i > j ? i : j) = model_.body(i > j ? i : j).parent;
    return PlacedSpring<Scalar>{name_, first, second, i, SpringLaw<Scalar>(s)};
  }

  PlacedElement<Scalar> operator()(const JointSpring& s) const
  {
    not_negative("stiffness", s.stiffness);
    not_negative("damping", s.damping);
    finite("rest", s.rest);
    return joint_law(s, JointLaw<Scalar>(s));
  }

  PlacedElement<Scalar> operator()(const JointFriction& f) const
  {
    not_negative("viscous friction", f.viscous);
    not_negative("Coulomb friction", f.coulomb);
    finite("width", f.width);
    if (f.coulomb == 0) return joint_law(f, JointLaw<Scalar>(f));
    if (!(f.width > 0))
      refuse("has the width " + shown(f.width) +
             "; Coulomb friction that jumps at rest has no motion of its own, so give a rate above 0");
    if (!std::isnormal(f.width * f.width * f.width))
      refuse("has the width " + shown(f.width) +
             ", of whose cube, by which its derivative is divided, a double has no digits; give a rate from 2.9e-103 "
             "to 5.6e+102");
    return joint_law(f, JointLaw<Scalar>(f));
  }

  PlacedElement<Scalar> operator()(const AppliedForce& f) const
  {
    check(f.force);
    const PlacedPoint<Scalar> at = point(f.at);
    if (at.body == 0) refuse("acts on the world or on a link that is fixed to it, which nothing moves");
    return PlacedForce<Scalar>{name_, at, f.in_link, model_.link(f.at.link).X.R, f.force};
  }

  PlacedElement<Scalar> operator()(const AppliedJointForce& f) const
  {
    check(f.force);
    return PlacedJointForce<Scalar>{name_, rate(f), f.force};
  }

  PlacedElement<Scalar> operator()(const RotorInertia& r) const
  {
    not_negative("inertia", r.inertia);
    require_coordinate(r, "a rotor's inertia");
    return PlacedRotor<Scalar>{name_, rate(r), Scalar(r.inertia)};
  }

  PlacedElement<Scalar> operator()(const GravityField& g) const
  {
    not_negative("strength", g.strength);
    for (const double x : g.center) finite("centre", x);
    PlacedField<Scalar> field{name_, {Scalar(g.strength)}, vector(g.center), {}};
    for (const Body<Scalar>& body : model_.outward())
      if (comparable(body.I.mass) > 0)
        field.centers.push_back({body.index, Scalar(1) / body.I.mass * body.I.first_moment});
    return field;
  }

  PlacedElement<Scalar> operator()(const UserLaw& user) const
  {
    if (!std::is_same_v<Scalar, double>)
      refuse("is a user's law, a function of doubles, which no other scalar can enter");
    if (!user.force) refuse("is a user's law without a function; give one");
    return PlacedUserLaw{user};
  }

private:
  [[noreturn]] void refuse(const std::string& sentence) const
  {
    throw ModelError(model_.mechanism().source + ": the force element '" + name_ + "' " + sentence + ".");
  }

  void finite(const char* quantity, double x) const
  {
    if (!std::isfinite(x)) refuse(std::string("has a ") + quantity + " that is not a finite number");
  }
  void not_negative(const char* quantity, double x) const
  {
    finite(quantity, x);
    if (x < 0) refuse(std::string("has a negative ") + quantity + "; it is zero or more");
  }

  template <std::size_t n>
  void check(const TimeTable<n>& table) const
  {
    if (table.times.empty() || table.times.size() != table.values.size())
      refuse("has " + std::to_string(table.values.size()) + " values at " + std::to_string(table.times.size()) +
             " times; it needs one for each, and one time or more");
    for (std::size_t k = 0; k < table.times.size(); ++k) {
      finite("time", table.times[k]);
      if (k > 0 && !(table.times[k - 1] < table.times[k])) refuse("has times that do not increase");
      for (const double x : table.values[k]) finite("force", x);
    }
  }

  static Vector3<Scalar> vector(const std::array<double, 3>& x) { return {Scalar(x[0]), Scalar(x[1]), Scalar(x[2])}; }

  PlacedPoint<Scalar> point(const Attachment& at) const
  {
    for (const double x : at.position) finite("position", x);
    if (at.link.empty()) return {0, vector(at.position)};
    for (const LinkFrame<Scalar>& link : model_.links())
      if (link.name == at.link) return {link.body, link.X * vector(at.position)};
    refuse("names the link '" + at.link + "', which does not exist");
  }

  template <typename Element>
  const JointSlot& joint(const Element& element) const
  {
    for (const JointSlot& slot : model_.joints())
      if (slot.name == element.joint) {
        if (element.degree < 0 || element.degree >= slot.nv)
          refuse("names degree " + std::to_string(element.degree) + " of the joint '" + slot.name + "', which has " +
                 std::to_string(slot.nv) + ", counted from 0");
        return slot;
      }
    refuse("names the joint '" + element.joint + "', which does not move in the model");
  }
  template <typename Element>
  int rate(const Element& element) const
  {
    return joint(element).v + element.degree;
  }
  template <typename Element>
  void require_coordinate(const Element& element, const char* what) const
  {
    if (joint(element).nq != joint(element).nv)
      refuse(std::string("is ") + what + " of the joint '" + element.joint +
             "', whose orientation is a quaternion and no coordinate of a degree");
  }
  template <typename Element>
  PlacedElement<Scalar> joint_law(const Element& element, const JointLaw<Scalar>& law) const
  {
    if (law.is_spring) require_coordinate(element, "a spring");
    return PlacedJointLaw<Scalar>{name_, joint(element).q + (law.is_spring ? element.degree : 0), rate(element), law};
  }

  const Model<Scalar>& model_;
  std::string name_;
};

}  // namespace detail

/** \brief The elements, each at its place in the model.
 *  \throws ModelError in one sentence for a link, joint or degree that does not exist, or a number that cannot be meant
 */
template <typename Scalar>
Indexed<PlacedElement<Scalar>> place(const Model<Scalar>& model, const std::vector<ForceElement>& elements)
{
  Indexed<PlacedElement<Scalar>> placed;
  for (const ForceElement& element : elements)
    placed.push_back(std::visit(detail::ElementPlacer<Scalar>(model, name_of(element)), element));
  return placed;
}

}  // namespace articulate
