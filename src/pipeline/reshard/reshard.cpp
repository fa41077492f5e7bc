#include "pipeline/reshard/reshard.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/random.h"
#include "base/stage_errors.h"
#include "bertprep/shard/shard_reader.h"
#include "io/digest.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/manifest_of_folder.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/output_place.h"
#include "pipeline/records/progress_journal.h"
#include "pipeline/records/recipe.h"
#include "pipeline/work/serial_progress.h"
#include "pipeline/work/workers.h"
#include "shard/hdf5/file_digest.h"
#include "shard/pool_reading.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStage = kReshardStage;
constexpr const char* kVersion = "1";
constexpr std::size_t kBatchRows = 1024;

// Members of the section about rows and shards; the others are about the text.
constexpr std::array kOfRows = {"rows", "training_shards", "test_shards"};
// The warnings about rows.
constexpr std::array kAboutRows = {"padding_share",    "masks_per_row", "masked_as_mask",  "masked_as_same",
                                   "masked_as_random", "test_share",    "training_shards", "random_next_share"};
constexpr std::array kOfKnownMask = {"masked_as_mask", "masked_as_random"};

constexpr const char* kCutShare = "cut_share";

bool holds(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
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

// RedistributedCounts: counts of the rows of a redistributed shard, like those of a run for the rows that it makes.
class RedistributedCounts {
 public:
  // Without the id of [MASK], kinds of replacements are not distinguished.
  explicit RedistributedCounts(std::optional<TokenId> mask) : mask_(mask) {}

  void add(const Batch& rows, const ShardShape& shape) {
    rows_.rows += rows.rows;
    for (const std::int8_t value : rows.input_mask) rows_.tokens += value != 0 ? 1 : 0;
    for (const std::int8_t label : rows.next_sentence_labels) rows_.random_next += label == 1 ? 1 : 0;
    for (std::size_t row = 0; row < rows.rows; ++row) add_predictions(rows, row, shape);
  }

  // The member kShardCounts of a completion record; without counts of text.
  Json to_json() const { return shard_counts_json(TextCounts{}.to_json(), rows_); }

 private:
  void add_predictions(const Batch& rows, std::size_t row, const ShardShape& shape) {
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

  std::optional<TokenId> mask_;
  RowCounts rows_{};
};

// vocab.txt of the shards of `input`, if it is the one named in its manifest.
std::optional<Vocab> vocab_of_input(const fs::path& folder, const std::optional<Manifest>& input) {
  const fs::path file = folder / ManifestVocab::kFileName;
  const auto sha256 = input ? input->recipe_value("vocab-sha256") : std::nullopt;
  if (!sha256 || !fs::is_regular_file(file)) return std::nullopt;
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

// Completes the section "data" of `output`, which merge_records() made from such counts, with the counts of text and
// their warnings from `input`, if it has them.
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

constexpr std::uint64_t kShuffledBlockRows = 256;
constexpr std::uint64_t kPoolBytes = std::uint64_t{32} << 20U;

// A separate seed for the blocks, number 0, and for each pool: the user's number followed by 20 digits.
Random random_of(const std::string& seed, std::uint64_t number) {
  return Random(seed + padded_number(number, 20));
}

struct ReshardInput {
  std::vector<ShardEntry> training;
  std::vector<ShardEntry> test;
  ShardShape lengths;
  std::optional<Manifest> manifest;
  std::optional<Vocab> vocab;
  std::string sha256;  // of the shards' content

  std::optional<TokenId> mask() const { return vocab ? std::optional(vocab->mask()) : std::nullopt; }

  static std::uint64_t rows(const std::vector<ShardEntry>& shards) {
    std::uint64_t sum = 0;
    for (const ShardEntry& shard : shards) sum += shard.rows;
    return sum;
  }
};

// The digest of the bytes: from the manifest if it has the file's size, else by reading the file.
std::string digest_of(const fs::path& path, const std::optional<Manifest>& manifest, const Progress& progress) {
  const ManifestShard* shard = manifest ? manifest->shard(path.filename().string()) : nullptr;
  if (shard != nullptr && shard->bytes == fs::file_size(path)) return shard->sha256;
  return digest_file(path, progress).sha256;
}

// Without a manifest that is damaged, the new one would lack the recipe and the counts of the text.
std::optional<Manifest> manifest_of_input(const fs::path& folder) {
  const fs::path file = folder / Manifest::kFileName;
  return fs::exists(file) && Manifest::is_own(file) ? std::optional(Manifest::load(file)) : std::nullopt;
}

void require_all_shards(const fs::path& folder, const Manifest& manifest) {
  for (const ManifestShard& shard : manifest.shards) {
    if (fs::exists(folder / shard.file)) continue;
    throw FormatError("is missing, but " + std::string(Manifest::kFileName) + " names it", folder / shard.file,
                      "restore it, or move " + std::string(Manifest::kFileName) + " away to reshard the others");
  }
}

ReshardInput open_input(const fs::path& folder, const Progress& progress) {
  ReshardInput input;
  input.manifest = manifest_of_input(folder);
  if (input.manifest) require_all_shards(folder, *input.manifest);
  input.vocab = vocab_of_input(folder, input.manifest);
  std::string text;
  std::vector<fs::path> paths = shard_paths(folder);
  std::ranges::stable_sort(paths, {}, [](const fs::path& path) { return natural_key(path.filename().string()); });
  if (paths.empty()) {
    throw FormatError("holds no .hdf5 or .h5 file", folder, "give the folder of one dataset in one phase");
  }
  for (const fs::path& path : paths) {
    if (progress.cancelled()) throw Cancelled();
    const ShardShape shape = ShardReader(path).shape();
    if (text.empty()) input.lengths = {0, shape.seq_len, shape.max_predictions};
    if (shape.seq_len != input.lengths.seq_len || shape.max_predictions != input.lengths.max_predictions) {
      throw FormatError("has rows of another length than the files before it", path,
                        "keep the shards of each phase in a separate folder; 'bertprep doctor' tells more");
    }
    const std::string name = path.filename().string();
    (is_named_for(name, "test") ? input.test : input.training).push_back({path, shape.rows});
    text += name + " " + std::to_string(shape.rows) + " " + digest_of(path, input.manifest, progress) + "\n";
  }
  if (ReshardInput::rows(input.training) == 0) throw FormatError("its training files hold no rows", folder);
  input.sha256 = sha256_of(text);
  return input;
}

// That of the manifest; else the part before the word in the first file's name, or the folder's name.
std::string name_of(const ReshardTask& task, const ReshardInput& input) {
  if (!task.name.empty()) return task.name;
  if (input.manifest) return input.manifest->dataset;
  const std::string file = input.training.front().path.filename().string();
  const std::size_t word = file.rfind("_training");
  if (word != std::string::npos && word > 0) return file.substr(0, word);
  return fs::absolute(task.input / "").lexically_normal().parent_path().filename().string();
}

// The recipe of the input, except for the options of this stage. `options` must have all numbers of shards.
Recipe recipe_of_output(const ReshardTask& task, const ReshardInput& input) {
  Recipe recipe(kStage, kVersion);
  recipe.add("seq-len", std::to_string(input.lengths.seq_len));
  recipe.add("max-predictions", std::to_string(input.lengths.max_predictions));
  std::set<std::string> decided{"stage", "stage-version", "seq-len", "max-predictions"};
  Recipe own(kStage, kVersion);
  for (const FieldValue& field : recipe_of(task.options)) {
    const std::string name = field.name == "shards" ? "train-shards" : field.name;  // as named in `run`
    if (!field.value.empty()) own.add(name, field.value);
    decided.insert(name);
  }
  own.add_options(task.layout).add("source-sha256", input.sha256);
  for (const auto& [name, value] : own.entries()) decided.insert(name);
  if (input.manifest) {
    for (const auto& [name, value] : input.manifest->recipe) {
      if (!decided.contains(name)) recipe.add(name, value);
    }
  }
  for (const auto& [name, value] : own.entries()) {
    if (name != "stage" && name != "stage-version") recipe.add(name, value);
  }
  return recipe;
}

// One shard to make: rows [begin, end) of a sequence, which repeats after its end.
struct NewShard {
  std::string name;  // without ".hdf5"
  const RedistributedRows* rows = nullptr;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

void add_shards(const std::string& name, const RedistributedRows& rows, const RowDistribution& distribution,
                std::vector<NewShard>& shards) {
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < distribution.rows_per_shard.size(); ++i) {
    shards.push_back({name + "_" + std::to_string(i), &rows, begin, begin + distribution.rows_per_shard[i]});
    begin = shards.back().end;
  }
}

void flip(Batch& rows) {
  for (std::int8_t& label : rows.next_sentence_labels) {
    if (label == 0 || label == 1) label = static_cast<std::int8_t>(1 - label);
  }
}

void write_rows(const NewShard& shard, const ShardShape& shape, bool flips, ShardWriter& writer,
                RedistributedCounts& counts, const Progress& progress) {
  Batch pool;
  Batch batch;
  for (std::uint64_t at = shard.begin; at < shard.end;) {
    const std::uint64_t place = at % shard.rows->rows();
    const std::size_t number = shard.rows->pool_of(place);
    shard.rows->read(number, pool);
    if (flips) flip(pool);
    const std::uint64_t inside = place - shard.rows->begin_of(number);
    const std::uint64_t take = std::min<std::uint64_t>(pool.rows - inside, shard.end - at);
    for (std::uint64_t first = 0; first < take; first += kBatchRows) {
      if (progress.cancelled()) throw Cancelled();
      batch.resize(std::min<std::uint64_t>(kBatchRows, take - first), shape);
      for (std::size_t i = 0; i < batch.rows; ++i) copy_row(pool, inside + first + i, batch, i, shape);
      writer.append(batch);
      counts.add(batch, shape);
    }
    at += take;
  }
  writer.finish();
}

FinishedTask make_shard(const NewShard& shard, const ReshardTask& task, const ReshardInput& input, const Recipe& recipe,
                        const OutputFolder& folder, const Progress& progress) {
  const ShardShape shape{shard.end - shard.begin, input.lengths.seq_len, input.lengths.max_predictions};
  PendingFile pending = folder.begin(shard.name + ".hdf5");
  ShardWriter writer(pending.path(), shape, task.layout);
  RedistributedCounts counts(input.mask());
  write_rows(shard, shape, task.options.flip_labels, writer, counts, progress);
  const FileDigest digest = writer.digest(progress);
  CompletionRecord record;
  record.outputs.push_back({pending.final_path().filename().string(), digest.bytes, digest.sha256});
  record.recipe = recipe.json();
  record.counts.add("rows", Json::number(shape.rows)).add("text_sha256", Json::string(""));
  record.counts.add(kShardCounts, counts.to_json());
  if (input.manifest && input.manifest->vocabulary) {
    record.counts.add(kVocabName, Json::string(input.manifest->vocabulary->name));
  }
  return {shard.name, std::move(record), std::move(pending)};
}

// Adds the records of all shards to `sums`; returns how many existed.
std::uint64_t make_missing_shards(std::span<const NewShard> shards, const ReshardTask& task, const ReshardInput& input,
                                  const Recipe& recipe, const OutputFolder& folder, Progress& progress,
                                  RecordSums& sums) {
  CommitQueue commits;
  std::atomic<std::uint64_t> found_count = 0;
  const std::string key = recipe.key(input.sha256);
  for_each_task(shards.size(), resolve_threads(static_cast<std::size_t>(task.work.threads)), progress,
                [&](std::size_t i) {
                  const std::string& name = shards[i].name;
                  if (const auto found = task.work.force ? std::nullopt : folder.finished(name, key)) {
                    sums.add(folder, name, *found);
                    ++found_count;
                  } else {
                    FinishedTask finished = make_shard(shards[i], task, input, recipe, folder, progress);
                    finished.record.key = key;
                    sums.add(folder, name, finished.record);
                    commits.add(folder, std::move(finished));
                  }
                  progress.advance(1);
                });
  commits.commit_all();
  return found_count;
}

std::vector<fs::path> files_of(const ReshardInput& input) {
  std::vector<fs::path> files;
  for (const ShardEntry& shard : input.training) files.push_back(shard.path);
  for (const ShardEntry& shard : input.test) files.push_back(shard.path);
  return files;
}

// The same rows under another name: trainers would take them twice.
void refuse_other_names(const OutputFolder& folder, const std::set<std::string>& planned) {
  for (const std::string& task : folder.recorded_tasks()) {
    const std::string name = task + ".hdf5";
    if (planned.contains(name) || !fs::exists(folder.path() / name)) continue;
    throw FormatError("holds the same rows in shards of another name, such as " + name, folder.path(),
                      "choose another folder");
  }
}

OutputFolder open_output(const ReshardTask& task, const ReshardInput& input, const Recipe& recipe,
                         const std::set<std::string>& planned, const std::string& name) {
  const std::array<fs::path, 1> inputs{task.input};
  InputGuard(inputs).refuse_folder(task.output);
  InputGuard(files_of(input)).refuse_files(task.output, std::vector<std::string>(planned.begin(), planned.end()));
  refuse_other_dataset(task.output, recipe.json(), {}, task.work);
  OutputFolder folder(task.output);
  refuse_foreign_shards(folder, planned, task.work);
  folder.reject_foreign_files(name, ".hdf5", planned, task.work.force);
  refuse_other_recipes(folder, recipe.json(), planned);
  refuse_other_names(folder, planned);
  if (input.vocab) refuse_foreign_vocab(task.output, input.vocab->sha256(), task.work);
  return folder;
}

ReshardTask with_resolved_options(ReshardTask task, const ReshardInput& input) {
  ReshardOptions& options = task.options;
  if (!options.shuffle_seed.empty()) options.shuffle_seed = canonical_integer(options.shuffle_seed);
  if (options.shards == 0) options.shards = static_cast<std::int64_t>(input.training.size());
  if (options.test_shards != 0 && ReshardInput::rows(input.test) == 0) {
    throw ConfigError("there are no rows for testing in " + task.input.string(), {}, "leave out `test_shards`");
  }
  if (options.test_shards == 0) options.test_shards = static_cast<std::int64_t>(input.test.size());
  return task;
}

// All shards of the output, whose numbers go into `report`.
std::vector<NewShard> plan_shards(const ReshardTask& task, const RedistributedRows& training,
                                  const RedistributedRows& test, ReshardReport& report) {
  const RowDistribution distribution =
      distribute_rows(training.rows(), static_cast<std::uint64_t>(task.options.shards), task.options.equal_rows,
                      static_cast<std::uint64_t>(task.options.rows_multiple_of));
  std::vector<NewShard> shards;
  add_shards(report.name + "_training", training, distribution, shards);
  report.training_shards = shards.size();
  if (test.rows() > 0) {
    const auto test_shards = static_cast<std::uint64_t>(task.options.test_shards);
    add_shards(report.name + "_test", test, distribute_rows(test.rows(), test_shards, EqualRows::kNo, 1), shards);
  }
  report.test_shards = shards.size() - report.training_shards;
  report.training_rows = training.rows() - distribution.dropped + distribution.repeated;
  report.test_rows = test.rows();
  report.dropped = distribution.dropped;
  report.repeated = distribution.repeated;
  return shards;
}

void check_seed(const std::string& seed) {
  if (seed.empty()) return;
  try {
    canonical_integer(seed);
  } catch (const ConfigError& error) {
    throw ConfigError(std::string("`shuffle_seed` ") + error.what(), {}, "any integer will do");
  }
}

// Makes the set; returns how many of its shards were there.
std::size_t make_set(std::span<const NewShard> shards, const ReshardTask& task, const ReshardInput& input,
                     const Recipe& recipe, const OutputFolder& folder, const std::string& name, Progress& progress) {
  const bool is_finished = !task.work.force && std::ranges::all_of(shards, [&](const NewShard& shard) {
    return folder.finished(shard.name, recipe.key(input.sha256)).has_value();
  });
  if (!is_finished) require_recorded_shards(files_of(input), task.work, progress);
  if (input.vocab) withdraw_vocab(folder.path(), input.vocab->sha256(), task.work);
  if (task.work.force) withdraw_manifest(folder.path());

  progress.begin(kStage, shards.size(), "shards");
  RecordSums sums;
  const std::size_t found = make_missing_shards(shards, task, input, recipe, folder, progress, sums);
  if (input.vocab) put_vocab(folder, *input.vocab, progress);
  Manifest manifest = merge_records(folder, name, {}, {}, sums);
  carry_data(input.manifest, input.vocab.has_value(), manifest);
  if (input.manifest) manifest.sources = input.manifest->sources;
  publish_manifest(folder, manifest);
  progress.end();
  return found;
}

}  // namespace

RedistributedRows::RedistributedRows(std::vector<ShardEntry> shards, const ShardShape& lengths,
                                     const std::optional<std::string>& seed)
    : shards_(std::move(shards)), lengths_(lengths), seed_(seed) {
  const std::uint64_t row_bytes = 6 * lengths.seq_len + 8 * lengths.max_predictions + 1;
  const std::uint64_t fitting = std::max<std::uint64_t>(kPoolBytes / row_bytes, 1);
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

FieldList<ReshardOptions> ReshardOptions::fields() {
  using Options = ReshardOptions;
  constexpr double kMaxShards = 1'000'000;
  static const Field<Options> kFields[] = {
      {.name = "shards",
       .member = &Options::shards,
       .unit = "number",
       .help = "training shards to make; 0: as many as the input has",
       .min = 0,
       .max = kMaxShards},
      {.name = "test-shards",
       .member = &Options::test_shards,
       .unit = "shards",
       .help = "test shards to make; 0: as many as the input has",
       .min = 0,
       .max = kMaxShards},
      {.name = "shuffle-seed",
       .member = &Options::shuffle_seed,
       .unit = "number",
       .help = "shuffle the rows with this seed, any integer; by default they stay in order"},
      {.name = "equal-rows",
       .member = enum_member<&Options::equal_rows>,
       .unit = "how",
       .help = "give all training shards the same number of rows: drop the excess rows, or repeat some",
       .choices = "no|drop|repeat",
       .unrecorded = "no"},
      {.name = "rows-multiple-of",
       .member = &Options::rows_multiple_of,
       .unit = "number",
       .help = "give each training shard a multiple of this many rows, such as the batch of a process",
       .min = 1,
       .max = 1 << 24,
       .unrecorded = "1"},
      {.name = "flip-labels",
       .member = &Options::flip_labels,
       .unit = "",
       .help = "swap the next-sentence labels 0 and 1, for rows whose 1 means true next",
       .unrecorded = "false"},
  };
  return {kFields, OptionGroup::kOutput};
}

ReshardReport reshard(const ReshardTask& given, Progress& observer) try {
  validate(given.options);
  validate(given.layout);
  check_seed(given.options.shuffle_seed);
  if (!given.name.empty()) check_name(given.name);
  SerialProgress progress(observer);
  const ReshardInput input = open_input(given.input, progress);
  const ReshardTask task = with_resolved_options(given, input);
  ReshardReport report;
  report.name = name_of(task, input);
  check_name(report.name);

  const auto seed = task.options.shuffle_seed.empty() ? std::nullopt : std::optional(task.options.shuffle_seed);
  const RedistributedRows training(input.training, input.lengths, seed);
  const RedistributedRows test(input.test, input.lengths, seed);
  const std::vector<NewShard> shards = plan_shards(task, training, test, report);
  std::set<std::string> planned;
  for (const NewShard& shard : shards) planned.insert(shard.name + ".hdf5");
  const Recipe recipe = recipe_of_output(task, input);
  const OutputFolder folder = open_output(task, input, recipe, planned, report.name);
  report.found = StageJournal::record({folder.state_folder()}, kStage, progress, [&](Progress& journal) {
    return make_set(shards, task, input, recipe, folder, report.name, journal);
  });
  report.made = shards.size() - report.found;
  return report;
} catch (...) {
  rethrow_as_error("resharding");
}

}  // namespace bertprep
