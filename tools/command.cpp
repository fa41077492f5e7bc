#include "command.h"

namespace bertprep::cli {

Command::Command(CLI::App& parent, const std::string& name, const std::string& purpose, const std::string& examples)
    : app_(parent.add_subcommand(name, purpose)) {
  app_->footer("Every command takes -q, -v and --json, too (bertprep --help).\n\nExamples:\n" + examples);
  app_->fallthrough();
}

}  // namespace bertprep::cli
