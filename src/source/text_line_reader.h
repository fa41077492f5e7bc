// TextLineReader: lines that must be UTF-8, as Python reads them with newline='\n'.
#pragma once

#include <filesystem>
#include <string_view>

#include "bertprep/io/utf8.h"
#include "io/line_reader.h"

namespace bertprep {

class TextLineReader {
 public:
  explicit TextLineReader(const std::filesystem::path& path) : lines_(path) {}

  // As LineReader::next; throws FormatError with line and byte when the line is not UTF-8.
  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    require_valid_utf8(line, lines_.path(), lines_.line_number(), lines_.line_offset());
    return true;
  }

 private:
  LineReader lines_;
};

}  // namespace bertprep
