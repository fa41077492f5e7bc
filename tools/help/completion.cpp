#include "help/completion.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "help/embedded.h"
#include "io/shell_words.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

constexpr std::pair<std::string_view, ValueKind> kKinds[] = {
    {"FILE", ValueKind::kFile},       {"FILES", ValueKind::kFile},      {"PATH", ValueKind::kFile},
    {"TEXT_SHARD", ValueKind::kFile}, {"DIR", ValueKind::kFolder},      {"FOLDER", ValueKind::kFolder},
    {"ROOT", ValueKind::kFolder},     {"DATASET", ValueKind::kDataset}, {"VOCAB", ValueKind::kVocab},
    {"COMMAND", ValueKind::kCommand}};

// How the scripts complete values of a kind. NAME is the program, WORDS are the choices.
struct Completer {
  ValueKind kind;
  const char* bash;
  const char* zsh;
  const char* fish;
};
constexpr Completer kCompleters[] = {
    {ValueKind::kText, "kind=text", "", " -x"},
    {ValueKind::kChoices, "kind=words words='WORDS'", "(WORDS)", " -x -a 'WORDS'"},
    {ValueKind::kList, "kind=list words='WORDS'", "_values -s , value WORDS", " -x -a '(__fish_append , WORDS)'"},
    {ValueKind::kFile, "kind=file", "_files", " -r -F"},
    {ValueKind::kFolder, "kind=folder", "_files -/", " -x -a '(__fish_complete_directories)'"},
    {ValueKind::kDataset, "kind=dataset", "_NAME_datasets", " -x -a '(NAME fetch --list 2> /dev/null | cut -f1)'"},
    {ValueKind::kVocab, "kind=vocab", "_NAME_vocabs",
     " -r -F -a '(NAME vocab list 2> /dev/null | cut -f1,5 | string replace -ra \", |\\t\" \\n)'"},
    {ValueKind::kCommand, "kind=command", "_NAME_commands", " -x"},
};

std::string for_program(std::string text, const std::string& program) {
  replace_all(text, "NAME", program);
  return text;
}

// "1 2 both" of "1|2|both" and "1,2,both".
std::string choices_of(const std::string& value) {
  std::string words = value;
  std::ranges::replace(words, kind_of_value(value) == ValueKind::kList ? ',' : '|', ' ');
  return words;
}

std::string completer(const OptionFacts& option, const char* Completer::*shell, const std::string& program) {
  const ValueKind kind = kind_of_value(option.value);
  std::string text = for_program(std::ranges::find(kCompleters, kind, &Completer::kind)->*shell, program);
  replace_all(text, "WORDS", choices_of(option.value));
  return text;
}

// "train" of "bertprep vocab train".
std::string last_word(const CommandFacts& command) {
  return command.name.substr(command.name.rfind(' ') + 1);
}

// "train fetch" of "bertprep vocab".
std::string command_words(const CommandFacts& command) {
  return joined(command.commands, " ", last_word);
}

std::vector<const OptionFacts*> options_of(const CommandFacts& command) {
  std::vector<const OptionFacts*> options;
  for (const GroupFacts& group : command.groups) {
    for (const OptionFacts& option : group.options) options.push_back(&option);
  }
  return options;
}

// bash: the script consists of data, as functions of `case` lines, and an engine that is the same for every program.
// The engine parses the words before the cursor for their command, the number of arguments, and whether the word at the
// cursor is the value of an option. bash splits --option=value into three words.
// "kind=words words='1 2 both'"
std::string assignment(const OptionFacts& option, const std::string& program) {
  return completer(option, &Completer::bash, program) + (option.takes_many ? " many=yes" : "");
}

// A function with one `case` over `subject`; options with the same assignment share a branch.
std::string case_function(const std::string& name, const std::string& subject,
                          const std::map<std::string, std::vector<std::string>>& patterns_of) {
  std::string text = name + "() {\n  kind='' words='' many=''\n  case " + subject + " in\n";
  for (const auto& [assigned, patterns] : patterns_of) {
    text += "    " + joined(patterns, " | \\\n      ") + ")\n      " + assigned + " ;;\n";
  }
  return text + "  esac\n}\n";
}

std::string value_function(const CommandFacts& program) {
  std::map<std::string, std::vector<std::string>> patterns;
  for (const CommandFacts* command : all_commands(program)) {
    for (const OptionFacts* option : options_of(*command)) {
      if (option->value.empty()) continue;
      for (const std::string& flag : option->flags()) {
        patterns[assignment(*option, program.name)].push_back(shell_quoted(command->name + " " + flag));
      }
    }
  }
  return "# What an option of a command takes; no kind: it is a switch.\n" +
         case_function("_" + program.name + "_value", "\"$1 $2\"", patterns);
}

