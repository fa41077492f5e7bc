// The recipes of the stages, and the names of their completion records.
#pragma once

#include <optional>
#include <string>

#include "bertprep/pipeline/stages.h"
#include "bertprep/pipeline/train_vocab.h"
#include "bertprep/token/vocab.h"
#include "bertprep/wiki/wiki_options.h"
#include "pipeline/output_folder.h"
#include "pipeline/recipe.h"

namespace bertprep {

// The options for a recipe: a file of templates by what it holds. One that is made on the way stands for the dumps, as
// `earlier` says when it is met again.
WikiOptions wiki_by_content(WikiOptions wiki, const std::optional<CompletionRecord>& earlier);
// Adds to the record of a stage that began without the file of templates what it has made of it.
void add_made_templates(const WikiOptions& wiki, CompletionRecord& record);

// `earlier`: the record that is there, if there is one.
Recipe format_recipe(const FormatTask& task, const std::optional<CompletionRecord>& earlier = {});
std::string format_task_name(const FormatTask& task);
Recipe vocab_recipe(const VocabTask& task);

// Its input digest is text_digest() of the formatted text.
Recipe shard_recipe(const std::string& dataset, const PipelineOptions& options, const SentenceSplitter& splitter);
std::string shard_task_name(const std::string& dataset);
// Of one phase, without the text.
Recipe instance_recipe(const InstanceOptions& phase, const PipelineOptions& options, const Vocab& vocab);

// The digest that sharding uses for one formatted file whose text has the digest `sha256`.
std::string text_digest(const std::string& sha256);

}  // namespace bertprep
