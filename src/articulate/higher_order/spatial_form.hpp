/** \file
 *  \brief Dynamics of any order as the paper has them: spatial twists, and derivatives of screws and of inertia matrices.
 *
 *  - Paper: Ali, Gabellieri and Franchi 2026, Algorithms 1 to 4, \eq{ali,6}, \eq{ali,22}, \eq{ali,23}, \eq{ali,57} to
 *    \eq{ali,70}.
 *  - Chapter: \ref higher_order
 *  - Twists and wrenches are spatial here: seen from the inertial frame, about its origin. `coad(V, F)` is
 *    \f$\ad_V^{\mathsf T}F\f$ and enters with a minus sign.
 */
#pragma once
#include <algorithm>
#include <articulate/higher_order/leibniz.hpp>
#include <articulate/model/recursion.hpp>

namespace articulate {

// [spatial-maps]
/** \brief A linear map to wrenches, by columns: of twists, as an inertia is, or of wrenches, as \f$\Ad_C^{-\mathsf T}\f$.
 *  \tparam From  `Twist<Scalar>` or `Wrench<Scalar>`: what it may be applied to
 */
template <typename From>
struct WrenchMap;

template <template <typename> class From, typename Scalar>
struct WrenchMap<From<Scalar>> {
  Wrench<Scalar> column[6];

  static WrenchMap of(const Matrix6<Scalar>& A)
  {
    WrenchMap map;
    for (int c = 0; c < 6; ++c) map.column[c] = to_wrench(A.col(c));
    return map;
  }
  Matrix6<Scalar> matrix() const
  {
    Matrix6<Scalar> A;
    for (int c = 0; c < 6; ++c) A.col(c) = coordinates(column[c]);
    return A;
  }
  WrenchMap& operator+=(const WrenchMap& b)
  {
    for (int c = 0; c < 6; ++c) column[c] += b.column[c];
    return *this;
  }
  friend Wrench<Scalar> operator*(const WrenchMap& A, const From<Scalar>& X)
  {
    const auto& [x, y] = X;
    Wrench<Scalar> sum = x[0] * A.column[0];
    for (int c = 1; c < 3; ++c) sum += x[c] * A.column[c];
    for (int c = 0; c < 3; ++c) sum += y[c] * A.column[c + 3];
    return sum;
  }
};

/// \brief An inertia matrix, articulated or of one body, or a derivative of it.
template <typename Scalar>
using InertiaMap = WrenchMap<Twist<Scalar>>;

/// \brief How the products with \f$\ad_V\f$ are made: as actions, six cross products and eighteen.
template <typename Scalar>
struct CrossProducts {
  static Twist<Scalar> ad(const Twist<Scalar>& V, const Twist<Scalar>& X) { return articulate::ad(V, X); }

  /// \brief \f$A \mathrel{+}= c\,\ad_V^{\mathsf T}X\f$.
  template <typename From>
  static void add_coad(WrenchMap<From>& A, const Scalar& c, const Twist<Scalar>& V, const WrenchMap<From>& X)
  {
    const Twist<Scalar> cV = c * V;
    for (int k = 0; k < 6; ++k) A.column[k] += coad(cV, X.column[k]);
  }
  /// \brief \f$A \mathrel{+}= c\,(\ad_V^{\mathsf T}M + M\ad_V)\f$ for a symmetric M; what is missing of the second term
  /// is the transpose of the first, which `complete` adds once for a whole sum.
  static void add_both(InertiaMap<Scalar>& A, const Scalar& c, const Twist<Scalar>& V, const InertiaMap<Scalar>& M)
  {
    add_coad(A, c, V, M);
  }
  /// \brief \f$A \mathrel{+}= A^{\mathsf T}\f$.
  static void complete(InertiaMap<Scalar>& A)
  {
    const auto entry = [&A](int row, int c) -> Scalar& {
      Wrench<Scalar>& F = A.column[c];
      return row < 3 ? F.m[row] : F.f[row - 3];
    };
    for (int row = 0; row < 6; ++row)
      for (int c = 0; c <= row; ++c) entry(row, c) = entry(c, row) = entry(row, c) + entry(c, row);
  }
};
// [spatial-maps]

/// \brief What the six velocities of a floating base are.
enum class BaseTwist {
  body,    ///< its body twist, as everywhere in this library; the force is the wrench in the base's frame
  spatial  ///< its spatial twist, as in the paper; the force is the wrench about the inertial origin, in inertial axes
};

/** \brief Algorithms 1 to 4 for a run-time order, by derivatives and binomials.
 *
 *  The paper's joints have one degree of freedom. Here every degree of any joint is one of them: a body without mass
 *  stands between the degrees of a joint. A screw rides on the body that its degree moves; the screws of a ball or free
 *  joint ride on the joint's last body, and the six of a spatial base (the columns of \f$I_6\f$) on nothing. That is
 *  all that the extension takes.
 *
 *  Degrees are numbered as the rates, from 0; -1 is the world. All quantities can be read after a run.
 *  \tparam Products  how products with \f$\ad_V\f$ are made
 */
template <typename Scalar, typename Products = CrossProducts<Scalar>>
class SpatialForm {
public:
  MatrixX<Scalar> rates;           ///< nv x (r + 2), column k is \f$\dot q^{(k)}\f$
  MatrixX<Scalar> tau;             ///< nv x (r + 1), column k is \f$\tau^{(k)}\f$
  Indexed<SE3<Scalar>> C;          ///< by body: its pose
  Indexed<InertiaMap<Scalar>> MA;  ///< by degree: \f$M^A_d\f$
  Indexed<Wrench<Scalar>> U;       ///< \f$M^A_dS_d\f$, of the degrees whose force is given
  Indexed<Scalar> D;               ///< \f$S_d^{\mathsf T}U_d\f$
  Indexed<Twist<Scalar>> beta;     ///< \f$\beta_d^{(r+1)}\f$ of the latest order
  Indexed<Wrench<Scalar>> b;       ///< \f$b_d^{(r)}\f$ of the latest order
  Indexed<Scalar> q_tilde;         ///< \f$\tilde q_d\f$ of the latest order, or what is prescribed

