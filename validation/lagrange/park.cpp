/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, sections 4 and 5, \eq{park,29} to \eq{park,66}.
 *
 *  The paper's formulas, written out in park_screws.hpp for trees and for joints of several coordinates, beside the
 *  library and beside points in flat space that vector mechanics moves. Ball and free joints have no coordinates.
 */
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/global_matrices.hpp>
#include <articulate/lagrange/inertia_metric.hpp>
#include <articulate/lagrange/product_of_exponentials.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <lagrange/park_screws.hpp>
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>
#include <rnea/park_recursion.hpp>
#include <skew_symmetry/compared_with.hpp>
#include <witnesses/compiled.hpp>

namespace articulate::validation {
namespace {

bool has_coordinates(const Model<double>& model) { return model.bodies() > 0 && model.nq() == model.nv(); }
bool has_few_coordinates(const Model<double>& model) { return has_coordinates(model) && is_small(model); }

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

template <typename S>
void kinematics(Registry<S>& r)
{
  r.identity({.name = "links_are_carried_by_the_exponentials_of_constant_screws_of_the_base",
              .keys = {"park:30", "park:31"},
              .symbols = "ScrewSystem ScrewSystem::displacement ScrewSystem::pose offset_behind pose",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    for (const int i : weighty_bodies(x)) {  // (31), with the frame at the centre of mass
                      SE3<S> f = p.link[last_coordinate(x, i)].M;
                      for (int k = last_coordinate(x, i); k >= 0; k = p.carrier[k]) f = exp(p.A[k], p.x(k)) * f;
                      sides.add(f, MovingCenter<S>(x, i).pose);
                    }
                    for (int i = 1; i <= x.bodies(); ++i) sides.add(screws.pose(i, x.q), x.kinematics.pose[i]);
                    for (const LinkFrame<S>& link : x.model.links()) {  // (30), to any link
                      const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                      VectorX<S> own(0);
                      for (const int k : coordinates_before(screws, link)) {
                        own.conservativeResize(own.size() + 1);
                        own(own.size() - 1) = x.q(k);
                      }
                      const SE3<S> f = pose(offset_behind(screws, link), own);
                      sides.add(f.R.matrix.eigen(), seen.rotation);
                      sides.add(f.p.eigen(), seen.position, length(f.p) + S(1));
                    }
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "the_three_forms_of_a_product_of_exponentials_turn_into_each_other",
              .keys = {"park:12", "park:13", "park:14", "park:30"},
              .symbols = "offset_behind offset_before offsets_between pose",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ScrewSystem<S> screws(x.model);
                    const auto moves = [](const LinkFrame<S>& link) { return link.body > 0; };
                    const auto& links = x.model.links();  // one without a joint has no place for its offset in (12)
                    const LinkFrame<S>& link = *std::find_if(links.rbegin(), links.rend(), moves);
                    const OffsetBehind<S> behind = offset_behind(screws, link);
                    const Indices before = coordinates_before(screws, link);
                    const int n = static_cast<int>(before.size());
                    VectorX<S> own(n);
                    for (int k = 0; k < n; ++k) own(k) = x.q(before[k]);

                    std::vector<SE3<S>> chosen;  // all offsets but the last may be any
                    for (int k = 0; k + 1 < n; ++k) chosen.push_back(x.pose(7 * k % 100));
                    const OffsetsBetween<S> between = offsets_between(behind, chosen);
                    const OffsetBefore<S> first = offset_before(behind);
                    // Screws and places may go through the origin: they are rounding beside what they are made of.
                    S size = length(behind.M.p);
                    for (const SE3<S>& M : between.M) size += length(M.p);
                    for (const Twist<S>& P : between.P) size += length(P.v);
                    for (const Twist<S>& B : first.B) size += length(B.v);
                    const auto add_pose = [&](const SE3<S>& left, const SE3<S>& right) {
                      sides.add(left.R.matrix, right.R.matrix);
                      sides.add(left.p, right.p, size);
                    };
                    const auto add_screws = [&](const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right) {
                      for (int k = 0; k < n; ++k) {
                        sides.add(left[k].w, right[k].w, S(1));
                        sides.add(left[k].v, right[k].v, size);
                      }
                    };
                    add_pose(pose(between, own), x.kinematics.link_pose(link));
                    add_pose(pose(first, own), x.kinematics.link_pose(link));
                    const OffsetBehind<S> back = offset_behind(between), again = offset_behind(first);
                    add_pose(back.M, behind.M), add_pose(again.M, behind.M);
                    add_screws(back.A, behind.A), add_screws(again.A, behind.A);

                    SE3<S> product;  // (13), (14)
                    std::vector<Twist<S>> A, B;
                    for (int k = 0; k < n; ++k) {
                      A.push_back(Ad(product, between.P[k]));
                      B.push_back(Ad(inverse(behind.M), behind.A[k]));
                      product = product * between.M[k];
                    }
                    add_screws(A, behind.A), add_screws(B, first.B);
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "the_maps_between_links_are_products_of_exponentials_of_the_screws_between_them",
              .keys = {"park:37", "park:D2", "park:42"},
              .symbols = "ScrewSystem::carried ScrewSystem::carries Ad_matrix",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    std::vector<Twist<S>> printed, library, by_matrix, by_library_matrix, own, A;
                    for (const Indices& t : tuples(x, p, 2, 8)) {
                      const auto [i, j] = std::pair{t[0], t[1]};
                      const Twist<S> H = x.twist(6 * i % 100);
                      Matrix4<S> left = Matrix4<S>::Identity(), right = left;
                      if (p.is_before(i, j))
                        for (int k = j; k != p.carrier[i]; k = p.carrier[k]) {
                          left = left * matrix(exp(p.A[k], S(-p.x(k))));
                          right = matrix(exp(p.A[k], p.x(k))) * right;
                        }
                      printed.push_back(vee(Matrix4<S>(left * hat(H) * right)));  // (37)
                      Matrix6<S> A42 = Matrix6<S>::Zero();
                      const auto Theta = left.template topLeftCorner<3, 3>();
                      const Vector3<S> b(left(0, 3), left(1, 3), left(2, 3));
                      A42.template topLeftCorner<3, 3>() = A42.template bottomRightCorner<3, 3>() = Theta;
                      A42.template bottomLeftCorner<3, 3>() = skew(b).eigen() * Theta;
                      by_matrix.push_back(to_twist(A42 * coordinates(H)));
                      const Matrix6<S> same = Ad_matrix(p.is_before(i, j) ? p.product(j, p.from(i)) : SE3<S>{});
                      by_library_matrix.push_back(to_twist(same * coordinates(H)));
                      library.push_back(screws.carried(H, p.is_before(i, j) ? p.carrier[i] : i, j, x.q));
                      own.push_back(p.Ad(j, p.from(j), p.A[j])), A.push_back(p.A[j]);
                    }
                    sides.add(printed, library);
                    sides.add(printed, by_matrix);
                    sides.add(printed, by_library_matrix);
                    sides.add(own, A);
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "a_link_moves_by_the_sum_of_the_screws_before_it_carried_to_it",
              .keys = {"park:33", "park:34", "park:38"},
              .symbols = "ScrewSystem ScrewSystem::carried ForwardKinematics",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    std::vector<Twist<S>> s33, s34, s38, library, moving, seen;
                    for (const int i : weighty_bodies(x)) {
                      const int last = last_coordinate(x, i);
                      const SE3<S>& M = p.link[last].M;
                      Twist<S> sum33, sum38, carried;
                      SE3<S> passed;  // e^{-A_i x_i} ... e^{-A_{j+1} x_{j+1}}
                      for (int j = last; j >= 0; j = p.carrier[j]) {
                        sum33 += articulate::Ad(passed, x.qd(j) * p.A[j]);
                        passed = passed * exp(p.A[j], S(-p.x(j)));
                        sum38 += x.qd(j) * p.Ad(last, p.after(j), p.A[j]);
                        carried += x.qd(j) * screws.carried(p.A[j], j, last, x.q);
                      }
                      s33.push_back(articulate::Ad(inverse(M), sum33));
                      const Eigen::Matrix<S, 3, 3> Theta_T = M.R.matrix.eigen().transpose();
                      Matrix6<S> A34 = Matrix6<S>::Zero();
                      A34.template topLeftCorner<3, 3>() = A34.template bottomRightCorner<3, 3>() = Theta_T;
                      A34.template bottomLeftCorner<3, 3>() =
                          -skew(Vector3<S>(Eigen::Matrix<S, 3, 1>(Theta_T * M.p.eigen()))).eigen() * Theta_T;
                      s34.push_back(to_twist(A34 * coordinates(sum38)));
                      s38.push_back(sum38), library.push_back(carried);

                      const SE3<S> center = inverse(screws.M[i]) * M;  // on the body
                      const Matrix4<S> f = derivative(x.along_motion().pose[i], 0) * matrix(center);
                      const Matrix4<S> fdot = derivative(x.along_motion().pose[i], 1) * matrix(center);
                      moving.push_back(vee(Matrix4<S>(inverted(f) * fdot)));
                      const MovingCenter<S> witness(x, i);
                      const SO3<S> back = inverse(witness.pose.R);
                      seen.push_back({back * witness.w, back * witness.v});
                    }
                    if (s33.empty()) return sides;
                    sides.add(s33, moving);
                    sides.add(s33, seen);
                    sides.add(s34, seen);
                    sides.add(s38, library);
                    return sides;
                  },
              .applies = has_coordinates});
}

/// The factor of a kinetic energy that the print leaves out, in one place at a time.
template <typename S>
struct Halves {
  S total = S(1) / S(2), of_link = S(1) / S(2), of_sums = S(1) / S(2);
};

/// \eq{park,32}, Definition 1 and \eq{park,39}, beside the energy of the moving links.
template <typename S>
void add_energies(Sides<S>& sides, const ParkScrews<S>& p, const VectorX<S>& xd, const VectorX<S>& T_seen,
                  const Halves<S>& half = {})
{
  VectorX<S> D1(p.n), s35(p.n), s39(p.n);
  for (int i = 0; i < p.n; ++i) {
    Twist<S> V, sum;
    for (int j = i; j >= 0; j = p.carrier[j]) {
      V += xd(j) * p.Ad(i, p.after(j), p.A[j]);
      sum += p.Ad(i, p.after(j), xd(j) * p.A[j]);
    }
    D1(i) = half.of_link * p.inner(i, V, V);
    s39(i) = half.of_sums * p.inner(i, sum, sum);
    const Matrix3<S> b = skew(p.link[i].M.p);
    s35(i) = S(1) / S(2) *
             (inner(V.w, p.link[i].I() * V.w) + p.link[i].m * (inner(V.w, b * V.v) - inner(V.v, b * V.w)) +
              p.link[i].m * inner(V.v, V.v));
  }
  S total(0);
  for (int i = 0; i < p.n; ++i)
    for (int j = 0; j < p.n; ++j) total += half.total * p.m(i, j) * xd(i) * xd(j);
  for (const VectorX<S>& T : {D1, s35, s39}) sides.add(T, T_seen);
  sides.add(total, S(T_seen.sum()));
}

/// Kinetic energies of links as vector mechanics has them, by the coordinate before each.
template <typename S>
VectorX<S> energies_seen(const witness::VectorNewtonEuler<S>& witness, const Mechanism& mechanism,
                         const Model<S>& model)
{
  VectorX<S> T = VectorX<S>::Zero(model.nv());
  for (const LinkFrame<S>& frame : model.links()) {
    if (frame.body == 0) continue;
    int l = 0;
    while (mechanism.links[l].name != frame.name) ++l;
    const auto& part = witness.links[l];
    const auto v = part.center_velocity(), w = part.angular_velocity, Iw = part.inertia_times(w);
    const Body<S>& body = model.body(frame.body);
    T(body.v + body.nv - 1) +=
        (part.mass * inner(Vector3<S>(v), Vector3<S>(v)) + inner(Vector3<S>(w), Vector3<S>(Iw))) / S(2);
  }
  return T;
}

/// The sums over the points of body i that a mass, a first moment and an inertia about the base stand for.
template <typename S>
Matrix6<S> D_of_points(const Specimen<S>& x, witness::VectorNewtonEuler<S>& at_zero, int i)
{
  Matrix6<S> D = Matrix6<S>::Zero();
  for (const LinkFrame<S>& frame : x.model.links()) {
    if (frame.body != i) continue;
    const int l = x.mechanism_index(frame.name);
    for (const auto& point : witness::mass_points<S>(x.inputs.mechanism.links[l])) {
      const Eigen::Matrix<S, 3, 1> place(point.position[0], point.position[1], point.position[2]);
      const Matrix3<S> b =
          skew(Vector3<S>(Eigen::Matrix<S, 3, 1>(at_zero.links[l].position + at_zero.links[l].rotation * place)));
      Matrix6<S> one;
      one << -(b * b).eigen(), b.eigen(), b.eigen().transpose(), Eigen::Matrix<S, 3, 3>::Identity();
      D += point.mass * one;
    }
  }
  return D;
}

template <typename S>
void add_blocks(Sides<S>& sides, const Matrix6<S>& left, const Matrix6<S>& right)
{
  for (int j = 0; j < 6; j += 3)
    for (int k = 0; k < 6; k += 3) sides.add(left.template block<3, 3>(j, k), right.template block<3, 3>(j, k));
}

template <typename S>
void energy(Registry<S>& r)
{
  r.identity({.name = "the_inertia_of_a_link_about_the_base_is_constant_and_that_of_its_points",
              .keys = {"park:I_i", "park:36", "park:44"},
              .symbols = "ScrewSystem::D coAd Inertia::matrix",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    witness::VectorNewtonEuler<S> at_zero(x.inputs.mechanism, false);
                    const VectorX<S> none = VectorX<S>::Zero(p.n);
                    at_zero.inverse_dynamics(none, none, none, Eigen::Matrix<S, 3, 1>::Zero());
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const Matrix6<S>& D = p.D[last_coordinate(x, i)];
                      if (D == Matrix6<S>::Zero() && screws.D[i].mass == S(0)) continue;
                      add_blocks(sides, D, screws.D[i].matrix());
                      add_blocks(sides, D, D_of_points(x, at_zero, i));
                    }
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "the_energy_of_links_is_half_an_inner_product_of_their_velocities",
              .keys = {"park:32", "park:35", "park:39", "park:D1"},
              .symbols = "ScrewSystem ForwardKinematics::kinetic_energy",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const VectorX<S> seen = energies_seen(x.newton_euler(), x.inputs.mechanism, x.model);
                    add_energies(sides, park_screws(x), x.qd, seen);
                    sides.add(x.kinematics.kinetic_energy(), S(seen.sum()));
                    return sides;
                  },
              .applies = has_coordinates});

  const auto reading = [](const Halves<S>& half) {
    return [half](const Specimen<S>& x) {
      Sides<S> sides;
      const Chain<S> chain = drawn_chain(x);
      witness::VectorNewtonEuler<S> witness(chain.mechanism, false);
      witness.inverse_dynamics(chain.x, chain.xd, chain.xdd, x.gravity.eigen());
      add_energies(sides, {chain.mechanism, chain.model, chain.x}, chain.xd,
                   energies_seen(witness, chain.mechanism, chain.model), half);
      return sides;
    };
  };
  Halves<S> total, of_link, of_sums;
  total.total = of_link.of_link = of_sums.of_sums = S(1);
  r.erratum({.id = "E-park-3",
             .keys = {"park:32", "park:D1", "park:39"},
             .margin = 0.1,
             .printed = {reading(total), reading(of_link), reading(of_sums)},
             .corrected = reading({})});

  const auto velocities = [](const Specimen<S>& x, bool with_rates) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    ForwardKinematics<S> library(chain.model);
    library(chain.x, chain.xd);
    const ScrewSystem<S> screws(chain.model);
    std::vector<Twist<S>> V38, V;
    for (int i = 0; i < p.n; ++i) {
      V38.emplace_back();
      for (int j = 0; j <= i; ++j) V38.back() += (with_rates ? chain.xd(j) : S(1)) * p.Ad(i, p.after(j), p.A[j]);
      V.push_back(articulate::Ad(screws.M[i + 1], library.V[i + 1]));
    }
    sides.add(V38, V);
    return sides;
  };
  r.erratum({.id = "E-park-2",
             .keys = {"park:38"},
             .margin = 0.1,
             .printed = {[=](const Specimen<S>& x) { return velocities(x, false); }},
             .corrected = [=](const Specimen<S>& x) { return velocities(x, true); }});
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

