// TextLineReader: lines that must be UTF-8, as Python reads them with newline='\n'.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "io/utf8.h"
#include "source/text_input.h"
#include "stream/line_reader.h"

namespace bertprep {

class TextLineReader {
 public:
  TextLineReader(TextInput input, std::uint64_t most_bytes)
      : lines_(std::move(input.name), std::move(input.bytes), input.first_line, input.first_byte) {
    lines_.set_limit(most_bytes);
  }

  // As LineReader::next; throws FormatError with line and byte when the line is not UTF-8, unless it is cut.
  bool next(std::string_view& line) {
    if (!lines_.next(line)) return false;
    if (!lines_.is_cut()) require_valid_utf8(line, lines_.name(), lines_.line_number(), lines_.line_offset());
    return true;
  }

  bool is_cut() const { return lines_.is_cut(); }
  std::uint64_t line_bytes() const { return lines_.line_bytes(); }
  std::string place() const { return lines_.name() + ":" + std::to_string(lines_.line_number()); }

 private:
  LineReader lines_;
};

}  // namespace bertprep
