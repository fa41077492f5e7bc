#include "options/command.h"

#include <array>
#include <optional>

#include "base/fields.h"
#include "console/standard_input.h"
#include "help/help_text.h"

namespace bertprep::cli {

CLI::Validator within(std::uint64_t least, std::uint64_t most) {
  const auto take = [least, most](std::string& text) -> std::string {
    const std::optional<std::int64_t> count = count_in(text);
    if (!count) return "'" + text + "' is not a whole number; write it like 30000, 30k or 1.5M";
    const bool is_in_range =
        *count >= 0 && static_cast<std::uint64_t>(*count) >= least && static_cast<std::uint64_t>(*count) <= most;
    if (!is_in_range) {
      const double max = most == kAnyCount ? std::numeric_limits<double>::infinity() : static_cast<double>(most);
      return "is " + text + ", " + range_rule(static_cast<double>(least), max);
    }
    text = std::to_string(*count);
    return {};
  };
  return {take, std::string()};
}

Command::Command(CLI::App& self, const std::string& examples) : app_(&self) {
  app_->footer("Examples:\n" + examples);
  app_->fallthrough();
}

void Command::show_first(std::vector<std::string> essentials) {
  app_->formatter(std::make_shared<HelpText>(std::move(essentials)));
}

void Command::read_standard_input(std::vector<std::filesystem::path>& inputs, std::string& vocab,
                                  const std::filesystem::path& folder, Console& console) const {
  if (options_.reads_standard_input()) {
    constexpr const char* kWhy = "--config reads it";
    refuse_standard_input(inputs, kWhy);
    refuse_standard_input(std::array{std::filesystem::path(vocab)}, kWhy);
  }
  take_standard_input(inputs, vocab, folder, console);
}

void Command::read_standard_input(std::vector<std::filesystem::path>& inputs, const std::filesystem::path& folder,
                                  Console& console) const {
  std::string none;
  read_standard_input(inputs, none, folder, console);
}

}  // namespace bertprep::cli
