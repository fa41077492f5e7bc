#include "trainer/torch/checkpoint.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <unordered_map>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/version.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/data_vocab.h"
#include "trainer/weights/weights_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "bertprep-checkpoint";
constexpr const char* kVersionOfFormat = "2";
const std::string kDecoder = "cls.predictions.decoder.weight";
constexpr const char* kOrderV2 = ", v2";
constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kConfigFile = "config.json";

// Copies on the CPU that live as long as the views into them.
class TensorList {
 public:
  void add(const std::string& name, const at::Tensor& tensor) {
    const at::Tensor& copy = copies_.emplace_back(tensor.detach().to(at::kCPU).contiguous());
    const auto* data = static_cast<const std::byte*>(copy.data_ptr());
    views_.push_back({name, "F32", copy.sizes().vec(), {data, copy.nbytes()}, {}});
  }
  const std::vector<TensorView>& views() const { return views_; }

 private:
  std::vector<at::Tensor> copies_;
  std::vector<TensorView> views_;
};

at::Tensor tensor_of(const TensorView& view, const fs::path& path) {
  const auto type = view.dtype == "F32"    ? at::kFloat
                    : view.dtype == "F64"  ? at::kDouble
                    : view.dtype == "BF16" ? at::kBFloat16
                    : view.dtype == "F16"  ? at::kHalf
                                           : at::ScalarType::Undefined;
  if (type == at::ScalarType::Undefined) {
    throw FormatError("'" + view.name + "' has values of type " + view.dtype, path,
                      "save it with floating-point values");
  }
  // Views of a file may be unaligned, so they are copied before use as numbers. The checksum is verified on the copy,
  // as the file may change, or a second read from a failing disk may differ.
  at::Tensor tensor = at::empty(view.shape, type);
  auto* const copy = static_cast<std::byte*>(tensor.data_ptr());
  std::copy_n(view.bytes.data(), view.bytes.size(), copy);
  require_valid(view, {copy, view.bytes.size()}, path);
  return tensor.to(at::kFloat);
}

void copy_into(at::Tensor target, const TensorView& view, const fs::path& path) {
  const at::NoGradGuard no_gradients;
  if (target.sizes() != at::IntArrayRef(view.shape)) {
    throw ConfigError(
        "'" + view.name + "' is " + shape_text(view.shape) + ", the model has " + shape_text(target.sizes()), path,
        "give the `model` that it was trained as");
  }
  target.copy_(tensor_of(view, path));
}

const TensorView& required(const SafetensorsFile& file, const std::string& name, const fs::path& path) {
  const TensorView* view = file.find(name);
  if (view == nullptr) throw FormatError("lacks the tensor '" + name + "'", path);
  return *view;
}

void require_note(const SafetensorsFile& file, const char* key, const std::string& value, const std::string& what,
                  const fs::path& path) {
  if (file.note(key) == value) return;
  throw ConfigError("was written by a run with " + what, path,
                    "give the same options, another `output`, or `resume` false; `init_from` takes only its weights");
}

// Only the last word of the note distinguishes the orders.
void require_order(const SafetensorsFile& file, const std::string& order, const fs::path& path) {
  const std::string noted = file.note("order");
  const bool is_older = noted + kOrderV2 == order;
  if (is_older || noted == order + kOrderV2) {
    const std::string version = is_older ? "v1" : "v2";
    throw ConfigError("was written by a run that takes rows in the order " + version, path,
                      "give `order` " + version +
                          " to resume it, or another `output`, or `resume` false; `init_from` "
                          "takes only its weights");
  }
  require_note(file, "order", order, "another `seed` or `shuffle`", path);
}

// Properties that must not change while a model is trained, beyond the sizes of its tensors; dropout may.
std::string model_note(ModelConfig config) {
  config.hidden_dropout = config.attention_dropout = 0;
  return config.to_json();
}

