// Unpacks and checks requested files of an archive. A file gets its name only when complete.
#pragma once

#include "fetch/catalogue.h"
#include "io/output_file.h"

namespace bertprep {

// EmptyLines: adds an empty line after every N lines of a text without article boundaries.
class EmptyLines {
 public:
  explicit EmptyLines(std::uint64_t lines) : lines_(lines) {}

  // Appends `block`, including the empty lines due in it.
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

// MemberWriter: writes a text to `file`, with those empty lines, and learns the facts of what it was given.
class MemberWriter {
 public:
  // `known`: facts to learn. `article_lines`: 0 adds no lines.
  MemberWriter(const std::filesystem::path& file, const FileFacts& known, std::uint64_t article_lines)
      : file_(file), meter_(known), breaks_(article_lines), has_breaks_(article_lines != 0) {}

  // They throw IoError.
  void write(std::string_view block);
  FileFacts finish();

 private:
  OutputFile file_;
  FactsMeter meter_;
  EmptyLines breaks_;
  bool has_breaks_;
  std::string buffer_{};
};

struct UnpackTask {
  std::filesystem::path archive;
  std::string archive_mark;  // its sha256; empty: unknown
  std::vector<WantedMember> members;
  std::uint64_t article_lines = 0;
  std::filesystem::path folder;        // where the members go
  std::filesystem::path state_folder;  // on the same file system as `folder`
};

// Whether a file is called like an archive, so that a member of this name may hold wanted members, too.
bool has_archive_ending(std::string_view name);

// The members' files in the order of the task; for a pattern, the folder with all that match. Existing files from the
// same archive are kept. Throws IoError, FormatError (a missing member, or one that contradicts its known facts),
// Cancelled.
std::vector<std::filesystem::path> unpack(const UnpackTask& task, Progress& progress);

// False if a file is missing, has changed, or comes from another archive. Archives are compared by digest if known,
// else by name; without a name, any matches.
bool is_unpacked(const UnpackTask& task);
std::vector<std::filesystem::path> unpacked_files(const UnpackTask& task);

}  // namespace bertprep
