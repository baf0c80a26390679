/** \file
 *  \brief The two sides of an identity, what belongs to one unit, and the tempting wrong forms that must miss.
 */
#pragma once
#include <string>
#include <type_traits>
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
    std::vector<std::string> clauses{};  ///< what it proves, as in ali:49/bias; none: what the identity never names
    double within = 0;                   ///< how far left may be from right where right is a rounded print; 0: derived
    bool counted = false;                ///< numbers that were counted, and have no rounding

    /// \brief Whether the condition tells how far its sides may be apart.
    bool has_condition() const { return within == 0 && !counted; }
  };
  /// \brief A wrong form that looks right: where it agreed, too, the identity would prove nothing.
  struct Rival {
    std::string name;
    std::vector<std::string> clauses;
    std::vector<Group> groups;
    std::size_t after;  ///< how many groups were compared before it
  };

  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Rival>& rivals() const { return rivals_; }

  /// \brief The clauses that a group proves: its own, or without one those of the identity that no group names.
  std::vector<std::string> clauses_of(const Group& group, const std::vector<std::string>& keys) const;

  /// \brief All comparisons and rivals of another.
  void append(const Sides& other);

  /** \brief What follows proves these clauses alone, until others are named.
   *  \param keys  as in the identity's list of keys; none for those that it never names here
   */
  void clause(std::vector<std::string> keys) { clauses_ = std::move(keys); }
  void clause(const char* key) { clauses_ = {key}; }

  /** \brief A tempting wrong form, evaluated on the same state as the right one. It must miss.
   *  \param name   what is wrong with it: "the transpose is dropped"
   *  \param wrong  a generic function that adds its two sides: [&](auto& wrong) { wrong.add(A * B, C); }
   *
   *  What stands before it tells how wide a miss has to be: a form that is wrong in a low order is not measured by the
   *  rounding of the highest. In double alone: elsewhere the function is not even compiled.
   */
  template <typename Function>
  void rival(const std::string& name, const Function& wrong)
  {
    if constexpr (std::is_same_v<S, double>) {
      Sides sides;
      wrong(sides);
      rivals_.push_back({name, clauses_, sides.groups_, groups_.size()});
    }
  }

  /// \brief Two numbers, or two sums of terms of size up to scale.
  void add(const S& left, const S& right, const S& scale = S(0));
  template <typename A, typename B>
  void add(const Eigen::MatrixBase<A>& left, const Eigen::MatrixBase<B>& right, const S& scale = S(0))
  {
    const auto& a = in_memory(left.derived());
    const auto& b = in_memory(right.derived());
    add_entries(entries(a), entries(b), scale);
  }
  /// \brief A number of ours beside a rounded print: 16.8 means 16.75 to 16.85, within = 0.05.
  void add_printed(const S& ours, double printed, double within);
  /// \brief What was counted, the same in every arithmetic and of inputs that move by an ulp.
  void add_counts(long left, long right);
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
  /// \param lever  how far away they turn: where their axes pass through the origin, what this adds to linear parts cancels
  void add(const std::vector<Twist<S>>& left, const std::vector<Twist<S>>& right, const S& lever = S(0));
  /// \param beside  wrenches of which both sides are sums
  void add(const std::vector<Wrench<S>>& left, const std::vector<Wrench<S>>& right,
           const std::vector<Wrench<S>>& beside = {});

private:
  void add_entries(Entries<S> left, Entries<S> right, const S& scale);
  void add_unless_empty(const std::vector<Group>& groups);

  std::vector<Group> groups_;
  std::vector<Rival> rivals_;
  std::vector<std::string> clauses_;
};

/// \brief The largest number of a group, or its given scale.
template <typename Group>
auto scale_of(const Group& group)
{
  auto scale = group.scale;
  for (const auto* side : {&group.left, &group.right})
    for (const auto& number : *side)
      if (magnitude(number) > scale) scale = magnitude(number);
  return scale;
}

/// \brief The largest difference of each group over its scale.
template <typename Group>
auto residuals(const std::vector<Group>& groups)
{
  using S = std::remove_const_t<decltype(Group::scale)>;
  std::vector<S> worst;
  for (const Group& group : groups) {
    S difference(0);
    for (std::size_t k = 0; k < group.left.size(); ++k) {
      const S gap = magnitude(S(group.left[k] - group.right[k]));
      if (!(gap <= difference)) difference = gap;  // a NaN is the worst of all
    }
    worst.push_back(difference == S(0) ? S(0) : S(difference / scale_of(group)));
  }
  return worst;
}
template <typename S>
std::vector<S> residuals(const Sides<S>& sides)
{
  return residuals(sides.groups());
}

}  // namespace articulate::validation
