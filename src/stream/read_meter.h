// ReadMeter: how many bytes of a source's files have been read, as they lie on the disk: of a compressed file the
// compressed ones.
#pragma once

#include <cstdint>
#include <filesystem>

namespace bertprep {

class ReadMeter {
 public:
  // The next file: those before it are done with.
  void begin_file(const std::filesystem::path& file);
  // Reading has come to this byte of the file. Streams look ahead and archives jump: what lies before counts as read,
  // and the count never goes back.
  void reach(std::uint64_t byte);
  // The last file is done with, whatever of it nobody needed.
  void end();

  std::uint64_t bytes() const { return bytes_before_ + reached_byte_; }

 private:
  std::uint64_t bytes_before_ = 0;
  std::uint64_t file_bytes_ = 0;  // of the file; 0: a pipe, or none is open
  std::uint64_t reached_byte_ = 0;
};

}  // namespace bertprep
