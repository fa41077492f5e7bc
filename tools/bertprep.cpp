// bertprep: text -> HDF5 shards for BERT pretraining. One subcommand a file; this one chooses and reports.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/version.h"
#include "command.h"
#include "exit_status.h"
#include "help_text.h"
#include "open_files.h"
#include "signals.h"
#include "suggest.h"

namespace bertprep::cli {
namespace {

using Commands = std::vector<std::unique_ptr<Command>>;

Commands make_commands(CLI::App& program) {
  Commands commands;
  for (const auto make :
       {make_run_command, make_plan_command, make_status_command, make_submit_command, make_retry_list_command,
        make_fetch_command, make_extract_command, make_format_command, make_shard_command, make_instances_command,
        make_verify_command, make_inspect_command, make_hash_command, make_tokenize_command, make_sentences_command}) {
    commands.push_back(make(program));
  }
  CLI::App* vocab = program.add_subcommand("vocab", "List, fetch, check and train vocabularies");
  vocab->require_subcommand(1);
  vocab->fallthrough();
  for (const auto make :
       {make_vocab_list_command, make_vocab_fetch_command, make_vocab_check_command, make_vocab_train_command}) {
    commands.push_back(make(*vocab));
  }
  return commands;
}

void collect_flags(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
}

// What a mistyped word may have meant, among the flags and subcommands at hand.
std::string suggestion(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) {
    collect_flags(*app, names);
    app = app->get_subcommands().front();
  }
  collect_flags(*app, names);
  if (!word.starts_with("-")) names.clear();
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const std::string flag = word.substr(0, word.find('='));
  if (names.empty() && app->get_option_no_throw("--input") != nullptr) return "; files are given with --input";
  return names.empty() ? "" : "; did you mean '" + nearest(flag, names) + "'?";
}

int usage_error(const CLI::App& program, const CLI::ParseError& error) {
  std::string message = error.what();
  if (const std::vector<std::string> extra = program.remaining(true); !extra.empty()) {
    message = "unknown argument '" + extra.front() + "'" + suggestion(program, extra.front());
  }
  std::fprintf(stderr, "bertprep: error: %s\nTry --help.\n", message.c_str());
  return kUsage;
}

// A full disk behind a redirected stdout shows no earlier than here.
void require_stdout_written() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw IoError::from_errno("can't be written", "stdout", errno == 0 ? EIO : errno);
  }
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
  const int status = command.run(console);
  require_stdout_written();
  return status;
}

int main_of(int argc, char** argv) {
  CLI::App program("Makes the HDF5 shards of BERT pretraining from text, bit for bit as the reference does.",
                   "bertprep");
  program.formatter(std::make_shared<HelpText>());
  add_help_flags(program);
  const std::string general = heading(OptionGroup::kGeneral);
  program.set_version_flag("--version", std::string("bertprep ") + kVersion, "print the version and stop")
      ->group(general);
  program.footer(
      "'bertprep COMMAND -h' shows the options used most, 'bertprep COMMAND --help' all.\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 3 more rejects than allowed,\n75 try again later, 130 and 143 "
      "interrupted.");
  program.require_subcommand(1);
  ConsoleOptions console;
  program.add_flag("-q,--quiet", console.quiet, "say nothing but errors")->group(general);
  program.add_flag("-v,--verbose", console.verbose, "name every rejected record, not only the first five")
      ->group(general);
  program.add_flag("--json", console.json, "write events to stdout, one JSON object a line (docs/formats/events.md)")
      ->group(general);
  const Commands commands = make_commands(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error);
  }
  for (const auto& command : commands) {
    if (command->app().parsed()) return perform(*command, console);
  }
  return kUsage;
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
    std::fprintf(stderr, "bertprep: error: %s\n", error.what());
    return error.is_passing() ? kTryAgain : kFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bertprep: error: %s\n", error.what());
    return kFailed;
  }
}
