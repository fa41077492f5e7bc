#include "trainer/weights/weights_index.h"

#include <map>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/json.h"
#include "trainer/weights/weights_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// A file of the same folder.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

std::vector<SafetensorsFile> open_indexed_weights(const fs::path& index) {
  const Json json = Json::parse(read_file(index), index.string());
  const Json* const map = json.kind() == Json::Kind::Object ? json.find("weight_map") : nullptr;
  if (map == nullptr || map->kind() != Json::Kind::Object) {
    throw FormatError("has no 'weight_map'", index, "download the model again");
  }
  std::map<std::string, std::vector<std::string>> tensors_of;  // each file
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