/// The block matrices of \eq{park,47} to \eq{park,50}, by body; Q has the poses at x = 0.
template <typename S>
struct BodyMatrices {
  MatrixX<S> S_, J, G, Q;

  BodyMatrices(const ForwardKinematics<S>& at, const std::vector<SE3<S>>& M)
      : S_(MatrixX<S>::Zero(6 * at.model().bodies(), at.model().nv())),
        J(MatrixX<S>::Zero(S_.rows(), S_.rows())),
        G(J),
        Q(J)
  {
    const Model<S>& model = at.model();
    for (int i = 1; i <= model.bodies(); ++i) {
      const int row = 6 * (i - 1);
      for (int k = 0; k < model.body(i).nv; ++k)
        S_.col(model.body(i).v + k).template segment<6>(row) = coordinates(at.S[i].column(k));
      J.template block<6, 6>(row, row) = model.body(i).I.matrix();
      Q.template block<6, 6>(row, row) = Ad_matrix(M[i]);
      SE3<S> f;  // f_{j,i}
      for (int j = i; j > 0; j = model.body(j).parent) {
        G.template block<6, 6>(row, 6 * (j - 1)) = inverted(Ad_matrix(f));
        f = at.T[j] * f;
      }
    }
  }
};

/// Which line of \eq{park,50} is looked at.
enum class Line { all, A, L, D };