  /** \param order       r: forces are found up to their r-th derivative
   *  \param prescribed  nv flags: is the motion of this degree prescribed, or its force?
   *  \param base        what the velocities of a free joint at the root are
   */
  SpatialForm(const Model<Scalar>& model, int order, const std::vector<bool>& prescribed,
              BaseTwist base = BaseTwist::body)
      : rates(MatrixX<Scalar>::Zero(model.nv(), order + 2)),
        tau(MatrixX<Scalar>::Zero(model.nv(), order + 1)),
        model_(model),
        order_(order),
        terms_(order + 2),
        binomial_(order + 1),
        prescribed_(prescribed.begin(), prescribed.end()),
        gravity_{{}, model.gravity()}
  {
    number_the_degrees(base);
    const int n = model.nv(), N = model.bodies() + 1;
    C.resize(N), F_.resize(n), S_.resize(n * terms_), V_.resize(n * terms_), W_.resize(n * terms_);
    M_.resize(N * terms_), transport_.resize(N * terms_), Pi_.resize(N * (terms_ + 1)), applied_.resize(N * terms_);
    MA.resize(n), U.resize(n), D.resize(n), beta.resize(n), b.resize(n), q_tilde.resize(n);
  }

  const Model<Scalar>& model() const { return model_; }
  int order() const { return order_; }
  bool is_prescribed(int d) const { return prescribed_[d]; }
  const Twist<Scalar>& gravity() const { return gravity_; }           ///< G of \eq{ali,63}
  void set_gravity(const Vector3<Scalar>& g) { gravity_ = {{}, g}; }  ///< G of \eq{ali,63}

  const Twist<Scalar>& S(int d, int k) const { return S_[at(d, k)]; }            ///< \f$S_d^{(k)}\f$
  const Twist<Scalar>& V(int d, int k) const { return V_[at(d, k)]; }            ///< \f$V^{(k)}\f$ behind degree d
  const Wrench<Scalar>& W(int d, int k) const { return W_[at(d, k)]; }           ///< \f$W_d^{(k)}\f$, through degree d
  const InertiaMap<Scalar>& M(int i, int k) const { return M_[of_body(i, k)]; }  ///< \f$M_i^{(k)}\f$ of body i
  const Wrench<Scalar>& Pi(int i, int k) const { return Pi_[i * (terms_ + 1) + k]; }  ///< \f$\Pi_i^{(k)}\f$ of body i
  const Wrench<Scalar>& applied(int i, int k) const
  {
    return applied_[of_body(i, k)];
  }  ///< \f$W_{\mathrm{app},i}^{(k)}\f$
  /// \brief \f$(\Ad_{C_i}^{-\mathsf T})^{(k)}\f$, found if there are external wrenches.
  const WrenchMap<Wrench<Scalar>>& transport(int i, int k) const { return transport_[of_body(i, k)]; }
  int last(int i) const { return last_[i]; }      ///< the degree that moves body i, its last; -1 for the world
  int before(int d) const { return before_[d]; }  ///< the degree before d on the way to the base, or -1
  int body(int d) const { return body_[d]; }      ///< the body whose joint has the degree d
  bool has_mass(int d) const { return last_[body_[d]] == d; }
  /// \brief Refuse an answer made of what the recursion saw, before it saw anything.   \throws StateError
  void require_run(const char* what) const { first_run_.require(what); }

