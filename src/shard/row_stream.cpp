#include "bertprep/shard/row_stream.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/fields.h"
#include "base/number_text.h"
#include "base/random.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "shard/folder_gaps.h"
#include "shard/hdf5/shard_layout.h"
#include "shard/pool_reading.h"
#include "shard/shard_check.h"
#include "shard/shard_names.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kRowsOfV1 = 32768;

// V1: a separate seed for every block of every epoch. Python's seeds have any size, so the numbers are concatenated,
// each padded to its maximum number of digits.
Random random_of(std::uint64_t seed, std::uint64_t epoch, std::uint64_t block) {
  const auto padded = [](std::uint64_t value) { return padded_number(value, 20); };
  return Random("1" + padded(seed) + padded(epoch) + padded(block));
}

// V2: a key for the chunks of an epoch, number 0, and for the rows of each of its pools.
std::uint64_t key_of(std::uint64_t seed, std::uint64_t epoch, std::uint64_t number) {
  return mixed_bits(mixed_bits(mixed_bits(seed) + epoch) + number);
}

// Sorting by random bits puts things in random order.
template <class Thing>
struct Drawn {
  std::uint64_t bits = 0;
  Thing thing;
};

// `things` must be ascending; those that draw equal bits keep their order.
template <class Thing>
void shuffle_by_bits(std::vector<Thing>& things, std::uint64_t key) {
  std::vector<Drawn<Thing>> drawn;
  drawn.reserve(things.size());
  for (const Thing& thing : things) drawn.push_back({mixed_bits(key + drawn.size()), thing});
  std::sort(drawn.begin(), drawn.end(), [](const Drawn<Thing>& left, const Drawn<Thing>& right) {
    return left.bits != right.bits ? left.bits < right.bits : left.thing < right.thing;
  });
  std::transform(drawn.begin(), drawn.end(), things.begin(), [](const Drawn<Thing>& one) { return one.thing; });
}

std::uint64_t quotient_up(std::uint64_t value, std::uint64_t divisor) {
  return value / divisor + (value % divisor == 0 ? 0 : 1);
}

// Whole stored chunks, unless one is too large.
std::uint64_t chunk_rows_of_v2(std::uint64_t stored, std::uint64_t pool_rows) {
  const std::uint64_t least = std::max<std::uint64_t>(pool_rows / RowOrder::kPoolChunks, 1);
  const std::uint64_t most = std::max<std::uint64_t>(pool_rows / RowOrder::kMinChunks, 1);
  if (stored == 0) return least;
  return std::min(quotient_up(least, stored) * stored, most);
}

std::string where_shards_lie(const fs::path& folder, const std::string& word) {
  fs::path found;
  const auto visit = [&](const fs::directory_entry& entry) {
    if (found.empty() && is_shard_name(entry.path(), word)) found = entry.path().parent_path();
    return found.empty() && may_be_read(entry);
  };
  walk_folder(folder, visit);
  return found.empty() ? "make some with bertprep run" : "there are some in " + found.string();
}

// Manifests of older versions have it only in the recipe.
std::optional<ManifestVocab> vocabulary_of(const Manifest& manifest) {
  const auto sha256 = manifest.recipe_value("vocab-sha256");
  if (manifest.vocabulary || !sha256) return manifest.vocabulary;
  ManifestVocab vocab{.name = {}, .sha256 = *sha256};
  vocab.lower_case = manifest.recipe_value("lower-case") != "false";
  vocab.strip_accents = vocab.lower_case;
  return vocab;
}

// Facts from the manifest of the shards.
struct FolderFacts {
  std::optional<std::int64_t> vocab_size{};
  std::optional<ManifestVocab> vocabulary{};
  std::optional<Manifest> manifest{};  // of rows
};

FolderFacts facts_of(const TokenSet& set) {
  FolderFacts facts{.vocab_size = set.vocab_size,
                    .vocabulary = ManifestVocab{.name = set.vocab_name, .sha256 = set.vocab_sha256}};
  facts.vocabulary->size = static_cast<std::uint64_t>(set.vocab_size);
  return facts;
}