/// \eq{park,50}, block by block: the matrices of section 4.1 from those of section 3, where Q is given.
template <typename S>
void add_50(Sides<S>& sides, const Model<S>& model, const ScrewMatrices<S>& by_coordinate,
            const BodyMatrices<S>& by_body, Line line)
{
  const int N = model.bodies(), n = model.nv();
  MatrixX<S> A = MatrixX<S>::Zero(6, n), QS(A), LA(6 * N, n), QGS(LA), L(6 * N, 6 * N), QGQ(L), D(6, 6 * N), QJQ(D);
  const MatrixX<S> all_LA = by_coordinate.L * by_coordinate.A, GS = by_body.G * by_body.S_;
  for (int i = 1; i <= N; ++i) {
    const Body<S>& body = model.body(i);
    const int row = 6 * (i - 1), last = 6 * (body.v + body.nv - 1);
    const Matrix6<S> Q = by_body.Q.template block<6, 6>(row, row), Q_inverse = inverted(Q);
    if (body.nv == 1) {
      A.col(body.v) = by_coordinate.A.template block<6, 1>(last, body.v);
      QS.col(body.v) = Q * by_body.S_.template block<6, 1>(row, body.v);
    }
    LA.template middleRows<6>(row) = all_LA.template middleRows<6>(last);
    QGS.template middleRows<6>(row) = Q * GS.template middleRows<6>(row);
    D.template middleCols<6>(row) = by_coordinate.D.template block<6, 6>(last, last);
    QJQ.template middleCols<6>(row) = Q_inverse.transpose() * by_body.J.template block<6, 6>(row, row) * Q_inverse;
    for (int j = 1; j <= N; ++j) {
      const int column = 6 * (j - 1), last_j = 6 * (model.body(j).v + model.body(j).nv - 1);
      L.template block<6, 6>(column, row) = by_coordinate.L.template block<6, 6>(last_j, last);
      QGQ.template block<6, 6>(column, row) =
          by_body.Q.template block<6, 6>(column, column) * by_body.G.template block<6, 6>(column, row) * Q_inverse;
    }
  }
  if (line == Line::all || line == Line::A) sides.add(A, QS, S(1)), sides.add(LA, QGS);
  if (line == Line::all || line == Line::L) sides.add(L, QGQ);
  if (line == Line::all || line == Line::D) sides.add(D, QJQ);
}

