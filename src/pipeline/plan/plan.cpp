#include "pipeline/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "base/forwarding_progress.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "io/state_folder.h"
#include "pipeline/plan/plan_sample.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/resumption.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/instance_stage.h"
#include "pipeline/work/stage_clock.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Text without meaning, for measuring a machine's speed without an input.
constexpr std::size_t kWords = 20'000;
constexpr std::size_t kWordsInVocabulary = 12'000;
constexpr std::size_t kSentencesOfAnArticle = 40;
constexpr std::string_view kLetters = "etaoinshrdlucmfwypvbgkjqxz";

// std::mt19937 gives the same numbers everywhere, its distributions do not.
std::size_t below(std::mt19937& random, std::size_t limit) {
  return static_cast<std::size_t>(random()) % limit;
}

// Frequent words are short, rare ones long.
std::vector<std::string> make_words(std::mt19937& random) {
  std::vector<std::string> words(kWords);
  for (std::size_t i = 0; i < kWords; ++i) {
    const auto length = static_cast<std::size_t>(2 + std::log2(static_cast<double>(i + 1)) / 2) + below(random, 3);
    for (std::size_t k = 0; k < length; ++k) {
      words[i] += kLetters[std::min(below(random, kLetters.size()), below(random, kLetters.size()))];
    }
  }
  return words;
}

// Ranks as in Zipf's law: their logarithms are spread evenly.
std::size_t draw_rank(std::mt19937& random) {
  const double share = static_cast<double>(random()) / 4294967296.0;
  return static_cast<std::size_t>(std::pow(static_cast<double>(kWords), share)) - 1;
}

void write(const fs::path& file, const std::string& bytes) {
  OutputFile out(file);
  out.write(bytes);
  out.finish();
}

std::string make_articles(std::mt19937& random, const std::vector<std::string>& words, std::uint64_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    for (std::size_t sentence = 0; sentence < kSentencesOfAnArticle; ++sentence) {
      const std::size_t length = 12 + below(random, 20);
      for (std::size_t i = 0; i < length; ++i) {
        std::string word = words[draw_rank(random)];
        if (i == 0) word[0] = static_cast<char>(word[0] - 'a' + 'A');
        text += word;
        text += i + 1 == length ? ". " : below(random, 12) == 0 ? " , " : " ";
      }
    }
    text.back() = '\n';
  }
  return text;
}

std::string make_vocabulary(const std::vector<std::string>& words) {
  std::string pieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n.\n,\n";
  for (const char letter : kLetters) pieces += std::string(1, letter) + "\n##" + letter + "\n";
  std::vector<std::string> known(words.begin(), words.begin() + kWordsInVocabulary);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string& word : known) {
    if (word.size() > 1) pieces += word + "\n";
  }
  return pieces;
}

// Writes about `bytes` of articles, always the same, and a vocabulary and sentence parameters for them, into `folder`,
// which must exist. Sets these in `options`.
CorpusPart write_generated_text(const fs::path& folder, std::uint64_t bytes, PipelineOptions& options) {
  std::mt19937 random(1);
  const std::vector<std::string> words = make_words(random);
  write(folder / "articles.txt", make_articles(random, words, bytes));
  write(folder / "vocab.txt", make_vocabulary(words));
  fs::create_directories(folder / "punkt");
  write(folder / "punkt" / "abbrev_types.txt", "dr\nu.s\n");
  write(folder / "punkt" / "collocations.tab", "##number##\tand\n");
  write(folder / "punkt" / "sent_starters.txt", "but\n");
  write(folder / "punkt" / "ortho_context.tab", "dark\t32\n");
  options.vocabulary = (folder / "vocab.txt").string();
  if (options.sentences.rules != SentenceRules::kIcu && options.sentences.custom == nullptr) {
    options.sentences.rules = SentenceRules::kPunkt;
    options.sentences.punkt = (folder / "punkt").string();
  }
  CorpusPart part{.inputs = {folder / "articles.txt"}};
  part.source.format = InputFormat::kArticles;
  return part;
}

// Shards per thread: with few, threads are idle at the end, unlike in a run with many shards.
constexpr std::uint64_t kShardsOfAThread = 8;

