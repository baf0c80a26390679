/** \file
 *  \brief The program of the proofs: `verify`, apart from the rest of the command line, for it takes minutes to build.
 */
#include "command_line.hpp"
#include "verify.hpp"

int main(int argc, char** argv)
{
  using namespace articulate::cli;
  CLI::App app("Prove every identity on a robot or on all built-in models", "articulate verify");
  VerifyOptions options;
  add_verify_options(app, options);
  return run(app, argc, argv, [&] { return verify(options); });
}
