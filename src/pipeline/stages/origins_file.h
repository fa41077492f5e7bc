// Origins: where each article of a formatted file comes from (docs/formats/origins.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

// The origins of a formatted file of this name; compressed like it.
std::string origins_name(const std::string& formatted);

// Appends a frame of the origins of `articles`, a line each, to a compressed file. Frames of several files may follow
// each other.
void append_origins_frame(std::string_view lines, std::uint64_t articles, std::string& out);

// Adds to the record of a formatted file what its origins are. They may be removed without making it anew, so they are
// none of its outputs. `file` is finished, and is or will be called `name`. Throws IoError.
void add_origins(const std::filesystem::path& file, const std::string& name, CompletionRecord& record);
// What was added; nothing in older records, and where articles have no origins.
std::optional<OutputEntry> recorded_origins(const CompletionRecord& record);

class OriginsFile {
 public:
  // Those beside `formatted`; nothing where there are none. Throws IoError, and FormatError for a damaged file.
  static std::optional<OriginsFile> beside(const std::filesystem::path& formatted);
  // Throws IoError, and FormatError for a damaged file.
  explicit OriginsFile(const std::filesystem::path& file);

  std::uint64_t articles() const { return articles_; }
  // The JSON object of article `article` < articles(). Decompresses a block of articles. Throws FormatError for a
  // damaged one.
  std::string line(std::uint64_t article) const;

 private:
  // Lines that lie together; compressed, unless the file is plain and all of it is one block.
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
