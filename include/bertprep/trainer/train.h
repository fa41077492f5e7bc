// Train: shards -> a pretrained BERT model. docs/how-to/train.md tells how, docs/formats/checkpoint.md what is kept.
//
// The order of the rows is a function of the seed and the epoch alone. A run that is stopped and resumed ends, on CPUs,
// with the same bits as one that was not. One call at a time in a process: libtorch's number of threads and random
// generators belong to the process.
//
// Several processes that share a ProcessGroup train one model; see there how they find each other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/library_version.h"
#include "bertprep/base/progress.h"
#include "bertprep/trainer/model_config.h"
#include "bertprep/trainer/process_group.h"
#include "bertprep/trainer/train_options.h"

namespace bertprep {

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

// The file of the BLAS library in this process that libtorch multiplies matrices with, as the system's loader knows it;
// empty when there is none.
std::filesystem::path blas_library();
// Whether that is the reference implementation, which is more than ten times slower than an optimised one.
bool is_reference_blas(const std::filesystem::path& library);

// The versions of the libraries behind bertprep::trainer: libtorch, and MPI and NCCL where they were there.
std::vector<LibraryVersion> trainer_library_versions();

}  // namespace bertprep
