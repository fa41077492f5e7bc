// A training run: its plan, steps, and checkpoints.
#include "bertprep/trainer/train.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "trainer/background.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/data_vocab.h"
#include "trainer/distributed/timed_group.h"
#include "trainer/machine.h"
#include "trainer/run_reports.h"
#include "trainer/schedule.h"
#include "trainer/torch/checkpoint.h"
#include "trainer/torch/flat_values.h"
#include "trainer/torch/step.h"
#include "trainer/torch/train_setup.h"

namespace bertprep {
namespace {

constexpr std::size_t kBatchesAhead = 4;

// Process 0 reports for all; the others only check for cancellation.
class MutedObserver final : public TrainObserver {
 public:
  explicit MutedObserver(const TrainObserver& observer) : observer_(observer) {}
  bool cancelled() const override { return observer_.cancelled(); }

 private:
  const TrainObserver& observer_;
};

RunOptions without_logs(RunOptions options) {
  options.log_json = options.tensorboard = {};
  return options;
}

class Training {
 public:
  Training(const TrainOptions& options, TrainObserver& observer, ProcessGroup& processes);
  TrainReport run();

 private:
  void require_room();
  void check_data(const ShardSet& set);
  void share_work();
  void restore();
  void prepare_evaluation();
  void step(Prefetch& rows);
  void report(const StepResult& result, const Prefetch& rows, double rate);
  void evaluate_now();
  bool is_stop_requested();
  void save();
  RunIdentity identity() const;
  bool speaks() const { return processes_.rank() == 0; }
  bool is_alone() const { return processes_.size() == 1; }
  std::int64_t done() const { return state_.step; }
  std::int64_t last_step() const;
  bool is_due(std::int64_t every) const { return every > 0 && done() % every == 0; }
  std::size_t micro_batch_rows() const;
  std::size_t kept() const { return static_cast<std::size_t>(options_.run.keep); }
  double communicated_seconds() const;
  Peers peers() { return {&processes_, devices_.get()}; }

