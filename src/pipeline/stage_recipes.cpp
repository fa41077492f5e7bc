#include "pipeline/stage_recipes.h"

#include "bertprep/base/number_text.h"
#include "io/sha256.h"

namespace bertprep {
namespace {

// Seeds that mean the same number are the same recipe.
InstanceOptions canonical(InstanceOptions options) {
  options.random_seed = canonical_integer(options.random_seed);
  return options;
}

}  // namespace

Recipe format_recipe(const FormatTask& task) {
  Recipe recipe("format", "3");
  for (const CorpusPart& part : task.parts) {
    recipe.add_options(part.source);
    if (resolve_format(part.inputs, part.source) == "mediawiki") recipe.add_options(part.wiki);
  }
  return recipe.add("keep-lines", task.keep_lines ? "true" : "false");
}

std::string format_task_name(const FormatTask& task) {
  return task.file.filename().string();
}

Recipe shard_recipe(const std::string& dataset, const PipelineOptions& options, const SentenceSplitter& splitter) {
  Recipe recipe("shard", "2");
  return recipe.add("name", dataset).add_options(options.sharding).add("sentences", splitter.identity());
}

std::string shard_task_name(const std::string& dataset) {
  return dataset + ".text-shards";
}

Recipe instance_recipe(const InstanceOptions& phase, const PipelineOptions& options, const Vocab& vocab) {
  Recipe recipe("instances", "1");
  recipe.add_options(canonical(phase))
      .add_options(options.tokenizer)
      .add_options(options.layout)
      .add("vocab-sha256", vocab.sha256())
      .add("vocab-size", std::to_string(vocab.size()))
      .add("unicode", "14.0");
  return recipe;
}

std::string text_digest(const std::string& sha256) {
  return sha256_of(sha256 + "\n");
}

}  // namespace bertprep