// An unpadded vocabulary has fewer rows: the remaining rows of this model keep their initial values.
void copy_vocab_rows(at::Tensor target, const TensorView& view, const fs::path& path) {
  const at::NoGradGuard no_gradients;
  const at::Tensor source = tensor_of(view, path);
  const bool fits = source.dim() == target.dim() && padded_vocab_size(source.size(0)) == target.size(0) &&
                    (source.dim() == 1 || source.size(1) == target.size(1));
  if (!fits) return copy_into(target, view, path);
  target.narrow(0, 0, source.size(0)).copy_(source);
}

// The values of a parameter in an array with the model's layout.
at::Tensor part_of(const at::Tensor& values, const Model& model, std::size_t parameter) {
  const at::Tensor& like = model.parameters()[parameter].value;
  return values.narrow(0, model.places().begins[parameter], like.numel()).view(like.sizes());
}

}  // namespace

std::string order_note(const DataOptions& options) {
  const std::string note = "seed " + std::to_string(options.seed);
  if (!options.shuffle) return note + ", in order";
  return note + ", shuffled" + (options.order == RowShuffle::kV2 ? kOrderV2 : "");
}

fs::path save_run(const RunOptions& options, const Model& model, const Moments& moments, const RunState& state,
                  const RunIdentity& identity) {
  TensorList tensors;
  for (const Parameter& parameter : model.parameters()) tensors.add(parameter.name, parameter.value);
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    tensors.add("optimizer.m." + model.parameters()[i].name, part_of(moments.m, model, i));
    tensors.add("optimizer.v." + model.parameters()[i].name, part_of(moments.v, model, i));
  }
  TensorNotes notes{{"format", kFormat},
                    {"version", kVersionOfFormat},
                    {"program", std::string("berttrain ") + kVersion},
                    {"step", std::to_string(state.step)},
                    {"phase1-end-step", std::to_string(options.phase1_end_step)},
                    {"optimizer-steps", std::to_string(moments.steps)},
                    {"position", std::to_string(state.position)},
                    {"data", identity.data},
                    {"order", identity.order},
                    {"optimizer", identity.optimizer},
                    {"model", model_note(model.config())},
                    {"config", model.config().to_json()}};
  add_vocab_notes(identity.vocabulary, notes);
  return write_checkpoint(options.output, options.phase1_end_step + state.step, static_cast<std::size_t>(options.keep),
                          tensors.views(), notes);
}

RunState load_run(const fs::path& path, Model& model, Moments& moments, const RunIdentity& identity,
                  std::int64_t phase1_end_step) {
  const SafetensorsFile file(path);
  if (file.note("format") != kFormat || file.note("version") != kVersionOfFormat) {
    throw ConfigError("is not a checkpoint of version " + std::string(kVersionOfFormat), path,
                      "another version of the program made it: continue with that one, or give another `output`, or "
                      "`resume` false; `init_from` takes only its weights");
  }
  require_noted_vocab(noted_vocab(file), identity.vocabulary, path,
                      "train on shards of that vocabulary, or give another `output`, or `resume` false");
  require_note(file, "optimizer", identity.optimizer, "`optimizer` " + file.note("optimizer"), path);
  require_order(file, identity.order, path);
  require_note(file, "data", identity.data, "other shards", path);
  require_note(file, "phase1-end-step", std::to_string(phase1_end_step),
               "`phase1_end_step` " + file.note("phase1-end-step"), path);
  require_note(file, "model", model_note(model.config()), "another `model`, or `gelu`", path);
  if (file.tensors().size() != 3 * model.parameters().size()) {
    throw ConfigError("is from a model with more or fewer layers", path, "give the `model` that it was trained as");
  }
  for (std::size_t i = 0; i < model.parameters().size(); ++i) {
    const std::string& name = model.parameters()[i].name;
    copy_into(model.parameters()[i].value, required(file, name, path), path);
    copy_into(part_of(moments.m, model, i), required(file, "optimizer.m." + name, path), path);
    copy_into(part_of(moments.v, model, i), required(file, "optimizer.v." + name, path), path);
  }
  moments.steps = parse_integer("optimizer-steps", file.note("optimizer-steps"));
  return {parse_integer("step", file.note("step")),
          static_cast<std::uint64_t>(parse_integer("position", file.note("position")))};
}

