#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <articulate/constrained/constrained_dynamics.hpp>
#include <articulate/constrained/loop_impulse.hpp>
#include <models/closed_machines.hpp>
#include <reference/case_file.hpp>

using namespace articulate;
using namespace articulate::reference;

namespace {

using I = Interval<arb>;
using Numbers = std::vector<I>;

const std::vector<CertifiedNumber>& numbers(const std::vector<CertifiedQuantity>& all, const std::string& name)
{
  for (const CertifiedQuantity& quantity : all)
    if (quantity.name == name) return quantity.numbers;
  throw Error("there is no quantity '" + name + "'.");
}

/// Whether a refusal holds some words.
struct Says {
  std::string words;

  explicit Says(const std::string& text) : words(text) {}
  bool operator()(const Error& error) const { return std::string(error.what()).find(words) != std::string::npos; }
};

/// A closed form, evaluated in intervals, lies within the radius about every certified number.
void require(const std::vector<CertifiedQuantity>& all, const std::string& name, const Numbers& closed_form)
{
  const auto& certified = numbers(all, name);
  BOOST_REQUIRE(certified.size() == closed_form.size());
  for (std::size_t k = 0; k < certified.size(); ++k) {
    const mpq_class value = fraction(certified[k].value), radius = fraction(certified[k].radius);
    const Enclosure x = enclosure(closed_form[k]);
    BOOST_TEST((value - radius <= x.lower && x.upper <= value + radius),
               name << "[" << k << "] is " << certified[k].value << ", the closed form " << double(closed_form[k]));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(certified_cases)

/// (J + m l^2) qdd + m g l sin q = tau.
BOOST_AUTO_TEST_CASE(the_pendulum_is_its_formula)
{
  const Case one = case_of("pendulum");
  const Inputs& in = one.problem.in;
  const auto all = certified(one.name, one.problem);
  const Link& bob = in.mechanism.links[1];
  const I m(bob.mass), l(-bob.center_of_mass[2]), g(-in.mechanism.gravity[2]);
  const I q(in.q[0]), qd(in.qd[0]), qdd(in.qdd[0]), tau(in.tau[0]);
  const I J = I(bob.inertia[3]) + m * l * l, weight = m * g * l * sin(q);
  require(all, "inverse_dynamics", {J * qdd + weight});
  require(all, "forward_dynamics", {(tau - weight) / J});
  require(all, "bias", {weight});
  require(all, "gravity_force", {weight});
  require(all, "mass_matrix", {J});
  require(all, "inverse_mass_matrix", {I(1) / J});
  require(all, "kinetic_energy", {J * qd * qd / I(2)});
  require(all, "potential_energy", {-m * g * l * cos(q)});
  require(all, "center_of_mass", {-l * sin(q), I(0), -l * cos(q)});
  require(all, "momentum", {I(0), J * qd, I(0), -m * l * cos(q) * qd, I(0), m * l * sin(q) * qd});
  const I across = m * l * sin(q), along = m * l * cos(q);
  require(all, "centroidal_momentum_by_q", {I(0), I(0), I(0), across * qd, I(0), along * qd});
  require(all, "centroidal_momentum_rate_by_q",
          {I(0), I(0), I(0), across * qdd + along * qd * qd, I(0), along * qdd - across * qd * qd});
  require(all, "centroidal_momentum_rate_by_qd", {I(0), I(0), I(0), I(2) * across * qd, I(0), I(2) * along * qd});
  require(all, "tip_jacobian_by_q", Numbers(6, I(0)));
}

/// The equations of every textbook, as in Craig or in Murray, Li and Sastry.
BOOST_AUTO_TEST_CASE(two_bars_are_their_formulas)
{
  const Case one = case_of("planar_2r");
  const Inputs& in = one.problem.in;
  const auto all = certified(one.name, one.problem);
  const Link &first = in.mechanism.links[1], &second = in.mechanism.links[2];
  const I m1(first.mass), m2(second.mass), c1(first.center_of_mass[0]), c2(second.center_of_mass[0]);
  const I l(in.mechanism.joints[1].position[0]), J1(first.inertia[5]), J2(second.inertia[5]);
  const I g(-in.mechanism.gravity[1]), q1(in.q[0]), q2(in.q[1]), u1(in.qd[0]), u2(in.qd[1]);
  const I a1(in.qdd[0]), a2(in.qdd[1]), tau1(in.tau[0]), tau2(in.tau[1]);

  const I M22 = J2 + m2 * c2 * c2, M12 = M22 + m2 * l * c2 * cos(q2);
  const I M11 = J1 + m1 * c1 * c1 + J2 + m2 * (l * l + c2 * c2 + I(2) * l * c2 * cos(q2));
  const I h = m2 * l * c2 * sin(q2), G2 = m2 * g * c2 * cos(q1 + q2), G1 = (m1 * c1 + m2 * l) * g * cos(q1) + G2;
  const I b1 = -h * u2 * (I(2) * u1 + u2) + G1, b2 = h * u1 * u1 + G2, det = M11 * M22 - M12 * M12;
  require(all, "mass_matrix", {M11, M12, M12, M22});
  require(all, "inverse_mass_matrix", {M22 / det, -M12 / det, -M12 / det, M11 / det});
  require(all, "bias", {b1, b2});
  require(all, "gravity_force", {G1, G2});
  require(all, "inverse_dynamics", {M11 * a1 + M12 * a2 + b1, M12 * a1 + M22 * a2 + b2});
  const I r1 = tau1 - b1, r2 = tau2 - b2;
  require(all, "forward_dynamics", {(M22 * r1 - M12 * r2) / det, (M11 * r2 - M12 * r1) / det});
  require(all, "kinetic_energy", {(M11 * u1 * u1 + I(2) * M12 * u1 * u2 + M22 * u2 * u2) / I(2)});
  require(all, "potential_energy", {(m1 * c1 + m2 * l) * g * sin(q1) + m2 * g * c2 * sin(q1 + q2)});
}

/// Euler's equations along principal axes, Newton's for a velocity that is given along axes that turn.
BOOST_AUTO_TEST_CASE(the_free_body_is_euler_and_newton)
{
  const Case one = case_of("free_body");
  const Inputs& in = one.problem.in;
  const auto all = certified(one.name, one.problem);
  const Link& body = in.mechanism.links[0];
  const I m(body.mass), A[] = {I(body.inertia[0]), I(body.inertia[3]), I(body.inertia[5])};
  const I x(in.q[3]), y(in.q[4]), z(in.q[5]), s(in.q[6]), length = x * x + y * y + z * z + s * s;
  // The last row of the rotation: the vertical along the body's axes.
  const I up[] = {I(2) * (x * z - y * s) / length, I(2) * (y * z + x * s) / length,
                  (s * s - x * x - y * y + z * z) / length};
  const I g(in.mechanism.gravity[2]);
  Numbers tau(6), qdd(6), kinetic{I(0)};
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const I w_i(in.qd[i]), w_j(in.qd[j]), v_i(in.qd[3 + i]), v_j(in.qd[3 + j]);
    const I turning = (A[j] - A[i]) * w_i * w_j, dragging = w_i * v_j - w_j * v_i - g * up[k];
    tau[k] = A[k] * I(in.qdd[k]) + turning;
    tau[3 + k] = m * (I(in.qdd[3 + k]) + dragging);
    qdd[k] = (I(in.tau[k]) - turning) / A[k];
    qdd[3 + k] = I(in.tau[3 + k]) / m - dragging;
    kinetic[0] += (A[k] * I(in.qd[k]) * I(in.qd[k]) + m * I(in.qd[3 + k]) * I(in.qd[3 + k])) / I(2);
  }
  require(all, "inverse_dynamics", tau);
  require(all, "forward_dynamics", qdd);
  require(all, "kinetic_energy", kinetic);
  require(all, "potential_energy", {-m * g * I(in.q[2])});
}

/// A formalism that sees one number of the machine an ulp away proves something else, and all is refused.
BOOST_AUTO_TEST_CASE(a_proof_that_disagrees_is_named)
{
  const Problem problem = case_of("planar_2r").problem;
  BOOST_TEST(!agreed("planar_2r", problem).empty());
  const Proof proofs[] = {all_proofs[0],
                          {"vector mechanics of another machine",
                           [](const Problem& given) {
                             Problem other = given;
                             double& mass = other.in.mechanism.links[2].mass;
                             mass = std::nextafter(mass, 2 * mass);
                             return by_vector_mechanics<arb>(other);
                           },
                           true}};
  BOOST_CHECK_EXCEPTION(agreed("planar_2r", problem, proofs), Uncertified,
                        Says("inverse_dynamics[0][0] by vector mechanics of another machine has no number in common"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_enclosed_is_refused_by_name)
{
  const Problem sound = case_of("five_bar").problem;
  Problem redundant = sound, angular = sound, open = sound;
  redundant.loops[0].turning = Turning::about_z;
  angular.loops[0].turning = Turning::none;
  open.loops[0].first.position = {100, 0, 0};
  BOOST_CHECK_EXCEPTION(agreed("redundant", redundant), Uncertified, Says("4 rows for 2 dependent coordinates"));
  BOOST_CHECK_EXCEPTION(agreed("angular", angular), Uncertified, Says("demands an angle"));
  BOOST_CHECK_EXCEPTION(agreed("open", open), Uncertified, Says("case 'open' is not enclosed by the library in MPFI"));

  Problem massless = case_of("planar_2r").problem;
  massless.in.mechanism.links[2].mass = 0;
  massless.in.mechanism.links[2].inertia = {};
  BOOST_CHECK_EXCEPTION(agreed("massless", massless), Uncertified, Says("case 'massless' is not enclosed"));
}

/// Each quantity is asked of three cases of each tier, at least.
BOOST_AUTO_TEST_CASE(no_cell_of_the_table_is_empty)
{
  for (const Coverage& row : coverage())
    for (std::size_t t = 0; t < tiers.size(); ++t)
      BOOST_TEST(row.cases[t] >= 3, row.quantity << " in the tier " << tiers[t] << " has " << row.cases[t] << " cases");
}

/// Every loop is closed at what is answered, the constraint forces do no work, and the impulse none on the mean of the rates
/// that its restitution weighs.
BOOST_AUTO_TEST_CASE(closed_loops_are_certified)
{
  const Case one = case_of("five_bar");
  const auto all = certified(one.name, one.problem);
  const auto& q = numbers(all, "configuration");
  BOOST_TEST(q.size() == 4u);
  for (const int k : one.problem.independent)
    BOOST_TEST((abs(fraction(q[k].value) - mpq_class(one.problem.in.q[k])) <= fraction(q[k].radius)));
  mpq_class power = 0;
  for (std::size_t k = 0; k < q.size(); ++k)
    power += fraction(numbers(all, "constraint_forces")[k].value) * fraction(numbers(all, "rates")[k].value);
  BOOST_TEST((abs(power) < power_of_ten(-45)));
  mpq_class work = 0, moved = 0;
  for (std::size_t k = 0; k < q.size(); ++k) {
    const mpq_class before(one.problem.in.qd[k]), after = fraction(numbers(all, "impulse_rates")[k].value);
    work += fraction(numbers(all, "joint_impulses")[k].value) * (after + before * mpq_class(impulse_restitution));
    moved += abs(after - before);
  }
  BOOST_TEST((abs(work) < power_of_ten(-45)));
  BOOST_TEST((moved > power_of_ten(-1)));
}

/// Anyone who keeps all rows of a hinge has other multipliers, but the motion and the forces of the rows that suffice, and the
/// impulse with which they close.
BOOST_AUTO_TEST_CASE(redundant_rows_pull_as_a_minimal_set_of_them)
{
  const std::pair<const char*, std::vector<Loop>> machines[] = {{"five_bar", validation::five_bar_with_pin().loops},
                                                                {"hoeken", validation::hoeken().loops},
                                                                {"bricard", validation::bricard_at_a_hinge().loops}};
  for (const auto& [name, loops] : machines) {
    const Case one = case_of(name);
    const Inputs& in = one.problem.in;
    const auto all = certified(one.name, one.problem);
    const auto in_double = [&](const char* quantity) {
      VectorX<double> x(static_cast<Eigen::Index>(numbers(all, quantity).size()));
      for (Eigen::Index k = 0; k < x.size(); ++k)
        x(k) = fraction(numbers(all, quantity)[static_cast<std::size_t>(k)].value).get_d();
      return x;
    };
    const Model<double> model(in.mechanism, in.options);
    ExternalWrenches<double> Fext(model.bodies() + 1);
    for (std::size_t l = 0; l < in.link_wrenches.size(); ++l) {
      const auto& x = in.link_wrenches[l];
      const LinkFrame<double>& link = model.link(in.mechanism.links[l].name);
      Fext[link.body] += coAdInv(link.X, Wrench<double>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    }
    const VectorX<double> q = in_double("configuration"), qd = in_double("rates");
    const auto motion = constrained_forward_dynamics<double>(model, loops, q, qd, exactly<double>(in.tau), Fext);
    Loops<double> full(model, loops);
    full(q, qd);
    BOOST_TEST(full.rows() > static_cast<int>(numbers(all, "multipliers").size()), name);
    const VectorX<double> pull = full.A.transpose() * motion.lambda;
    const auto require_near = [&, &name = name](const char* quantity, const VectorX<double>& x) {
      const VectorX<double> right = in_double(quantity);
      double condition = 1;
      for (const CertifiedNumber& number : numbers(all, quantity)) condition = std::max(condition, number.condition);
      const double bound =
          100 * static_cast<double>(x.size()) * std::ldexp(condition, -52) * right.cwiseAbs().maxCoeff();
      BOOST_TEST((x - right).cwiseAbs().maxCoeff() <= bound, name << ": " << quantity << " is off by "
                                                                  << (x - right).cwiseAbs().maxCoeff() << " of at most "
                                                                  << bound);
    };
    require_near("constraint_forces", pull);
    require_near("forward_dynamics", motion.qdd);
    const auto impulse = loop_impulse<double>(model, loops, q, exactly<double>(in.qd), impulse_restitution);
    require_near("impulse_rates", impulse.qd);
    require_near("joint_impulses", full.A.transpose() * impulse.Lambda);
  }
}

/// An enclosure that is off by 1e-40 of its number is refused, or as wide, whichever quantity it is of.
BOOST_AUTO_TEST_CASE(every_quantity_is_proved_by_all)
{
  for (const char* name : {"planar_2r", "four_bar"}) {
    const Problem problem = case_of(name).problem;
    static Answers answers, slipped;
    answers = slipped = by_vector_mechanics<arb>(problem);
    const auto as_it_is = [](const Problem&) { return answers; };
    const auto off = [](const Problem&) { return slipped; };
    const Proof proofs[] = {{"one", as_it_is, true}, {"the other", off, true}};
    int tried = 0;
    for (const std::string& quantity : all_quantities()) {
      if (!is_asked(quantity, problem)) continue;
      std::vector<Enclosure>& entries = slipped.at(quantity).entries;
      const auto number = std::find_if(entries.begin(), entries.end(), [](const Enclosure& x) { return !x.holds(0); });
      if (number == entries.end()) continue;  // in a plane some are zero
      const Enclosure right = *number;
      const mpq_class slip = right.magnitude() * power_of_ten(-40);
      *number = {right.lower + slip, right.upper + slip};
      BOOST_CHECK_EXCEPTION(agreed(name, problem, proofs), Uncertified, Says(quantity + "["));
      *number = {right.lower - slip, right.upper + slip};
      BOOST_CHECK_EXCEPTION(agreed(name, problem, proofs), Uncertified, Says("is enclosed by the other more widely"));
      *number = right;
      ++tried;

      const Table table = slipped.extract(quantity).mapped();
      BOOST_CHECK_EXCEPTION(agreed(name, problem, proofs), Uncertified,
                            Says(quantity + " is not answered by the other"));
      slipped[quantity] = table;
    }
    BOOST_TEST(tried > 30);
    BOOST_TEST(!agreed(name, problem, proofs).empty());
  }
}

/// Of ten numbers in each of ten cases the thirtieth digit is changed, and each is found.
BOOST_AUTO_TEST_CASE(a_changed_digit_is_found)
{
  const std::vector<Case> all_cases = cases();
  for (std::size_t c = 0; c < 10; ++c) {
    const Case& one = all_cases[c];
    const auto all = certified(one.name, one.problem);
    const Json file = file_of(one, all);
    const Verdict right = verdict_on(file, "a file", all);
    BOOST_TEST((right.is_of_the_set && right.wrong.empty() && right.missing.empty()));
    BOOST_TEST((right.asked > 0 && right.proved == right.asked));
    std::vector<Json::json_pointer> long_numbers;
    const Json numbers = file["answers"].flatten();
    for (const auto& [path, value] : numbers.items())
      if (path.find("/value/") != std::string::npos && value.get<std::string>().size() > 40)
        long_numbers.emplace_back("/answers" + path);
    BOOST_REQUIRE(long_numbers.size() >= 10);
    for (std::size_t k = 0; k < 10; ++k) {
      const Json::json_pointer& place = long_numbers[k * long_numbers.size() / 10];
      Json wrong = file;
      std::string value = wrong[place].get<std::string>();
      char& digit = value[value.starts_with("-") ? 31 : 30];  // the thirtieth, behind the point
      digit = digit == '9' ? '0' : static_cast<char>(digit + 1);
      wrong[place] = value;
      const Verdict found = verdict_on(wrong, "a file", all);
      BOOST_TEST((found.wrong.size() == 1 && found.wrong[0].find(value) != std::string::npos),
                 one.name << " " << place.to_string());
      BOOST_TEST(found.proved == found.asked - 1);
    }
  }
}

/// A file is read back to the same case, and what is no case is refused.
BOOST_AUTO_TEST_CASE(files_are_read_back)
{
  const Case one = case_of("puma560");
  const auto all = certified(one.name, one.problem);
  const Json file = Json::parse(file_of(one, all).dump());
  BOOST_TEST(file_of(case_in_file(file, "a file"), all).dump() == file.dump());
  Json wrong = file;
  wrong["state"]["q"]["decimal"][2] = 1.25;
  BOOST_CHECK_THROW(case_in_file(wrong, "a file"), Error);
  wrong = file;
  wrong["machine"]["links"][1].erase("mass");
  BOOST_CHECK_THROW(case_in_file(wrong, "a file"), Error);
}

BOOST_AUTO_TEST_SUITE_END()
