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

// The kind of values, by their name in --help ("FILE", "1|2|both"; "a,b,c": any of them, separated by commas).
enum class ValueKind { kText, kChoices, kList, kFile, kFolder, kDataset, kVocab, kCommand };

ValueKind kind_of_value(const std::string& value);

}  // namespace bertprep::cli
