// Elements that go with all they hold: <table>...</table>, <ref>...</ref>, <gallery>...</gallery> and their like.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wiki/markup/nested_drop.h"
#include "wiki/markup/word_characters.h"

namespace bertprep {

class Elements {
 public:
  // True: `out` is the new text. False: nothing changes. The names of tag_names.h are taken one after the other, each
  // with nested_drop's rules, on what the one before left: what stood apart may form a new tag. An opening tag with a /
  // among its attributes counts as text.
  bool drop(std::string_view text, const WordCharacters& words, std::string& out);

 private:
  struct Tag {
    MarkupSpan span;
    std::uint8_t element;  // as in TagClass
    bool is_closing;
  };

  void find_tags(std::string_view text, std::size_t first_element, const WordCharacters& words);
  bool drop_element(std::size_t element, std::string_view text, std::string& out);

  std::vector<Tag> tags_;
  std::uint64_t opened_ = 0, closed_ = 0;  // a bit for each element
  std::vector<MarkupSpan> spans_;
  std::string spare_;
};

}  // namespace bertprep
