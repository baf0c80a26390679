/** \file
 *  \brief The ledger in Python: its rows, errata and identities, and their proof on a robot.
 */
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <articulate/model/model.hpp>
#include <cli/progress_bar.hpp>
#include <cli/verification.hpp>
#include <ledger/registry.hpp>
#include "json.hpp"
#include "path.hpp"
#include "unmade.hpp"

namespace articulate::python {

namespace py = pybind11;

namespace {

using namespace py::literals;
using validation::ErratumRow;
using validation::Row;

using Choice = std::optional<std::variant<std::string, std::filesystem::path, Model<double>>>;

/// A model that exists was accepted when it was made: it is not judged again.
std::vector<cli::Subject> subjects(const Choice& choice, bool floating_base, bool accept_unphysical)
{
  if (!choice) return cli::subjects({"", floating_base, accept_unphysical});
  if (const auto* model = std::get_if<Model<double>>(&*choice))
    return {{model->mechanism().source, model->mechanism(), {floating_base || model->floating_base(), true}}};
  const auto* name = std::get_if<std::string>(&*choice);
  return cli::subjects(
      {name ? *name : std::get<std::filesystem::path>(*choice).string(), floating_base, accept_unphysical});
}

py::dict verify(const Choice& choice, bool floating_base, std::optional<int> states, std::uint64_t seed, bool progress,
                bool accept_unphysical, bool quick)
{
  if (states && *states < 1) throw Error("states is " + std::to_string(*states) + "; it must be at least 1.");
  const std::vector<cli::Subject> all = subjects(choice, floating_base, accept_unphysical);
  const cli::ProgressBar bar;
  cli::Listener listener;
  listener.state = [&](const cli::Subject& subject, int done, int total) {
    if (progress) bar.show(subject.name, done, total);
    const py::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() == 0) return;
    bar.clear();
    throw py::error_already_set();  // Ctrl-C
  };
  const cli::Verification verification = [&] {
    const py::gil_scoped_release release;
    return cli::verified(all, states.value_or(cli::usual_states(all)), seed, listener, quick);
  }();
  if (progress) bar.clear();
  return to_python(cli::to_json(verification));
}

struct IdentityEntry {
  std::string name, chapter, method, symbols;
  std::vector<std::string> keys;
};

std::vector<IdentityEntry> identities()
{
  std::vector<IdentityEntry> all;
  for (const auto& [chapter, identity] : validation::Registry<double>::instance().identities)
    all.push_back({identity.name, chapter, identity.method, identity.symbols, identity.keys});
  return all;
}

}  // namespace

PYBIND11_MODULE(ledger, ledger)
{
  ledger.doc() = "Every numbered equation of the five papers and our own rows, and their proofs.";
  py::module_::import("articulate._articulate");  // its models and its errors are meant here, too
  py::class_<validation::Row>(ledger, "Row", "A row of the ledger: one numbered equation, table, lemma or example.")
      .def_readonly("key", &validation::Row::key, "paper:number, as in kim:41.")
      .def_readonly("paper", &validation::Row::paper, "kim, park, ploen, ali, ma or ours.")
      .def_readonly("section", &validation::Row::section, "Of the paper.")
      .def_readonly("kind", &validation::Row::kind, "Equation, table, lemma, ...")
      .def_readonly("statement", &validation::Row::statement, "What it says, in LaTeX.")
      .def_readonly("chapter", &validation::Row::chapter, "Of this book.")
      .def_readonly("symbol", &validation::Row::symbol, "What implements it; - for nothing.")
      .def_readonly("ground", &validation::Row::ground,
                    "What is known of the print: legible, number inferred, reconstructed, ours, fitted.")
      .def_property_readonly(
          "claim", [](const validation::Row& row) { return validation::name(row.claim); },
          "What it claims: statement, definition, setting, published (a number) or lost.")
      .def_property_readonly(
          "clauses",
          [](const validation::Row& row) {
            std::vector<std::pair<std::string, std::string>> clauses;
            for (const validation::Clause& clause : row.clauses) clauses.emplace_back(clause.key, clause.says);
            return clauses;
          },
          "Its parts that can be right or wrong by themselves: pairs of a key and what it says (empty: the statement).")
      .def_readonly("note", &validation::Row::note, "What else there is to say; - for nothing.")
      .def_readonly("errata", &validation::Row::errata, "The ids of its errata; empty when the print is right.")
      .def("__repr__", [](const validation::Row& row) { return "Row(" + row.key + ")"; });
  py::class_<ErratumRow>(ledger, "Erratum", "What is printed, what is right, and whose slip it is.")
      .def_readonly("id", &ErratumRow::id, "As in E-park-1.")
      .def_readonly("keys", &ErratumRow::keys, "The rows that it concerns.")
      .def_readonly("kind", &ErratumRow::kind, "author, reading, convention, undecided or remark.")
      .def_readonly("printed", &ErratumRow::printed, "The printed form, in LaTeX.")
      .def_readonly("corrected", &ErratumRow::corrected, "The right form, in LaTeX.")
      .def_readonly("reason", &ErratumRow::reason, "Why.")
      .def("__repr__", [](const ErratumRow& row) { return "Erratum(" + row.id + ")"; });
  py::class_<IdentityEntry>(ledger, "Identity", "What is evaluated on a robot to prove rows of the ledger.")
      .def_readonly("name", &IdentityEntry::name, "A sentence that states a law.")
      .def_readonly("chapter", &IdentityEntry::chapter, "Where it belongs.")
      .def_readonly("keys", &IdentityEntry::keys,
                    "The clauses that it proves: a row's key, or key/clause where a row has several.")
      .def_readonly("method", &IdentityEntry::method, "How the two sides are independent.")
      .def_readonly("symbols", &IdentityEntry::symbols, "What it tests: breaking one of them makes it fail.")
      .def("__repr__", [](const IdentityEntry& identity) { return "Identity(" + identity.name + ")"; });
  refuse_unmade_objects(ledger);
  using OthersRun = py::call_guard<py::gil_scoped_release>;
  ledger.def("rows", &validation::ledger_rows, OthersRun(), "All rows, paper by paper.");
  ledger.def("errata", &validation::errata_rows, OthersRun(), "All errata.");
  ledger.def("identities", &identities, OthersRun(), "All identities, chapter by chapter.");
  ledger.def(
      "verify", &verify, "model"_a = py::none(), "floating_base"_a = false, "states"_a = py::none(), "seed"_a = 1,
      "progress"_a = true, "accept_unphysical"_a = false, "quick"_a = false,
      "Prove every identity on a robot (a Model, a built-in name, a URDF or MJCF file), or without one on all built-in "
      "models, in so many random states of each: without a number 10, on more than 60 links 2; quick measures kappa "
      "only where a comparison does not hold with kappa = 1. Returns what `articulate verify --json` writes, with the "
      "same numbers. Shows a bar on a terminal; Ctrl-C stops it after the "
      "state in hand with KeyboardInterrupt. Raises ModelError.");
}

}  // namespace articulate::python
