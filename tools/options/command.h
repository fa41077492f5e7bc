// Command: one subcommand of bertprep. Each is in its own file, with its options and its work.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "console/console.h"
#include "options/named_path.h"
#include "options/option_table.h"

namespace bertprep::cli {

inline constexpr std::uint64_t kAnyCount = std::numeric_limits<std::int64_t>::max();

// For CLI::Option::transform: takes a whole number in a range, of which the help says nothing, also as 30k or 1.5M.
CLI::Validator within(std::uint64_t least, std::uint64_t most = kAnyCount);

class Command {
 public:
  virtual ~Command() = default;

  // Does the work; returns an ExitStatus. Throws Error.
  virtual int run(Console& console) = 0;

  CLI::App& app() { return *app_; }
  const CLI::App& app() const { return *app_; }
  OptionTable& options() { return options_; }
  const OptionTable& options() const { return options_; }

 protected:
  template <class Value>
  static constexpr Dash kUsualDash = kIsPath<Value> ? Dash::kRefused : Dash::kTaken;

  // `self`: its subcommand, with its name and purpose (command_table.h).
  Command(CLI::App& self, const std::string& examples);
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
  // The options that -h shows if all don't fit on a screen ("--input").
  void show_first(std::vector<std::string> essentials);
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

std::unique_ptr<Command> make_run_command(CLI::App& self);
std::unique_ptr<Command> make_plan_command(CLI::App& self);
std::unique_ptr<Command> make_retry_list_command(CLI::App& self);
std::unique_ptr<Command> make_status_command(CLI::App& self);
std::unique_ptr<Command> make_submit_command(CLI::App& self);
std::unique_ptr<Command> make_fetch_command(CLI::App& self);
std::unique_ptr<Command> make_extract_command(CLI::App& self);
std::unique_ptr<Command> make_format_command(CLI::App& self);
std::unique_ptr<Command> make_shard_command(CLI::App& self);
std::unique_ptr<Command> make_instances_command(CLI::App& self);
std::unique_ptr<Command> make_verify_command(CLI::App& self);
std::unique_ptr<Command> make_doctor_command(CLI::App& self);
std::unique_ptr<Command> make_compare_command(CLI::App& self);
std::unique_ptr<Command> make_report_command(CLI::App& self);
std::unique_ptr<Command> make_reshard_command(CLI::App& self);
std::unique_ptr<Command> make_reindex_command(CLI::App& self);
std::unique_ptr<Command> make_inspect_command(CLI::App& self);
std::unique_ptr<Command> make_explain_command(CLI::App& self);
std::unique_ptr<Command> make_croissant_command(CLI::App& self);
std::unique_ptr<Command> make_hash_command(CLI::App& self);
std::unique_ptr<Command> make_order_command(CLI::App& self);
std::unique_ptr<Command> make_tokenize_command(CLI::App& self);
std::unique_ptr<Command> make_sentences_command(CLI::App& self);
std::unique_ptr<Command> make_sequences_command(CLI::App& self);
std::unique_ptr<Command> make_vocab_list_command(CLI::App& self);
std::unique_ptr<Command> make_vocab_fetch_command(CLI::App& self);
std::unique_ptr<Command> make_vocab_check_command(CLI::App& self);
std::unique_ptr<Command> make_vocab_train_command(CLI::App& self);
std::unique_ptr<Command> make_vocab_export_command(CLI::App& self);

}  // namespace bertprep::cli
