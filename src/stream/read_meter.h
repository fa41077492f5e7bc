// ReadMeter: how many bytes of a source's files have been read, as they lie on the disk: of a compressed file the
// compressed ones.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace bertprep {

// Sees the bytes of files, as they lie on the disk, while they are read. Called by one thread at a time.
class ReadObserver {
 public:
  virtual ~ReadObserver() = default;
  // The next file is read, perhaps not from its beginning or not to its end: archives jump.
  virtual void begin_file(const std::filesystem::path& file) = 0;
  // `bytes` of that file, from byte `begin` on; none at its end. Some may be seen twice.
  virtual void see(std::uint64_t begin, std::string_view bytes) = 0;
};

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

}  // namespace bertprep
