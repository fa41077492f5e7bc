// The decompressed content of a file.
#pragma once

#include <filesystem>
#include <string>

#include "stream/open_stream.h"

namespace bertprep::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::string text;
  const auto stream = open_stream(path);
  for (std::string_view bytes = stream->next_block(); !bytes.empty(); bytes = stream->next_block()) text += bytes;
  return text;
}

}  // namespace bertprep::test
