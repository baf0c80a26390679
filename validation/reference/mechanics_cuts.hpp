/** \file
 *  \brief Cut joints as vector mechanics takes them: points and directions of two links.
 */
#pragma once
#include <reference/mechanics_state.hpp>

namespace articulate::reference {

/// \brief A cut joint: a point of the second link, seen along directions of the first, in which it must not leave a point of that;
/// of a universal joint also a direction of the second link, which stays normal to one of the first.
template <typename I>
class MechanicsCut {
public:
  MechanicsCut(const Loop& loop, const Mechanism& mechanism)
      : first_(number(loop.first.link, mechanism)),
        second_(number(loop.second.link, mechanism)),
        first_point_(exactly<I>(loop.first.position)),
        second_point_(exactly<I>(loop.second.position))
  {
    const bool universal = loop.turning == Turning::universal;
    if ((loop.turning != Turning::free && !universal) || loop.axis != std::array<double, 3>{0, 0, 1})
      throw Unverified(
          "vector mechanics closes balls and universal joints, which may slide along their axes, and loop '" +
          loop.name + "' is neither.");
    if (universal) rows_.push_back({true, axis(loop.first, 0), axis(loop.second, 1)});
    for (int k = 0; k < 3; ++k)
      if (!loop.slides[static_cast<std::size_t>(k)])
        rows_.push_back({false, axis(loop.first, k), MechanicsVector3<I>::Zero()});
  }

  std::size_t rows() const { return rows_.size(); }

  /// \brief How far a demand is from being met, how fast that changes, and how that: in the machine's last motion.
  struct Slip {
    I way, rate, acceleration;
  };
  Slip slip(const witness::VectorNewtonEuler<I>& machine, std::size_t row) const
  {
    const Point a = point(machine, first_, first_point_), b = point(machine, second_, second_point_);
    const Carried n = carried(a, rows_[row].of_first);
    if (rows_[row].is_normal) return product(n, carried(b, rows_[row].of_second));
    return product(n, {b.p - a.p, b.v - a.v, b.a - a.a});
  }

private:
  static constexpr std::size_t world = -1;

  struct Row {
    bool is_normal;
    MechanicsVector3<I> of_first, of_second;
  };
  struct Point {
    Eigen::Matrix<I, 3, 3> axes = Eigen::Matrix<I, 3, 3>::Identity();
    MechanicsVector3<I> p, v = MechanicsVector3<I>::Zero(), a = v, w = v, alpha = v;
  };
  /// A vector and its derivatives with respect to time.
  struct Carried {
    MechanicsVector3<I> x, rate, acceleration;
  };

  static Slip product(const Carried& a, const Carried& b)
  {
    return {dot(a.x, b.x), dot(a.rate, b.x) + dot(a.x, b.rate),
            dot(a.acceleration, b.x) + I(2) * dot(a.rate, b.rate) + dot(a.x, b.acceleration)};
  }
  static Carried carried(const Point& link, const MechanicsVector3<I>& direction)
  {
    const MechanicsVector3<I> n = link.axes * direction, rate = cross(link.w, n);
    return {n, rate, cross(link.alpha, n) + cross(link.w, rate)};
  }
  static MechanicsVector3<I> axis(const Loop::End& end, int k)
  {
    const auto& [x, y, z, s] = end.quaternion;
    return turned<I>({I(x), I(y), I(z)}, I(s), MechanicsVector3<I>::Unit(k));
  }
  static std::size_t number(const std::string& link, const Mechanism& mechanism)
  {
    if (link.empty()) return world;
    for (std::size_t l = 0; l < mechanism.links.size(); ++l)
      if (mechanism.links[l].name == link) return l;
    throw Unverified("a loop names the link '" + link + "', which does not exist.");
  }
  static Point point(const witness::VectorNewtonEuler<I>& machine, std::size_t link, const MechanicsVector3<I>& r)
  {
    if (link == world) return {.p = r};
    const auto& body = machine.links[link];
    const Carried arm =
        carried({.axes = body.rotation, .w = body.angular_velocity, .alpha = body.angular_acceleration}, r);
    return {
        body.rotation,         body.position + arm.x,    body.velocity + arm.rate, body.acceleration + arm.acceleration,
        body.angular_velocity, body.angular_acceleration};
  }

  std::size_t first_, second_;
  MechanicsVector3<I> first_point_, second_point_;
  std::vector<Row> rows_;
};

/// \brief All of a problem.
template <typename I>
std::vector<MechanicsCut<I>> cuts_of(const Problem& problem)
{
  std::vector<MechanicsCut<I>> cuts;
  for (const Loop& loop : problem.loops) cuts.emplace_back(loop, problem.in.mechanism);
  return cuts;
}

/// \brief The cuts together, row by row, at a state.
template <typename I>
struct MechanicsConstraints {
  IntervalVector<I> ways, accelerations;  ///< the latter at no joint acceleration
  IntervalMatrix<I> A;                    ///< the rates of the ways for unit joint rates

  MechanicsConstraints(MechanicsState<I>& state, const std::vector<MechanicsCut<I>>& cuts, const IntervalVector<I>& qd)
  {
    Eigen::Index rows = 0;
    for (const MechanicsCut<I>& cut : cuts) rows += static_cast<Eigen::Index>(cut.rows());
    ways.resize(rows), accelerations.resize(rows), A.resize(rows, state.none.size());
    const auto for_each_row = [&](const auto& f) {
      Eigen::Index row = 0;
      for (const MechanicsCut<I>& cut : cuts)
        for (std::size_t k = 0; k < cut.rows(); ++k) f(row++, cut.slip(state.machine, k));
    };
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      state.forces(IntervalVector<I>::Unit(A.cols(), j), state.none);
      for_each_row([&](Eigen::Index row, const auto& slip) { A(row, j) = slip.rate; });
    }
    state.forces(qd, state.none);
    for_each_row([&](Eigen::Index row, const auto& slip) {
      ways(row) = slip.way;
      accelerations(row) = slip.acceleration;
    });
  }
};

}  // namespace articulate::reference
