/** \file
 *  \brief Bodies as Park's section 3 and appendix describe them: put together from the links of a mechanism, or drawn.
 */
#pragma once
#include <ledger/calculus.hpp>
#include <witnesses/mass_points.hpp>

namespace articulate::validation {

/// \brief A bound of a vector's length: the sum of its entries, which are terms of what is compared.
template <typename S>
S taxicab(const Vector3<S>& x)
{
  return magnitude(x[0]) + magnitude(x[1]) + magnitude(x[2]);
}

/// \brief A body as the paper describes it: mass, centre of mass, and the inertia about the centre in parallel axes.
template <typename S>
struct Lump {
  S m;
  Vector3<S> r;
  Matrix3<S> I;

  /// \brief (21) with its blocks as they stand there.
  Matrix6<S> J() const
  {
    const Matrix3<S> mr = m * skew(r);
    Matrix6<S> blocks;
    blocks << (I - mr * skew(r)).eigen(), mr.eigen(), -mr.eigen(), m * Eigen::Matrix<S, 3, 3>::Identity();
    return blocks;
  }
};

/// \brief A body put together from its links as the mechanism describes them. Without mass it has no centre.
template <typename S>
Lump<S> lump(const Specimen<S>& x, int body)
{
  Lump<S> whole{S(0), {}, {}};
  const auto each_link = [&](const auto& visit) {
    for (const LinkFrame<S>& link : x.model.links())
      if (link.body == body) visit(link.X, x.newton_euler().links[x.mechanism_index(link.name)]);
  };
  each_link([&](const SE3<S>& X, const auto& link) {
    whole.m += link.mass;
    whole.r += link.mass * (X * Vector3<S>(link.center_of_mass));
  });
  if (whole.m == S(0)) return whole;
  whole.r = S(1) / whole.m * whole.r;
  each_link([&](const SE3<S>& X, const auto& link) {
    const Eigen::Matrix<S, 3, 3> R = X.R.matrix.eigen(), I = R * link.inertia * R.transpose();
    const Matrix3<S> arm = skew(X * Vector3<S>(link.center_of_mass) - whole.r);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) whole.I(j, k) += I(j, k);
    whole.I = whole.I - link.mass * (arm * arm);
  });
  return whole;
}

/// \brief The points of all links of a body, in the body's frame. Their weights may be negative.
template <typename S>
std::vector<MassPoint<S>> particles(const Specimen<S>& x, int body)
{
  std::vector<MassPoint<S>> points;
  for (const LinkFrame<S>& link : x.model.links()) {
    if (link.body != body) continue;
    for (const auto& point : witness::mass_points<S>(x.inputs.mechanism.links[x.mechanism_index(link.name)]))
      points.push_back({point.mass, link.X * Vector3<S>{point.position[0], point.position[1], point.position[2]}});
  }
  return points;
}

/// \brief Sums over the points of a body: the mass, the first and the second moments as (21) has them.
template <typename S>
struct MomentsOfParticles {
  Matrix6<S> sum = Matrix6<S>::Zero();
  S terms[3] = {S(0), S(0), S(0)};  ///< of the moments of order 0, 1, 2: signed weights cancel

  MomentsOfParticles(const Specimen<S>& x, int body)
  {
    for (const MassPoint<S>& point : particles(x, body)) {
      Eigen::Matrix<S, 3, 6> velocity;  // of the point, from the twist
      velocity << skew(-point.r).eigen(), Eigen::Matrix<S, 3, 3>::Identity();
      sum += point.mass * (velocity.transpose() * velocity);
      S size = magnitude(point.mass);
      for (S& moment : terms) moment += size, size = size * taxicab(point.r);
    }
  }

  /// \brief Block by block: angular and linear parts have other units.
  template <typename Comparisons>
  void compare(Comparisons& sides, const Matrix6<S>& J) const
  {
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        sides.add(J.template block<3, 3>(3 * j, 3 * k), sum.template block<3, 3>(3 * j, 3 * k), terms[2 - j - k]);
  }
};

/// \brief A body and its motion.
template <typename S>
struct MovingBody {
  Lump<S> lump;
  Twist<S> V, Vdot;
};

/// \brief Bodies made of free numbers, for some robots move too plainly to tell a slip.
template <typename S>
std::vector<MovingBody<S>> drawn_bodies(const Specimen<S>& x)
{
  std::vector<MovingBody<S>> bodies;
  for (int k = 0; k < 110; k += 22) {
    const Symmetric3<S> I{S(3) + x.number(k + 4), x.number(k + 5), x.number(k + 6),
                          S(3) + x.number(k + 7), x.number(k + 8), S(3) + x.number(k + 9)};
    bodies.push_back({{S(2) + x.number(k), x.vector(k + 1), I.matrix()}, x.twist(k + 10), x.twist(k + 16)});
  }
  return bodies;
}

}  // namespace articulate::validation
