/** \file
 *  \brief Somebody's numbers held against ours, in Python: scores, causes, and an assertion for anybody's tests.
 */
#include <cli/check_report.hpp>
#include "json.hpp"
#include "recursion.hpp"
#include "state.hpp"

namespace articulate::python {
namespace {

using namespace py::literals;
using ModelD = Model<double>;
using Tables = std::map<std::string, Numbers>;
using TablesOfOneOrMore = std::variant<Tables, std::vector<Tables>>;
using OneOrMoreStates = std::variant<State, std::vector<State>>;

Eigen::Map<const VectorX<double>> vector_of(const Array& x, const char* name, int size)
{
  return vector(Numbers{py::array_t<double, py::array::c_style>(x)}, name, size);
}

oracle::Question question_of(const ModelD& model, const State& state)
{
  oracle::Question x;
  x.q = configuration(model, {py::array_t<double, py::array::c_style>(state.q)});
  x.qd = vector_of(state.qd, "qd", model.nv());
  x.qdd = vector_of(state.qdd, "qdd", model.nv());
  x.tau = vector_of(state.tau, "tau", model.nv());
  x.gravity = model.gravity();
  if (state.gravity) x.gravity = Vector3<double>(VectorX<double>(vector_of(*state.gravity, "gravity", 3)));
  std::map<std::string, Numbers> wrenches;
  for (const auto& [link, wrench] : state.Fext) wrenches[link] = {py::array_t<double, py::array::c_style>(wrench)};
  x.external_wrenches = on_bodies(model, GivenWrenches(wrenches));
  for (const auto& [name, wrench] : state.Fext) {
    const LinkFrame<double>& link = model.link(name);
    if (link.body == 0 || oracle::own_link(model, link.body).name == name) continue;
    const auto F = vector_of(wrench, "Fext", 6);
    x.on_fixed_links[name] = {{F(0), F(1), F(2)}, {F(3), F(4), F(5)}};
  }
  return x;
}

/// A table in the shape of its quantity; numbers that are not finite are theirs to have.
MatrixX<double> table(const ModelD& model, const std::string& name, const Numbers& given)
{
  const oracle::Quantity* quantity = oracle::find_quantity(name);
  if (!quantity) throw Error("'" + name + "' is no quantity that is known; articulate.quantities() lists them.");
  const auto [rows, columns] = oracle::shape(*quantity, model);
  std::vector<py::ssize_t> shape{rows, columns};
  if (given.shape() != shape) {
    if (columns == 1) shape = {rows};
    if (rows == 1) shape = {columns};
    const bool is_number = rows == 1 && columns == 1 && given.shape().empty();
    if (given.shape() != shape && !is_number)
      throw StateError(name + " has the shape " + text(given.shape()) + " where the model needs " + text(shape) + ".");
  }
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(given.begin(), rows,
                                                                                                  columns);
}

std::vector<cli::Claim> claims_of(const TablesOfOneOrMore& theirs, const ModelD& model, const OneOrMoreStates& states)
{
  const std::vector<Tables> tables =
      theirs.index() == 0 ? std::vector<Tables>{std::get<0>(theirs)} : std::get<1>(theirs);
  const std::vector<State> all = states.index() == 0 ? std::vector<State>{std::get<0>(states)} : std::get<1>(states);
  if (tables.size() != all.size() || tables.empty())
    throw StateError("There are " + std::to_string(tables.size()) + " sets of tables for " +
                     std::to_string(all.size()) + " states; give one for each, and at least one.");
  std::vector<cli::Claim> claims;
  for (std::size_t k = 0; k < all.size(); ++k) {
    cli::Claim claim;
    claim.question = question_of(model, all[k]);
    for (const auto& [name, given] : tables[k]) {
      claim.theirs[name] = table(model, name, given);
      if (!oracle::can_answer(*oracle::find_quantity(name), model, claim.question))
        throw StateError(name + " cannot be computed for this model; some joint moves no mass.");
    }
    if (claim.theirs.empty()) throw StateError("There is no table in theirs; give one by the name of its quantity.");
    claims.push_back(std::move(claim));
  }
  return claims;
}

/// States are counted as lists are.
std::vector<std::string> places_of(const std::vector<cli::Claim>& claims)
{
  std::vector<std::string> places;
  for (std::size_t k = 0; k < claims.size(); ++k) places.push_back("state " + std::to_string(k));
  return places;
}

oracle::Diagnosis diagnosis_of(const std::vector<cli::Claim>& claims, const ModelD& model)
{
  std::vector<oracle::Question> questions;
  std::vector<oracle::Answers> theirs;
  for (const cli::Claim& claim : claims)
    questions.push_back(claim.question), theirs.push_back(cli::unique_answers(claim));
  return oracle::diagnose(model.mechanism(), model.options(), questions, theirs, places_of(claims));
}

cli::CheckReport report_of(const std::vector<cli::Claim>& claims, const ModelD& model, bool explain)
{
  const cli::Examiner examiner(model);
  cli::CheckReport report;
  report.campaign["model"] = model.mechanism().source;
  const std::vector<std::string> places = places_of(claims);
  for (std::size_t k = 0; k < claims.size(); ++k) {
    ++report.scores.states;
    const auto always = [](const std::string&) { return true; };
    for (const auto& [name, outcome] : examiner(claims[k], always, report.scores.notes))
      report.scores.quantities[name].add(outcome, static_cast<std::int64_t>(k), places[k]);
  }
  if (explain && !report.scores.agrees())
    report.explained.push_back({model.mechanism().source, diagnosis_of(claims, model), places, ""});
  return report;
}

struct Check {
  cli::CheckReport report;