template <typename S>
void mass_matrix(Registry<S>& r)
{
  r.identity({.name = "the_mass_matrix_is_one_by_screws_columns_composite_bodies_and_the_hessian_of_energy",
              .keys = {"park:40", "park:46"},
              .symbols = "InertiaMetric::M CompositeBodies EquationsOfMotion ScrewSystem",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const MatrixX<S> LA = m.L * m.A, M46 = LA.transpose() * (m.D * LA);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    CompositeBodies<S> composite(x.model);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> columns(rnea, x.q, x.qd);
                    const MatrixX<S> seen = x.witness_mass_matrix();
                    for (const MatrixX<S>& M : {p.M(), M46, metric.M(), columns.M, MatrixX<S>(composite(x.q))})
                      sides.add_by_unit(x.model, seen, M);
                    sides.add_by_unit(x.model, FlatPicture<S>(x.inputs.mechanism, x.q).M(), M46);
                    if (p.n <= 6)  // automatic differentiation takes long
                      sides.add_by_unit(x.model, witness::lagrange_mass_matrix<S>(x.inputs.mechanism, false, x.q), M46);
                    return sides;
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "with_joints_of_every_kind_the_mass_matrix_is_that_of_the_recursion_written_as_matrices",
              .keys = {"park:47", "park:48", "park:49", "park:51"},
              .symbols = "GlobalMatrices GlobalMatrices::M CompositeBodies EquationsOfMotion",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const BodyMatrices<S> b(x.kinematics, std::vector<SE3<S>>(x.bodies() + 1));
                    const GlobalMatrices<S> library(x.kinematics, x.qd);
                    sides.add(library.S, b.S_);
                    sides.add(library.J, b.J);
                    sides.add(library.G, b.G);
                    const MatrixX<S> GS = b.G * b.S_, M51 = GS.transpose() * (b.J * GS);
                    CompositeBodies<S> composite(x.model);
                    InverseDynamics<S> rnea(x.model);
                    const EquationsOfMotion<S> columns(rnea, x.q, x.qd);
                    for (const MatrixX<S>& M : {M51, library.M(), MatrixX<S>(composite(x.q)), columns.M})
                      sides.add_by_unit(x.model, x.witness_mass_matrix(), M);
                    return sides;
                  },
              .applies = is_small});
  r.identity({.name = "a_body_behind_a_composite_moves_rigidly_with_all_that_it_carries",
              .keys = {"park:40"},
              .symbols = "CompositeBodies::I",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& x) {
                Sides<S> sides;
                CompositeBodies<S> composite(x.model);
                const MatrixX<S> M = composite(x.q);
                VectorX<S> own(x.model.nv()), diagonal(x.model.nv());
                for (int i = 1; i <= x.bodies(); ++i)
                  for (int k = 0; k < x.model.body(i).nv; ++k) {
                    const Twist<S> column = x.kinematics.S[i].column(k);
                    own(x.model.body(i).v + k) = pairing(composite.I[i] * column, column);
                  }
                for (int k = 0; k < x.model.nv(); ++k) diagonal(k) = M(k, k);
                sides.add_by_unit(x.model, own, diagonal);
                // All carried by one root move with it as one body: so do their momenta.
                for (int i = 1; i <= x.bodies(); ++i) {
                  Inertia<S> sum = x.model.body(i).I;
                  for (int c = i + 1; c <= x.bodies(); ++c) {
                    SE3<S> pose;
                    int a = c;
                    for (; a > i; a = x.model.body(a).parent) pose = x.kinematics.T[a] * pose;
                    if (a == i) sum = sum + coAd(inverse(pose), x.model.body(c).I);
                  }
                  sides.add(composite.I[i].second_moment.matrix(), sum.second_moment.matrix());
                  sides.add(composite.I[i].mass, sum.mass);
                }
                return sides;
              }});
  r.identity({.name = "the_matrices_of_screws_are_those_of_bodies_seen_from_the_base_at_rest",
              .keys = {"park:41", "park:43", "park:45", "park:50"},
              .symbols = "ScrewSystem ScrewSystem::M ScrewSystem::D ScrewSystem::carried",
              .method = "cross-check; A = QS for bodies with one coordinate, L and D by body, QGS = LA for all",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const ScrewSystem<S> screws(x.model);
                    add_50(sides, x.model, m, BodyMatrices<S>(x.kinematics, screws.M), Line::all);
                    const MatrixX<S> LA = m.L * m.A;
                    std::vector<Twist<S>> by_matrices, by_screws;
                    for (int i = 1; i <= x.bodies(); ++i) {
                      const int last = last_coordinate(x, i);
                      add_blocks(sides, Matrix6<S>(m.D.template block<6, 6>(6 * last, 6 * last)), screws.D[i].matrix());
                      for (int j = last; j >= 0; j = p.carrier[j]) {
                        by_matrices.push_back(to_twist(LA.col(j).template segment<6>(6 * last)));
                        by_screws.push_back(screws.carried(screws.A[j], j, last, x.q));
                      }
                    }
                    sides.add(by_matrices, by_screws);
                    return sides;
                  },
              .applies = has_few_coordinates});

  // Q from single factors: the offsets of section 3, or the frames at the centres of mass of section 4.
  const auto reading = [](const Specimen<S>& x, int offsets, Line line) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    ForwardKinematics<S> at(chain.model);
    at(chain.x, chain.xd);
    std::vector<SE3<S>> M(1);
    for (int i = 1; i <= p.n; ++i) {
      const SE3<S>& own = chain.model.body(i).M;
      M.push_back(offsets == 3 ? own : offsets == 4 ? p.link[i - 1].M : SE3<S>(M.back() * own));
    }
    const BodyMatrices<S> by_body(at, M);
    add_50(sides, chain.model, ScrewMatrices<S>(p), by_body, line);
    return sides;
  };
  const auto with = [=](int offsets, Line line) {
    return [=](const Specimen<S>& x) { return reading(x, offsets, line); };
  };
  r.erratum({.id = "E-park-4",
             .keys = {"park:50"},
             .margin = 1e-2,
             .printed = {with(3, Line::A), with(3, Line::L), with(3, Line::D), with(4, Line::A), with(4, Line::L),
                         with(4, Line::D)},
             .corrected = with(0, Line::all)});
}

/// \f$\Ad_j^i(B)\f$ along the line x + t u.
template <typename S>
Twist<Series<S>> along_line(const ParkScrews<S>& p, const VectorX<S>& u, int j, Upper i, const Twist<S>& B)
{
  SE3<Series<S>> product;
  for (; j != i.before; j = p.carrier[j]) {
    const Series<S> back = Series<S>(S(-p.x(j))) - time_series<S>() * u(j);
    product = product * exp(constant(p.A[j]), back);
  }
  return Ad(product, constant(B));
}

/// \f$\partial_l\partial_k\Ad_j^i(B)\f$ from second derivatives along three lines.
template <typename S>
Twist<S> second_derivative(const ParkScrews<S>& p, int l, int k, int j, Upper i, const Twist<S>& B)
{
  const auto along = [&](const VectorX<S>& u) { return derivative(along_line(p, u, j, i, B), 2); };
  const VectorX<S> e_k = VectorX<S>::Unit(p.n, k), e_l = VectorX<S>::Unit(p.n, l);
  return S(1) / S(2) * (along(e_k + e_l) - along(e_k) - along(e_l));
}

/// Proposition 2 on index tuples (i, k, l, j) beside series.
template <typename S>
void add_proposition_2(Sides<S>& sides, const Specimen<S>& x, const ParkScrews<S>& p, const std::vector<Indices>& all,
                       bool as_printed)
{
  std::vector<Twist<S>> by_brackets, by_series;
  for (const Indices& t : all) {
    const int i = t[0], k = t[1], l = t[2], j = t[3];
    if (!p.is_before(i, j)) continue;
    const Twist<S> B = x.twist(5 * (i + j) % 100);
    // The map itself comes along, for derivatives that vanish are rounding beside it.
    by_brackets.push_back(p.Ad(j, p.from(i), B));
    by_series.push_back(derivative(along_line(p, VectorX<S>(VectorX<S>::Zero(p.n)), j, p.from(i), B), 0));
    by_brackets.push_back(p.second_derivative(l, k, j, p.from(i), B, as_printed));
    by_series.push_back(second_derivative(p, l, k, j, p.from(i), B));
  }
  sides.add(by_brackets, by_series);
}

