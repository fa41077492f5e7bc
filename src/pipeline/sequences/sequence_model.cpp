#include "pipeline/sequences/sequence_model.h"

#include <algorithm>
#include <tuple>

#include "base/fields.h"
#include "base/task_runner.h"
#include "io/digest.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/sequences/part_writer.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/unformatted_text.h"
#include "pipeline/text_shards/formatted_text.h"
#include "shard/mds/mds_format.h"
#include "shard/megatron/megatron_set.h"
#include "shard/shard_names.h"
#include "source/format_guess.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 5;
constexpr std::size_t kMaxDigits = 9;

// The number of "NAME_training_3.txt" and "NAME_test_3.txt.zst"; nothing for another name.
std::optional<std::uint64_t> number_of_text_shard(const std::string& file, std::string_view word,
                                                  std::string_view extension) {
  const std::string name = file.substr(0, file.find(extension));
  const std::string mark = "_" + std::string(word) + "_";
  const std::size_t at = name.rfind(mark);
  if (name.size() == file.size() || at == std::string::npos) return std::nullopt;
  const std::string digits = name.substr(at + mark.size());
  if (!is_ascii_digits(digits) || digits.size() > kMaxDigits) return std::nullopt;
  return std::stoull(digits);
}

bool is_table_or_json(const fs::path& file) {
  const InputFormat format = format_by_name(file.filename().string());
  return format != InputFormat::kAuto && format != InputFormat::kMediawiki;
}

UnitText unit_text(const fs::path& file, const SequenceTask& task) {
  if (task.options.source == SequenceSource::kLines) return UnitText::kArticles;
  if (task.source.format != InputFormat::kAuto || is_table_or_json(file)) return UnitText::kDocuments;
  if (task.options.text == ArticleText::kAsIs || holds_records(file)) return UnitText::kDocuments;
  return UnitText::kArticles;
}

SequenceUnit unit_of(const fs::path& input, const SequenceTask& task, const SequenceOptions& options) {
  SequenceUnit unit{.inputs = {input}, .split = kTrainSplit};
  const std::string file = input.filename().string();
  const bool is_test = is_named_for(file, "test");
  const char* word = is_test ? "test" : "training";
  auto number = number_of_text_shard(file, word, ".txt");
  if (number) {
    unit.text = UnitText::kSentences;
  } else {
    number = number_of_text_shard(file, word, ".jsonl");
    unit.text = unit_text(input, task);
  }
  if (!number) return unit;
  unit.is_text_shard = true;
  unit.number = *number;
  if (is_test) unit.split = options.test_split;
  return unit;
}

// In the order of UnitText.
constexpr std::array<const char*, 3> kHolds = {"has one article per line", "is a text shard", "has documents"};

std::string what_it_holds(const SequenceUnit& unit) {
  return kHolds.at(static_cast<std::size_t>(unit.text));
}

void refuse_mixture(std::span<const SequenceUnit> units) {
  const auto other =
      std::ranges::find_if(units, [&](const SequenceUnit& unit) { return unit.text != units.front().text; });
  if (other == units.end()) return;
  throw ConfigError(
      what_it_holds(*other) + ", but " + units.front().inputs.front().string() + " " + what_it_holds(units.front()),
      other->inputs.front(), "give text shards, formatted files, or documents");
}

// Sentences would become articles; evaluation on the text of training measures what was memorized.
void refuse_as_validation(const fs::path& file, const SequenceTask& task, const SequenceOptions& options) {
  if (unit_of(file, task, options).text == UnitText::kSentences) {
    throw ConfigError(
        "is a text shard, but `validation` takes formatted files", file,
        "give all text shards without `validation`: those for testing become the split '" + options.test_split + "'");
  }
  for (const fs::path& input : task.inputs) {
    std::error_code missing;
    if (!fs::equivalent(input, file, missing)) continue;
    throw ConfigError("is given for training and as `validation`", file, "give other text to one of the two");
  }
}

