// Train: shards -> a pretrained model, BERT or GPT-2. trainer/docs/train.md shows how;
// trainer/docs/checkpoint.md describes the checkpoints.
//
// The order of the rows depends only on the seed and the epoch. On CPUs, a run that is stopped and resumed ends with
// the same bits as one that was not. Make one call at a time in a process: libtorch's number of threads and random
// generators are global to the process.
//
// Several processes that share a ProcessGroup train one model; process_group.h says how they find each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/row_stream.h"
#include "bertprep/trainer/process_group.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct FieldList;

// The model to train: BERT with both pretraining heads on rows of instances, or GPT-2 on token sequences.
enum class ModelKind { kBert, kGpt2 };

// ModelConfig: the shape of a model. GPT-2 has no token types, and always has its layer norm before each block.

struct ModelConfig {
  ModelKind kind = ModelKind::kBert;
  std::int64_t vocab_size = 30528;  // rows of the embedding table; a multiple of 8
  std::int64_t pieces = 30522;      // of the vocabulary: token ids are below this; the rows after it are padding
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
  // GPT-2: attention scores are divided by the number of the layer, from 1, as Mistral does.
  bool scale_by_layer = false;
  // GPT-2: the id of the end of a text, for programs that generate one; -1: not known.
  std::int64_t end_token = -1;

  // Throws ConfigError for inconsistent sizes; `where` names their origin.
  void validate(const std::string& where) const;
  std::uint64_t parameters() const;
  // config.json as HuggingFace's transformers read it.
  std::string to_json() const;
};

// `model` is one of tiny, base, large, 1.5b, 5b, gpt2-micro, gpt2-small, or a config.json of HuggingFace or Google, or
// a folder that has one.
// Its vocab_size is rounded up to a multiple of 8. Throws ConfigError, also for features that are not supported,
// IoError, FormatError.
ModelConfig resolve_model(const std::string& model);
// A built-in name takes precedence over a file or folder of that name.
bool is_built_in_model(const std::string& model);

// `size` rounded up to a multiple that suits matrix kernels.
std::int64_t padded_vocab_size(std::int64_t size);

// TrainOptions: the options of berttrain, grouped by the parts of the trainer.

// What the loss of masked tokens is averaged over.
enum class LossMean { kBatch, kMicroBatch };

struct DataOptions {
  std::string data;  // folder of shards or token sequences; training uses those with "training" in their names
  std::int64_t batch_size = 32;           // rows per optimizer step, over all processes and micro-batches
  std::int64_t micro_batch = 0;           // rows that a process computes at once; 0: all of its rows
  LossMean loss_mean = LossMean::kBatch;  // batch | micro-batch: what the loss of masked tokens is averaged over
  std::int64_t seed = 42;
  RowShuffle order = RowShuffle::kV2;  // v2 | v1: how rows are shuffled
  bool shuffle = true;                 // false: shards and rows keep their order in every epoch
  bool check_data = true;
  bool incomplete = false;  // true: shards may be missing

  RowShuffle shuffling() const { return shuffle ? order : RowShuffle::kNone; }
  // For each of this many processes.
  std::int64_t micro_batch_rows(std::int64_t processes = 1) const {
    const std::int64_t own = batch_size / processes;
    return micro_batch == 0 ? own : std::min(micro_batch, own);
  }
  static FieldList<DataOptions> fields();
};

// How new weights are drawn.
enum class InitialWeights { kNormal, kNvidia };

// The activation; kConfig: that of the model's configuration.
enum class Gelu { kConfig, kErf, kTanh };

// The precision of matrix products.
enum class Precision { kF32, kBf16 };

struct ModelOptions {
  std::string model = "tiny";
  InitialWeights init = InitialWeights::kNormal;  // normal | nvidia: how new weights are drawn
  Gelu gelu = Gelu::kConfig;                      // config | erf | tanh
  double dropout = -1;                            // both dropouts; -1: those of the configuration
  Precision precision = Precision::kF32;          // f32 | bf16: matrix products in bfloat16, weights and sums in f32
  std::int64_t recompute_every = 0;               // activation checkpointing: layers per span; 0: off

  static FieldList<ModelOptions> fields();
};

// The update rule.
enum class OptimizerKind { kNvlamb, kLans, kAdamw };
// "nvlamb", as in --optimizer.
std::string_view name_of(OptimizerKind optimizer);

// What trust ratios are computed over.
enum class NormScope { kTensor, kPartition };

struct OptimizerOptions {
  OptimizerKind optimizer = OptimizerKind::kNvlamb;  // nvlamb | lans | adamw
  double weight_decay = 0.01;                        // not for biases and layer norms
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double max_grad_norm = 1.0;            // of the whole gradient; 0: no clipping
  NormScope norms = NormScope::kTensor;  // tensor | partition: what trust ratios are computed over

  static FieldList<OptimizerOptions> fields();
};

// How the learning rate decays; kPoly is Habana's.
enum class ScheduleKind { kPoly, kNvidiaPoly, kLinear, kConstant };

