#include "pipeline/reshard/redistributed_counts.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "bertprep/base/error.h"
#include "quality/data_counts.h"

namespace bertprep {
namespace {

// Members of the section about rows and shards; the others are about the text.
constexpr std::array kOfRows = {"rows", "training_shards", "test_shards"};
// The warnings about rows.
constexpr std::array kAboutRows = {"padding_share",    "masks_per_row", "masked_as_mask",  "masked_as_same",
                                   "masked_as_random", "test_share",    "training_shards", "random_next_share"};
constexpr std::array kOfKnownMask = {"masked_as_mask", "masked_as_random"};

constexpr const char* kCutShare = "cut_share";

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Json without(const Json& object, const auto& is_left_out) {
  Json rest = Json::object();
  for (const auto& [name, value] : object.members()) {
    if (!is_left_out(name)) rest.add(name, value);
  }
  return rest;
}

// The number of articles in a shard is lost when rows are redistributed; what did not fit into rows, the input knows.
Json known_part(const std::string& name, const Json& value, bool is_mask_known, const std::optional<Json>& before) {
  if (name != "rows") return without(value, [](const std::string& member) { return member == "single_article"; });
  Json rows = without(value, [&](const std::string& member) {
    return member == kCutShare || (!is_mask_known && holds(kOfKnownMask, member));
  });
  const Json* rows_before = before ? before->find("rows") : nullptr;
  const Json* cut = rows_before == nullptr ? nullptr : rows_before->find(kCutShare);
  if (cut != nullptr) rows.add(kCutShare, *cut);
  return rows;
}

}  // namespace

void RedistributedCounts::add(const Batch& rows, const ShardShape& shape) {
  rows_.rows += rows.rows;
  for (const std::int8_t value : rows.input_mask) rows_.tokens += value != 0 ? 1 : 0;
  for (const std::int8_t label : rows.next_sentence_labels) rows_.random_next += label == 1 ? 1 : 0;
  for (std::size_t row = 0; row < rows.rows; ++row) add_predictions(rows, row, shape);
}

void RedistributedCounts::add_predictions(const Batch& rows, std::size_t row, const ShardShape& shape) {
  const std::size_t first = row * shape.max_predictions;
  for (std::size_t i = first; i < first + shape.max_predictions; ++i) {
    const std::int32_t position = rows.masked_lm_positions[i];
    if (position == 0) return;
    if (position < 0 || static_cast<std::size_t>(position) >= shape.seq_len) continue;
    const TokenId there = rows.input_ids[row * shape.seq_len + static_cast<std::size_t>(position)];
    if (there == rows.masked_lm_ids[i]) {
      ++rows_.masked_as_same;
    } else if (!mask_ || there == *mask_) {
      ++rows_.masked_as_mask;
    } else {
      ++rows_.masked_as_random;
    }
  }
}

Json RedistributedCounts::to_json() const {
  return shard_counts_json(TextCounts{}.to_json(), rows_);
}

std::optional<Vocab> vocab_of_input(const std::filesystem::path& folder, const std::optional<Manifest>& input) {
  const std::filesystem::path file = folder / ManifestVocab::kFileName;
  const auto sha256 = input ? input->recipe_value("vocab-sha256") : std::nullopt;
  if (!sha256 || !std::filesystem::is_regular_file(file)) return std::nullopt;
  try {
    Vocab vocab = Vocab::load(file);
    if (vocab.sha256() == *sha256) return vocab;
  } catch (const FormatError&) {
    // Not a vocabulary, and so not that of the shards.
  }
  if (!input->vocabulary) return std::nullopt;  // another file of this name
  throw FormatError("is not the vocabulary of the shards: it changed since they were made", file,
                    "restore it, or move it away to reshard without it");
}

void carry_data(const std::optional<Manifest>& input, bool is_mask_known, Manifest& output) {
  if (output.data.empty()) return;
  const Json own = Json::parse(output.data, "the section of data");
  Json data = Json::object();
  std::optional<Json> before;
  if (input && !input->data.empty()) {
    before = Json::parse(input->data, "the section of data");
    data = without(*before, [](const std::string& name) { return holds(kOfRows, name); });
  }
  for (const char* name : kOfRows) data.add(name, known_part(name, own.at(name), is_mask_known, before));
  output.data = data.dump_line();
  std::erase_if(output.warnings, [&](const DataWarning& warning) {
    return !holds(kAboutRows, warning.about) || (!is_mask_known && holds(kOfKnownMask, warning.about));
  });
  if (!input) return;
  auto place = output.warnings.begin();
  for (const DataWarning& warning : input->warnings) {
    if (!holds(kAboutRows, warning.about)) place = output.warnings.insert(place, warning) + 1;
  }
}

}  // namespace bertprep
