/** \file
 *  \brief Proofs of chapter model: Park 1995, section 2.4, \eq{park,12} to \eq{park,14} and \eq{park,18} to \eq{park,20},
 *         and the appendix, \eq{park,67} to \eq{park,69}:
 *         a chain of one-degree joints as a product of exponentials.
 */
#include <ledger/calculus.hpp>
#include <ledger/registry.hpp>

namespace articulate::validation {
namespace {

/** A row of one-degree joints, from the body before the first to the last, with the letters of section 2.4.
 *
 *  There a joint is \f$e^{P x} M\f$; in section 3, and in the model, it is \f$M e^{S x}\f$, so that \f$P = \Ad_M S\f$.
 */
template <typename S>
struct Row {
  std::vector<int> bodies;
  std::vector<SE3<S>> offset;     ///< \f$M_k\f$
  std::vector<Twist<S>> P, A, B;  ///< screws of (12), (13), (14)
  std::vector<S> x, xd;
  SE3<S> M;  ///< \f$M_1 \cdots M_n\f$

  int size() const { return static_cast<int>(bodies.size()); }
};

/// The joints that lead to a body without a break by one of several degrees.
template <typename S>
Row<S> row_to(const Specimen<S>& s, int tip)
{
  Row<S> row;
  for (int i = tip; i > 0 && s.model.body(i).kind == JointKind::screw; i = s.model.body(i).parent)
    row.bodies.insert(row.bodies.begin(), i);
  for (const int i : row.bodies) {
    const Body<S>& body = s.model.body(i);
    row.offset.push_back(body.M);
    row.P.push_back(Ad(body.M, s.kinematics.S[i].column(0)));
    row.A.push_back(Ad(row.M, row.P.back()));
    row.x.push_back(s.q(body.q));
    row.xd.push_back(s.qd(body.v));
    row.M = row.M * body.M;
  }
  for (const Twist<S>& A : row.A) row.B.push_back(Ad(inverse(row.M), A));
  return row;
}

/// The rows of a robot that cannot be made longer.
template <typename S>
std::vector<Row<S>> rows(const Specimen<S>& s)
{
  std::vector<bool> goes_on(s.bodies() + 1, false);
  std::vector<Row<S>> all;
  for (int i = s.bodies(); i > 0; --i) {
    if (s.model.body(i).kind != JointKind::screw) continue;
    if (!goes_on[i]) all.push_back(row_to(s, i));
    goes_on[s.model.body(i).parent] = true;
  }
  return all;
}

template <typename S>
S largest(const Vector3<S>& x)
{
  return magnitude(x[0]) + magnitude(x[1]) + magnitude(x[2]);
}

template <typename S>
Matrix4<S> turned(const Twist<S>& screw, const S& x)
{
  return matrix(exp(screw, x));
}

template <typename S>
void add_poses(Sides<S>& sides, const Matrix4<S>& left, const Matrix4<S>& right)
{
  sides.add(left.template topLeftCorner<3, 3>(), right.template topLeftCorner<3, 3>());
  sides.add(left.template topRightCorner<3, 1>(), right.template topRightCorner<3, 1>());
}

/// \f$e^{X_1x_1}N_1\cdots e^{X_nx_n}N_n\f$.
template <typename S>
Matrix4<S> product(const Row<S>& row, const std::vector<Twist<S>>& screws, const std::vector<SE3<S>>& offsets)
{
  Matrix4<S> f = Matrix4<S>::Identity();
  for (int k = 0; k < row.size(); ++k) f = f * turned(screws[k], row.x[k]) * matrix(offsets[k]);
  return f;
}
/// \f$e^{X_1x_1}\cdots e^{X_nx_n}\f$.
template <typename S>
Matrix4<S> product(const Row<S>& row, const std::vector<Twist<S>>& screws)
{
  return product(row, screws, std::vector<SE3<S>>(screws.size()));
}

/// From the tip to the base: what has been passed carries the next screw. Turned by sign * x each.
template <typename S>
Twist<S> carried_sum(const Row<S>& row, const std::vector<Twist<S>>& screws, const S& sign = S(-1))
{
  SE3<S> past;
  Twist<S> sum;
  for (int k = row.size(); k-- > 0;) {
    sum += row.xd[k] * Ad(past, screws[k]);
    past = past * exp(screws[k], S(sign * row.x[k]));
  }
  return sum;
}

/// Where vector mechanics has the frame of each body, and of what lengths its place is made; index 0 is the world.
template <typename S>
struct SeenPoses {
  std::vector<SE3<S>> pose;
  std::vector<S> far;  ///< of the links alone, without those before them

