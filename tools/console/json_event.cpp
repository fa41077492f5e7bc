#include "console/json_event.h"

#include <cstdio>

#include "io/json.h"

namespace bertprep::cli {
namespace {

std::string quoted_json(std::string_view text) {
  std::string quoted;
  append_json_string(text, quoted);
  return quoted;
}

}  // namespace

JsonEvent::JsonEvent(std::string_view name) : line_("{\"event\":" + quoted_json(name)) {}

JsonEvent& JsonEvent::json(std::string_view key, std::string_view value) {
  line_ += "," + quoted_json(key) + ":";
  line_ += value;
  return *this;
}

JsonEvent& JsonEvent::text(std::string_view key, std::string_view value) {
  return json(key, quoted_json(value));
}

JsonEvent& JsonEvent::number(std::string_view key, std::uint64_t value) {
  return json(key, std::to_string(value));
}

JsonEvent& JsonEvent::real(std::string_view key, double value) {
  return json(key, shortest_decimal(value));
}

JsonEvent& JsonEvent::flag(std::string_view key, bool value) {
  return json(key, value ? "true" : "false");
}

JsonEvent& JsonEvent::counts(std::string_view key, const ReasonCounts& counts) {
  const auto member = [](const auto& count) { return quoted_json(count.first) + ":" + std::to_string(count.second); };
  return json(key, "{" + joined(counts.by_reason(), ",", member) + "}");
}

JsonEvent& JsonEvent::texts(std::string_view key, std::span<const std::string> values) {
  return json(key, "[" + joined(values, ",", quoted_json) + "]");
}

void JsonEvent::print() const {
  std::fprintf(stdout, "%s}\n", line_.c_str());
  std::fflush(stdout);
}

}  // namespace bertprep::cli
