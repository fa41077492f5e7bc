// Functions of whole runs: build, run, plan.
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/number_text.h"
#include "batch/array_position.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/array/array_job.h"
#include "pipeline/ignored_options.h"
#include "pipeline/plan/plan.h"
#include "pipeline/records/corpus_name.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/records/vocab_text.h"
#include "pipeline/run_source.h"
#include "pipeline/sequences/sequences.h"
#include "served_call.h"
#include "stage_results.h"
#include "text_components.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

// The stage of an array job that run() does.
struct StageOptions {
  std::string stage;
  std::string piece_size = "64M";

  static constexpr OptionGroup kGroup = OptionGroup::kArrayJobs;
  static std::span<const Field<StageOptions>> fields() {
    static const std::array<Field<StageOptions>, 2> kFields{{
        {.name = "stage",
         .member = &StageOptions::stage,
         .unit = "stage",
         .help = "one stage of an array job, in this order: fetch, format, place, shard, instances, finish"},
        {.name = "piece-size",
         .member = &StageOptions::piece_size,
         .unit = "size",
         .help = "of the pieces that the stage fetch cuts the input into"},
    }};
    return kFields;
  }
};

// The options of build(), run() and plan().
struct RunRequest {
  RunSource source{};
  BuildFolders folders{};
  PipelineOptions pipeline{};
  SequenceRun sequences{};
  AcceptanceOptions accepted{};
  StageOptions stage{};
  ArrayOptions array{};
  std::string given_name{};

  // `from_files`: not from documents of Python.
  void set(Keywords& keywords, bool from_files) {
    const py::object work = keywords.object("work", "folder for text and downloads (default: beside the output)");
    if (!work.is_none()) folders.work = path_of(work, "work");
    pipeline.corpus.name.clear();
    if (from_files) {
      keywords.set(source.source);
      keywords.set(source.wiki);
    } else {
      keywords.set(source.source, {"text-field", "line-breaks"});
    }
    keywords.set(source.fetch);
    keywords.set(pipeline.corpus);
    keywords.set(pipeline);
    keywords.set(pipeline.tokenizer);
    keywords.set(pipeline.sentences);
    keywords.set(pipeline.sharding);
    keywords.set(pipeline.instances);
    keywords.set(pipeline.layout);
    keywords.set(sequences.options, {"for", "to", "column", "dtype", "max-tokens", "long", "text", "line-ends",
                                     "min-tokens", "blocks", "stride", "last-block", "group-rows", "eod", "level",
                                     "size-limit", "compression", "hashes", "test-split"});
    keywords.set(sequences.encoder);
  }
  void set_plan(Keywords& keywords) {
    set(keywords, true);
    keywords.set(pipeline.work, {"threads", "memory", "keep"});
  }
  // Those of functions that make data.
  void set_results(Keywords& keywords, bool from_files) {
    keywords.set(pipeline.work);
    keywords.set(accepted);
    if (!from_files) return;
    keywords.set(stage);
    keywords.set(array);
  }

  // What the program checks, too, before it reads anything.
  void check(const Keywords& keywords, Progress& progress) {
    if (sequences.options.preset != SequencePreset::kNone || sequences.options.format != SequenceFormat::kAuto) {
      resolve_sequences(sequences.options);
      pipeline.sequences = std::make_shared<const SequenceRun>(sequences);
      pipeline.as_is = source.source.as_is = source.wiki.as_is = keeps_text(pipeline);
    }
    refuse_options_of_other_goal(keywords.given(), pipeline.sequences != nullptr);
    bertprep::check(source.source);
    bertprep::check(source.wiki);
    bertprep::check(source.fetch);
    check_max_article(source.source.max_article, pipeline.work.memory);
    given_name = pipeline.corpus.name;
    if (!source.inputs.empty()) {
      const CorpusPart part{source.inputs, source.source, source.wiki};
      refuse_ignored_options(keywords.given(), {&part, 1}, progress);
    }
    if (pipeline.corpus.name.empty() && source.dataset.empty()) {
      pipeline.corpus.name = source.inputs.empty() ? CorpusOptions().name : name_of_corpus(source.inputs);
    }
    PipelineOptions named = pipeline;
    if (named.corpus.name.empty()) named.corpus.name = CorpusOptions().name;
    named.validate_all();
    if (pipeline.tokenizer.custom != nullptr ||
        (pipeline.sequences != nullptr && is_byte_pair_path(pipeline.vocabulary))) {
      return;
    }
    const GivenText text = given_text(keywords.given());
    adopt_vocab_text(text, pipeline.vocabulary, pipeline.tokenizer, progress);
    require_fitting_case(pipeline.vocabulary, pipeline.tokenizer);
    if (!fs::exists(pipeline.vocabulary)) return;
    require_reachable_pieces(text, pipeline.vocabulary, load_vocab(pipeline.vocabulary), pipeline.tokenizer, progress);
  }
};

