/** \file
 *  \brief How a machine with loops moves when some of its joints lead: rates and accelerations of all others.
 *
 *  - Paper: Ma et al. 2021, section 5.2.
 *  - Chapter: \ref mechanisms
 */
#pragma once
#include <Eigen/LU>
#include <articulate/constrained/loops.hpp>

namespace articulate {

/** \brief \f$\dot q = G\dot\theta\f$ and \f$\ddot q = G\ddot\theta + h\f$ for the rates \f$\dot\theta\f$ of the joints that lead.
 *
 *  The loops' rows are divided into the columns of leaders and those of followers, \f$A_l\dot\theta + A_f\dot q_f = 0\f$.
 *  Rows may be dependent, as those of pins in a plane are; the followers must not be free.
 */
template <typename S>
class LoopMotion {
public:
  MatrixX<S> G;        ///< nv x leaders: rates of all joints per rate of a leader
  VectorX<S> qd, qdd;  ///< nv: of the last run

  /** \brief Find the loops.
   *  \param leads  nv flags
   *  \throws SizeError for flags of another length; ModelError for a bad loop
   */
  LoopMotion(const Model<S>& model, const std::vector<Loop>& loops, const Indexed<bool>& leads)
      : qd(VectorX<S>::Zero(model.nv())), qdd(qd), loops_(model, loops)
  {
    if (static_cast<int>(leads.size()) != model.nv())
      throw SizeError("leads", static_cast<int>(leads.size()), model.nv());
    for (int k = 0; k < model.nv(); ++k) (leads[k] ? l_ : f_).push_back(k);
    G = MatrixX<S>::Zero(model.nv(), std::ssize(l_));
  }

  /** \brief Solve at a closed configuration.
   *  \param q  nq coordinates   \param rates, accelerations  of the leaders, in the order of their columns
   *  \throws SizeError naming the argument; StateError where followers can move although the leaders stand still
   */
  void operator()(const VectorX<S>& q, const VectorX<S>& rates, const VectorX<S>& accelerations)
  {
    const int leaders = static_cast<int>(l_.size());
    detail::require_size("rates", rates, leaders);
    detail::require_size("accelerations", accelerations, leaders);
    // [loop-motion]
    loops_(q, qd);
    const Eigen::FullPivLU<MatrixX<S>> Af(loops_.A(Eigen::all, f_));
    G.setZero();
    for (int k = 0; k < leaders; ++k) G(l_[k], k) = S(1);
    G(f_, Eigen::all) = -Af.solve(MatrixX<S>(loops_.A(Eigen::all, l_)));
    qd = G * rates;
    loops_(q, qd);  // for the rate of A along this motion
    qdd = G * accelerations;
    qdd(f_) -= Af.solve(loops_.Adot_qd);
    // [loop-motion]
    if (Af.rank() < std::ssize(f_))
      throw StateError(
          "the loops leave " + std::to_string(std::ssize(f_) - Af.rank()) +
          " of the joints that do not lead free to move; let more joints lead, or leave the singular pose.");
  }

  const Loops<S>& loops() const { return loops_; }      ///< at the state of the last run
  const Indexed<int>& leaders() const { return l_; }    ///< their columns
  const Indexed<int>& followers() const { return f_; }  ///< the others'

private:
  Loops<S> loops_;
  Indexed<int> l_, f_;
};

/// \brief How all joints move when some lead: \f$\dot q = G\dot\theta\f$.
template <typename Scalar>
struct LedMotion {
  MatrixX<Scalar> G;        ///< nv x leaders
  VectorX<Scalar> qd, qdd;  ///< nv each
};

/** \brief The motion of all joints from that of the leaders in one line (Ma et al., section 5.2); see LoopMotion.
 *
 *  nv flags tell who leads; nq coordinates at which the loops are closed; a rate and an acceleration for each leader.
 */
template <typename Scalar>
LedMotion<Scalar> loop_motion(const Model<Scalar>& model, const std::vector<Loop>& loops,
                              const std::vector<bool>& leads, VectorArgument<Scalar> q, VectorArgument<Scalar> rates,
                              VectorArgument<Scalar> accelerations)
{
  LoopMotion<Scalar> motion(model, loops, leads);
  motion(q, rates, accelerations);
  return {motion.G, motion.qd, motion.qdd};
}

}  // namespace articulate
