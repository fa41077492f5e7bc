#include "command.h"

#include "help_text.h"

namespace bertprep::cli {

Command::Command(CLI::App& parent, const std::string& name, const std::string& purpose, const std::string& examples)
    : app_(parent.add_subcommand(name, purpose)) {
  app_->footer("Examples:\n" + examples);
  app_->fallthrough();
}

void Command::show_first(std::vector<std::string> essentials) {
  app_->formatter(std::make_shared<HelpText>(std::move(essentials)));
}

}  // namespace bertprep::cli
