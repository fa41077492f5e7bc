// ByteStream: bytes from front to back, of any origin. FileStream: those of a file. ReadMeter: how far files are read.
#pragma once

#include <deque>
#include <exception>
#include <vector>

#include "io/input_file.h"

namespace bertprep {

// The bytes [begin, end) of a file, as stored on disk.
struct FileBytes {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Of a block of a stream.
struct BlockPlace {
  // The bytes that are missing before it: a damaged part was skipped and reported.
  std::optional<FileBytes> gap{};
  // Its offset in the file, if that is not simply the number of bytes returned before: the byte at which a block of
  // bzip2 begins.
  std::optional<std::uint64_t> file_byte{};
};

class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // The next available bytes; empty at the end and from then on. The view is valid until the next call. Throws IoError,
  // and FormatError (file and byte offset) for damage that ends the stream.
  virtual std::string_view next_block() = 0;

  // Of the last block.
  virtual BlockPlace place() const { return {}; }
};

// Receives the bytes of files, as stored on disk, while they are read. Called by one thread at a time.
class ReadObserver {
 public:
  virtual ~ReadObserver() = default;
  // A file is about to be read, possibly only in part: archives seek.
  virtual void begin_file(const std::filesystem::path& file) = 0;
  // `bytes` of that file, from byte `begin` on; empty at its end. The same bytes may come twice.
  virtual void see(std::uint64_t begin, std::string_view bytes) = 0;
};

// ReadMeter: how many bytes of a source's files have been read, as stored on disk: compressed ones for a compressed
// file.
class ReadMeter {
 public:
  // Also receives the bytes; must outlive the meter.
  void set_observer(ReadObserver* observer) { observer_ = observer; }

  // Begins the next file; the previous ones count as read.
  void begin_file(const std::filesystem::path& file);
  // Passes on bytes read from the file.
  void see(std::uint64_t begin, std::string_view bytes) {
    if (observer_ != nullptr) observer_->see(begin, bytes);
  }
  // Reading has come to this byte of the file. Streams read ahead and archives seek: all bytes before it count as read,
  // and the count never decreases.
  void reach(std::uint64_t byte);
  // Ends the last file; its unread rest counts as read.
  void end();

  std::uint64_t bytes() const { return bytes_before_ + reached_byte_; }

 private:
  ReadObserver* observer_ = nullptr;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t file_bytes_ = 0;  // of the file; 0: a pipe, or no open file
  std::uint64_t reached_byte_ = 0;
};

// FileStream: the bytes of a file as stored, read into one reused buffer.
class FileStream final : public ByteStream {
 public:
  // The bytes [begin, end) of the file; `end` 0: to its end; this also works for pipes. Throws IoError, also
  // in next_block() if the file became shorter.
  explicit FileStream(const std::filesystem::path& path, std::uint64_t begin = 0, std::uint64_t end = 0);
  // The whole file. Reports what is read to `meter`, which may be null and must outlive the stream.
  FileStream(const std::filesystem::path& path, ReadMeter* meter);

  std::string_view next_block() override;

 private:
  void require_all_read() const;

  InputFile file_;
  ReadBuffer buffer_;
  std::uint64_t first_size_bytes_;
  std::uint64_t begin_;
  std::uint64_t left_bytes_;  // of the range
  std::uint64_t read_bytes_ = 0;
  ReadMeter* meter_ = nullptr;
};

// PeekedStream: a stream whose first bytes can be examined before they are read.
class PeekedStream final : public ByteStream {
 public:
  explicit PeekedStream(std::unique_ptr<ByteStream> bytes);

  // Returns at least the first `wanted` bytes, fewer only if the stream is shorter. Call it before next_block(); the
  // view is valid until the next call. next_block() throws for damage when it reaches it.
  std::string_view peek(std::size_t wanted);

  std::string_view next_block() override;
  BlockPlace place() const override;

 private:
  // A block that was read by peek().
  struct Held {
    std::string_view bytes;
    BlockPlace place;
  };

  std::string_view read_below();
  void hold(std::string_view block);

  std::unique_ptr<ByteStream> bytes_;
  std::deque<std::string> copies_;  // of blocks, if there are several
  std::vector<Held> held_;
  std::size_t next_ = 0;  // the next of held_ to return; past its end after the last
  std::string gathered_;  // the bytes of all of them, if there are several
  std::exception_ptr damage_;
  bool at_end_ = false;
};

}  // namespace bertprep
