#include <reference/enclosure.hpp>
#include <reference/interval.hpp>
#include <mpfi.h>

namespace articulate::reference {
namespace {

using Number = IntervalLibrary::Number;
static_assert(sizeof(__mpfi_struct) <= sizeof(Number) && alignof(__mpfi_struct) <= alignof(Number));

mpfi_ptr at(Number& x) { return reinterpret_cast<mpfi_ptr>(x.bytes); }
mpfi_srcptr at(const Number& x) { return reinterpret_cast<mpfi_srcptr>(x.bytes); }

/// An operation of MPFI's on one number, or on two.
template <int (*operation)(mpfi_ptr, mpfi_srcptr)>
void of_one(Number& y, const Number& x)
{
  operation(at(y), at(x));
}
template <int (*operation)(mpfi_ptr, mpfi_srcptr, mpfi_srcptr)>
void of_two(Number& z, const Number& x, const Number& y)
{
  operation(at(z), at(x), at(y));
}

void begin(Number& x)
{
  mpfi_init2(at(x), interval_bits);
  mpfi_set_si(at(x), 0);
}

void middle(Number& y, const Number& x)
{
  mpfr_t number;
  mpfr_init2(number, interval_bits);
  mpfi_mid(number, at(x));
  mpfi_set_fr(at(y), number);
  mpfr_clear(number);
}

void ball(Number& y, const Number& x)
{
  mpfi_abs(at(y), at(x));
  mpfr_neg(&at(y)->left, &at(y)->right, MPFR_RNDD);
}

Enclosure bounds(const Number& x)
{
  if (!mpfi_bounded_p(at(x))) throw Undecided("MPFI: a number without bounds.");
  Enclosure y;
  mpfr_get_q(y.lower.get_mpq_t(), &at(x)->left);
  mpfr_get_q(y.upper.get_mpq_t(), &at(x)->right);
  return y;
}

}  // namespace

const IntervalLibrary mpfi{
    .name = "MPFI",
    .begin = begin,
    .end = [](Number& x) { mpfi_clear(at(x)); },
    .copy = of_one<mpfi_set>,
    .exchange = [](Number& x, Number& y) { mpfi_swap(at(x), at(y)); },
    .set_integer = [](Number& y, long x) { mpfi_set_si(at(y), x); },
    .set_double = [](Number& y, double x) { mpfi_set_d(at(y), x); },
    .add = of_two<mpfi_add>,
    .subtract = of_two<mpfi_sub>,
    .multiply = of_two<mpfi_mul>,
    .divide = of_two<mpfi_div>,
    .negate = of_one<mpfi_neg>,
    .magnitude = of_one<mpfi_abs>,
    .root = of_one<mpfi_sqrt>,
    .sine = of_one<mpfi_sin>,
    .cosine = of_one<mpfi_cos>,
    .arc_tangent = of_one<mpfi_atan>,
    .below = [](const Number& x, const Number& y) { return mpfr_less_p(&at(x)->right, &at(y)->left) != 0; },
    .not_above = [](const Number& x, const Number& y) { return mpfr_lessequal_p(&at(x)->right, &at(y)->left) != 0; },
    .within = [](const Number& x, const Number& y) { return mpfi_is_inside(at(x), at(y)) > 0; },
    .middle = middle,
    .ball = ball,
    .nearest = [](const Number& x) { return mpfi_get_d(at(x)); },
    .enclosure = bounds};

}  // namespace articulate::reference
