// Takes the files that are wanted out of an archive, checked, each under its name only when it is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "fetch/catalogue.h"

namespace bertprep {

// LineBreaks: puts an empty line behind every N lines of a text that has no boundaries of its own.
class LineBreaks {
 public:
  explicit LineBreaks(std::uint64_t lines) : lines_(lines) {}

  // Appends `block` with the empty lines that fall into it.
  void append(std::string_view block, std::string& out) {
    while (!block.empty()) {
      const std::size_t end = block.find('\n');
      const std::string_view line = block.substr(0, end == std::string_view::npos ? block.size() : end + 1);
      out += line;
      block.remove_prefix(line.size());
      if (end == std::string_view::npos || ++count_ % lines_ != 0) continue;
      out += '\n';
    }
  }

 private:
  std::uint64_t lines_;
  std::uint64_t count_ = 0;
};

struct UnpackTask {
  std::filesystem::path archive;
  std::string archive_mark;  // its sha256; empty: not known
  std::vector<WantedMember> members;
  std::uint64_t article_lines = 0;
  std::filesystem::path folder;        // where the members go
  std::filesystem::path state_folder;  // on the same file system
};

// The members' files in the order of the task; for a pattern the folder that holds all that fit. What already exists,
// from the same archive, stays. Throws IoError, FormatError (a member that is missing or not what is known of it),
// Cancelled.
std::vector<std::filesystem::path> unpack(const UnpackTask& task, Progress& progress);

// False when a file is missing, has changed, or comes from another archive: by its digest; where that is not known, by
// its name; without a name, any will do.
bool is_unpacked(const UnpackTask& task);
std::vector<std::filesystem::path> unpacked_files(const UnpackTask& task);

}  // namespace bertprep
