#include <reference/certified.hpp>
#include <cmath>
#include <map>

namespace articulate::reference {
namespace {

/// A quantity, and the unit of its number in a row and a column.
struct Description {
  const char* name;
  const char* words;
  std::string (*unit)(const Model<double>& model, int row, int column);
};

std::string of_force(const Model<double>& model, int row, int) { return model.rate_is_angular(row) ? "N m" : "N"; }
std::string of_twist(const Model<double>&, int, int column) { return column < 3 ? "rad/s" : "m/s"; }
std::string of_twist_rate(const Model<double>&, int, int column) { return column < 3 ? "rad/s^2" : "m/s^2"; }
std::string of_length(const Model<double>&, int, int) { return "m"; }
std::string of_energy(const Model<double>&, int, int) { return "J"; }
std::string of_ratio(const Model<double>&, int, int) { return "1"; }

std::string of_acceleration(const Model<double>& model, int row, int)
{
  return model.rate_is_angular(row) ? "rad/s^2" : "m/s^2";
}
std::string of_coordinate(const Model<double>& model, int row, int) { return model.rate_is_angular(row) ? "rad" : "m"; }
std::string of_rate(const Model<double>& model, int row, int) { return model.rate_is_angular(row) ? "rad/s" : "m/s"; }
std::string of_inertia(const Model<double>& model, int row, int column)
{
  const int turns = model.rate_is_angular(row) + model.rate_is_angular(column);
  return turns == 2 ? "kg m^2" : turns == 1 ? "kg m" : "kg";
}
std::string of_mobility(const Model<double>& model, int row, int column)
{
  const std::string inertia = of_inertia(model, row, column);
  return inertia == "kg" ? "1/kg" : "1/(" + inertia + ")";
}
std::string of_momentum(const Model<double>&, int row, int) { return row < 3 ? "kg m^2/s" : "kg m/s"; }

constexpr Description descriptions[] = {
    {"configuration", "all coordinates: those given, and the others where they close the loops", of_coordinate},
    {"rates", "all joint rates: those given, and the others as the loops make them", of_rate},
    {"inverse_dynamics", "the joint forces tau of q, qd and qdd, with gravity and external wrenches", of_force},
    {"forward_dynamics", "the joint accelerations qdd of q, qd and tau, with gravity and external wrenches",
     of_acceleration},
    {"constraint_forces", "the joint forces A^T lambda that the closed loops add to tau", of_force},
    {"bias", "the joint forces at zero qdd, with gravity and external wrenches", of_force},
    {"gravity_force", "the joint forces that hold the machine at rest, without external wrenches", of_force},
    {"mass_matrix", "the derivatives of the joint forces with respect to qdd", of_inertia},
    {"inverse_mass_matrix", "the derivatives of the joint accelerations with respect to tau", of_mobility},
    {"kinetic_energy", "of all moving links", of_energy},
    {"potential_energy", "of all moving links, zero when their centre of mass is at the world's origin", of_energy},
    {"center_of_mass", "of all moving links, in the world", of_length},
    {"momentum", "of all moving links about the world's origin: angular, then linear, in world axes", of_momentum},
    {"link_rotations", "a row for each link: the rows of the matrix that takes link axes to world axes", of_ratio},
    {"link_positions", "a row for each link: its origin in the world", of_length},
    {"link_twists", "a row for each link: angular velocity, velocity of its origin, in its own axes", of_twist},
    {"link_twist_rates", "a row for each link: the component-wise derivatives of its twist, without gravity",
     of_twist_rate},
};

/// Where a message finds a number.
std::string place(const std::string& name, const Description& quantity, const Table& table, std::size_t k)
{
  const auto columns = static_cast<std::size_t>(table.columns);
  return "case '" + name + "': " + quantity.name + "[" + std::to_string(k / columns) + "][" +
         std::to_string(k % columns) + "]";
}

/// A fraction to two digits.
double two_digits(const mpq_class& x) { return x == 0 ? 0 : std::stod(decimal({x, x}, decimal_exponent(x) - 1)); }

mpq_class middle(const Enclosure& x) { return (x.lower + x.upper) / 2; }

/// What is proved of a quantity here, and of it nearby.
CertifiedQuantity certified_quantity(const std::string& name, const Description& description,
                                     const Model<double>& model, const Table& here, const std::vector<Answers>& nearby)
{
  const auto unit = [&](std::size_t k) {
    return description.unit(model, static_cast<int>(k) / here.columns, static_cast<int>(k) % here.columns);
  };
  // The largest of each unit that is known not to be zero.
  std::map<std::string, mpq_class> largest;
  for (std::size_t k = 0; k < here.entries.size(); ++k) {
    mpq_class& so_far = largest[unit(k)];
    if (!here.entries[k].holds(0)) so_far = std::max<mpq_class>(so_far, here.entries[k].magnitude());
  }

  CertifiedQuantity quantity{description.name, description.words, here.rows, here.columns, {}};
  std::map<std::string, double> condition;  // the largest of each unit
  for (std::size_t k = 0; k < here.entries.size(); ++k) {
    const Enclosure& x = here.entries[k];
    const mpq_class scale = largest[unit(k)] == 0 ? mpq_class(1) : largest[unit(k)];
    const long step = decimal_exponent(scale) + 1 - printed_digits;
    mpq_class moved = 0;
    bool zero = x.is_point() && x.lower == 0;
    for (const Answers& other : nearby) {
      const Enclosure& y = other.at(description.name).entries[k];
      moved = std::max<mpq_class>(moved, abs(middle(y) - middle(x)));
      zero = zero && y.is_point() && y.lower == 0;
    }
    CertifiedNumber number{"0", "0", unit(k), zero, 0, 0, INFINITY};
    if (!zero) {
      try {
        number.value = decimal(x, step);
      } catch (const Error& error) {
        throw Uncertified(place(name, description, here, k) + ": " + error.what());
      }
      number.radius = "1e" + std::to_string(step);
      number.condition = two_digits(moved / scale / std::ldexp(1.0, -52));
    }
    if (!x.is_point()) number.enclosed_digits = -static_cast<double>(decimal_exponent(x.width() / scale) + 1);
    condition[number.unit] = std::max(condition[number.unit], number.condition);
    quantity.numbers.push_back(number);
  }
  // Turning a vector mixes its components, so the largest condition decides for all.
  for (CertifiedNumber& x : quantity.numbers)
    x.double_digits = std::floor(10 * -std::log10(std::ldexp(std::max(1.0, condition[x.unit]), -53))) / 10;
  return quantity;
}

}  // namespace

Answers agreed(const std::string& name, const Problem& problem, std::span<const Proof> proofs)
{
  std::vector<Answers> found;
  for (const Proof& proof : proofs) {
    try {
      found.push_back(proof.answers(problem));
    } catch (const Error& error) {
      throw Uncertified("case '" + name + "' is not enclosed by " + proof.words + ": " + error.what());
    }
  }
  Answers common = found[0];
  for (const Description& quantity : descriptions) {
    if (!common.contains(quantity.name)) continue;
    Table& table = common.at(quantity.name);
    for (std::size_t p = 1; p < found.size(); ++p) {
      if (!found[p].contains(quantity.name)) continue;
      const std::vector<Enclosure>& other = found[p].at(quantity.name).entries;
      for (std::size_t k = 0; k < table.entries.size(); ++k)
        if (!intersect(table.entries[k], other.at(k)))
          throw Uncertified(place(name, quantity, table, k) + " by " + proofs[p].words +
                            " has no number in common with the proofs before it; one of them is wrong.");
    }
  }
  return common;
}

std::vector<CertifiedQuantity> certified(const std::string& name, const Problem& problem)
{
  const Model<double> model(problem.in.mechanism, {problem.in.options.floating_base, true});
  const Answers answers = agreed(name, problem);
  std::vector<Answers> nearby;  // every input moved by an ulp, up or down
  for (std::uint64_t seed = 1; seed <= 8; ++seed) nearby.push_back(by_the_library<arb>(problem.nudged(seed)));
  std::vector<CertifiedQuantity> quantities;
  for (const Description& description : descriptions)
    if (answers.contains(description.name))
      quantities.push_back(certified_quantity(name, description, model, answers.at(description.name), nearby));
  return quantities;
}

}  // namespace articulate::reference
