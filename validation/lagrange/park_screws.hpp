/** \file
 *  \brief Park's sections 4 and 5 as they stand there: constant screws, links at x = 0, the maps (37) and sums over links.
 *
 *  Coordinates are numbered from zero, and -1 is the base. In a tree "j < i" means that coordinate j is on the way from
 *  the base to coordinate i, so that "i+1" is the next one on the way to where a map leads and "i-1" the one that
 *  carries i. A joint of several coordinates is a chain of joints of one, whose links but the last have no mass.
 */
#pragma once
#include <algorithm>
#include <articulate/lagrange/screw_system.hpp>
#include <ledger/specimen.hpp>
#include <witnesses/mass_points.hpp>
#include <witnesses/newton_euler.hpp>

namespace articulate::validation {

/// \brief A link at x = 0, put together from its parts by vector mechanics.
template <typename S>
struct ParkLink {
  S m{0};
  SE3<S> M;          ///< \f$M_i = (\Theta_i, b_i)\f$, the frame at its centre of mass
  Matrix3<S> I_bar;  ///< about the centre of mass, in the axes of that frame

  /// \brief \f$I_i = \Theta_i\bar I_i\Theta_i^{\mathsf T} - m_i[b_i]^2\f$.
  Matrix3<S> I() const
  {
    const Matrix3<S> b = skew(M.p);
    return M.R.matrix * I_bar * transpose(M.R.matrix) - m * (b * b);
  }

  /// \brief \eq{park,36}, \eq{park,44}.
  Matrix6<S> D() const
  {
    const Matrix3<S> mb = m * skew(M.p);
    Matrix6<S> D;
    D << I().eigen(), mb.eigen(), mb.eigen().transpose(), m * Eigen::Matrix<S, 3, 3>::Identity();
    return D;
  }
};

/// \brief The links of each body, where vector mechanics has them at x = 0. Index 0, the world, stays empty.
template <typename S>
std::vector<ParkLink<S>> park_links(const Mechanism& mechanism, const Model<S>& model)
{
  witness::VectorNewtonEuler<S> at_zero(mechanism, false);
  const VectorX<S> zero = VectorX<S>::Zero(model.nv());
  at_zero.inverse_dynamics(VectorX<S>::Zero(model.nq()), zero, zero, Eigen::Matrix<S, 3, 1>::Zero());
  std::vector<ParkLink<S>> links(model.bodies() + 1);
  const auto each_part = [&](const auto& visit) {
    for (const LinkFrame<S>& frame : model.links()) {
      int l = 0;
      while (mechanism.links[l].name != frame.name) ++l;
      if (frame.body > 0) visit(links[frame.body], at_zero.links[l]);
    }
  };
  std::vector<bool> met(links.size(), false);
  each_part([&](ParkLink<S>& link, const auto& part) {
    if (!met[&link - links.data()]) {  // the first part, which the joint carries, lends its axes
      met[&link - links.data()] = true;
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) link.M.R.matrix(j, k) = part.rotation(j, k);
    }
    link.m += part.mass;
    link.M.p += part.mass * Vector3<S>(part.center());
  });
  for (ParkLink<S>& link : links)
    if (link.m != S(0)) link.M.p = S(1) / link.m * link.M.p;
  each_part([&](ParkLink<S>& link, const auto& part) {
    const Eigen::Matrix<S, 3, 3> R = link.M.R.matrix.eigen().transpose() * part.rotation;
    const Eigen::Matrix<S, 3, 3> own = R * part.inertia * R.transpose();
    const Matrix3<S> arm = skew(inverse(link.M.R) * (Vector3<S>(part.center()) - link.M.p)), steiner = arm * arm;
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) link.I_bar(j, k) += own(j, k) - part.mass * steiner(j, k);
  });
  return links;
}

/** \brief The lines of the coordinates at x = 0, about the base's origin: where vector mechanics has the axes of joints.
 *
 *  All axes of a joint pass through the origin of the link that it carries, as long as nothing has moved.
 */
template <typename S>
std::vector<Twist<S>> park_axes(const Mechanism& mechanism, const Model<S>& model)
{
  witness::VectorNewtonEuler<S> at_zero(mechanism, false);
  const VectorX<S> zero = VectorX<S>::Zero(model.nv());
  at_zero.inverse_dynamics(VectorX<S>::Zero(model.nq()), zero, zero, Eigen::Matrix<S, 3, 1>::Zero());
  std::vector<Twist<S>> axes(model.nv());
  for (const auto& link : at_zero.links)
    for (std::size_t k = 0; k < link.chain.size(); ++k) {
      const Vector3<S> turn(link.chain[k].turn_in_world), slide(link.chain[k].slide_in_world);
      axes[link.first_rate + k] = {turn, slide + cross(Vector3<S>(link.position), turn)};
    }
  return axes;
}