FolderFacts facts_of(const Manifest& manifest) {
  FolderFacts facts;
  if (const auto size = manifest.recipe_value("vocab-size")) facts.vocab_size = parse_integer("vocab-size", *size);
  facts.vocabulary = vocabulary_of(manifest);
  facts.manifest = manifest;
  return facts;
}

std::optional<FolderFacts> facts_in(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  if (!fs::exists(file)) return std::nullopt;
  if (const auto tokens = TokenSet::load(folder)) return facts_of(*tokens);
  return facts_of(Manifest::load(file));
}

void check_digest(const ShardEntry& shard, const RecordedFiles& recorded, const Progress& progress) {
  if (!recorded.has(shard.path)) {
    throw FormatError("is not in the manifest beside it", shard.path, "remove it, or make the folder again");
  }
  recorded.require_unchanged(shard.path, progress);
}

std::size_t planned_chunk_rows(const ShardShape& shape, const std::string& layout) {
  const ShardPlan plan = layout == "reference" ? plan_reference_layout(shape) : plan_rows_layout(shape);
  return std::ranges::find(plan, kInputIds, &DatasetPlan::name)->chunk.front();
}

// What decides the order of rows, which is known without reading them.
void require_recorded_shape(const fs::path& path, const ShardReader& reader, const Manifest& manifest) {
  const ManifestShard* recorded = manifest.shard(path.filename().string());
  if (recorded == nullptr) return;
  const auto layout = manifest.recipe_value("layout");
  const bool has_rows = reader.shape().rows == recorded->rows;
  if (has_rows && (!layout || reader.chunk_rows() == planned_chunk_rows(reader.shape(), *layout))) return;
  throw FormatError("is not the file that the manifest describes", path,
                    std::string("its ") + (has_rows ? "chunks" : "rows") +
                        " differ; fetch or make it again, or move manifest.json away to read it as it is");
}

void require_content(const fs::path& path, RowContent wanted) {
  if (row_content(path) == wanted) return;
  if (wanted == RowContent::kInstances) {
    throw ConfigError("has token sequences without masks, and BERT learns from rows with masks", path,
                      "make rows with bertprep run without --for and --to, or train GPT-2: `model` gpt2-small");
  }
  throw ConfigError("has rows for BERT, and GPT-2 learns from token sequences", path,
                    "make them with bertprep run --for gpt2 --to hdf5, or train BERT: `model` base");
}

ShardReader open_listed(const fs::path& path, RowContent content) {
  // Rows for BERT have all columns of token sequences.
  if (content == RowContent::kTokens) require_content(path, content);
  try {
    return ShardReader(path, content);
  } catch (const FormatError&) {
    require_content(path, content);
    throw;
  }
}

std::string row_text(std::uint64_t row) {
  return "row " + std::to_string(row) + ": ";
}

void refuse_other_ids(const Batch& batch, std::int64_t vocab_size, std::uint64_t first, const fs::path& path) {
  const auto check = [&](const char* dataset, const std::vector<std::int32_t>& ids) {
    const auto wrong = std::find_if(ids.begin(), ids.end(), [&](std::int32_t id) { return id >= vocab_size; });
    if (wrong == ids.end()) return;
    const auto width = static_cast<std::ptrdiff_t>(ids.size() / batch.rows);
    const auto row = first + static_cast<std::uint64_t>((wrong - ids.begin()) / width);
    throw ConfigError(row_text(row) + dataset + " has token id " + std::to_string(*wrong) +
                          ", the model has a vocabulary of " + std::to_string(vocab_size),
                      path, "give a config.json with the vocab_size of the vocabulary that the shards were made with");
  };
  check(kInputIds, batch.input_ids);
  check(kMaskedLmIds, batch.masked_lm_ids);
}

