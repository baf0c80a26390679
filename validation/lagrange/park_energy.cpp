/** \file
 *  \brief Proofs of chapter lagrange: Park 1995, section 4, kinematics and energy, \eq{park,29} to \eq{park,39}.
 */
#include <lagrange/park_tuples.hpp>
#include <ledger/calculus.hpp>
#include <rnea/park_recursion.hpp>
#include <articulate/lagrange/product_of_exponentials.hpp>

namespace articulate::validation {
namespace {

/// The blocks of \eq{park,34}; the first moment's arm may be left where it is, unturned.
template <typename S>
Matrix6<S> blocks_34(const SE3<S>& M, bool unturned = false)
{
  const Eigen::Matrix<S, 3, 3> Theta_T = M.R.matrix.eigen().transpose();
  const Vector3<S> arm = unturned ? M.p : Vector3<S>(Theta_T * M.p.eigen());
  Matrix6<S> A = Matrix6<S>::Zero();
  A.template topLeftCorner<3, 3>() = A.template bottomRightCorner<3, 3>() = Theta_T;
  A.template bottomLeftCorner<3, 3>() = -skew(arm).eigen() * Theta_T;
  return A;
}

/// \eq{park,42}, from the homogeneous matrix of the product; the arm may be turned with the columns.
template <typename S>
Matrix6<S> blocks_42(const Matrix4<S>& product, bool other_order = false)
{
  const Eigen::Matrix<S, 3, 3> Theta = product.template topLeftCorner<3, 3>();
  const Eigen::Matrix<S, 3, 3> b = skew(Vector3<S>(product(0, 3), product(1, 3), product(2, 3))).eigen();
  Matrix6<S> A = Matrix6<S>::Zero();
  A.template topLeftCorner<3, 3>() = A.template bottomRightCorner<3, 3>() = Theta;
  A.template bottomLeftCorner<3, 3>() = other_order ? Theta * b : b * Theta;
  return A;
}

template <typename S>
void kinematics(Registry<S>& r)
{
  r.identity({.name = "links_are_carried_by_the_exponentials_of_constant_screws_of_the_base",
              .keys = {"park:30", "park:31"},
              .symbols = "ScrewSystem ScrewSystem::displacement ScrewSystem::pose pose",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    sides.clause("park:31");
                    for (const int i : weighty_bodies(x)) {  // with the frame at the centre of mass
                      const int last = last_coordinate(x, i);
                      SE3<S> product;
                      for (int k = last; k >= 0; k = p.carrier[k]) product = exp(p.A[k], p.x(k)) * product;
                      const SE3<S> f = product * p.link[last].M, seen = MovingCenter<S>(x, i).pose;
                      sides.add(f, seen);
                      sides.rival("M in front", [&](auto& wrong) { wrong.add(p.link[last].M * product, seen); });
                      sides.rival("the last exponential first", [&](auto& wrong) {
                        SE3<S> reversed;
                        for (int k = last; k >= 0; k = p.carrier[k]) reversed = reversed * exp(p.A[k], p.x(k));
                        wrong.add(reversed * p.link[last].M, seen);
                      });
                    }
                    for (int i = 1; i <= x.bodies(); ++i) sides.add(screws.pose(i, x.q), x.kinematics.pose[i]);

                    sides.clause("park:30");
                    for (const LinkFrame<S>& link : x.model.links()) {  // to any link
                      const auto& seen = x.newton_euler().links[x.mechanism_index(link.name)];
                      VectorX<S> own(0);
                      for (const int k : coordinates_before(screws, link)) {
                        own.conservativeResize(own.size() + 1);
                        own(own.size() - 1) = x.q(k);
                      }
                      const OffsetBehind<S> form = offset_behind(screws, link);
                      S size = length(form.M.p);  // the place may be the origin: it is rounding beside its terms
                      for (const Twist<S>& A : form.A) size += length(A.v);
                      const auto add = [&](auto& to, const SE3<S>& f) {
                        to.add(f.R.matrix.eigen(), seen.rotation);
                        to.add(f.p.eigen(), seen.position, size);
                      };
                      add(sides, pose(form, own));
                      sides.rival("M in front", [&](auto& wrong) {
                        add(wrong, form.M * pose(OffsetBehind<S>{form.A, {}}, own));
                      });
                    }
                  },
              .applies = has_coordinates});
  r.identity(
      {.name = "the_three_forms_of_a_product_of_exponentials_turn_into_each_other",
       .keys = {"park:12", "park:13/product", "park:13/screws", "park:13/offset", "park:14/product", "park:14/screws"},
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
             const auto add_pose = [&](auto& to, const SE3<S>& left, const SE3<S>& right) {
               to.add(left.R.matrix, right.R.matrix);
               to.add(left.p, right.p, size);
             };
             const SE3<S> tip = x.kinematics.link_pose(link);

             sides.clause("park:12");
             add_pose(sides, pose(between, own), tip);
             sides.rival("the screws of the base between the offsets", [&](auto& wrong) {
               add_pose(wrong, pose(OffsetsBetween<S>{behind.A, between.M}, own), tip);
             });

             // A_k is P_k behind the offsets before it.
             std::vector<Twist<S>> A, A_behind_own;
             SE3<S> product, all_but_last;
             for (int k = 0; k < n; ++k) {
               A.push_back(Ad(product, between.P[k]));
               all_but_last = product;
               product = product * between.M[k];
               A_behind_own.push_back(Ad(product, between.P[k]));
             }
             sides.clause({"park:13/product", "park:13/screws", "park:13/offset"});
             add_pose(sides, pose(OffsetBehind<S>{A, product}, own), tip);
             add_pose(sides, pose(offset_behind(between), own), tip);
             sides.clause("park:13/offset");
             sides.rival("the last offset is left out", [&](auto& wrong) {
               add_pose(wrong, pose(OffsetBehind<S>{A, all_but_last}, own), tip);
             });
             sides.clause({"park:13/product", "park:13/screws"});
             sides.rival("behind its own offset, too", [&](auto& wrong) {
               add_pose(wrong, pose(OffsetBehind<S>{A_behind_own, product}, own), tip);
             });

             sides.clause("park:14/product");
             add_pose(sides, pose(first, own), tip);
             sides.rival("the screws of the other form", [&](auto& wrong) {
               add_pose(wrong, pose(OffsetBefore<S>{first.M, behind.A}, own), tip);
             });
             sides.clause({"park:14/product", "park:14/screws"});
             std::vector<Twist<S>> B, B_other_way;
             for (const Twist<S>& A_k : behind.A) {
               B.push_back(Ad(inverse(behind.M), A_k));
               B_other_way.push_back(Ad(behind.M, A_k));
             }
             add_pose(sides, pose(OffsetBefore<S>{behind.M, B}, own), tip);
             add_pose(sides, pose(offset_behind(first), own), tip);
             sides.rival("Ad of M in place of its inverse", [&](auto& wrong) {
               add_pose(wrong, pose(OffsetBefore<S>{behind.M, B_other_way}, own), tip);
             });
           },
       .applies = has_coordinates});
  r.identity({.name = "the_maps_between_links_are_products_of_exponentials_of_the_screws_between_them",
              .keys = {"park:37/carried", "park:37/otherwise", "park:D2/carried", "park:D2/otherwise", "park:D2/own",
                       "park:42"},
              .symbols = "ScrewSystem::carried ScrewSystem::carries",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    std::vector<Twist<S>> printed, library, by_matrix, other_order, forward;
                    std::vector<Twist<S>> left_alone, library_alone, the_other_way;
                    std::vector<Twist<S>> own, A, any_own, any;
                    for (const Indices& t : tuples(x, p, 2, 8)) {
                      const auto [i, j] = std::pair{t[0], t[1]};
                      const Twist<S> H = x.twist(6 * i % 100);
                      own.push_back(p.Ad(j, p.from(j), p.A[j])), A.push_back(p.A[j]);
                      any_own.push_back(p.Ad(j, p.from(j), H)), any.push_back(H);
                      if (!p.is_before(i, j)) {
                        left_alone.push_back(H);
                        library_alone.push_back(screws.carried(H, i, j, x.q));
                        // Where j carries i: back along the way from j to i.
                        const SE3<S> way = p.is_before(j, i) ? inverse(p.product(i, p.from(j))) : SE3<S>{};
                        the_other_way.push_back(articulate::Ad(way, H));
                        continue;
                      }
                      Matrix4<S> left = Matrix4<S>::Identity(), right = left;
                      for (int k = j; k != p.carrier[i]; k = p.carrier[k]) {
                        left = left * matrix(exp(p.A[k], S(-p.x(k))));
                        right = matrix(exp(p.A[k], p.x(k))) * right;
                      }
                      printed.push_back(vee(Matrix4<S>(left * hat(H) * right)));  // (37)
                      library.push_back(screws.carried(H, p.carrier[i], j, x.q));
                      forward.push_back(vee(Matrix4<S>(right * hat(H) * left)));
                      by_matrix.push_back(to_twist(blocks_42(left) * coordinates(H)));
                      other_order.push_back(to_twist(blocks_42(left, true) * coordinates(H)));
                    }
                    sides.clause({"park:37/carried", "park:D2/carried"});
                    sides.add(printed, library);
                    sides.rival("by the exponentials and not by their inverses",
                                [&](auto& wrong) { wrong.add(forward, library); });
                    sides.clause({"park:37/otherwise", "park:D2/otherwise"});
                    sides.add(left_alone, library_alone);
                    sides.rival("the inverse of the map that leads the other way",
                                [&](auto& wrong) { wrong.add(the_other_way, library_alone); });
                    sides.clause("park:D2/own");
                    sides.add(own, A);
                    sides.rival("of any screw and not of the joint's own",
                                [&](auto& wrong) { wrong.add(any_own, any); });
                    sides.clause("park:42");
                    sides.add(library, by_matrix);
                    sides.rival("the arm behind the turn", [&](auto& wrong) { wrong.add(library, other_order); });
                  },
              .applies = has_coordinates});
  r.identity({.name = "a_link_moves_by_the_sum_of_the_screws_before_it_carried_to_it",
              .keys = {"park:33", "park:34/map", "park:34/blocks", "park:38"},
              .symbols = "ScrewSystem ScrewSystem::carried ForwardKinematics",
              .method = "series and independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const ScrewSystem<S> screws(x.model);
                    std::vector<Twist<S>> s33, other_33, s34, other_34, map_34, other_map_34, s38, without_rates;
                    std::vector<Twist<S>> library, moving, seen, seen_from_base;
                    S lever(0);
                    for (const int i : weighty_bodies(x)) {
                      const int last = last_coordinate(x, i);
                      const SE3<S>& M = p.link[last].M;
                      Twist<S> sum33, uncarried, sum38, no_rates, carried;
                      SE3<S> passed;  // e^{-A_i x_i} ... e^{-A_{j+1} x_{j+1}}
                      for (int j = last; j >= 0; j = p.carrier[j]) {
                        sum33 += articulate::Ad(passed, x.qd(j) * p.A[j]);
                        uncarried += x.qd(j) * p.A[j];
                        passed = passed * exp(p.A[j], S(-p.x(j)));
                        sum38 += x.qd(j) * p.Ad(last, p.after(j), p.A[j]);
                        no_rates += p.Ad(last, p.after(j), p.A[j]);
                        carried += x.qd(j) * screws.carried(p.A[j], j, last, x.q);
                      }
                      s33.push_back(articulate::Ad(inverse(M), sum33));
                      other_33.push_back(articulate::Ad(inverse(M), uncarried));
                      s34.push_back(to_twist(blocks_34(M) * coordinates(sum38)));
                      other_34.push_back(to_twist(blocks_34(M, true) * coordinates(sum38)));
                      map_34.push_back(articulate::Ad(inverse(M), sum38));
                      other_map_34.push_back(articulate::Ad(M, sum38));
                      s38.push_back(sum38), without_rates.push_back(no_rates), library.push_back(carried);
                      for (int k = 0; k < 3; ++k) lever = std::max(lever, S(magnitude(M.p[k])));

                      const SE3<S> center = inverse(screws.M[i]) * M;  // on the body
                      const Matrix4<S> f = derivative(x.along_motion().pose[i], 0) * matrix(center);
                      const Matrix4<S> fdot = derivative(x.along_motion().pose[i], 1) * matrix(center);
                      moving.push_back(vee(Matrix4<S>(inverted(f) * fdot)));
                      const MovingCenter<S> witness(x, i);
                      const SO3<S> back = inverse(witness.pose.R);
                      seen.push_back({back * witness.w, back * witness.v});
                      seen_from_base.push_back(articulate::Ad(M, seen.back()));
                    }
                    if (s33.empty()) return;
                    sides.clause("park:33");
                    sides.add(s33, moving);
                    sides.add(s33, seen);
                    sides.rival("the screws of the earlier joints as at x = 0",
                                [&](auto& wrong) { wrong.add(other_33, seen); });
                    sides.clause("park:34/map");
                    sides.add(map_34, seen);
                    sides.rival("Ad of M in place of its inverse", [&](auto& wrong) { wrong.add(other_map_34, seen); });
                    sides.clause("park:34/blocks");
                    sides.add(s34, seen);
                    sides.rival("the arm in the axes of the base", [&](auto& wrong) { wrong.add(other_34, seen); });
                    sides.clause("park:38");
                    sides.add(s38, library, lever);
                    sides.add(s38, seen_from_base, lever);
                    sides.rival("the rates are missing, as printed",
                                [&](auto& wrong) { wrong.add(without_rates, seen_from_base, lever); });
                  },
              .applies = has_coordinates});
}

