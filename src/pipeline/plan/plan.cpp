#include "pipeline/plan/plan.h"

#include <algorithm>
#include <cmath>

#include "bertprep/base/error.h"
#include "pipeline/plan/plan_folder.h"
#include "pipeline/plan/plan_steps.h"
#include "pipeline/records/resumption.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {
namespace {

// The size of a shard without rows in the default layout: headers and chunk index, most of a small shard.
constexpr double kShardFileBytes = 4096;
constexpr std::uint64_t kCalibrationBytes = 8'000'000;

std::uint64_t scaled(std::uint64_t value, double scale) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * scale));
}

Plan empty_plan(const PipelineOptions& options) {
  Plan plan{.dataset = options.corpus.name};
  plan.shards = static_cast<std::uint64_t>(options.sharding.train_shards + options.sharding.test_shards);
  return plan;
}

// Separates what grows with the shards from what grows with the rows.
std::uint64_t phase_bytes(const MeasuredPhase& phase, std::uint64_t sample_shards, std::uint64_t shards, double scale) {
  const double files = static_cast<double>(sample_shards) * kShardFileBytes;
  const double rows = std::max(0.0, static_cast<double>(phase.bytes) - files);
  return static_cast<std::uint64_t>(rows * scale + static_cast<double>(shards) * kShardFileBytes);
}

void add_sizes(const Measured& measured, double scale, const PipelineOptions& options, Plan& plan) {
  plan.articles = scaled(measured.articles, scale);
  plan.sentences = scaled(measured.sentences, scale);
  plan.tokens = scaled(measured.tokens, scale);
  plan.formatted_bytes = scaled(measured.formatted_bytes, scale);
  plan.text_shard_bytes = scaled(measured.text_shard_bytes, scale);
  const std::vector<InstanceOptions> phases = options.phases();
  for (std::size_t i = 0; i < phases.size(); ++i) {
    plan.phases.push_back({static_cast<std::uint64_t>(phases[i].seq_len), scaled(measured.phases[i].rows, scale),
                           phase_bytes(measured.phases[i], measured.shards, plan.shards, scale)});
  }
  if (options.sequences == nullptr) return;
  const MeasuredPhase& set = measured.phases.front();
  plan.phases.push_back({0, scaled(set.rows, scale), scaled(set.bytes, scale)});
}

void add_times(const Measured& measured, double scale, const PipelineOptions& options, bool checks_input, Plan& plan) {
  plan.stages = {{"format", measured.format_seconds * scale},
                 {"shard", measured.shard_seconds * scale},
                 {options.sequences == nullptr ? "instances" : kSequenceStage, measured.instances_seconds * scale}};
  if (checks_input) plan.stages.insert(plan.stages.begin(), {"check", measured.check_seconds * scale});
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
  for (const PlannedStage& stage : stages) sum += stage.seconds;
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
  const Measured measured = measure_sample(sample, folder.path() / "run", options, progress);
  progress.end();

  Plan plan = empty_plan(options);
  plan.input_bytes = sample.input_bytes;
  plan.sample_bytes = sample.sample_bytes;
  plan.size_error = sample.is_complete ? 0.01 : sample.is_front ? 0.2 : 0.05;
  plan.time_error = sample.is_front ? 0.4 : 0.3;
  add_sizes(measured, sample.scale(), options, plan);
  add_times(measured, sample.scale(), options, checks_input(layout_of(folders, options), options), plan);
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
  const Measured measured = measure_sample(sample, folder.path() / "run", generated, progress);
  progress.end();

  Plan plan = empty_plan(options);
  plan.from_sample = false;
  plan.download_bytes = facts.download_bytes;
  plan.input_bytes = facts.download_bytes;
  plan.size_error = 0.3;
  plan.time_error = 0.5;
  add_sizes_by_ratios(facts, text_bytes, options, plan);
  const double scale = text_bytes / static_cast<double>(sample.input_bytes);
  add_times(measured, scale * ratios::kRealTextTime, options, checks_input(layout_of(folders, options), options), plan);
  add_needs(folders, options, static_cast<std::uint64_t>(text_bytes * ratios::kIndexOfAByte), plan);
  return plan;
}

}  // namespace bertprep
