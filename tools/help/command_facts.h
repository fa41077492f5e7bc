// CommandFacts: the options and arguments of a command, read from CLI11 once for --help, man pages and completions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bertprep::cli {

struct OptionFacts {
  std::vector<std::string> letters;  // "o"
  std::vector<std::string> words;    // "output"; "lower-case" and "no-lower-case"; the name of an argument
  std::string value;                 // "FILE", "1|2|both"; empty for switches
  std::string help;
  bool takes_many = false;
  bool is_required = false;

  // "-o", "--output"
  std::vector<std::string> flags() const;
  // "FILE", "PATH..."
  std::string values() const { return value + (takes_many ? "..." : ""); }
};

struct GroupFacts {
  std::string title;
  std::vector<OptionFacts> options;
};

struct CommandFacts {
  std::string name;  // full name: "bertprep vocab train"
  std::string purpose;
  std::vector<OptionFacts> arguments;
  std::vector<GroupFacts> groups;  // those with options, in the order of OptionGroup
  std::vector<CommandFacts> commands;
  bool requires_command = false;
  std::string notes;     // the text at the end of --help, without examples
  std::string examples;  // the examples: one call per line, or more with a backslash
};

// "bertprep format", "PATH...", "-o FILE", "[OPTIONS]": the synopsis, in parts that are not broken between lines.
std::vector<std::string> usage_of(const CommandFacts& command);

// Every command of the program, beginning with itself, each before its subcommands.
std::vector<const CommandFacts*> all_commands(const CommandFacts& program);

// Each command's options include those that it inherits from the program.
CommandFacts facts_of(const CLI::App& app, const std::string& name);

}  // namespace bertprep::cli
