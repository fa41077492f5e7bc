#include "pipeline/article_blocks.h"

#include <algorithm>

namespace bertprep {
namespace {

// Large enough that a block is much work and small enough that a few threads share even a small corpus.
constexpr std::size_t kBlockBytes = std::size_t{1} << 19;

}  // namespace

ArticleBlocks::ArticleBlocks(std::span<const std::filesystem::path> files, std::string_view separator)
    : paths_(files.begin(), files.end()), separator_(separator) {
  for (const std::filesystem::path& path : paths_) files_.emplace_back(path);
}

std::uint64_t ArticleBlocks::total_bytes() const {
  std::uint64_t sum = 0;
  for (const MappedFile& file : files_) sum += file.bytes().size();
  return sum;
}

std::optional<ArticleBlock> ArticleBlocks::next() {
  while (file_ < files_.size() && offset_ == files_[file_].bytes().size()) {
    all_digest_.update(file_digest_->finish() + "\n");
    file_digest_.emplace();
    ++file_;
    offset_ = 0;
  }
  if (file_ == files_.size()) return std::nullopt;
  const std::string_view rest = files_[file_].bytes().substr(offset_);
  const std::size_t found = rest.find(separator_, std::min(kBlockBytes, rest.size()));
  const std::size_t size = found == std::string_view::npos ? rest.size() : found + separator_.size();
  ArticleBlock block{rest.substr(0, size), paths_[file_].string(), offset_};
  offset_ += size;
  file_digest_->update(block.text);
  return block;
}

std::string ArticleBlocks::sha256() {
  return all_digest_.finish();
}

}  // namespace bertprep
