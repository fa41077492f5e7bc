// The run: what is to be done, the steps, and what is kept of them.
#include "bertprep/trainer/train.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "bertprep/base/error.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/prefetch.h"
#include "trainer/processors.h"
#include "trainer/run_reports.h"
#include "trainer/schedule.h"
#include "trainer/torch/checkpoint.h"
#include "trainer/torch/step.h"

namespace bertprep {
namespace {

constexpr std::size_t kBatchesAhead = 4;

// The data decides the vocabulary of the built-in shapes; a file's must fit the data's.
ModelConfig config_for(const ModelOptions& options, const ShardSet& shards) {
  ModelConfig config = resolve_model(options.model);
  const bool from_file = std::filesystem::exists(options.model);
  if (shards.vocab_size) {
    const std::int64_t size = padded_vocab_size(*shards.vocab_size);
    if (from_file && config.vocab_size != size) {
      throw ConfigError("has a vocab_size of " + std::to_string(config.vocab_size) + ", the shards were made with " +
                            std::to_string(*shards.vocab_size) + " pieces",
                        options.model, "set vocab_size to " + std::to_string(*shards.vocab_size));
    }
    config.vocab_size = size;
  }
  if (options.gelu != "config") config.tanh_gelu = options.gelu == "tanh";
  if (options.dropout >= 0) config.hidden_dropout = config.attention_dropout = options.dropout;
  if (static_cast<std::int64_t>(shards.seq_len) > config.max_positions) {
    throw ConfigError("rows have " + std::to_string(shards.seq_len) + " tokens, the model has positions for " +
                          std::to_string(config.max_positions),
                      options.model, "give a config.json with a larger max_position_embeddings");
  }
  return config;
}

std::vector<std::uint64_t> rows_per_shard(const ShardSet& set) {
  std::vector<std::uint64_t> rows;
  for (const ShardEntry& shard : set.shards) rows.push_back(shard.rows);
  return rows;
}

// OpenBLAS has threads of its own.
void set_blas_threads(int threads) {
  using SetThreads = void (*)(int);
  if (auto* const set = reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(threads);
}

int set_threads(std::int64_t asked) {
  const int threads = asked > 0 ? static_cast<int>(asked) : available_processors();
  at::set_num_threads(threads);
  set_blas_threads(threads);
  return threads;
}

at::Device device_of(const std::string& name) {
  if (name == "cpu") return at::kCPU;
  if (!at::hasCUDA()) {
    throw ConfigError("this program's libtorch has no CUDA", "--device cuda",
                      "build it against a CUDA PyTorch: -DCMAKE_PREFIX_PATH=...");
  }
  return at::Device(at::kCUDA, 0);
}

class Training {
 public:
  Training(const TrainOptions& options, TrainObserver& observer);
  TrainReport run();

 private:
  void restore();
  void prepare_evaluation();
  void step(Prefetch& rows);
  void report(const StepResult& result, const Prefetch& rows, double rate);
  void evaluate_now();
  void save();
  RunIdentity identity() const;
  std::int64_t done() const { return state_.step; }
  bool is_due(std::int64_t every) const { return every > 0 && done() % every == 0; }

  TrainOptions options_;
  TrainObserver& observer_;
  ShardSet shards_;
  ModelConfig config_;
  RowOrder order_;
  std::optional<RunReports> reports_;
  std::optional<Bert> model_;
  std::optional<Optimizer> optimizer_;
  Batch test_rows_;
  RunState state_;
  TrainPlan plan_;
  std::int64_t saved_step_ = -1;
  std::uint64_t rows_done_ = 0;  // by this call
  std::filesystem::path checkpoint_;
};

Training::Training(const TrainOptions& options, TrainObserver& observer)
    : options_(options),
      observer_(observer),
      shards_(list_shards(options.data.data, "training", true)),
      config_(config_for(options.model, shards_)),
      order_(rows_per_shard(shards_), static_cast<std::uint64_t>(options.data.seed), options.data.shuffle) {
  const at::Device device = device_of(options.run.device);
  plan_.threads = set_threads(options.run.threads);
  if (options.data.check_data) check_shards(shards_, config_.vocab_size, observer);
  prepare_evaluation();
  const BertMode mode{options.model.precision == "bf16", options.model.recompute_every};
  model_.emplace(config_, mode, static_cast<std::uint64_t>(options.data.seed), device);
  optimizer_.emplace(options.optimizer, model_->parameters());
  restore();
  plan_.model = config_;
  plan_.shards = shards_.shards.size();
  plan_.rows = shards_.rows();
  plan_.seq_len = shards_.seq_len;
  plan_.first_step = state_.step;
  reports_.emplace(options.run, observer);
}

RunIdentity Training::identity() const {
  return {shards_.fingerprint(),
          "seed " + std::to_string(options_.data.seed) + (options_.data.shuffle ? ", shuffled" : ", in order"),
          options_.optimizer.optimizer};
}

void Training::restore() {
  const auto newest =
      options_.run.resume && !options_.run.output.empty() ? newest_checkpoint(options_.run.output) : std::nullopt;
  if (newest) {
    state_ = load_run(newest->path, *model_, *optimizer_, identity(), options_.run.phase1_end_step);
    saved_step_ = state_.step;
    plan_.resumed_from = checkpoint_ = newest->path;
  } else if (!options_.run.init_from.empty()) {
    load_weights(options_.run.init_from, *model_);
    plan_.resumed_from = options_.run.init_from;
  }
}

void Training::prepare_evaluation() {
  if (options_.run.eval_every == 0) return;
  const ShardSet set = list_shards(options_.data.data, "test", true);
  if (options_.data.check_data) check_shards(set, config_.vocab_size, observer_);
  const auto rows = std::min<std::uint64_t>(set.rows(), static_cast<std::uint64_t>(options_.run.eval_rows));
  TrainingBatch batch;
  RowStream(set, RowOrder(rows_per_shard(set), 0, false), 0).next(rows, batch);
  test_rows_ = std::move(batch.rows);
}

TrainReport Training::run() {
  reports_->planned(plan_);
  Prefetch rows(RowStream(shards_, order_, state_.position), static_cast<std::uint64_t>(options_.data.batch_size),
                kBatchesAhead);
  while (done() < options_.run.max_steps) {
    step(rows);
    if (is_due(options_.run.eval_every)) evaluate_now();
    const bool stop = observer_.cancelled();
    if (stop || is_due(options_.run.save_every)) save();
    if (stop) throw Cancelled();
  }
  const double seconds = reports_->seconds();
  if (options_.run.eval_every > 0 && !is_due(options_.run.eval_every)) evaluate_now();
  save();
  if (!options_.run.export_folder.empty()) export_model(options_.run.export_folder, *model_);
  return {reports_->last(), done() - plan_.first_step, seconds, seconds > 0 ? rows.waited_seconds() / seconds : 0,
          checkpoint_};
}

void Training::step(Prefetch& rows) {
  const TrainingBatch batch = rows.next();
  const std::int64_t number = state_.step + 1;
  const double rate = learning_rate(options_.schedule, number, options_.run.max_steps);
  const StepResult result =
      train_step(*model_, *optimizer_, batch, shards_,
                 {.step = number,
                  .seed = static_cast<std::uint64_t>(options_.data.seed),
                  .learning_rate = rate,
                  .micro_batch_rows = static_cast<std::size_t>(options_.data.micro_batch_rows())});
  state_ = {number, batch.next_position};
  rows_done_ += batch.rows.rows;
  const bool ends = done() == plan_.first_step + 1 || done() == options_.run.max_steps;
  if (ends || is_due(options_.run.log_every)) report(result, rows, rate);
}

void Training::report(const StepResult& result, const Prefetch& rows, double rate) {
  StepReport report;
  report.step = done();
  report.max_steps = options_.run.max_steps;
  report.epoch = static_cast<double>(state_.position) / static_cast<double>(order_.rows_per_epoch());
  report.mlm_loss = result.sums.mlm_loss();
  report.nsp_loss = result.sums.nsp_loss();
  report.loss = report.mlm_loss + report.nsp_loss;
  report.mlm_accuracy = result.sums.mlm_accuracy();
  report.nsp_accuracy = result.sums.nsp_accuracy();
  report.learning_rate = rate;
  report.gradient_norm = result.gradient_norm;
  reports_->stepped(report, rows_done_, rows.waited_seconds());
}

void Training::evaluate_now() {
  const LossSums sums = evaluate(*model_, test_rows_, static_cast<std::size_t>(options_.data.micro_batch_rows()));
  EvalReport report;
  report.step = done();
  report.rows = test_rows_.rows;
  report.mlm_loss = sums.mlm_loss();
  report.nsp_loss = sums.nsp_loss();
  report.loss = report.mlm_loss + report.nsp_loss;
  report.mlm_accuracy = sums.mlm_accuracy();
  report.nsp_accuracy = sums.nsp_accuracy();
  reports_->evaluated(report);
}

void Training::save() {
  if (options_.run.output.empty() || saved_step_ == done()) return;
  checkpoint_ = save_run(options_.run, *model_, *optimizer_, state_, identity());
  saved_step_ = done();
  reports_->saved(done(), checkpoint_);
}

}  // namespace

TrainReport train(const TrainOptions& options, TrainObserver& observer) {
  options.validate_all();
  return Training(options, observer).run();
}

}  // namespace bertprep
