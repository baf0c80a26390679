/** \file
 *  \brief When a gap closes within a step, along the motion between its ends.
 *
 *  - Chapter: \ref motion
 */
#pragma once
#include <optional>
#include <articulate/group/scalar.hpp>

namespace articulate {

/// \brief A gap at a time: how wide it is, and how fast it opens.
template <typename Scalar>
struct Gap {
  Scalar width, rate;
};

/** \brief Where a condition that fails at a begins to hold, if it holds at b: the first number at which it does.
 *
 *  By halving, to neighbouring numbers; of several changes between a and b one is found.
 *  \param holds  called with a number between them, returns whether the condition holds there
 */
template <typename Scalar, typename Condition>
Scalar first_holding(Scalar a, Scalar b, Condition&& holds)
{
  for (;;) {
    const Scalar middle = (a + b) / Scalar(2);
    if (!(comparable(a) < comparable(middle) && comparable(middle) < comparable(b))) return b;
    (holds(middle) ? b : a) = middle;
  }
}

/** \brief The first time after a at which a condition begins to hold, if it holds at the end of one of some equal parts.
 *  \param holds  called with a time up to b, returns whether the condition holds there
 */
template <typename Scalar, typename Condition>
std::optional<Scalar> first_seen(const Scalar& a, const Scalar& b, Condition&& holds, int parts = 4)
{
  // [seen]
  Scalar left = a;
  for (int part = 1; part <= parts; ++part) {
    const Scalar right = part < parts ? Scalar(a + (b - a) * Scalar(part) / Scalar(parts)) : b;
    if (holds(right)) return first_holding(left, right, holds);
    left = right;
  }
  // [seen]
  return std::nullopt;
}

/** \brief The first time from a to b at which a gap closes: its width passes zero, or it has none and its rate is negative.
 *
 *  The interval is looked at in some equal parts. A gap that is open at both ends of a part, but narrows at the one and
 *  widens at the other, is looked at where it is narrowest, so that no touch is lost between two looks but where a gap
 *  has two such places in one part.
 *  \param gap   called with a time, returns its Gap; after an impact it may begin at zero, and opening
 *  \param rest  the rate down to which a gap without width counts as at rest
 */
template <typename Scalar, typename GapAt>
std::optional<Scalar> closing_time(const Scalar& a, const Scalar& b, GapAt&& gap, const Scalar& rest, int parts = 4)
{
  const auto shut = [](const Gap<Scalar>& g) { return comparable(g.width) <= 0; };
  const auto narrows = [](const Gap<Scalar>& g) { return comparable(g.rate) < 0; };
  // [closing]
  Scalar left = a;
  Gap<Scalar> before = gap(a);
  for (int part = 1; part <= parts; ++part) {
    if (shut(before) && comparable(before.rate) < -comparable(rest)) return left;
    const Scalar right = part < parts ? Scalar(a + (b - a) * Scalar(part) / Scalar(parts)) : b;
    const Gap<Scalar> after = gap(right);
    // The place between the ends where the gap is widest, or narrowest.
    Scalar turn = right;
    if (narrows(before) != narrows(after))
      turn = first_holding(left, right, [&](const Scalar& t) { return narrows(gap(t)) == narrows(after); });
    // Shut from the outset, it closes after it was widest; open, where it is first shut.
    if (shut(before)) {
      if (shut(after) && narrows(after) && !narrows(before))
        return shut(gap(turn)) ? turn : first_holding(turn, right, [&](const Scalar& t) { return shut(gap(t)); });
    } else if (shut(after) || (narrows(before) && shut(gap(turn)))) {
      return first_holding(left, shut(gap(turn)) ? turn : right, [&](const Scalar& t) { return shut(gap(t)); });
    }
    left = right;
    before = after;
  }
  // [closing]
  return std::nullopt;
}

}  // namespace articulate