/// Three coordinates, or all, to differentiate by: on the way to one that is drawn as far as there are so many.
template <typename S>
Indices drawn_coordinates(const Specimen<S>& x, const ParkScrews<S>& p)
{
  Indices few;
  for (const Indices& tuple : tuples(x, p, 3, 3)) {
    for (const int k : tuple)
      if (few.size() < 3 && std::find(few.begin(), few.end(), k) == few.end()) few.push_back(k);
  }
  std::sort(few.begin(), few.end());
  return few;
}

/// The mass matrix along lines of configurations, by composite bodies over series.
template <typename S>
class MovedMassMatrix {
public:
  explicit MovedMassMatrix(const Specimen<S>& x)
      : x_(&x), composite_(x.series_model()), n_(x.model.nv()), second_(n_ * n_)
  {
  }

  MatrixX<S> first(int k) { return along(VectorX<S>::Unit(n_, k), 1); }
  const MatrixX<S>& second(int k, int l)
  {
    MatrixX<S>& result = second_[std::min(k, l) * n_ + std::max(k, l)];
    if (result.size() == 0) {
      result =
          along(VectorX<S>::Unit(n_, k) + (k == l ? VectorX<S>(VectorX<S>::Zero(n_)) : VectorX<S>::Unit(n_, l)), 2);
      if (k != l) result = MatrixX<S>((result - second(k, k) - second(l, l)) / S(2));
    }
    return result;
  }

private:
  MatrixX<S> along(const VectorX<S>& u, int order)
  {
    VectorX<Series<S>> q(n_);
    for (int k = 0; k < n_; ++k) q(k) = x_->q(k) + time_series<S>() * u(k);
    const MatrixX<Series<S>>& M = composite_(q);
    MatrixX<S> result(n_, n_);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) result(i, j) = derivative(M(i, j), order);
    return result;
  }

  const Specimen<S>* x_;
  CompositeBodies<Series<S>> composite_;
  int n_;
  std::vector<MatrixX<S>> second_;
};

template <typename S>
void derivatives(Registry<S>& r)
{
  r.identity({.name = "a_coordinate_moves_what_is_carried_past_it_by_one_bracket",
              .keys = {"park:53", "park:P1"},
              .symbols = "ad Ad exp ScrewSystem",
              .method = "series; 50 index tuples drawn above n = 6",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    std::vector<Twist<S>> by_brackets, by_series;
                    for (const Indices& t : tuples(x, p, 3, 6)) {
                      const int i = t[0], k = t[1], j = t[2];
                      if (!p.is_before(i, j)) continue;
                      const Twist<S> B = x.twist(5 * (i + j) % 100);
                      const auto moved = along_line(p, VectorX<S>(VectorX<S>::Unit(p.n, k)), j, p.from(i), B);
                      by_brackets.push_back(p.Ad(j, p.from(i), B)), by_series.push_back(derivative(moved, 0));
                      by_brackets.push_back(p.derivative(k, j, p.from(i), B)),
                          by_series.push_back(derivative(moved, 1));
                    }
                    sides.add(by_brackets, by_series);
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "two_coordinates_move_what_is_carried_past_them_by_two_brackets_the_nearer_one_first",
              .keys = {"park:54", "park:P2"},
              .symbols = "ad Ad exp ScrewSystem",
              .method = "series; 50 index tuples drawn above n = 3",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    add_proposition_2(sides, x, p, tuples(x, p, 4, 3), false);
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "derivatives_of_the_mass_matrix_are_brackets_under_the_inertia_behind_the_last_of_them",
              .keys = {"park:52", "park:53", "park:54", "park:P1", "park:P2"},
              .symbols = "InertiaMetric::dm InertiaMetric::ddm InertiaMetric::dchristoffel",
              .method = "series and independent formulation; by three coordinates drawn above n = 3",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const int n = x.model.nv();
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const MatrixX<S> M = metric.M();
                    FlatPicture<S> points(x.inputs.mechanism, x.q);
                    MovedMassMatrix<S> moved(x);
                    Indexed<S> first(x.model, M), seen(x.model, M), second(x.model, M), symbols(x.model, M);
                    const Indices few = drawn_coordinates(x, park_screws(x));
                    for (const int k : few) {
                      const MatrixX<S> dM = moved.first(k);
                      for (int i = 0; i < n; ++i)
                        for (int j = 0; j < n; ++j) {
                          first.add({i, j, k}, metric.dm(i, j, k), dM(i, j));
                          if (i <= j) seen.add({i, j, k}, metric.dm(i, j, k), points.dm(i, j, k));
                        }
                    }
                    for (const int k : few)
                      for (const int l : few)
                        for (int i = 0; i < n; ++i)
                          for (int j = 0; j <= i; ++j)
                            second.add({i, j, k, l}, metric.ddm(i, j, k, l), moved.second(k, l)(i, j));
                    for (const int i : few)
                      for (const int j : few)
                        for (const int k : few)
                          for (const int l : few)  // (52), differentiated
                            symbols.add(
                                {i, j, k, l}, metric.dchristoffel(i, j, k, l),
                                (moved.second(i, l)(k, j) + moved.second(j, l)(k, i) - moved.second(k, l)(i, j)) /
                                    S(2));
                    for (const Indexed<S>& numbers : {first, seen, second, symbols}) numbers.into(sides);
                    return sides;
                  },
              .applies = has_few_coordinates});

  const auto on_chain = [](const Specimen<S>& x, bool as_printed) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    add_proposition_2(sides, x, p, tuples(x, p, 4, 3), as_printed);
    return sides;
  };
  r.erratum({.id = "E-park-5",
             .keys = {"park:54", "park:P2"},
             .margin = 1e-2,
             .printed = {[=](const Specimen<S>& x) { return on_chain(x, true); }},
             .corrected = [=](const Specimen<S>& x) { return on_chain(x, false); }});
}

