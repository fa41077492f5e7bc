#include "batch/environment.h"

#include <charconv>

#include "bertprep/base/error.h"

namespace bertprep {

std::string text_of(const Environment& environment, const char* variable) {
  const char* value = environment(variable);
  return value == nullptr ? "" : value;
}

std::optional<std::uint64_t> number_of(const Environment& environment, const char* variable) {
  const std::string text = text_of(environment, variable);
  if (text.empty() || text == "undefined") return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return number;
  throw ConfigError(std::string(variable) + " is '" + text + "', which is not a valid index", {},
                    "unset it, or say which task this is with --array-task and --array-count");
}

}  // namespace bertprep
