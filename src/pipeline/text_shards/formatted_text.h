// FormattedText: the decompressed text of formatted files in order, in blocks of whole articles.
#pragma once

#include <limits>

#include "base/task_runner.h"
#include "io/digest.h"
#include "stream/byte_stream.h"

namespace bertprep {

struct TextBlock {
  std::string text;
  std::filesystem::path file;
  std::uint64_t first_byte = 0;  // of `text` in the file's text
  std::size_t file_number = 0;   // from 0
};

class FormattedText {
 public:
  // Articles end at `separator`: "\n" in formatted files, "\n\n" in text shards. Files are opened one at a
  // time.
  FormattedText(std::span<const std::filesystem::path> files, std::string_view separator, TaskRunner runner);
  // Longer articles make next_block() throw FormatError. Without a call there is no limit.
  void set_limit(std::uint64_t article_bytes) { max_bytes_ = article_bytes; }

  // The next block of whole articles of one file, about half a megabyte, or nothing at the end. Throws IoError,
  // FormatError.
  std::optional<TextBlock> next_block();
  // The next `size` bytes, which must be in one file. Throws FormatError if there are fewer.
  TextBlock next_bytes(std::size_t size);
  // The same as digest_text() of the files, computed while reading. Call it once, after reading all. Throws FormatError
  // if text is left.
  std::string sha256();
  // For every file whose end was reached.
  const std::vector<std::string>& file_sha256() const { return file_sha256_; }
  // Bytes of the files as stored on disk, compressed or not.
  std::uint64_t file_bytes_read() const { return meter_.bytes(); }

 private:
  bool open_next_file();
  bool fill();
  TextBlock take(std::size_t size);
  std::size_t end_of_block();
  [[noreturn]] void throw_too_long() const;

  std::vector<std::filesystem::path> files_;
  std::string separator_;
  std::uint64_t max_bytes_ = std::numeric_limits<std::uint64_t>::max();
  TaskRunner runner_;
  ReadMeter meter_;
  std::unique_ptr<ByteStream> stream_;
  std::size_t file_ = 0;  // the next to open
  std::string buffer_;
  std::size_t begin_ = 0;
  std::uint64_t first_byte_ = 0;
  Sha256 all_digest_;
  std::optional<Sha256> file_digest_;
  std::vector<std::string> file_sha256_;
};

// Digest of the decompressed content: over the digests of the files, in order.
std::string digest_text(std::span<const std::filesystem::path> files, const TaskRunner& runner);

}  // namespace bertprep
