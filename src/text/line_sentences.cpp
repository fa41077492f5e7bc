#include "text/line_sentences.h"
#include "io/strip.h"

#include <algorithm>

namespace bertprep {

void LineSplitter::split(std::string_view article, std::vector<std::string_view>& sentences) const {
  sentences.clear();
  while (!article.empty()) {
    const std::size_t end = std::min(article.find('\n'), article.size());
    const std::string_view line = strip(article.substr(0, end));
    if (!line.empty()) sentences.push_back(line);
    article.remove_prefix(std::min(end + 1, article.size()));
  }
}

}  // namespace bertprep
