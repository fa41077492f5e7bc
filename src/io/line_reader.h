// LineReader: the lines of a file, streamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"

namespace bertprep {

class LineReader {
 public:
  // Throws IoError.
  explicit LineReader(const std::filesystem::path& path);

  // The next line without its LF (CR is data); false at the end. A last line without LF counts; after a final
  // LF there is no further line. The view is valid until the next call. Memory: the longest line.
  bool next(std::string_view& line);

  std::uint64_t line_number() const { return line_number_; }  // of the last line, from 1
  std::uint64_t line_offset() const { return line_offset_; }  // its first byte in the file
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  bool fill();

  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t line_offset_ = 0;
  std::uint64_t consumed_ = 0;
};

}  // namespace bertprep
