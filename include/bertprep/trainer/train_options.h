// TrainOptions: what berttrain is told, in groups that belong to the parts of the trainer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/fields.h"

namespace bertprep {

struct DataOptions {
  std::string data;                 // folder of shards; those with "training" in their names are trained on
  std::int64_t batch_size = 32;     // rows of an optimizer step, over all processes and micro-batches
  std::int64_t micro_batch = 0;     // rows that go through the model of a process at once; 0: all it has
  std::string loss_mean = "batch";  // batch | micro-batch: what the loss of masked tokens is the mean of
  std::int64_t seed = 42;
  bool shuffle = true;  // false: shards and rows in their order, the same every epoch
  bool check_data = true;
  bool incomplete = false;  // true: shards may be missing

  // Of each of so many processes.
  std::int64_t micro_batch_rows(std::int64_t processes = 1) const {
    const std::int64_t own = batch_size / processes;
    return micro_batch == 0 ? own : std::min(micro_batch, own);
  }
  static constexpr OptionGroup kGroup = OptionGroup::kInput;
  static std::span<const Field<DataOptions>> fields();
};

struct ModelOptions {
  std::string model = "tiny";
  std::string init = "normal";       // normal | nvidia: how new weights are drawn
  std::string gelu = "config";       // config | erf | tanh
  double dropout = -1;               // both dropouts; -1: what the configuration says
  std::string precision = "f32";     // f32 | bf16: matrix products in bfloat16, weights and sums in f32
  std::int64_t recompute_every = 0;  // activation checkpointing: layers a stretch; 0: off

  static constexpr OptionGroup kGroup = OptionGroup::kModel;
  static std::span<const Field<ModelOptions>> fields();
};

struct OptimizerOptions {
  std::string optimizer = "nvlamb";  // nvlamb | lans | adamw
  double weight_decay = 0.01;        // not for biases and layer norms
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-6;
  double max_grad_norm = 1.0;    // of the whole gradient; 0: no clipping
  std::string norms = "tensor";  // tensor | partition: over what trust ratios are taken

  static constexpr OptionGroup kGroup = OptionGroup::kSteps;
  static std::span<const Field<OptimizerOptions>> fields();
};

struct ScheduleOptions {
  double learning_rate = 1e-3;
  std::string schedule = "poly";  // poly (Habana's) | nvidia-poly | linear | constant
  double warmup = 0.1;            // share of the steps
  double constant = 0;            // share of the steps at the full rate, schedule poly
  double degree = 1.0;

  static constexpr OptionGroup kGroup = OptionGroup::kSteps;
  static std::span<const Field<ScheduleOptions>> fields();
};

// How several processes share the work. They have no part in what is learned.
struct ProcessOptions {
  std::int64_t zero = 0;        // 1: optimizer states are shared out (ZeRO stage 1); 0: all have all
  std::int64_t bucket_mb = 25;  // gradients that are exchanged at once, in MiB

  static constexpr OptionGroup kGroup = OptionGroup::kResources;
  static std::span<const Field<ProcessOptions>> fields();
};

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
  std::string log_format = "json";  // json | dllogger: lines with DLLogger's mark in front
  std::string tensorboard;
  std::string export_folder;
  std::int64_t threads = 0;    // of each process; 0: its share of the machine's
  std::string device = "cpu";  // cpu | cuda

  static constexpr OptionGroup kGroup = OptionGroup::kOutput;
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

}  // namespace bertprep
