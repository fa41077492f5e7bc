#include "base/fields.h"
#include "bertprep/trainer/train.h"

namespace bertprep {

// In the order of OptimizerKind.
static constexpr std::string_view kOptimizerNames = "nvlamb|lans|adamw";

std::string_view name_of(OptimizerKind optimizer) {
  return choice_name("optimizer", static_cast<std::size_t>(optimizer), kOptimizerNames);
}
FieldList<DataOptions> DataOptions::fields() {
  using Options = DataOptions;
  static const Field<Options> kFields[] = {
      {.name = "data",
       .member = &Options::data,
       .unit = "dir",
       .help = "folder with the shards of one phase; for GPT-2 with blocks of tokens"},
      {.name = "batch-size",
       .member = &Options::batch_size,
       .unit = "rows",
       .help = "rows per optimizer step, over all processes and micro-batches",
       .min = 1,
       .group = OptionGroup::kSteps},
      {.name = "micro-batch",
       .member = &Options::micro_batch,
       .unit = "rows",
       .help = "rows that a process computes at once, a divisor of the batch; 0 for all of its rows",
       .min = 0,
       .group = OptionGroup::kResources},
      {.name = "loss-mean",
       .member = enum_member<&Options::loss_mean>,
       .unit = {},
       .help = "how to average the loss of masked tokens: over the batch or, as in the references, as the mean of the "
               "micro-batches' means",
       .choices = "batch|micro-batch",
       .group = OptionGroup::kSteps},
      {.name = "seed",
       .member = &Options::seed,
       .unit = "number",
       .help = "seed of the row order, of new weights and of dropout",
       .min = 0,
       .group = OptionGroup::kSteps},
      {.name = "order",
       .member = enum_member<&Options::order>,
       .unit = {},
       .help = "how rows are shuffled: v2 mixes chunks of all shards; v1 is the order of version 0.2, to resume its "
               "checkpoints",
       .choices = "v2|v1"},
      {.name = "shuffle",
       .member = &Options::shuffle,
       .unit = {},
       .help = "shuffle shards and rows again in every epoch; otherwise keep their order"},
      {.name = "check-data",
       .member = &Options::check_data,
       .unit = {},
       .help = "before the first step, check every row, and digests if there is a manifest"},
      {.name = "incomplete",
       .member = &Options::incomplete,
       .unit = {},
       .help = "use the existing shards, even if others are missing or the run that makes them is not finished"},
  };
  return {kFields, OptionGroup::kInput};
}

FieldList<ModelOptions> ModelOptions::fields() {
  using Options = ModelOptions;
  static const Field<Options> kFields[] = {
      {.name = "model",
       .member = &Options::model,
       .unit = "name",
       .help = "tiny, base, large, 1.5b, 5b, gpt2-micro, gpt2-small, or a config.json of HuggingFace or Google"},
      {.name = "init",
       .member = enum_member<&Options::init>,
       .unit = {},
       .help = "how to draw new weights: normal with the configuration's deviation, or as NVIDIA's and Habana's "
               "trainers draw "
               "them: uniform within 1 / sqrt(inputs), including biases, in layers with a built-in activation",
       .choices = "normal|nvidia"},
      {.name = "gelu",
       .member = enum_member<&Options::gelu>,
       .unit = {},
       .help = "form of the activation",
       .choices = "config|erf|tanh"},
      {.name = "dropout",
       .member = &Options::dropout,
       .unit = "share",
       .help = "dropout of hidden values and attention; -1 for the configuration's value",
       .min = -1,
       .max = 0.99},
      {.name = "precision",
       .member = enum_member<&Options::precision>,
       .unit = {},
       .help = "precision of matrix products; weights, sums and optimizer stay f32",
       .choices = "f32|bf16"},
      {.name = "recompute-every",
       .member = &Options::recompute_every,
       .unit = "layers",
       .help = "keep activations only between spans of this many layers and recompute the others; 0 keeps all",
       .min = 0,
       .max = 10000,
       .group = OptionGroup::kResources},
  };
  return {kFields, OptionGroup::kModel};
}

FieldList<OptimizerOptions> OptimizerOptions::fields() {
  using Options = OptimizerOptions;
  static const Field<Options> kFields[] = {
      {.name = "optimizer",
       .member = enum_member<&Options::optimizer>,
       .unit = {},
       .help = "update rule",
       .choices = kOptimizerNames},
      {.name = "weight-decay",
       .member = &Options::weight_decay,
       .unit = "rate",
       .help = "weight decay, for all weights but biases and layer norms",
       .min = 0,
       .max = 10},
      {.name = "beta1",
       .member = &Options::beta1,
       .unit = "share",
       .help = "decay rate of the first moment",
       .min = 0,
       .max = 1},
      {.name = "beta2",
       .member = &Options::beta2,
       .unit = "share",
       .help = "decay rate of the second moment",
       .min = 0,
       .max = 1},
      {.name = "epsilon",
       .member = &Options::epsilon,
       .unit = "number",
       .help = "added to the square root of the second moment",
       .min = 0,
       .max = 1},
      {.name = "max-grad-norm",
       .member = &Options::max_grad_norm,
       .unit = "norm",
       .help = "clip the gradients to this norm; 0 does not clip",
       .min = 0},
      {.name = "norms",
       .member = enum_member<&Options::norms>,
       .unit = {},
       .help = "compute trust ratios for each tensor or, as under DeepSpeed's ZeRO, for all tensors with the same "
               "decay together",
       .choices = "tensor|partition"},
  };
  return {kFields, OptionGroup::kSteps};
}

FieldList<ScheduleOptions> ScheduleOptions::fields() {
  using Options = ScheduleOptions;
  static const Field<Options> kFields[] = {
      {.name = "learning-rate",
       .member = &Options::learning_rate,
       .unit = "rate",
       .help = "highest learning rate",
       .min = 0,
       .max = 1000},
      {.name = "schedule",
       .member = enum_member<&Options::schedule>,
       .unit = {},
       .help = "learning rate schedule: poly is Habana's form, nvidia-poly NVIDIA's",
       .choices = "poly|nvidia-poly|linear|constant"},
      {.name = "warmup",
       .member = &Options::warmup,
       .unit = "share",
       .help = "share of the steps in which the rate rises from 0",
       .min = 0,
       .max = 1},
      {.name = "constant",
       .member = &Options::constant,
       .unit = "share",
       .help = "share of the steps at the highest rate after the warm-up, with schedule poly",
       .min = 0,
       .max = 1},
      {.name = "degree",
       .member = &Options::degree,
       .unit = "power",
       .help = "exponent of the decay of poly and nvidia-poly; NVIDIA uses 0.5",
       .min = 0,
       .max = 100},
  };
  return {kFields, OptionGroup::kSteps};
}

FieldList<ProcessOptions> ProcessOptions::fields() {
  using Options = ProcessOptions;
  static const Field<Options> kFields[] = {
      {.name = "zero",
       .member = &Options::zero,
       .unit = "stage",
       .help = "1 distributes the optimizer's state over the processes, 2 the gradients, too",
       .min = 0,
       .max = 2},
      {.name = "bucket-mb",
       .member = &Options::bucket_mb,
       .unit = "mib",
       .help = "size of the gradients that processes exchange at once",
       .min = 1,
       .max = 4096},
  };
  return {kFields, OptionGroup::kResources};
}

FieldList<RunOptions> RunOptions::fields() {
  using Options = RunOptions;
  static const Field<Options> kFields[] = {
      {.name = "max-steps",
       .member = &Options::max_steps,
       .unit = "steps",
       .help = "optimizer steps of this phase; the schedule ends there",
       .min = 0,
       .group = OptionGroup::kSteps},
      {.name = "steps-this-run",
       .member = &Options::steps_this_run,
       .unit = "steps",
       .help = "stop after this many steps, with a checkpoint; the next call resumes; 0 for all steps",
       .min = 0,
       .group = OptionGroup::kSteps},
      {.name = "phase1-end-step",
       .member = &Options::phase1_end_step,
       .unit = "steps",
       .help = "last step of the previous phase: names and logs continue from it",
       .min = 0,
       .group = OptionGroup::kSteps},
      {.name = "output", .member = &Options::output, .unit = "dir", .help = "folder for checkpoints"},
      {.name = "init-from",
       .member = &Options::init_from,
       .unit = "path",
       .help = "source of the weights: a checkpoint, model.safetensors or its index, or a folder with one of them; for "
               "a file of "
               "torch.save (pytorch_model.bin, ckpt_N.pt) berttrain prints the command that converts it",
       .group = OptionGroup::kModel},
      {.name = "resume",
       .member = &Options::resume,
       .unit = {},
       .help = "resume from the newest checkpoint in the output folder"},
      {.name = "save-every",
       .member = &Options::save_every,
       .unit = "steps",
       .help = "steps between checkpoints; 0 for only one at the end",
       .min = 0},
      {.name = "keep",
       .member = &Options::keep,
       .unit = "count",
       .help = "number of newest checkpoints to keep",
       .min = 1},
      {.name = "log-every",
       .member = &Options::log_every,
       .unit = "steps",
       .help = "steps between reports; the first and the last step are always reported",
       .min = 1},
      {.name = "eval-every",
       .member = &Options::eval_every,
       .unit = "steps",
       .help = "steps between evaluations on the test shards, and one at the end; 0 for none",
       .min = 0,
       .group = OptionGroup::kSteps},
      {.name = "eval-rows",
       .member = &Options::eval_rows,
       .unit = "rows",
       .help = "rows of the test shards that an evaluation uses",
       .min = 1,
       .group = OptionGroup::kSteps},
      {.name = "log-json",
       .member = &Options::log_json,
       .unit = "file",
       .help = "append the log to this file, one JSON object per line"},
      {.name = "log-format",
       .member = enum_member<&Options::log_format>,
       .unit = {},
       .help = "format of the log's lines: dllogger puts DLLogger's mark, DLLL, before each",
       .choices = "json|dllogger"},
      {.name = "tensorboard", .member = &Options::tensorboard, .unit = "dir", .help = "write TensorBoard event files"},
      {.name = "export",
       .member = &Options::export_folder,
       .unit = "dir",
       .help = "write the trained model in HuggingFace's layout, with the files of its tokenizer"},
      {.name = "threads",
       .member = &Options::threads,
       .unit = "count",
       .help = "threads per process; 0 for its share of the machine's",
       .min = 0,
       .max = 4096,
       .group = OptionGroup::kResources},
      {.name = "device",
       .member = enum_member<&Options::device>,
       .unit = {},
       .help = "where the model runs; cuda uses one GPU per process",
       .choices = "cpu|cuda",
       .group = OptionGroup::kResources},
  };
  return {kFields, OptionGroup::kOutput};
}

void TrainOptions::validate_all() const {
  validate(data);
  validate(model);
  refuse_address(model.model, "`model`");  // a name or a file
  validate(optimizer);
  validate(schedule);
  validate(process);
  validate(run);
  if (!(optimizer.beta1 < 1 && optimizer.beta2 < 1)) throw ConfigError("`beta1` and `beta2` must be below 1");
  if (!(optimizer.epsilon > 0)) throw ConfigError("`epsilon` must be above 0");
  if (model.dropout < 0 && model.dropout != -1) {
    throw ConfigError("`dropout` must be -1, for the configuration's value, or a share of at least 0");
  }
  if (data.micro_batch != 0 && data.batch_size % data.micro_batch != 0) {
    throw ConfigError("`micro_batch` " + std::to_string(data.micro_batch) + " is not a divisor of `batch_size` " +
                      std::to_string(data.batch_size));
  }
  if (schedule.schedule == ScheduleKind::kPoly && schedule.warmup + schedule.constant > 1) {
    throw ConfigError("`warmup` and `constant` together exceed all steps");
  }
  if (schedule.schedule != ScheduleKind::kPoly && schedule.constant != 0) {
    throw ConfigError("`constant` works only with `schedule` poly");
  }
}

}  // namespace bertprep
