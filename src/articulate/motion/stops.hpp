/** \file
 *  \brief Stops at a state: how far each is away, how fast it comes near, and what a push of it does.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <algorithm>
#include <articulate/constrained/loops.hpp>
#include <articulate/motion/event.hpp>  // Gap
#include <articulate/motion/stop.hpp>

namespace articulate {

/** \brief The gaps of all stops: an end of a range is one row, and so is a plane.
 *
 *  The rate at which the gaps open is \f$J\dot q\f$. A plane is a cut joint that forbids one slide only, so that its row
 *  is one of Loops.
 */
template <typename Scalar>
class Stops {
public:
  VectorX<Scalar> width;    ///< m gaps (rad, m), negative beyond a stop
  MatrixX<Scalar> J;        ///< m x nv
  VectorX<Scalar> Jdot_qd;  ///< m: \f$\dot J\dot q\f$

  /** \brief Find their places.
   *  \throws ModelError in one sentence for a link, joint or degree that does not exist, or a number that cannot be meant
   */
  Stops(const Model<Scalar>& model, const std::vector<Stop>& stops) : model_(model), planes_(model, cuts(model, stops))
  {
    int plane = 0;
    for (const Stop& stop : stops) {
      if (const auto* joint = std::get_if<JointStop>(&stop))
        add(*joint);
      else
        rows_.push_back({name_of(stop), Scalar(std::get<PlaneStop>(stop).restitution), plane++, -1, {}, {}});
    }
    const auto m = static_cast<Eigen::Index>(rows_.size());
    width = Jdot_qd = VectorX<Scalar>::Zero(m);
    J = MatrixX<Scalar>::Zero(m, model.nv());
  }

  int rows() const { return static_cast<int>(rows_.size()); }
  const std::string& name_of_row(int i) const { return rows_[i].name; }  ///< for a range with the end that it is
  const Scalar& restitution(int i) const { return rows_[i].restitution; }
  /// \brief What rounding may leave of a gap (rad, m), see Loops::rounding_of_row().
  double rounding_of_row(int i) const
  {
    const Row& row = rows_[i];
    if (row.plane >= 0) return planes_.rounding_of_row(row.plane);
    return rounding<Scalar>(model_.nv()) * std::max(1.0, static_cast<double>(comparable(magnitude(row.end))));
  }

  /** \brief Everything at a state.
   *  \param q   nq coordinates   \param qd  nv joint rates
   *  \throws SizeError naming the argument, the length given and the length expected
   */
  void operator()(const VectorRef<Scalar>& q, const VectorRef<Scalar>& qd)
  {
    planes_(q, qd);
    for (int i = 0; i < rows(); ++i) {
      const Row& row = rows_[i];
      if (row.plane >= 0) {
        width(i) = planes_.violation(row.plane);
        J.row(i) = planes_.A.row(row.plane);
        Jdot_qd(i) = planes_.Adot_qd(row.plane);
      } else {
        width(i) = row.sign * (q(row.q) - row.end);
        J(i, row.v) = row.sign;
      }
    }
  }

  /// \brief Of one row, at the latest state.
  Gap<Scalar> gap(int i, const VectorX<Scalar>& qd) const
  {
    Scalar rate(0);
    for (int k = 0; k < qd.size(); ++k) rate += J(i, k) * qd(k);
    return {width(i), rate};
  }

private:
  struct Row {
    std::string name;
    Scalar restitution;
    int plane, v;  // of the two one is negative
    Scalar sign, end;
    int q = -1;
  };

  [[noreturn]] static void refuse(const Model<Scalar>& model, const std::string& name, const std::string& sentence)
  {
    throw ModelError(model.mechanism().source + ": the stop '" + name + "' " + sentence + ".");
  }
  static void require(const Model<Scalar>& model, const std::string& name, const std::string& quantity, double x)
  {
    if (!std::isfinite(x)) refuse(model, name, "has a " + quantity + " that is not a finite number");
  }

  static std::vector<Loop> cuts(const Model<Scalar>& model, const std::vector<Stop>& stops)
  {
    std::vector<Loop> loops;
    for (const Stop& stop : stops) {
      const std::string& name = name_of(stop);
      const double e = std::visit([](const auto& one) { return one.restitution; }, stop);
      if (!(e >= 0 && e <= 1)) refuse(model, name, "has a restitution that is not from 0, plastic, to 1, elastic");
      const auto* plane = std::get_if<PlaneStop>(&stop);
      if (!plane) continue;
      for (const Attachment* at : {&plane->point, &plane->plane}) {
        for (const double x : at->position) require(model, name, "position", x);
        const auto& links = model.links();
        if (!at->link.empty() &&
            std::none_of(links.begin(), links.end(), [&](const auto& link) { return link.name == at->link; }))
          refuse(model, name, "names the link '" + at->link + "', which does not exist");
      }
      const auto body = [&](const Attachment& at) { return at.link.empty() ? 0 : model.link(at.link).body; };
      if (body(plane->point) == body(plane->plane))
        refuse(model, name, "has its point and its plane on one rigid body; it needs two that move against each other");
      for (const double x : plane->normal) require(model, name, "normal", x);
      if (plane->normal == std::array<double, 3>{})
        refuse(model, name, "has the normal 0 0 0; a plane needs a direction of non-zero length");
      Loop loop{name, {plane->plane.link, plane->plane.position}, {plane->point.link, plane->point.position}};
      loop.axis = plane->normal;
      loop.slides = {true, true, false};
      loop.turning = Turning::free;
      loops.push_back(loop);
    }
    return loops;
  }

  void add(const JointStop& stop)
  {
    const auto& joints = model_.joints();
    const auto slot =
        std::find_if(joints.begin(), joints.end(), [&](const JointSlot& one) { return one.name == stop.joint; });
    if (slot == joints.end())
      refuse(model_, stop.name, "names the joint '" + stop.joint + "', which does not move in the model");
    if (stop.degree < 0 || stop.degree >= slot->nv)
      refuse(model_, stop.name,
             "names degree " + std::to_string(stop.degree) + " of the joint '" + stop.joint + "', which has " +
                 std::to_string(slot->nv) + ", counted from 0");
    if (slot->nq != slot->nv)
      refuse(model_, stop.name,
             "ends the range of the joint '" + stop.joint + "', whose orientation is a quaternion and has none");
    if (!(stop.lower < stop.upper)) refuse(model_, stop.name, "has a lower end that is not below its upper one");
    if (!std::isfinite(stop.lower) && !std::isfinite(stop.upper))
      refuse(model_, stop.name, "has neither a lower nor an upper end, so that it stops nothing; give one");
    const Scalar e(stop.restitution);
    const int q = slot->q + stop.degree, v = slot->v + stop.degree;
    if (std::isfinite(stop.lower)) rows_.push_back({stop.name + ".lower", e, -1, v, Scalar(1), Scalar(stop.lower), q});
    if (std::isfinite(stop.upper)) rows_.push_back({stop.name + ".upper", e, -1, v, Scalar(-1), Scalar(stop.upper), q});
  }

  Model<Scalar> model_;
  Loops<Scalar> planes_;
  Indexed<Row> rows_;
};

}  // namespace articulate
