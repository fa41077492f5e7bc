#include "options/usage_error.h"

#include <cstdio>
#include <string>
#include <vector>

#include "base/nearest_name.h"
#include "console/console.h"

namespace bertprep::cli {
namespace {

// The commands on the command line, from the program to the innermost.
std::vector<const CLI::App*> named_commands(const CLI::App& program) {
  std::vector<const CLI::App*> commands{&program};
  while (!commands.back()->get_subcommands().empty()) commands.push_back(commands.back()->get_subcommands().front());
  return commands;
}

std::vector<const CLI::App*> commands_in(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// What a mistyped word may have meant, among the available flags and commands.
std::string suggestion(const std::vector<const CLI::App*>& commands, const std::string& word) {
  std::vector<std::string> names;
  if (word.starts_with("-")) {
    for (const CLI::App* app : commands) {
      for (const CLI::Option* option : app->get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      }
    }
  } else {
    for (const CLI::App* command : commands_in(*commands.back())) names.push_back(command->get_name());
  }
  const bool takes_inputs = commands.back()->get_option_no_throw("--input") != nullptr;
  if (names.empty() && takes_inputs) return "; give files with --input";
  return suggestion_text(word.substr(0, word.find('=')), names);
}

}  // namespace

int report_usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> commands = named_commands(program);
  std::string name;
  for (const CLI::App* command : commands) name += (name.empty() ? "" : " ") + command->get_name();
  std::string message = in_flags(error.what());
  std::vector<std::string> extra = program.remaining(true);
  std::erase(extra, "--");  // kept by CLI11, though it only ends the flags
  if (!extra.empty()) {
    message = "unknown argument '" + extra.front() + "'" + suggestion(commands, extra.front());
  } else if (!commands_in(*commands.back()).empty() && commands.back()->get_require_subcommand_min() > 0) {
    const std::string help =
        commands.back()->get_formatter()->make_help(commands.back(), name, CLI::AppFormatMode::All);
    std::fprintf(stderr, "%s\n%s: error: a command is missing\n", help.c_str(), program.get_name().c_str());
    return kUsage;
  }
  std::fprintf(stderr, "%s: error: %s\nTry '%s -h'.\n", program.get_name().c_str(), message.c_str(), name.c_str());
  return kUsage;
}

}  // namespace bertprep::cli
