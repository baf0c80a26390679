/** \file
 *  \brief Proofs of chapter model: Park 1995, section 2.4, \eq{park,12} to \eq{park,14} and \eq{park,18} to \eq{park,20}:
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

}  // namespace

template <typename S>
void model_park(Registry<S>& r)
{
  r.identity({.name = "a_chain_is_a_product_of_exponentials_with_its_offsets_between_behind_or_before",
              .keys = {"park:12", "park:13", "park:14"},
              .symbols = "JointJacobian::place exp Ad",
              .method = "cross-check",
              .sides = [](const Specimen<S>& s, Sides<S>& sides) {
                for (const Row<S>& row : rows(s)) {
                  Matrix4<S> f = Matrix4<S>::Identity(), s12 = f, s13 = f, s14 = matrix(row.M);
                  for (int k = 0; k < row.size(); ++k) {
                    f = f * matrix(s.kinematics.T[row.bodies[k]]);
                    s12 = s12 * turned(row.P[k], row.x[k]) * matrix(row.offset[k]);
                    s13 = s13 * turned(row.A[k], row.x[k]);
                    s14 = s14 * turned(row.B[k], row.x[k]);
                  }
                  s13 = s13 * matrix(row.M);
                  for (const Matrix4<S>& product : {s12, s13, s14}) {
                    sides.add(f.template topLeftCorner<3, 3>(), product.template topLeftCorner<3, 3>());
                    sides.add(f.template topRightCorner<3, 1>(), product.template topRightCorner<3, 1>());
                  }
                }
              }});
  r.identity({.name = "the_tip_of_a_chain_moves_by_the_sum_of_its_screws_carried_to_it",
              .keys = {"park:18", "park:19", "park:20"},
              .symbols = "JointJacobian::place exp Ad hat vee",
              .method = "series",
              .sides = [](const Specimen<S>& s, Sides<S>& sides) {
                for (const Row<S>& row : rows(s)) {
                  SE3<Series<S>> f;
                  for (const int i : row.bodies) f = f * s.along_motion().T[i];
                  const Twist<S> rate = vee(Matrix4<S>(inverted(derivative(f, 0)) * derivative(f, 1)));

                  // From the tip to the base: what has been passed carries the next screw.
                  SE3<S> past_B, past_A;
                  Matrix4<S> before = Matrix4<S>::Identity(), behind = before, sum = Matrix4<S>::Zero();
                  Twist<S> s18, s20;
                  S size(0);  // of the velocities that the first frame sees: the tip, nearer to the axes, may see none
                  for (int k = row.size(); k-- > 0;) {
                    s18 += row.xd[k] * Ad(past_B, row.B[k]);
                    sum += row.xd[k] * (before * hat(row.A[k]) * behind);
                    s20 += row.xd[k] * Ad(past_A, row.A[k]);
                    size += magnitude(row.xd[k]) * (largest(row.A[k].v) + largest(cross(row.M.p, row.A[k].w)));
                    past_B = past_B * exp(row.B[k], S(-row.x[k]));
                    past_A = past_A * exp(row.A[k], S(-row.x[k]));
                    before = before * turned(row.A[k], S(-row.x[k]));
                    behind = turned(row.A[k], row.x[k]) * behind;
                  }
                  const Twist<S> s19 = vee(Matrix4<S>(matrix(inverse(row.M)) * sum * matrix(row.M)));
                  for (const Twist<S>& carried : {s18, s19, Ad(inverse(row.M), s20)}) {
                    sides.add(rate.w, carried.w);
                    sides.add(rate.v, carried.v, size);
                  }
                }
              }});
}

template void model_park(Registry<ARTICULATE_PROOF_SCALAR>&);

}  // namespace articulate::validation
