// Damage: results of earlier stages whose bytes have changed since they were written.
//
// Readers compare a result with its digest while reading it. A mismatch is an error and withdraws the completion
// record, so that the next call makes the result again; build() does so at once. Text that a user may have edited is
// first kept under another name.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// A result of an earlier call is unusable.
class DamageError : public FormatError {
 public:
  using FormatError::FormatError;
};

// Reads the outputs of `task` again. If one is missing or differs from its record, withdraws the record and returns the
// output's name. Returns nothing otherwise, and without a record.
std::optional<std::string> withdraw_if_damaged(const OutputFolder& folder, const std::string& task);

// The same, but throws DamageError with `hint` for damage. For errors met while reading a result.
void require_intact(const OutputFolder& folder, const std::string& task, const std::string& hint);

// Calls read(), which reads the result of `task`. A FormatError becomes damage if the result has changed since it was
// written.
template <class Read>
auto read_result(const OutputFolder& folder, const std::string& task, const std::string& hint, const Read& read) {
  try {
    return read();
  } catch (const FormatError&) {
    require_intact(folder, task, hint);
    throw;
  }
}

// The recorded digests of files, by any command. Reads the records of a folder once.
class RecordedTexts {
 public:
  // The digest of the text of `file`, decompressed; empty if no record names the file.
  std::string sha256(const std::filesystem::path& file) { return find(file).text_sha256; }
  // The same of its bytes, as they are on disk.
  std::string file_sha256(const std::filesystem::path& file) { return find(file).file_sha256; }

 private:
  struct Digests {
    std::string text_sha256{};
    std::string file_sha256{};
  };
  using ByName = std::map<std::string, Digests>;
  Digests find(const std::filesystem::path& file);
  const Digests* find_in(const std::filesystem::path& folder, const std::string& name);
  static ByName read(const std::filesystem::path& folder);

  std::map<std::filesystem::path, ByName> folders_;
};

// Throws DamageError if `sha256`, of text just read from `file`, differs from a nonempty `recorded`.
void require_recorded(const std::filesystem::path& file, const std::string& recorded, const std::string& sha256);

// Reads those of a user's `files` that a record names, such as extracted or formatted text. Throws FormatError if one
// differs from its record, IoError, Cancelled.
void require_recorded(std::span<const std::filesystem::path> files, const Progress& progress);

// The same for shards of one folder, by its manifest, whose rows are read in any order afterwards.
void require_recorded_shards(std::span<const std::filesystem::path> shards, const WorkOptions& work,
                             Progress& progress);

// Renames each output of `task` that was edited to NAME.changed-1, or the next free number, and notes that. An output
// counts as edited if it is no older than the record, has other bytes, and is text to its end. Throws IoError.
void keep_edited(const OutputFolder& folder, const std::string& task, Progress& progress);

// Renames one file likewise, whatever its record says.
void keep_aside(const std::filesystem::path& file, Progress& progress);

// For folders that are read as a whole, where a copy would count as an input. Throws FormatError naming an edited
// output.
void refuse_edited(const OutputFolder& folder, const std::string& task);

}  // namespace bertprep
