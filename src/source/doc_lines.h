// DocLines: <doc> elements -> the lines of articles, as the reference's formatting sees them.
//
// It goes by lines that contain "<doc id=" and "</doc>", wherever these stand. Hence text with such words in it gives
// several articles, or loses lines; that is followed.
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

class DocLines {
 public:
  // Takes a line with its LF. True: an article has ended, its lines but the first (the title) are in text().
  bool take(std::string_view line);

  std::string& text() { return text_; }
  bool is_head() const { return is_head_; }  // the line that has just been taken begins an article
  bool is_open() const { return is_open_; }  // an article has begun and not ended

 private:
  bool is_open_ = false;
  bool is_head_ = false;
  bool has_title_ = false;
  bool is_finished_ = false;
  std::string text_;
};

}  // namespace bertprep
