#include "help_text.h"

#include <sstream>
#include <vector>

namespace bertprep::cli {
namespace {

constexpr std::size_t kTextColumn = 34;
constexpr std::size_t kLineWidth = 110;

// `text` in lines that end before kLineWidth, all but the first beginning at kTextColumn. "(default 5)" is one word.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = kTextColumn;
  for (std::string word, value; words >> word;) {
    if (word == "(default" && words >> value) word += " " + value;
    const bool begins = column == kTextColumn;
    if (!begins && column + 1 + word.size() > kLineWidth) {
      lines += "\n" + std::string(kTextColumn, ' ');
      column = kTextColumn;
    } else if (!begins) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

std::string entry(const std::string& name, const std::string& text) {
  std::string line = "  " + name;
  if (line.size() + 2 > kTextColumn) line += "\n";
  const std::size_t column = line.ends_with('\n') ? 0 : line.size();
  return line + std::string(kTextColumn - column, ' ') + wrapped(text) + "\n";
}

bool takes_many(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

std::string value_name(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  return " " + option.get_type_name() + (takes_many(option) ? "..." : "");
}

// "-o,--output FILE"
std::string flag_name(const CLI::Option& option) {
  std::string names;
  for (const std::string& letter : option.get_snames()) names += (names.empty() ? "-" : ",-") + letter;
  for (const std::string& word : option.get_lnames()) names += (names.empty() ? "--" : ",--") + word;
  return names + value_name(option);
}

// How the option stands in the usage line; only what must be given does.
std::string usage_of(const CLI::Option& option) {
  if (option.get_positional()) {
    const std::string value = value_name(option).substr(1);
    return option.get_required() ? " " + value : " [" + value + "]";
  }
  if (!option.get_required()) return {};
  const std::string letter =
      option.get_snames().empty() ? "--" + option.get_lnames().front() : "-" + option.get_snames().front();
  return " " + letter + value_name(option);
}

using Options = std::vector<const CLI::Option*>;

Options options_of(const CLI::App& app, bool positional) {
  return app.get_options([&](const CLI::Option* option) { return option->get_positional() == positional; });
}

std::string usage_line(const CLI::App& app, const std::string& name, bool has_commands) {
  std::string line = "Usage: " + name;
  if (has_commands) return line + (app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]") + " [OPTIONS]\n";
  for (const CLI::Option* option : options_of(app, true)) line += usage_of(*option);
  for (const CLI::Option* option : options_of(app, false)) line += usage_of(*option);
  return line + " [OPTIONS]\n";
}

std::string option_list(const CLI::App& app) {
  std::string list;
  const Options arguments = options_of(app, true);
  if (!arguments.empty()) list += "\nArguments:\n";
  for (const CLI::Option* option : arguments) list += entry(value_name(*option).substr(1), option->get_description());
  list += "\nOptions:\n";
  for (const CLI::Option* option : options_of(app, false)) list += entry(flag_name(*option), option->get_description());
  return list;
}

}  // namespace

std::string HelpText::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  const auto commands = app->get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
  std::string text = app->get_description() + "\n\n" + usage_line(*app, name, !commands.empty());
  if (!commands.empty()) text += "\nCommands:\n";
  for (const CLI::App* command : commands) text += entry(command->get_name(), command->get_description());
  text += option_list(*app);
  if (!app->get_footer().empty()) text += "\n" + app->get_footer() + "\n";
  return text;
}

}  // namespace bertprep::cli
