/// What an engine answers, line by line: at the start, about the model, about states. The engine is not a process here.
#include <cli/claims.hpp>
#include <cli/conversation.hpp>
#include <sstream>
#include "fuzz.hpp"

namespace {
std::istringstream answers;
}

namespace articulate::cli {

Engine::Engine(std::vector<std::string> words, EngineLimits limits) : words_(std::move(words)), limits_(limits) {}
Engine::~Engine() = default;
void Engine::stop(const std::string&) {}

std::string Engine::ask(const std::string&)
{
  std::string line;
  if (!std::getline(answers, line)) throw EngineError("the engine ended by itself instead of answering.");
  return line;
}

}  // namespace articulate::cli

void articulate::fuzz::read(const std::string& text)
{
  const Model<double>& model = machine(false);
  const VectorX<double> zero = VectorX<double>::Zero(model.nv());
  VectorX<double> q = VectorX<double>::Zero(model.nq());
  q(model.nq() - 1) = 1;
  const oracle::Question question{q, zero, zero, zero, model.gravity(), {}};
  std::vector<std::string> wanted;
  for (const oracle::Quantity& quantity : oracle::quantities()) wanted.emplace_back(quantity.name);

  answers.clear();
  answers.str(text);
  cli::Conversation conversation({"engine"}, {});
  if (const cli::Json message = conversation.message_of(model); !message.is_null()) conversation.model(message);
  for (int number = 0; answers && !conversation.has_given_up(); ++number) try {
      const auto answer =
          conversation.answer(number, conversation.quantities_of(wanted), cli::state_of(question, model, nullptr));
      cli::Claim claim;
      claim.question = question;
      if (const cli::Json* given = std::get_if<cli::Json>(&answer))
        cli::read_answers(*given, "the engine", model, claim);
    } catch (const Error&) {
      // An answer that is refused is counted, and the next state asked about.
    }
  conversation.stop();
}
