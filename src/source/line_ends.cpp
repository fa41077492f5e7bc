#include "source/line_ends.h"

namespace bertprep {

void end_lines_at_feeds(std::string& text) {
  std::size_t out = text.find('\r');
  if (out == std::string::npos) return;
  for (std::size_t in = out; in < text.size(); ++in) {
    const bool is_return = text[in] == '\r';
    if (is_return && in + 1 < text.size() && text[in + 1] == '\n') ++in;
    text[out++] = is_return ? '\n' : text[in];
  }
  text.resize(out);
}

}  // namespace bertprep
