/** \file
 *  \brief The two sides of an identity, and what belongs to one unit.
 */
#pragma once
#include <vector>
#include <articulate/model/model.hpp>
#include <ledger/scalars.hpp>

namespace articulate::validation {

/** \brief Two sides that ought to be equal, in groups of numbers of one unit.
 *
 *  The residual of a group is the largest difference over the largest number in it (or over a given scale, where both
 *  sides are sums of larger terms); the residual of the identity is its worst group's.
 */
template <typename S>
class Sides {
public:
  struct Group {
    std::vector<S> left, right;
    S scale{0};
  };

  const std::vector<Group>& groups() const { return groups_; }

  /// \brief All comparisons of another.
  void append(const Sides& other);

  /// \brief Two numbers, or two sums of terms of size up to scale.
  void add(const S& left, const S& right, const S& scale = S(0));
  template <typename A, typename B>
  void add(const Eigen::MatrixBase<A>& left, const Eigen::MatrixBase<B>& right, const S& scale = S(0))
  {
    const auto& a = in_memory(left.derived());
    const auto& b = in_memory(right.derived());
    add_entries(entries(a), entries(b), scale);
  }
  /** \brief Numbers by joint rate: those about angles are one group, those about lengths another.
   *  \param beside  numbers by joint rate from whose terms both sides are made, if they may all cancel: derivatives that
   *                 vanish are rounding beside what is differentiated
   */
  void add_by_unit(const Model<S>& model, const VectorX<S>& left, const VectorX<S>& right,
                   const VectorX<S>& beside = {});
  /// \brief A mass matrix, in up to four groups; its mixed entries obey \f$m_{jk}^2 \le m_{jj}m_{kk}\f$ and may be zero.
  void add_by_unit(const Model<S>& model, const MatrixX<S>& left, const MatrixX<S>& right);
  void add(const Vector3<S>& left, const Vector3<S>& right, const S& scale = S(0));
  void add(const Matrix3<S>& left, const Matrix3<S>& right);
  void add(const SE3<S>& left, const SE3<S>& right);
  void add(const Twist<S>& left, const Twist<S>& right);
  void add(const Wrench<S>& left, const Wrench<S>& right);
  void add(const Inertia<S>& left, const Inertia<S>& right);
  /// \brief A quantity of every body: angular parts are one group, linear parts another.
  void add(const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right);
  /// \param beside  wrenches of which both sides are sums
  void add(const std::vector<Wrench<S>>& left, const std::vector<Wrench<S>>& right,
           const std::vector<Wrench<S>>& beside = {});

private:
  void add_entries(Entries<S> left, Entries<S> right, const S& scale);
  void add_unless_empty(const std::vector<Group>& groups);

  std::vector<Group> groups_;
};

}  // namespace articulate::validation
