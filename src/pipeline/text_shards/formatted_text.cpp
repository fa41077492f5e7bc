#include "pipeline/text_shards/formatted_text.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

// Large enough for efficiency, and small enough that a few threads share even a small corpus.
constexpr std::size_t kBlockBytes = std::size_t{1} << 19;

}  // namespace

FormattedText::FormattedText(std::span<const std::filesystem::path> files, std::string_view separator,
                             TaskRunner runner)
    : files_(files.begin(), files.end()), separator_(separator), runner_(std::move(runner)) {}

bool FormattedText::open_next_file() {
  if (file_digest_) all_digest_.update(file_sha256_.emplace_back(file_digest_->finish()) + "\n");
  file_digest_.reset();
  stream_.reset();
  if (file_ == files_.size()) {
    meter_.end();
    return false;
  }
  stream_ = open_stream(files_[file_++], {.runner = runner_, .meter = &meter_});
  file_digest_.emplace();
  first_byte_ = 0;
  return true;
}

bool FormattedText::fill() {
  const std::string_view bytes = stream_->next_block();
  if (bytes.empty()) return false;
  buffer_.erase(0, std::exchange(begin_, 0));
  buffer_ += bytes;
  file_digest_->update(bytes);
  return true;
}

TextBlock FormattedText::take(std::size_t size) {
  TextBlock block{buffer_.substr(begin_, size), files_[file_ - 1], first_byte_, file_ - 1};
  begin_ += size;
  first_byte_ += size;
  return block;
}

void FormattedText::throw_too_long() const {
  throw FormatError("an article has more than " + std::to_string(max_bytes_) + " bytes, after byte " +
                        std::to_string(first_byte_) + " of the text",
                    files_[file_ - 1], "give more `memory`, or format the text again, which rejects long articles");
}

// The bytes up to the end of the article in which the block is large enough, or the rest of the file.
std::size_t FormattedText::end_of_block() {
  std::size_t searched = kBlockBytes;
  for (;;) {
    const std::size_t found = std::string_view(buffer_).substr(begin_).find(separator_, searched);
    if (found != std::string_view::npos) return found + separator_.size();
    const std::size_t size = buffer_.size() - begin_;
    if (size > kBlockBytes && size - kBlockBytes > max_bytes_) throw_too_long();
    if (!fill()) return size;
    searched = std::max(searched, size - std::min(size, separator_.size()));
  }
}

std::optional<TextBlock> FormattedText::next_block() {
  for (;;) {
    if (stream_ != nullptr) {
      if (const std::size_t size = end_of_block(); size != 0) return take(size);
    }
    if (!open_next_file()) return std::nullopt;
  }
}

TextBlock FormattedText::next_bytes(std::size_t size) {
  if (size == 0) return {};  // of a block of which all records were rejected; possibly no file is open yet
  while (buffer_.size() - begin_ < size) {
    if (stream_ != nullptr && fill()) continue;
    if (buffer_.size() != begin_ || !open_next_file()) {
      throw FormatError("the file ends too early", file_ == 0 ? "" : files_[file_ - 1],
                        "it changed while it was read; run the command again");
    }
  }
  return take(size);
}

std::string FormattedText::sha256() {
  do {
    if (stream_ != nullptr && (begin_ != buffer_.size() || fill())) {
      throw FormatError("the file has more text than its index", files_[file_ - 1], "run the command with `force`");
    }
  } while (open_next_file());
  return all_digest_.finish();
}

std::string digest_text(std::span<const std::filesystem::path> files, const TaskRunner& runner) {
  Sha256 all;
  for (const std::filesystem::path& file : files) {
    Sha256 digest;
    const auto stream = open_stream(file, {.runner = runner});
    for (std::string_view bytes = stream->next_block(); !bytes.empty(); bytes = stream->next_block()) {
      digest.update(bytes);
    }
    all.update(digest.finish() + "\n");
  }
  return all.finish();
}

}  // namespace bertprep