PipelineOptions options_for(const PlanSample& sample, PipelineOptions options) {
  const auto train = static_cast<std::uint64_t>(options.sharding.train_shards);
  const auto test = static_cast<std::uint64_t>(options.sharding.test_shards);
  options.work.force = true;
  options.work.memory = "100%";  // the plan says whether the run fits in its limit
  options.work.keep = {.download = false};
  if (sample.is_complete && train + test <= sample.articles) return options;
  const std::uint64_t threads = resolve_threads(static_cast<std::size_t>(options.work.threads));
  const double scaled = std::round(static_cast<double>(train + test) / sample.scale());
  const std::uint64_t wanted = std::max(static_cast<std::uint64_t>(scaled), kShardsOfAThread * threads);
  const std::uint64_t most = std::min(train + test, std::max<std::uint64_t>(2, sample.articles / 2));
  const std::uint64_t shards = std::clamp<std::uint64_t>(wanted, 2, most);
  const std::uint64_t training = std::clamp<std::uint64_t>(shards * train / (train + test), 1, shards - 1);
  options.sharding.train_shards = static_cast<std::int64_t>(training);
  options.sharding.test_shards = static_cast<std::int64_t>(shards - training);
  return options;
}

Plan empty_plan(const PipelineOptions& options) {
  Plan plan{.dataset = options.corpus.name};
  plan.shards = static_cast<std::uint64_t>(options.sharding.train_shards + options.sharding.test_shards);
  return plan;
}

// Adds up the run's records.
std::vector<PlannedPhase> phases_of(const RunLayout& layout) {
  std::vector<PlannedPhase> phases;
  for (const InstancePhase& phase : layout.phases) {
    const RecordedShards shards = sum_shard_records(phase.folder, *find_state_folder(phase.folder), {});
    phases.push_back({static_cast<std::uint64_t>(phase.options.seq_len), shards.rows, shards.bytes});
  }
  if (layout.sequences.empty()) return phases;
  const RecordedShards parts = sum_sequence_records(layout.sequences, *find_state_folder(layout.sequences), nullptr);
  phases.push_back({0, parts.rows, parts.bytes});
  return phases;
}

constexpr const char* kCheck = "check";

Plan run_once(const PlanSample& sample, const fs::path& folder, const PipelineOptions& options, Progress& progress) {
  remove_tree(folder);
  const BuildFolders folders{folder / "root", folder / "work"};
  const StageClock check_clock;
  digest_files(files_of_corpus(sample.parts), progress);
  const double digest_seconds = check_clock.seconds();
  const auto source = sample.open(task_runner(static_cast<std::size_t>(options.work.threads)));
  const BuildReport report = build(*source, folders, options, progress);

  const StageReport& format = report.stages.at(0);
  const StageReport& shard = report.stages.at(1);
  const StageReport& last = report.stages.at(2);
  Plan measured = empty_plan(options);
  measured.articles = format.articles;
  measured.sentences = shard.sentences;
  measured.tokens = last.tokens;
  measured.formatted_bytes = format.bytes_out;
  measured.text_shard_bytes = shard.bytes_out;
  measured.phases = phases_of(layout_of(folders, options));
  // A run with files hashes them while reading; this one reads none.
  measured.stages = {{kCheck, digest_seconds},
                     {format.stage, format.seconds + digest_seconds},
                     {shard.stage, shard.seconds},
                     {last.stage, last.seconds}};
  remove_tree(folder);
  return measured;
}

// The sizes and times of the sample itself, by a run in `folder` with fewer shards than `options` say, as the sample is
// smaller than the corpus. Throws as build().
Plan measure_sample(const PlanSample& sample, const fs::path& folder, const PipelineOptions& options,
                    Progress& progress) {
  SilentProgress quiet(progress);
  const PipelineOptions small = options_for(sample, options);
  Plan measured = run_once(sample, folder, small, quiet);
  progress.advance(1);
  // The first run also fills caches and grows memory, which a long run does once.
  const Plan again = run_once(sample, folder, small, quiet);
  progress.advance(1);
  for (std::size_t i = 0; i < measured.stages.size(); ++i) {
    measured.stages[i].seconds = std::min(measured.stages[i].seconds, again.stages[i].seconds);
  }
  return measured;
}

// The largest text shard relative to the mean of its kind: the assignment balances sentences, not bytes.
constexpr double kFullestShard = 1.1;

