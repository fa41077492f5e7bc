#include "help/help_text.h"

#include <algorithm>
#include <sstream>

#include "base/number_text.h"
#include "help/command_facts.h"

namespace bertprep::cli {
namespace {

constexpr std::size_t kTextColumn = 26;
constexpr std::size_t kLineWidth = 80;
constexpr std::string_view kUsageLabel = "Usage: ";

// Lines that end before kLineWidth, all but the first indented by `indent`.
std::string in_lines(const std::vector<std::string>& words, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  for (const std::string& word : words) {
    const bool begins = column == indent;
    if (!begins && column + 1 + word.size() > kLineWidth) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!begins) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

// "default 5" is one word.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word, value; stream >> word;) {
    if (word.ends_with("default") && stream >> value) word += " " + value;
    words.push_back(word);
  }
  return in_lines(words, indent);
}

// Many choices take several lines, which break between choices.
std::string name_lines(std::string_view name) {
  constexpr std::string_view kIndent = "  ";
  std::string lines(kIndent);
  while (kIndent.size() + name.size() > kLineWidth) {
    const std::size_t end = name.rfind('|', kLineWidth - kIndent.size() - 1);
    if (end == std::string_view::npos) break;
    lines.append(name.substr(0, end + 1)).append("\n").append(kIndent);
    name.remove_prefix(end + 1);
  }
  return lines.append(name);
}

std::string entry(const std::string& name, const std::string& text) {
  std::string line = name_lines(name);
  if (line.size() + 2 > kTextColumn) line += "\n";
  const std::size_t column = line.ends_with('\n') ? 0 : line.size();
  return line + std::string(kTextColumn - column, ' ') + wrapped(text, kTextColumn) + "\n";
}

// "-o,--output FILE"
std::string flag_name(const OptionFacts& option) {
  const std::string names = joined(option.flags(), ",");
  return option.value.empty() ? names : names + " " + option.values();
}

std::string list_of(const std::vector<OptionFacts>& options) {
  return joined(options, "", [](const OptionFacts& option) { return entry(flag_name(option), option.help); });
}

std::string all_options(const CommandFacts& command) {
  const auto list = [](const GroupFacts& group) { return "\n" + group.title + ":\n" + list_of(group.options); };
  return joined(command.groups, "", list);
}

bool is_among(const OptionFacts& option, const std::string& essentials) {
  const auto is_named = [&](const std::string& word) {
    return (essentials + " ").find("--" + word + " ") != std::string::npos;
  };
  return std::ranges::any_of(option.words, is_named);
}

std::string essential_options(const CommandFacts& command, const std::string& essentials) {
  std::vector<OptionFacts> shown;
  std::size_t count = 0;
  for (const GroupFacts& group : command.groups) {
    count += group.options.size();
    std::ranges::copy_if(group.options, std::back_inserter(shown),
                         [&](const OptionFacts& option) { return is_among(option, essentials); });
  }
  return "\nMost used options:\n" + list_of(shown) + "\n" +
         wrapped("'" + command.name + " --help' shows all " + std::to_string(count) +
                     " options, in groups: " + joined(command.groups, ", ", &GroupFacts::title) + ".",
                 0) +
         "\n";
}

}  // namespace

std::string HelpText::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  const CommandFacts command = facts_of(*app, name);
  std::string text = wrapped(command.purpose, 0) + "\n\n" + std::string(kUsageLabel) +
                     in_lines(usage_of(command), kUsageLabel.size()) + "\n";
  if (!command.commands.empty()) text += "\nCommands:\n";
  for (const CommandFacts& inner : command.commands) {
    text += entry(inner.name.substr(command.name.size() + 1), inner.purpose);
  }
  if (!command.arguments.empty()) text += "\nArguments:\n";
  for (const OptionFacts& argument : command.arguments) text += entry(argument.values(), argument.help);
  const bool shows_all = essentials_.empty() || mode == CLI::AppFormatMode::All;
  text += shows_all ? all_options(command) : essential_options(command, essentials_);
  if (!command.notes.empty()) text += "\n" + command.notes + "\n";
  if (!command.examples.empty()) text += "\nExamples:\n" + command.examples + "\n";
  return text;
}

void add_help_flags(CLI::App& program) {
  program.set_help_flag("-h", "show the most used options and exit");
  program.set_help_all_flag("--help", "show all options and exit");
}

}  // namespace bertprep::cli
