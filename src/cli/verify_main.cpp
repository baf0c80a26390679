/** \file
 *  \brief The program of the proofs: `verify`, apart from the rest of the command line, for it takes minutes to build.
 */
#include "command_line.hpp"
#include "verify.hpp"

int main(int argc, char** argv)
{
  using namespace articulate::cli;
  CLI::App app("Articulated rigid body dynamics, proved number by number", "articulate");
  app.require_subcommand(1);
  VerifyOptions options;
  CLI::App* command = app.add_subcommand("verify", "prove every identity on a robot or on all built-in models");
  add_verify_options(*command, options);
  return run(app, argc, argv, [&] { return verify(options); });
}
