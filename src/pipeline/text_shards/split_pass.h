// split_texts: formatted files -> the sentence index, in parallel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "pipeline/text_shards/sentence_index.h"

namespace bertprep {

struct SplitTexts {
  ArticleSizes sizes;
  std::uint64_t text_bytes = 0;
  std::string text_sha256;               // as by digest_text()
  std::vector<std::string> file_sha256;  // of the text of each file
  std::vector<std::uint64_t> file_articles;
};

struct SplitInput {
  std::span<const std::filesystem::path> files;
  bool split_lines = false;             // text shards, where a line is a sentence
  std::uint64_t max_article_bytes = 0;  // 0: no limit
};

// Reads the files to their end and writes the index at `index_path`. Throws IoError, and FormatError with the position
// of invalid UTF-8 or of an article that is too long.
SplitTexts split_texts(const SplitInput& input, const SentenceSplitter& splitter,
                       const std::filesystem::path& index_path, std::size_t threads, Progress& progress);

// The sizes in a finished index.
ArticleSizes sizes_of_index(const std::filesystem::path& index_path);

}  // namespace bertprep
