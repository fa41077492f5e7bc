#include "options/command.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "console/standard_input.h"
#include "help/embedded.h"
#include "help/help_text.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

constexpr std::string_view kShownFirst = "  -h ";

// The first two words of the command line: no flag of a program takes a value before its command.
std::string first_words(std::span<char* const> arguments) {
  std::vector<std::string> words(arguments.begin() + std::min<std::ptrdiff_t>(std::ssize(arguments), 1),
                                 arguments.end());
  std::erase_if(words, [](const std::string& word) { return word.starts_with('-'); });
  words.resize(std::min<std::size_t>(words.size(), 2));
  return joined(words, " ");
}

CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& purpose) {
  const std::size_t blank = name.find(' ');
  CLI::App& group = blank == std::string::npos ? program : *program.get_subcommand(name.substr(0, blank));
  return *group.add_subcommand(blank == std::string::npos ? name : name.substr(blank + 1), purpose);
}

// CLI11 2.4 refuses such names, 2.3 takes them.
void require_distinct_names(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional() || command.get_option_no_throw("--" + option->get_name(true)) == nullptr) continue;
    throw std::logic_error(command.get_name() + ": an argument has the name of --" + option->get_name(true));
  }
}

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

CommandTable::CommandTable(CLI::App& program, std::string_view texts, std::span<const CommandEntry> entries,
                           std::span<char* const> arguments) {
  const std::string words = first_words(arguments);
  const auto is_asked = [&](std::string_view name) { return (words + " ").starts_with(std::string(name) + " "); };
  const bool needs_all = std::ranges::any_of(text_commands(), is_asked, &CommandEntry::name);
  const auto is_needed = [&](std::string_view name) { return needs_all || is_asked(name); };
  add(program, std::string(texts), entries, is_needed);
  std::string own_texts(embedded::kTextCommands);
  replace_all(own_texts, "PROGRAM", program.get_name());
  add(program, own_texts, text_commands(), is_needed);
}

void CommandTable::add(CLI::App& program, const std::string& texts, std::span<const CommandEntry> entries,
                       const std::function<bool(std::string_view)>& is_needed) {
  std::istringstream lines(texts);
  std::string line;
  std::getline(lines, line);
  while (lines) {
    const std::string name = line.substr(0, line.find(": "));
    CLI::App& app = add_command(program, name, line.substr(name.size() + 2));
    std::string examples;
    while (std::getline(lines, line) && line.starts_with("  ")) {
      if (line.starts_with(kShownFirst)) {
        app.formatter(std::make_shared<HelpText>(line.substr(kShownFirst.size())));
      } else {
        examples += "\n" + line;
      }
    }
    const auto entry = std::ranges::find(entries, name, &CommandEntry::name);
    if (entry == entries.end()) {
      app.require_subcommand(1);
      app.fallthrough();
    } else if (is_needed(name)) {
      app.footer("Examples:" + examples);
      made_.push_back(entry->make(app));
      require_distinct_names(app);
      refuse_empty_values(app);
    }
  }
}

Command* CommandTable::parsed() const {
  const auto found = std::ranges::find_if(made_, [](const auto& command) { return command->app().parsed(); });
  return found == made_.end() ? nullptr : found->get();
}

int report_usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> commands = named_commands(program);
  const std::string name = joined(commands, " ", [](const CLI::App* command) { return command->get_name(); });
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
