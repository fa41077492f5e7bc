// FileStream: the bytes of a file as they lie there, read into one buffer that is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "io/input_file.h"
#include "stream/byte_stream.h"
#include "stream/read_meter.h"

namespace bertprep {

class FileStream final : public ByteStream {
 public:
  // The bytes [begin, end) of the file; `end` 0: all to its end, and then pipes may be read, too. Throws IoError.
  explicit FileStream(const std::filesystem::path& path, std::uint64_t begin = 0, std::uint64_t end = 0);
  // All of the file; tells `meter`, which may be null and outlives the stream, what is read.
  FileStream(const std::filesystem::path& path, ReadMeter* meter);

  std::string_view next_block() override;

 private:
  InputFile file_;
  std::vector<char> buffer_;
  std::uint64_t left_bytes_;  // of the range
  std::uint64_t read_bytes_ = 0;
  ReadMeter* meter_ = nullptr;
};

}  // namespace bertprep
