// The script consists of data, as functions of `case` lines, and an engine that is the same for every program.
#include <map>

#include "help/completion.h"
#include "io/shell_words.h"

namespace bertprep::cli {
namespace {

// Parses the words before the cursor for their command, the number of arguments, and whether the word at the cursor is
// the value of an option. bash splits --option=value into three words.
constexpr const char* kEngine = R"sh(
_NAME() {
  local command=NAME argument=0 i=1 kind='' words='' many='' rest='' rest_words='' given='' word word_begin=''
  while ((i < COMP_CWORD)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      rest=''
      _NAME_value "$command" "$word"
      if [[ -n $kind ]]; then
        [[ -n $many ]] && rest=$kind rest_words=$words
        [[ ${COMP_WORDS[i + 1]-} == = ]] && ((++i))
        ((++i))
      fi
    elif [[ -z $rest ]]; then
      _NAME_commands "$command"
      if [[ $argument == 0 && " $words " == *" $word "* ]]; then
        command+=" $word"
      else
        ((++argument))
        given+=" $word"
      fi
    fi
    ((++i))
  done

  word=${COMP_WORDS[COMP_CWORD]}
  [[ $word == = ]] && word=''
  if ((i <= COMP_CWORD)); then
    kind=words
    if [[ $word == -* ]]; then
      _NAME_options "$command"
    elif [[ -n $rest ]]; then
      kind=$rest words=$rest_words
    else
      _NAME_commands "$command"
      [[ -z $words || $argument != 0 ]] && _NAME_argument "$command" "$argument"
    fi
  fi

  case $kind in
    dataset) words=$("$1" fetch --list 2> /dev/null | cut -f1) ;;
    vocab) words=$("$1" vocab list 2> /dev/null | cut -f1,5 | tr -s ',\t ' '\n' | grep -v whole-word) ;;
    command) _NAME_commands "NAME$given" ;;
    list) word_begin=${word%"${word##*,}"} ;;
  esac
  COMPREPLY=()
  [[ $kind == words || $kind == list || $kind == dataset || $kind == vocab || $kind == command ]] &&
    mapfile -t COMPREPLY < <(compgen -P "$word_begin" -W "$words" -- "${word#"$word_begin"}")
  [[ $kind == file || $kind == vocab ]] &&
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
  [[ $kind == folder ]] && mapfile -t COMPREPLY < <(compgen -d -- "$word")
  [[ $kind == file || $kind == folder || $kind == vocab ]] && compopt -o filenames 2> /dev/null
  return 0
}

complete -F _NAME NAME
)sh";

// "kind=words words='1 2 both'"
std::string assignment(const OptionFacts& option) {
  const std::string many = option.takes_many ? " many=yes" : "";
  switch (kind_of_value(option.value)) {
    case ValueKind::kChoices:
      return "kind=words words=" + shell_quoted(joined(choices_of(option.value), " ")) + many;
    case ValueKind::kList:
      return "kind=list words=" + shell_quoted(joined(choices_of(option.value), " ")) + many;
    case ValueKind::kCommand:
      return "kind=command" + many;
    case ValueKind::kFile:
      return "kind=file" + many;
    case ValueKind::kFolder:
      return "kind=folder" + many;
    case ValueKind::kDataset:
      return "kind=dataset" + many;
    case ValueKind::kVocab:
      return "kind=vocab" + many;
    case ValueKind::kText:
      break;
  }
  return "kind=text" + many;
}

std::vector<std::string> flags_of(const OptionFacts& option) {
  std::vector<std::string> flags;
  for (const std::string& letter : option.letters) flags.push_back("-" + letter);
  for (const std::string& word : option.words) flags.push_back("--" + word);
  return flags;
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
    for (const GroupFacts& group : command->groups) {
      for (const OptionFacts& option : group.options) {
        if (option.value.empty()) continue;
        for (const std::string& flag : flags_of(option)) {
          patterns[assignment(option)].push_back(shell_quoted(command->name + " " + flag));
        }
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
      patterns[assignment(argument)].push_back(shell_quoted(command->name + " ") + place);
      ++index;
    }
  }
  return "# What an argument of a command is, counted from 0.\n" +
         case_function("_" + program.name + "_argument", "\"$1 $2\"", patterns);
}

std::string words_function(const CommandFacts& program, const std::string& name,
                           std::vector<std::string> (*words_of)(const CommandFacts&)) {
  std::map<std::string, std::vector<std::string>> patterns;
  for (const CommandFacts* command : all_commands(program)) {
    const std::vector<std::string> words = words_of(*command);
    if (!words.empty()) patterns["words=" + shell_quoted(joined(words, " "))].push_back(shell_quoted(command->name));
  }
  std::string text = "_" + program.name + "_" + name + "() {\n  words=''\n  case $1 in\n";
  for (const auto& [assigned, commands] : patterns)
    text += "    " + joined(commands, " | ") + ") " + assigned + " ;;\n";
  return text + "  esac\n}\n";
}

std::vector<std::string> options_of(const CommandFacts& command) {
  std::vector<std::string> words;
  for (const GroupFacts& group : command.groups) {
    for (const OptionFacts& option : group.options) {
      for (const std::string& flag : flags_of(option)) words.push_back(flag);
    }
  }
  return words;
}

std::vector<std::string> commands_of(const CommandFacts& command) {
  std::vector<std::string> words;
  for (const CommandFacts& inner : command.commands) words.push_back(last_word(inner));
  return words;
}

std::string engine(const std::string& program) {
  std::string text = kEngine;
  for (std::size_t at = text.find("NAME"); at != std::string::npos; at = text.find("NAME", at)) {
    text.replace(at, 4, program);
  }
  return text;
}

}  // namespace

std::string bash_completion(const CommandFacts& program) {
  return "# bash completion for " + program.name + ", made by '" + program.name + " completion bash'\n\n" +
         value_function(program) + "\n" + argument_function(program) + "\n" +
         words_function(program, "options", options_of) + "\n" + words_function(program, "commands", commands_of) +
         engine(program.name);
}

}  // namespace bertprep::cli
