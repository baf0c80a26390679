#include <reference/enclosure.hpp>
#include <reference/interval.hpp>
#include <mpfr.h>
#include <arb.h>

namespace articulate::reference {
namespace {

using Number = IntervalLibrary::Number;
static_assert(sizeof(arb_struct) <= sizeof(Number) && alignof(arb_struct) <= alignof(Number));

arb_ptr at(Number& x) { return reinterpret_cast<arb_ptr>(x.bytes); }
arb_srcptr at(const Number& x) { return reinterpret_cast<arb_srcptr>(x.bytes); }

/// An operation of Arb's on one number, exact or rounded, or on two.
template <void (*operation)(arb_ptr, arb_srcptr)>
void exactly(Number& y, const Number& x)
{
  operation(at(y), at(x));
}
template <void (*operation)(arb_ptr, arb_srcptr, mp_limb_signed_t)>
void of_one(Number& y, const Number& x)
{
  operation(at(y), at(x), interval_bits);
}
template <void (*operation)(arb_ptr, arb_srcptr, arb_srcptr, mp_limb_signed_t)>
void of_two(Number& z, const Number& x, const Number& y)
{
  operation(at(z), at(x), at(y), interval_bits);
}

void ball(Number& y, const Number& x)
{
  mag_t radius;
  mag_init(radius);
  arb_get_mag(radius, at(x));
  arb_zero(at(y));
  arb_add_error_mag(at(y), radius);
  mag_clear(radius);
}

/// The midpoint is kept exactly, the radius has thirty bits: rounded outward to as many bits as both have.
Enclosure bounds(const Number& x)
{
  if (!arb_is_finite(at(x))) throw Undecided("Arb: a number without bounds.");
  mpfr_t lower, upper;
  mpfr_inits2(2 * interval_bits, lower, upper, mpfr_ptr(nullptr));
  arb_get_interval_mpfr(lower, upper, at(x));
  Enclosure y;
  mpfr_get_q(y.lower.get_mpq_t(), lower);
  mpfr_get_q(y.upper.get_mpq_t(), upper);
  mpfr_clears(lower, upper, mpfr_ptr(nullptr));
  return y;
}

}  // namespace

const IntervalLibrary arb{.name = "Arb",
                          .begin = [](Number& x) { arb_init(at(x)); },
                          .end = [](Number& x) { arb_clear(at(x)); },
                          .copy = exactly<arb_set>,
                          .exchange = [](Number& x, Number& y) { arb_swap(at(x), at(y)); },
                          .set_integer = [](Number& y, long x) { arb_set_si(at(y), x); },
                          .set_double = [](Number& y, double x) { arb_set_d(at(y), x); },
                          .add = of_two<arb_add>,
                          .subtract = of_two<arb_sub>,
                          .multiply = of_two<arb_mul>,
                          .divide = of_two<arb_div>,
                          .negate = exactly<arb_neg>,
                          .magnitude = exactly<arb_abs>,
                          .root = of_one<arb_sqrt>,
                          .sine = of_one<arb_sin>,
                          .cosine = of_one<arb_cos>,
                          .arc_tangent = of_one<arb_atan>,
                          .below = [](const Number& x, const Number& y) { return arb_lt(at(x), at(y)) != 0; },
                          .not_above = [](const Number& x, const Number& y) { return arb_le(at(x), at(y)) != 0; },
                          .within = [](const Number& x, const Number& y) { return arb_contains(at(y), at(x)) != 0; },
                          .middle = exactly<arb_get_mid_arb>,
                          .ball = ball,
                          .nearest = [](const Number& x) { return arf_get_d(arb_midref(at(x)), ARF_RND_NEAR); },
                          .enclosure = bounds};

}  // namespace articulate::reference
