// What the stages of a run come to, before they begin, for those who watch it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/resumption.h"

namespace bertprep {

// Of a corpus: what is read, and about how much text it holds.
struct CorpusSize {
  double input_bytes = 0;
  double text_bytes = 0;
  double format_seconds = 0;
};

// By the sizes of the files, their format and their compression. What can't be told is left out.
CorpusSize size_of_corpus(std::span<const CorpusPart> parts);

// Format, shard, and instances of all phases or sequences.
std::vector<ExpectedSpan> expected_stages(const CorpusSize& size, const PipelineOptions& options);
// A digest of the files.
ExpectedSpan expected_check(const CorpusSize& size);

// A stage that reads a corpus.
struct ReadingStage {
  const char* name;
  CorpusSize size;
};
// The digest of the files where a record is there to compare it with, or else their size alone: they are hashed while
// they are read. Tells `progress` what comes.
InputDigest look_at_input(std::span<const std::filesystem::path> files, const ReadingStage& stage, bool has_record,
                          Progress& progress);

// Those that were found done take no time.
std::vector<ExpectedSpan> expected_stages(std::span<const CorpusPart> parts, const EarlierRun& earlier,
                                          const PipelineOptions& options);

// What is known of a corpus that is not on this machine, in bytes; 0: not known.
struct CorpusFacts {
  std::uint64_t download_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t articles = 0;
};

// Tells `progress` what a run of a dataset comes to that has to be fetched first: a download and the stages, by ratios
// alone. build() says it again, and better, when the files are there.
void expect_run(const CorpusFacts& facts, const PipelineOptions& options, Progress& progress);

}  // namespace bertprep
