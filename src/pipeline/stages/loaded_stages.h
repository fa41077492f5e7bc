// The stages of stages.h with models loaded by the caller, or with what only tests set.
#pragma once

#include <cstdint>

#include "bertprep/pipeline/stages.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

struct FormatRule {
  // Text between two checkpoints, from which a killed call is continued.
  std::uint64_t checkpoint_bytes = std::uint64_t{16} << 20U;
};
StageReport format_articles(const FormatTask& task, const WorkOptions& work, const FormatRule& rule,
                            Progress& progress);
StageReport shard_articles(const ShardTask& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                           Progress& progress);
StageReport make_instances(const InstanceTask& task, const PipelineOptions& options, const Vocab& vocab,
                           Progress& progress);

}  // namespace bertprep
