#include "trainer/torch/train_setup.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <torch/version.h>
#include <algorithm>

#include "base/fields.h"
#include "io/thread_supply.h"
#include "trainer/data_vocab.h"
#include "trainer/distributed/device_group.h"
#include "trainer/distributed/launcher.h"
#include "trainer/machine.h"
#include "trainer/torch/blas.h"

namespace bertprep {
namespace {

template <class Options>
void add_values(const Options& options, std::string& text) {
  for (const FieldValue& value : recipe_of(options)) text += value.name + " " + value.value + "\n";
}

// libtorch begins a thread for each processor and waits for them without end, also for those that can't begin.
void require_pool(std::size_t had, std::size_t processors) {
  if (had >= processors) return;
  throw ConfigError(
      "only " + std::to_string(had) + " threads can be had, and libtorch begins " + std::to_string(processors), {},
      "raise the limit of processes (ulimit -u, the pids of a container) or of memory (ulimit -v)");
}

// Options that must be equal in all processes. Paths may differ: only process 0 reads them, or their content is the
// same.
std::string agreement_of(const TrainOptions& options, const ShardSet& shards) {
  TrainOptions same = options;
  same.data.data = {};
  same.model.model = resolve_model(options.model.model).to_json();
  same.run.output = same.run.init_from = same.run.log_json = same.run.tensorboard = same.run.export_folder = {};
  same.run.threads = 0;
  std::string text = shards.fingerprint() + "\n";
  add_values(same.data, text);
  add_values(same.model, text);
  add_values(same.optimizer, text);
  add_values(same.schedule, text);
  add_values(same.process, text);
  add_values(same.run, text);
  return text;
}

}  // namespace

RowContent rows_for(const ModelOptions& options) {
  return resolve_model(options.model).kind == ModelKind::kGpt2 ? RowContent::kTokens : RowContent::kInstances;
}

ModelConfig config_for(const ModelOptions& options, const ShardSet& shards) {
  ModelConfig config = resolve_model(options.model);
  if (config.kind == ModelKind::kGpt2) {
    if (options.init == InitialWeights::kNvidia) throw ConfigError("`init` nvidia is for BERT", options.model);
    config.end_token = end_token_of(shards.shards.front().path.parent_path()).value_or(config.end_token);
  }
  const bool from_file = !is_built_in_model(options.model);
  if (shards.vocab_size) {
    const std::int64_t size = padded_vocab_size(*shards.vocab_size);
    if (from_file && config.vocab_size != size) {
      throw ConfigError("has a vocab_size of " + std::to_string(config.vocab_size) + ", the shards were made with " +
                            std::to_string(*shards.vocab_size) + " pieces",
                        options.model, "set vocab_size to " + std::to_string(*shards.vocab_size));
    }
    config.vocab_size = size;
    config.pieces = *shards.vocab_size;
  }
  if (options.gelu != Gelu::kConfig) config.tanh_gelu = options.gelu == Gelu::kTanh;
  if (options.dropout >= 0) config.hidden_dropout = config.attention_dropout = options.dropout;
  if (static_cast<std::int64_t>(shards.seq_len) > config.max_positions) {
    throw ConfigError("rows have " + std::to_string(shards.seq_len) + " tokens, the model has positions for " +
                          std::to_string(config.max_positions),
                      options.model,
                      "give a config.json with a larger " +
                          std::string(config.kind == ModelKind::kGpt2 ? "n_positions" : "max_position_embeddings"));
  }
  return config;
}

int set_threads(std::int64_t requested, const ProcessGroup& processes) {
  const int share = std::max(1, available_processors() / static_cast<int>(processes.size_here()));
  // Besides these, there are threads that read ahead, write checkpoints, differentiate and talk to other processes;
  // OpenMP ends the process if it can't have one.
  constexpr std::size_t kOthers = 4;
  const auto wanted = static_cast<std::size_t>(requested > 0 ? requested : share);
  const auto processors = static_cast<std::size_t>(machine_processors());
  const std::size_t had = threads_to_be_had(std::max(wanted + kOthers, processors));
  require_pool(had, processors);
  const int threads = static_cast<int>(had > kOthers ? std::min(wanted, had - kOthers) : 1);
  at::set_num_threads(threads);
  Blas().use_threads(threads);
  return threads;
}

at::Device device_of(Device chosen, const ProcessGroup& processes) {
  if (chosen == Device::kCpu) return at::kCPU;
  const bool has_cuda = c10::impl::hasDeviceGuardImpl(at::kCUDA);
  const auto devices = has_cuda ? static_cast<std::size_t>(c10::impl::getDeviceGuardImpl(at::kCUDA)->deviceCount()) : 0;
  if (devices == 0) {
    throw ConfigError("this program's libtorch has no CUDA, or the machine has no GPU", "`device` cuda",
                      "build it against a CUDA PyTorch: -DCMAKE_PREFIX_PATH=...");
  }
  if (processes.size_here() > devices) {
    throw ConfigError(std::to_string(processes.size_here()) + " processes were started on a machine with " +
                          std::to_string(devices) + " GPUs",
                      "`device` cuda", "start as many as there are GPUs");
  }
  const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(processes.rank_here()));
  // Otherwise each process would also use memory of the first GPU.
  c10::impl::getDeviceGuardImpl(at::kCUDA)->setDevice(device);
  return device;
}

