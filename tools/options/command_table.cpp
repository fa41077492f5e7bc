#include "options/command_table.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "options/named_path.h"

namespace bertprep::cli {
namespace {

// The first words of the command line: no flag of a program takes a value before its command.
std::string first_words(std::span<char* const> arguments, std::size_t count) {
  std::string words;
  for (const std::string_view argument : arguments.subspan(std::min<std::size_t>(arguments.size(), 1))) {
    if (argument.starts_with('-')) continue;
    if (count-- == 0) break;
    words += (words.empty() ? "" : " ") + std::string(argument);
  }
  return words;
}

CLI::App& add_command(CLI::App& program, const CommandEntry& entry) {
  const std::string name = entry.name;
  const std::size_t blank = name.find(' ');
  CLI::App& group = blank == std::string::npos ? program : *program.get_subcommand(name.substr(0, blank));
  return *group.add_subcommand(blank == std::string::npos ? name : name.substr(blank + 1), entry.purpose);
}

// CLI11 2.4 refuses such names, 2.3 takes them.
void require_distinct_names(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || command.get_option_no_throw("--" + option->get_name(true)) == nullptr) continue;
    throw std::logic_error(command.get_name() + ": an argument has the name of --" + option->get_name(true));
  }
}

}  // namespace

CommandTable::CommandTable(CLI::App& program, std::span<const CommandEntry> entries, std::span<char* const> arguments) {
  const std::string word = first_words(arguments, 1);
  const std::string words = first_words(arguments, 2);
  const bool needs_all =
      std::ranges::any_of(text_commands(), [&](const CommandEntry& text) { return text.name == word; });
  const auto add = [&](const CommandEntry& entry) {
    CLI::App& app = add_command(program, entry);
    if (entry.make == nullptr) {
      app.require_subcommand(1);
      app.fallthrough();
    } else if (needs_all || entry.name == word || entry.name == words) {
      made_.push_back(entry.make(app));
      require_distinct_names(app);
      refuse_empty_values(app);
    }
  };
  std::ranges::for_each(entries, add);
  std::ranges::for_each(text_commands(), add);
}

Command* CommandTable::parsed() const {
  const auto found = std::ranges::find_if(made_, [](const auto& command) { return command->app().parsed(); });
  return found == made_.end() ? nullptr : found->get();
}

}  // namespace bertprep::cli
