#include "options/command.h"

#include <array>

#include "console/standard_input.h"
#include "help/help_text.h"

namespace bertprep::cli {

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
