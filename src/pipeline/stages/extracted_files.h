// ExtractedFiles: FOLDER/AA/wiki_00, ... wiki_99, AB/wiki_00, ..., each of limited size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/digest.h"
#include "io/output_file.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

class ExtractedFiles {
 public:
  // Like the reference, begins the first file at once, and leaves it empty if the first article does not fit.
  ExtractedFiles(const OutputFolder& folder, std::uint64_t max_bytes);

  struct Place {
    std::string name;  // "AA/wiki_00"
    std::uint64_t byte;
  };
  // Does not split articles between files. Throws IoError, and FormatError if there are no more names.
  Place write(std::string_view doc);
  // Gives the last file its name.
  void finish();

  const std::vector<OutputEntry>& entries() const { return entries_; }  // of the finished files
  std::uint64_t bytes() const { return bytes_; }

 private:
  void begin();

  const OutputFolder& folder_;
  std::uint64_t max_bytes_;
  std::size_t number_ = 0;  // of the next file
  std::string name_;
  std::optional<PendingFile> pending_;
  std::unique_ptr<OutputFile> file_;
  std::optional<Sha256> digest_;
  std::vector<OutputEntry> entries_;
  std::uint64_t bytes_ = 0;
};

// The files with such names in the folder.
std::set<std::string> extracted_names(const std::filesystem::path& folder);

}  // namespace bertprep
