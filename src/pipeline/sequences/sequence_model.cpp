#include "pipeline/sequences/sequence_model.h"

#include <algorithm>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/sequences/sequence_units.h"
#include "shard/mds/mds_format.h"
#include "shard/megatron/megatron_index.h"

namespace bertprep {
namespace {

constexpr const char* kVersion = "1";
constexpr std::size_t kVocabOfUint16 = std::size_t{1} << 16U;
// Overhead of a sample and of a shard: upper estimates.
constexpr std::uint64_t kSampleBytes = 16;
constexpr std::uint64_t kShardBytes = 1024;

IdType id_type(const SequenceOptions& options, const TextEncoder& encoder) {
  const bool is_megatron = options.format == SequenceFormat::kMegatron;
  switch (options.ids) {
    case IdChoice::kAuto:
      break;
    case IdChoice::kUint16:
      if (encoder.size() <= kVocabOfUint16) return IdType::kUint16;
      throw ConfigError("a vocabulary of " + grouped(encoder.size()) + " tokens does not fit into uint16", {},
                        "leave out `dtype`, or give int32");
    case IdChoice::kInt32:
      return IdType::kInt32;
    case IdChoice::kInt64:
      return IdType::kInt64;
  }
  if (is_megatron) return megatron_id_type(encoder.size());
  return encoder.size() <= kVocabOfUint16 ? IdType::kUint16 : IdType::kInt32;
}

void check_size_limit(const SequenceRule& rule) {
  const MdsFormat format = mds_format_of(rule);
  const auto tokens = static_cast<std::uint64_t>(std::max(rule.options.max_tokens, rule.options.blocks));
  const std::uint64_t most = tokens * bytes_of(rule.ids) + kSampleBytes + kShardBytes;
  if (!format.size_limit || *format.size_limit >= most) return;
  throw ConfigError(
      "a shard of `size_limit` " + rule.options.size_limit + " has no room for a row of " + grouped(tokens) + " tokens",
      {}, "give " + std::to_string(most) + " or more, or shorter rows");
}

TokenId required(const std::optional<TokenId>& id, const char* what, const TextEncoder& encoder, const char* hint) {
  if (id) return *id;
  throw ConfigError("'" + encoder.name() + "' has no token for " + what, {}, hint);
}

// WordPiece vocabularies have no such id: the end of a row also ends an article.
TokenId end_of_article(const TextEncoder& encoder) {
  const SpecialIds& special = encoder.specials();
  return required(special.eod ? special.eod : special.sep, "the end of an article", encoder, "give `eod` no");
}

ArticleText text_of(const SequenceTask& task, const PipelineOptions& options) {
  if (task.options.text != ArticleText::kAuto) return task.options.text;
  const bool as_is = task.inputs.empty() ? options.as_is : has_documents(task);
  return as_is ? ArticleText::kAsIs : ArticleText::kOneLine;
}

// Text shards of lines have their sentences.
std::shared_ptr<const SentenceSplitter> splitter_of(const SequenceTask& task, const PipelineOptions& options) {
  const bool splits = task.inputs.empty() ? options.as_is : has_documents(task);
  return splits && needs_sentences(task.options) ? make_sentence_splitter(options.sentences) : nullptr;
}

SequenceRule rule_of(const SequenceTask& task, const PipelineOptions& options, const TextEncoder& encoder) {
  SequenceRule rule{.options = resolve_sequences(task.options), .name = task.name};
  rule.options.text = text_of(task, options);
  if (rule.options.line_ends == LineEnds::kLf && rule.options.text != ArticleText::kAsIs) {
    throw ConfigError("`line_ends` lf is for text as it is, but this is one line for each article", {},
                      "leave it out, or give documents, such as JSON Lines");
  }
  rule.ids = id_type(rule.options, encoder);
  const SpecialIds& special = encoder.specials();
  const bool is_rows = rule.options.format != SequenceFormat::kMegatron && rule.options.blocks == 0;
  if (is_rows) {
    constexpr const char* kHint = "give `blocks`, or a tokenizer that was made for an encoder";
    rule.cls = required(special.cls, "the start of a row", encoder, kHint);
    rule.sep = required(special.sep, "the end of a row", encoder, kHint);
    if (rule.options.format == SequenceFormat::kHdf5) rule.pad = required(special.pad, "padding", encoder, kHint);
  }
  if (rule.options.end_of_article == EndOfArticle::kYes) rule.end_of_article = end_of_article(encoder);
  if (rule.options.format == SequenceFormat::kMds) check_size_limit(rule);
  return rule;
}

Recipe recipe_of_sequences(const SequenceTask& task, const SequenceModel& model, const PipelineOptions& options) {
  const SequenceRule& rule = model.rule;
  const TextEncoder& encoder = model.encoder;
  // The resolved type, not kAuto, decides the bytes.
  SequenceOptions settled = rule.options;
  settled.ids = rule.ids == IdType::kUint16  ? IdChoice::kUint16
                : rule.ids == IdType::kInt32 ? IdChoice::kInt32
                                             : IdChoice::kInt64;
  Recipe recipe(kSequenceStage, kVersion);
  recipe.add_options(settled);
  if (model.splitter != nullptr) recipe.add("sentences", identity_of(*model.splitter));
  if (has_documents(task)) recipe.add_options(task.source);
  if (const Vocab* vocab = encoder.wordpiece()) {
    return recipe.add_tokenizer(options.tokenizer).add_vocab(*vocab, options.tokenizer);
  }
  return recipe.add_options(task.encoder)
      .add("vocab-sha256", encoder.sha256())
      .add("vocab-size", std::to_string(encoder.size()));
}

TextEncoder open_encoder(const SequenceTask& task, const PipelineOptions& options) {
  check_name(task.name);
  validate(options.tokenizer);
  check_tokenizer(options.tokenizer);
  TextEncoder encoder = TextEncoder::open(options.vocabulary, task.encoder, options.tokenizer);
  if (encoder.wordpiece() != nullptr) {
    require_fitting_case(options.vocabulary, options.tokenizer, encoder.sha256());
  }
  return encoder;
}

}  // namespace

SequenceTask begun_sequences(const PipelineOptions& options) {
  return {.inputs = {},
          .source = {.format = InputFormat::kJsonl, .html = HtmlHandling::kKeep},
          .name = options.corpus.name,
          .folder = {},
          .options = options.sequences->options,
          .encoder = options.sequences->encoder};
}

SequenceTask sequences_of_run(const RunLayout& layout, const PipelineOptions& options, InstanceStep rows) {
  SequenceTask task = begun_sequences(options);
  task.folder = layout.sequences;
  task.inputs = std::move(rows.text_shards);
  task.known = std::move(rows.known);
  task.provenance = std::move(rows.provenance);
  task.dropped = std::move(rows.dropped);
  task.sources = std::move(rows.sources);
  // Documents were not split for their text shards.
  if (options.as_is) std::erase_if(task.provenance, [](const auto& one) { return one.first == "sentences"; });
  return task;
}

std::vector<std::string> sequence_parts(const RunLayout& layout, const PipelineOptions& options) {
  SequenceTask task = begun_sequences(options);
  task.inputs = text_shard_paths(layout.text_shards, options);
  std::vector<std::string> names;
  if (task.inputs.empty()) return names;
  for (const SequenceUnit& unit : sequence_units(task, resolve_sequences(task.options))) names.push_back(unit.task());
  return names;
}

SequenceModel::SequenceModel(const SequenceTask& task, const PipelineOptions& options)
    : encoder(open_encoder(task, options)),
      splitter(splitter_of(task, options)),
      rule(rule_of(task, options, encoder)),
      recipe(recipe_of_sequences(task, *this, options)) {}

}  // namespace bertprep