  explicit SeenPoses(const Specimen<S>& s) : pose(s.bodies() + 1), far(s.bodies() + 1, S(0))
  {
    for (const LinkFrame<S>& frame : s.model.links()) {
      if (frame.body == 0) continue;
      const auto& link = s.newton_euler().links[s.mechanism_index(frame.name)];
      SE3<S> seen;
      seen.p = Vector3<S>(link.position);
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) seen.R.matrix(j, k) = link.rotation(j, k);
      pose[frame.body] = seen * inverse(frame.X);
      far[frame.body] = largest(seen.p) + largest(frame.X.p);
    }
  }
};

template <typename S>
void links_in_a_row(Registry<S>& r)
{
  r.identity({.name = "a_joint_puts_its_link_behind_an_offset_and_a_screw_motion",
              .keys = {"park:23", "park:67"},
              .symbols = "screw_pose exp Model",
              .method = "independent formulation",
              .sides = [](const Specimen<S>& s, Sides<S>& sides) {
                SeenPoses<S> links(s);
                const std::vector<SE3<S>>& seen = links.pose;
                std::vector<SE3<S>> products(1);
                for (int i = 1; i <= s.bodies(); ++i) {
                  const Body<S>& body = s.model.body(i);
                  // Places are rounding beside what they are made of: in the frame before, they may be near.
                  links.far[i] += links.far[body.parent] + largest(s.kinematics.T[i].p);
                  const S far = links.far[i];
                  const auto add = [&](auto& to, const SE3<S>& left, const SE3<S>& right) {
                    to.add(left.R.matrix, right.R.matrix);
                    to.add(left.p, right.p, far);
                  };
                  if (body.kind == JointKind::screw) {
                    const SE3<S> f = inverse(seen[body.parent]) * seen[i];
                    const SE3<S> turn = exp(s.kinematics.S[i].column(0), s.q(body.q));
                    sides.clause("park:23");
                    add(sides, f, body.M * turn);
                    sides.rival("the exponential before the offset",
                                [&](auto& wrong) { add(wrong, f, turn * body.M); });
                    sides.rival("the way back", [&](auto& wrong) { add(wrong, f, inverse(body.M * turn)); });
                  }
                  products.push_back(products[body.parent] * s.kinematics.T[i]);  // f_{0,1} ... f_{i-1,i}
                  sides.clause("park:67");
                  add(sides, seen[i], products[i]);
                  sides.rival("the last factor first", [&](auto& wrong) {
                    SE3<S> reversed;
                    for (int k = i; k > 0; k = s.model.body(k).parent) reversed = reversed * s.kinematics.T[k];
                    add(wrong, seen[i], reversed);
                  });
                }
              }});
  r.identity({.name = "the_velocity_of_a_link_in_a_row_is_the_rate_of_a_product",
              .keys = {"park:68", "park:69"},
              .symbols = "Recursion::carry_velocity Recursion::place",
              .method = "series",
              .sides = [](const Specimen<S>& s, Sides<S>& sides) {
                std::vector<Twist<S>> carried, s68, s69, from_base, carried_forward;
                for (int i = 1; i <= s.bodies(); ++i) {
                  const int parent = s.model.body(i).parent;
                  const Matrix4<S> before = derivative(s.along_motion().pose[parent], 0),
                                   before_rate = derivative(s.along_motion().pose[parent], 1);
                  const Matrix4<S> f = derivative(s.along_motion().T[i], 0),
                                   rate = derivative(s.along_motion().T[i], 1);
                  const Matrix4<S> product = before * f, product_rate = before_rate * f + before * rate;
                  const Matrix4<S> back = inverted(product), f_back = inverted(f);
                  const Matrix4<S> V = inverted(before) * before_rate, own = f_back * rate;
                  carried.push_back(s.kinematics.V[i]);
                  s68.push_back(vee(Matrix4<S>(back * product_rate)));
                  s69.push_back(vee(Matrix4<S>(f_back * V * f + own)));
                  from_base.push_back(vee(Matrix4<S>(product_rate * back)));
                  carried_forward.push_back(vee(Matrix4<S>(f * V * f_back + own)));
                }
                sides.clause("park:68");
                sides.add(carried, s68);
                sides.rival("seen from the base", [&](auto& wrong) { wrong.add(carried, from_base); });
                sides.clause("park:69");
                sides.add(carried, s69);
                sides.rival("carried the other way", [&](auto& wrong) { wrong.add(carried, carried_forward); });
              }});
}

template <typename S>
void rows_of_joints(Registry<S>& r)
{
  r.identity(
      {.name = "a_chain_is_a_product_of_exponentials_with_its_offsets_between_behind_or_before",
       .keys = {"park:12", "park:13/product", "park:13/screws", "park:13/offset", "park:14/product", "park:14/screws"},
       .symbols = "screw_pose exp Ad",
       .method = "cross-check",
       .sides = [](const Specimen<S>& s, Sides<S>& sides) {
         for (const Row<S>& row : rows(s)) {
           const int n = row.size();
           Matrix4<S> f = Matrix4<S>::Identity();
           for (const int i : row.bodies) f = f * matrix(s.kinematics.T[i]);

           sides.clause("park:12");
           add_poses(sides, f, product(row, row.P, row.offset));
           sides.rival("the offset before the exponential, as in section 3", [&](auto& wrong) {
             Matrix4<S> before = Matrix4<S>::Identity();
             for (int k = 0; k < n; ++k) before = before * matrix(row.offset[k]) * turned(row.P[k], row.x[k]);
             add_poses(wrong, f, before);
           });
           sides.clause({"park:13/product", "park:13/screws", "park:13/offset"});
           add_poses(sides, f, Matrix4<S>(product(row, row.A) * matrix(row.M)));
           sides.clause("park:13/offset");
           sides.rival("the last offset is left out", [&](auto& wrong) {
             const SE3<S> all_but_last = row.M * inverse(row.offset.back());
             add_poses(wrong, f, Matrix4<S>(product(row, row.A) * matrix(all_but_last)));
           });
           sides.clause("park:13/screws");
           sides.rival("the screw carried by its own offset, too", [&](auto& wrong) {
             std::vector<Twist<S>> A;
             SE3<S> M;
             for (int k = 0; k < n; ++k) M = M * row.offset[k], A.push_back(Ad(M, row.P[k]));
             add_poses(wrong, f, Matrix4<S>(product(row, A) * matrix(row.M)));
           });
           sides.clause("park:13/product");
           sides.rival("the offset in front",
                       [&](auto& wrong) { add_poses(wrong, f, Matrix4<S>(matrix(row.M) * product(row, row.A))); });
           sides.clause({"park:14/product", "park:14/screws"});
           add_poses(sides, f, Matrix4<S>(matrix(row.M) * product(row, row.B)));
           sides.rival("Ad of M in place of its inverse", [&](auto& wrong) {
             std::vector<Twist<S>> B;
             for (const Twist<S>& A : row.A) B.push_back(Ad(row.M, A));
             add_poses(wrong, f, Matrix4<S>(matrix(row.M) * product(row, B)));
           });
         }
       }});
  r.identity({.name = "the_tip_of_a_chain_moves_by_the_sum_of_its_screws_carried_to_it",
              .keys = {"park:18", "park:19", "park:20"},
              .symbols = "screw_pose exp Ad hat vee",
              .method = "series",
              .sides = [](const Specimen<S>& s, Sides<S>& sides) {
                for (const Row<S>& row : rows(s)) {
                  SE3<Series<S>> f;
                  for (const int i : row.bodies) f = f * s.along_motion().T[i];
                  const Twist<S> rate = vee(Matrix4<S>(inverted(derivative(f, 0)) * derivative(f, 1)));

                  Matrix4<S> before = Matrix4<S>::Identity(), behind = before, sum = Matrix4<S>::Zero();
                  S size(0);  // of the velocities that the first frame sees: the tip, nearer to the axes, may see none
                  for (int k = row.size(); k-- > 0;) {
                    sum += row.xd[k] * (before * hat(row.A[k]) * behind);
                    size += magnitude(row.xd[k]) * (largest(row.A[k].v) + largest(cross(row.M.p, row.A[k].w)));
                    before = before * turned(row.A[k], S(-row.x[k]));
                    behind = turned(row.A[k], row.x[k]) * behind;
                  }
                  const auto add = [&](auto& to, const Twist<S>& carried) {
                    to.add(rate.w, carried.w);
                    to.add(rate.v, carried.v, size);
                  };
                  const Matrix4<S> M = matrix(row.M), M_inverse = matrix(inverse(row.M));
                  sides.clause("park:18");
                  add(sides, carried_sum(row, row.B));
                  sides.rival("carried by the exponentials and not by their inverses",
                              [&](auto& wrong) { add(wrong, carried_sum(row, row.B, S(1))); });
                  sides.clause("park:19");
                  add(sides, vee(Matrix4<S>(M_inverse * sum * M)));
                  sides.rival("M and its inverse change places",
                              [&](auto& wrong) { add(wrong, vee(Matrix4<S>(M * sum * M_inverse))); });
                  sides.clause("park:20");
                  add(sides, Ad(inverse(row.M), carried_sum(row, row.A)));
                  sides.rival("the screws of the base as the tip's",
                              [&](auto& wrong) { add(wrong, carried_sum(row, row.A)); });
                }
              }});
}

}  // namespace

template <typename S>
void model_park(Registry<S>& r)
{
  links_in_a_row(r);
  rows_of_joints(r);
}

template void model_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