/// \brief An upper index of (37): the coordinate before the first that a map passes.
struct Upper {
  int before;
};

/// \brief The letters of sections 4 and 4.1 at a configuration.
template <typename S>
class ParkScrews {
public:
  int n;
  VectorX<S> x;
  std::vector<Twist<S>> A;
  std::vector<int> carrier;              ///< the coordinate before the k-th
  std::vector<ParkLink<S>> link;         ///< behind coordinate k
  std::vector<Matrix6<S>> D;             ///< \f$\mathcal D_k\f$
  std::vector<std::vector<int>> behind;  ///< the coordinates l >= k with a link that has inertia

  ParkScrews(const Mechanism& mechanism, const Model<S>& model, const VectorX<S>& q)
      : n(model.nv()), x(q), link(n), D(n, Matrix6<S>::Zero()), behind(n), way_((n + 1) * n)
  {
    const ScrewSystem<S> screws(model);
    A = park_axes(mechanism, model), carrier = screws.carrier;
    const std::vector<ParkLink<S>> links = park_links(mechanism, model);
    for (int i = 1; i <= model.bodies(); ++i) {
      link[screws.last[i]] = links[i];
      D[screws.last[i]] = links[i].D();
    }
    for (int l = 0; l < n; ++l) {
      // (42): e^{-A_l x_l} ... e^{-A_i x_i}, one factor after the other
      SE3<S> product;
      for (int i = l; i >= 0; i = carrier[i]) {
        product = product * exp(A[i], S(-x(i)));
        way(carrier[i], l) = product;
        if (D[l] != Matrix6<S>::Zero()) behind[i].push_back(l);
      }
    }
  }

  // How the indices of the print are written.
  static Upper after(int i) { return {i}; }         ///< the upper index i+1
  Upper from(int i) const { return {carrier[i]}; }  ///< the upper index i
  int before(int i) const { return carrier[i]; }    ///< the lower index i-1
  bool on_one_way(std::initializer_list<int> coordinates) const
  {
    const int last = std::max(coordinates);
    return std::all_of(coordinates.begin(), coordinates.end(), [&](int k) { return is_before(k, last); });
  }
  /// \brief k <= j.
  bool is_before(int k, int j) const
  {
    while (j > k) j = carrier[j];
    return j == k;
  }

  /// \brief \f$e^{-A_jx_j}\cdots e^{-A_ix_i}\f$; the identity where i > j.
  SE3<S> product(int j, Upper i) const
  {
    const bool passes_any = j > i.before && (i.before < 0 || is_before(i.before, j));
    return passes_any ? way_[(i.before + 1) * n + j] : SE3<S>{};
  }
  /// \brief \f$\Ad_j^i(H)\f$ \eq{park,37}.
  Twist<S> Ad(int j, Upper i, const Twist<S>& H) const { return articulate::Ad(product(j, i), H); }

  /// \brief \f$e^{A_1x_1}\cdots e^{A_ix_i}\f$, from the product \eq{park,31} without its last factor.
  SE3<S> displacement(int i) const { return inverse(product(i, {-1})); }

  /// \brief \f$\langle u, v\rangle_l\f$ of Definition 1.
  S inner(int l, const Twist<S>& u, const Twist<S>& v) const
  {
    return (coordinates(u).transpose() * (D[l] * coordinates(v))).value();
  }