std::string megabytes(std::uint64_t bytes) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(static_cast<double>(bytes) / 1e6));
  return whole < 10'000 ? std::to_string(whole) + " MB" : std::to_string((whole + 999) / 1000) + " GB";
}

fs::path existing_folder(const fs::path& folder) {
  fs::path at = fs::absolute(folder).lexically_normal();
  while (!fs::exists(at) && at.has_relative_path()) at = at.parent_path();
  return at;
}

void add_memory(const PipelineOptions& options, Plan& plan) {
  const auto share = [&](std::int64_t shards, double fraction) {
    return static_cast<double>(plan.text_shard_bytes) * fraction / static_cast<double>(shards);
  };
  const double fraction = options.sharding.test_fraction;
  const double mean =
      std::max(share(options.sharding.train_shards, 1 - fraction), share(options.sharding.test_shards, fraction));
  plan.largest_text_shard_bytes = static_cast<std::uint64_t>(mean * kFullestShard);
  std::uint64_t one = 0;
  for (const InstanceOptions& phase : options.phases()) {
    one = std::max(one, shard_memory_bytes(plan.largest_text_shard_bytes, phase));
  }
  if (options.sequences != nullptr) {
    const SequenceOptions sequences = resolve_sequences(options.sequences->options);
    one = sequence_memory_bytes(plan.largest_text_shard_bytes, sequences, sequence_id_bytes(sequences.ids));
  }
  plan.threads = resolve_threads(static_cast<std::size_t>(options.work.threads));
  plan.memory_allowed = memory_bytes(options.work.memory);
  plan.memory_of_one_thread = kProcessBytes + one;
  plan.memory_of_all_threads = kProcessBytes + one * std::min(plan.threads, std::max<std::uint64_t>(1, plan.shards));
  if (plan.memory_of_one_thread > plan.memory_allowed) {
    const double factor = static_cast<double>(plan.memory_of_one_thread) / static_cast<double>(plan.memory_allowed);
    plan.warnings.push_back(
        "not even one thread fits in `memory`: a text shard of " + megabytes(plan.largest_text_shard_bytes) +
        " needs " + megabytes(plan.memory_of_one_thread) + "; give more, or make about " +
        std::to_string(static_cast<std::uint64_t>(std::ceil(factor * 1.5))) + " times as many text shards");
    return;
  }
  plan.threads_within_memory = threads_within(plan.memory_allowed, one, plan.threads);
  if (plan.threads_within_memory < plan.threads) {
    plan.warnings.push_back("only " + counted_of(plan.threads_within_memory, plan.threads, "thread", "fits", "fit") +
                            " in `memory`; all need " + megabytes(plan.memory_of_all_threads) +
                            ", or more text shards");
  }
}

PlannedDisk work_disk(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes,
                      std::uint64_t shard_bytes_here, const Plan& plan) {
  PlannedDisk disk{.folder = work_folder(folders)};
  const std::uint64_t downloads = plan.download_bytes;
  const std::uint64_t while_sharding = downloads + plan.formatted_bytes + index_bytes + plan.text_shard_bytes;
  disk.peak_bytes = std::max(while_sharding, while_sharding - index_bytes + shard_bytes_here);
  disk.kept_bytes = downloads + shard_bytes_here + (options.work.keep.formatted ? plan.formatted_bytes : 0) +
                    (options.work.keep.sharded ? plan.text_shard_bytes : 0);
  return disk;
}

void add_disks(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan) {
  std::uint64_t shard_bytes = 0;
  for (const PlannedPhase& phase : plan.phases) shard_bytes += phase.bytes;
  const fs::path work = existing_folder(work_folder(folders));
  const fs::path output = existing_folder(folders.output);
  if (on_one_file_system(work, output)) {
    plan.disks.push_back(work_disk(folders, options, index_bytes, shard_bytes, plan));
  } else {
    plan.disks.push_back(work_disk(folders, options, index_bytes, 0, plan));
    plan.disks.push_back({.folder = folders.output, .peak_bytes = shard_bytes, .kept_bytes = shard_bytes});
  }
  for (PlannedDisk& disk : plan.disks) {
    std::error_code error;
    disk.free_bytes = fs::space(existing_folder(disk.folder), error).available;
    if (error) disk.free_bytes = 0;
    if (disk.free_bytes < disk.peak_bytes) {
      plan.warnings.push_back("too little space on the disk of " + disk.folder.string() + ": " +
                              megabytes(disk.peak_bytes) + " are needed, " + megabytes(disk.free_bytes) + " are free");
    }
  }
}