  std::map<std::string, double> worst(double cli::Tally::Worst::*member) const
  {
    std::map<std::string, double> all;
    for (const auto& [name, tally] : report.scores.quantities) all[name] = tally.worst.*member;
    return all;
  }
};

Check check(const TablesOfOneOrMore& theirs, const ModelD& model, const OneOrMoreStates& states)
{
  const std::vector<cli::Claim> claims = claims_of(theirs, model, states);
  return unlocked(any_length(), nullptr, [&] { return Check{report_of(claims, model, false)}; });
}

struct Diagnosed {
  oracle::Diagnosis diagnosis;
  ModelD model;

  std::optional<State> next_state() const
  {
    if (!diagnosis.next_state) return {};
    const oracle::Question& x = *diagnosis.next_state;
    const auto or_zero = [&](const VectorX<double>& v) { return v.size() ? v : VectorX<double>::Zero(model.nv()); };
    return State{array(x.q), array(x.qd), array(or_zero(x.qdd)), array(or_zero(x.tau)), array(x.gravity), {}};
  }
};

Diagnosed diagnose(const TablesOfOneOrMore& theirs, const ModelD& model, const OneOrMoreStates& states)
{
  const std::vector<cli::Claim> claims = claims_of(theirs, model, states);
  return unlocked(any_length(), nullptr, [&] { return Diagnosed{diagnosis_of(claims, model), model}; });
}

void assert_dynamics_equal(const TablesOfOneOrMore& theirs, const ModelD& model, const OneOrMoreStates& states)
{
  const std::vector<cli::Claim> claims = claims_of(theirs, model, states);
  const cli::CheckReport report = unlocked(any_length(), nullptr, [&] { return report_of(claims, model, true); });
  if (report.scores.agrees()) return;
  PyErr_SetString(PyExc_AssertionError, ("\n" + cli::text_of(report)).c_str());
  throw py::error_already_set();
}

std::map<std::string, std::string> quantities()
{
  std::map<std::string, std::string> all;
  for (const oracle::Quantity& quantity : oracle::quantities())
    all[std::string(quantity.name) + (quantity.per_link() ? "LINK" : "")] =
        std::string(quantity.words) + " [" + std::string(quantity.unit) + "]";
  return all;
}

constexpr const char* arguments =
    "theirs: by the name of a quantity (see quantities()) an array of its shape, such as (nv,) for forces and (nv, nv) "
    "for a mass matrix, or a list of such dicts; states: a "
    "State, or a list of as many. ";

}  // namespace

void bind_oracle(py::module_& m)
{
  using oracle::Finding;
  py::class_<Finding>(m, "Finding", "A cause that explains digits that are missing.")
      .def_readonly("cause", &Finding::cause, "A short key; of one link with its name behind a colon.")
      .def_readonly("sentence", &Finding::sentence, "What a person would write to a mailing list.")
      .def_readonly("remedy", &Finding::remedy, "What to change where the numbers are exported.")
      .def_readonly("digits_before", &Finding::digits_before, "Digits of the worst quantity without it.")
      .def_readonly("digits_after", &Finding::digits_after, "Digits of the worst quantity with it.")
      .def_readonly("indistinguishable", &Finding::indistinguishable, "Causes that explain the same numbers as well.")
      .def("__repr__", [](const Finding& finding) { return "Finding(" + finding.cause + ")"; });
  py::class_<Diagnosed>(m, "Diagnosis", "Why digits are missing, as far as the numbers bear it.")
      .def_property_readonly(
          "findings", [](const Diagnosed& x) { return x.diagnosis.findings; },
          "Causes, one or two that act together; none on agreement.")
      .def_property_readonly(
          "unexplained", [](const Diagnosed& x) { return x.diagnosis.unexplained; },
          "Whether digits are missing that nothing explains.")
      .def_property_readonly(
          "words", [](const Diagnosed& x) { return x.diagnosis.words; }, "All of it, in sentences.")
      .def_property_readonly("next_state", &Diagnosed::next_state,
                             "A state that tells apart what these do not, or None.")
      .def("__repr__", [](const Diagnosed& x) { return x.diagnosis.words; });
  py::class_<Check>(m, "Check", "How many digits are right, quantity by quantity.")
      .def_property_readonly(
          "agrees", [](const Check& x) { return x.report.scores.agrees(); },
          "Whether all digits that double precision can have are there, within one.")
      .def_property_readonly(
          "verdict", [](const Check& x) { return x.report.verdict(); }, "The same in a sentence.")
      .def_property_readonly(
          "digits", [](const Check& x) { return x.worst(&cli::Tally::Worst::digits); },
          "By quantity the digits in the state where most are missing.")
      .def_property_readonly(
          "attainable", [](const Check& x) { return x.worst(&cli::Tally::Worst::attainable); },
          "By quantity the digits that can be had there.")
      .def_property_readonly(
          "report", [](const Check& x) { return py::dict(to_python(cli::json_of(x.report))); },
          "What `articulate check --json` writes.")
      .def("__repr__", [](const Check& x) { return cli::text_of(x.report); });
  m.def("quantities", &quantities, "What can be checked: by name what it is, and its units.");
  m.def("check", &check, "theirs"_a, "model"_a, "states"_a,
        (std::string("Score someone's numbers. ") + arguments + "Raises StateError, SizeError, Error.").c_str());
  m.def("diagnose", &diagnose, "theirs"_a, "model"_a, "states"_a,
        (std::string("Say why digits are missing. ") + arguments + "Raises StateError, SizeError, Error.").c_str());
  m.def("assert_dynamics_equal", &assert_dynamics_equal, "theirs"_a, "model"_a, "states"_a,
        (std::string("Raise AssertionError, whose message is the table of digits and the diagnosis, unless all digits "
                     "that double precision can have are there, within one. ") +
         arguments + "Raises StateError, SizeError, Error.")
            .c_str());
}

}  // namespace articulate::python
