// bertprep: text -> HDF5 shards for BERT pretraining. One subcommand per file; this one dispatches and reports errors.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "console/console.h"
#include "console/signals.h"
#include "help/help_text.h"
#include "help/version_text.h"
#include "options/command.h"
#include "options/usage_error.h"

namespace bertprep::cli {
namespace {

using Commands = std::vector<std::unique_ptr<Command>>;

Commands make_commands(CLI::App& program) {
  Commands commands;
  for (const auto make :
       {make_run_command,        make_plan_command,      make_status_command,    make_submit_command,
        make_retry_list_command, make_fetch_command,     make_extract_command,   make_format_command,
        make_shard_command,      make_instances_command, make_verify_command,    make_doctor_command,
        make_compare_command,    make_reshard_command,   make_report_command,    make_inspect_command,
        make_explain_command,    make_hash_command,      make_order_command,     make_croissant_command,
        make_tokenize_command,   make_sentences_command, make_sequences_command, make_reindex_command}) {
    commands.push_back(make(program));
  }
  CLI::App* vocab = program.add_subcommand("vocab", "List, fetch, check and train vocabularies");
  vocab->require_subcommand(1);
  vocab->fallthrough();
  for (const auto make : {make_vocab_list_command, make_vocab_fetch_command, make_vocab_check_command,
                          make_vocab_train_command, make_vocab_export_command}) {
    commands.push_back(make(*vocab));
  }
  for (const auto make : {make_help_command, make_completion_command, make_man_command}) {
    commands.push_back(make(program));
  }
  return commands;
}

// Raises the limit of open files as far as allowed: sharding writes to all text shards at once, and many systems start
// with 1,024. If refused, a later error shows it.
void allow_many_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  // Enlarges the table of open files while there is one thread: with more, Linux waits some 10 ms for all processors.
  constexpr int kEnough = 1023;
  const int high = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kEnough);
  if (high >= 0) ::close(high);
}

int perform(Command& command, const ConsoleOptions& console_options) {
  Console console(console_options);
  try {
    command.options().apply();
  } catch (const Error& error) {
    throw ConfigError(error.what());
  }
  if (command.options().print_config_asked()) {
    std::fputs(command.options().config_json().c_str(), stdout);
    return kDone;
  }
  return command.run(console);
}

int parse_and_perform(int argc, char** argv) {
  CLI::App program("Makes HDF5 shards for BERT pretraining from text, bit for bit as the reference does.", "bertprep");
  program.formatter(std::make_shared<HelpText>());
  add_help_flags(program);
  const std::string general = heading(OptionGroup::kGeneral);
  program.footer(
      "'bertprep COMMAND -h' shows the most used options,\n'bertprep COMMAND --help' shows all.\n\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage,\n3 more rejects than allowed, 4 data out of range "
      "(--strict-data),\n75 try again later, 130 and 143 interrupted.");
  program.require_subcommand(1);
  ConsoleOptions console;
  program.add_flag("-q,--quiet", console.quiet, "print only errors")->group(general);
  program.add_flag("-v,--verbose", console.verbose, "print every rejected record, not only the first five")
      ->group(general);
  program.add_flag("--json", console.json, "write events to stdout, one JSON object per line (docs/formats/events.md)")
      ->group(general);
  // After --json, on which it depends.
  program
      .set_version_flag(
          "--version", [&console] { return version_text("bertprep", console.json, library_versions()); },
          "print the versions of the program and its libraries, and exit")
      ->group(general);
  const Commands commands = make_commands(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return report_usage_error(program, error);
  }
  for (const auto& command : commands) {
    if (command->app().parsed()) return perform(*command, console);
  }
  return kUsage;
}

int main_of(int argc, char** argv) {
  const int status = parse_and_perform(argc, argv);
  require_stdout_written();
  return status;
}

int report(const IoError& error) {
  std::fprintf(stderr, "bertprep: error: %s\n", error.what());
  return error.is_transient() ? kTryAgain : kFailed;
}

}  // namespace
}  // namespace bertprep::cli

int main(int argc, char** argv) {
  using namespace bertprep::cli;
  watch_signals();
  allow_many_open_files();
  try {
    return main_of(argc, argv);
  } catch (const bertprep::Cancelled& cancelled) {
    std::fprintf(stderr, "bertprep: %s\n", cancelled.what());
    return 128 + signal_received();
  } catch (const bertprep::ConfigError& error) {
    std::fprintf(stderr, "bertprep: error: %s\n", error.what());
    return kUsage;
  } catch (const bertprep::IoError& error) {
    return report(error);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(bertprep::IoError::from_errno("can't be used", error.path1().string(), error.code().value()));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "bertprep: error: %s\n", kOutOfMemory);
    return kFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bertprep: error: %s\n", error.what());
    return kFailed;
  }
}