void require_agreement(const TrainOptions& options, const ShardSet& shards, ProcessGroup& processes) {
  const auto size = static_cast<std::int64_t>(processes.size());
  const std::int64_t batch = options.data.batch_size;
  if (batch % size != 0) {
    throw ConfigError(
        "`batch_size` " + std::to_string(batch) + " can't be split evenly among " + std::to_string(size) + " processes",
        {}, "give a multiple of " + std::to_string(size));
  }
  if (options.data.loss_mean == LossMean::kMicroBatch && batch / size % options.data.micro_batch_rows(size) != 0) {
    throw ConfigError("with `loss_mean` micro-batch the " + std::to_string(batch / size) +
                      " rows of a process must be a multiple of `micro_batch` " +
                      std::to_string(options.data.micro_batch));
  }
  const std::string own = agreement_of(options, shards);
  if (broadcast_text(processes, own) != own) {
    throw ConfigError(
        "process " + std::to_string(processes.rank()) + " has other options than process 0, or sees other shards",
        options.data.data, "start all with the same command, and put the shards where all read them");
  }
}

Portion portion_of(std::uint64_t count, const ProcessGroup& processes) {
  const std::uint64_t first = count * processes.rank() / processes.size();
  return {first, count * (processes.rank() + 1) / processes.size() - first};
}

ShardSet portion_of(const ShardSet& set, const ProcessGroup& processes) {
  const Portion own = portion_of(set.shards.size(), processes);
  ShardSet part = set;
  const auto begin = set.shards.begin() + static_cast<std::ptrdiff_t>(own.first);
  part.shards.assign(begin, begin + static_cast<std::ptrdiff_t>(own.count));
  return part;
}

ShardSet find_shards(const TrainOptions& options, const std::string& word, const Progress& progress,
                     ProcessGroup& processes) {
  ShardSet set;
  stop_together(processes, [&] {
    set = list_shards(options.data.data, word, true, progress, rows_for(options.model));
    if (!options.data.incomplete) require_whole(options.data.data, word);
  });
  return set;
}

std::vector<LibraryVersion> trainer_library_versions() {
  std::vector<LibraryVersion> versions = {{"libtorch", TORCH_VERSION, TORCH_VERSION}};
  if (const auto mpi = version_of_mpi()) versions.push_back(*mpi);
  if (const auto nccl = version_of_nccl()) versions.push_back(*nccl);
  return versions;
}

}  // namespace bertprep
