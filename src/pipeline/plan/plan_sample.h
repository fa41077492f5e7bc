// PlanSample: a small part of a corpus, cut out of its files at the boundaries of articles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/pipeline/stages.h"

namespace bertprep {

struct PlanSample {
  std::vector<CorpusPart> parts;
  std::uint64_t input_bytes = 0;   // of the whole corpus
  std::uint64_t sample_bytes = 0;  // of it, in the sample
  std::uint64_t articles = 0;      // of the sample
  bool is_whole = false;           // nothing was left out
  bool is_front = false;           // compressed files or markup: their first bytes alone, and no other places

  double scale() const;
  // The articles of the sample. A file that was cut off in the middle of an article ends before it.
  std::unique_ptr<DocumentSource> open(const TaskRunner& runner) const;
};

// Archives that have their list of members at the end are taken as a whole.
//
// Copies about `share` of the corpus, within `least_bytes` and `most_bytes`, to files in `folder`, which exists. Takes
// more when the part holds fewer than two articles. Throws IoError, FormatError as open_source() does.
struct SampleSize {
  double share = 0.01;
  std::uint64_t least_bytes = 4'000'000;
  std::uint64_t most_bytes = 64'000'000;
};
PlanSample cut_sample(std::span<const CorpusPart> parts, const std::filesystem::path& folder, const SampleSize& size);

}  // namespace bertprep
