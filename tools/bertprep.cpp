// bertprep: text -> HDF5 shards for BERT pretraining. One subcommand per file; this one dispatches and reports errors.
#include <cstdio>
#include <new>

#include "commands/embedded.h"
#include "console/process.h"
#include "help/help_text.h"
#include "help/version_text.h"
#include "options/command.h"
#include "pipeline/work/workers.h"

namespace bertprep::cli {

// Each is defined in its file, and described in commands.txt.
extern const CommandEntry kRunCommand, kPlanCommand, kStatusCommand, kSubmitCommand, kRetryListCommand, kFetchCommand,
    kExtractCommand, kFormatCommand, kShardCommand, kInstancesCommand, kVerifyCommand, kDoctorCommand, kCompareCommand,
    kReshardCommand, kReportCommand, kInspectCommand, kExplainCommand, kHashCommand, kOrderCommand, kCroissantCommand,
    kTokenizeCommand, kSentencesCommand, kSequencesCommand, kReindexCommand, kVocabListCommand, kVocabFetchCommand,
    kVocabCheckCommand, kVocabTrainCommand, kVocabExportCommand;

namespace {

// oneTBB would end the process if it could not have a thread.
void say_fewer_threads(const Command& command, Console& console) {
  const auto option = command.options().value("threads");
  if (!option) return;
  const auto requested = static_cast<std::size_t>(parse_integer("threads", *option));
  const std::size_t wanted = wanted_threads(requested);
  const std::size_t had = resolve_threads(requested);
  if (had == wanted) return;
  console.note(
      "only " + std::to_string(had) + " of " + counted(wanted, "thread") +
      " can be had: a limit of processes (ulimit -u, the pids of a container) or of memory (ulimit -v) forbids "
      "more");
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
  say_fewer_threads(command, console);
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
      "(--strict-data),\n5 running, 6 waiting (status), 75 try again later,\n130 and 143 interrupted.");
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
          "--version",
          [&console] { return version_text("bertprep", console.json, library_versions(versions_wanted(console))); },
          "print the versions of the program and its libraries, and exit")
      ->group(general);
  const CommandEntry entries[] = {
      kRunCommand,        kPlanCommand,       kStatusCommand,     kSubmitCommand,     kRetryListCommand,
      kFetchCommand,      kExtractCommand,    kFormatCommand,     kShardCommand,      kInstancesCommand,
      kVerifyCommand,     kDoctorCommand,     kCompareCommand,    kReshardCommand,    kReportCommand,
      kInspectCommand,    kExplainCommand,    kHashCommand,       kOrderCommand,      kCroissantCommand,
      kTokenizeCommand,   kSentencesCommand,  kSequencesCommand,  kReindexCommand,    kVocabListCommand,
      kVocabFetchCommand, kVocabCheckCommand, kVocabTrainCommand, kVocabExportCommand};
  const CommandTable commands(program, embedded::kCommands, entries, {argv, static_cast<std::size_t>(argc)});
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    return report_usage_error(program, error);
  }
  Command* const command = commands.parsed();
  return command == nullptr ? static_cast<int>(kUsage) : perform(*command, console);
}

int main_of(int argc, char** argv) {
  const int status = parse_and_perform(argc, argv);
  require_stdout_written();
  return status;
}

void print_error(std::string_view what) {
  std::fprintf(stderr, "bertprep: error: %s\n", in_flags(what).c_str());
}

int report(const IoError& error) {
  print_error(error.what());
  return error.is_transient() ? kTryAgain : kFailed;
}

}  // namespace
}  // namespace bertprep::cli

int main(int argc, char** argv) {
  using namespace bertprep::cli;
  require_stack("bertprep");
  watch_signals();
  allow_many_open_files();
  try {
    return main_of(argc, argv);
  } catch (const bertprep::Cancelled& cancelled) {
    std::fprintf(stderr, "bertprep: %s\n", cancelled.what());
    return 128 + signal_received();
  } catch (const bertprep::ConfigError& error) {
    print_error(error.what());
    return kUsage;
  } catch (const bertprep::IoError& error) {
    return report(error);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(bertprep::IoError::from_errno("can't be used", error.path1().string(), error.code().value()));
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "bertprep: error: %s\n", kOutOfMemory);
    return kFailed;
  } catch (const std::exception& error) {
    print_error(error.what());
    return kFailed;
  }
}
