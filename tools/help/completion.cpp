#include "help/completion.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep::cli {
namespace {

constexpr std::array<std::pair<std::string_view, ValueKind>, 10> kKinds = {{{"FILE", ValueKind::kFile},
                                                                            {"FILES", ValueKind::kFile},
                                                                            {"PATH", ValueKind::kFile},
                                                                            {"TEXT_SHARD", ValueKind::kFile},
                                                                            {"DIR", ValueKind::kFolder},
                                                                            {"FOLDER", ValueKind::kFolder},
                                                                            {"ROOT", ValueKind::kFolder},
                                                                            {"DATASET", ValueKind::kDataset},
                                                                            {"VOCAB", ValueKind::kVocab},
                                                                            {"COMMAND", ValueKind::kCommand}}};

void add_commands(std::vector<const CommandFacts*>& list, const CommandFacts& command) {
  list.push_back(&command);
  for (const CommandFacts& inner : command.commands) add_commands(list, inner);
}

}  // namespace

std::string completion_script(const CommandFacts& program, const std::string& shell) {
  if (shell == "bash") return bash_completion(program);
  if (shell == "zsh") return zsh_completion(program);
  if (shell == "fish") return fish_completion(program);
  throw ConfigError("there are no completions for the shell '" + shell + "'", {},
                    "the supported shells are bash, zsh and fish");
}

ValueKind kind_of_value(const std::string& value) {
  if (value.find('|') != std::string::npos) return ValueKind::kChoices;
  if (value.find(',') != std::string::npos) return ValueKind::kList;
  const auto* const found = std::ranges::find(kKinds, value, &decltype(kKinds)::value_type::first);
  return found == kKinds.end() ? ValueKind::kText : found->second;
}

std::vector<std::string> choices_of(const std::string& value) {
  std::istringstream text(value);
  std::vector<std::string> choices;
  const char separator = kind_of_value(value) == ValueKind::kList ? ',' : '|';
  for (std::string choice; std::getline(text, choice, separator);) choices.push_back(choice);
  return choices;
}

std::vector<const CommandFacts*> all_commands(const CommandFacts& program) {
  std::vector<const CommandFacts*> list;
  add_commands(list, program);
  return list;
}

std::string last_word(const CommandFacts& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

}  // namespace bertprep::cli
