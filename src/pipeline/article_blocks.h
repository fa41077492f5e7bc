// Blocks of whole articles, cut from formatted files for parallel work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/input_file.h"
#include "io/sha256.h"

namespace bertprep {

// A run of whole articles of one file.
struct ArticleBlock {
  std::string_view text;
  std::string file;
  std::uint64_t first_byte = 0;  // of `text` in the file
};

class ArticleBlocks {
 public:
  // Articles end at `separator`: "\n" in formatted files, "\n\n" in text shards. Throws IoError.
  ArticleBlocks(std::span<const std::filesystem::path> files, std::string_view separator);

  // The next block in the order of the files, or nothing at the end. Views stay valid while this object lives.
  std::optional<ArticleBlock> next();
  std::uint64_t total_bytes() const;
  // What digest_files() says of the files, once all blocks were taken: hashing goes along with the reading, so that a
  // thread is not idle meanwhile.
  std::string sha256();

 private:
  std::vector<std::filesystem::path> paths_;
  std::vector<MappedFile> files_;
  std::string separator_;
  Sha256 all_digest_;
  std::optional<Sha256> file_digest_{std::in_place};
  std::size_t file_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace bertprep
