// Functions of whole runs: build, run, plan.

#include "acceptance.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/run_stage.h"
#include "records.h"
#include "text_components.h"

namespace bertprep::python {
namespace {

// The stage of an array job that run() does.
struct StageOptions {
  std::string stage;
  std::string piece_size = kUsualPieceSize;

  static FieldList<StageOptions> fields() {
    static const Field<StageOptions> kFields[] = {
        {.name = "stage",
         .member = &StageOptions::stage,
         .unit = "stage",
         .help = "one stage of an array job, in this order: fetch, format, place, shard, instances, finish"},
        {.name = "piece-size",
         .member = &StageOptions::piece_size,
         .unit = "size",
         .help = "of the pieces that the stage fetch cuts the input into"},
    };
    return {kFields, OptionGroup::kArrayJobs};
  }
};

// The options of build(), run() and plan(). `from_files`: not from documents of Python.
struct RunKeywords {
  RunRequest request{};

  RunKeywords(Keywords& keywords, bool from_files) {
    RunSource& source = request.source;
    PipelineOptions& pipeline = request.pipeline;
    request.folders.output = keywords.path("output");
    request.folders.work = keywords.path("work", "folder for text and downloads (default: beside the output)");
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
    keywords.set(request.sequences.options, kSequenceFieldsOfRuns);
    keywords.set(request.sequences.encoder);
  }
};

struct BuildRequest : RunKeywords {
  py::object documents;
  Components components;
  AcceptanceOptions accepted{};

  explicit BuildRequest(Keywords& keywords)
      : RunKeywords(keywords, false), documents(keywords.object("documents")), components(keywords) {
    keywords.set(request.pipeline.work);
    keywords.set(accepted);
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    components.set(request.pipeline, call);
    DocumentFeed feed(documents, request.source.source, call);
    const BuildReport report = call.run([&] {
      request.check(keywords.given(), call);
      request.resolve(keywords.given(), call);
      return build(feed, request.folders, request.pipeline, call);
    });
    require_accepted(report.stages, accepted);
    return to_object(call.noted(report));
  }
};

void require_dataset_or_input(const RunSource& source) {
  if (source.dataset.empty() == source.inputs.empty()) {
    throw_type_error("give either the name of a dataset, or files with input=");
  }
}

struct FilesRequest : RunKeywords {
  Components components;
  AcceptanceOptions accepted{};
  StageOptions stage{};
  ArrayOptions array{};

  explicit FilesRequest(Keywords& keywords) : RunKeywords(keywords, true), components(keywords) {
    keywords.set(request.pipeline.work);
    keywords.set(accepted);
    keywords.set(stage);
    keywords.set(array);
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    components.set(request.pipeline, call);
    require_dataset_or_input(request.source);
    if (stage.stage.empty() && !(array.array_task + array.array_count + array.array_list).empty()) {
      throw ConfigError("a task of an array does one stage", {}, "give stage=, such as stage='format'");
    }
    const BuildReport report = call.run([&] {
      request.check_source();
      request.check(keywords.given(), call);
      if (!stage.stage.empty()) {
        const StageRequest asked{stage.stage, stage.piece_size, array};
        return BuildReport{.stages = {run_stage(request, asked, keywords.given(), call)}, .shard_folders = {}};
      }
      const std::vector<CorpusPart> parts = request.resolve(keywords.given(), call);
      return build(parts, request.folders, request.pipeline, call);
    });
    require_accepted(report.stages, accepted);
    return to_object(call.noted(report));
  }
};

struct PlanRequest : RunKeywords {
  explicit PlanRequest(Keywords& keywords) : RunKeywords(keywords, true) {
    keywords.set(request.pipeline.work, {"threads", "memory", "keep"});
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    require_dataset_or_input(request.source);
    const Plan plan = call.run([&] {
      request.check_source();
      request.check(keywords.given(), call);
      return request.plan(keywords.given(), call);
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
