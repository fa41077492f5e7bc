#include "help/completion.h"
#include "io/shell_words.h"

namespace bertprep::cli {
namespace {

// The words other than options begin with the command: `run --stage shard` does not belong to the command `shard`.
// After "--" come the subcommands of the requested one, which have their own completions.
constexpr const char* kCondition = R"fish(function __NAME_is
    set -l inner
    if set -l at (contains --index -- -- $argv)
        set inner $argv[$at..-1]
        set argv $argv[1..$at]
        set -e argv[-1]
    end
    set -l words (commandline -opc)
    set -e words[1]
    set words (string match --invert -- '-*' $words)
    for word in $argv
        test "$words[1]" = "$word"; or return 1
        set -e words[1]
    end
    test (count $words) -eq 0; or not contains -- "$words[1]" $inner
end

complete -c NAME -f
)fish";

std::string condition(const CommandFacts& command, const std::string& program) {
  std::string text = "__" + program + "_is" + command.name.substr(program.size());
  if (!command.commands.empty()) text += " --";
  for (const CommandFacts& inner : command.commands) text += " " + last_word(inner);
  return shell_quoted(text);
}

// Completes the value of an option, or an argument.
std::string values(const OptionFacts& option, const std::string& program) {
  switch (kind_of_value(option.value)) {
    case ValueKind::kChoices:
      return " -x -a " + shell_quoted(joined(choices_of(option.value), " "));
    case ValueKind::kList:
      return " -x -a '(__fish_append , " + joined(choices_of(option.value), " ") + ")'";
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kDataset:
      return " -x -a '(" + program + " fetch --list 2> /dev/null | cut -f1)'";
    case ValueKind::kVocab:
      return " -r -F -a '(" + program + " vocab list 2> /dev/null | cut -f1,5 | string replace -ra \", |\\t\" \\n)'";
    case ValueKind::kCommand:
    case ValueKind::kText:
      break;
  }
  return " -x";
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
      text += begin + values(argument, program) + "\n";
    }
  }
  for (const GroupFacts& group : command.groups) {
    for (const OptionFacts& option : group.options) {
      text += begin;
      for (const std::string& letter : option.letters) text += " -s " + letter;
      for (const std::string& word : option.words) text += " -l " + word;
      text += (option.value.empty() ? "" : values(option, program)) + " -d " + shell_quoted(option.help) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandFacts& program) {
  std::string text = kCondition;
  for (std::size_t at = text.find("NAME"); at != std::string::npos; at = text.find("NAME", at)) {
    text.replace(at, 4, program.name);
  }
  text = "# fish completion for " + program.name + ", made by '" + program.name + " completion fish'\n\n" + text;
  for (const CommandFacts* command : all_commands(program)) text += completions_of(*command, program);
  return text;
}

}  // namespace bertprep::cli
