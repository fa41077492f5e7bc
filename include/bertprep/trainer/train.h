// Train: shards -> a pretrained BERT model. docs/how-to/train.md tells how, docs/formats/checkpoint.md what is kept.
//
// The order of the rows is a function of the seed and the epoch alone. A run that is stopped and resumed ends, on CPUs,
// with the same bits as one that was not. One call at a time in a process: libtorch's number of threads and random
// generators belong to the process.
//
// Several processes that share a ProcessGroup train one model; see there how they find each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/trainer/process_group.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

// ModelConfig: the shape of a BERT model with both pretraining heads.

struct ModelConfig {
  std::int64_t vocab_size = 30528;  // rows of the embedding table; a multiple of 8
  std::int64_t pieces = 30522;      // of the vocabulary: token ids are below; the rows behind them are padding
  std::int64_t hidden_size = 128;
  std::int64_t layers = 2;
  std::int64_t attention_heads = 2;
  std::int64_t intermediate_size = 512;
  std::int64_t max_positions = 512;
  std::int64_t token_types = 2;
  double hidden_dropout = 0.1;
  double attention_dropout = 0.1;
  double initializer_range = 0.02;
  double layer_norm_eps = 1e-12;
  bool tanh_gelu = false;  // the approximation by tanh instead of the error function
  // The large models of Habana: layer norm before each block, and the embeddings stay out of the residual stream.
  bool pre_norm = false;

  // Throws ConfigError for sizes that don't fit together; `where` names their origin.
  void validate(const std::string& where) const;
  std::uint64_t parameters() const;
  // config.json as HuggingFace's transformers read it.
  std::string to_json() const;
};

// `model` is one of tiny, base, large, 1.5b, 5b, or a config.json of HuggingFace or Google, or a folder that holds one.
// Its vocab_size is rounded up to a multiple of 8. Throws ConfigError, also for what this model can't do, IoError,
// FormatError.
ModelConfig resolve_model(const std::string& model);
// A name that is built in comes before a file or folder of that name.
bool is_built_in_model(const std::string& model);

// `size` rounded up to what matrix kernels like.
std::int64_t padded_vocab_size(std::int64_t size);

// TrainOptions: what berttrain is told, in groups that belong to the parts of the trainer.

// What the loss of masked tokens is the mean of.
enum class LossMean { kBatch, kMicroBatch };

struct DataOptions {
  std::string data;                       // folder of shards; those with "training" in their names are trained on
  std::int64_t batch_size = 32;           // rows of an optimizer step, over all processes and micro-batches
  std::int64_t micro_batch = 0;           // rows that go through the model of a process at once; 0: all it has
  LossMean loss_mean = LossMean::kBatch;  // batch | micro-batch: what the loss of masked tokens is the mean of
  std::int64_t seed = 42;
  bool shuffle = true;  // false: shards and rows in their order, the same every epoch
  bool check_data = true;
  bool incomplete = false;  // true: shards may be missing

  // Of each of so many processes.
  std::int64_t micro_batch_rows(std::int64_t processes = 1) const {
    const std::int64_t own = batch_size / processes;
    return micro_batch == 0 ? own : std::min(micro_batch, own);
  }
  static const OptionGroup kGroup;
  static std::span<const Field<DataOptions>> fields();
};

// How new weights are drawn.
enum class InitialWeights { kNormal, kNvidia };

// The activation; kConfig: as the model's configuration says.
enum class Gelu { kConfig, kErf, kTanh };

// Of matrix products.
enum class Precision { kF32, kBf16 };

struct ModelOptions {
  std::string model = "tiny";
  InitialWeights init = InitialWeights::kNormal;  // normal | nvidia: how new weights are drawn
  Gelu gelu = Gelu::kConfig;                      // config | erf | tanh
  double dropout = -1;                            // both dropouts; -1: what the configuration says
  Precision precision = Precision::kF32;          // f32 | bf16: matrix products in bfloat16, weights and sums in f32
  std::int64_t recompute_every = 0;               // activation checkpointing: layers a stretch; 0: off

  static const OptionGroup kGroup;
  static std::span<const Field<ModelOptions>> fields();
};

// The update rule.
enum class OptimizerKind { kNvlamb, kLans, kAdamw };
// "nvlamb", as --optimizer has it.
std::string_view name_of(OptimizerKind optimizer);

// Over what trust ratios are taken.
enum class NormScope { kTensor, kPartition };

struct OptimizerOptions {
  OptimizerKind optimizer = OptimizerKind::kNvlamb;  // nvlamb | lans | adamw
  double weight_decay = 0.01;                        // not for biases and layer norms
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double max_grad_norm = 1.0;            // of the whole gradient; 0: no clipping
  NormScope norms = NormScope::kTensor;  // tensor | partition: over what trust ratios are taken

  static const OptionGroup kGroup;
  static std::span<const Field<OptimizerOptions>> fields();
};

// How the learning rate falls; kPoly is Habana's.
enum class ScheduleKind { kPoly, kNvidiaPoly, kLinear, kConstant };

struct ScheduleOptions {
  double learning_rate = 1e-3;
  ScheduleKind schedule = ScheduleKind::kPoly;  // poly (Habana's) | nvidia-poly | linear | constant
  double warmup = 0.1;                          // share of the steps
  double constant = 0;                          // share of the steps at the full rate, schedule poly
  double degree = 1.0;

