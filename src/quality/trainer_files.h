// Which files of a folder each trainer reads, by their names.
#pragma once

#include <filesystem>
#include <functional>

#include "quality/traps.h"

namespace bertprep {

// Whether the trainer uses a file of this name for training. As in HuggingFace's `datasets`, they use files whose name
// has no word for another split.
bool takes_for_training(TrainerKind trainer, const std::string& name);

// The splits that load_dataset() sees in the name of a file: "train", "validation", "test"; words count if delimited by
// -, ., _, blanks or digits.
std::vector<std::string> splits_of(std::string_view name);

// A file of a folder that some trainer may open.
struct SetFile {
  std::filesystem::path path;
  std::string name;
  bool is_for_training = false;  // the last of the words 'training' and 'test' in its name is 'training'
  bool is_for_test = false;
};

struct SetFolder {
  std::vector<SetFile> shards;     // by name: with the extension .hdf5 or .h5, or an HDF5 file named for training
  std::vector<std::string> sides;  // with 'training' in their names, but not HDF5 files
};

// `path` is a folder, or a file, which is its only shard. Throws IoError.
SetFolder list_set(const std::filesystem::path& path);

// As many bytes as the file has at its front, at most `most`; none if it can't be read.
std::string first_bytes(const std::filesystem::path& file, std::size_t most);

// Calls visit() with each file below `folder`, except in folders that can't be read, and hidden ones. Throws IoError.
void visit_files_below(const std::filesystem::path& folder,
                       const std::function<void(const std::filesystem::path&)>& visit);

// The folders below `folder` with shards, sorted; empty if it has some itself.
std::vector<std::filesystem::path> folders_with_shards(const std::filesystem::path& folder);

}  // namespace bertprep
