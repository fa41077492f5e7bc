// PlanSample: a small part of a corpus, taken from its files at article boundaries.
#pragma once

#include "base/task_runner.h"
#include "bertprep/pipeline/stages.h"
#include "source/input/deferred_work.h"

namespace bertprep {

struct PlanSample {
  std::vector<CorpusPart> parts;
  std::uint64_t input_bytes = 0;   // of the whole corpus
  std::uint64_t sample_bytes = 0;  // of that, in the sample
  std::uint64_t articles = 0;      // of the sample
  bool is_complete = false;        // the sample is the whole corpus
  bool is_front = false;           // compressed files or markup: only their beginnings

  double scale() const;
  // The articles of the sample. A truncated file ends before its incomplete article.
  std::unique_ptr<DeferredSource> open(const TaskRunner& runner) const;
};

// Archives with their list of members at the end are taken whole.
//
// Copies about `share` of the corpus, within `min_bytes` and `max_bytes`, to files in `folder`, which must exist.
// Takes more if the part has fewer than two articles. Throws IoError, FormatError as open_source().
struct SampleSize {
  double share = 0.01;
  std::uint64_t min_bytes = 4'000'000;
  std::uint64_t max_bytes = 64'000'000;
};
PlanSample copy_sample(std::span<const CorpusPart> parts, const std::filesystem::path& folder, const SampleSize& size);

// PlanFolder: a temporary folder for a sample.
class PlanFolder {
 public:
  // Makes .plan.HOST.PID in `work`, and `work` if needed; removes folders of killed processes of this machine. Throws
  // IoError.
  explicit PlanFolder(const std::filesystem::path& work);
  // Removes everything that the constructor made.
  ~PlanFolder();
  PlanFolder(const PlanFolder&) = delete;
  PlanFolder& operator=(const PlanFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::filesystem::path first_made_;  // the topmost folder that it made
};

}  // namespace bertprep