void check_shard(const ShardEntry& shard, RowContent content, std::int64_t vocab_size, Progress& progress) {
  ShardReader reader(shard.path, content);
  const std::size_t rows = reader.rows_at_once();
  Batch batch;
  for (std::size_t first = 0; first < shard.rows; first += rows) {
    if (progress.cancelled()) throw Cancelled();
    reader.read(first, std::min<std::size_t>(rows, shard.rows - first), batch);
    refuse_other_ids(batch, vocab_size, first, shard.path);
    const auto faults = content == RowContent::kTokens
                            ? check_token_rows(batch, reader.shape(), first)
                            : check_rows(batch, reader.shape(), first, static_cast<std::int32_t>(vocab_size));
    if (!faults.empty()) {
      throw FormatError(faults.front(), shard.path, "bertprep verify reports its faults; remake it, or remove it");
    }
  }
}

template <class Value>
void require_range(const char* dataset, const std::vector<Value>& values, std::int64_t end, const Batch& rows,
                   std::uint64_t first, const fs::path& path) {
  const auto wrong = std::find_if(values.begin(), values.end(), [&](Value value) { return value < 0 || value >= end; });
  if (wrong == values.end()) return;
  const auto width = static_cast<std::ptrdiff_t>(values.size() / rows.rows);
  const auto row = first + static_cast<std::uint64_t>((wrong - values.begin()) / width);
  throw FormatError(
      row_text(row) + dataset + " has " + std::to_string(*wrong) + ", expected 0 to " + std::to_string(end - 1), path,
      "bertprep verify reports its faults; remake it, or remove it");
}

void require_same_lengths(const ShardSet& set, const ShardShape& shape, const fs::path& path) {
  if (shape.seq_len == set.seq_len && shape.max_predictions == set.max_predictions) return;
  throw FormatError("has rows of " + std::to_string(shape.seq_len) + " tokens and " +
                        std::to_string(shape.max_predictions) + " predictions, " +
                        set.shards.front().path.filename().string() + " of " + std::to_string(set.seq_len) + " and " +
                        std::to_string(set.max_predictions),
                    path, "keep the shards of each phase in a separate folder");
}

struct Part {
  RowBlock block;
  std::size_t number = 0;  // of its first row in the pool
};

std::vector<Part> parts_by_place(const RowPool& pool) {
  std::vector<Part> parts;
  std::size_t number = 0;
  for (const RowBlock& block : pool.blocks) {
    parts.push_back({block, number});
    number += block.rows;
  }
  std::sort(parts.begin(), parts.end(), [](const Part& left, const Part& right) {
    return std::pair(left.block.shard, left.block.first) < std::pair(right.block.shard, right.block.first);
  });
  return parts;
}

ShardReader open_shard(const ShardEntry& shard, RowContent content) {
  ShardReader reader(shard.path, content);
  if (reader.shape().rows != shard.rows) {
    throw FormatError("no longer has the number of rows that it had at the start", shard.path,
                      "do not change the shards while they are read");
  }
  return reader;
}

}  // namespace

RowOrder::RowOrder(const ShardSet& set, std::uint64_t seed, RowShuffle shuffle)
    : pool_rows_(std::clamp<std::uint64_t>(kPoolTokens / std::max<std::uint64_t>(set.seq_len, 1), 1, kPoolRows)),
      seed_(seed),
      shuffle_(shuffle) {
  for (const ShardEntry& entry : set.shards) {
    const std::uint64_t rows = shuffle == RowShuffle::kV1   ? kRowsOfV1
                               : shuffle == RowShuffle::kV2 ? chunk_rows_of_v2(entry.chunk_rows, pool_rows_)
                                                            : std::max<std::uint64_t>(pool_rows_ / kMinChunks, 1);
    shards_.push_back({entry.rows, rows, chunks_});
    chunks_ += quotient_up(entry.rows, rows);
    rows_per_epoch_ += entry.rows;
  }
}

