// The recipes of the stages, and the names of their completion records.
#pragma once

#include <string>

#include "bertprep/pipeline/stages.h"
#include "bertprep/token/vocab.h"
#include "pipeline/recipe.h"

namespace bertprep {

Recipe format_recipe(const FormatTask& task);
std::string format_task_name(const FormatTask& task);

// Its input digest is text_digest() of the formatted text.
Recipe shard_recipe(const std::string& dataset, const PipelineOptions& options, const SentenceSplitter& splitter);
std::string shard_task_name(const std::string& dataset);
// Of one phase, without the text.
Recipe instance_recipe(const InstanceOptions& phase, const PipelineOptions& options, const Vocab& vocab);

// The digest that sharding uses for one formatted file whose text has the digest `sha256`.
std::string text_digest(const std::string& sha256);

}  // namespace bertprep
