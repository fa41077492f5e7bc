#include "console/json_event.h"

#include <cstdio>

#include "base/number_text.h"
#include "io/json.h"

namespace bertprep::cli {
namespace {

std::string quoted_json(std::string_view text) {
  return Json::string(std::string(text)).dump_line();
}

}  // namespace

JsonEvent::JsonEvent(std::string_view name) : line_("{\"event\":" + quoted_json(name)) {}

JsonEvent& JsonEvent::text(std::string_view key, std::string_view value) {
  line_ += "," + quoted_json(key) + ":" + quoted_json(value);
  return *this;
}

JsonEvent& JsonEvent::number(std::string_view key, std::uint64_t value) {
  line_ += "," + quoted_json(key) + ":" + std::to_string(value);
  return *this;
}

JsonEvent& JsonEvent::real(std::string_view key, double value) {
  line_ += "," + quoted_json(key) + ":" + shortest_decimal(value);
  return *this;
}

JsonEvent& JsonEvent::counts(std::string_view key, const ReasonCounts& counts) {
  std::string object;
  for (const auto& [reason, times] : counts.by_reason()) {
    object += (object.empty() ? "" : ",") + quoted_json(reason) + ":" + std::to_string(times);
  }
  line_ += "," + quoted_json(key) + ":{" + object + "}";
  return *this;
}

JsonEvent& JsonEvent::json(std::string_view key, std::string_view value) {
  line_ += "," + quoted_json(key) + ":";
  line_ += value;
  return *this;
}

JsonEvent& JsonEvent::flag(std::string_view key, bool value) {
  line_ += "," + quoted_json(key) + (value ? ":true" : ":false");
  return *this;
}

JsonEvent& JsonEvent::numbers(std::string_view key, std::span<const std::int32_t> values) {
  line_ += "," + quoted_json(key) + ":[";
  for (const std::int32_t value : values) line_ += std::to_string(value) + ",";
  if (!values.empty()) line_.pop_back();
  line_ += ']';
  return *this;
}

JsonEvent& JsonEvent::texts(std::string_view key, std::span<const std::string> values) {
  line_ += "," + quoted_json(key) + ":[";
  for (const std::string& value : values) line_ += quoted_json(value) + ",";
  if (!values.empty()) line_.pop_back();
  line_ += ']';
  return *this;
}

void JsonEvent::print() {
  std::fprintf(stdout, "%s}\n", line_.c_str());
  std::fflush(stdout);
}

}  // namespace bertprep::cli
