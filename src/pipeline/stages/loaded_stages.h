// The stages of stages.h with models loaded by the caller.
#pragma once

#include "bertprep/pipeline/stages.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/vocab.h"

namespace bertprep {

StageReport shard_articles(const ShardTask& task, const PipelineOptions& options, const SentenceSplitter& splitter,
                           Progress& progress);
StageReport make_instances(const InstanceTask& task, const PipelineOptions& options, const Vocab& vocab,
                           Progress& progress);

}  // namespace bertprep
