// TextLineReader: lines that must be UTF-8, as Python reads them with newline='\n'.
#pragma once

#include <string_view>
#include <utility>

#include "bertprep/io/utf8.h"
#include "source/text_input.h"
#include "stream/line_reader.h"

namespace bertprep {

class TextLineReader {
 public:
  explicit TextLineReader(TextInput input)
      : lines_(std::move(input.name), std::move(input.bytes), input.first_line, input.first_byte) {}

  // As LineReader::next; throws FormatError with line and byte when the line is not UTF-8.
  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    require_valid_utf8(line, lines_.name(), lines_.line_number(), lines_.line_offset());
    return true;
  }

 private:
  LineReader lines_;
};

}  // namespace bertprep