  TrainOptions options_;
  TrainObserver& observer_;
  MutedObserver muted_;
  ProcessGroup& all_processes_;
  TimedGroup processes_;  // for this thread; the exchange has its own thread
  ShardSet shards_;
  ModelConfig config_;
  RowOrder order_;
  std::optional<RunReports> reports_;
  std::unique_ptr<DeviceGroup> devices_;  // if several processes train on one GPU each
  std::unique_ptr<Model> model_;
  BucketPlan buckets_;
  std::optional<Optimizer> optimizer_;
  std::optional<GradientExchange> exchange_;
  Batch test_rows_;  // of this process
  std::uint64_t all_test_rows_ = 0;
  RunState state_;
  TrainPlan plan_;
  std::int64_t saved_step_ = -1;
  std::uint64_t rows_done_ = 0;  // by this call
  double communicated_before_ = 0;
  std::filesystem::path checkpoint_;
};

Training::Training(const TrainOptions& options, TrainObserver& observer, ProcessGroup& processes)
    : options_(options),
      observer_(observer),
      muted_(observer),
      all_processes_(processes),
      processes_(processes),
      shards_(find_shards(options, "training", observer, processes_)),
      config_(config_for(options.model, shards_)),
      order_(shards_, static_cast<std::uint64_t>(options.data.seed), options.data.shuffling()) {
  require_agreement(options_, shards_, processes_);
  if (speaks() && !options_.run.export_folder.empty()) {
    refuse_other_export(options_.run.export_folder, shards_.vocabulary, options_.data.data);
    refuse_foreign_model(options_.run.export_folder, config_);
  }
  // Not after hours of training.
  if (speaks()) {
    for (const std::string& folder : {options_.run.output, options_.run.export_folder}) {
      if (!folder.empty()) require_writable(folder);
    }
  }
  shards_.vocab_size = config_.pieces;
  require_room();
  const at::Device device = device_of(options.run.device, processes_);
  plan_.threads = set_threads(options.run.threads, processes_);
  check_data(shards_);
  prepare_evaluation();
  if (device.is_cuda() && !is_alone()) devices_ = join_device_group(processes_, device.index());
  const ModelMode mode{.bf16 = options.model.precision == Precision::kBf16,
                       .bf16_as_f32 = !has_fast_bf16(),
                       .recompute_every = options.model.recompute_every,
                       .nvidia_start = options.model.init == InitialWeights::kNvidia};
  model_ = make_model(config_, mode, static_cast<std::uint64_t>(options.data.seed), device);
  share_work();
  restore();
  plan_.model = config_;
  plan_.shards = shards_.shards.size();
  plan_.rows = shards_.rows();
  plan_.seq_len = shards_.seq_len;
  plan_.first_step = state_.step;
  plan_.processes = processes_.size();
  plan_.rounds_to_bf16 = device.is_cpu() && mode.bf16 && mode.bf16_as_f32;
  if (speaks()) {
    reports_.emplace(options.run, observer);
  } else {
    reports_.emplace(without_logs(options.run), muted_);
  }
}

void Training::require_room() {
  const std::uint64_t bytes = state_bytes(config_, options_, processes_.size());
  if (speaks()) observer_.sized({config_, bytes});
  if (options_.run.device == Device::kCpu) require_memory(bytes, processes_.size_here(), machine_memory_bytes());
}

// Each process checks its portion; a fault in one ends all.
void Training::check_data(const ShardSet& set) {
  if (!options_.data.check_data) return;
  stop_together(processes_,
                [&] { check_shards(portion_of(set, processes_), config_.pieces, speaks() ? observer_ : muted_); });
}

void Training::share_work() {
  UpdatePlan plan{.runs = update_runs(options_.optimizer, model_->parameters(), processes_.size()),
                  .places = model_->places()};
  const std::int64_t bucket_values = options_.process.bucket_mb * (1 << 20) / static_cast<std::int64_t>(sizeof(float));
  buckets_ = plan_buckets(plan.runs, plan.places, processes_.size(), bucket_values);
  const std::int64_t zero = is_alone() ? 0 : options_.process.zero;
  if (zero > 0) {
    plan.peers = peers();
    plan.buckets = &buckets_;
    plan.values = model_->values();
  }
  if (zero == 2) {
    plan.gradient = [this](std::uint32_t tensor, std::int64_t begin, std::int64_t count) {
      return exchange_->part(tensor, begin, count);
    };
  }
  optimizer_.emplace(options_.optimizer, model_->parameters(), std::move(plan));
  const GradientShare share = zero == 0   ? GradientShare::kAll
                              : zero == 1 ? GradientShare::kSums
                                          : GradientShare::kParts;
  if (!is_alone()) exchange_.emplace(*model_, Peers{&all_processes_, devices_.get()}, buckets_.buckets, share);
}

RunIdentity Training::identity() const {
  const bool mixes_chunks = options_.data.shuffling() == RowShuffle::kV2;
  return {mixes_chunks ? shards_.fingerprint_with_chunks() : shards_.fingerprint(), order_note(options_.data),
          std::string(name_of(options_.optimizer.optimizer)), shards_.vocabulary};
}

// Process 0 reads, so that the folders of checkpoints and models need not be visible to all.
void Training::restore() {
  at::Tensor values = model_->values();
  RestoredRun restored;
  if (speaks() && options_.run.resume && !options_.run.output.empty()) {
    restored = restore_newest(options_.run, *model_, identity());
  }
  plan_.damaged_checkpoints = restored.damaged_checkpoints;
  const std::string newest = broadcast_text(processes_, restored.path.string());
  if (newest.empty()) {
    if (speaks() && !options_.run.init_from.empty()) {
      load_weights(options_.run.init_from, *model_, shards_.vocabulary, options_.data.data);
    }
    plan_.resumed_from = options_.run.init_from;
    broadcast_values(peers(), values);
    return;
  }
  Moments moments = speaks() ? restored.moments : no_moments(*model_);
  struct Numbers {
    RunState state;
    std::int64_t optimizer_steps;
  };
  Numbers numbers{restored.state, moments.steps};
  processes_.broadcast(std::as_writable_bytes(std::span(&numbers, 1)));
  state_ = numbers.state;
  moments.steps = numbers.optimizer_steps;
  broadcast_values(peers(), values);
  broadcast_values(peers(), moments.m);
  broadcast_values(peers(), moments.v);
  optimizer_->set_moments(moments);
  saved_step_ = state_.step;
  plan_.resumed_from = checkpoint_ = newest;
}

void Training::prepare_evaluation() {
  if (options_.run.eval_every == 0) return;
  ShardSet set = find_shards(options_, "test", observer_, processes_);
  set.vocab_size = config_.pieces;
  if (set.seq_len != shards_.seq_len) {
    throw FormatError("has rows of " + std::to_string(set.seq_len) + " tokens, the training shards of " +
                          std::to_string(shards_.seq_len),
                      set.shards.front().path, "keep the shards of each phase in a separate folder");
  }
  check_data(set);
  all_test_rows_ = std::min<std::uint64_t>(set.rows(), static_cast<std::uint64_t>(options_.run.eval_rows));
  const Portion own = portion_of(all_test_rows_, processes_);
  TrainingBatch batch;
  if (own.count > 0) RowStream(set, RowOrder(set, 0, RowShuffle::kNone), own.first).next(own.count, batch);
  test_rows_ = std::move(batch.rows);
}

TrainReport Training::run() {
  reports_->planned(plan_);
  communicated_before_ = communicated_seconds();
  Prefetch rows(RowStream(shards_, order_, state_.position, {processes_.rank(), processes_.size()}),
                static_cast<std::uint64_t>(options_.data.batch_size), kBatchesAhead);
  while (done() < last_step()) {
    step(rows);
    if (is_due(options_.run.eval_every)) evaluate_now();
    const bool stop = is_stop_requested();
    if (stop || is_due(options_.run.save_every)) save();
    if (stop) throw Cancelled();
  }
  const double seconds = reports_->seconds();
  const double communicated = communicated_seconds() - communicated_before_;
  if (options_.run.eval_every > 0 && !is_due(options_.run.eval_every)) evaluate_now();
  save();
  if (speaks() && !options_.run.export_folder.empty()) {
    export_model(options_.run.export_folder, *model_);
    export_tokenizer(options_.run.export_folder, options_.data.data, shards_.vocabulary, config_.max_positions,
                     observer_);
  }
  const auto share = [&](double part) { return seconds > 0 ? part / seconds : 0; };
  return {reports_->last(), done() - plan_.first_step, seconds, share(rows.waited_seconds()), share(communicated),
          checkpoint_};
}

// The last step of this call.
std::int64_t Training::last_step() const {
  const std::int64_t most = options_.run.steps_this_run;
  return most == 0 ? options_.run.max_steps : std::min(options_.run.max_steps, plan_.first_step + most);
}

std::size_t Training::micro_batch_rows() const {
  return static_cast<std::size_t>(options_.data.micro_batch_rows(static_cast<std::int64_t>(processes_.size())));
}

double Training::communicated_seconds() const {
  return processes_.seconds() + (exchange_ ? exchange_->waited_seconds() : 0);
}

void Training::step(Prefetch& rows) {
  const TrainingBatch batch = rows.next();
  const std::int64_t number = state_.step + 1;
  const double rate = learning_rate(options_.schedule, number, options_.run.max_steps);
  const StepResult result = train_step(*model_, *optimizer_, batch, shards_,
                                       {.step = number,
                                        .seed = static_cast<std::uint64_t>(options_.data.seed),
                                        .learning_rate = rate,
                                        .micro_batch_rows = micro_batch_rows(),
                                        .micro_batch_means = options_.data.loss_mean == LossMean::kMicroBatch},
                                       {processes_, exchange_ ? &*exchange_ : nullptr});
  state_ = {number, batch.next_position};
  rows_done_ += static_cast<std::uint64_t>(options_.data.batch_size);
  const bool ends = done() == plan_.first_step + 1 || done() == last_step();
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
  reports_->stepped(report, {rows_done_, rows.waited_seconds(), communicated_seconds() - communicated_before_});
}

void Training::evaluate_now() {
  LossSums sums = evaluate(*model_, test_rows_, micro_batch_rows());
  sums.add_up(processes_);
  EvalReport report;
  report.step = done();
  report.rows = all_test_rows_;
  report.mlm_loss = sums.mlm_loss();
  report.nsp_loss = sums.nsp_loss();
  report.loss = report.mlm_loss + report.nsp_loss;
  report.mlm_accuracy = sums.mlm_accuracy();
  report.nsp_accuracy = sums.nsp_accuracy();
  reports_->evaluated(report);
}

// A request to one process stops all, after the same step.
bool Training::is_stop_requested() {
  double requested = observer_.cancelled() ? 1 : 0;
  processes_.sum(std::span(&requested, 1));
  return requested > 0;
}

// The others wait: if one left, a launcher might end process 0 while it writes.
void Training::save() {
  if (options_.run.output.empty()) return;
  if (saved_step_ == done()) {
    // The process that saved it may have been killed before tidying.
    if (speaks()) tidy_checkpoints(options_.run.output, options_.run.phase1_end_step + done(), kept());
    return;
  }
  const Moments moments = optimizer_->moments();
  if (speaks()) checkpoint_ = save_run(options_.run, *model_, moments, state_, identity());
  processes_.barrier();
  saved_step_ = done();
  if (speaks()) reports_->saved(done(), checkpoint_);
}

constexpr const char* kNoMemory = "there is not enough memory";
constexpr const char* kSaveMemory = "give a smaller `micro_batch`, `recompute_every` 1 or a smaller `model`";

[[noreturn]] void rethrow_in_words(const c10::Error& error) {
  const std::string words = error.what_without_backtrace();
  const bool of_memory =
      words.find("allocate memory") != std::string::npos || words.find("out of memory") != std::string::npos;
  if (of_memory) throw Error(kNoMemory, {}, kSaveMemory);
  throw Error("libtorch: " + words.substr(0, words.find('\n')));
}

}  // namespace

TrainReport train(const TrainOptions& options, TrainObserver& observer, ProcessGroup& processes) {
  options.validate_all();
  try {
    return Training(options, observer, processes).run();
  } catch (const c10::Error& error) {
    // The full message, with its origin, is about libtorch rather than the run.
    rethrow_in_words(error);
  } catch (const std::bad_alloc&) {
    throw Error(kNoMemory, {}, kSaveMemory);
  } catch (const std::filesystem::filesystem_error&) {
    rethrow_as_error("training");
  }
}

TrainReport train(const TrainOptions& options, TrainObserver& observer) {
  const std::unique_ptr<ProcessGroup> alone = lone_process();
  return train(options, observer, *alone);
}

}  // namespace bertprep
