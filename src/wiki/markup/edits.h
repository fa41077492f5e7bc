// Edits: copies a text while replacing some of its parts, in order, as every stage of markup does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bertprep {

// Where nothing was found.
inline constexpr std::size_t kNotFound = std::string_view::npos;

// What a stage did to a text: nothing, wrote a new one, or gave up because it exceeds the budget of work.
enum class Rewrite : unsigned char { kUnchanged, kChanged, kGivenUp };

class Edits {
 public:
  // `out` must not contain `text`; nothing is written to it before the first edit.
  Edits(std::string_view text, std::string& out) : text_(text), out_(out) {}

  // Edits must not overlap and must be in the order of the text.
  void replace(std::size_t begin, std::size_t end, std::string_view by) {
    keep_until(begin);
    out_.append(by);
    copied_ = end;
  }
  void replace(std::size_t begin, std::size_t end, char by) {
    keep_until(begin);
    out_.push_back(by);
    copied_ = end;
  }
  void erase(std::size_t begin, std::size_t end) {
    keep_until(begin);
    copied_ = end;
  }

  // True: `out` is the edited text. False: there was no edit, and `out` is unchanged.
  bool finish() {
    if (changed_) out_.append(text_.substr(copied_));
    return changed_;
  }

 private:
  void keep_until(std::size_t begin) {
    if (!changed_) out_.clear();
    changed_ = true;
    out_.append(text_.data() + copied_, begin - copied_);
  }

  std::string_view text_;
  std::string& out_;
  std::size_t copied_ = 0;
  bool changed_ = false;
};

}  // namespace bertprep