  /// \brief \eq{park,40}.
  S m(int i, int j) const
  {
    S sum(0);
    if (on_one_way({i, j}))
      for (const int k : behind[std::max(i, j)]) sum += inner(k, Ad(k, after(i), A[i]), Ad(k, after(j), A[j]));
    return sum;
  }
  MatrixX<S> M() const
  {
    MatrixX<S> M(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M(i, j) = m(i, j);
    return M;
  }

  /// \brief Which of \eq{park,55}, \eq{park,56} and \eq{park,57} is meant for these indices, i <= j.
  static int equation(int i, int j, int k) { return k <= i ? 55 : k <= j ? 56 : 57; }
  /// \brief The three inner products of one of them.
  std::array<S, 3> terms(int i, int j, int k, int l, int equation) const
  {
    // The bracket of an earlier and a later screw where the later one is, carried to link l.
    const auto bracket = [&](int earlier, int later) {
      return Ad(l, from(later), ad(Ad(before(later), after(earlier), A[earlier]), A[later]));
    };
    const auto screw = [&](int i) { return Ad(l, after(i), A[i]); };
    if (equation == 55)
      return {inner(l, bracket(k, i), screw(j)), inner(l, bracket(k, j), screw(i)), inner(l, bracket(i, j), screw(k))};
    if (equation == 56)
      return {inner(l, bracket(k, j), screw(i)), inner(l, bracket(i, j), screw(k)), -inner(l, bracket(i, k), screw(j))};
    return {inner(l, bracket(i, j), screw(k)), -inner(l, bracket(i, k), screw(j)), -inner(l, bracket(j, k), screw(i))};
  }

  std::array<S, 3> terms(int i, int j, int k, int l) const { return terms(i, j, k, l, equation(i, j, k)); }

  /// \brief \f$\Gamma_{ijk}\f$ by its three cases, or by the equation of one where another is meant.
  S christoffel(int i, int j, int k, int by_equation = 0) const
  {
    S sum(0);
    if (!on_one_way({i, j, k})) return sum;
    const int first = std::min(i, j), second = std::max(i, j);
    for (const int l : behind[std::max({i, j, k})])
      for (const S& term : terms(first, second, k, l, by_equation ? by_equation : equation(first, second, k)))
        sum += term;
    return sum / S(2);
  }

  /// \brief The maps of \eq{park,53}.
  Twist<S> derivative(int k, int j, Upper i, const Twist<S>& B) const
  {
    return passes(k, j, i) ? bracket(k, j, i, B) : Twist<S>{};
  }
  /// \brief The first of their cases, whatever the indices are.
  Twist<S> bracket(int k, int j, Upper i, const Twist<S>& B) const
  {
    return Ad(j, from(k), ad(Ad(before(k), i, B), A[k]));
  }
  /// \brief The first line of \eq{park,54}: the inner bracket with A_k, the outer one with A_l.
  Twist<S> inner_then_outer(int k, int l, int j, Upper i, const Twist<S>& B) const
  {
    return Ad(j, from(l), ad(Ad(before(l), from(k), ad(Ad(before(k), i, B), A[k])), A[l]));
  }
  /// \brief \eq{park,54}, with its conditions as they are printed or in their right places.
  Twist<S> second_derivative(int l, int k, int j, Upper i, const Twist<S>& B, bool as_printed = false) const
  {
    return passes(k, j, i) && passes(l, j, i) ? brackets(l, k, j, i, B, as_printed) : Twist<S>{};
  }
  /// \brief The one of its first two cases to which k and l belong, whatever the others are.
  Twist<S> brackets(int l, int k, int j, Upper i, const Twist<S>& B, bool as_printed = false) const
  {
    return (k <= l) != as_printed ? inner_then_outer(k, l, j, i, B) : inner_then_outer(l, k, j, i, B);
  }

  /// \brief i <= k <= j.
  bool passes(int k, int j, Upper i) const
  {
    return k > i.before && is_before(k, j) && (i.before < 0 || is_before(i.before, k));
  }

private:
  SE3<S>& way(int before, int j) { return way_[(before + 1) * n + j]; }

  std::vector<SE3<S>> way_;
};

/** \brief A robot as points in flat space: an embedding of its configurations whose metric is the robot's.
 *
 *  By Gauss all inner geometry follows from the first two derivatives of the points' positions by the coordinates, and
 *  these are velocities and accelerations that vector mechanics gives. No screw, bracket or inertia matrix is met.
 */
template <typename S>
class FlatPicture {
public:
  FlatPicture(const Mechanism& mechanism, const VectorX<S>& q)
      : witness_(mechanism, false), q_(q), n_(static_cast<int>(witness_.rates)), second_(n_ * n_), along_(n_ * n_)
  {
    for (const Link& link : mechanism.links) points_.push_back(witness::mass_points<S>(link));
    std::size_t total = 0;
    for (const auto& points : points_) total += 3 * points.size();
    weight_.resize(total);
    Eigen::Index row = 0;
    for (const auto& points : points_)
      for (const auto& point : points)
        for (int k = 0; k < 3; ++k) weight_(row++) = point.mass;
    for (int i = 0; i < n_; ++i) {
      second_[i * n_ + i] = accelerations(VectorX<S>::Unit(n_, i));
      first_.push_back(velocities());
    }
  }

  /// \brief \f$\partial_i x\f$ of all points.
  const VectorX<S>& first(int i) const { return first_[i]; }
  /// \brief \f$\partial_i\partial_k x\f$: what the two rates together make more than each alone.
  const VectorX<S>& second(int i, int k)
  {
    if (i > k) std::swap(i, k);
    VectorX<S>& result = second_[i * n_ + k];
    if (result.size() == 0) {
      const VectorX<S> both = accelerations(VectorX<S>::Unit(n_, i) + VectorX<S>::Unit(n_, k));
      result = (both - second_[i * n_ + i] - second_[k * n_ + k]) / S(2);
    }
    return result;
  }

