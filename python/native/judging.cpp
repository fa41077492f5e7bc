// Functions that judge data: verify, compare, doctor, report.
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "bindings.h"
#include "io/input_file.h"
#include "pipeline/array/array_job.h"
#include "pipeline/verify_paths.h"
#include "quality/compare.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "records.h"
#include "report/report.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

struct VerifyRequest {
  std::vector<fs::path> paths;
  fs::path work;
  bool finish;
  WorkOptions options{};

  explicit VerifyRequest(Keywords& keywords)
      : paths(keywords.files("paths")),
        work(keywords.path("work", "a work folder of runs, or one above it, whose files to check")),
        finish(keywords.flag("finish", "first write manifest.json in folders that the tasks of an array filled")) {
    keywords.set(options, {"threads"});
  }

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    if (paths.empty() && work.empty()) throw ConfigError("no folder was given");
    return to_object(call.run([&] {
      std::vector<VerifiedPath> found;
      for (const fs::path& path : finish ? paths : std::vector<fs::path>()) {
        for (const fs::path& folder : unfinished_shard_folders(path)) finish_shards(folder, call);
      }
      if (!work.empty()) {
        WorkReport files = verify_work(work, options, call);
        found.push_back({work, "files", {files.files, 0, files.bytes, std::move(files.problems)}});
      }
      verify_paths(paths, options, call, [&](const VerifiedPath& verified) { found.push_back(verified); });
      return found;
    }));
  }
};

struct CompareRequest {
  fs::path a;
  fs::path b;

  explicit CompareRequest(Keywords& keywords) : a(keywords.path("a")), b(keywords.path("b")) {}

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    return to_object(call.run([&] { return compare_sets(a, b, call); }));
  }
};

constexpr const char* kTrainerHelp = "a name or several: only findings that affect them";
constexpr const char* kRanksHelp = "number of training processes";

struct DoctorRequest {
  fs::path path;
  std::string vocab;
  DoctorOptions options{};

  explicit DoctorRequest(Keywords& keywords)
      : path(keywords.path("path")),
        vocab(keywords.path("vocab", "the vocabulary of token sequences, if none is beside them")) {
    for (const std::string& name : keywords.names("trainer", kTrainerHelp)) {
      options.trainers.push_back(trainer_of(name));
    }
    options.ranks = keywords.count("world_size", kRanksHelp);
    options.micro_batch = keywords.count("micro_batch", "rows of a process in a step");
    options.max_predictions = keywords.count("max_predictions", "the trainer's max_predictions_per_seq");
    const std::uint64_t pieces = keywords.count("vocab_size", "number of pieces that the model knows");
    options.model_pieces = static_cast<std::int64_t>(pieces);
    options.max_tokens = keywords.count("max_tokens", "the trainer's max_seq_len, for MDS");
    options.cache_limit = keywords.count("cache_limit", "the Streaming library's cache_limit, in bytes");
    options.splits = keywords.names("split", "names of the trainer's splits, for MDS");
  }

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    use_vocabulary(vocab, options);
    return to_object(call.run([&] { return diagnose_any(path, options, call); }));
  }
};

struct ReportRequest {
  fs::path path;
  ReportOptions options;
  fs::path events;

  explicit ReportRequest(Keywords& keywords)
      : path(keywords.path("path")),
        options{.vocab = keywords.path("vocab", "show the pieces of this vocabulary, else of that beside the set")},
        events(keywords.path("events", "a file with the output of 'bertprep run --json': time and memory")) {
    options.doctor.ranks = keywords.count("world_size", kRanksHelp);
    for (const std::string& name : keywords.names("trainer", kTrainerHelp)) {
      options.doctor.trainers.push_back(trainer_of(name, kRowTrainers));
    }
    if (const py::object rows = keywords.object("rows"); !rows.is_none()) options.rows = py::cast<std::size_t>(rows);
  }

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    if (!events.empty()) options.stages = stages_in(read_file(events));
    const std::vector<SetReport> sets = call.run([&] { return report_on(path, options, call); });
    return record("Report", text_object(report_page(sets)), to_object(sets));
  }
};

}  // namespace

void bind_judging(py::module_& module) {
  define<VerifyRequest>(module, "verify");
  define<CompareRequest>(module, "compare");
  define<DoctorRequest>(module, "doctor");
  define<ReportRequest>(module, "report");
}

}  // namespace bertprep::python