template <typename S>
void coriolis(Registry<S>& r)
{
  r.identity({.name = "christoffel_symbols_are_sums_of_brackets_in_three_cases_and_accelerations_of_points",
              .keys = {"park:52", "park:55", "park:56", "park:57"},
              .symbols = "InertiaMetric::christoffel InertiaMetric::dm",
              .method = "independent formulation; 50 index tuples drawn above n = 8",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    FlatPicture<S> points(x.inputs.mechanism, x.q);
                    const MatrixX<S> M = points.M();
                    Indexed<S> library(x.model, M), seen(x.model, M), s52(x.model, M), turned(x.model, M);
                    for (const Indices& t : tuples(x, p, 3, 8)) {
                      const int i = t[0], j = t[1], k = t[2];
                      const S own = metric.christoffel(i, j, k);
                      turned.add(t, own, metric.christoffel(j, i, k));
                      if (i > j && p.n <= 8) continue;  // the print says so by symmetry
                      const S printed = p.christoffel(i, j, k);
                      library.add(t, printed, own);
                      seen.add(t, printed, points.christoffel(i, j, k));
                      s52.add(t, own, (metric.dm(k, j, i) + metric.dm(k, i, j) - metric.dm(i, j, k)) / S(2));
                    }
                    for (const Indexed<S>& numbers : {library, seen, s52, turned}) numbers.into(sides);
                    return sides;
                  },
              .applies = has_coordinates});
  r.identity({.name = "torques_are_mass_times_acceleration_symbols_times_rates_and_the_pull_of_weight",
              .keys = {"park:29"},
              .symbols = "InertiaMetric::m InertiaMetric::christoffel InertiaMetric::C InertiaMetric::M",
              .method = "independent formulation; the printed symbols up to n = 8",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const int n = p.n;
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const VectorX<S> seen = witness_forces<S>(x, x.qd, x.qdd, x.gravity);
                    const VectorX<S> weight = witness_gravity(x);
                    const VectorX<S> library = metric.M() * x.qdd + metric.C(x.qd) * x.qd + weight;
                    sides.add_by_unit(x.model, library, seen);
                    CoriolisMatrix<S> coriolis(x.model);
                    const VectorX<S> filled = coriolis(x.q, x.qd) * x.qd + metric.M() * x.qdd + weight;
                    sides.add_by_unit(x.model, filled, seen);
                    if (n > 8) return sides;
                    VectorX<S> printed = weight;
                    for (int k = 0; k < n; ++k)
                      for (int j = 0; j < n; ++j) {
                        printed(k) += p.m(k, j) * x.qdd(j);
                        for (int i = 0; i <= j; ++i)
                          printed(k) += S(i == j ? 1 : 2) * p.christoffel(i, j, k) * x.qd(i) * x.qd(j);
                      }
                    sides.add_by_unit(x.model, printed, seen);
                    return sides;
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "motions_without_forces_and_weight_are_geodesics_of_the_mass_matrix",
              .keys = {"park:29", "park:52"},
              .symbols = "InertiaMetric::C ForwardDynamics",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    ForwardDynamics<S> forward(x.model);
                    forward.set_gravity({});
                    const VectorX<S> qdd = forward(x.q, x.qd, VectorX<S>::Zero(x.model.nv()));
                    const MatrixX<S>& M = x.witness_mass_matrix();
                    const VectorX<S> pulled = M * x.as_input(qdd), bent = -(metric.C(x.qd) * x.qd);
                    VectorX<S> terms = VectorX<S>::Zero(qdd.size());  // they may all cancel
                    for (Eigen::Index k = 0; k < qdd.size(); ++k)
                      for (Eigen::Index j = 0; j < qdd.size(); ++j) terms(k) += magnitude(S(M(k, j) * qdd(j)));
                    sides.add_by_unit(x.model, pulled, bent, terms);
                    return sides;
                  },
              .applies = has_few_coordinates});

  // (55) to (57) as operator precedence has them: the sum is over the first product alone, the others have l = n.
  const auto on_chain = [](const Specimen<S>& x, int read_literally) {
    Sides<S> sides;
    const Chain<S> chain = drawn_chain(x);
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    FlatPicture<S> points(chain.mechanism, chain.x);
    Indexed<S> numbers(chain.model, points.M());
    for (const Indices& t : tuples(x, p, 3, 3)) {
      const int i = t[0], j = t[1], k = t[2];
      if (i > j) continue;
      S symbol = p.christoffel(i, j, k);
      if (read_literally == (k <= i ? 55 : k <= j ? 56 : 57)) {
        const auto at_end = p.terms(i, j, k, p.n - 1);
        symbol = S(0);
        for (int l = std::max(j, k); l < p.n; ++l) symbol += p.terms(i, j, k, l)[0];
        symbol = symbol / S(2) + at_end[1] + at_end[2];
      }
      numbers.add(t, symbol, points.christoffel(i, j, k));
    }
    numbers.into(sides);
    return sides;
  };
  const auto corrected = [=](const Specimen<S>& x) {
    Sides<S> sides = on_chain(x, 0);
    const Chain<S> chain = drawn_chain(x);  // the direct sum of its links' metrics
    const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
    const ScrewMatrices<S> m(p);
    const MatrixX<S> J = m.L * m.A;
    sides.add_by_unit(chain.model, MatrixX<S>(J.transpose() * (m.D * J)), FlatPicture<S>(chain.mechanism, chain.x).M());
    return sides;
  };
  // The other slips are of notation: vectors of different lengths in (58), a product of metrics that is a sum in (65).
  r.erratum({.id = "E-park-10",
             .keys = {"park:55", "park:56", "park:57", "park:58", "park:59", "park:65"},
             .margin = 1e-6,
             .printed = {[=](const Specimen<S>& x) { return on_chain(x, 55); },
                         [=](const Specimen<S>& x) { return on_chain(x, 56); },
                         [=](const Specimen<S>& x) { return on_chain(x, 57); }},
             .corrected = corrected});
}

/// \eq{park,58} and \eq{park,59}, with signs that stand before them.
template <typename S>
struct Weight {
  S U{0}, U_terms{0};
  VectorX<S> phi;

  Weight(const ParkScrews<S>& p, const Vector3<S>& g, const S& sign_U = S(-1), const S& sign_phi = S(-1))
      : phi(VectorX<S>::Zero(p.n))
  {
    using Column4 = Eigen::Matrix<S, 4, 1>;
    const Column4 r = Column4::Unit(3), g_tilde(g[0], g[1], g[2], S(0));
    for (int i = 0; i < p.n; ++i) {
      if (p.link[i].m == S(0)) continue;
      const Matrix4<S> e = matrix(p.displacement(i)), M = matrix(p.link[i].M);
      const Column4 center = e * (M * r);
      U += sign_U * p.link[i].m * (g_tilde.transpose() * center).value();
      U_terms += p.link[i].m * length(g) * length(Vector3<S>{center(0), center(1), center(2)});
      for (int k = i; k >= 0; k = p.carrier[k]) {
        const Column4 moved = e * (hat(p.Ad(i, p.after(k), p.A[k])) * (M * r));
        phi(k) += sign_phi * p.link[i].m * (g_tilde.transpose() * moved).value();
      }
    }
  }
};

template <typename S>
void weight(Registry<S>& r)
{
  r.identity(
      {.name = "weight_pulls_by_the_slope_of_the_potential_energy",
       .keys = {"park:58", "park:59"},
       .symbols = "ForwardKinematics::potential_energy EquationsOfMotion::gravity GlobalMatrices::phi ScrewSystem",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x) {
             Sides<S> sides;
             const Weight<S> printed(park_screws(x), x.gravity);
             S U(0);
             for (const auto& link : x.newton_euler().links)
               if (link.moves) U -= link.mass * inner(x.gravity, Vector3<S>(link.center()));
             sides.add(printed.U, U, printed.U_terms);
             sides.add(x.kinematics.potential_energy(x.gravity), U, printed.U_terms);
             const VectorX<S> seen = witness_gravity(x);
             InverseDynamics<S> rnea(x.model);
             const EquationsOfMotion<S> library(rnea, x.q, x.qd);
             sides.add_by_unit(x.model, printed.phi, seen);
             sides.add_by_unit(x.model, library.gravity, seen);
             if (x.model.nv() <= 12) sides.add_by_unit(x.model, GlobalMatrices<S>(x.kinematics, x.qd).phi(), seen);
             return sides;
           },
       .applies = has_coordinates});

  struct Reading {
    bool no_weight = false;  // (22)
    int sign_U = -1, sign_phi = -1;
  };
  const auto reading = [](const Reading& printed) {
    return [printed](const Specimen<S>& x) {
      Sides<S> sides;
      const Chain<S> chain = drawn_chain(x);
      InverseDynamics<S> recursion(chain.model);
      if (printed.no_weight) recursion.set_gravity({});
      sides.add_by_unit(chain.model, recursion(chain.x, chain.xd, chain.xdd), chain.witness_tau());

      const Weight<S> weight(ParkScrews<S>(chain.mechanism, chain.model, chain.x), chain.model.gravity(),
                             S(printed.sign_U), S(printed.sign_phi));
      witness::VectorNewtonEuler<S> at_rest(chain.mechanism, false);
      const VectorX<S> none = VectorX<S>::Zero(3);
      const auto g = chain.model.gravity().eigen();
      sides.add_by_unit(chain.model, weight.phi, at_rest.inverse_dynamics(chain.x, none, none, g));
      S U(0);
      for (const auto& link : at_rest.links)
        if (link.moves) U -= link.mass * inner(chain.model.gravity(), Vector3<S>(link.center()));
      sides.add(weight.U, U, weight.U_terms);
      return sides;
    };
  };
  r.erratum({.id = "E-park-9",
             .keys = {"park:22", "park:58", "park:59"},
             .margin = 1e-6,
             .printed = {reading({.no_weight = true}), reading({.sign_U = 1}), reading({.sign_phi = 1})},
             .corrected = reading({})});
}