  /** \brief What completes the given motion and forces.
   *  \param Fext  pointer to wrench derivatives by body, in body frames; none if empty
   *
   *  `rates` column 0 and, where prescribed, all other columns are read, and so is `tau` everywhere else.
   */
  void run(const VectorRef<Scalar>& q, const Indexed<ExternalWrenches<Scalar>>& Fext)
  {
    // [higher-order-run]
    place(q);
    kinematics(0);
    const bool all = std::all_of(prescribed_.begin(), prescribed_.end(), [](char u) { return u; });
    if (!all) articulate();
    for (int r = 0; r <= order_; ++r) {
      screws_and_inertias(r + 1);
      apply(r, Fext);
      if (all) {
        twists(r + 1);  // Algorithm 1
        inverse(r);     // Algorithm 2
      } else {
        hybrid(r);  // Algorithms 3 and 4
      }
    }
    // [higher-order-run]
  }

  // [spatial-place]
  /// \brief \f$F_d\f$, \f$S_d\f$, \f$C_i\f$ and \f$M_i\f$ at q: the first line of Algorithm 1, \eq{ali,60}.
  void place(const VectorRef<Scalar>& q)
  {
    for (int d = 0; d < degrees(); ++d) {
      const Body<Scalar>& body = model_.body(body_[d]);
      const SE3<Scalar> F = before_[d] < 0 ? SE3<Scalar>{} : F_[before_[d]];
      const int k = static_cast<int>(d) - body.v;
      if (body.nq == body.nv)
        F_[d] = F * exp(Y_[d], q(body.q + k));
      else if (k == 0)
        F_[d] = F * displacement(body, q);
      else
        F_[d] = F;
      if (has_mass(d)) {
        const int i = body.index;
        C[i] = F_[d] * A_[i];
        M_[of_body(i, 0)] = InertiaMap<Scalar>::of(coAd(articulate::inverse(C[i]), body.I).matrix());  // (60)
      }
    }
    for (int d = 0; d < degrees(); ++d) S_[at(d, 0)] = rides_on_[d] < 0 ? Y_[d] : Ad(F_[rides_on_[d]], Y_[d]);
    first_run_.done();
  }
  // [spatial-place]

  // [spatial-kinematics]
  /// \brief Algorithm 1 for order k.
  void kinematics(int k)
  {
    if (k > 0) screws_and_inertias(k);
    twists(k);
  }

  /// \brief \f$S_d^{(k)}\f$ and \f$M_i^{(k)}\f$, from twists of lower order.
  void screws_and_inertias(int k)
  {
    for (int d = 0; d < degrees(); ++d) {
      const int i = body_[d], carrier = rides_on_[d];
      Twist<Scalar> S_k;
      if (carrier >= 0)
        binomial_.leibniz(k - 1,
                          [&](const Scalar& c, int l) { S_k += c * Products::ad(V(carrier, l), S(d, k - 1 - l)); });
      S_[at(d, k)] = S_k;
      if (!has_mass(d)) continue;
      InertiaMap<Scalar> M_k;
      binomial_.leibniz(k - 1, [&](const Scalar& c, int l) { Products::add_both(M_k, -c, V(d, l), M(i, k - 1 - l)); });
      Products::complete(M_k);
      M_[of_body(i, k)] = M_k;  // (61)
    }
  }

  /// \brief \f$V_d^{(k)}\f$, from column k of `rates` and those before it.
  void twists(int k)
  {
    for (int d = 0; d < degrees(); ++d) {
      Twist<Scalar> sum = V_before(d, k);
      binomial_.leibniz(k, [&](const Scalar& c, int l) { sum += c * rates(d, k - l) * S(d, l); });
      V_[at(d, k)] = sum;
    }
  }
  // [spatial-kinematics]

  // [spatial-inverse]
  /// \brief Algorithm 2 for order k: \f$W_d^{(k)}\f$ and column k of `tau`, from twists of order k + 1.
  void inverse(int k)
  {
    for (int d = degrees(); d-- > 0;) W_[at(d, k)] = {};
    for (int d = degrees(); d-- > 0;) {
      if (has_mass(d)) W_[at(d, k)] += momentum_rate(body_[d], k + 1) - applied(body_[d], k) - weight(body_[d], k);
      if (before_[d] >= 0) W_[at(before_[d], k)] += W(d, k);
      tau(d, k) = pairing(W(d, k), S(d, 0)) + torque_bias(d, k);
    }
  }
  // [spatial-inverse]