// Text shards have sentences, but no longer the original lines.
void refuse_unfit(const SequenceUnit& first, const SequenceOptions& options) {
  const bool is_shard = first.text == UnitText::kSentences;
  const bool is_articles = first.text == UnitText::kArticles;
  const bool by_sentence = options.format == SequenceFormat::kMegatron && options.level == SequenceLevel::kSentence;
  struct Misfit {
    bool is_there;
    const char* what;
    const char* hint;
  };
  const std::array<Misfit, 4> misfits{{
      {is_shard && options.text == ArticleText::kAsIs,
       "is a text shard, whose sentences have lost what was between them",
       "give the documents that it was made from, or leave out `text` as-is"},
      {is_shard && options.source == SequenceSource::kLines, "is a text shard, whose lines are sentences",
       "give plain text, or leave out `rows` lines"},
      {is_articles && by_sentence, "has one article per line, but Megatron's BERT needs sentences",
       "give documents, such as JSON Lines, or text shards (bertprep shard), or `level` document"},
      {is_articles && options.long_articles == LongArticles::kSentences,
       "has one article per line, without sentence boundaries",
       "give documents, such as JSON Lines, or text shards (bertprep shard), or `long` chunks"},
  }};
  for (const auto& [is_there, what, hint] : misfits) {
    if (is_there) throw ConfigError(what, first.inputs.front(), hint);
  }
}

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

std::string SequenceUnit::task() const {
  return is_whole_split ? split : split + "-" + folder();
}

std::string SequenceUnit::folder() const {
  return padded_number(number, kDigits);
}

bool has_documents(const SequenceTask& task) {
  return std::ranges::any_of(task.inputs, [&](const fs::path& input) {
    return unit_of(input, task, task.options).text == UnitText::kDocuments;
  });
}

std::vector<SequenceUnit> sequence_units(const SequenceTask& task, const SequenceOptions& options) {
  if (task.inputs.empty()) throw ConfigError("no input was given", {}, "give text shards or formatted files");
  refuse_origins(task.inputs);
  refuse_origins(task.validation);
  std::vector<SequenceUnit> units;
  for (const fs::path& input : task.inputs) {
    units.push_back(unit_of(input, task, options));
    if (!task.known.empty()) units.back().known = {task.known[units.size() - 1]};
    if (!units.back().is_text_shard) units.back().number = units.size() - 1;
  }
  for (std::size_t i = 0; i < task.validation.size(); ++i) {
    refuse_as_validation(task.validation[i], task, options);
    units.push_back({.inputs = {task.validation[i]},
                     .split = options.test_split,
                     .text = unit_text(task.validation[i], task),
                     .number = i});
  }
  refuse_mixture(units);
  refuse_unfit(units.front(), options);
  std::ranges::stable_sort(units, {},
                           [](const SequenceUnit& unit) { return std::tuple(unit.split != kTrainSplit, unit.number); });
  for (std::size_t i = 1; i < units.size(); ++i) {
    if (units[i].task() != units[i - 1].task()) continue;
    throw ConfigError("has the same number as " + units[i - 1].inputs.front().string(), units[i].inputs.front(),
                      "give the text shards of one dataset");
  }
  if (units.front().is_text_shard || options.format != SequenceFormat::kMds) return units;
  std::vector<SequenceUnit> splits = whole_splits(units);
  return splits.size() == units.size() ? splits : units;
}

std::string SequenceUnit::text_sha256() const {
  if (known.empty() && text != UnitText::kDocuments) return digest_text(inputs, TaskRunner());
  std::string digests;
  if (known.empty()) {
    for (const fs::path& input : inputs) digests += sha256_of_file(input) + "\n";
  }
  for (const TextShardFacts& facts : known) digests += facts.sha256 + "\n";
  return sha256_of(digests);
}

std::vector<SequenceUnit> whole_splits(std::span<const SequenceUnit> units) {
  std::vector<SequenceUnit> splits;
  for (const SequenceUnit& unit : units) {
    if (splits.empty() || splits.back().split != unit.split) {
      splits.push_back(unit);
      splits.back().is_whole_split = true;
    } else {
      splits.back().inputs.push_back(unit.inputs.front());
      splits.back().known.insert(splits.back().known.end(), unit.known.begin(), unit.known.end());
    }
  }
  return splits;
}

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
