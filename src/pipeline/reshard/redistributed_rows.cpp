#include "pipeline/reshard/redistributed_rows.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>

#include "base/number_text.h"
#include "base/random.h"
#include "bertprep/base/error.h"
#include "quality/data_counts.h"
#include "shard/pool_reading.h"

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

constexpr std::uint64_t kShuffledBlockRows = 256;
constexpr std::uint64_t kPoolBytes = std::uint64_t{32} << 20U;

std::uint64_t row_bytes(const ShardShape& lengths) {
  return 6 * lengths.seq_len + 8 * lengths.max_predictions + 1;
}

// A separate seed for the blocks, number 0, and for each pool: the user's number followed by 20 digits.
Random random_of(const std::string& seed, std::uint64_t number) {
  return Random(seed + padded_number(number, 20));
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

RedistributedRows::RedistributedRows(std::vector<ShardEntry> shards, const ShardShape& lengths,
                                     const std::optional<std::string>& seed)
    : shards_(std::move(shards)), lengths_(lengths), seed_(seed) {
  const std::uint64_t fitting = std::max<std::uint64_t>(kPoolBytes / row_bytes(lengths), 1);
  const std::uint64_t block_rows = std::min(fitting, kShuffledBlockRows);
  if (seed_) blocks_of_pool_ = std::max<std::uint64_t>(fitting / block_rows, 1);
  const std::uint64_t step = seed_ ? block_rows : std::min<std::uint64_t>(fitting, 8192);
  for (std::uint32_t shard = 0; shard < shards_.size(); ++shard) {
    for (std::uint64_t first = 0; first < shards_[shard].rows; first += step) {
      blocks_.push_back({shard, first, static_cast<std::uint32_t>(std::min(step, shards_[shard].rows - first))});
    }
  }
  if (seed_) random_of(*seed_, 0).shuffle(std::span(blocks_));
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const std::uint64_t before = block == 0 ? 0 : pool_ends_.back();
    if (block % blocks_of_pool_ == 0) pool_ends_.push_back(before);
    pool_ends_.back() += blocks_[block].rows;
  }
}

std::size_t RedistributedRows::pool_of(std::uint64_t place) const {
  return static_cast<std::size_t>(std::upper_bound(pool_ends_.begin(), pool_ends_.end(), place) - pool_ends_.begin());
}

void RedistributedRows::read(std::size_t pool, Batch& rows) const {
  const auto first = blocks_.begin() + static_cast<std::ptrdiff_t>(pool * blocks_of_pool_);
  const auto left = static_cast<std::size_t>(blocks_.end() - first);
  RowPool read{{first, first + static_cast<std::ptrdiff_t>(std::min<std::size_t>(blocks_of_pool_, left))}, {}};
  read.order.resize(end_of(pool) - begin_of(pool));
  std::iota(read.order.begin(), read.order.end(), 0U);
  if (seed_) random_of(*seed_, pool + 1).shuffle(std::span(read.order));
  read_pool(read, shards_, lengths_, RowContent::kInstances, {}, rows);
}

RowDistribution distribute_rows(std::uint64_t rows, std::uint64_t shards, EqualRows equal_rows,
                                std::uint64_t multiple) {
  RowDistribution distribution;
  const bool repeats = equal_rows == EqualRows::kRepeat;
  const std::uint64_t in_multiples = rows / multiple;
  const std::uint64_t least = in_multiples / shards;
  const std::uint64_t most = (rows + shards * multiple - 1) / (shards * multiple);
  for (std::uint64_t shard = 0; shard < shards; ++shard) {
    const std::uint64_t more = equal_rows == EqualRows::kNo && shard < in_multiples % shards ? 1 : 0;
    distribution.rows_per_shard.push_back((repeats ? most : least + more) * multiple);
  }
  std::uint64_t redistributed = 0;
  for (const std::uint64_t count : distribution.rows_per_shard) redistributed += count;
  if (rows > 0 && distribution.rows_per_shard.back() == 0) {
    throw FormatError(counted(rows, "row") + " can't fill " + counted(shards, "shard") +
                          (multiple > 1 ? " with multiples of " + grouped(multiple) : "") + ": some would be empty",
                      {}, "ask for fewer shards");
  }
  distribution.dropped = redistributed < rows ? rows - redistributed : 0;
  distribution.repeated = redistributed > rows ? redistributed - rows : 0;
  return distribution;
}

}  // namespace bertprep