  static const OptionGroup kGroup;
  static std::span<const Field<ScheduleOptions>> fields();
};

// How several processes share the work. They have no part in what is learned.
struct ProcessOptions {
  std::int64_t zero = 0;        // 1: optimizer states are shared out (ZeRO stage 1); 0: all have all
  std::int64_t bucket_mb = 25;  // gradients that are exchanged at once, in MiB

  static const OptionGroup kGroup;
  static std::span<const Field<ProcessOptions>> fields();
};

// Of the lines in RunOptions::log_json.
enum class LogFormat { kJson, kDllogger };

// What the model is trained on.
enum class Device { kCpu, kCuda };

struct RunOptions {
  std::int64_t max_steps = 1000;
  std::int64_t steps_this_run = 0;   // steps of one call at most; 0: all
  std::int64_t phase1_end_step = 0;  // steps of the checkpoint's phase that the schedule leaves out
  std::string output;                // folder for checkpoints; empty: none
  std::string init_from;             // checkpoint, model or state dict to start from: its weights alone
  bool resume = true;                // go on from the newest checkpoint in output
  std::int64_t save_every = 500;
  std::int64_t keep = 3;
  std::int64_t log_every = 10;
  std::int64_t eval_every = 0;
  std::int64_t eval_rows = 1024;
  std::string log_json;
  LogFormat log_format = LogFormat::kJson;  // json | dllogger: lines with DLLogger's mark in front
  std::string tensorboard;
  std::string export_folder;
  std::int64_t threads = 0;      // of each process; 0: its share of the machine's
  Device device = Device::kCpu;  // cpu | cuda

  static const OptionGroup kGroup;
  static std::span<const Field<RunOptions>> fields();
};

struct TrainOptions {
  DataOptions data;
  ModelOptions model;
  OptimizerOptions optimizer;
  ScheduleOptions schedule;
  ProcessOptions process;
  RunOptions run;

  // Throws ConfigError for the first option out of its range or at odds with another.
  void validate_all() const;
};

// What is known before the model takes any memory.
struct TrainSize {
  ModelConfig model;
  std::uint64_t state_bytes = 0;  // weights, gradients and moments of each process; activations come on top
};

// What is known before the first step.
struct TrainPlan {
  ModelConfig model;
  std::uint64_t shards = 0;
  std::uint64_t rows = 0;       // of an epoch
  std::uint64_t seq_len = 0;    // tokens
  std::int64_t first_step = 0;  // steps that are done already
  std::filesystem::path resumed_from;
  std::vector<std::string> passed_over;  // newer checkpoints that are damaged: what is wrong with each, newest first
  std::int64_t threads = 0;              // of each process
  std::uint64_t processes = 1;
  // Precision bf16 on processors that multiply it no faster than f32: operands are rounded to it, products are f32's.
  bool rounds_to_bf16 = false;
};

struct StepReport {
  std::int64_t step = 0;  // of this phase, from 1
  std::int64_t max_steps = 0;
  double epoch = 0;  // passes over the rows so far
  double loss = 0;   // mlm_loss + nsp_loss
  double mlm_loss = 0;
  double nsp_loss = 0;
  double mlm_accuracy = 0;  // share of the predictions
  double nsp_accuracy = 0;
  double learning_rate = 0;
  double gradient_norm = 0;  // before it is cut
  double rows_per_second = 0;
  double waiting_share = 0;        // of the time since the last report, for data
  double communication_share = 0;  // of that time, for the other processes
  double seconds_left = 0;
};

struct EvalReport {
  std::int64_t step = 0;
  std::uint64_t rows = 0;
  double loss = 0;
  double mlm_loss = 0;
  double nsp_loss = 0;
  double mlm_accuracy = 0;
  double nsp_accuracy = 0;
};

// Watches a run. All calls come from the thread of train(); with several processes those of process 0 are called, and
// cancelled() everywhere.
class TrainObserver : public Progress {
 public:
  virtual void sized(const TrainSize& size);
  virtual void planned(const TrainPlan& plan);
  virtual void stepped(const StepReport& report);
  virtual void evaluated(const EvalReport& report);
  virtual void saved(const std::filesystem::path& checkpoint);
};

struct TrainReport {
  StepReport last;         // step 0 when there was nothing to do
  std::int64_t steps = 0;  // done by this call
  double seconds = 0;
  double waiting_share = 0;          // for data
  double communication_share = 0;    // for the other processes
  std::filesystem::path checkpoint;  // the last one; empty when none was written
};

// Throws ConfigError, also when the machine has less memory than the model needs; IoError, FormatError; Error when a
// loss or gradient is no number, naming step, layer and rows.
// When `observer` is cancelled, the step is finished, a checkpoint is written and Cancelled is thrown.
TrainReport train(const TrainOptions& options, TrainObserver& observer);
// The same in each of the processes. The data must lie where all of them read it; the other files are those of process
// 0. What one of them throws, the others don't know: they wait for it, and must be ended (ProcessGroup::abort).
// Cancelled is thrown by all, whoever was asked to stop.
TrainReport train(const TrainOptions& options, TrainObserver& observer, ProcessGroup& processes);

}  // namespace bertprep
