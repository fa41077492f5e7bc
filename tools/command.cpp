#include "command.h"

#include "help_text.h"
#include "standard_input.h"

namespace bertprep::cli {

Command::Command(CLI::App& parent, const std::string& name, const std::string& purpose, const std::string& examples)
    : app_(parent.add_subcommand(name, purpose)) {
  app_->footer("Examples:\n" + examples);
  app_->fallthrough();
}

void Command::show_first(std::vector<std::string> essentials) {
  app_->formatter(std::make_shared<HelpText>(std::move(essentials)));
}

void Command::read_standard_input(std::vector<std::filesystem::path>& inputs, const std::filesystem::path& folder,
                                  Console& console) const {
  if (options_.reads_standard_input()) refuse_standard_input(inputs, "--config reads it");
  take_standard_input(inputs, folder, console);
}

}  // namespace bertprep::cli
