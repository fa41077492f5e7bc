// LineMarks: the lines of files, counted while their bytes are read for another purpose, so that the lines before a
// byte can be counted from a mark near it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include "stream/byte_stream.h"

namespace bertprep {

// Memory: 8 bytes for each MiB of the files.
class LineMarks final : public ReadObserver {
 public:
  // A place in a file, and the number of line feeds before it.
  struct Mark {
    std::uint64_t byte = 0;
    std::uint64_t lines = 0;
  };

  // The bytes of a file come in order, from its beginning.
  void begin_file(const std::filesystem::path& file) override;
  void see(std::uint64_t begin, std::string_view bytes) override;

  // The last mark at or before `byte`: the beginning of a file that was not seen.
  Mark before(const std::filesystem::path& file, std::uint64_t byte) const;

 private:
  std::map<std::filesystem::path, std::vector<std::uint64_t>> files_;  // lines before each further MiB
  std::vector<std::uint64_t>* marks_ = nullptr;                        // of the current file
  std::uint64_t lines_ = 0;                                            // so far
};

}  // namespace bertprep
