// Origins: where each article of a formatted file comes from (docs/formats/origins.md).
#pragma once

#include "io/input_file.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// The name of the origins file for a formatted file of this name; compressed like it.
std::string origins_name(const std::string& formatted);

// Throws ConfigError for an origins file among files of articles: 'formatted/*' names both.
void refuse_origins(std::span<const std::filesystem::path> articles);

// Appends a frame of the origins of `articles`, one line each, to a compressed file. Frames of several files may be
// concatenated.
void append_origins_frame(std::string_view lines, std::uint64_t articles, std::string& out);

// Adds the origins to the record of a formatted file. They may be removed without remaking it, so they are not among
// its outputs. `file` must be finished, and is or will be named `name`. Throws IoError.
void add_origins(const std::filesystem::path& file, const std::string& name, CompletionRecord& record);
// The entry added by add_origins(); nothing in older records, and if articles have no origins.
std::optional<OutputEntry> recorded_origins(const CompletionRecord& record);

class OriginsFile {
 public:
  // The origins of `formatted`; nothing if there are none. Throws IoError, and FormatError for a damaged file.
  static std::optional<OriginsFile> beside(const std::filesystem::path& formatted);
  // Throws IoError, and FormatError for a damaged file.
  explicit OriginsFile(const std::filesystem::path& file);

  std::uint64_t articles() const { return articles_; }
  // The JSON object of article `article` < articles(). Decompresses a block of articles. Throws FormatError for a
  // damaged block.
  std::string line(std::uint64_t article) const;

 private:
  // Consecutive lines; compressed, unless the file is plain and a single block.
  struct Block {
    std::uint64_t first_article = 0;
    std::string_view bytes;
  };

  void read_frames(std::string_view bytes);

  std::filesystem::path path_;
  MappedFile file_;
  bool is_compressed_ = false;
  std::vector<Block> blocks_;
  std::uint64_t articles_ = 0;
};

}  // namespace bertprep