  // [spatial-articulate]
  /// \brief \f$M^A_d\f$, \f$U_d\f$ and \f$D_d\f$, the same for all orders \eq{ali,23}, \eq{ali,49}.
  void articulate()
  {
    for (int d = 0; d < degrees(); ++d) MA[d] = has_mass(d) ? M(body_[d], 0) : InertiaMap<Scalar>{};
    for (int d = degrees(); d-- > 0;) {
      if (!prescribed_[d]) {
        U[d] = MA[d] * S(d, 0);
        D[d] = pairing(U[d], S(d, 0));
        if (!(comparable(D[d]) > 0))
          throw StateError(model_.mechanism().source + ": a degree of freedom of the joint of body " +
                           std::to_string(body_[d]) +
                           " moves no mass in this state, so its acceleration is undefined; choose another state.");
      }
      if (before_[d] < 0) continue;
      MA[before_[d]] += MA[d];
      if (!prescribed_[d]) give_way(MA[before_[d]], U[d], Scalar(1) / D[d]);
    }
  }
  // [spatial-articulate]

  // [spatial-hybrid]
  /// \brief Algorithm 4 for order r, and Algorithm 3 where nothing is prescribed; needs `screws_and_inertias(r + 1)`.
  void hybrid(int r)
  {
    for (int d = 0; d < degrees(); ++d) {
      beta[d] = twist_bias(d, r);
      b[d] = has_mass(d) ? momentum_bias(body_[d], r) - applied(body_[d], r) - weight(body_[d], r) : Wrench<Scalar>{};
    }
    for (int d = degrees(); d-- > 0;) {
      const Wrench<Scalar> held = MA[d] * beta[d] + b[d];
      q_tilde[d] =
          prescribed_[d] ? rates(d, r + 1) : Scalar((tau(d, r) - torque_bias(d, r) - pairing(held, S(d, 0))) / D[d]);
      if (before_[d] < 0) continue;
      b[before_[d]] += held + q_tilde[d] * (prescribed_[d] ? MA[d] * S(d, 0) : U[d]);  // (49)
    }
    for (int d = 0; d < degrees(); ++d) {
      const Twist<Scalar> V_p = V_before(d, r + 1);
      if (!prescribed_[d]) rates(d, r + 1) = q_tilde[d] - pairing(U[d], V_p) / D[d];  // (47)
      V_[at(d, r + 1)] = V_p + beta[d] + rates(d, r + 1) * S(d, 0);                   // (66)
      W_[at(d, r)] = MA[d] * V(d, r + 1) + b[d];                                      // (22)
      if (prescribed_[d]) tau(d, r) = pairing(W(d, r), S(d, 0)) + torque_bias(d, r);
    }
  }
  // [spatial-hybrid]

  // [spatial-body]
  /// \brief \f$\Pi_i^{(k)}\f$ \eq{ali,62}.
  Wrench<Scalar> momentum_rate(int i, int k)
  {
    Wrench<Scalar> sum;
    binomial_.leibniz(k, [&](const Scalar& c, int l) { sum += c * (M(i, k - l) * V(last_[i], l)); });
    return Pi_[i * (terms_ + 1) + k] = sum;
  }

  /// \brief \f$\Pi_{\mathrm{bias},i}^{(r+1)} = \Pi_i^{(r+1)} - M_iV_i^{(r+1)}\f$ \eq{ali,65}.
  Wrench<Scalar> momentum_bias(int i, int r) const
  {
    Wrench<Scalar> sum;
    binomial_.leibniz(r + 1, 0, r, [&](const Scalar& c, int l) { sum += c * (M(i, r + 1 - l) * V(last_[i], l)); });
    return sum;
  }

  /// \brief \f$\beta_d^{(r+1)}\f$ \eq{ali,66}.
  Twist<Scalar> twist_bias(int d, int r) const
  {
    Twist<Scalar> sum;
    binomial_.leibniz(r + 1, 1, r + 1, [&](const Scalar& c, int l) { sum += c * rates(d, r + 1 - l) * S(d, l); });
    return sum;
  }

  /// \brief \f$\sum_{k<r}\binom rk S_d^{(r-k)\mathsf T}W_d^{(k)}\f$: what \f$\tau_d^{(r)}\f$ has of wrenches of lower order.
  Scalar torque_bias(int d, int r) const
  {
    Scalar sum(0);
    binomial_.leibniz(r, 0, r - 1, [&](const Scalar& c, int k) { sum += c * pairing(W(d, k), S(d, r - k)); });
    return sum;
  }

