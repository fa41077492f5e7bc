#include "help/command_facts.h"

#include <algorithm>

#include "base/fields.h"

namespace bertprep::cli {
namespace {

constexpr std::string_view kExamplesTitle = "Examples:\n";

OptionFacts facts_of_option(const CLI::Option& option) {
  OptionFacts facts;
  facts.letters = option.get_snames();
  facts.words = option.get_positional() ? std::vector{option.get_name(true)} : option.get_lnames();
  facts.value = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  facts.help = option.get_description();
  facts.takes_many = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  facts.is_required = option.get_required();
  return facts;
}

// The index of the group with this title; after all groups if there is none.
std::size_t place_of(const std::string& title) {
  const auto* const found = std::ranges::find(kOptionGroupTitles, title);
  return static_cast<std::size_t>(found - kOptionGroupTitles.begin());
}

void add_to_group(std::vector<GroupFacts>& groups, const CLI::Option& option, const std::string& title) {
  auto group = std::ranges::find(groups, title, &GroupFacts::title);
  if (group == groups.end()) {
    const auto behind =
        std::ranges::find_if(groups, [&](const GroupFacts& other) { return place_of(other.title) > place_of(title); });
    group = groups.insert(behind, {title, {}});
  }
  group->options.push_back(facts_of_option(option));
}

bool is_help(const CLI::App& app, const CLI::Option* option) {
  return option == app.get_help_ptr() || option == app.get_help_all_ptr();
}

// Commands inherit CLI11's flags for help without their group.
std::string title_for(const CLI::App& app, const CLI::Option* option) {
  return is_help(app, option) ? std::string(title_of(OptionGroup::kGeneral)) : option->get_group();
}

constexpr std::array kLent = {"quiet", "verbose", "json"};

// Adds options that may come after a command as well as before it.
void add_lent_options(std::vector<GroupFacts>& groups, const CLI::App& app) {
  if (!app.get_fallthrough()) return;
  const CLI::App* lender = app.get_parent();
  while (lender->get_parent() != nullptr) lender = lender->get_parent();
  for (const CLI::Option* option : lender->get_options()) {
    const bool is_lent = std::ranges::any_of(kLent, [&](const char* word) { return option->check_lname(word); });
    if (is_lent) add_to_group(groups, *option, option->get_group());
  }
}

}  // namespace

std::vector<std::string> OptionFacts::flags() const {
  std::vector<std::string> flags;
  for (const std::string& letter : letters) flags.push_back("-" + letter);
  for (const std::string& word : words) flags.push_back("--" + word);
  return flags;
}

std::vector<std::string> usage_of(const CommandFacts& command) {
  std::vector<std::string> parts{command.name};
  if (!command.commands.empty()) parts.push_back(command.requires_command ? "COMMAND" : "[COMMAND]");
  for (const OptionFacts& argument : command.arguments) {
    parts.push_back(argument.is_required ? argument.values() : "[" + argument.values() + "]");
  }
  for (const GroupFacts& group : command.groups) {
    for (const OptionFacts& option : group.options) {
      if (!option.is_required) continue;
      parts.push_back(option.flags().front() + " " + option.values());
    }
  }
  parts.push_back("[OPTIONS]");
  return parts;
}

std::vector<const CommandFacts*> all_commands(const CommandFacts& program) {
  std::vector<const CommandFacts*> list{&program};
  for (const CommandFacts& command : program.commands)
    std::ranges::copy(all_commands(command), std::back_inserter(list));
  return list;
}

CommandFacts facts_of(const CLI::App& app, const std::string& name) {
  CommandFacts facts;
  facts.name = name;
  facts.purpose = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      facts.arguments.push_back(facts_of_option(*option));
    } else {
      add_to_group(facts.groups, *option, title_for(app, option));
    }
  }
  add_lent_options(facts.groups, app);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_name().empty()) facts.commands.push_back(facts_of(*command, name + " " + command->get_name()));
  }
  facts.requires_command = app.get_require_subcommand_min() > 0;
  const std::string footer = app.get_footer();
  const std::size_t examples = std::min(footer.find(kExamplesTitle), footer.size());
  facts.notes = footer.substr(0, footer.find_last_not_of('\n', examples == 0 ? 0 : examples - 1) + 1);
  if (examples == 0) facts.notes.clear();
  if (examples < footer.size()) facts.examples = footer.substr(examples + kExamplesTitle.size());
  return facts;
}

}  // namespace bertprep::cli
