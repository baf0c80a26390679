#include "verify_options.hpp"
#include <articulate/aba/forward_dynamics.hpp>
#include "load.hpp"
#include "output.hpp"

namespace articulate::cli {

void check(const VerifyOptions& options)
{
  if (options.states && *options.states < 1)
    throw Error("--states is " + std::to_string(*options.states) + "; it must be at least 1.");
  require_distinct({{"--model", options.choice.model}}, {{"--json", options.json}, {"--html", options.html}});
  require_writable(options.json);
  require_writable(options.html);
  if (options.choice.model.empty()) return;
  if (options.choice.model == "-")
    throw Error("--model - asks for standard input, which verify does not read; give the model as a file.");
  const Model<double> model = load(options.choice);
  const ForwardDynamics<double> accepted(model);  // refuses a joint that moves no mass, as specimens do
}

}  // namespace articulate::cli
