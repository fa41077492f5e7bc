// Expected durations of a run's stages, for progress.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/input_digest.h"

namespace bertprep {

// The size of a corpus: bytes to read, and the approximate amount of text.
struct CorpusSize {
  double input_bytes = 0;
  double text_bytes = 0;
  double format_seconds = 0;
};

// By the sizes of the files, their format and their compression. Omits unknown sizes.
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
// Returns the digest of the files if there is a record to compare it with, else only their size, as they are hashed
// while they are read. Announces the stage to `progress`.
InputDigest identify_input(std::span<const std::filesystem::path> files, const ReadingStage& stage, bool has_record,
                           Progress& progress);

// Facts about a corpus that is not on this machine, in bytes; 0: unknown.
struct CorpusFacts {
  std::uint64_t download_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t articles = 0;
};

// Announces to `progress` a run of a dataset that must first be fetched: a download and the stages, estimated by
// ratios. build() repeats this more precisely once the files exist.
void expect_run(const CorpusFacts& facts, const PipelineOptions& options, Progress& progress);

// Ratios for English encyclopedia text, for plans of corpora not yet downloaded (docs/cli/plan.md has the table).
//
// Measured with this program on a gigabyte of repeated training text of WikiText-2, Punkt, bert-large-uncased.
namespace ratios {

inline constexpr double kSentencesOfAByte = 1 / 133.9;
inline constexpr double kTokensOfAByte = 1 / 4.522;
inline constexpr double kFormattedOfAByte = 0.42;  // zstd
inline constexpr double kIndexOfAByte = 0.02;
// For the text of a corpus, copied `dupe factor` times.
inline constexpr double kRowsOfAToken128 = 1 / 95.0;
inline constexpr double kRowsOfAToken512 = 1 / 295.3;
inline constexpr double kBytesOfARow128 = 219;
inline constexpr double kBytesOfARow512 = 750;
// Bytes of an article, if the catalogue lacks the number of articles.
inline constexpr double kBytesOfAnArticle = 3200;

// Bytes per second of two threads, for spans without a measured speed (docs/performance.md has the measurements).
inline constexpr double kDigestSpeed = 1e9;
inline constexpr double kDownloadSpeed = 20e6;
inline constexpr double kTextSpeed = 211e6;  // formatted, compressed and split
inline constexpr double kDumpSpeed = 300e6;  // of XML
inline constexpr double kBzip2Speed = 27e6;  // compressed
inline constexpr double kShardSpeed = 422e6;
inline constexpr double kCopySpeed = 385e6;  // of text, for each of its copies in each phase
inline constexpr double kSequenceSpeed = 300e6;
// Bytes of text per byte of a file.
inline constexpr double kTextOfADumpByte = 0.3;
inline constexpr double kTextOfABzip2DumpByte = 1.0;
inline constexpr double kTextOfAPackedByte = 3.0;

}  // namespace ratios

}  // namespace bertprep
