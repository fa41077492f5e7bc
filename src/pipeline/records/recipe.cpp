#include "pipeline/records/recipe.h"

#include "base/number_text.h"
#include "io/digest.h"
#include "wiki/clean/article.h"

namespace bertprep {
namespace {

std::string member_line(std::string_view name, std::string_view value) {
  const auto quoted = [](std::string_view text) { return Json::string(std::string(text)).dump_line(); };
  return quoted(name) + ":" + quoted(value);
}

constexpr const char* kOfTheDumps = "those of the dumps";
constexpr const char* kMadeTemplates = "templates_sha256";

// Equal seeds in different notations make equal recipes.
InstanceOptions canonical(InstanceOptions options) {
  options.random_seed = canonical_integer(options.random_seed);
  return options;
}

// Options without an effect make equal recipes.
template <class Options>
Options with_canonical_accents(Options options) {
  const bool strips = options.strip_accents == AccentStripping::kYes;
  if (options.strip_accents != AccentStripping::kAuto && strips == options.lower_case) {
    options.strip_accents = AccentStripping::kAuto;
  }
  return options;
}

WikiOptions wiki_by_content(WikiOptions wiki, const std::optional<CompletionRecord>& earlier) {
  if (wiki.templates.empty()) return wiki;
  if (!std::filesystem::exists(wiki.templates)) {
    wiki.templates = kOfTheDumps;
    return wiki;
  }
  const std::string sha256 = sha256_of_file(wiki.templates);
  const Json* made = earlier ? earlier->counts.find(kMadeTemplates) : nullptr;
  wiki.templates = made != nullptr && made->text() == sha256 ? kOfTheDumps : "sha256:" + sha256;
  return wiki;
}

// How the corpus becomes text.
void add_parts(std::span<const CorpusPart> parts, const std::optional<CompletionRecord>& earlier, Recipe& recipe) {
  for (const CorpusPart& part : parts) {
    recipe.add_options(part.source);
    if (resolve_format(part.inputs, part.source) == InputFormat::kMediawiki) add_wiki(part.wiki, earlier, recipe);
  }
}

}  // namespace

Recipe::Recipe(std::string_view stage, std::string_view version) {
  add("stage", stage);
  add("stage-version", version);
}

Recipe& Recipe::add(std::string_view name, std::string_view value) {
  entries_.emplace_back(name, value);
  line_ += (line_.empty() ? "{" : ",") + member_line(name, value);
  return *this;
}

Json Recipe::json() const {
  Json object = Json::object();
  for (const auto& [name, value] : entries_) object.add(name, Json::string(value));
  return object;
}

std::string Recipe::key(const std::string& input_digest) const {
  return sha256_of(line_ + "," + member_line("input-sha256", input_digest) + "}");
}

std::string recipe_key(const Json& recipe, const std::string& input_digest) {
  std::string line = "{";
  for (const auto& [name, value] : recipe.members()) line += member_line(name, value.text()) + ",";
  return sha256_of(line + member_line("input-sha256", input_digest) + "}");
}

void add_wiki(const WikiOptions& wiki, const std::optional<CompletionRecord>& earlier, Recipe& recipe) {
  recipe.add_options(wiki_by_content(wiki, earlier));
  if (wiki.clean) recipe.add("clean-text", clean_text_version());
}

void add_made_templates(const WikiOptions& wiki, CompletionRecord& record) {
  const Json* used = record.recipe.find("templates");
  if (wiki.templates.empty() || used == nullptr || used->text() != kOfTheDumps) return;
  if (record.counts.find(kMadeTemplates) != nullptr || !std::filesystem::exists(wiki.templates)) return;
  record.counts.add(kMadeTemplates, Json::string(sha256_of_file(wiki.templates)));
}

Recipe format_recipe(const FormatTask& task, const std::optional<CompletionRecord>& earlier) {
  Recipe recipe("format", "3");
  add_parts(task.parts, earlier, recipe);
  recipe.add("keep-lines", task.keep_lines ? "true" : "false");
  if (task.as_is) recipe.add("text", "as-is");
  for (const CorpusPart& part : task.parts) {
    const LineBreaks breaks = line_breaks_of(resolve_format(part.inputs, part.source), part.source);
    if (!task.as_is && breaks != LineBreaks::kSpace) recipe.add("line-breaks", name_of(breaks));
  }
  return task.normalizer == nullptr ? recipe : recipe.add("normalizer", identity_of(*task.normalizer));
}

std::string format_task_name(const FormatTask& task) {
  return task.file.filename().string();
}

Recipe vocab_recipe(const VocabTask& task) {
  Recipe recipe("vocab", "1");
  add_parts(task.parts, {}, recipe);
  return recipe.add_options(with_canonical_accents(task.trainer));
}

Recipe shard_recipe(const std::string& dataset, const PipelineOptions& options, const SentenceSplitter& splitter) {
  Recipe recipe("shard", "2");
  return recipe.add("name", dataset).add_options(options.sharding).add("sentences", identity_of(splitter));
}

std::string shard_task_name(const std::string& dataset) {
  return dataset + ".text-shards";
}

Recipe instance_recipe(const InstanceOptions& phase, const PipelineOptions& options, const Vocab& vocab) {
  Recipe recipe("instances", "1");
  return recipe.add_options(canonical(phase))
      .add_tokenizer(options.tokenizer)
      .add_options(options.layout)
      .add_vocab(vocab, options.tokenizer);
}

Recipe& Recipe::add_tokenizer(const TokenizerOptions& tokenizer) {
  return add_options(with_canonical_accents(tokenizer));
}

Recipe& Recipe::add_vocab(const Vocab& vocab, const TokenizerOptions& tokenizer) {
  add("vocab-sha256", vocab.sha256()).add("vocab-size", std::to_string(vocab.size())).add("unicode", "14.0");
  return tokenizer.custom == nullptr ? *this : add("tokenizer", identity_of(*tokenizer.custom));
}

std::string text_digest(const std::string& sha256) {
  return sha256_of(sha256 + "\n");
}

}  // namespace bertprep
