/** \file
 *  \brief Coordinates by which Park's section 4 differentiates, and numbers with several indices, compared by their units.
 *
 *  The paper's formulas, written out in park_screws.hpp for trees and for joints of several coordinates, are held beside
 *  the library and beside points in flat space that vector mechanics moves. Ball and free joints have no coordinates.
 */
#pragma once
#include <lagrange/park_screws.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {

/// Every rate is that of a coordinate, and not too many for matrices that hold six rows a body, in 50 digits.
inline bool has_coordinates(const Model<double>& model)
{
  return model.bodies() > 0 && model.bodies() <= 40 && model.nq() == model.nv();
}
inline bool has_few_coordinates(const Model<double>& model) { return has_coordinates(model) && is_small(model); }

template <typename S>
ParkScrews<S> park_screws(const Specimen<S>& x)
{
  return {x.inputs.mechanism, x.model, x.q};
}

using Indices = std::vector<int>;

/// All index tuples of up to `most` coordinates. Above: 50 of them, drawn, four in five on the way to a coordinate.
template <typename S>
std::vector<Indices> tuples(const Specimen<S>& x, const ParkScrews<S>& p, int order, int most)
{
  std::vector<Indices> all;
  if (p.n <= most) {
    Indices tuple(order, 0);
    for (int k = 0; k < order;) {
      all.push_back(tuple);
      for (k = 0; k < order && ++tuple[k] == p.n; ++k) tuple[k] = 0;
    }
    return all;
  }
  std::mt19937_64 draw(static_cast<std::uint64_t>(1e6 * (1 + x.inputs.free_numbers.front())));
  while (all.size() < 50) {
    Indices way;
    if (all.size() % 5 == 4)
      for (int k = 0; k < p.n; ++k) way.push_back(k);
    else
      for (int k = static_cast<int>(draw() % p.n); k >= 0; k = p.carrier[k]) way.push_back(k);
    Indices tuple;
    for (int k = 0; k < order; ++k) tuple.push_back(way[draw() % way.size()]);
    tuple[draw() % order] = way.front();
    all.push_back(tuple);
  }
  return all;
}

/** Numbers with indices, like \f$\Gamma_{ijk}\f$: those with equally many lengths among their coordinates have one unit.
 *
 *  Each is a derivative of the mass matrix. By angles it is of the size of that matrix, per length of its size over a
 *  length of the machine, \f$\sqrt{m_{angle}/m_{length}}\f$: beside this numbers that vanish are rounding.
 */
template <typename S>
class Indexed {
public:
  Indexed(const Model<S>& model, const MatrixX<S>& M) : model_(&model)
  {
    using std::sqrt;
    for (int k = 0; k < model.nv(); ++k) {
      S& size = model.rate_is_angular(k) ? angle_ : length_;
      if (M(k, k) > size) size = M(k, k);
    }
    angle_ = sqrt(angle_), length_ = sqrt(length_);
  }

  void add(const Indices& indices, const S& left, const S& right)
  {
    std::size_t lengths = 0;
    for (const int k : indices) lengths += !model_->rate_is_angular(k);
    if (left_.size() <= lengths) left_.resize(lengths + 1), right_.resize(lengths + 1);
    left_[lengths].push_back(left), right_[lengths].push_back(right);
  }
  void into(Sides<S>& sides) const
  {
    S size = angle_ * angle_;
    for (std::size_t lengths = 0; lengths < left_.size(); ++lengths) {
      const auto count = static_cast<Eigen::Index>(left_[lengths].size());
      if (lengths == 2) size = length_ * length_;  // also where there are no angles
      if (count > 0)
        sides.add(Eigen::Map<const VectorX<S>>(left_[lengths].data(), count),
                  Eigen::Map<const VectorX<S>>(right_[lengths].data(), count), size);
      size = angle_ == S(0) ? S(0) : S(size * length_ / angle_);
    }
  }

private:
  const Model<S>* model_;
  S angle_{0}, length_{0};
  std::vector<std::vector<S>> left_, right_;
};

template <typename S>
S length(const Vector3<S>& a)
{
  using std::sqrt;
  return sqrt(inner(a, a));
}

