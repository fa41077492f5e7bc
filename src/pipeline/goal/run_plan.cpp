#include "pipeline/goal/run_plan.h"

#include <array>

#include "pipeline/records/output_place.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/template_report.h"

namespace bertprep {
namespace {

std::vector<CorpusPart> parts_of_run(std::span<const CorpusPart> corpus, const PipelineOptions& options) {
  std::vector<CorpusPart> parts(corpus.begin(), corpus.end());
  for (CorpusPart& part : parts) {
    check_max_article(part.source.max_article, options.work.memory);
    keep_documents(options, part);
  }
  return parts;
}

void refuse_outputs_over_input(const RunPlan& plan) {
  refuse_run_over_input(plan.parts, plan.folders, plan.layout, plan.options);
  const std::array results{plan.folders.output, plan.layout.work};
  check_template_report(template_report_of(plan.parts), InputGuard(plan.parts), results, plan.options.work.force);
}

}  // namespace

RunPlan::RunPlan(std::span<const CorpusPart> corpus, const BuildFolders& where, const PipelineOptions& given)
    : RunShape{where, given, {}, {}} {
  options.validate_all();
  options.as_is = keeps_text(given);
  parts = parts_of_run(corpus, options);
  options.sentences = resolve_sentences(parts, given.sentences);
  layout = layout_of(folders, options);
  refuse_outputs_over_input(*this);
  require_places(folders);
  load_models();
  goal->refuse_others(*this, {});
}

RunPlan RunPlan::recorded(std::vector<CorpusPart> parts, const BuildFolders& folders, PipelineOptions options) {
  RunPlan plan;
  plan.folders = folders;
  plan.options = std::move(options);
  plan.layout = layout_of(folders, plan.options);
  plan.parts = std::move(parts);
  return plan;
}

void RunPlan::load_models() {
  splitter = make_run_splitter(options);
  goal = make_run_goal(options);
}

RunPlan RunPlan::counted(std::uint64_t articles) const {
  if (options.sharding.is_resolved()) return *this;
  RunPlan plan = *this;
  plan.options = with_shards(plan.options, articles);
  plan.layout = layout_of(folders, plan.options);
  return plan;
}

RunPlan RunPlan::with_articles(std::uint64_t articles) const {
  RunPlan plan = counted(articles);
  if (options.sharding.is_resolved()) return plan;
  refuse_run_over_input(parts, folders, plan.layout, plan.options);
  plan.goal->refuse_others(plan, {});
  write_run_description(folders, plan.description());
  return plan;
}

std::vector<ManifestSource> RunPlan::sources() const {
  std::vector<ManifestSource> all;
  for (const CorpusPart& part : parts) all.insert(all.end(), part.sources.begin(), part.sources.end());
  return all;
}

FormatStep RunPlan::format_task() const {
  return {{.parts = parts,
           .file = layout.formatted,
           .keep_lines = holds_sentence_lines(options),
           .as_is = options.as_is,
           .normalizer = options.normalizer},
          splitter,
          true};
}

std::string RunPlan::shard_task() const {
  return shard_task_name(options.corpus.name);
}

}  // namespace bertprep