EpochOrder RowOrder::epoch(std::uint64_t number) const {
  return {*this, number};
}

EpochOrder::EpochOrder(const RowOrder& order, std::uint64_t number)
    : order_(std::make_shared<const RowOrder>(order)), number_(number) {
  mix_chunks();
  split_pools();
}

std::uint64_t EpochOrder::rows_of(const Chunk& chunk) const {
  const RowOrder::Shard& shard = order_->shards_[chunk.shard];
  return std::min(shard.chunk_rows, shard.rows - chunk.number * shard.chunk_rows);
}

void EpochOrder::mix_chunks() {
  chunks_.reserve(order_->chunks_);
  for (std::uint32_t shard = 0; shard < order_->shards_.size(); ++shard) {
    const RowOrder::Shard& whole = order_->shards_[shard];
    const auto chunks = static_cast<std::uint32_t>(quotient_up(whole.rows, whole.chunk_rows));
    for (std::uint32_t number = 0; number < chunks; ++number) chunks_.push_back({shard, number});
  }
  if (order_->shuffle_ == RowShuffle::kV1) random_of(order_->seed_, number_, 0).shuffle(std::span(chunks_));
  if (order_->shuffle_ == RowShuffle::kV2) shuffle_by_bits(chunks_, key_of(order_->seed_, number_, 0));
}

// The pools of V2 have about the same number of rows: otherwise the last one would mix the fewest.
void EpochOrder::split_pools() {
  const std::uint64_t rows = order_->rows_per_epoch_;
  const std::uint64_t step = quotient_up(rows, quotient_up(rows, order_->pool_rows_));
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const bool is_first = pools_.empty() || begin / step != pools_.back().begin / step;
    if (is_first || order_->shuffle_ != RowShuffle::kV2) pools_.push_back({begin, i});
    begin += rows_of(chunks_[i]);
  }
}

std::size_t EpochOrder::pool_of(std::uint64_t row) const {
  const auto after = std::upper_bound(pools_.begin(), pools_.end(), row,
                                      [](std::uint64_t value, const Pool& pool) { return value < pool.begin; });
  return static_cast<std::size_t>(after - pools_.begin()) - 1;
}

std::uint64_t EpochOrder::end_of(std::size_t pool) const {
  return pool + 1 < pools_.size() ? pools_[pool + 1].begin : order_->rows_per_epoch_;
}

RowPool EpochOrder::pool(std::size_t number) const {
  RowPool pool;
  const std::size_t end = number + 1 < pools_.size() ? pools_[number + 1].first_chunk : chunks_.size();
  for (std::size_t i = pools_[number].first_chunk; i < end; ++i) {
    pool.blocks.push_back({chunks_[i].shard, chunks_[i].number * order_->shards_[chunks_[i].shard].chunk_rows,
                           static_cast<std::uint32_t>(rows_of(chunks_[i]))});
  }
  pool.order.resize(end_of(number) - begin_of(number));
  std::iota(pool.order.begin(), pool.order.end(), 0U);
  if (order_->shuffle_ == RowShuffle::kV1) {
    const Chunk& block = chunks_[pools_[number].first_chunk];
    const std::uint64_t index = order_->shards_[block.shard].first_chunk + block.number;
    random_of(order_->seed_, number_, index + 1).shuffle(std::span(pool.order));
  }
  if (order_->shuffle_ == RowShuffle::kV2) shuffle_by_bits(pool.order, key_of(order_->seed_, number_, number + 1));
  return pool;
}

std::uint64_t ShardSet::rows() const {
  std::uint64_t sum = 0;
  for (const ShardEntry& shard : shards) sum += shard.rows;
  return sum;
}

std::string ShardSet::fingerprint() const {
  std::string text = std::to_string(seq_len) + " " + std::to_string(max_predictions) + "\n";
  for (const ShardEntry& shard : shards) {
    text += shard.path.filename().string() + " " + std::to_string(shard.rows) + "\n";
  }
  return sha256_of(text);
}

