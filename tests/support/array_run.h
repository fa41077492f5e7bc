// An array job of small corpora through the library, and its results for comparison with a build.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "pipeline/array/array_job.h"
#include "support/file_tree.h"

namespace bertprep::test {

class ArrayRun {
 public:
  // In FOLDER/root and FOLDER/work.
  ArrayRun(const std::filesystem::path& folder, std::vector<CorpusPart> parts, PipelineOptions options,
           std::uint64_t piece_bytes = 400);

  const ArrayJob& job() const { return job_; }
  std::filesystem::path job_folder() const;
  PipelineOptions& options() { return options_; }

  StageReport fetch();
  StageReport task(ArrayStage stage, std::uint64_t task = 0, std::uint64_t count = 1);
  StageReport task(ArrayStage stage, std::uint64_t task, std::uint64_t count, Progress& progress);
  // All tasks of a stage, in order.
  void stage(ArrayStage stage, std::uint64_t count = 1);
  // Every stage from `first` to `last`.
  void stages(ArrayStage first, ArrayStage last, std::uint64_t count = 1);
  void all(std::uint64_t count = 1) { stages(ArrayStage::kFetch, ArrayStage::kFinish, count); }

 private:
  std::vector<CorpusPart> parts_;
  PipelineOptions options_;
  std::uint64_t piece_bytes_;
  ArrayJob job_;
};

// What users see of a run in FOLDER/root and FOLDER/work: shards, manifests, text shards, and formatted text with its
// origins and rejects; decompressed, as a compressed file may have other frames.
FileTree results_of(const std::filesystem::path& folder);

// The files in work/array, relative to it.
std::vector<std::string> files_of_jobs(const std::filesystem::path& folder);

}  // namespace bertprep::test