/// The factor of a kinetic energy that the print leaves out, in one place at a time.
template <typename S>
struct Halves {
  S total = S(1) / S(2), of_link = S(1) / S(2), of_sums = S(1) / S(2);
};

/// The two velocities of a link from which its energy is made, by \eq{park,38} and as it stands in \eq{park,39}.
template <typename S>
std::pair<Twist<S>, Twist<S>> link_velocities(const ParkScrews<S>& p, const VectorX<S>& xd, int i)
{
  std::pair<Twist<S>, Twist<S>> both;
  for (int j = i; j >= 0; j = p.carrier[j]) {
    both.first += xd(j) * p.Ad(i, p.after(j), p.A[j]);
    both.second += p.Ad(i, p.after(j), xd(j) * p.A[j]);
  }
  return both;
}

/// \eq{park,35} with its blocks, one of which may stand in the place of the other.
template <typename S>
VectorX<S> energies_35(const ParkScrews<S>& p, const VectorX<S>& xd, const S& sign = S(1))
{
  VectorX<S> T(p.n);
  for (int i = 0; i < p.n; ++i) {
    const Twist<S> V = link_velocities(p, xd, i).first;
    const Matrix3<S> b = skew(p.link[i].M.p);
    T(i) = S(1) / S(2) *
           (inner(V.w, p.link[i].I() * V.w) + sign * p.link[i].m * (inner(V.w, b * V.v) - inner(V.v, b * V.w)) +
            p.link[i].m * inner(V.v, V.v));
  }
  return T;
}