std::string argument_function(const CommandFacts& program) {
  std::map<std::string, std::vector<std::string>> patterns;
  for (const CommandFacts* command : all_commands(program)) {
    std::size_t index = 0;
    for (const OptionFacts& argument : command->arguments) {
      const std::string place = argument.takes_many ? "*" : shell_quoted(std::to_string(index));
      patterns[assignment(argument, program.name)].push_back(shell_quoted(command->name + " ") + place);
      ++index;
    }
  }
  return "# What an argument of a command is, counted from 0.\n" +
         case_function("_" + program.name + "_argument", "\"$1 $2\"", patterns);
}

// A function that sets the words that `words_of` a command says.
template <class WordsOf>
std::string words_function(const CommandFacts& program, const std::string& name, WordsOf words_of) {
  std::map<std::string, std::vector<std::string>> patterns;
  for (const CommandFacts* command : all_commands(program)) {
    const std::string words = words_of(*command);
    if (!words.empty()) patterns["words=" + shell_quoted(words)].push_back(shell_quoted(command->name));
  }
  std::string text = "_" + program.name + "_" + name + "() {\n  words=''\n  case $1 in\n";
  for (const auto& [assigned, commands] : patterns) {
    text += "    " + joined(commands, " | ") + ") " + assigned + " ;;\n";
  }
  return text + "  esac\n}\n";
}

std::string bash_completion(const CommandFacts& program) {
  const auto flags = [](const CommandFacts& command) {
    return joined(options_of(command), " ", [](const auto* option) { return joined(option->flags(), " "); });
  };
  return "# bash completion for " + program.name + ", made by '" + program.name + " completion bash'\n\n" +
         value_function(program) + "\n" + argument_function(program) + "\n" +
         words_function(program, "options", flags) + "\n" + words_function(program, "commands", command_words) + "\n" +
         for_program(std::string(embedded::kBashEngine), program.name);
}

// "_bertprep_vocab_train"
std::string function_of(const CommandFacts& command) {
  std::string name = "_" + command.name;
  for (char& letter : name) {
    if (letter == ' ' || letter == '-') letter = '_';
  }
  return name;
}

// Escapes text in the square brackets of an option, or in a description before a colon.
std::string escaped(const std::string& text, const std::string& special) {
  std::string out;
  for (const char letter : text) {
    if (special.find(letter) != std::string::npos) out += '\\';
    out += letter;
  }
  return out;
}

// ":ROOT:_files -/"
std::string action(const OptionFacts& option, const std::string& program) {
  const ValueKind kind = kind_of_value(option.value);
  const bool is_choice = kind == ValueKind::kChoices || kind == ValueKind::kList;
  return ":" + (is_choice ? "value" : escaped(option.value, "\\:")) + ":" + completer(option, &Completer::zsh, program);
}

// Each flag of an option is a separate specification, which excludes the others.
std::string option_specs(const OptionFacts& option, const std::string& program) {
  const std::vector<std::string> flags = option.flags();
  const std::string before = option.takes_many ? "*" : "(" + joined(flags, " ") + ")";
  const std::string after = "[" + escaped(option.help, "\\[]") + "]";
  // An option with several values takes all words up to the next option.
  const std::string values = option.value.empty() ? "" : (option.takes_many ? ":*-*" : "") + action(option, program);
  std::string specs;
  for (const std::string& flag : flags) {
    const std::string joint = option.value.empty() ? "" : (flag.starts_with("--") ? "=" : "+");
    specs += " \\\n    " + shell_quoted(before + flag + joint + after + values);
  }
  return specs;
}

std::string argument_specs(const CommandFacts& command, const std::string& program) {
  std::string specs;
  for (const OptionFacts& argument : command.arguments) {
    const std::string before = argument.takes_many ? "*" : argument.is_required ? "" : ":";
    specs += " \\\n    " + shell_quoted(before + action(argument, program));
  }
  return specs;
}

std::string all_option_specs(const CommandFacts& command, const std::string& program) {
  return joined(options_of(command), "", [&](const auto* option) { return option_specs(*option, program); });
}

std::string leaf_function(const CommandFacts& command, const std::string& program) {
  return function_of(command) + "() {\n  _arguments -s -S" + all_option_specs(command, program) +
         argument_specs(command, program) + "\n}\n\n";
}

