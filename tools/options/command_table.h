// CommandTable: the commands of a program, a line each. Only the command that the command line asks for gets its
// options: those of all together take longer to make than most commands run.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "options/command.h"

namespace bertprep::cli {

struct CommandEntry {
  const char* name;  // "run"; "vocab train" within the group "vocab", which comes before it
  const char* purpose;
  std::unique_ptr<Command> (*make)(CLI::App& self);  // null: a group of commands
};

class CommandTable {
 public:
  // Adds a subcommand for each entry, and text_commands(). `arguments` are those of main().
  CommandTable(CLI::App& program, std::span<const CommandEntry> entries, std::span<char* const> arguments);

  // The command that CLI11 has parsed; null if there is none.
  Command* parsed() const;

 private:
  std::vector<std::unique_ptr<Command>> made_;
};

// help, completion and man, which know all commands of the program.
std::span<const CommandEntry> text_commands();

}  // namespace bertprep::cli
