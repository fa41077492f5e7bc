// Functions of whole runs: build, run, plan.
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "acceptance.h"
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
#include "records.h"
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
  RunRequest(Keywords& keywords, bool from_files) {
    folders.output = keywords.path("output");
    folders.work = keywords.path("work", "folder for text and downloads (default: beside the output)");
    pipeline.corpus.name.clear();
    if (from_files) {
      source.dataset = keywords.path("dataset", "");
      source.inputs = keywords.files("input", "");
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

  fs::path download_folder() const { return work_folder(folders) / "download"; }

  std::vector<CorpusPart> resolve(Progress& progress) {
    return resolve_run(source, download_folder(), pipeline, progress);
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

struct BuildRequest : RunRequest {
  py::object documents;
  Components components;

  explicit BuildRequest(Keywords& keywords)
      : RunRequest(keywords, false), documents(keywords.object("documents")), components(keywords) {
    keywords.set(pipeline.work);
    keywords.set(accepted);
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    components.set(pipeline, call);
    DocumentFeed feed(documents, source.source, call);
    const BuildReport report = call.run([&] {
      check(keywords, call);
      resolve(call);
      return build(feed, folders, pipeline, call);
    });
    require_accepted(report.stages, accepted);
    return to_object(call.noted(report));
  }
};

// The dataset or the inputs of run() and plan().
void check_inputs(const RunSource& source) {
  if (source.dataset.empty() == source.inputs.empty()) {
    throw_type_error("give either the name of a dataset, or files with input=");
  }
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
    const std::vector<CorpusPart> parts = request.resolve(progress);
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

struct FilesRequest : RunRequest {
  Components components;

  explicit FilesRequest(Keywords& keywords) : RunRequest(keywords, true), components(keywords) {
    keywords.set(pipeline.work);
    keywords.set(accepted);
    keywords.set(stage);
    keywords.set(array);
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    components.set(pipeline, call);
    check_inputs(source);
    if (stage.stage.empty() && !(array.array_task + array.array_count + array.array_list).empty()) {
      throw ConfigError("a task of an array does one stage", {}, "give stage=, such as stage='format'");
    }
    const BuildReport report = call.run([&] {
      check(keywords, call);
      if (!stage.stage.empty()) return BuildReport{.stages = {run_stage(*this, call)}, .shard_folders = {}};
      const std::vector<CorpusPart> parts = resolve(call);
      if (!source.dataset.empty()) refuse_ignored_options(keywords.given(), parts, call);
      return build(parts, folders, pipeline, call);
    });
    require_accepted(report.stages, accepted);
    return to_object(call.noted(report));
  }
};

// A plan from files, or from the catalogue if not all of the dataset is on this machine.
Plan make_plan(RunRequest& request, Progress& progress) {
  RunSource local = request.source;
  local.fetch.offline = local.fetch.offline || !local.dataset.empty();
  try {
    PipelineOptions resolved = request.pipeline;
    const std::vector<CorpusPart> parts = resolve_run(local, request.download_folder(), resolved, progress);
    return plan_run(parts, request.folders, resolved, progress);
  } catch (const OfflineError&) {
    if (request.source.dataset.empty()) throw;
  }
  const DatasetFacts facts = describe_dataset(request.source.dataset, request.source.fetch, progress);
  if (request.pipeline.corpus.name.empty()) request.pipeline.corpus.name = facts.name;
  return plan_unseen_run({facts.download_bytes, facts.text_bytes, facts.articles}, request.folders, request.pipeline,
                         progress);
}

struct PlanRequest : RunRequest {
  explicit PlanRequest(Keywords& keywords) : RunRequest(keywords, true) {
    keywords.set(pipeline.work, {"threads", "memory", "keep"});
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    check_inputs(source);
    const Plan plan = call.run([&] {
      check(keywords, call);
      return make_plan(*this, call);
    });
    return to_object(call.noted(plan));
  }
};

}  // namespace

void bind_building(py::module_& module) {
  define<BuildRequest>(module, "build");
  define<FilesRequest>(module, "run");
  define<PlanRequest>(module, "plan");
}

}  // namespace bertprep::python
