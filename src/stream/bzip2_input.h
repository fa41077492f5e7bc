// Bzip2Input: the current part of a bzip2 file, with its marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"
#include "stream/byte_stream.h"
#include "stream/bzip2_scan.h"

namespace bertprep {

class Bzip2Input {
 public:
  // The bytes [begin, end) of the file; end 0: to its end. Reports to `meter`, unless it is null, what is read. Throws
  // IoError.
  Bzip2Input(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end, ReadMeter* meter = nullptr);

  // Reads more; false at the end of the file. Throws IoError.
  bool read_more();
  bool at_end() const { return at_end_; }
  std::uint64_t end_byte() const { return first_byte_ + bytes_.size(); }  // of the bytes read so far
  std::uint64_t end_bit() const { return end_byte() * 8; }

  // In ascending order: all marks after the released part, as far as the file has been searched.
  const std::vector<Bzip2Mark>& marks() const { return marks_; }
  // Every mark before this byte is in marks().
  std::uint64_t searched_byte() const { return first_byte_ + searched_; }

  // Bytes before this one are no longer needed, nor are their marks.
  void release(std::uint64_t byte);

  // The bytes [begin, end) of the file, as far as they have been read and not released.
  std::string_view view(std::uint64_t begin, std::uint64_t end) const;
  // The `count` bits at `bit`, which have been read; at most 32.
  std::uint32_t bits(std::uint64_t bit, unsigned count) const;
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void search();

  InputFile file_;
  ReadMeter* meter_;
  std::string bytes_;
  std::uint64_t first_byte_;
  std::uint64_t last_byte_;   // one past the last; 0: the end of the file
  std::size_t searched_ = 0;  // in bytes_
  bool at_end_ = false;
  std::vector<Bzip2Mark> marks_;
};

}  // namespace bertprep
