#include <reference/certified.hpp>
#include <algorithm>
#include <cmath>
#include <map>

namespace articulate::reference {
namespace {

// Whom a quantity is asked of.
bool all_machines(const Problem&) { return true; }
bool trees(const Problem& problem) { return problem.loops.empty(); }
bool machines_with_loops(const Problem& problem) { return !trees(problem); }
bool small_machines(const Problem& problem) { return problem.is_small(); }
bool small_machines_with_loops(const Problem& problem) { return problem.is_small() && !trees(problem); }
bool small_trees(const Problem& problem) { return problem.is_small() && trees(problem); }
bool tiny_trees(const Problem& problem) { return problem.is_tiny(); }
bool small_machines_without_quaternions(const Problem& problem)
{
  return problem.is_small() && !problem.has_quaternions();
}

/// A machine, with the rows that its loops demand.
struct Machine : Model<double> {
  std::vector<bool> row_turns;  ///< whether it is an angle, or a length

  explicit Machine(const Problem& problem)
      : Model<double>(problem.in.mechanism, {problem.in.options.floating_base, true})
  {
    for (const Loop& loop : problem.loops) {
      if (loop.turning == Turning::universal) row_turns.push_back(true);
      for (const bool slides : loop.slides)
        if (!slides) row_turns.push_back(false);
    }
  }
  bool turns(int row) const { return row_turns.at(static_cast<std::size_t>(row)); }
};

/// A quantity, and the unit of its number in a row and a column.
struct Description {
  const char* name;
  bool (*asked)(const Problem&);
  const char* words;
  std::string (*unit)(const Machine& model, int row, int column);
};

std::string per(const std::string& above, const std::string& below)
{
  const auto grouped = [](const std::string& unit) {
    return unit.find_first_of(" /") == std::string::npos ? unit : "(" + unit + ")";
  };
  return (above.find('/') == std::string::npos ? above : "(" + above + ")") + "/" + grouped(below);
}
std::string inertia(bool row_turns, bool column_turns)
{
  return row_turns && column_turns ? "kg m^2" : row_turns || column_turns ? "kg m" : "kg";
}
std::string parameter(int column)
{
  const int p = column % 10;
  return p == 0 ? "kg" : p < 4 ? "kg m" : "kg m^2";
}

std::string of_coordinate(const Machine& model, int row, int) { return model.rate_is_angular(row) ? "rad" : "m"; }
std::string of_rate(const Machine& model, int row, int) { return model.rate_is_angular(row) ? "rad/s" : "m/s"; }
std::string of_acceleration(const Machine& model, int row, int)
{
  return model.rate_is_angular(row) ? "rad/s^2" : "m/s^2";
}
std::string of_force(const Machine& model, int row, int) { return model.rate_is_angular(row) ? "N m" : "N"; }
std::string of_inertia(const Machine& model, int row, int column)
{
  return inertia(model.rate_is_angular(row), model.rate_is_angular(column));
}
std::string of_mobility(const Machine& model, int row, int column) { return per("1", of_inertia(model, row, column)); }

std::string of_ratio(const Machine&, int, int) { return "1"; }
std::string of_length(const Machine&, int, int) { return "m"; }
std::string of_velocity(const Machine&, int, int) { return "m/s"; }
std::string of_linear_acceleration(const Machine&, int, int) { return "m/s^2"; }
std::string of_energy(const Machine&, int, int) { return "J"; }
std::string of_central_inertia(const Machine&, int, int) { return "kg m^2"; }
std::string of_momentum(const Machine&, int row, int) { return row < 3 ? "kg m^2/s" : "kg m/s"; }
std::string of_wrench(const Machine&, int row, int) { return row < 3 ? "N m" : "N"; }
std::string of_twist(const Machine&, int, int column) { return column < 3 ? "rad/s" : "m/s"; }
std::string of_twist_rate(const Machine&, int, int column) { return column < 3 ? "rad/s^2" : "m/s^2"; }
std::string of_point_jacobian(const Machine& model, int, int column)
{
  return model.rate_is_angular(column) ? "m/rad" : "1";
}
std::string of_jacobian(const Machine& model, int row, int column)
{
  if (row >= 3) return of_point_jacobian(model, row, column);
  return model.rate_is_angular(column) ? "1" : "rad/m";
}
std::string of_jacobian_by_q(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_jacobian(model, row / n, column), of_coordinate(model, row % n, 0));
}
std::string of_loop_jacobian(const Machine& model, int row, int column)
{
  return of_jacobian(model, model.turns(row) ? 0 : 3, column);
}
std::string of_loop_acceleration(const Machine& model, int row, int) { return model.turns(row) ? "rad/s^2" : "m/s^2"; }
std::string of_multiplier(const Machine& model, int row, int) { return model.turns(row) ? "N m" : "N"; }
std::string of_joint_impulse(const Machine& model, int row, int)
{
  return model.rate_is_angular(row) ? "N m s" : "N s";
}
std::string of_loop_impulse(const Machine& model, int row, int) { return model.turns(row) ? "N m s" : "N s"; }
std::string of_loop_impulse_by_q(const Machine& model, int row, int column)
{
  return per(of_loop_impulse(model, row, 0), of_coordinate(model, column, 0));
}
std::string of_loop_impulse_by_qd(const Machine& model, int row, int column)
{
  return per(of_loop_impulse(model, row, 0), of_rate(model, column, 0));
}
std::string of_rate_by_q(const Machine& model, int row, int column)
{
  return per(of_rate(model, row, 0), of_coordinate(model, column, 0));
}
std::string of_rate_by_qd(const Machine& model, int row, int column)
{
  const bool row_turns = model.rate_is_angular(row), column_turns = model.rate_is_angular(column);
  return row_turns == column_turns ? "1" : row_turns ? "rad/m" : "m/rad";
}
std::string of_delassus_matrix(const Machine& model, int row, int column)
{
  return per("1", inertia(model.turns(row), model.turns(column)));
}
std::string of_momentum_matrix(const Machine& model, int row, int column)
{
  return inertia(row < 3, model.rate_is_angular(column));
}
std::string of_momentum_by_q(const Machine& model, int row, int column)
{
  return per(of_momentum(model, row, 0), of_coordinate(model, column, 0));
}
std::string of_wrench_by_q(const Machine& model, int row, int column)
{
  return per(of_wrench(model, row, 0), of_coordinate(model, column, 0));
}
std::string of_wrench_by_qd(const Machine& model, int row, int column)
{
  return per(of_wrench(model, row, 0), of_rate(model, column, 0));
}
std::string of_tip_mobility(const Machine&, int row, int column) { return per("1", inertia(row < 3, column < 3)); }

std::string of_force_regressor(const Machine& model, int row, int column)
{
  return per(of_force(model, row, 0), parameter(column));
}
std::string of_energy_regressor(const Machine&, int, int column) { return per("J", parameter(column)); }
std::string of_wrench_regressor(const Machine& model, int row, int column)
{
  return per(of_wrench(model, row, 0), parameter(column));
}
std::string of_force_by_q(const Machine& model, int row, int column)
{
  return per(of_force(model, row, 0), of_coordinate(model, column, 0));
}
std::string of_force_by_qd(const Machine& model, int row, int column)
{
  return per(of_force(model, row, 0), of_rate(model, column, 0));
}
std::string of_acceleration_by_q(const Machine& model, int row, int column)
{
  return per(of_acceleration(model, row, 0), of_coordinate(model, column, 0));
}
std::string of_acceleration_by_qd(const Machine& model, int row, int column)
{
  return per(of_acceleration(model, row, 0), of_rate(model, column, 0));
}
std::string of_jacobian_rate(const Machine& model, int row, int column)
{
  return per(of_jacobian(model, row, column), "s");
}
std::string of_tip_twist_by_q(const Machine& model, int row, int column)
{
  return per(row < 3 ? "rad/s" : "m/s", of_coordinate(model, column, 0));
}
std::string of_tip_acceleration_by_q(const Machine& model, int row, int column)
{
  return per(row < 3 ? "rad/s^2" : "m/s^2", of_coordinate(model, column, 0));
}
std::string of_tip_acceleration_by_qd(const Machine& model, int row, int column)
{
  return per(row < 3 ? "rad/s^2" : "m/s^2", of_rate(model, column, 0));
}
// Of second derivatives row nv i + j is that of force i with respect to the j-th.
std::string of_force_by_q_q(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_force_by_q(model, row / n, row % n), of_coordinate(model, column, 0));
}
std::string of_force_by_q_qd(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_force_by_q(model, row / n, row % n), of_rate(model, column, 0));
}
std::string of_force_by_qd_qd(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_force_by_qd(model, row / n, row % n), of_rate(model, column, 0));
}
std::string of_inertia_by_q(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_inertia(model, row / n, column), of_coordinate(model, row % n, 0));
}
std::string of_acceleration_by_q_q(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_acceleration_by_q(model, row / n, row % n), of_coordinate(model, column, 0));
}
std::string of_acceleration_by_q_qd(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_acceleration_by_q(model, row / n, row % n), of_rate(model, column, 0));
}
std::string of_acceleration_by_qd_qd(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_acceleration_by_qd(model, row / n, row % n), of_rate(model, column, 0));
}
std::string of_mobility_by_q(const Machine& model, int row, int column)
{
  const int n = model.nv();
  return per(of_mobility(model, row / n, column), of_coordinate(model, row % n, 0));
}