/// Two hinges in general position, all of whose numbers are drawn.
template <typename S>
Chain<S> drawn_2r(const Specimen<S>& x)
{
  const Chain<S> three = drawn_chain(x);
  Mechanism machine = three.mechanism;
  machine.links.resize(3), machine.joints.resize(2);
  machine.joints[1].type = JointType::revolute, machine.joints[1].pitch = 0;
  Chain<S> two(machine);
  two.x = three.x.head(2), two.xd = three.xd.head(2), two.xdd = three.xdd.head(2);
  return two;
}

/// Which entries of C are read as they are printed.
struct PrintedEntries {
  bool c11 = false, c12 = false, c21 = false, c21_sign = false;
};

/// The example of section 4.3.1, \eq{park,60} to \eq{park,64}.
template <typename S>
Sides<S> example(const Specimen<S>& x, const PrintedEntries& printed = {})
{
  Sides<S> sides;
  const Chain<S> chain = drawn_2r(x);
  const ParkScrews<S> p(chain.mechanism, chain.model, chain.x);
  const S xd1 = chain.xd(0), xd2 = chain.xd(1);
  const Twist<S>&A1 = p.A[0], &A2 = p.A[1];
  const auto Ad22 = [&](const Twist<S>& H) { return p.Ad(1, p.from(1), H); };
  const Twist<S> carried = Ad22(A1), moved = Ad22(ad(A1, A2));
  const S h = p.inner(1, moved, carried), e = p.inner(1, moved, A2);

  MatrixX<S> M(2, 2), C(2, 2);
  M(0, 0) = p.inner(0, A1, A1) + p.inner(1, carried, carried);
  M(0, 1) = M(1, 0) = p.inner(1, carried, A2);
  M(1, 1) = p.inner(1, A2, A2);                                                         // (60)
  C(0, 0) = printed.c11 ? S(h * xd1 * xd2) : S(h * xd2);                                // (61)
  C(0, 1) = printed.c12 ? S(h * xd1 * xd2 + e * xd2 * xd2) : S(h * xd1 + e * xd2);      // (62)
  C(1, 0) = printed.c21 ? S(h * xd1 * xd1) : S(printed.c21_sign ? h * xd1 : -h * xd1);  // (63)
  C(1, 1) = S(0);                                                                       // (64)

  witness::VectorNewtonEuler<S> witness(chain.mechanism, false);
  const Eigen::Matrix<S, 3, 1> no_weight = Eigen::Matrix<S, 3, 1>::Zero();
  const VectorX<S> none = VectorX<S>::Zero(2);
  const VectorX<S> tau = M * chain.xdd + C * chain.xd;
  sides.add(tau, witness.inverse_dynamics(chain.x, chain.xd, chain.xdd, no_weight));
  sides.add(VectorX<S>(C * chain.xd), witness.inverse_dynamics(chain.x, chain.xd, none, no_weight));
  FlatPicture<S> points(chain.mechanism, chain.x);
  sides.add(M, points.M());

  InertiaMetric<S> metric(chain.model);
  metric(chain.x);
  CoriolisMatrix<S> coriolis(chain.model);
  sides.add(C, metric.C(chain.xd));
  sides.add(C, coriolis(chain.x, chain.xd));
  MatrixX<S> skew = MatrixX<S>::Zero(2, 2);  // Mdot - 2C
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) skew(i, j) = points.dm(i, j, 0) * xd1 + points.dm(i, j, 1) * xd2 - S(2) * C(i, j);
  sides.add(skew, MatrixX<S>(-skew.transpose()), S(2) * (magnitude(C(0, 0)) + magnitude(C(0, 1))));
  return sides;
}

template <typename S>
void example_2r(Registry<S>& r)
{
  r.identity({.name = "two_hinges_in_general_position_have_four_entries_of_C_made_of_two_inner_products",
              .keys = {"park:60", "park:61", "park:62", "park:63", "park:64", "park:ex2R"},
              .symbols = "InertiaMetric::C CoriolisMatrix ScrewSystem",
              .method = "independent formulation; on two hinges drawn for each case",
              .sides = [](const Specimen<S>& x) { return example(x); }});
  const auto reading = [](const PrintedEntries& printed) {
    return [printed](const Specimen<S>& x) { return example(x, printed); };
  };
  // The last: the entries as products already, where only the sign of the third is wrong.
  r.erratum(
      {.id = "E-park-6",
       .keys = {"park:61", "park:62", "park:63", "park:ex2R"},
       .margin = 1e-6,
       .printed = {reading({.c11 = true}), reading({.c12 = true}), reading({.c21 = true}), reading({.c21_sign = true})},
       .corrected = reading({})});
}

/// The link's twist along the motion, from its pose alone, seen from the frame asked for.
template <typename S>
std::pair<Twist<S>, Twist<S>> twist_and_rate(const Specimen<S>& x, const LinkFrame<S>& link, JacobianFrame frame)
{
  Matrix4<S> f[3];
  for (int order = 0; order < 3; ++order)
    f[order] = derivative(x.along_motion().pose[link.body], order) * matrix(link.X);
  const Matrix4<S> back = inverted(f[0]), back_rate = -back * f[1] * back;
  if (frame == JacobianFrame::link)
    return {vee(Matrix4<S>(back * f[1])), vee(Matrix4<S>(back_rate * f[1] + back * f[2]))};
  Matrix4<S> V = f[1] * back, V_rate = f[2] * back + f[1] * back_rate;
  Twist<S> twist = vee(V), rate = vee(V_rate);
  if (frame == JacobianFrame::mixed)
    for (int k = 0; k < 3; ++k) twist.v[k] = f[1](k, 3), rate.v[k] = f[2](k, 3);
  return {twist, rate};
}

