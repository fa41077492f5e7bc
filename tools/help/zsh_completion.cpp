#include "help/completion.h"
#include "io/shell_words.h"

namespace bertprep::cli {
namespace {

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
  const std::string message = ":" + escaped(option.value, "\\:") + ":";
  switch (kind_of_value(option.value)) {
    case ValueKind::kChoices:
      return ":value:(" + joined(choices_of(option.value), " ") + ")";
    case ValueKind::kList:
      return ":value:_values -s , value " + joined(choices_of(option.value), " ");
    case ValueKind::kCommand:
      return message + "_" + program + "_commands";
    case ValueKind::kFile:
      return message + "_files";
    case ValueKind::kFolder:
      return message + "_files -/";
    case ValueKind::kDataset:
      return message + "_" + program + "_datasets";
    case ValueKind::kVocab:
      return message + "_" + program + "_vocabs";
    case ValueKind::kText:
      break;
  }
  return message;
}

// Each flag of an option is a separate specification, which excludes the others.
std::string option_specs(const OptionFacts& option, const std::string& program) {
  std::vector<std::string> flags;
  for (const std::string& letter : option.letters) flags.push_back("-" + letter);
  for (const std::string& word : option.words) flags.push_back("--" + word);
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
  std::string specs;
  for (const GroupFacts& group : command.groups) {
    for (const OptionFacts& option : group.options) specs += option_specs(option, program);
  }
  return specs;
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
    branches += "    '" + command->name.substr(program.name.size()) + "') compadd --";
    for (const CommandFacts& inner : command->commands) branches += " " + last_word(inner);
    branches += " ;;\n";
  }
  return "_" + program.name + "_commands() {\n  local given=\"${words[2,CURRENT-1]}\"\n" +
         "  case \"${given:+ $given}\" in\n" + branches + "  esac\n}\n\n";
}

std::string name_functions(const std::string& program) {
  return "_" + program + "_datasets() {\n  local -a names\n  names=(${(f)\"$(" + program +
         " fetch --list 2> /dev/null | cut -f1)\"})\n  compadd -a names\n}\n\n_" + program +
         "_vocabs() {\n  local -a names\n  names=(${(f)\"$(" + program +
         " vocab list 2> /dev/null | cut -f1,5 | tr -s ',\\t ' '\\n' | grep -v whole-word)\"})\n  compadd -a names\n  "
         "_files\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandFacts& program) {
  std::string text = "#compdef " + program.name + "\n# made by '" + program.name + " completion zsh'\n\n" +
                     name_functions(program.name) + command_function(program);
  for (const CommandFacts* command : all_commands(program)) {
    text += command->commands.empty() ? leaf_function(*command, program.name) : branch_function(*command, program.name);
  }
  const std::string function = function_of(program);
  return text + "if [[ $funcstack[1] == " + function + " ]]; then\n  " + function + " \"$@\"\nelse\n  compdef " +
         function + " " + program.name + "\nfi\n";
}

}  // namespace bertprep::cli
