// build: runs all stages, from documents to shards. Most users of the library need only this call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/source/document_source.h"

namespace bertprep {

struct BuildFolders {
  std::filesystem::path output;  // ROOT: hdf5_.../NAME/NAME_training_0.hdf5 ...
  std::filesystem::path work{};  // formatted text and text shards; empty: default beside ROOT
};

// folders.work, or the default: $BERT_PREP_WORKING_DIR, else bertprep-work beside `output`. Throws ConfigError for an
// address, such as s3://bucket/x.
std::filesystem::path work_folder(const BuildFolders& folders);

struct BuildReport {
  std::vector<StageReport> stages;
  std::vector<std::filesystem::path> shard_folders;  // one per phase
  std::uint64_t rows = 0;
  std::uint64_t shards = 0;
};

// Throws Error; see stages.h. A second call with the same documents and options finds its work done.
BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options,
                  Progress& progress);
BuildReport build(DocumentSource& source, const BuildFolders& folders, const PipelineOptions& options);

// The same from files. Results of an earlier call with the same recipe are reused; stages are checked last to first:
// existing shards make the text shards unnecessary, text shards the formatted file. Notes say which stage is repeated
// and why.
BuildReport build(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& options,
                  Progress& progress);

}  // namespace bertprep