/// The frame at the centre of mass of body i and the velocity of that point, by vector mechanics, in world axes.
template <typename S>
struct MovingCenter {
  SE3<S> pose;
  Vector3<S> w, v;

  MovingCenter(const Specimen<S>& x, int i)
  {
    S m(0);
    bool first = true;
    for (const LinkFrame<S>& frame : x.model.links()) {
      if (frame.body != i) continue;
      const auto& part = x.newton_euler().links[x.mechanism_index(frame.name)];
      if (first)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k) pose.R.matrix(j, k) = part.rotation(j, k);
      first = false;
      w = Vector3<S>(part.angular_velocity);
      m += part.mass;
      pose.p += part.mass * Vector3<S>(part.center());
      v += part.mass * Vector3<S>(part.center_velocity());
    }
    pose.p = S(1) / m * pose.p, v = S(1) / m * v;
  }
};

/// The bodies of which section 4 speaks: those with a centre of mass.
template <typename S>
Indices weighty_bodies(const Specimen<S>& x)
{
  Indices bodies;
  for (int i = 1; i <= x.bodies(); ++i)
    if (x.model.body(i).I.mass != S(0)) bodies.push_back(i);
  return bodies;
}

template <typename S>
int last_coordinate(const Specimen<S>& x, int i)
{
  return x.model.body(i).v + x.model.body(i).nv - 1;
}

/// The block matrices of \eq{park,41} to \eq{park,45}, by coordinate.
template <typename S>
struct ScrewMatrices {
  MatrixX<S> A, L, D;

  explicit ScrewMatrices(const ParkScrews<S>& p)
      : A(MatrixX<S>::Zero(6 * p.n, p.n)), L(MatrixX<S>::Zero(6 * p.n, 6 * p.n)), D(L)
  {
    for (int i = 0; i < p.n; ++i) {
      A.col(i).template segment<6>(6 * i) = coordinates(p.A[i]);
      D.template block<6, 6>(6 * i, 6 * i) = p.D[i];
      for (int j = i; j >= 0; j = p.carrier[j])
        L.template block<6, 6>(6 * i, 6 * j) = Ad_matrix(p.product(i, p.after(j)));
    }
  }
};

/// The blocks of an inertia matrix: \f$(mb)^2 \le m\,I\f$, beside which the mixed ones may vanish.
/// \param beside  what one of them was made of, which may be larger
template <typename S>
void add_inertia_blocks(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right,
                        const Matrix6<S>& beside = Matrix6<S>::Zero())
{
  using std::sqrt;
  S I(0);
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) I = std::max({I, S(magnitude(left(j, k))), S(magnitude(beside(j, k)))});
  const S mixed = sqrt(S(I * magnitude(left(5, 5))));
  for (int j = 0; j < 6; j += 3)
    for (int k = 0; k < 6; k += 3)
      sides.add(left.template block<3, 3>(j, k), right.template block<3, 3>(j, k), j != k ? mixed : j == 0 ? I : S(0));
}

/// How far the bodies are from the base's origin at x = 0, the largest: of such sizes are the moments of lines.
template <typename S>
S farthest(const std::vector<SE3<S>>& poses)
{
  S found(0);
  for (const SE3<S>& pose : poses)
    if (length(pose.p) > found) found = length(pose.p);
  return found;
}

/// Lines: their directions, and their moments about the origin beside lengths of this size.
template <typename S>
void add_lines(Sides<S>& sides, const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right, const S& size)
{
  const auto n = static_cast<Eigen::Index>(left.size());
  Eigen::Matrix<S, 3, Eigen::Dynamic> turns[2], moments[2];
  for (int side = 0; side < 2; ++side) {
    turns[side].resize(3, n), moments[side].resize(3, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Twist<S>& one = (side == 0 ? left : right)[k];
      turns[side].col(k) = one.w.eigen(), moments[side].col(k) = one.v.eigen();
    }
  }
  sides.add(turns[0], turns[1]);
  sides.add(moments[0], moments[1], size);
}

}  // namespace articulate::validation
