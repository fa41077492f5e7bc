// PlanSample: a small part of a corpus, taken from its files at article boundaries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

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

}  // namespace bertprep
