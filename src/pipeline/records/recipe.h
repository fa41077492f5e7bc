// Recipes: everything that decides the bytes of a stage. Equal recipes with equal inputs give equal results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/vocab.h"
#include "bertprep/wiki/wiki_options.h"
#include "io/json.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// The stage of token sequences, as named in recipes.
inline constexpr const char* kSequenceStage = "sequences";
inline constexpr const char* kReshardStage = "reshard";

class Recipe {
 public:
  // `stage` and `version` change when a stage's output changes for the same options.
  Recipe(std::string_view stage, std::string_view version);

  // All fields of `options` that decide bytes.
  template <class Options>
  Recipe& add_options(const Options& options) {
    for (const FieldValue& field : recipe_of(options)) add(field.name, field.value);
    return *this;
  }
  Recipe& add(std::string_view name, std::string_view value);
  // How text becomes ids, and the vocabulary.
  Recipe& add_tokenizer(const TokenizerOptions& tokenizer);
  Recipe& add_vocab(const Vocab& vocab, const TokenizerOptions& tokenizer);

  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }
  Json json() const;
  // sha256 over the recipe and the digest of the task's input.
  std::string key(const std::string& input_digest) const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
  std::string line_;  // json() on one line, without the brace at the end
};

// Recipe::key() of a recorded recipe.
std::string recipe_key(const Json& recipe, const std::string& input_digest);

// Adds how pages become text, with a file of templates replaced by its content. A file made by the run represents the
// dumps; `earlier` tells when it was.
void add_wiki(const WikiOptions& wiki, const std::optional<CompletionRecord>& earlier, Recipe& recipe);
// Adds the file of templates, made by a stage that began without it, to the stage's record.
void add_made_templates(const WikiOptions& wiki, CompletionRecord& record);

// `earlier`: the existing record, if any.
Recipe format_recipe(const FormatTask& task, const std::optional<CompletionRecord>& earlier = {});
std::string format_task_name(const FormatTask& task);
Recipe vocab_recipe(const VocabTask& task);

// The input digest is text_digest() of the formatted text.
Recipe shard_recipe(const std::string& dataset, const PipelineOptions& options, const SentenceSplitter& splitter);
std::string shard_task_name(const std::string& dataset);
// For one phase, without the text.
Recipe instance_recipe(const InstanceOptions& phase, const PipelineOptions& options, const Vocab& vocab);

// The digest that sharding uses for one formatted file whose text has the digest `sha256`.
std::string text_digest(const std::string& sha256);

}  // namespace bertprep
