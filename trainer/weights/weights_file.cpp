#include "trainer/weights/weights_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/shell_words.h"
#include "trainer/checkpoint_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = "torch_to_safetensors.py";

// With the other data of the program; users of the library may be elsewhere.
fs::path script_path() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = (program.parent_path() / BERTPREP_DATA_FROM_PROGRAM / kScript).lexically_normal();
  return fs::exists(installed, error) ? installed : fs::path("scripts") / kScript;
}

std::string conversion(const fs::path& from, const fs::path& to) {
  return "convert it: python3 " + shell_word(script_path().string()) + " " + shell_word(from.string()) + " -o " +
         shell_word(to.string());
}

// A zip file since torch 1.6, before that concatenated pickles.
bool is_torch_file(std::string_view bytes) {
  const bool is_pickle = bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
  return is_pickle || bytes.starts_with("PK\x03\x04");
}

// Names of the files of HuggingFace's, NVIDIA's and Habana's trainers and of DeepSpeed.
bool holds_torch_files(const fs::path& folder) {
  const auto entries = list_folder(folder);
  return fs::is_regular_file(folder / "latest") || std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
           return entry.path().extension() == ".pt" || entry.path().filename() == "pytorch_model.bin";
         });
}

// A file of the same folder.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

fs::path find_weights(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  if (fs::exists(path / "model.safetensors")) return path / "model.safetensors";
  if (fs::exists(path / kWeightsIndexName)) return path / kWeightsIndexName;
  if (const auto newest = newest_checkpoint(path)) return newest->path;
  if (holds_torch_files(path)) {
    throw FormatError("contains a model of torch.save", path, conversion(path, path / "model.safetensors"));
  }
  if (fs::exists(path / "pytorch_model.bin.index.json")) {
    throw ConfigError("contains a model of torch.save in several files", path,
                      "write it as safetensors: save_pretrained(..., safe_serialization=True)");
  }
  throw ConfigError("contains neither model.safetensors nor a checkpoint", path, "name the file itself");
}

SafetensorsFile open_weights(const fs::path& path) {
  const MappedFile file(path);
  if (is_torch_file(file.bytes())) {
    fs::path converted = path;
    throw FormatError("is a file of torch.save", path, conversion(path, converted.replace_extension(".safetensors")));
  }
  if (!is_safetensors(file.bytes())) {
    throw FormatError("is not a safetensors file, or only part of one", path, "give model.safetensors or a checkpoint");
  }
  return SafetensorsFile(path);
}

std::vector<SafetensorsFile> open_indexed_weights(const fs::path& index) {
  const Json json = read_json(index);
  const Json* const map = json.kind() == Json::Kind::Object ? json.find("weight_map") : nullptr;
  if (map == nullptr || map->kind() != Json::Kind::Object) {
    throw FormatError("has no 'weight_map'", index, "download the model again");
  }
  std::map<std::string, std::vector<std::string>> tensors_of;  // by file
  for (const auto& [tensor, file] : map->members()) {
    if (file.kind() != Json::Kind::String || !is_plain_name(file.text())) {
      throw FormatError("names no file beside it for '" + tensor + "'", index, "download the model again");
    }
    tensors_of[file.text()].push_back(tensor);
  }
  std::vector<SafetensorsFile> files;
  for (const auto& [name, tensors] : tensors_of) {
    files.push_back(open_weights(index.parent_path() / name));
    for (const std::string& tensor : tensors) {
      if (files.back().find(tensor) != nullptr) continue;
      throw FormatError("says that '" + tensor + "' is in " + name + ", which lacks it", index,
                        "download the model again");
    }
  }
  return files;
}

std::vector<SafetensorsFile> open_all_weights(const fs::path& path) {
  if (path.filename().string().ends_with(".index.json")) return open_indexed_weights(path);
  std::vector<SafetensorsFile> files;
  files.push_back(open_weights(path));
  return files;
}

}  // namespace bertprep
