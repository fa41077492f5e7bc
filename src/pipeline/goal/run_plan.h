// RunPlan: what a run or an array job makes, from what, with which models and where. Made once; every stage is handed
// the same plan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "pipeline/goal/run_goal.h"
#include "pipeline/stages/loaded_stages.h"

namespace bertprep {

// Copies share the models, so that all stages use the same ones even if a file changes meanwhile.
struct RunPlan : RunShape {
  // `corpus` may be empty, for documents of the caller. Refuses, before hours of work, invalid options, files and
  // folders of models that can't be read, outputs over inputs, and results of other runs in the folders. Writes
  // nothing. Throws as build().
  RunPlan(std::span<const CorpusPart> corpus, const BuildFolders& where, const PipelineOptions& given);
  // As recorded, without models: nothing is checked.
  static RunPlan recorded(std::vector<CorpusPart> parts, const BuildFolders& folders, PipelineOptions options);
  // Loads the splitter and the goal. Throws as build() for invalid options.
  void load_models();

  std::vector<CorpusPart> parts;
  std::shared_ptr<const RunGoal> goal;

  // The plan with the numbers of shards, if they depend on the number of articles.
  RunPlan counted(std::uint64_t articles) const;
  // The same; also refuses what could not be known before, and describes the run anew beside its results.
  RunPlan with_articles(std::uint64_t articles) const;

  // Of all parts that were fetched from an address.
  std::vector<ManifestSource> sources() const;
  RunDescription description() const { return goal->description(*this); }
  FormatStep format_task() const;
  // Where the formatted file is recorded, and as which task.
  std::filesystem::path formatted_folder() const { return layout.formatted.parent_path(); }
  std::string formatted_task() const { return layout.formatted.filename().string(); }
  std::string shard_task() const;

 private:
  RunPlan() = default;
};

}  // namespace bertprep