void check_articles(const PipelineOptions& options, Plan& plan) {
  const auto shards = static_cast<std::uint64_t>(options.sharding.train_shards + options.sharding.test_shards);
  if (plan.articles >= shards) return;
  plan.warnings.push_back("about " + counted(plan.articles, "article") + " can't fill " + grouped(shards) +
                          " text shards with one article each; ask for fewer with `train_shards` and `test_shards`");
}

// Adds memory, disks and warnings to a plan with sizes. `index_bytes` is the size of the index that exists until the
// text shards are written.
void add_needs(const BuildFolders& folders, const PipelineOptions& options, std::uint64_t index_bytes, Plan& plan) {
  add_memory(options, plan);
  add_disks(folders, options, index_bytes, plan);
  check_articles(options, plan);
}

// The size of a shard without rows in the default layout: headers and chunk index, most of a small shard.
constexpr double kShardFileBytes = 4096;
constexpr std::uint64_t kCalibrationBytes = 8'000'000;

std::uint64_t scaled(std::uint64_t value, double scale) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * scale));
}

// Separates what grows with the shards from what grows with the rows.
std::uint64_t phase_bytes(const PlannedPhase& phase, std::uint64_t sample_shards, std::uint64_t shards, double scale) {
  const double files = static_cast<double>(sample_shards) * kShardFileBytes;
  const double rows = std::max(0.0, static_cast<double>(phase.bytes) - files);
  return static_cast<std::uint64_t>(rows * scale + static_cast<double>(shards) * kShardFileBytes);
}

void add_sizes(const Plan& measured, double scale, Plan& plan) {
  for (const auto size :
       {&Plan::articles, &Plan::sentences, &Plan::tokens, &Plan::formatted_bytes, &Plan::text_shard_bytes}) {
    plan.*size = scaled(measured.*size, scale);
  }
  for (const PlannedPhase& phase : measured.phases) {
    const bool is_sequences = phase.seq_len == 0;
    plan.phases.push_back(
        {phase.seq_len, scaled(phase.rows, scale),
         is_sequences ? scaled(phase.bytes, scale) : phase_bytes(phase, measured.shards, plan.shards, scale)});
  }
}

void add_times(const Plan& measured, double scale, bool checks_input, Plan& plan) {
  for (const ExpectedSpan& span : measured.stages) {
    if (span.stage != kCheck || checks_input) plan.stages.push_back({span.stage, span.seconds * scale});
  }
}

// The fill ratio of rows hardly depends on their length.
double rows_of_a_token(const InstanceOptions& phase) {
  if (phase.seq_len == 512) return ratios::kRowsOfAToken512;
  return ratios::kRowsOfAToken128 * 128 / static_cast<double>(phase.seq_len);
}

double bytes_of_a_row(const InstanceOptions& phase) {
  if (phase.seq_len == 512) return ratios::kBytesOfARow512;
  return ratios::kBytesOfARow128 * static_cast<double>(phase.seq_len) / 128;
}

std::uint64_t articles_of(const CorpusFacts& facts, double text_bytes) {
  if (facts.articles != 0) return facts.articles;
  return static_cast<std::uint64_t>(std::llround(text_bytes / ratios::kBytesOfAnArticle));
}

PlannedPhase sequences_by_ratios(const SequenceRun& run, const Plan& plan) {
  const SequenceOptions options = resolve_sequences(run.options);
  const auto blocks = static_cast<std::uint64_t>(options.blocks);
  const bool is_megatron = options.format == SequenceFormat::kMegatron;
  const std::uint64_t rows = blocks != 0                                                ? plan.tokens / blocks
                             : is_megatron && options.level == SequenceLevel::kSentence ? plan.sentences
                             : is_megatron
                                 ? plan.articles
                                 : plan.articles + plan.tokens / static_cast<std::uint64_t>(options.max_tokens);
  return {0, rows, plan.tokens * sequence_id_bytes(options.ids)};
}