/// \eq{park,32}, Definition 1 and \eq{park,39}, beside the energy of the moving links.
template <typename S>
void add_energies(Sides<S>& sides, const ParkScrews<S>& p, const VectorX<S>& xd, const VectorX<S>& T_seen,
                  const Halves<S>& half = {})
{
  VectorX<S> D1(p.n), s39(p.n);
  for (int i = 0; i < p.n; ++i) {
    const auto [V, sum] = link_velocities(p, xd, i);
    D1(i) = half.of_link * p.inner(i, V, V);
    s39(i) = half.of_sums * p.inner(i, sum, sum);
  }
  S total(0);
  for (int i = 0; i < p.n; ++i)
    for (int j = 0; j < p.n; ++j) total += half.total * p.m(i, j) * xd(i) * xd(j);
  sides.clause("park:D1");
  sides.add(D1, T_seen);
  sides.clause("park:39");
  sides.add(s39, T_seen);
  sides.clause("park:32");
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

/// \f$\mathcal D_i\f$ with Steiner's term under a sign, with the axes turned back, or with its mixed blocks exchanged.
template <typename S>
Matrix6<S> D_otherwise(const ParkLink<S>& link, const S& steiner, bool turned_back, bool exchanged)
{
  const Matrix3<S>&Theta = link.M.R.matrix, b = skew(link.M.p);
  const Matrix3<S> turned = turned_back ? transpose(Theta) * link.I_bar * Theta : Theta * link.I_bar * transpose(Theta);
  const Matrix3<S> I = turned + steiner * link.m * (b * b), mb = (exchanged ? -link.m : link.m) * b;
  Matrix6<S> D;
  D << I.eigen(), mb.eigen(), mb.eigen().transpose(), link.m * Eigen::Matrix<S, 3, 3>::Identity();
  return D;
}

template <typename S>
void energy(Registry<S>& r)
{
  r.identity(
      {.name = "the_inertia_of_a_link_about_the_base_is_constant_and_that_of_its_points",
       .keys = {"park:I_i", "park:36", "park:44/blocks", "park:44/constant", "park:44/parameters"},
       .symbols = "ScrewSystem::D coAdInv Inertia::matrix Inertia::basis",
       .method = "independent formulation",
       .sides =
           [](const Specimen<S>& x, Sides<S>& sides) {
             const ParkScrews<S> p = park_screws(x);
             const ScrewSystem<S> screws(x.model);
             witness::VectorNewtonEuler<S> at_zero(x.inputs.mechanism, false), now = x.newton_euler();
             const VectorX<S> none = VectorX<S>::Zero(p.n);
             at_zero.inverse_dynamics(none, none, none, Eigen::Matrix<S, 3, 1>::Zero());
             for (int i = 1; i <= x.bodies(); ++i) {
               const int last = last_coordinate(x, i);
               const ParkLink<S>& link = p.link[last];
               const Matrix6<S>& D = p.D[last];
               if (D == Matrix6<S>::Zero() && screws.D[i].mass == S(0)) continue;
               const Matrix6<S> points = D_of_points(x, at_zero, i);
               sides.clause("park:I_i");
               const Eigen::Matrix<S, 3, 3> I = points.template topLeftCorner<3, 3>();
               sides.add(link.I().eigen(), I);
               const auto of = [&](const S& steiner, bool turned_back, bool exchanged) {
                 return D_otherwise(link, steiner, turned_back, exchanged);
               };
               sides.rival("Steiner's term with a plus",
                           [&](auto& wrong) { wrong.add(of(S(1), false, false).template topLeftCorner<3, 3>(), I); });
               sides.rival("the axes turned the other way",
                           [&](auto& wrong) { wrong.add(of(S(-1), true, false).template topLeftCorner<3, 3>(), I); });
               sides.clause({"park:36", "park:44/blocks"});
               add_inertia_blocks(sides, points, D);
               add_inertia_blocks(sides, points, screws.D[i].matrix());
               sides.rival("the mixed blocks exchanged",
                           [&](auto& wrong) { add_inertia_blocks(wrong, points, of(S(-1), false, true)); });
               sides.rival("the inertia about the centre of mass",
                           [&](auto& wrong) { add_inertia_blocks(wrong, points, of(S(0), false, false)); });

               // Ten numbers times ten constant matrices; not so by the mass, the centre and the inertia about it.
               sides.clause("park:44/parameters");
               const S ten[] = {points(5, 5), points(2, 4), points(0, 5), points(1, 3), points(0, 0),
                                points(0, 1), points(0, 2), points(1, 1), points(1, 2), points(2, 2)};
               Matrix6<S> sum = Matrix6<S>::Zero();
               for (int k = 0; k < 10; ++k) sum += ten[k] * Inertia<S>::basis(k).matrix();
               add_inertia_blocks(sides, D, sum);
               sides.rival("linear in the mass, the centre and the inertia about it", [&](auto& wrong) {
                 ParkLink<S> doubled = link;
                 doubled.m = S(2) * link.m, doubled.M.p = S(2) * link.M.p, doubled.I_bar = S(2) * link.I_bar;
                 add_inertia_blocks(wrong, Matrix6<S>(S(2) * D), doubled.D());
               });

               // The points where they are now, seen from the base that has moved along with them.
               sides.clause("park:44/constant");
               const Matrix6<S> moved = D_of_points(x, now, i), Ad_e = Ad_matrix(p.displacement(last));
               add_inertia_blocks(sides, D, Matrix6<S>(Ad_e.transpose() * (moved * Ad_e)), moved);
               sides.rival("seen from the base at rest", [&](auto& wrong) { add_inertia_blocks(wrong, D, moved); });
             }
           },
       .applies = has_coordinates});
  r.identity({.name = "the_energy_of_links_is_half_an_inner_product_of_their_velocities",
              .keys = {"park:32", "park:35", "park:39", "park:D1"},
              .symbols = "ForwardKinematics::kinetic_energy kinetic_energy",
              .method = "independent formulation",
              .sides =
                  [](const Specimen<S>& x, Sides<S>& sides) {
                    const ParkScrews<S> p = park_screws(x);
                    const VectorX<S> seen = energies_seen(x.newton_euler(), x.inputs.mechanism, x.model);
                    add_energies(sides, p, x.qd, seen);
                    const auto half_missing = [&](const char* clause, S Halves<S>::*half) {
                      sides.clause(clause);
                      sides.rival("the half is missing, as printed", [&](auto& wrong) {
                        Halves<S> printed;
                        printed.*half = S(1);
                        Sides<S> all;
                        add_energies(all, p, x.qd, seen, printed);
                        for (const auto& group : all.groups())
                          if (group.clauses.front() == clause)
                            for (std::size_t k = 0; k < group.left.size(); ++k)
                              wrong.add(group.left[k], group.right[k]);
                      });
                    };
                    half_missing("park:32", &Halves<S>::total);
                    half_missing("park:D1", &Halves<S>::of_link);
                    half_missing("park:39", &Halves<S>::of_sums);
                    sides.clause("park:32");
                    sides.add(x.kinematics.kinetic_energy(), S(seen.sum()));
                    sides.clause("park:35");
                    sides.add(energies_35(p, x.qd), seen);
                    VectorX<S> library = VectorX<S>::Zero(p.n);
                    for (int i = 1; i <= x.bodies(); ++i)
                      library(last_coordinate(x, i)) = kinetic_energy(x.model.body(i).I, x.kinematics.V[i]);
                    sides.add(library, seen);
                    sides.rival("the mixed blocks exchanged",
                                [&](auto& wrong) { wrong.add(energies_35(p, x.qd, S(-1)), seen); });
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
