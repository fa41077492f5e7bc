// Functions of whole runs: build, run, plan.
#include <memory>
#include <optional>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/ignored_options.h"
#include "pipeline/plan/plan.h"
#include "pipeline/records/corpus_name.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/vocab_text.h"
#include "pipeline/run_source.h"
#include "pipeline/sequences/sequences.h"
#include "served_call.h"
#include "stage_results.h"
#include "text_components.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

// The options of build(), run() and plan().
struct RunRequest {
  RunSource source{};
  BuildFolders folders{};
  PipelineOptions pipeline{};
  SequenceRun sequences{};

  // `from_files`: not from documents of Python.
  void set(Keywords& keywords, bool from_files) {
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
    keywords.set(pipeline.work);
    keywords.set(sequences.options, {"for", "to", "column", "dtype", "max-tokens", "long", "text", "line-ends",
                                     "min-tokens", "blocks", "stride", "last-block", "group-rows", "eod", "level",
                                     "size-limit", "compression", "hashes", "test-split"});
    keywords.set(sequences.encoder);
  }

  // What the program checks, too, before it reads anything.
  void check(const Keywords& keywords, Progress& progress) {
    if (sequences.options.preset != SequencePreset::kNone || sequences.options.format != SequenceFormat::kAuto) {
      resolve_sequences(sequences.options);
      pipeline.sequences = std::make_shared<const SequenceRun>(sequences);
    }
    refuse_options_of_other_goal(keywords.given(), pipeline.sequences != nullptr);
    bertprep::check(source.source);
    bertprep::check(source.wiki);
    bertprep::check(source.fetch);
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

  void set_folders(Keywords& keywords, const py::object& output) {
    folders.output = path_of(output, "output");
    if (const py::object work = keywords.object("work"); !work.is_none()) folders.work = path_of(work, "work");
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
  request.set_folders(keywords, output);
  set_components(keywords, request.pipeline, call);
  keywords.require_all_known("build");
  DocumentFeed feed(documents, request.source.source, call);
  const BuildReport report = call.run([&] {
    request.check(keywords, call);
    resolve_run(request.source, work_folder(request.folders) / "download", request.pipeline, call);
    return build(feed, request.folders, request.pipeline, call);
  });
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

py::object run_files(const py::object& dataset, const py::object& input, const py::object& output,
                     const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  RunRequest request;
  request.set(keywords, true);
  request.set_folders(keywords, output);
  set_components(keywords, request.pipeline, call);
  keywords.require_all_known("run");
  set_inputs(dataset, input, request.source);
  const BuildReport report = call.run([&] {
    request.check(keywords, call);
    const std::vector<CorpusPart> parts =
        resolve_run(request.source, work_folder(request.folders) / "download", request.pipeline, call);
    if (!request.source.dataset.empty()) refuse_ignored_options(keywords.given(), parts, call);
    return build(parts, request.folders, request.pipeline, call);
  });
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
  request.set(keywords, true);
  request.set_folders(keywords, output);
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
}

void list_building_options(const std::string& function, Keywords& keywords) {
  if (function == "build" || function == "run" || function == "plan") RunRequest().set(keywords, function != "build");
}

}  // namespace bertprep::python
