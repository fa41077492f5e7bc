// SentenceSpool: all articles of a corpus, split into sentences, in one passing file, with an index of where each lies.
//
// The placement of articles needs the number of sentences of every article before the first text shard can be written,
// and a corpus does not fit in memory; so sentences wait here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/text/sentences.h"
#include "io/input_file.h"

namespace bertprep {

struct SpooledArticle {
  std::uint64_t offset = 0;  // in the spool
  std::uint64_t bytes = 0;   // sentence lines and the empty line
};

class SentenceSpool {
 public:
  // Input: formatted files, or text shards when `split_lines`. Output: `path`, articles in their order as a text shard
  // holds them. Splits in parallel. Throws FormatError with the place of invalid UTF-8.
  SentenceSpool(std::span<const std::filesystem::path> files, bool split_lines, const SentenceSplitter& splitter,
                const std::filesystem::path& path, std::size_t threads, Progress& progress);

  std::span<const std::uint32_t> sentences_per_article() const { return sentences_; }
  // The lines of one article.
  std::string_view article(std::size_t index) const;
  std::uint64_t sentences() const { return total_sentences_; }
  std::uint64_t bytes_in() const { return bytes_in_; }
  // Of the files, as digest_files() says it.
  const std::string& input_sha256() const { return input_sha256_; }

 private:
  std::vector<std::uint32_t> sentences_;
  std::vector<SpooledArticle> articles_;
  std::vector<MappedFile> spool_;  // one, once it is written
  std::uint64_t total_sentences_ = 0;
  std::uint64_t bytes_in_ = 0;
  std::string input_sha256_;
};

}  // namespace bertprep