std::string ShardSet::fingerprint_with_chunks() const {
  std::string text = fingerprint() + "\n";
  for (const ShardEntry& shard : shards) text += std::to_string(shard.chunk_rows) + "\n";
  return sha256_of(text);
}

ShardSet list_shards(const fs::path& folder, const std::string& word, bool required, const Progress& progress,
                     RowContent content) {
  ShardSet set;
  set.word = word;
  set.content = content;
  const auto facts = facts_in(folder);
  for (const fs::path& path : shard_paths(folder)) {
    if (!is_named_for(path.filename().string(), word)) continue;
    if (progress.cancelled()) throw Cancelled();
    const ShardReader reader = open_listed(path, content);
    const ShardShape& shape = reader.shape();
    if (set.shards.empty()) {
      set.seq_len = shape.seq_len;
      set.max_predictions = shape.max_predictions;
    }
    require_same_lengths(set, shape, path);
    if (facts && facts->manifest) require_recorded_shape(path, reader, *facts->manifest);
    set.shards.push_back({path, shape.rows, reader.chunk_rows()});
  }
  if (required && set.shards.empty()) {
    throw ConfigError("contains no shard with '" + word + "' in its name", folder, where_shards_lie(folder, word));
  }
  if (required && set.rows() == 0) throw ConfigError("the shards have no rows", folder);
  if (facts) {
    set.vocab_size = facts->vocab_size;
    set.vocabulary = facts->vocabulary;
  }
  return set;
}

void require_whole(const fs::path& folder, const std::string& word) {
  std::vector<FolderGap> gaps = find_gaps(folder);
  std::erase_if(
      gaps, [&](const FolderGap& gap) { return gap.file != Manifest::kFileName && !is_shard_name(gap.file, word); });
  if (gaps.empty()) return;
  // An existing file takes precedence over the manifest of a pending one.
  const auto shard =
      std::find_if(gaps.begin(), gaps.end(), [](const FolderGap& gap) { return gap.file != Manifest::kFileName; });
  const FolderGap& gap = shard == gaps.end() ? gaps.front() : *shard;
  const std::string more = gaps.size() > 1 ? "; bertprep verify names the others" : "";
  throw FormatError(gap.text, folder / gap.file,
                    "complete the folder, or use the existing shards with `incomplete`" + more);
}

void check_shards(const ShardSet& set, std::int64_t vocab_size, Progress& progress) {
  if (set.shards.empty()) return;
  const fs::path folder = set.shards.front().path.parent_path();
  const RecordedFiles recorded(folder);
  const bool has_manifest = facts_in(folder).has_value();
  progress.begin("check", set.shards.size(), "shards");
  for (const ShardEntry& shard : set.shards) {
    if (has_manifest) check_digest(shard, recorded, progress);
    check_shard(shard, set.content, vocab_size, progress);
    progress.advance(1);
  }
  progress.end();
}

void require_in_range(const Batch& rows, std::uint64_t first, const ShardSet& set, const fs::path& path) {
  if (rows.rows == 0) return;
  const std::int64_t pieces = set.vocab_size.value_or(std::numeric_limits<std::int32_t>::max());
  refuse_other_ids(rows, pieces, first, path);
  require_range(kInputIds, rows.input_ids, pieces, rows, first, path);
  require_range(kMaskedLmIds, rows.masked_lm_ids, pieces, rows, first, path);
  require_range(kSegmentIds, rows.segment_ids, 2, rows, first, path);
  require_range(kMaskedLmPositions, rows.masked_lm_positions, static_cast<std::int64_t>(set.seq_len), rows, first,
                path);
  require_range(kNextSentenceLabels, rows.next_sentence_labels, 2, rows, first, path);
}

RowStream::RowStream(ShardSet set, const RowOrder& order, std::uint64_t position, RowShare share)
    : set_(std::move(set)),
      order_(order),
      position_(position),
      share_(share),
      epoch_number_(position / order.rows_per_epoch()),
      epoch_(order.epoch(epoch_number_)),
      pool_(epoch_.pool_of(position % order.rows_per_epoch())) {}

