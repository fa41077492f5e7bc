#include "pipeline/sequences/sequence_units.h"

#include <algorithm>
#include <tuple>

#include "base/number_text.h"
#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/unformatted_text.h"
#include "pipeline/text_shards/formatted_text.h"
#include "shard/shard_names.h"
#include "source/format_name.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

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

bool is_table_or_json(const std::filesystem::path& file) {
  const NamedKind kind = kind_by_name(file.filename().string());
  return kind != NamedKind::kNone && kind != NamedKind::kXml;
}

UnitText unit_text(const std::filesystem::path& file, const SequenceTask& task) {
  if (task.options.source == SequenceSource::kLines) return UnitText::kArticles;
  if (task.source.format != InputFormat::kAuto || is_table_or_json(file)) return UnitText::kDocuments;
  if (task.options.text == ArticleText::kAsIs || holds_records(file)) return UnitText::kDocuments;
  return UnitText::kArticles;
}

SequenceUnit unit_of(const std::filesystem::path& input, const SequenceTask& task, const SequenceOptions& options) {
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

const char* word_for(UnitText text) {
  switch (text) {
    case UnitText::kArticles:
      return "has one article per line";
    case UnitText::kSentences:
      return "is a text shard";
    case UnitText::kDocuments:
      break;
  }
  return "has documents";
}

void refuse_mixture(std::span<const SequenceUnit> units) {
  const auto other =
      std::ranges::find_if(units, [&](const SequenceUnit& unit) { return unit.text != units.front().text; });
  if (other == units.end()) return;
  throw ConfigError(std::string(word_for(other->text)) + ", but " + units.front().inputs.front().string() + " " +
                        word_for(units.front().text),
                    other->inputs.front(), "give text shards, formatted files, or documents");
}

// Sentences would become articles; evaluation on the text of training measures what was memorized.
void refuse_as_validation(const std::filesystem::path& file, const SequenceTask& task, const SequenceOptions& options) {
  if (unit_of(file, task, options).text == UnitText::kSentences) {
    throw ConfigError(
        "is a text shard, but `validation` takes formatted files", file,
        "give all text shards without `validation`: those for testing become the split '" + options.test_split + "'");
  }
  for (const std::filesystem::path& input : task.inputs) {
    std::error_code missing;
    if (!std::filesystem::equivalent(input, file, missing)) continue;
    throw ConfigError("is given for training and as `validation`", file, "give other text to one of the two");
  }
}

// Text shards have sentences, but no longer the original lines.
void refuse_unfit(std::span<const SequenceUnit> units, const SequenceOptions& options) {
  const std::filesystem::path& first = units.front().inputs.front();
  const bool by_sentence = options.format == SequenceFormat::kMegatron && options.level == SequenceLevel::kSentence;
  if (units.front().text == UnitText::kDocuments) return;
  if (units.front().text == UnitText::kSentences) {
    if (options.text == ArticleText::kAsIs) {
      throw ConfigError("is a text shard, whose sentences have lost what was between them", first,
                        "give the documents that it was made from, or leave out `text` as-is");
    }
    if (options.source != SequenceSource::kLines) return;
    throw ConfigError("is a text shard, whose lines are sentences", first,
                      "give plain text, or leave out `rows` lines");
  }
  if (by_sentence) {
    throw ConfigError("has one article per line, but Megatron's BERT needs sentences", first,
                      "give documents, such as JSON Lines, or text shards (bertprep shard), or `level` document");
  }
  if (options.long_articles == LongArticles::kSentences) {
    throw ConfigError("has one article per line, without sentence boundaries", first,
                      "give documents, such as JSON Lines, or text shards (bertprep shard), or `long` chunks");
  }
}

}  // namespace

std::string SequenceUnit::task() const {
  return is_whole_split ? split : split + "-" + folder();
}

std::string SequenceUnit::folder() const {
  return padded_number(number, kDigits);
}

bool has_documents(const SequenceTask& task) {
  return std::ranges::any_of(task.inputs, [&](const std::filesystem::path& input) {
    return unit_of(input, task, task.options).text == UnitText::kDocuments;
  });
}

std::vector<SequenceUnit> sequence_units(const SequenceTask& task, const SequenceOptions& options) {
  if (task.inputs.empty()) throw ConfigError("no input was given", {}, "give text shards or formatted files");
  refuse_origins(task.inputs);
  refuse_origins(task.validation);
  std::vector<SequenceUnit> units;
  for (const std::filesystem::path& input : task.inputs) {
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
  refuse_unfit(units, options);
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
    for (const std::filesystem::path& input : inputs) digests += sha256_of_file(input) + "\n";
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

}  // namespace bertprep
