// Damage: results of earlier stages whose bytes are no longer those that were written.
//
// Who reads such a result compares it with its digest in the same read. What does not match is an error, and its
// completion record is withdrawn, so that the next call makes it again; build() does that at once.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "bertprep/base/error.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// A result that an earlier call finished can't serve.
class DamageError : public FormatError {
 public:
  using FormatError::FormatError;
};

// Reads the outputs of `task` again. When one is lost or has other bytes than its record says, withdraws the record and
// returns the output's name; otherwise returns nothing, or when there is no record.
std::optional<std::string> withdraw_if_damaged(const OutputFolder& folder, const std::string& task);

// The same, and throws DamageError with `cure` for what it finds. For errors met while reading a result.
void require_sound(const OutputFolder& folder, const std::string& task, const std::string& cure);

// Calls read(), which reads the result of `task`. A FormatError is damage when the result is not as it was written.
template <class Read>
auto read_result(const OutputFolder& folder, const std::string& task, const std::string& cure, const Read& read) {
  try {
    return read();
  } catch (const FormatError&) {
    require_sound(folder, task, cure);
    throw;
  }
}

// What the records beside files say of them, whichever command wrote them. Reads the records of a folder once.
class RecordedTexts {
 public:
  // The digest of the text of `file`, decompressed; empty when no record names the file.
  std::string sha256(const std::filesystem::path& file);

 private:
  using ByName = std::map<std::string, std::string>;
  static ByName read(const std::filesystem::path& folder);

  std::map<std::filesystem::path, ByName> folders_;
};

// Throws DamageError when `sha256`, of text just read from `file`, is not `recorded`, unless that is empty.
void require_recorded(const std::filesystem::path& file, const std::string& recorded, const std::string& sha256);

}  // namespace bertprep
