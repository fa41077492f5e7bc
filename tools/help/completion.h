// Shell completions, generated from the commands' options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/command_facts.h"

namespace bertprep::cli {

inline constexpr std::string_view kShells = "bash|zsh|fish";

// A script that completes the words of `program` in bash (4 or newer), zsh or fish (3 or newer). Throws ConfigError for
// another shell.
std::string completion_script(const CommandFacts& program, const std::string& shell);

std::string bash_completion(const CommandFacts& program);
std::string zsh_completion(const CommandFacts& program);
std::string fish_completion(const CommandFacts& program);

// The kind of values, by their name in --help ("FILE", "1|2|both"; "a,b,c": any of them, separated by commas).
enum class ValueKind { kText, kChoices, kList, kFile, kFolder, kDataset, kVocab, kCommand };

ValueKind kind_of_value(const std::string& value);
// "1", "2", "both" of "1|2|both" and "1,2,both".
std::vector<std::string> choices_of(const std::string& value);

// Every command of the program, beginning with itself, each before its subcommands.
std::vector<const CommandFacts*> all_commands(const CommandFacts& program);
// "train" of "bertprep vocab train".
std::string last_word(const CommandFacts& command);
std::string joined(const std::vector<std::string>& words, const std::string& separator);

}  // namespace bertprep::cli
