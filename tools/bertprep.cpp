// bertprep: text -> HDF5 shards for BERT pretraining. One subcommand per file; this one dispatches and reports errors.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "console/console.h"
#include "console/process_limits.h"
#include "console/signals.h"
#include "help/help_text.h"
#include "help/version_text.h"
#include "options/command_table.h"
#include "options/usage_error.h"
#include "pipeline/work/workers.h"

namespace bertprep::cli {
namespace {

constexpr CommandEntry kCommands[] = {
    {"run", "Make shards of rows for BERT, or of token sequences, from a dataset or text", make_run_command},
    {"plan", "Estimate rows, bytes, memory, disk and time of a run from part of its input", make_plan_command},
    {"status", "Show the status of runs; exit status 0 done, 5 running, 6 waiting in a queue, 1 neither",
     make_status_command},
    {"submit", "Write the jobs of a run for a batch engine, and submit them", make_submit_command},
    {"retry-list", "Print which tasks of an array job to run again, in the engine's syntax", make_retry_list_command},
    {"fetch", "Download datasets and Punkt parameters by name: resumable and checked", make_fetch_command},
    {"extract", "Turn dumps of MediaWiki wikis into files of <doc> elements", make_extract_command},
    {"format", "Turn any source into a file with one article per line", make_format_command},
    {"shard", "Split articles into sentences and distribute them over text shards", make_shard_command},
    {"instances", "Turn text shards into HDF5 shards with the same base names, for one phase", make_instances_command},
    {"verify", "Check shards: manifest, digests, schema and the rules for every row", make_verify_command},
    {"doctor", "Check whether a trainer would hang, crash late or learn nonsense from the shards of any tool",
     make_doctor_command},
    {"compare", "Compare the rows of two sets of HDF5 files; exit status 0 when they are the same",
     make_compare_command},
    {"reshard", "Redistribute the rows of finished shards, without the text", make_reshard_command},
    {"report", "Show what the shards of any tool hold, on one page with charts and rows to read", make_report_command},
    {"inspect", "Show the contents of a shard, and rows of it as text", make_inspect_command},
    {"explain", "Show where rows of a shard come from: articles, sentences, pass and masks", make_explain_command},
    {"hash", "Print digests of the values in shards, independent of chunks and compression", make_hash_command},
    {"order", "Print the order in which berttrain and bertprep.Rows take the rows", make_order_command},
    {"croissant", "Describe a finished dataset for publication, as Croissant 1.1 metadata", make_croissant_command},
    {"tokenize", "Print the tokens of every line, separated by spaces", make_tokenize_command},
    {"sentences", "Print one sentence per line, and an empty line after each input line", make_sentences_command},
    {"sequences",
     "Turn text into token sequences without masks or labels, for trainers that make these themselves: MDS, Megatron "
     "or HDF5",
     make_sequences_command},
    {"reindex", "Rebuild the index of an MDS or Megatron set from the files that hold the ids", make_reindex_command},
    {"vocab", "List, fetch, check and train vocabularies", nullptr},
    {"vocab list", "List the known vocabularies and where they are", make_vocab_list_command},
    {"vocab fetch", "Download vocabularies to a folder where every command finds them by name",
     make_vocab_fetch_command},
    {"vocab check", "Check a vocabulary: encoding, duplicates, special pieces", make_vocab_check_command},
    {"vocab train", "Make a WordPiece vocabulary from text", make_vocab_train_command},
    {"vocab export", "Write a vocabulary as the folder of a tokenizer that other programs load",
     make_vocab_export_command},
};

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
  const CommandTable commands(program, kCommands, {argv, static_cast<std::size_t>(argc)});
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