py::object build_object(const BuildReport& report, const ServedCall& call) {
  return record("BuildReport", list_object(report.stages, stage_object), list_object(report.shard_folders, path_object),
                report.rows, report.shards, notes_object(call));
}

py::object build_documents(const py::object& documents, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  RunRequest request;
  request.set(keywords, false);
  request.set_results(keywords, false);
  request.folders.output = path_of(output, "output");
  set_components(keywords, request.pipeline, call);
  keywords.require_all_known("build");
  DocumentFeed feed(documents, request.source.source, call);
  const BuildReport report = call.run([&] {
    request.check(keywords, call);
    resolve_run(request.source, work_folder(request.folders) / "download", request.pipeline, call);
    return build(feed, request.folders, request.pipeline, call);
  });
  require_accepted(report.stages, request.accepted);
  return build_object(report, call);
}

// The dataset and the inputs of run() and plan(), one of which is None.
void set_inputs(const py::object& dataset, const py::object& input, RunSource& source) {
  if (dataset.is_none() == input.is_none()) throw_type_error("give either the name of a dataset, or files with input=");
  if (dataset.is_none()) {
    source.inputs = files_of(input, "input");
    if (source.inputs.empty()) throw ConfigError("input names no file");
    return;
  }
  source.dataset = path_of(dataset, "dataset");
  if (source.dataset.find('/') != std::string::npos) {
    throw ConfigError("'" + source.dataset + "' is a path, not the name of a dataset", {}, "give it with input=");
  }
}

StageReport run_stage(RunRequest& request, Progress& progress) {
  const StageOptions& given = request.stage;
  const ArrayStage stage = array_stage(given.stage);
  const RunSource& source = request.source;
  check_array(request.pipeline, source.wiki);
  std::vector<std::string> inputs;
  if (!source.dataset.empty()) inputs.push_back(source.dataset);
  for (const fs::path& input : source.inputs) inputs.push_back(fs::absolute(input).lexically_normal().string());
  PipelineOptions asked = request.pipeline;
  asked.corpus.name = request.given_name;
  const ArrayJob job{request.folders,
                     request.pipeline.corpus.name.empty() ? source.dataset : request.pipeline.corpus.name,
                     array_request(inputs, source.source, source.wiki, asked)};
  if (stage == ArrayStage::kFetch) {
    const std::vector<CorpusPart> parts =
        resolve_run(source, work_folder(request.folders) / "download", request.pipeline, progress);
    return plan_array(job, parts, request.pipeline, size_in_bytes(given.piece_size, "piece-size"), progress);
  }
  if (!is_array(stage) && !(request.array.array_task.empty() && request.array.array_count.empty())) {
    throw ConfigError("the stage " + given.stage + " is one task, not an array", {},
                      "leave out `array_task` and `array_count`");
  }
  const ArrayPosition position = is_array(stage) ? array_position(request.array, std::getenv) : ArrayPosition{};
  if (position.beyond_list) return {.stage = given.stage};
  const JobAttempt attempt = engine_attempt(std::getenv);
  return run_array_task(
      job, stage, {position.task, position.count}, request.pipeline.work,
      {attempt.engine, attempt.job, attempt.attempt == 0 ? std::string() : std::to_string(attempt.attempt)}, progress);
}