template <typename S>
void pull_back(Registry<S>& r)
{
  r.identity({.name = "the_mass_matrix_is_the_direct_sum_of_the_links_metrics_pulled_back_by_the_jacobian",
              .keys = {"park:65"},
              .symbols = "ScrewSystem",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewMatrices<S> m(p);
                    const MatrixX<S> J = m.L * m.A;
                    sides.add_by_unit(x.model, MatrixX<S>(J.transpose() * (m.D * J)), x.witness_mass_matrix());

                    // J is the Jacobian of f up to the constant factors of (34): that of each link, coordinate by
                    // coordinate, from the poses of its frame along lines.
                    for (const int i : weighty_bodies(x)) {
                      const int last = last_coordinate(x, i);
                      std::vector<Twist<S>> moved, by_factors;
                      for (int k = last; k >= 0; k = p.carrier[k]) {
                        SE3<Series<S>> f;
                        for (int c = last; c >= 0; c = p.carrier[c]) {
                          Series<S> at(S(p.x(c)));
                          if (c == k) at += time_series<S>();
                          f = exp(constant(p.A[c]), at) * f;
                        }
                        moved.push_back(vee(Matrix4<S>(inverted(derivative(f, 0)) * derivative(f, 1))));
                        by_factors.push_back(to_twist(J.col(k).template segment<6>(6 * last)));
                      }
                      sides.add(moved, by_factors);
                    }
                    return sides;
                  },
              .applies = has_few_coordinates});
  r.identity(
      {.name = "jacobians_of_links_in_three_frames_and_their_rates_follow_the_motion",
       .keys = {"park:65"},
       .symbols = "ForwardKinematics::link_jacobian ForwardKinematics::link_jacobian_rate",
       .method = "series",
       .sides =
           [](const Specimen<S>& x) {
             Sides<S> sides;
             const auto& moving = x.along_motion();
             for (const JacobianFrame frame : {JacobianFrame::link, JacobianFrame::world, JacobianFrame::mixed}) {
               std::vector<Twist<S>> V, J_qd, Vdot, rates, columns, columns_moved;
               for (std::size_t l = 0; l < x.model.links().size(); ++l) {
                 const LinkFrame<S>& link = x.model.links()[l];
                 if (link.body == 0) continue;
                 const MatrixX<S> J = x.kinematics.link_jacobian(link, frame);
                 const MatrixX<S> Jdot = x.kinematics.link_jacobian_rate(link, x.qd, frame);
                 const auto [twist, rate] = twist_and_rate(x, link, frame);
                 V.push_back(twist), J_qd.push_back(to_twist(J * x.qd));
                 Vdot.push_back(rate), rates.push_back(to_twist(J * x.qdd + Jdot * x.qd));
                 const auto J_moving = moving.link_jacobian(x.series_model().links()[l], frame);
                 for (int k = 0; k < x.model.nv(); ++k) {
                   const auto column = to_twist(J_moving.col(k));
                   columns.push_back(to_twist(J.col(k))), columns_moved.push_back(derivative(column, 0));
                   columns.push_back(to_twist(Jdot.col(k))), columns_moved.push_back(derivative(column, 1));
                 }
               }
               if (V.empty()) continue;
               sides.add(V, J_qd);
               sides.add(Vdot, rates);
               sides.add(columns, columns_moved);
             }
             return sides;
           },
       .applies = is_small});
}

template <typename S>
void curvature(Registry<S>& r)
{
  r.identity({.name = "curvature_is_what_the_space_of_points_makes_of_the_bending_of_motions",
              .keys = {"park:66"},
              .symbols = "Curvature Curvature::sectional InertiaMetric::dchristoffel InertiaMetric::christoffel",
              .method = "independent formulation (Gauss); 50 index tuples drawn above n = 3",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const Curvature<S> R(metric);
                    FlatPicture<S> points(x.inputs.mechanism, x.q);
                    const MatrixX<S> M = x.as_input(points.M());
                    const MatrixX<S> M_inverse = definite_solution(M, MatrixX<S>(MatrixX<S>::Identity(p.n, p.n)));
                    Indexed<S> numbers(x.model, M);
                    for (const Indices& t : tuples(x, p, 4, 3))
                      numbers.add(t, R(t[0], t[1], t[2], t[3]), points.R(t[0], t[1], t[2], t[3], M_inverse));
                    numbers.into(sides);
                    if (p.n < 2 || p.n > 4) return sides;  // a plane, in O(n^4)
                    VectorX<S> u(p.n), v(p.n);
                    for (int k = 0; k < p.n; ++k) u(k) = x.number(k), v(k) = x.number(10 + k);
                    const auto plane = points.plane(u, v, M_inverse);
                    sides.add(R.sectional(u, v), S(plane.bending / plane.area), S(plane.terms / plane.area));
                    return sides;
                  },
              .applies = has_few_coordinates});
  r.identity({.name = "curvature_is_the_commutator_of_covariant_derivatives_with_its_symmetries",
              .keys = {"park:66"},
              .symbols = "Curvature Curvature::christoffel InertiaMetric::dchristoffel InertiaMetric::dm",
              .method = "cross-check; 8 index tuples drawn above n = 2",
              .sides =
                  [](const Specimen<S>& x) {
                    Sides<S> sides;
                    const ParkScrews<S> p = park_screws(x);
                    const int n = p.n;
                    InertiaMetric<S> metric(x.model);
                    metric(x.q);
                    const Curvature<S> R(metric);
                    const MatrixX<S> M = metric.M();
                    Indexed<S> raised(x.model, M), commutator(x.model, M), symmetries(x.model, M);
                    std::vector<Indices> all = tuples(x, p, 4, 2);
                    if (n > 2) all.resize(8);
                    for (const Indices& t : all) {
                      const int i = t[0], j = t[1], k = t[2], l = t[3];
                      raised.add({j, k, i}, (M.row(i) * R.christoffel(j, k)).value(), metric.christoffel(j, k, i));

                      // m_ih R^h_jkl with R^h_jkl = d_k G^h_lj - d_l G^h_kj + G^h_kr G^r_lj - G^h_lr G^r_kj, where
                      // m_ih d_k G^h_lj = d_k G_lji - (d_k m_ih) G^h_lj.
                      const auto moved = [&](int k, int l) {
                        S sum = metric.dchristoffel(l, j, i, k);
                        for (int h = 0; h < n; ++h) sum -= metric.dm(i, h, k) * R.christoffel(l, j)(h);
                        for (int r = 0; r < n; ++r) sum += metric.christoffel(k, r, i) * R.christoffel(l, j)(r);
                        return sum;
                      };
                      const S own = R(i, j, k, l);
                      commutator.add(t, own, moved(k, l) - moved(l, k));
                      symmetries.add(t, own, -R(j, i, k, l));
                      symmetries.add(t, own, -R(i, j, l, k));
                      symmetries.add(t, own, R(k, l, i, j));
                      symmetries.add(t, own, -R(i, k, l, j) - R(i, l, j, k));  // Bianchi
                    }
                    for (const Indexed<S>& numbers : {raised, commutator, symmetries}) numbers.into(sides);
                    return sides;
                  },
              .applies = has_few_coordinates});
}

}  // namespace

template <typename S>
void park_lagrange_identities(Registry<S>& r)
{
  kinematics(r);
  energy(r);
  mass_matrix(r);
  derivatives(r);
  coriolis(r);
  weight(r);
  example_2r(r);
  pull_back(r);
  curvature(r);
}

template void park_lagrange_identities(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