void RowStream::next(std::uint64_t count, TrainingBatch& batch) {
  if (count % share_.processes != 0) {
    throw ConfigError("a batch of " + std::to_string(count) + " rows can't be split evenly among " +
                      std::to_string(share_.processes) + " processes");
  }
  const std::uint64_t own = count / share_.processes;
  batch.rows.resize(own, {own, set_.seq_len, set_.max_predictions});
  batch.places.clear();
  position_ += own * share_.rank;
  copy_rows(own, batch);
  position_ += own * (share_.processes - 1 - share_.rank);
  batch.next_position = position_;
}

void RowStream::copy_rows(std::uint64_t count, TrainingBatch& batch) {
  const ShardShape lengths{0, set_.seq_len, set_.max_predictions};
  while (count > 0) {
    enter_pool();
    load_pool();
    const std::uint64_t inside = position_ % order_.rows_per_epoch() - epoch_.begin_of(pool_);
    const std::uint64_t take = std::min(count, places_.size() - inside);
    for (std::uint64_t i = inside; i < inside + take; ++i) {
      copy_row(rows_, i, batch.rows, batch.places.size(), lengths);
      batch.places.push_back(places_[i]);
    }
    position_ += take;
    count -= take;
  }
}

void RowStream::enter_pool() {
  const std::uint64_t epoch_number = position_ / order_.rows_per_epoch();
  if (epoch_number != epoch_number_) {
    epoch_ = order_.epoch(epoch_number);
    epoch_number_ = epoch_number;
    loaded_ = false;
  }
  const std::size_t pool = epoch_.pool_of(position_ % order_.rows_per_epoch());
  if (pool != pool_) loaded_ = false;
  pool_ = pool;
}

void RowStream::load_pool() {
  if (loaded_) return;
  const RowPool pool = epoch_.pool(pool_);
  const CheckRows check = [this](const Batch& rows, std::uint64_t first, const ShardEntry& shard) {
    require_in_range(rows, first, set_, shard.path);
  };
  read_pool(pool, set_.shards, {0, set_.seq_len, set_.max_predictions}, set_.content, check, rows_);
  places_ = places_of(pool);
  loaded_ = true;
}

std::vector<RowPlace> places_of(const RowPool& pool) {
  std::vector<RowPlace> in_blocks;
  in_blocks.reserve(pool.order.size());
  for (const RowBlock& block : pool.blocks) {
    for (std::uint64_t row = block.first; row < block.first + block.rows; ++row) {
      in_blocks.push_back({block.shard, row});
    }
  }
  std::vector<RowPlace> places;
  places.reserve(pool.order.size());
  for (const std::uint32_t number : pool.order) places.push_back(in_blocks[number]);
  return places;
}

void read_pool(const RowPool& pool, std::span<const ShardEntry> shards, const ShardShape& lengths, RowContent content,
               const CheckRows& check, Batch& rows) {
  std::vector<std::uint32_t> target(pool.order.size());
  for (std::uint32_t i = 0; i < target.size(); ++i) target[pool.order[i]] = i;
  rows.resize(target.size(), lengths);
  std::optional<ShardReader> reader;
  std::uint32_t open = 0;
  Batch part_rows;
  for (const Part& part : parts_by_place(pool)) {
    const ShardEntry& shard = shards[part.block.shard];
    if (!reader || open != part.block.shard) {
      reader.emplace(open_shard(shard, content));
      open = part.block.shard;
    }
    reader->read(part.block.first, part.block.rows, part_rows);
    if (check) check(part_rows, part.block.first, shard);
    for (std::size_t i = 0; i < part.block.rows; ++i) {
      copy_row(part_rows, i, rows, target[part.number + i], lengths);
    }
  }
}

}  // namespace bertprep