constexpr Description descriptions[] = {
    {"configuration", machines_with_loops, "all coordinates: those given, and the others where they close the loops",
     of_coordinate},
    {"rates", machines_with_loops, "all joint rates: those given, and the others as the loops make them", of_rate},
    {"inverse_dynamics", trees, "the joint forces tau of q, qd and qdd, with gravity and external wrenches", of_force},
    {"forward_dynamics", all_machines,
     "the joint accelerations qdd of q, qd and tau, with gravity and external wrenches", of_acceleration},
    {"constraint_forces", machines_with_loops, "the joint forces A^T lambda that the closed loops add to tau",
     of_force},
    {"loop_jacobian", machines_with_loops,
     "A qd = 0: loop by loop, for a universal turning the rate of the product x.y, the cosine of the angle between "
     "the x axis of the first frame and the y axis of the second, then the rates of those coordinates x, y, z of the "
     "second frame's origin in the first frame that must stay zero",
     of_loop_jacobian},
    {"loop_bias", machines_with_loops, "A-dot qd", of_loop_acceleration},
    {"multipliers", machines_with_loops, "lambda, row by row of A", of_multiplier},
    {"delassus_matrix", machines_with_loops, "A M^-1 A^T", of_delassus_matrix},
    {"impulse_rates", machines_with_loops,
     "all joint rates after an impulse with which all loops close at once: M (impulse_rates - qd) = A^T loop_impulses, "
     "A (impulse_rates + qd/2) = 0, with qd the rates before, all of them as `state` has them, and 1/2 the restitution",
     of_rate},
    {"loop_impulses", machines_with_loops, "of the same, row by row of A", of_loop_impulse},
    {"joint_impulses", machines_with_loops, "A^T loop_impulses: what the loops add to the joint momenta M qd",
     of_joint_impulse},
    {"impulse_rates_by_q", small_machines_with_loops,
     "derivatives of impulse_rates with respect to q, all rates before held; the loops open", of_rate_by_q},
    {"impulse_rates_by_qd", small_machines_with_loops, "derivatives of impulse_rates with respect to the rates before",
     of_rate_by_qd},
    {"loop_impulses_by_q", small_machines_with_loops,
     "derivatives of loop_impulses with respect to q, all rates before held; the loops open", of_loop_impulse_by_q},
    {"loop_impulses_by_qd", small_machines_with_loops, "derivatives of loop_impulses with respect to the rates before",
     of_loop_impulse_by_qd},
    {"bias", all_machines, "the joint forces at zero qdd, with gravity and external wrenches", of_force},
    {"gravity_force", all_machines, "the joint forces that hold the machine at rest, without external wrenches",
     of_force},
    {"coriolis_force", all_machines, "the joint forces that qd alone needs, without gravity and external wrenches",
     of_force},
    {"mass_matrix", all_machines, "the derivatives of the joint forces with respect to qdd, loops open", of_inertia},
    {"inverse_mass_matrix", all_machines,
     "the derivatives of the joint accelerations with respect to tau, loops closed", of_mobility},
    {"kinetic_energy", all_machines, "of all moving links", of_energy},
    {"potential_energy", all_machines, "of all moving links, zero when their centre of mass is at the world's origin",
     of_energy},
    {"mechanical_energy", all_machines, "the sum of both", of_energy},
    {"momentum", all_machines, "of all moving links about the world's origin: angular, then linear, in world axes",
     of_momentum},
    {"center_of_mass", all_machines, "of all moving links, in the world", of_length},
    {"center_of_mass_velocity", all_machines, "in world axes", of_velocity},
    {"center_of_mass_acceleration", all_machines, "in world axes, at qdd, of machines with loops at forward_dynamics",
     of_linear_acceleration},
    {"center_of_mass_jacobian", all_machines, "center_of_mass_velocity = J qd, loops open", of_point_jacobian},
    {"centroidal_momentum", all_machines, "about the centre of mass: angular, then linear, in world axes", of_momentum},
    {"centroidal_momentum_rate", all_machines,
     "its derivative with respect to time at qdd, of machines with loops at forward_dynamics", of_wrench},
    {"centroidal_momentum_matrix", all_machines, "centroidal_momentum = A qd, loops open", of_momentum_matrix},
    {"centroidal_momentum_bias", all_machines, "the rate at zero qdd: A-dot qd, loops open", of_wrench},
    {"centroidal_inertia", all_machines, "of all moving links as one body, about the centre of mass, in world axes",
     of_central_inertia},
    {"link_rotations", all_machines, "a row for each link: the rows of the matrix that takes link axes to world axes",
     of_ratio},
    {"link_positions", all_machines, "a row for each link: its origin in the world", of_length},
    {"link_twists", all_machines, "a row for each link: angular velocity, velocity of its origin, in its own axes",
     of_twist},
    {"link_twist_rates", all_machines,
     "a row for each link: the component-wise derivatives of its twist, without gravity, at qdd, of machines with "
     "loops at forward_dynamics: spatial acceleration in its own frame",
     of_twist_rate},
    {"link_accelerations", all_machines,
     "a row for each link: angular acceleration, acceleration of its origin, in world axes, without gravity: classical "
     "acceleration",
     of_twist_rate},
    {"link_spatial_accelerations", all_machines,
     "a row for each link: the component-wise derivatives of angular velocity and velocity of the point that is at the "
     "world's origin, in world axes, without gravity",
     of_twist_rate},
    {"link_bias_accelerations", all_machines, "link_accelerations at zero qdd: J-dot qd, loops open", of_twist_rate},
    {"tip_jacobian", all_machines,
     "of the last link: angular velocity and velocity of its origin, in world axes, = J qd, loops open", of_jacobian},
    {"tip_body_jacobian", all_machines, "the same in the axes of the link", of_jacobian},
    {"tip_spatial_jacobian", all_machines,
     "the same in world axes, with the velocity of the point that is at the world's origin", of_jacobian},
    {"tip_mobility", all_machines,
     "how the last link accelerates from rest, without gravity, per unit of moment and force on it, as in "
     "tip_jacobian, loops closed: J inverse_mass_matrix J^T with J = tip_jacobian; if this matrix has an inverse, the "
     "inverse is the operational-space inertia",
     of_tip_mobility},
    {"tip_jacobian_rate", small_machines, "the derivative of tip_jacobian with respect to time", of_jacobian_rate},
    {"tip_body_jacobian_rate", small_machines, "of tip_body_jacobian", of_jacobian_rate},
    {"tip_spatial_jacobian_rate", small_machines, "of tip_spatial_jacobian", of_jacobian_rate},
    {"tip_jacobian_by_q", small_machines,
     "row nv i + j, column k: the derivative of entry i, k of tip_jacobian with respect to q_j; of ball and floating "
     "joints along turns about and slides along the link's axes",
     of_jacobian_by_q},
    {"tip_body_jacobian_by_q", small_machines, "the same of tip_body_jacobian", of_jacobian_by_q},
    {"tip_spatial_jacobian_by_q", small_machines, "the same of tip_spatial_jacobian", of_jacobian_by_q},
    {"coriolis_matrix", small_machines_without_quaternions,
     "of Christoffel's symbols, loops open: coriolis_force = C qd, and the derivative of mass_matrix with respect to "
     "time "
     "is C + C^T",
     of_force_by_qd},
    {"torque_regressor", small_machines,
     "inverse dynamics without external wrenches = Y pi, at qdd, of machines with loops at forward_dynamics, loops "
     "open; "
     "pi: of each link that a moving joint carries, in the order of the rates, with all links fixed to it: mass, first "
     "moments x y z, moments of inertia xx xy xz yy yz zz about its origin in its axes",
     of_force_regressor},
    {"gravity_regressor", small_machines, "gravity_force = Y pi, loops open", of_force_regressor},
    {"kinetic_energy_regressor", small_machines, "kinetic_energy = y pi", of_energy_regressor},
    {"potential_energy_regressor", small_machines, "potential_energy = y pi", of_energy_regressor},
    {"tip_regressor", small_machines,
     "the wrench that the last link needs for its motion and against gravity, about its origin in its axes, = Y pi "
     "with "
     "its own ten numbers",
     of_wrench_regressor},
    {"inverse_dynamics_by_q", small_trees,
     "derivatives of inverse_dynamics with respect to q, external wrenches held in link axes; of ball and floating "
     "joints along turns about and slides along the link's axes, with qd held",
     of_force_by_q},
    {"inverse_dynamics_by_qd", small_trees, "derivatives of inverse_dynamics with respect to qd", of_force_by_qd},
    {"gravity_force_by_q", small_trees, "derivatives of gravity_force with respect to q", of_force_by_q},
    {"forward_dynamics_by_q", small_trees, "derivatives of forward_dynamics with respect to q, as above",
     of_acceleration_by_q},
    {"forward_dynamics_by_qd", small_trees, "derivatives of forward_dynamics with respect to qd",
     of_acceleration_by_qd},
    {"tip_twist_by_q", small_trees, "derivatives of the last row of link_twists with respect to q, as above",
     of_tip_twist_by_q},
    {"tip_twist_rate_by_q", small_trees, "derivatives of the last row of link_twist_rates with respect to q, as above",
     of_tip_acceleration_by_q},
    {"tip_twist_rate_by_qd", small_trees, "derivatives of the last row of link_twist_rates with respect to qd",
     of_tip_acceleration_by_qd},
    {"centroidal_momentum_by_q", small_trees, "derivatives of centroidal_momentum with respect to q, as above",
     of_momentum_by_q},
    {"centroidal_momentum_rate_by_q", small_trees,
     "derivatives of centroidal_momentum_rate with respect to q, as above, with qdd held", of_wrench_by_q},
    {"centroidal_momentum_rate_by_qd", small_trees, "derivatives of centroidal_momentum_rate with respect to qd",
     of_wrench_by_qd},
    {"inverse_dynamics_by_q_q", tiny_trees,
     "second derivatives of inverse_dynamics: row nv i + j, column k is that of force i with respect to q_j, then q_k; "
     "of one ball or floating joint the first displacement is the one nearer to the base",
     of_force_by_q_q},
    {"inverse_dynamics_by_q_qd", tiny_trees, "row nv i + j, column k: force i with respect to q_j and qd_k",
     of_force_by_q_qd},
    {"inverse_dynamics_by_qd_qd", tiny_trees, "row nv i + j, column k: force i with respect to qd_j and qd_k",
     of_force_by_qd_qd},
    {"mass_matrix_by_q", tiny_trees, "row nv i + j, column k: entry i, k with respect to q_j", of_inertia_by_q},
    {"forward_dynamics_by_q_q", tiny_trees, "row nv i + j, column k: acceleration i, all else as of inverse dynamics",
     of_acceleration_by_q_q},
    {"forward_dynamics_by_q_qd", tiny_trees, "row nv i + j, column k: acceleration i with respect to q_j and qd_k",
     of_acceleration_by_q_qd},
    {"forward_dynamics_by_qd_qd", tiny_trees, "row nv i + j, column k: acceleration i with respect to qd_j and qd_k",
     of_acceleration_by_qd_qd},
    {"inverse_mass_matrix_by_q", tiny_trees, "row nv i + j, column k: entry i, k with respect to q_j",
     of_mobility_by_q},
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

std::string unit(const Description& description, const Machine& model, const Table& table, std::size_t k)
{
  return description.unit(model, static_cast<int>(k) / table.columns, static_cast<int>(k) % table.columns);
}

/// The largest number of each unit, of those that are known not to be zero; 1 where there is none.
std::map<std::string, mpq_class> scales(const Description& description, const Machine& model, const Table& table)
{
  std::map<std::string, mpq_class> largest;
  for (std::size_t k = 0; k < table.entries.size(); ++k) {
    mpq_class& so_far = largest[unit(description, model, table, k)];
    if (!table.entries[k].holds(0)) so_far = std::max<mpq_class>(so_far, table.entries[k].magnitude());
  }
  for (auto& [name, scale] : largest)
    if (scale == 0) scale = 1;
  return largest;
}

/// The power of ten of the last digit that is printed.
long last_digit(const mpq_class& scale) { return decimal_exponent(scale) + 1 - printed_digits; }

/// Each proof by itself has to fix the digits: what is too wide says nothing of a number that others find.
void require_narrow(const std::string& name, const Description& description, const Machine& model, const Table& common,
                    const Table& table, const char* words)
{
  std::map<std::string, mpq_class> widest;  // that is allowed
  for (const auto& [unit, scale] : scales(description, model, common))
    widest[unit] = power_of_ten(last_digit(scale)) / 2;
  for (std::size_t k = 0; k < table.entries.size(); ++k)
    if (table.entries[k].width() > widest.at(unit(description, model, table, k)))
      throw Uncertified(place(name, description, table, k) + " is enclosed by " + words +
                        " more widely than half a unit of its last digit.");
}

/// What is proved of a quantity here, and of it nearby.
CertifiedQuantity certified_quantity(const Description& description, const Machine& model, const Table& here,
                                     const std::vector<Answers>& nearby)
{
  const std::map<std::string, mpq_class> largest = scales(description, model, here);
  CertifiedQuantity quantity{description.name, description.words, here.rows, here.columns, {}};
  std::map<std::string, double> condition;  // the largest of each unit
  for (std::size_t k = 0; k < here.entries.size(); ++k) {
    const Enclosure& x = here.entries[k];
    const std::string its_unit = unit(description, model, here, k);
    const mpq_class& scale = largest.at(its_unit);
    const long step = last_digit(scale);
    mpq_class moved = 0;
    bool zero = x.is_point() && x.lower == 0;
    for (const Answers& other : nearby) {
      const Enclosure& y = other.at(description.name).entries[k];
      Enclosure common = x;
      if (!intersect(common, y)) moved = std::max<mpq_class>(moved, abs(middle(y) - middle(x)));
      zero = zero && y.is_point() && y.lower == 0;
    }
    CertifiedNumber number{"0", "0", its_unit, zero, 0, 0, INFINITY};
    if (!zero) {
      number.value = decimal(x, step);
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

std::vector<std::string> all_quantities()
{
  std::vector<std::string> names;
  for (const Description& quantity : descriptions) names.emplace_back(quantity.name);
  return names;
}

bool is_asked(const std::string& quantity, const Problem& problem)
{
  return std::any_of(std::begin(descriptions), std::end(descriptions),
                     [&](const Description& known) { return known.name == quantity && known.asked(problem); });
}

Answers agreed(const std::string& name, const Problem& problem, std::span<const Proof> proofs)
{
  const Machine model(problem);
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
    if (!quantity.asked(problem)) continue;
    for (std::size_t p = 0; p < found.size(); ++p)
      if (proofs[p].answers_all && !found[p].contains(quantity.name))
        throw Uncertified("case '" + name + "': " + quantity.name + " is not answered by " + proofs[p].words + ".");
    Table& table = common.at(quantity.name);
    for (std::size_t p = 1; p < found.size(); ++p) {
      if (!found[p].contains(quantity.name)) continue;
      const std::vector<Enclosure>& other = found[p].at(quantity.name).entries;
      for (std::size_t k = 0; k < table.entries.size(); ++k)
        if (!intersect(table.entries[k], other.at(k)))
          throw Uncertified(place(name, quantity, table, k) + " by " + proofs[p].words +
                            " has no number in common with the proofs before it; one of them is wrong.");
    }
    for (std::size_t p = 0; p < found.size(); ++p)
      if (found[p].contains(quantity.name))
        require_narrow(name, quantity, model, table, found[p].at(quantity.name), proofs[p].words);
  }
  return common;
}

std::vector<CertifiedQuantity> certified(const std::string& name, const Problem& problem)
{
  const Machine model(problem);
  const Answers answers = agreed(name, problem);
  std::vector<Answers> nearby;  // every input moved by an ulp, up or down
  for (std::uint64_t seed = 1; seed <= 8; ++seed) nearby.push_back(by_the_library<arb>(problem.nudged(seed)));
  std::vector<CertifiedQuantity> quantities;
  for (const Description& description : descriptions)
    if (description.asked(problem))
      quantities.push_back(certified_quantity(description, model, answers.at(description.name), nearby));
  return quantities;
}

}  // namespace articulate::reference
