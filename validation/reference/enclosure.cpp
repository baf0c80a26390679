#include <reference/enclosure.hpp>
#include <algorithm>
#include <cctype>
#include <articulate/model/error.hpp>

namespace articulate::reference {
namespace {

/// The integer next to x, of two the even one.
mpz_class rounded(const mpq_class& x)
{
  const mpq_class shifted = x + mpq_class(1, 2);
  mpz_class floor;
  mpz_fdiv_q(floor.get_mpz_t(), shifted.get_num_mpz_t(), shifted.get_den_mpz_t());
  if (floor == shifted && mpz_odd_p(floor.get_mpz_t())) --floor;
  return floor;
}

}  // namespace

bool intersect(Enclosure& x, const Enclosure& y)
{
  x.lower = std::max(x.lower, y.lower);
  x.upper = std::min(x.upper, y.upper);
  return x.lower <= x.upper;
}

mpq_class power_of_ten(long k)
{
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(k < 0 ? -k : k));
  return k < 0 ? mpq_class(1, power) : mpq_class(power);
}

long decimal_exponent(const mpq_class& x)
{
  // From the lengths of both to at most two too little.
  long k = static_cast<long>(mpz_sizeinbase(x.get_num_mpz_t(), 10)) -
           static_cast<long>(mpz_sizeinbase(x.get_den_mpz_t(), 10)) - 2;
  while (power_of_ten(k + 1) <= x) ++k;
  return k;
}

std::string decimal(const Enclosure& x, long k)
{
  const mpq_class step = power_of_ten(k);
  if (x.width() > step / 2)
    throw Error("an enclosure is wider than half a unit of its last digit, 1e" + std::to_string(k) + ".");
  mpz_class steps = rounded(x.lower / step);
  const mpz_class other = rounded(x.upper / step);
  if (steps != other && mpz_odd_p(steps.get_mpz_t())) steps = other;
  if (steps == 0) return "0";

  std::string digits = mpz_class(abs(steps)).get_str();
  const long exponent = k + static_cast<long>(digits.size()) - 1;
  if (digits.size() > 1) digits.insert(1, ".");
  return (steps < 0 ? "-" : "") + digits + "e" + std::to_string(exponent);
}

mpq_class fraction(const std::string& decimal)
{
  const auto refuse = [&] { throw Error("'" + decimal + "' is no decimal number such as -1.25e-3."); };
  const std::size_t e = decimal.find('e'), sign = decimal.starts_with("-") ? 1 : 0;
  std::string digits = decimal.substr(sign, e - sign);
  const std::size_t point = digits.find('.');
  long exponent = 0;
  if (point != std::string::npos) {
    exponent = static_cast<long>(point) + 1 - static_cast<long>(digits.size());
    digits.erase(point, 1);
  }
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
    refuse();
  if (e != std::string::npos) {
    const std::string power = decimal.substr(e + 1);
    std::size_t read = 0;
    try {
      exponent += std::stol(power, &read);
    } catch (const std::logic_error&) {
      refuse();
    }
    if (read != power.size()) refuse();
  }
  const mpq_class x = mpz_class(digits, 10) * power_of_ten(exponent);
  return sign ? mpq_class(-x) : x;
}

}  // namespace articulate::reference
