#include "conversation.hpp"
#include <algorithm>
#include "json_reader.hpp"
#include "load.hpp"
#include "loops.hpp"
#include "state.hpp"

namespace articulate::cli {
namespace {

constexpr const char* source = "the engine";

[[noreturn]] void refuse(const std::string& sentence) { throw StateError(std::string(source) + " " + sentence); }

/// A name as it is, or one that ends in a colon for those of every link.
bool covers(const std::string& known, const std::string& name)
{
  return known == name || (known.ends_with(':') && name.starts_with(known));
}

/// The beginning of what an engine writes.
std::string quote(const std::string& line) { return "'" + cleaned(line, 60) + "'"; }

/// Why an engine cannot do what it is asked for.
std::string reason_in(const Json& object)
{
  const Json& reason = object["cannot"];
  return reason.is_string() ? cleaned(reason, longest_quote) : "no reason given";
}

}  // namespace

Json state_of(const oracle::Question& question, const Model<double>& model, const Json& external_wrenches)
{
  const int base = model.floating_base() ? 7 : 0;
  Json state;
  if (base)
    state["base"] = {{"position", numbers(VectorX<double>(question.q.head(3)))},
                     {"quaternion_xyzw", numbers(VectorX<double>(question.q.segment(3, 4)))}};
  state["q"] = numbers(VectorX<double>(question.q.tail(model.nq() - base)));
  state["qd"] = numbers(question.qd);
  if (question.qdd.size()) state["qdd"] = numbers(question.qdd);
  if (question.tau.size()) state["tau"] = numbers(question.tau);
  state["gravity"] = numbers(question.gravity);
  if (external_wrenches.is_object() && !external_wrenches.empty()) state["external_wrenches"] = external_wrenches;
  return state;
}

Conversation::Conversation(std::vector<std::string> command, EngineLimits limits)
    : command_(std::move(command)), limits_(limits)
{
  start();
}

void Conversation::start()
{
  child_ = std::make_unique<Engine>(command_, limits_);
  const Json message{{"message", "start"}, {"protocol", 1}, {"by", "articulate"}};
  Json engine = said(child_->ask(one_line(message)), "start");
  for (const char* key : {"name", "version"})
    if (!engine.contains(key) || !engine[key].is_string())
      refuse(std::string("starts without its ") + key + "; it must be a text in its answer to start.");
  for (const char* key : {"name", "version"}) engine[key] = cleaned(engine[key], longest_quote);
  if (!engine.contains("formats")) engine["formats"] = {"urdf"};
  for (const char* key : {"quantities", "formats"}) {
    const Json& list = engine.contains(key) ? engine[key] : Json();
    if (!list.is_array() || list.empty() ||
        !std::all_of(list.begin(), list.end(), [](const Json& one) { return one.is_string(); }))
      refuse(std::string("starts without its ") + key + "; they must be a list of names in its answer to start.");
  }
  if (!engine.contains("loops")) engine["loops"] = false;
  if (!engine["loops"].is_boolean()) refuse("starts with loops that are neither true nor false.");
  engine_ = std::move(engine);
}

Json Conversation::said(const std::string& line, const std::string& reply) const
{
  if (line.find_first_not_of(" \t\r") == std::string::npos)
    refuse("writes a blank line where a JSON object is needed; each of its lines must be an answer.");
  Json object = parse_json(line, std::string(source) + " writes the line " + quote(line), "its answer");
  if (!object.is_object() || !object.contains("message") || object["message"] != reply)
    refuse("writes the line " + quote(line) + ", which is no object whose message is '" + reply + "'.");
  return object;
}

/// One message and its reply; after a failure the engine is gone.
Json Conversation::ask(const Json& message, const std::string& reply)
{
  try {
    if (!child_) {
      start();
      if (!model_.is_null() && message["message"] != "model") said(child_->ask(one_line(model_)), "model");
    }
    const Json object = said(child_->ask(one_line(message)), reply);
    if (message.contains("number") && (!object.contains("number") || object["number"] != message["number"]))
      refuse("answers number " + (object.contains("number") ? object["number"].dump() : std::string("nothing")) +
             " where " + message["number"].dump() + " is asked.");
    failures_ = 0;
    return object;
  } catch (const Error&) {
    child_.reset();
    ++failures_;
    throw;
  }
}

std::vector<std::string> Conversation::quantities_of(const std::vector<std::string>& wanted) const
{
  std::vector<std::string> names;
  for (const std::string& name : wanted)
    for (const Json& known : engine_["quantities"])
      if (covers(known, name)) {
        names.push_back(name);
        break;
      }
  return names;
}

bool Conversation::reads(const std::string& format) const
{
  const Json& formats = engine_["formats"];
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

bool Conversation::closes_loops() const { return engine_["loops"]; }

Json Conversation::message_of(const Model<double>& model, const CutJoints& loops, const std::string& original,
                              const std::string& original_format) const
{
  Json message{{"message", "model"}, {"name", model.mechanism().name}};
  std::vector<std::string> formats = robot_formats;
  if (original_format == "mjcf") std::swap(formats.front(), formats.back());
  for (const std::string& format : formats) {
    if (!reads(format)) continue;
    message["format"] = format;
    try {
      message["text"] = format == original_format ? original : robot_text(model, format);
    } catch (const ModelError&) {
      continue;
    }
    message["floating_base"] = model.floating_base();
    message["gravity"] = numbers(model.gravity());
    message["joints"] = Json::array(), message["links"] = Json::array();
    for (const JointSlot& joint : model.joints())
      if (!model.floating_base() || joint.v > 0) message["joints"].push_back(joint.name);
    for (const Link& link : model.mechanism().links) message["links"].push_back(link.name);
    if (loops && closes_loops()) {
      LoopFile file;
      file.loops = *loops;
      message["loops"] = written(file, model)["loops"];
    }
    return message;
  }
  return nullptr;
}

std::optional<std::string> Conversation::model(const Json& message)
{
  model_ = nullptr;
  const Json object = ask(message, "model");
  if (object.contains("cannot")) return reason_in(object);
  model_ = message;
  return {};
}

std::variant<Json, std::string> Conversation::answer(std::int64_t number, const std::vector<std::string>& quantities,
                                                     const Json& state)
{
  const Json object =
      ask({{"message", "state"}, {"number", number}, {"quantities", quantities}, {"state", state}}, "answer");
  if (object.contains("cannot")) return reason_in(object);
  if (!object.contains("answers")) refuse("answers without answers, and without cannot.");
  return object["answers"];
}

void Conversation::stop()
{
  if (child_) child_->stop(one_line({{"message", "stop"}}));
  child_.reset();
}

}  // namespace articulate::cli
