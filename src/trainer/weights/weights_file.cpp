#include "trainer/weights/weights_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/io/folder.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/weights/torch_weights.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

class SafetensorsWeights final : public WeightsFile {
 public:
  explicit SafetensorsWeights(const fs::path& path) : path_(path), file_(path) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const TensorView& view : file_.tensors()) names.push_back(view.name);
    return names;
  }
  TensorView tensor(const std::string& name) override {
    const TensorView* view = file_.find(name);
    if (view == nullptr) throw FormatError("lacks the tensor '" + name + "'", path_);
    return *view;
  }

 private:
  fs::path path_;
  SafetensorsFile file_;
};

// A torch file, together with the bytes that it looks at.
class MappedTorchWeights final : public WeightsFile {
 public:
  MappedTorchWeights(MappedFile file, const fs::path& path)
      : file_(std::move(file)), weights_(parse_torch_file(file_.bytes(), path)) {}

  std::vector<std::string> names() const override { return weights_->names(); }
  TensorView tensor(const std::string& name) override { return weights_->tensor(name); }

 private:
  MappedFile file_;
  std::unique_ptr<WeightsFile> weights_;
};

// NVIDIA's and Habana's trainers write ckpt_STEP.pt.
std::optional<fs::path> newest_of_reference(const fs::path& folder) {
  constexpr std::string_view kPrefix = "ckpt_";
  constexpr std::string_view kSuffix = ".pt";
  std::optional<fs::path> newest;
  std::int64_t newest_step = -1;
  for (const auto& entry : list_folder(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    std::int64_t step = 0;
    const char* end = name.data() + name.size() - kSuffix.size();
    const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
    if (error != std::errc{} || stop != end || step <= newest_step) continue;
    newest_step = step;
    newest = entry.path();
  }
  return newest;
}

// DeepSpeed: in the folder of a step, or in the one that the file latest names.
std::optional<fs::path> file_of_deepspeed(const fs::path& folder) {
  constexpr const char* kFile = "mp_rank_00_model_states.pt";
  if (fs::exists(folder / kFile)) return folder / kFile;
  if (!fs::is_regular_file(folder / "latest")) return std::nullopt;
  std::string tag = read_file(folder / "latest");
  tag.resize(std::min(tag.size(), tag.find_first_of("\r\n")));
  const bool is_name = !tag.empty() && fs::path(tag).filename() == tag && tag != "..";
  return is_name && fs::exists(folder / tag / kFile) ? std::optional(folder / tag / kFile) : std::nullopt;
}

}  // namespace

std::unique_ptr<WeightsFile> open_weights(const fs::path& path) {
  MappedFile file(path);
  if (is_torch_file(file.bytes())) return std::make_unique<MappedTorchWeights>(std::move(file), path);
  if (is_safetensors(file.bytes())) return std::make_unique<SafetensorsWeights>(path);
  throw FormatError("is neither a file of safetensors nor one of torch.save, or a part of one", path,
                    "give model.safetensors, pytorch_model.bin, or a checkpoint");
}

fs::path find_weights(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  if (fs::exists(path / "model.safetensors")) return path / "model.safetensors";
  if (const auto newest = newest_checkpoint(path)) return newest->path;
  if (fs::exists(path / "pytorch_model.bin")) return path / "pytorch_model.bin";
  if (const auto newest = newest_of_reference(path)) return *newest;
  if (const auto file = file_of_deepspeed(path)) return *file;
  for (const char* index : {"model.safetensors.index.json", "pytorch_model.bin.index.json"}) {
    if (!fs::exists(path / index)) continue;
    throw ConfigError("holds a model in several files", path,
                      "write it as one: save_pretrained(..., max_shard_size='100GB')");
  }
  throw ConfigError("holds neither model.safetensors, a checkpoint, pytorch_model.bin, ckpt_STEP.pt nor DeepSpeed's",
                    path, "name the file itself");
}

}  // namespace bertprep
