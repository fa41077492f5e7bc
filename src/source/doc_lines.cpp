#include "source/doc_lines.h"

namespace bertprep {

bool DocLines::take(std::string_view line) {
  if (is_finished_) text_.clear();
  is_finished_ = false;
  is_head_ = line.find("<doc id=") != std::string_view::npos;
  if (is_head_) {
    is_open_ = true;
  } else if (line.find("</doc>") != std::string_view::npos) {
    is_open_ = false;
    has_title_ = false;
    is_finished_ = true;
  } else if (is_open_ && has_title_) {
    text_ += line;
  } else if (is_open_) {
    has_title_ = true;
  }
  return is_finished_;
}

}  // namespace bertprep