std::string branch_function(const CommandFacts& command, const std::string& program) {
  std::string commands;
  std::string branches;
  for (const CommandFacts& inner : command.commands) {
    commands += "\n    " + shell_quoted(last_word(inner) + ":" + escaped(inner.purpose, "\\:"));
    branches += "    " + last_word(inner) + ") " + function_of(inner) + " ;;\n";
  }
  return function_of(command) + "() {\n  local curcontext=$curcontext state line\n  local -a commands\n  commands=(" +
         commands + "\n  )\n  _arguments -C -s" + all_option_specs(command, program) +
         " \\\n    '1: :->command' '*:: :->arguments'\n" +
         "  case $state in\n    command) _describe command commands ;;\n" +
         "    arguments) ;;\n    *) return ;;\n  esac\n  [[ $state == arguments ]] || return\n  case $words[1] in\n" +
         branches + "  esac\n}\n\n";
}

// Offers the commands after those already given, as to `help`.
std::string command_function(const CommandFacts& program) {
  std::string branches;
  for (const CommandFacts* command : all_commands(program)) {
    if (command->commands.empty()) continue;
    branches +=
        "    '" + command->name.substr(program.name.size()) + "') compadd -- " + command_words(*command) + " ;;\n";
  }
  return "_" + program.name + "_commands() {\n  local given=\"${words[2,CURRENT-1]}\"\n" +
         "  case \"${given:+ $given}\" in\n" + branches + "  esac\n}\n\n";
}

std::string zsh_completion(const CommandFacts& program) {
  std::string text = "#compdef " + program.name + "\n# made by '" + program.name + " completion zsh'\n\n" +
                     for_program(std::string(embedded::kZshNames), program.name) + command_function(program);
  for (const CommandFacts* command : all_commands(program)) {
    text += command->commands.empty() ? leaf_function(*command, program.name) : branch_function(*command, program.name);
  }
  const std::string function = function_of(program);
  return text + "if [[ $funcstack[1] == " + function + " ]]; then\n  " + function + " \"$@\"\nelse\n  compdef " +
         function + " " + program.name + "\nfi\n";
}

// fish: the words other than options begin with the command: `run --stage shard` does not belong to the command
// `shard`. After "--" come the subcommands of the requested one, which have their own completions.
std::string condition(const CommandFacts& command, const std::string& program) {
  std::string text = "__" + program + "_is" + command.name.substr(program.size());
  if (!command.commands.empty()) text += " -- " + command_words(command);
  return shell_quoted(text);
}

// The commands after `command`, such as "bertprep help", whose arguments name one.
std::string completion_of_names(const CommandFacts& command, const CommandFacts& program) {
  std::string text;
  for (const CommandFacts* named : all_commands(program)) {
    if (named->commands.empty()) continue;
    CommandFacts place = *named;
    place.name = command.name + named->name.substr(program.name.size());
    for (const CommandFacts& inner : named->commands) {
      text += "complete -c " + program.name + " -n " + condition(place, program.name) + " -a " + last_word(inner) +
              " -d " + shell_quoted(inner.purpose) + "\n";
    }
  }
  return text;
}

std::string completions_of(const CommandFacts& command, const CommandFacts& facts) {
  const std::string& program = facts.name;
  const std::string begin = "complete -c " + program + " -n " + condition(command, program);
  std::string text;
  for (const CommandFacts& inner : command.commands) {
    text += begin + " -a " + last_word(inner) + " -d " + shell_quoted(inner.purpose) + "\n";
  }
  for (const OptionFacts& argument : command.arguments) {
    const ValueKind kind = kind_of_value(argument.value);
    if (kind == ValueKind::kCommand) {
      text += completion_of_names(command, facts);
    } else if (kind == ValueKind::kFile) {
      text += begin + " -F\n";
    } else if (kind != ValueKind::kText) {
      text += begin + completer(argument, &Completer::fish, program) + "\n";
    }
  }
  for (const OptionFacts* option : options_of(command)) {
    text += begin;
    for (const std::string& letter : option->letters) text += " -s " + letter;
    for (const std::string& word : option->words) text += " -l " + word;
    text += (option->value.empty() ? "" : completer(*option, &Completer::fish, program)) + " -d " +
            shell_quoted(option->help) + "\n";
  }
  return text;
}

std::string fish_completion(const CommandFacts& program) {
  std::string text = "# fish completion for " + program.name + ", made by '" + program.name + " completion fish'\n\n" +
                     for_program(std::string(embedded::kFishCondition), program.name);
  for (const CommandFacts* command : all_commands(program)) text += completions_of(*command, program);
  return text;
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
  const auto* const found = std::ranges::find(kKinds, value, &std::pair<std::string_view, ValueKind>::first);
  return found == std::end(kKinds) ? ValueKind::kText : found->second;
}

}  // namespace bertprep::cli
