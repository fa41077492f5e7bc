#include <cstdio>

#include "options/command.h"
#include "pipeline/plan/plan.h"
#include "run/run_flags.h"

namespace bertprep::cli {
namespace {

void print_line(const std::string& what, const std::string& value) {
  constexpr int kWidth = 14;
  std::printf("%-*s%s%s\n", kWidth, what.c_str(), what.size() < kWidth ? "" : " ", value.c_str());
}

std::string error_text(double error) {
  return "+-" + decimal(error * 100, 0) + " %";
}

class PlanCommand final : public Command {
 public:
  explicit PlanCommand(CLI::App& self) : Command(self) { flags_.add(*this, {"threads", "memory", "keep"}); }

  int run(Console& console) override {
    flags_.check(console);
    std::vector<std::filesystem::path> none;
    RunRequest& request = flags_.request();
    read_standard_input(none, request.pipeline.vocabulary, std::filesystem::temp_directory_path(), console);
    const Plan plan = request.plan(flags_.given(), console);
    console.options().json ? print_events(plan) : print(plan);
    return kDone;
  }

 private:
  static void print(const Plan& plan) {
    print_line("dataset", plan.dataset);
    if (plan.from_sample) {
      print_line("measured", bytes_text(plan.sample_bytes) + " of " + bytes_text(plan.input_bytes) +
                                 " of input; sizes " + error_text(plan.size_error) + ", time " +
                                 error_text(plan.time_error));
    } else {
      print_line("estimated", "from the catalogue's sizes and ratios of English text, " + error_text(plan.size_error) +
                                  "; speed measured on generated text, time " + error_text(plan.time_error));
    }
    if (plan.download_bytes != 0) print_line("download", bytes_text(plan.download_bytes));
    print_line("articles", grouped(plan.articles) + ", " + counted(plan.sentences, "sentence") + ", " +
                               counted(plan.tokens, "token"));
    print_line("formatted", bytes_text(plan.formatted_bytes));
    print_line("text shards", bytes_text(plan.text_shard_bytes) + " in " + grouped(plan.shards) +
                                  ", the largest about " + bytes_text(plan.largest_text_shard_bytes));
    for (const PlannedPhase& phase : plan.phases) {
      print_line(phase.seq_len == 0 ? "sequences" : "rows of " + std::to_string(phase.seq_len),
                 grouped(phase.rows) + " in " + bytes_text(phase.bytes));
    }
    print_needs(plan);
  }

  static void print_needs(const Plan& plan) {
    const auto time_of = [](const ExpectedSpan& stage) { return stage.stage + " " + duration_text(stage.seconds); };
    const std::string times = joined(plan.stages, ", ", time_of);
    print_line("time", duration_text(plan.seconds()) + " with " + counted(plan.threads, "thread") + " (" + times +
                           (plan.download_bytes == 0 ? ")" : "), and the download"));
    print_line("memory", bytes_text(plan.memory_of_all_threads) + " for all threads, " +
                             bytes_text(plan.memory_of_one_thread) + " for one; --memory allows " +
                             bytes_text(plan.memory_allowed));
    for (const PlannedDisk& disk : plan.disks) {
      print_line("disk", bytes_text(disk.peak_bytes) + " at most, " + bytes_text(disk.kept_bytes) + " kept, " +
                             bytes_text(disk.free_bytes) + " free (" + disk.folder.string() + ")");
    }
    for (const std::string& warning : plan.warnings) print_line("WARNING", in_flags(warning));
    std::fflush(stdout);
  }

  static void print_events(const Plan& plan) {
    JsonEvent event("plan");
    event.text("dataset", plan.dataset).text("basis", plan.from_sample ? "sample" : "catalogue");
    event.number("input_bytes", plan.input_bytes).number("sample_bytes", plan.sample_bytes);
    event.real("size_error", plan.size_error).real("time_error", plan.time_error);
    event.number("download_bytes", plan.download_bytes).number("articles", plan.articles);
    event.number("sentences", plan.sentences).number("tokens", plan.tokens);
    event.number("formatted_bytes", plan.formatted_bytes).number("text_shard_bytes", plan.text_shard_bytes);
    event.number("largest_text_shard_bytes", plan.largest_text_shard_bytes).number("shards", plan.shards);
    event.number("threads", plan.threads).number("threads_within_memory", plan.threads_within_memory);
    event.number("memory_of_one_thread", plan.memory_of_one_thread);
    event.number("memory_of_all_threads", plan.memory_of_all_threads);
    event.number("memory_allowed", plan.memory_allowed).real("seconds", plan.seconds()).print();
    for (const PlannedPhase& phase : plan.phases) {
      JsonEvent("plan_phase")
          .number("seq_len", phase.seq_len)
          .number("rows", phase.rows)
          .number("bytes", phase.bytes)
          .print();
    }
    for (const ExpectedSpan& stage : plan.stages) {
      JsonEvent("plan_stage").text("stage", stage.stage).real("seconds", stage.seconds).print();
    }
    for (const PlannedDisk& disk : plan.disks) {
      JsonEvent("plan_disk")
          .text("folder", disk.folder.string())
          .number("peak_bytes", disk.peak_bytes)
          .number("kept_bytes", disk.kept_bytes)
          .number("free_bytes", disk.free_bytes)
          .print();
    }
    for (const std::string& warning : plan.warnings) JsonEvent("warning").text("text", in_flags(warning)).print();
  }

  RunFlags flags_;
};

}  // namespace

extern const CommandEntry kPlanCommand{"plan", make_command<PlanCommand>};

}  // namespace bertprep::cli
