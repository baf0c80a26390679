/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, section 4, kinematics and energy, \eq{park,29} to \eq{park,39}.
 */
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <rnea/park_recursion.hpp>
#include <articulate/lagrange/product_of_exponentials.hpp>

namespace articulate::validation {
namespace {

template <typename S>
void kinematics(Registry<S>& r)
{
  r.identity({.name = "links_are_carried_by_the_exponentials_of_constant_screws_of_the_base",
              .keys = {"park:30", "park:31"},
              .symbols = "ScrewSystem ScrewSystem::displacement ScrewSystem::pose offset_behind pose",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                  },
              .applies = has_coordinates});
  r.identity({.name = "the_three_forms_of_a_product_of_exponentials_turn_into_each_other",
              .keys = {"park:12", "park:13", "park:14", "park:30"},
              .symbols = "offset_behind offset_before offsets_between pose",
              .method = "cross-check",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                  },
              .applies = has_coordinates});
  r.identity({.name = "the_maps_between_links_are_products_of_exponentials_of_the_screws_between_them",
              .keys = {"park:37", "park:D2", "park:42"},
              .symbols = "ScrewSystem::carried ScrewSystem::carries Ad_matrix",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                  },
              .applies = has_coordinates});
  r.identity({.name = "a_link_moves_by_the_sum_of_the_screws_before_it_carried_to_it",
              .keys = {"park:33", "park:34", "park:38"},
              .symbols = "ScrewSystem ScrewSystem::carried ForwardKinematics",
              .method = "series",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                    if (s33.empty()) return;
                    sides.add(s33, moving);
                    sides.add(s33, seen);
                    sides.add(s34, seen);
                    sides.add(s38, library);
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
void energy(Registry<S>& r)
{
  r.identity({.name = "the_inertia_of_a_link_about_the_base_is_constant_and_that_of_its_points",
              .keys = {"park:I_i", "park:36", "park:44"},
              .symbols = "ScrewSystem::D coAd Inertia::matrix",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
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
                  },
              .applies = has_coordinates});
  r.identity({.name = "the_energy_of_links_is_half_an_inner_product_of_their_velocities",
              .keys = {"park:32", "park:35", "park:39", "park:D1"},
              .symbols = "ScrewSystem ForwardKinematics::kinetic_energy",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const VectorX<S> seen = energies_seen(x.newton_euler(), x.inputs.mechanism, x.model);
                    add_energies(sides, park_screws(x), x.qd, seen);
                    sides.add(x.kinematics.kinetic_energy(), S(seen.sum()));
                  },
              .applies = has_coordinates});

  const auto reading = [](const Halves<S>& half) {
    return [half](const Specimen<S>& x, Sides<S>& sides) {
      const Chain<S> chain = drawn_chain(x);
      witness::VectorNewtonEuler<S> witness(chain.mechanism, false);
      witness.inverse_dynamics(chain.x, chain.xd, chain.xdd, x.gravity.eigen());
      add_energies(sides, {chain.mechanism, chain.model, chain.x}, chain.xd,
                   energies_seen(witness, chain.mechanism, chain.model), half);
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
             .printed = {[=](const Specimen<S>& x, Sides<S>& sides) { sides.append(velocities(x, false)); }},
             .corrected = [=](const Specimen<S>& x, Sides<S>& sides) { sides.append(velocities(x, true)); }});
}

}  // namespace

template <typename S>
void lagrange_park_energy(Registry<S>& r)
{
  kinematics(r);
  energy(r);
}

template void lagrange_park_energy(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