Moments no_moments(const Model& model) {
  return {at::zeros_like(model.values()), at::zeros_like(model.values()), 0};
}

RestoredRun restore_newest(const RunOptions& options, Model& model, const RunIdentity& identity) {
  RestoredRun run;
  std::vector<CheckpointFile> checkpoints = list_checkpoints(options.output);
  if (checkpoints.empty()) return run;
  run.moments = no_moments(model);
  for (; !checkpoints.empty(); checkpoints.pop_back()) {
    run.path = checkpoints.back().path;
    try {
      run.state = load_run(run.path, model, run.moments, identity, options.phase1_end_step);
      return run;
    } catch (const FormatError& error) {
      run.damaged_checkpoints.emplace_back(error.what());
    }
  }
  throw FormatError("contains no valid checkpoint; the newest: " + run.damaged_checkpoints.front(), options.output,
                    "copy one back, or train from the start with `resume` false");
}

void load_weights(const fs::path& given, Model& model, const std::optional<ManifestVocab>& vocabulary,
                  const fs::path& data_folder) {
  const fs::path path = find_weights(given);
  const std::vector<SafetensorsFile> files = open_all_weights(path);
  const char* const hint = "train on shards of that vocabulary, or start from weights of this one";
  require_noted_vocab(noted_vocab(files.front()), vocabulary, path, hint);
  require_vocab_beside(path, vocabulary, data_folder, hint);
  std::unordered_map<std::string, const TensorView*> tensors;
  for (const SafetensorsFile& file : files) {
    for (const TensorView& tensor : file.tensors()) tensors[canonical_parameter_name(tensor.name)] = &tensor;
  }
  for (Parameter& parameter : model.parameters()) {
    const auto found = tensors.find(parameter.name);
    if (found == tensors.end()) {
      throw FormatError("lacks the tensor '" + parameter.name + "'", path,
                        "it does not contain a " + std::string(architecture_of(model.config().kind)));
    }
    const TensorView& view = *found->second;
    const bool by_vocab =
        parameter.name == word_embeddings_name(model.config().kind) || parameter.name == "cls.predictions.bias";
    by_vocab ? copy_vocab_rows(parameter.value, view, path) : copy_into(parameter.value, view, path);
  }
}

void refuse_foreign_model(const fs::path& folder, const ModelConfig& config) {
  if (read_file_if_any(folder / kConfigFile) == config.to_json()) return;
  for (const char* name :
       {kConfigFile, kModelFile, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"}) {
    std::error_code missing;
    if (!fs::exists(fs::symlink_status(folder / name, missing))) continue;
    throw FormatError("exists and is not of an export of this model", folder / name,
                      "give `export` another folder, or move the file away");
  }
}

void export_model(const fs::path& folder, const Model& model) {
  const fs::path unfinished = unfinished_folder(folder);
  // First: it marks the folder as an export, which the next call may finish if this one is killed.
  publish_durably(folder / kConfigFile, unfinished, model.config().to_json());
  TensorList tensors;
  for (const Parameter& parameter : model.parameters()) tensors.add(parameter.name, parameter.value);
  if (model.config().kind == ModelKind::kBert) {
    // Tied to the embeddings; stored for readers that don't know this.
    tensors.add(kDecoder, model.weight(word_embeddings_name(ModelKind::kBert)));
    tensors.add("cls.predictions.decoder.bias", model.weight("cls.predictions.bias"));
  }
  PendingFile file(folder / kModelFile, unfinished);
  write_safetensors(file.path(), tensors.views(), {{"format", "pt"}});
  file.publish();
  tidy_unfinished(folder);
}

}  // namespace bertprep