void add_sizes_by_ratios(const CorpusFacts& facts, double text_bytes, const PipelineOptions& options, Plan& plan) {
  const auto whole = [](double value) { return static_cast<std::uint64_t>(std::llround(value)); };
  plan.articles = articles_of(facts, text_bytes);
  plan.sentences = whole(text_bytes * ratios::kSentencesOfAByte);
  plan.tokens = whole(text_bytes * ratios::kTokensOfAByte);
  plan.formatted_bytes = whole(text_bytes * ratios::kFormattedOfAByte);
  plan.text_shard_bytes = whole(text_bytes);
  for (const InstanceOptions& phase : options.phases()) {
    const double rows =
        static_cast<double>(plan.tokens) * rows_of_a_token(phase) * static_cast<double>(phase.dupe_factor);
    const double bytes = rows * bytes_of_a_row(phase) + static_cast<double>(plan.shards) * kShardFileBytes;
    plan.phases.push_back({static_cast<std::uint64_t>(phase.seq_len), whole(rows), whole(bytes)});
  }
  if (options.sequences != nullptr) plan.phases.push_back(sequences_by_ratios(*options.sequences, plan));
}

}  // namespace

double Plan::seconds() const {
  double sum = 0;
  for (const ExpectedSpan& stage : stages) sum += stage.seconds;
  return sum;
}

Plan plan_run(std::span<const CorpusPart> parts, const BuildFolders& folders, const PipelineOptions& given,
              Progress& progress) {
  given.validate_all();
  PipelineOptions options = given;
  options.sentences = resolve_sentences(parts, given.sentences);
  const PlanFolder folder(work_folder(folders));
  progress.begin("sample", 3, "steps");
  const PlanSample sample = copy_sample(parts, folder.path() / "sample", {});
  progress.advance(1);
  options.sharding = resolve_sharding(options.sharding, scaled(sample.articles, sample.scale()));
  const Plan measured = measure_sample(sample, folder.path() / "run", options, progress);
  progress.end();

  Plan plan = empty_plan(options);
  plan.input_bytes = sample.input_bytes;
  plan.sample_bytes = sample.sample_bytes;
  plan.size_error = sample.is_complete ? 0.01 : sample.is_front ? 0.2 : 0.05;
  plan.time_error = sample.is_front ? 0.4 : 0.3;
  add_sizes(measured, sample.scale(), plan);
  add_times(measured, sample.scale(), checks_input(layout_of(folders, options), options), plan);
  add_needs(folders, options,
            static_cast<std::uint64_t>(static_cast<double>(plan.text_shard_bytes) * ratios::kIndexOfAByte), plan);
  return plan;
}

Plan plan_unseen_run(const CorpusFacts& facts, const BuildFolders& folders, const PipelineOptions& given,
                     Progress& progress) {
  given.validate_all();
  const auto text_bytes = static_cast<double>(facts.text_bytes != 0 ? facts.text_bytes : facts.download_bytes);
  if (text_bytes == 0) {
    throw ConfigError("the catalogue does not give the size of this dataset", {},
                      "fetch it first: a plan then reads part of it");
  }
  PipelineOptions options = given;
  options.sharding = resolve_sharding(given.sharding, articles_of(facts, text_bytes));
  const PlanFolder folder(work_folder(folders));
  progress.begin("calibration", 3, "steps");
  PipelineOptions generated = options;
  const std::vector<CorpusPart> parts = {write_generated_text(folder.path(), kCalibrationBytes, generated)};
  progress.advance(1);
  SampleSize all;
  all.share = 1;
  const PlanSample sample = copy_sample(parts, folder.path() / "sample", all);
  const Plan measured = measure_sample(sample, folder.path() / "run", generated, progress);
  progress.end();

  Plan plan = empty_plan(options);
  plan.from_sample = false;
  plan.download_bytes = facts.download_bytes;
  plan.input_bytes = facts.download_bytes;
  plan.size_error = 0.3;
  plan.time_error = 0.5;
  add_sizes_by_ratios(facts, text_bytes, options, plan);
  const double scale = text_bytes / static_cast<double>(sample.input_bytes);
  add_times(measured, scale, checks_input(layout_of(folders, options), options), plan);
  add_needs(folders, options, static_cast<std::uint64_t>(text_bytes * ratios::kIndexOfAByte), plan);
  return plan;
}

}  // namespace bertprep
