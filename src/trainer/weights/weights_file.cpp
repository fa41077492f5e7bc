#include "trainer/weights/weights_file.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "trainer/checkpoint_folder.h"
#include "trainer/weights/weights_index.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = "torch_to_safetensors.py";

// Beside the other data of the program; what uses the library may lie elsewhere.
fs::path script_path() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = (program.parent_path() / BERTPREP_DATA_FROM_PROGRAM / kScript).lexically_normal();
  return fs::exists(installed, error) ? installed : fs::path("scripts") / kScript;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:=@%-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char byte : text) word += byte == '\'' ? "'\\''" : std::string(1, byte);
  return word + "'";
}

std::string conversion(const fs::path& from, const fs::path& to) {
  return "convert it: python3 " + shell_word(script_path()) + " " + shell_word(from) + " -o " + shell_word(to);
}

// Since torch 1.6 a zip file, before that pickles one after another.
bool is_torch_file(std::string_view bytes) {
  const bool is_pickle = bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
  return is_pickle || bytes.starts_with("PK\x03\x04");
}

// Names that HuggingFace's, NVIDIA's and Habana's trainers and DeepSpeed give their files.
bool holds_torch_files(const fs::path& folder) {
  const auto entries = list_folder(folder);
  return fs::is_regular_file(folder / "latest") || std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
           return entry.path().extension() == ".pt" || entry.path().filename() == "pytorch_model.bin";
         });
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

}  // namespace bertprep
