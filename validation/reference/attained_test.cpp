#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <articulate/aba/forward_dynamics.hpp>
#include <articulate/aba/inverse_mass_matrix.hpp>
#include <articulate/aba/mobility.hpp>
#include <articulate/derivatives/hybrid_second_derivatives.hpp>
#include <articulate/derivatives/link_derivatives.hpp>
#include <articulate/group/matrices.hpp>
#include <articulate/lagrange/centroidal_momentum.hpp>
#include <articulate/lagrange/composite_body.hpp>
#include <articulate/lagrange/regressor.hpp>
#include <articulate/skew_symmetry/coriolis_matrix.hpp>
#include <reference/certified.hpp>
#include <reference/cases.hpp>

using namespace articulate;
using namespace articulate::reference;

namespace {

/// Answers of the library in double, as a user asks for them.
class InDouble {
public:
  std::map<std::string, MatrixX<double>> answers;

  explicit InDouble(const Problem& problem)
      : in_(problem.in),
        model_(in_.mechanism, {in_.options.floating_base, true}),
        q_(exactly<double>(in_.q)),
        qd_(exactly<double>(in_.qd)),
        qdd_(exactly<double>(in_.qdd)),
        tau_(exactly<double>(in_.tau)),
        Fext_(model_.bodies() + 1)
  {
    for (std::size_t l = 0; l < in_.link_wrenches.size(); ++l) {
      const auto& x = in_.link_wrenches[l];
      const LinkFrame<double>& link = model_.link(in_.mechanism.links[l].name);
      Fext_[link.body] += coAdInv(link.X, Wrench<double>{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
    }
    add_dynamics();
    add_links();
    add_whole();
    if (problem.is_small()) add_small();
    if (!problem.has_quaternions()) answers["coriolis_matrix"] = coriolis_matrix(model_, q_, qd_);
    if (problem.is_tiny()) add_tiny();
  }

private:
  static MatrixX<double> one(double x) { return MatrixX<double>::Constant(1, 1, x); }
  const LinkFrame<double>& tip() const { return model_.link(in_.mechanism.links.back().name); }

  void add_dynamics()
  {
    answers["inverse_dynamics"] = inverse_dynamics(model_, q_, qd_, qdd_, Fext_);
    answers["forward_dynamics"] = forward_dynamics(model_, q_, qd_, tau_, Fext_);
    answers["bias"] = bias_force(model_, q_, qd_, Fext_);
    answers["gravity_force"] = gravity_force(model_, q_);
    answers["coriolis_force"] = coriolis_force(model_, q_, qd_);
    answers["mass_matrix"] = mass_matrix(model_, q_);
    answers["inverse_mass_matrix"] = inverse_mass_matrix(model_, q_);
    answers["kinetic_energy"] = one(kinetic_energy(model_, q_, qd_));
    answers["potential_energy"] = one(potential_energy(model_, q_));
    answers["mechanical_energy"] = one(mechanical_energy(model_, q_, qd_));
  }

  void add_links()
  {
    SpaceMotion<double> motion(model_);
    motion(q_, qd_, qdd_);
    const auto links = static_cast<Eigen::Index>(in_.mechanism.links.size());
    const auto for_each = [&](const char* name, int columns, const auto& f) {
      MatrixX<double> rows(links, columns);
      for (Eigen::Index l = 0; l < links; ++l)
        rows.row(l) = f(model_.link(in_.mechanism.links[static_cast<std::size_t>(l)].name)).transpose();
      answers[name] = rows;
    };
    for_each("link_positions", 3, [&](const auto& link) { return motion.link_pose(link).p.eigen(); });
    for_each("link_twists", 6, [&](const auto& link) { return coordinates(motion.link_twist(link)); });
    for_each("link_twist_rates", 6, [&](const auto& link) { return coordinates(motion.link_acceleration(link)); });
    for_each("link_accelerations", 6, [&](const auto& link) {
      return coordinates(motion.link_classical_acceleration(link, JacobianFrame::mixed));
    });
    for_each("link_spatial_accelerations", 6,
             [&](const auto& link) { return coordinates(motion.link_acceleration(link, JacobianFrame::world)); });
    for_each("link_bias_accelerations", 6,
             [&](const auto& link) { return coordinates(motion.link_bias_acceleration(link, JacobianFrame::mixed)); });
    const MatrixX<double> J = motion.link_jacobian(tip(), JacobianFrame::mixed);
    answers["tip_jacobian"] = J;
    answers["tip_body_jacobian"] = motion.link_jacobian(tip());
    answers["tip_spatial_jacobian"] = motion.link_jacobian(tip(), JacobianFrame::world);
    answers["tip_mobility"] = mobility(model_, q_, J);
    if (in_.qd.size() > 20) return;
    answers["tip_jacobian_rate"] = motion.link_jacobian_rate(tip(), qd_, JacobianFrame::mixed);
    answers["tip_body_jacobian_rate"] = motion.link_jacobian_rate(tip(), qd_);
    answers["tip_spatial_jacobian_rate"] = motion.link_jacobian_rate(tip(), qd_, JacobianFrame::world);
  }

  void add_whole()
  {
    CentroidalMomentum<double> whole(model_);
    whole(q_, qd_);
    answers["center_of_mass"] = whole.center.eigen();
    answers["center_of_mass_velocity"] = whole.velocity.eigen();
    answers["center_of_mass_acceleration"] = whole.acceleration(qdd_).eigen();
    answers["center_of_mass_jacobian"] = whole.J();
    answers["centroidal_momentum"] = coordinates(whole.momentum);
    answers["centroidal_momentum_rate"] = coordinates(whole.momentum_rate(qdd_));
    answers["centroidal_momentum_matrix"] = whole.A;
    answers["centroidal_momentum_bias"] = coordinates(whole.bias);
    answers["centroidal_inertia"] = whole.I.second_moment.matrix().eigen();
  }

  void add_small()
  {
    Regressor<double> regressor(model_);
    answers["torque_regressor"] = regressor(q_, qd_, qdd_);
    answers["kinetic_energy_regressor"] = regressor.kinetic().transpose();
    answers["potential_energy_regressor"] = regressor.potential().transpose();
    answers["gravity_regressor"] = static_regressor(model_, q_);
    const auto given = inverse_dynamics_jacobians(model_, q_, qd_, qdd_, Fext_);
    answers["inverse_dynamics_by_q"] = given.by_q;
    answers["inverse_dynamics_by_qd"] = given.by_qd;
    const auto motion = forward_dynamics_jacobians(model_, q_, qd_, tau_, Fext_);
    answers["forward_dynamics_by_q"] = motion.by_q;
    answers["forward_dynamics_by_qd"] = motion.by_qd;
    const auto link = link_motion_jacobians(model_, tip(), q_, qd_, qdd_);
    answers["tip_twist_by_q"] = link.twist_by_q;
    answers["tip_twist_rate_by_q"] = link.acceleration_by_q;
    answers["tip_twist_rate_by_qd"] = link.acceleration_by_qd;
  }

  void add_tiny()
  {
    const auto stacked = [](const Hessians<double>& all) {
      const auto n = static_cast<Eigen::Index>(all.size());
      MatrixX<double> rows(n * n, n);
      for (Eigen::Index i = 0; i < n; ++i) rows.middleRows(n * i, n) = all[i];
      return rows;
    };
    const auto given = inverse_dynamics_hessians(model_, q_, qd_, qdd_, Fext_);
    answers["inverse_dynamics_by_q_q"] = stacked(given.q_q);
    answers["inverse_dynamics_by_q_qd"] = stacked(given.q_qd);
    answers["inverse_dynamics_by_qd_qd"] = stacked(given.qd_qd);
    answers["mass_matrix_by_q"] = stacked(given.q_given);
    const auto motion = forward_dynamics_hessians(model_, q_, qd_, tau_, Fext_);
    answers["forward_dynamics_by_q_q"] = stacked(motion.q_q);
    answers["forward_dynamics_by_q_qd"] = stacked(motion.q_qd);
    answers["forward_dynamics_by_qd_qd"] = stacked(motion.qd_qd);
    answers["inverse_mass_matrix_by_q"] = stacked(motion.q_given);
  }

  const Inputs& in_;
  const Model<double> model_;
  const VectorX<double> q_, qd_, qdd_, tau_;
  ExternalWrenches<double> Fext_;
};

/// The digits that some numbers have of those that are proved, and how many they could have, where they lack most.
struct Digits {
  double attained = 16, attainable = 16;

  Digits(const MatrixX<double>& computed, const CertifiedQuantity& proved)
  {
    BOOST_REQUIRE((computed.rows() == proved.rows && computed.cols() == proved.columns));
    std::map<std::string, double> largest;
    for (const CertifiedNumber& x : proved.numbers)
      largest[x.unit] = std::max(largest[x.unit], std::abs(std::stod(x.value)));
    for (std::size_t k = 0; k < proved.numbers.size(); ++k) {
      const CertifiedNumber& x = proved.numbers[k];
      const auto row = static_cast<Eigen::Index>(k) / proved.columns,
                 column = static_cast<Eigen::Index>(k) % proved.columns;
      const mpq_class error = abs(mpq_class(computed(row, column)) - fraction(x.value));
      const double part = largest[x.unit] > 0 ? error.get_d() / largest[x.unit] : error.get_d();
      const double digits = part > 0 ? -std::log10(part) : 16;
      if (digits - x.double_digits < attained - attainable) attained = digits, attainable = x.double_digits;
    }
  }
};

/// Where an algorithm loses more digits than the problem, in cases and quantities whose names begin so: measured.
struct Loss {
  const char *cases, *quantities;
  double digits;
};
constexpr Loss losses[] = {
    // Derivatives of accelerations are products with the inverse of the mass matrix, whose terms are larger than they.
    {"", "forward_dynamics_by_", 7},
    {"", "inverse_mass_matrix_by_q", 4},
    // The composite bodies are seen from the root: what is left about the centre of mass is a difference, and little where
    // the mass is close together far from the root.
    {"", "centroidal_", 2},
    {"rising_masses", "centroidal_", 7},
    {"heavy_tip", "centroidal_", 3},
    {"rising_masses", "forward_dynamics", 3},
    {"rising_masses", "inverse_mass_matrix", 3},
    {"heavy_tip", "tip_mobility", 2},
    // Of the articulated inertia about nearly equal axes next to nothing is left, which the answer nearly cancels again.
    {"nearly_aligned_axes", "forward_dynamics", 6},
    {"nearly_aligned_axes", "inverse_mass_matrix", 6},
    {"nearly_aligned_axes", "tip_mobility", 11}};

/** \brief How many digits fewer than can be attained the library may have.
 *
 *  One; and as every body rounds once more than the one before, as many as the root of their number takes.
 */
double allowed_loss(const Case& one, const std::string& quantity)
{
  double digits = 1 + std::log10(static_cast<double>(one.problem.in.qd.size())) / 2;
  for (const Loss& loss : losses)
    if (one.name.starts_with(loss.cases) && quantity.starts_with(loss.quantities))
      digits = std::max(digits, loss.digits);
  return digits;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attained_digits)

/// What the library answers in double has the digits that double can attain, but for few.
BOOST_AUTO_TEST_CASE(the_library_in_double_attains_its_digits)
{
  const char* said = std::getenv("ARTICULATE_LONG_TESTS");
  const bool all_cases = said && std::string(said) == "ON";
  for (const Case& one : cases()) {
    if (!one.problem.loops.empty() || !(all_cases || one.tier == "lower" || one.name == "humanoid")) continue;
    const InDouble library(one.problem);
    for (const CertifiedQuantity& proved : certified(one.name, one.problem)) {
      const auto found = library.answers.find(proved.name);
      if (found == library.answers.end()) continue;
      const Digits digits(found->second, proved);
      BOOST_TEST(digits.attained >= digits.attainable - allowed_loss(one, proved.name),
                 one.name << ": " << proved.name << " has " << digits.attained << " digits in double, where "
                          << digits.attainable << " can be attained");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
