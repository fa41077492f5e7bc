#include "source/articles_source.h"

#include "io/strip.h"

namespace bertprep {

bool ArticlesSource::next(Document& document) {
  document.title.clear();
  for (std::string_view line; lines_.next(line);) {
    if (lines_.is_cut()) {
      limit_.reject(lines_.place(), lines_.line_bytes(), line);
      continue;
    }
    if (strip(line).empty()) continue;
    document.text = strip_end(line);
    return true;
  }
  return false;
}

}  // namespace bertprep
