// plan: estimates a run's results and resources by running its stages on a small part of the input.
#pragma once

#include "bertprep/pipeline/build.h"
#include "pipeline/records/run_expectation.h"

namespace bertprep {

struct PlannedPhase {
  std::uint64_t seq_len = 0;  // 0: token sequences
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

// The space that results need on one file system. Existing results are not subtracted.
struct PlannedDisk {
  std::filesystem::path folder;
  std::uint64_t peak_bytes = 0;  // the maximum during the run
  std::uint64_t kept_bytes = 0;  // what remains, according to --keep
  std::uint64_t free_bytes = 0;
};

struct Plan {
  std::string dataset;
  // The source of the numbers: a part of the input, or typical ratios and the catalogue's sizes.
  bool from_sample = true;
  std::uint64_t input_bytes = 0;   // of the files, as stored
  std::uint64_t sample_bytes = 0;  // how many of them were read
  double size_error = 0;           // rough, relative: 0.05 is 5 %
  double time_error = 0;

  std::uint64_t download_bytes = 0;  // still to be downloaded
  std::uint64_t articles = 0;
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t formatted_bytes = 0;
  std::uint64_t text_shard_bytes = 0;  // of all of them
  std::uint64_t shards = 0;            // of each phase
  std::vector<PlannedPhase> phases{};

  // format, shard, instances or sequences; "check": digests of the input, at the start.
  std::vector<ExpectedSpan> stages{};
  std::uint64_t threads = 0;  // requested

  std::uint64_t largest_text_shard_bytes = 0;
  std::uint64_t memory_of_one_thread = 0;
  std::uint64_t memory_of_all_threads = 0;
  std::uint64_t memory_allowed = 0;  // from --memory
  std::uint64_t threads_within_memory = 0;

  std::vector<PlannedDisk> disks{};
  // Why the run would fail or be slow: too little room or memory, too few articles. Sentences for display.
  std::vector<std::string> warnings{};

  double seconds() const;
};

// Reads about 1 % of the inputs (4 to 64 MB, if available), at several places, and runs all stages on it in a temporary
// folder below the work folder. Throws as build().
Plan plan_run(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& options,
              Progress& progress);

// Takes sizes from `facts` and from ratios of English encyclopedia text, and the speed of this machine from generated
// text. Needs neither the vocabulary nor sentence parameters. Throws ConfigError if no size is known.
Plan plan_unseen_run(const CorpusFacts& facts, const BuildFolders& folders, const PipelineOptions& options,
                     Progress& progress);

}  // namespace bertprep
