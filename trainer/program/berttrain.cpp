// berttrain: pretrains BERT on HDF5 shards, and GPT-2 on blocks of tokens.
#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/trainer/process_group.h"
#include "bertprep/trainer/train.h"
#include "console/console.h"
#include "console/process.h"
#include "help/help_text.h"
#include "help/version_text.h"
#include "options/command.h"
#include "options/named_path.h"
#include "options/option_table.h"
#include "trainer/deepspeed_config.h"
#include "trainer/machine.h"
#include "trainer/program/allreduce_bench_command.h"
#include "trainer/program/process_setup.h"
#include "trainer/program/training_console.h"

namespace bertprep::cli {
namespace {

constexpr const char* kFooter =
    "Exit status: 0 done, 1 failed, 2 wrong usage, 75 try again later,\n130 and 143 interrupted: the same command "
    "resumes.\n\n"
    "Examples:\n"
    "  berttrain --data hdf5_dataset/hdf5_lower_case_1_seq_len_128_.../wikitext-2 \\\n"
    "      --model tiny --max-steps 1000 --batch-size 64 --output tiny \\\n"
    "      --log-json tiny/log.jsonl\n"
    "  berttrain --data hdf5_dataset/hdf5_lower_case_1_seq_len_512_.../wikitext-2 \\\n"
    "      --model tiny --max-steps 200 --init-from tiny --phase1-end-step 1000 \\\n"
    "      --output tiny-phase2 --export tiny-hf";

std::vector<LibraryVersion> all_library_versions(VersionOf wanted) {
  std::vector<LibraryVersion> versions = trainer_library_versions();
  const std::vector<LibraryVersion> others = library_versions(wanted);
  versions.insert(versions.end(), others.begin(), others.end());
  return versions;
}

// How this process ends, and the others with it.
class GroupExit {
 public:
  ProcessGroup& join() {
    group_ = join_process_group();
    return *group_;
  }
  int fail(int status, const std::string& message);
  int cancel(const std::string& message);