py::object run_files(const py::object& dataset, const py::object& input, const py::object& output,
                     const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  RunRequest request;
  request.set(keywords, true);
  request.set_results(keywords, true);
  request.folders.output = path_of(output, "output");
  set_components(keywords, request.pipeline, call);
  keywords.require_all_known("run");
  set_inputs(dataset, input, request.source);
  const ArrayOptions& array = request.array;
  if (request.stage.stage.empty() && !(array.array_task + array.array_count + array.array_list).empty()) {
    throw ConfigError("a task of an array does one stage", {}, "give stage=, such as stage='format'");
  }
  const BuildReport report = call.run([&] {
    request.check(keywords, call);
    if (!request.stage.stage.empty()) return BuildReport{.stages = {run_stage(request, call)}, .shard_folders = {}};
    const std::vector<CorpusPart> parts =
        resolve_run(request.source, work_folder(request.folders) / "download", request.pipeline, call);
    if (!request.source.dataset.empty()) refuse_ignored_options(keywords.given(), parts, call);
    return build(parts, request.folders, request.pipeline, call);
  });
  require_accepted(report.stages, request.accepted);
  return build_object(report, call);
}

// A plan from files, or from the catalogue if not all of the dataset is on this machine.
Plan make_plan(RunRequest& request, Progress& progress) {
  const fs::path folder = work_folder(request.folders) / "download";
  RunSource local = request.source;
  local.fetch.offline = local.fetch.offline || !local.dataset.empty();
  try {
    PipelineOptions resolved = request.pipeline;
    const std::vector<CorpusPart> parts = resolve_run(local, folder, resolved, progress);
    return plan_run(parts, request.folders, resolved, progress);
  } catch (const OfflineError&) {
    if (request.source.dataset.empty()) throw;
  }
  const DatasetFacts facts = describe_dataset(request.source.dataset, request.source.fetch, progress);
  if (request.pipeline.corpus.name.empty()) request.pipeline.corpus.name = facts.name;
  return plan_unseen_run({facts.download_bytes, facts.text_bytes, facts.articles}, request.folders, request.pipeline,
                         progress);
}

py::object plan_object(const Plan& plan, const ServedCall& call) {
  const auto phase = [](const PlannedPhase& given) {
    return record("PlannedPhase", given.seq_len, given.rows, given.bytes);
  };
  const auto stage = [](const PlannedStage& given) {
    return record("PlannedStage", text_object(given.stage), given.seconds);
  };
  const auto disk = [](const PlannedDisk& given) {
    return record("PlannedDisk", path_object(given.folder), given.peak_bytes, given.kept_bytes, given.free_bytes);
  };
  return record("Plan", text_object(plan.dataset), plan.from_sample, plan.input_bytes, plan.sample_bytes,
                plan.size_error, plan.time_error, plan.download_bytes, plan.articles, plan.sentences, plan.tokens,
                plan.formatted_bytes, plan.text_shard_bytes, plan.shards, list_object(plan.phases, phase),
                list_object(plan.stages, stage), plan.seconds(), plan.threads, plan.largest_text_shard_bytes,
                plan.memory_of_one_thread, plan.memory_of_all_threads, plan.memory_allowed, plan.threads_within_memory,
                list_object(plan.disks, disk), list_object(plan.warnings, text_object), notes_object(call));
}

py::object plan_files(const py::object& dataset, const py::object& input, const py::object& output,
                      const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  RunRequest request;
  request.set_plan(keywords);
  request.folders.output = path_of(output, "output");
  keywords.require_all_known("plan");
  set_inputs(dataset, input, request.source);
  const Plan plan = call.run([&] {
    request.check(keywords, call);
    return make_plan(request, call);
  });
  return plan_object(plan, call);
}

}  // namespace

void bind_building(py::module_& module) {
  module.def("build", build_documents);
  module.def("run", run_files);
  module.def("plan", plan_files);
  define_options(module, "build", [](Keywords& keywords) {
    RunRequest().set(keywords, false);
    RunRequest().set_results(keywords, false);
  });
  define_options(module, "run", [](Keywords& keywords) {
    RunRequest().set(keywords, true);
    RunRequest().set_results(keywords, true);
  });
  define_options(module, "plan", [](Keywords& keywords) { RunRequest().set_plan(keywords); });
}

}  // namespace bertprep::python