  /// \brief \f$W_{\mathrm{grav},i}^{(k)} = M_i^{(k)}G\f$ \eq{ali,64}.
  Wrench<Scalar> weight(int i, int k) const { return M(i, k) * gravity_; }
  // [spatial-body]

  // [spatial-applied]
  /// \brief \f$W_{\mathrm{app},i}^{(k)}\f$ of all bodies \eq{ali,67} to \eq{ali,70}, from twists of order k - 1 and less.
  void apply(int k, const Indexed<ExternalWrenches<Scalar>>& Fext)
  {
    for (int i = 1; i <= model_.bodies(); ++i) {
      Wrench<Scalar>& W_app = applied_[of_body(i, k)] = {};
      if (Fext.empty()) continue;
      WrenchMap<Wrench<Scalar>>& X = transport_[of_body(i, k)] = {};
      if (k == 0) X = WrenchMap<Wrench<Scalar>>::of(Ad_matrix(articulate::inverse(C[i])).transpose());
      binomial_.leibniz(k - 1, [&](const Scalar& c, int l) {
        Products::add_coad(X, -c, V(last_[i], l), transport(i, k - 1 - l));
      });  // (70)
      const int known = std::min(k, static_cast<int>(Fext.size()) - 1);
      binomial_.leibniz(k, 0, known,
                        [&](const Scalar& c, int l) { W_app += c * (transport(i, k - l) * Fext[l][i]); });  // (69)
    }
  }
  // [spatial-applied]

private:
  int degrees() const { return static_cast<int>(before_.size()); }
  int at(int d, int k) const { return d * terms_ + k; }
  int of_body(int i, int k) const { return i * terms_ + k; }
  Twist<Scalar> V_before(int d, int k) const { return before_[d] < 0 ? Twist<Scalar>{} : V(before_[d], k); }

  /// The displacement of what hangs on a ball or free joint, from home, seen from the inertial frame.
  SE3<Scalar> displacement(const Body<Scalar>& body, const VectorRef<Scalar>& q) const
  {
    const SE3<Scalar> at_home = A_[body.parent] * body.M;
    return A_[body.parent] * joint_pose(body, q.data() + body.q) * articulate::inverse(at_home);
  }

  /// \f$A \mathrel{-}= c\,UU^{\mathsf T}\f$.
  static void give_way(InertiaMap<Scalar>& A, const Wrench<Scalar>& U, const Scalar& c)
  {
    for (int k = 0; k < 6; ++k) A.column[k] = A.column[k] - c * (k < 3 ? U.m[k] : U.f[k - 3]) * U;
  }

  // [spatial-degrees]
  /// The degrees with their screws at home, \f$Y_d\f$ \eq{ali,8}, and the homes of the bodies, \f$A_i\f$.
  void number_the_degrees(BaseTwist base)
  {
    const VectorX<Scalar> home = model_.zero_coordinates();
    last_.assign(1, -1), A_.assign(1, {});
    for (const Body<Scalar>& body : model_.outward()) {
      const int i = body.index;
      JointJacobian<Scalar> S(body);
      A_.push_back(A_[body.parent] * S.place(body, home.data() + body.q));
      const bool is_group = body.nq != body.nv;
      const bool is_spatial = base == BaseTwist::spatial && body.kind == JointKind::free && body.parent == 0;
      for (int k = 0; k < body.nv; ++k) {
        const int d = body.v + k;
        body_.push_back(i);
        before_.push_back(k == 0 ? last_[body.parent] : d - 1);
        rides_on_.push_back(is_spatial ? -1 : is_group ? body.v + body.nv - 1 : d);
        Y_.push_back(is_spatial ? S.column(k) : Ad(A_[i], S.column(k)));
      }
      last_.push_back(body.v + body.nv - 1);
    }
  }
  // [spatial-degrees]

  Model<Scalar> model_;
  int order_, terms_;
  Binomials<Scalar> binomial_;

  Indexed<char> prescribed_;
  Twist<Scalar> gravity_;
  Indexed<int> body_, before_, rides_on_, last_;
  Indexed<Twist<Scalar>> Y_;
  Indexed<SE3<Scalar>> A_, F_;
  Indexed<Twist<Scalar>> S_, V_;              // by degree, a row of orders each
  Indexed<Wrench<Scalar>> W_, Pi_, applied_;  // by degree; by body
  Indexed<InertiaMap<Scalar>> M_;             // by body
  Indexed<WrenchMap<Wrench<Scalar>>> transport_;
  detail::FirstRun first_run_;
};

}  // namespace articulate
