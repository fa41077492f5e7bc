// The commands of a program, each with its options and its work in its own file, and the table of them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "console/console.h"
#include "options/named_path.h"
#include "options/option_table.h"

namespace bertprep::cli {

inline constexpr std::uint64_t kAnyCount = std::numeric_limits<std::int64_t>::max();

// For CLI::Option::transform: takes a whole number in a range, of which the help says nothing, also as 30k or 1.5M.
CLI::Validator within(std::uint64_t least, std::uint64_t most = kAnyCount);

// Command: one subcommand.
class Command {
 public:
  // `self`: its subcommand, with its name, purpose and examples.
  explicit Command(CLI::App& self) : app_(&self) { self.fallthrough(); }
  virtual ~Command() = default;

  // Does the work; returns an ExitStatus. Throws Error.
  virtual int run(Console& console) = 0;

  CLI::App& app() { return *app_; }
  const CLI::App& app() const { return *app_; }
  OptionTable& options() { return options_; }
  const OptionTable& options() const { return options_; }

  template <class Value>
  static constexpr Dash kUsualDash = kIsPath<Value> ? Dash::kRefused : Dash::kTaken;
  // What a command takes besides the options of structs. `value_name` describes the value: "FILE".
  template <class Value>
  CLI::Option* add_argument(const std::string& name, Value& value, const std::string& value_name,
                            const std::string& help, Dash dash = kUsualDash<Value>) {
    return checked<Value>(app_->add_option(name, value, help), value_name, dash);
  }
  template <class Value>
  CLI::Option* add_option(const std::string& names, Value& value, const std::string& value_name, OptionGroup group,
                          const std::string& help, Dash dash = kUsualDash<Value>) {
    return checked<Value>(app_->add_option(names, value, help), value_name, dash)->group(heading(group));
  }
  CLI::Option* add_flag(const std::string& names, bool& value, OptionGroup group, const std::string& help) {
    return app_->add_flag(names, value, help)->group(heading(group));
  }

 protected:
  // Replaces "-" by standard input (standard_input.h). Throws ConfigError if the configuration comes from there.
  void read_standard_input(std::vector<std::filesystem::path>& inputs, std::string& vocab,
                           const std::filesystem::path& folder, Console& console) const;
  // The same for a command without a vocabulary.
  void read_standard_input(std::vector<std::filesystem::path>& inputs, const std::filesystem::path& folder,
                           Console& console) const;

 private:
  template <class Value>
  static CLI::Option* checked(CLI::Option* option, const std::string& value_name, Dash dash) {
    option->type_name(value_name);
    if constexpr (kIsPath<Value>) return check_path(option, dash);
    if (may_take_path(value_name) && dash != Dash::kInput) refuse_addresses(option);
    return dash != Dash::kRefused ? option : refuse_dash(option);
  }

  CLI::App* app_;
  OptionTable options_;
};

template <class SomeCommand>
std::unique_ptr<Command> make_command(CLI::App& self) {
  return std::make_unique<SomeCommand>(self);
}

struct CommandEntry {
  std::string_view name;  // "run", "vocab train"
  std::unique_ptr<Command> (*make)(CLI::App& self);
};

// CommandTable: the commands of a program. Only the command that the command line asks for gets its options: those of
// all together take longer to make than most commands run.
class CommandTable {
 public:
  // Adds a subcommand for each of `texts`, which are in the order of --help and like commands.txt: "NAME: PURPOSE",
  // then indented lines, "-h" with the options that it shows if all don't fit on a screen, and examples. Without an
  // entry, it is a group of the commands "NAME ...". Last come text_commands(). `arguments` are those of main().
  CommandTable(CLI::App& program, std::string_view texts, std::span<const CommandEntry> entries,
               std::span<char* const> arguments);

  // The command that CLI11 has parsed; null if there is none.
  Command* parsed() const;

 private:
  void add(CLI::App& program, const std::string& texts, std::span<const CommandEntry> entries,
           const std::function<bool(std::string_view)>& is_needed);

  std::vector<std::unique_ptr<Command>> made_;
};

// help, completion and man, which know all commands of the program.
std::span<const CommandEntry> text_commands();

// Prints to stderr what is wrong in the command line, what may have been meant, and how to get help; if a command is
// missing, the help itself. Returns an ExitStatus.
int report_usage_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace bertprep::cli