 private:
  std::unique_ptr<ProcessGroup> group_;
};

int GroupExit::fail(int status, const std::string& message) {
  const bool alone = group_ == nullptr || group_->size() == 1;
  // An error common to all is reported only by process 0, which ends the others while they wait.
  if (!alone && group_->rank() != 0) {
    end_at_signals();
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  const std::string who = alone || group_->rank() == 0 ? "" : "process " + std::to_string(group_->rank()) + ": ";
  std::fprintf(stderr, "berttrain: error: %s%s\n", who.c_str(), in_flags(message).c_str());
  std::fflush(nullptr);
  if (!alone) group_->abort(status);
  return status;
}

// All processes come here, although the signal may have reached only one.
int GroupExit::cancel(const std::string& message) {
  std::array<double, 2> signals{signal_received() == SIGTERM ? 1.0 : 0.0, signal_received() == SIGINT ? 1.0 : 0.0};
  if (group_ != nullptr) group_->sum(signals);
  if (group_ == nullptr || group_->rank() == 0) std::fprintf(stderr, "berttrain: %s\n", in_flags(message).c_str());
  return 128 + (signals[0] > 0 ? SIGTERM : SIGINT);
}

struct Program {
  CLI::App app{"Pretrains BERT on shards made by bertprep or by the reference, and GPT-2 on blocks of tokens.",
               "berttrain"};
  TrainOptions options;
  ConsoleOptions console;
  OptionTable table;
  std::string deepspeed_config;
  AllreduceBenchCommand bench{app};
  CommandTable texts;

  explicit Program(std::span<char* const> arguments);
};

Program::Program(std::span<char* const> arguments) : texts(app, {}, {}, arguments) {
  add_help_flags(app);
  app.formatter(
      std::make_shared<HelpText>("--data --model --init-from --batch-size --micro-batch --learning-rate --max-steps "
                                 "--output --precision --device"));
  const std::string general = heading(OptionGroup::kGeneral);
  app.footer(kFooter);
  table.add_all(app, options.data, options.model, options.optimizer, options.schedule, options.process, options.run);
  table.add_config_flags(app);
  check_path(app.add_option("--deepspeed-config", deepspeed_config,
                            "take batch, optimizer, schedule, precision and ZeRO stage from a configuration of "
                            "DeepSpeed; a note names what is not used"))
      ->type_name("FILE")
      ->group(general);
  app.add_flag("-q,--quiet", console.quiet, "print only errors")->group(general);
  app.add_flag("--json", console.json, "write events to stdout, one JSON object per line (docs/formats/events.md)")
      ->group(general);
  app.set_version_flag(
         "--version",
         [this] { return version_text("berttrain", console.json, all_library_versions(versions_wanted(console))); },
         "print the versions of the program and its libraries, and exit")
      ->group(general);
  app.require_subcommand(0, 1);
}

void warn_of_slow_blas(Console& console) {
  const std::filesystem::path library = blas_library();
  if (!is_reference_blas(library)) return;
  console.say("WARNING: matrices are multiplied by the reference BLAS, " + library.string() +
              ", which takes more than ten times as long. Install libopenblas0-pthread.");
}

// Returns notes for the user.
std::vector<std::string> take_deepspeed_config(Program& program, std::uint64_t processes) {
  if (program.deepspeed_config.empty()) return {};
  const DeepspeedChoices read =
      read_deepspeed_config(program.deepspeed_config, processes, program.options.run.max_steps);
  for (const DeepspeedChoice& choice : read.choices) {
    program.table.adopt(program.deepspeed_config + ": " + choice.key, choice.option, choice.value);
  }
  return read.notes;
}

int perform(Program& program, char** argv, GroupExit& group_exit) {
  if (program.bench.is_requested()) return program.bench.run(group_exit.join());
  if (Command* const command = program.texts.parsed()) {
    Console console(program.console);
    return command->run(console);
  }
  program.table.apply();
  if (program.table.print_config_asked()) {
    take_deepspeed_config(program, 1);
    std::fputs(program.table.config_json().c_str(), stdout);
    return kDone;
  }
  if (program.options.data.data.empty()) {
    throw ConfigError("--data is missing", {}, "give the folder with the shards of one phase");
  }
  if (program.deepspeed_config.empty()) program.options.validate_all();
  // Not earlier, as it restarts the program.
  set_up_process(argv);
  ProcessGroup& processes = group_exit.join();
  Console console(program.console);
  const bool speaks = processes.rank() == 0;
  for (const std::string& note : take_deepspeed_config(program, processes.size())) {
    if (speaks) console.say(program.deepspeed_config + ": " + note);
  }
  program.options.validate_all();
  if (speaks) warn_of_slow_blas(console);
  TrainingConsole observer(console);
  const TrainReport report = train(program.options, observer, processes);
  if (speaks) observer.finished(report);
  return kDone;
}

int parse_and_perform(int argc, char** argv, GroupExit& group_exit) {
  Program program({argv, static_cast<std::size_t>(argc)});
  refuse_empty_values(program.app);
  for (CLI::App* command : program.app.get_subcommands({})) refuse_empty_values(*command);
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return program.app.exit(success);
  } catch (const CLI::ParseError& error) {
    return report_usage_error(program.app, error);
  }
  return perform(program, argv, group_exit);
}

int main_of(int argc, char** argv, GroupExit& group_exit) {
  const int status = parse_and_perform(argc, argv, group_exit);
  require_stdout_written();
  return status;
}

}  // namespace
}  // namespace bertprep::cli

int main(int argc, char** argv) {
  using namespace bertprep::cli;
  require_stack("berttrain");
  watch_signals();
  // mpirun forwards it to its processes, unlike SIGTERM; on request, Slurm sends it some time before the end.
  std::signal(SIGUSR1, [](int) { std::raise(SIGTERM); });
  GroupExit group_exit;
  try {
    return main_of(argc, argv, group_exit);
  } catch (const bertprep::Cancelled& cancelled) {
    return group_exit.cancel(cancelled.what());
  } catch (const bertprep::ConfigError& error) {
    return group_exit.fail(kUsage, error.what());
  } catch (const bertprep::IoError& error) {
    return group_exit.fail(error.is_transient() ? kTryAgain : kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return group_exit.fail(kFailed, kOutOfMemory);
  } catch (const std::exception& error) {
    return group_exit.fail(kFailed, error.what());
  }
}
