// ArrowStream: the messages of a file or stream of Arrow's IPC format, one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "source/columns/arrow_message.h"
#include "stream/byte_stream.h"

namespace bertprep {

// By the first bytes: a file, or a stream that begins with a schema.
bool begins_as_arrow(std::string_view head);

// Throws IoError, and FormatError that names no place.
class ArrowStream {
 public:
  enum Kind : std::uint64_t { kSchema = 1, kDictionary = 2, kBatch = 3 };

  // Messages of at most so many bytes. Jumps over those that are not read if these are the bytes of a file.
  ArrowStream(std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes, std::filesystem::path file = {})
      : bytes_(std::move(bytes)), max_bytes_(max_bytes), file_(std::move(file)) {}

  // Goes to the next message: false at the end. The first one, alone, is the schema.
  bool next();
  std::uint64_t kind() const { return kind_; }
  // Valid until the next call of next(), as the body is.
  const FlatTable& header() const { return *header_; }
  std::string_view body();
  // Where the message begins.
  std::uint64_t byte() const { return message_byte_; }
  // How many batches there were.
  std::uint64_t batches() const { return batches_; }

 private:
  bool has_more() { return !block_.empty() || !(block_ = bytes_->next_block()).empty(); }
  bool take(std::uint64_t count, std::string& bytes);
  bool read_length(std::uint64_t& length);
  void skip_body();
  void finish();

  std::unique_ptr<ByteStream> bytes_;
  std::uint64_t max_bytes_;
  std::filesystem::path file_;
  std::string_view block_;  // not yet taken
  std::uint64_t byte_ = 0;
  std::uint64_t message_byte_ = 0;
  bool is_file_ = false;  // which has its list at the end
  std::string head_;
  std::string metadata_;
  std::string body_;
  std::uint64_t unread_ = 0;  // of the body
  std::uint64_t kind_ = 0;    // 0: there was no message
  std::optional<FlatTable> header_;
  std::uint64_t batches_ = 0;
};

}  // namespace bertprep
