/** \file
 *  \brief Tables 5, 6 and 7 along single parameters of every kind, against a complex step in double.
 *
 *  The bound is the ledger's: 100 n eps kappa, with kappa measured in 50 digits for each derivative.
 */
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <articulate/derivatives/constrained_derivative.hpp>
#include <articulate/model/urdf.hpp>
#include <constrained/compiled.hpp>
#include <derivatives/direction.hpp>
#include <ledger/proof.hpp>
#include <models/models.hpp>

using namespace articulate;
using namespace articulate::validation;
namespace data = boost::unit_test::data;

namespace {

using Complex = std::complex<double>;

/// What the three tables say along a direction, each number beside that of another source.
template <typename S>
struct Derivatives {
  VectorX<S> dtau_5, dqdd_6, dtau_7, dqdd_7;

  Sides<S> against(const Derivatives& other, const Specimen<S>& x, const Partition& prescribed) const
  {
    Sides<S> sides;
    const HybridDynamics<S> hybrid = hybrid_run(x, prescribed);
    sides.add_by_unit(x.model, dtau_5, other.dtau_5, x.inverse_tau);
    sides.add_by_unit(x.model, dqdd_6, other.dqdd_6, x.forward_qdd);
    sides.add_by_unit(x.model, part(dtau_7, prescribed, true), part(other.dtau_7, prescribed, true), hybrid.tau());
    sides.add_by_unit(x.model, part(dqdd_7, prescribed, false), part(other.dqdd_7, prescribed, false), hybrid.qdd());
    return sides;
  }
};

template <typename S>
Derivatives<S> by_tables(const Specimen<S>& x, const Partition& prescribed, const Step<double>& step)
{
  const Direction<S> direction{{step.kind, step.index, step.component, S(step.size)}};
  const Seeds<S> seeds = seeds_along(direction, x.inverse, x.qd);
  const HybridDynamicsDerivative<S> seven = table_seven(x, hybrid_run(x, prescribed), seeds);
  return {table_five(x, seeds), table_six(x, seeds).dqdd(), seven.dtau(), seven.dqdd()};
}

Derivatives<double> by_complex_step(const Specimen<double>& x, const Partition& prescribed, const Step<double>& step)
{
  const double h = 1e-100;
  const Moved<Complex> moved(x, Direction<double>{step}, Complex(0, h));
  const HybridDynamics<Complex> hybrid = moved.hybrid_dynamics(prescribed);
  return {moved.inverse_dynamics().imag() / h, moved.forward_dynamics().imag() / h, hybrid.tau().imag() / h,
          hybrid.qdd().imag() / h};
}

/// One parameter of every kind for every rate and body; which of its components changes from body to body.
std::vector<Step<double>> parameters(const Model<double>& model, int seed)
{
  std::vector<Step<double>> steps;
  for (const auto& [kind, name] : kinds()) {
    const int of_one = components(kind), last = kind < Kind::gravity ? model.bodies() : 0;
    if (of_one == 0)
      for (int k = 0; k < model.nv(); ++k) steps.push_back({kind, k, 0, 1});
    else
      for (int i = last ? 1 : 0; i <= last; ++i) steps.push_back({kind, i, (3 * i + seed) % of_one, 1});
  }
  return steps;
}

void require_derivatives(const Mechanism& mechanism, const ModelOptions& options, int seed)
{
  const Inputs inputs = Inputs::draw(mechanism, options, seed);
  const Specimen<double> x(inputs);
  const Specimen<Fifty> at(inputs), moved(inputs.nudged(seed)), moved_again(inputs.nudged(seed + 1));
  const Partition prescribed = drawn_partition(x);
  for (const Step<double>& step : parameters(x.model, seed)) {
    const Sides<double> sides =
        by_tables(x, prescribed, step).against(by_complex_step(x, prescribed, step), x, prescribed);
    const auto in_fifty = [&](const Specimen<Fifty>& s) {
      const Derivatives<Fifty> tables = by_tables(s, prescribed, step);
      return tables.against(tables, s, prescribed);
    };
    const std::vector<double> kappa = growth(in_fifty(at), in_fifty(moved));
    const std::vector<double> kappa_again = growth(in_fifty(at), in_fifty(moved_again)), r = residuals(sides);
    for (std::size_t k = 0; k < r.size(); ++k) {
      const double most = tolerance(x.model.nv(), unit_roundoff<double>(), std::max(kappa[k], kappa_again[k]), 1e-11);
      BOOST_TEST(r[k] <= most, mechanism.name << ": " << kinds()[static_cast<int>(step.kind)].second << ' '
                                              << step.index << ' ' << step.component << ", group " << k << ": residual "
                                              << r[k] << " of at most " << most);
    }
  }
}

// --- With a loop

/// A ball between the root and the last link, at frames in no special place; the state need not close it.
std::vector<Loop> drawn_ball(const Inputs& in, const Model<double>& model)
{
  const auto end = [&](const std::string& link, int at) {
    const double* x = &in.free_numbers[at];
    return Loop::End{link, {x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
  };
  return {cut_joint("drawn", JointType::ball, end(model.links().front().name, 60), end(model.links().back().name, 70))};
}

/// The unknowns of a motion with a loop, the first degree prescribed: all accelerations, all forces, all multipliers.
template <typename S>
struct Unknowns {
  VectorX<S> qdd, tau, lambda;

  Sides<S> against(const Unknowns& other, const Model<S>& model, const Unknowns& beside) const
  {
    Sides<S> sides;
    sides.add_by_unit(model, qdd, other.qdd, beside.qdd);
    sides.add_by_unit(model, tau, other.tau, beside.tau);
    sides.add(lambda, other.lambda, beside.lambda.cwiseAbs().maxCoeff());
    return sides;
  }
};

/// The motion that meets the loop, at a state.
template <typename S>
struct WithLoop {
  Loops<S> loops;
  ConstrainedDynamics<S> run;

  WithLoop(const Model<S>& model, const std::vector<Loop>& ball, const VectorX<S>& q, const VectorX<S>& qd,
           const VectorX<S>& qdd, const VectorX<S>& tau, const Twist<S>& base, const ExternalWrenches<S>& Fext)
      : loops(model, ball), run(model, first_prescribed(model.nv()), 3)
  {
    run.tree.Vdot[0] = base;
    loops(q, qd);
    run(q, qd, qdd, tau, loops.A, loops.Adot_qd, Fext);
  }
  static Partition first_prescribed(int n)
  {
    Partition prescribed(n, false);
    prescribed[0] = true;
    return prescribed;
  }
  Unknowns<S> unknowns() const { return {run.qdd(), run.tau(), run.lambda()}; }
};

template <typename S>
WithLoop<S> with_loop(const Specimen<S>& x, const std::vector<Loop>& ball)
{
  return {x.model, ball, x.q, x.qd, x.qdd, x.tau, {{}, -x.gravity}, x.Fext};
}

template <typename S>
Unknowns<S> derivative_with_loop(const Specimen<S>& x, WithLoop<S>& motion, const Step<double>& step)
{
  Seeds<S> seeds(x.model);
  parameter(step).template add_to<S>(seeds, motion.run.tree, x.qd);
  ConstrainedDynamicsDerivative<S> d(x.model);
  d(motion.run, motion.loops, x.q, x.qd, x.Fext, seeds);
  return {d.dqdd, d.dtau, d.dlambda};
}

void require_derivatives_with_loop(const Mechanism& mechanism, const ModelOptions& options, int seed)
{
  const Inputs inputs = Inputs::draw(mechanism, options, seed), nudged = inputs.nudged(seed);
  const Specimen<double> x(inputs);
  const Specimen<Fifty> at(inputs), moved_case(nudged);
  const std::vector<Loop> ball = drawn_ball(inputs, x.model);
  WithLoop<double> motion = with_loop(x, ball);
  WithLoop<Fifty> in_fifty = with_loop(at, ball), in_fifty_moved = with_loop(moved_case, ball);
  BOOST_TEST(motion.run.rank() == 3);
  for (const Step<double>& step : parameters(x.model, seed)) {
    const double h = 1e-100;
    // The frames of a loop are places on links: where a parameter moves these, the case here does not move them along.
    if (step.kind == Kind::placement_after || step.kind == Kind::screw_axis || step.kind > Kind::gravity) continue;
    if (step.kind == Kind::acceleration ? step.index != 0 : step.kind == Kind::force && step.index == 0) continue;
    const Moved<Complex> moved(x, Direction<double>{step}, Complex(0, h));
    const WithLoop<Complex> complex(moved.model, ball, moved.q, moved.qd, moved.qdd, moved.tau, moved.Vdot0,
                                    moved.Fext);
    const Unknowns<Complex> z = complex.unknowns();
    const Unknowns<double> exact{z.qdd.imag() / h, z.tau.imag() / h, z.lambda.imag() / h};
    const Unknowns<double> found = derivative_with_loop(x, motion, step);
    const std::vector<double> r = residuals(found.against(exact, x.model, motion.unknowns()));
    const Unknowns<Fifty> fifty = derivative_with_loop(at, in_fifty, step);
    const Unknowns<Fifty> moved_fifty = derivative_with_loop(moved_case, in_fifty_moved, step);
    const std::vector<double> kappa = growth(fifty.against(fifty, at.model, in_fifty.unknowns()),
                                             moved_fifty.against(moved_fifty, at.model, in_fifty_moved.unknowns()));
    for (std::size_t k = 0; k < r.size(); ++k) {
      const double most = tolerance(x.model.nv(), unit_roundoff<double>(), kappa[k], 1e-11);
      BOOST_TEST(r[k] <= most, mechanism.name << " with a loop: " << kinds()[static_cast<int>(step.kind)].second << ' '
                                              << step.index << ' ' << step.component << ", group " << k << ": residual "
                                              << r[k] << " of at most " << most);
    }
  }
}

/// Three robots of the shared ones: the first in the order of their names.
std::vector<std::string> three_shared_robots()
{
  const char* folder = std::getenv("ARTICULATE_ROBOTS");
  std::vector<std::string> files;
  if (folder && std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".urdf") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  files.resize(std::min<std::size_t>(files.size(), 3));
  if (files.empty()) {
    std::cout << "SKIPPED 1 test: there are no shared robots in ARTICULATE_ROBOTS\n";
    files.push_back("");
  }
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(complex_step)

BOOST_DATA_TEST_CASE(every_kind_of_parameter_obeys_its_tables_on, data::make({"mixed_tree", "every_joint"}), name)
{
  require_derivatives(built_in_model(name), {}, 5);
  require_derivatives_with_loop(built_in_model(name), {}, 5);
}

BOOST_DATA_TEST_CASE(every_kind_of_parameter_obeys_its_tables_on_the_floating_robot, data::make(three_shared_robots()),
                     file)
{
  if (!file.empty()) require_derivatives(read_urdf(file), {.floating_base = true, .accept_unphysical = true}, 6);
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
