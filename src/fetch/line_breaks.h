// LineBreaks: puts an empty line behind every N lines of a text that has no boundaries of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

class LineBreaks {
 public:
  explicit LineBreaks(std::uint64_t lines) : lines_(lines) {}

  // Appends `block` with the empty lines that fall into it.
  void append(std::string_view block, std::string& out) {
    while (!block.empty()) {
      const std::size_t end = block.find('\n');
      const std::string_view line = block.substr(0, end == std::string_view::npos ? block.size() : end + 1);
      out += line;
      block.remove_prefix(line.size());
      if (end == std::string_view::npos || ++count_ % lines_ != 0) continue;
      out += '\n';
    }
  }

 private:
  std::uint64_t lines_;
  std::uint64_t count_ = 0;
};

}  // namespace bertprep
