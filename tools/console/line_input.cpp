#include "console/line_input.h"

#include <fstream>
#include <iostream>
#include <string>

#include "bertprep/base/error.h"
#include "console/signals.h"
#include "console/standard_input.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

void read_lines(std::istream& stream, const std::string& name, const std::function<void(std::string_view)>& line) {
  std::string text;
  std::size_t number = 0;
  std::size_t offset = 0;
  while (std::getline(stream, text)) {
    require_valid_utf8(text, name, ++number, offset);
    offset += text.size() + 1;
    line(text);
  }
  if (stream.bad()) throw IoError("can't be read", name);
}

void read_standard_input(const std::function<void(std::string_view)>& line) {
  std::ios::sync_with_stdio(false);
  read_lines(std::cin, kStandardInput, line);
}

}  // namespace

void for_each_input_line(const std::vector<std::filesystem::path>& files,
                         const std::function<void(std::string_view)>& line) {
  end_at_signals();
  if (signal_received() != 0) throw Cancelled();
  if (files.empty()) read_standard_input(line);
  for (const auto& file : files) {
    if (file == kDash) {
      read_standard_input(line);
      continue;
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file)) {
      throw IoError::from_errno("can't be opened", file, std::filesystem::is_directory(file) ? EISDIR : errno);
    }
    read_lines(stream, file, line);
  }
}

}  // namespace bertprep::cli
