// Bytes from front to back, whatever holds them; those of a file; and how far a file has been read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"

namespace bertprep {

// The bytes [begin, end) of a file, as it lies on the disk.
struct FileBytes {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // The next bytes, as many as are at hand; empty at the end, and from then on. The view is valid until the next call.
  // Throws IoError, and FormatError (file and byte offset) for damage that ends the stream.
  virtual std::string_view next_block() = 0;

  // Whether bytes are missing between the last block and the one before it: a damaged part was left out and reported.
  virtual bool is_after_gap() const { return false; }
  // That part, where is_after_gap().
  virtual FileBytes gap() const { return {}; }

  // Where in the file the last block lies, if it is not just as many bytes in as were given: the byte at which a block
  // of bzip2 begins.
  virtual std::optional<std::uint64_t> file_byte() const { return std::nullopt; }
};

// Sees the bytes of files, as they lie on the disk, while they are read. Called by one thread at a time.
class ReadObserver {
 public:
  virtual ~ReadObserver() = default;
  // The next file is read, perhaps not from its beginning or not to its end: archives jump.
  virtual void begin_file(const std::filesystem::path& file) = 0;
  // `bytes` of that file, from byte `begin` on; none at its end. Some may be seen twice.
  virtual void see(std::uint64_t begin, std::string_view bytes) = 0;
};

// ReadMeter: how many bytes of a source's files have been read, as they lie on the disk: of a compressed file the
// compressed ones.
class ReadMeter {
 public:
  // Who is to see the bytes, too; outlives the meter.
  void set_observer(ReadObserver* observer) { observer_ = observer; }

  // The next file: those before it are done with.
  void begin_file(const std::filesystem::path& file);
  // Passes on what was read of the file.
  void see(std::uint64_t begin, std::string_view bytes) {
    if (observer_ != nullptr) observer_->see(begin, bytes);
  }
  // Reading has come to this byte of the file. Streams look ahead and archives jump: what lies before counts as read,
  // and the count never goes back.
  void reach(std::uint64_t byte);
  // The last file is done with, whatever of it nobody needed.
  void end();

  std::uint64_t bytes() const { return bytes_before_ + reached_byte_; }

 private:
  ReadObserver* observer_ = nullptr;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t file_bytes_ = 0;  // of the file; 0: a pipe, or none is open
  std::uint64_t reached_byte_ = 0;
};

// FileStream: the bytes of a file as they lie there, read into one buffer that is used again.
class FileStream final : public ByteStream {
 public:
  // The bytes [begin, end) of the file; `end` 0: all to its end, and then pipes may be read, too. Throws IoError.
  explicit FileStream(const std::filesystem::path& path, std::uint64_t begin = 0, std::uint64_t end = 0);
  // All of the file; tells `meter`, which may be null and outlives the stream, what is read.
  FileStream(const std::filesystem::path& path, ReadMeter* meter);

  std::string_view next_block() override;

 private:
  InputFile file_;
  ReadBuffer buffer_;
  std::uint64_t left_bytes_;  // of the range
  std::uint64_t read_bytes_ = 0;
  ReadMeter* meter_ = nullptr;
};

// PeekedStream: a stream whose first bytes can be looked at before they are read.
class PeekedStream final : public ByteStream {
 public:
  explicit PeekedStream(std::unique_ptr<ByteStream> bytes);

  // The first `wanted` bytes or more, fewer only if there are no more. Before the first next_block() only; the view is
  // valid until the next call. Damage that is met on the way is thrown by next_block() in its place.
  std::string_view peek(std::size_t wanted);

  std::string_view next_block() override;
  bool is_after_gap() const override;
  FileBytes gap() const override;
  std::optional<std::uint64_t> file_byte() const override;

 private:
  // A block that was read by peek().
  struct Held {
    std::string_view bytes;
    bool is_after_gap = false;
    FileBytes gap;
    std::optional<std::uint64_t> file_byte;
  };

  std::string_view read_below();
  void hold(std::string_view block);

  std::unique_ptr<ByteStream> bytes_;
  std::deque<std::string> copies_;  // of blocks, when there are several
  std::vector<Held> held_;
  std::size_t next_ = 0;  // of held_, to be handed out; behind its end they all have been
  std::string gathered_;  // the bytes of all of them, when there are several
  std::exception_ptr damage_;
  bool at_end_ = false;
};

}  // namespace bertprep