  S m(int i, int j) const { return product(first(i), first(j)); }
  S dm(int i, int j, int k) { return product(second(i, k), first(j)) + product(first(i), second(j, k)); }
  S christoffel(int i, int j, int k) { return product(second(i, j), first(k)); }
  MatrixX<S> M() const
  {
    MatrixX<S> M(n_, n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= i; ++j) M(i, j) = M(j, i) = m(i, j);
    return M;
  }

  /// \brief Gauss: \f$\langle x_{ik}, x_{jl}\rangle - \langle x_{il}, x_{jk}\rangle\f$ of the parts normal to the motions.
  S R(int i, int j, int k, int l, const MatrixX<S>& M_inverse)
  {
    return product(second(i, k), second(j, l)) - product(second(i, l), second(j, k)) -
           (along(i, k).transpose() * (M_inverse * along(j, l))).value() +
           (along(i, l).transpose() * (M_inverse * along(j, k))).value();
  }
  /// What a plane of two directions has: the same for u, v, u, v, the size of its terms, and the squared area.
  struct Plane {
    S bending, terms, area;
  };
  Plane plane(const VectorX<S>& u, const VectorX<S>& v, const MatrixX<S>& M_inverse)
  {
    const VectorX<S> x_uu = accelerations(u), x_u = velocities(), x_vv = accelerations(v), x_v = velocities();
    const VectorX<S> x_uv = (accelerations(u + v) - x_uu - x_vv) / S(2);
    const S uv = product(x_u, x_v);
    const S accelerated = product(x_uu, x_vv), mixed = product(x_uv, x_uv);
    const VectorX<S> along_uv = along(x_uv);
    return {accelerated - mixed - (along(x_uu).transpose() * (M_inverse * along(x_vv))).value() +
                (along_uv.transpose() * (M_inverse * along_uv)).value(),
            magnitude(accelerated) + magnitude(mixed), product(x_u, x_u) * product(x_v, x_v) - uv * uv};
  }

private:
  S product(const VectorX<S>& a, const VectorX<S>& b) const
  {
    S sum(0);
    for (Eigen::Index p = 0; p < a.size(); ++p) sum += weight_(p) * a(p) * b(p);
    return sum;
  }
  /// The products of an acceleration with the motions by each coordinate.
  VectorX<S> along(const VectorX<S>& a) const
  {
    VectorX<S> products(n_);
    for (int r = 0; r < n_; ++r) products(r) = product(a, first(r));
    return products;
  }
  const VectorX<S>& along(int i, int k)
  {
    VectorX<S>& products = along_[std::min(i, k) * n_ + std::max(i, k)];
    if (products.size() == 0) products = along(second(i, k));
    return products;
  }

  /// Of all points, when the coordinates move at these constant rates.
  VectorX<S> accelerations(const VectorX<S>& rates)
  {
    witness_.inverse_dynamics(q_, rates, VectorX<S>::Zero(n_), Eigen::Matrix<S, 3, 1>::Zero());
    return each_point([](const auto& link, const Vector3<S>& arm) {
      const Vector3<S> w(link.angular_velocity), alpha(link.angular_acceleration);
      return Vector3<S>(link.acceleration) + cross(alpha, arm) + cross(w, cross(w, arm));
    });
  }
  VectorX<S> velocities() const
  {
    return each_point([](const auto& link, const Vector3<S>& arm) {
      return Vector3<S>(link.velocity) + cross(Vector3<S>(link.angular_velocity), arm);
    });
  }
  template <typename Field>
  VectorX<S> each_point(const Field& field) const
  {
    VectorX<S> values(weight_.size());
    Eigen::Index row = 0;
    for (std::size_t l = 0; l < points_.size(); ++l)
      for (const auto& point : points_[l]) {
        const Eigen::Matrix<S, 3, 1> place(point.position[0], point.position[1], point.position[2]);
        const Vector3<S> value =
            field(witness_.links[l], Vector3<S>(Eigen::Matrix<S, 3, 1>(witness_.links[l].rotation * place)));
        for (int k = 0; k < 3; ++k) values(row++) = value[k];
      }
    return values;
  }

  witness::VectorNewtonEuler<S> witness_;
  VectorX<S> q_;
  int n_;
  std::vector<std::vector<witness::PointMass<S>>> points_;
  VectorX<S> weight_;
  std::vector<VectorX<S>> first_, second_, along_;
};

}  // namespace articulate::validation
