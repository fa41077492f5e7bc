// One machine-readable event: a JSON object on one line of stdout (docs/formats/events.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/number_text.h"
#include "bertprep/base/progress.h"

namespace bertprep::cli {

class JsonEvent {
 public:
  explicit JsonEvent(std::string_view name);
  JsonEvent& text(std::string_view key, std::string_view value);
  JsonEvent& number(std::string_view key, std::uint64_t value);
  JsonEvent& real(std::string_view key, double value);
  // Adds an object of numbers.
  JsonEvent& counts(std::string_view key, const ReasonCounts& counts);
  // Adds a value that is already JSON, on one line.
  JsonEvent& json(std::string_view key, std::string_view value);
  JsonEvent& flag(std::string_view key, bool value);
  template <class Numbers>
  JsonEvent& numbers(std::string_view key, const Numbers& values) {
    return json(key, "[" + shape_text(values, ",") + "]");
  }
  JsonEvent& texts(std::string_view key, std::span<const std::string> values);
  // The event, without a line end.
  std::string line() const { return line_ + "}"; }
  void print() const;

 private:
  std::string line_;
};

}  // namespace bertprep::cli