struct ScheduleOptions {
  double learning_rate = 1e-3;
  ScheduleKind schedule = ScheduleKind::kPoly;  // poly (Habana's) | nvidia-poly | linear | constant
  double warmup = 0.1;                          // share of the steps
  double constant = 0;                          // share of the steps at the full rate, schedule poly
  double degree = 1.0;

  static FieldList<ScheduleOptions> fields();
};

// How several processes share the work. These options do not affect what is learned.
struct ProcessOptions {
  std::int64_t zero = 0;  // ZeRO stage. 1: the optimizer state is split; 2: gradients, too; 0: every process has all
  std::int64_t bucket_mb = 25;  // size of the gradients exchanged at once, in MiB

  static FieldList<ProcessOptions> fields();
};

// The format of the lines in RunOptions::log_json.
enum class LogFormat { kJson, kDllogger };

// Where the model runs.
enum class Device { kCpu, kCuda };

struct RunOptions {
  std::int64_t max_steps = 1000;
  std::int64_t steps_this_run = 0;   // maximum number of steps of one call; 0: all
  std::int64_t phase1_end_step = 0;  // last step of the previous phase: the schedule starts after it
  std::string output;                // folder for checkpoints; empty: none
  std::string init_from;             // checkpoint or model to start from; only its weights are used
  bool resume = true;                // resume from the newest checkpoint in `output`
  std::int64_t save_every = 500;
  std::int64_t keep = 3;
  std::int64_t log_every = 10;
  std::int64_t eval_every = 0;
  std::int64_t eval_rows = 1024;
  std::string log_json;
  LogFormat log_format = LogFormat::kJson;  // json | dllogger: lines that start with DLLogger's mark
  std::string tensorboard;
  std::string export_folder;
  std::int64_t threads = 0;      // of each process; 0: its share of the machine's
  Device device = Device::kCpu;  // cpu | cuda

  static FieldList<RunOptions> fields();
};

struct TrainOptions {
  DataOptions data;
  ModelOptions model;
  OptimizerOptions optimizer;
  ScheduleOptions schedule;
  ProcessOptions process;
  RunOptions run;

  // Throws ConfigError for the first option that is out of range or conflicts with another.
  void validate_all() const;
};

// What is known before the model allocates memory.
struct TrainSize {
  ModelConfig model;
  std::uint64_t state_bytes = 0;  // weights, gradients and moments of each process; activations need more
};

// What is known before the first step.
struct TrainPlan {
  ModelConfig model;
  std::uint64_t shards = 0;
  std::uint64_t rows = 0;       // of an epoch
  std::uint64_t seq_len = 0;    // tokens
  std::int64_t first_step = 0;  // number of finished steps
  std::filesystem::path resumed_from;
  std::vector<std::string> damaged_checkpoints;  // what is wrong with each newer, damaged checkpoint; newest first
  std::int64_t threads = 0;                      // of each process
  std::uint64_t processes = 1;
  // Precision bf16 on processors where it is no faster than f32: operands are rounded to bf16, products are in f32.
  bool rounds_to_bf16 = false;
};

struct StepReport {
  std::int64_t step = 0;  // of this phase, from 1
  std::int64_t max_steps = 0;
  double epoch = 0;         // passes over the rows so far
  double loss = 0;          // mlm_loss + nsp_loss
  double mlm_loss = 0;      // of masked tokens; for GPT-2, of next tokens
  double nsp_loss = 0;      // of next sentences; for GPT-2, 0
  double mlm_accuracy = 0;  // share of the predictions
  double nsp_accuracy = 0;
  double learning_rate = 0;
  double gradient_norm = 0;  // before clipping
  double rows_per_second = 0;
  double waiting_share = 0;        // of the time since the last report, spent waiting for data
  double communication_share = 0;  // of that time, spent waiting for the other processes
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

// Observes a run. All calls come from the thread of train(). With several processes only process 0 makes them, except
// cancelled(), which every process calls.
class TrainObserver : public Progress {
 public:
  virtual void sized(const TrainSize& size);
  virtual void planned(const TrainPlan& plan);
  virtual void stepped(const StepReport& report);
  virtual void evaluated(const EvalReport& report);
  virtual void saved(const std::filesystem::path& checkpoint);
};

struct TrainReport {
  StepReport last;         // step 0 if there was nothing to do
  std::int64_t steps = 0;  // done by this call
  double seconds = 0;
  double waiting_share = 0;          // for data
  double communication_share = 0;    // for the other processes
  std::filesystem::path checkpoint;  // the last one; empty if none was written
};

// Throws ConfigError, also if the machine has less memory than the model needs; IoError, FormatError; Error if a loss
// or gradient is not a finite number, naming step, layer and rows. If `observer` is cancelled, the call finishes the
// step, writes a checkpoint and throws Cancelled.
TrainReport train(const TrainOptions& options, TrainObserver& observer);
// The same in each of several processes. All of them must be able to read the data; only process 0 uses the other
// files. If one process throws, the others do not notice: they wait for it, and must be ended (ProcessGroup::abort).
// All processes throw Cancelled, whichever was asked to stop.
TrainReport train(const TrainOptions& options, TrainObserver& observer, ProcessGroup& processes);

}  // namespace bertprep
