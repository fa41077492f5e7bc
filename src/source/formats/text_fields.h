// What formats of records with named fields share: which fields are the text, how to join them and name them in
// messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// The names in `text_field` (SourceOptions): all of it and, if it names several fields, each of them.
std::vector<std::string> text_fields_of(const std::string& text_field);

// JoinedText: fields as paragraphs of one text; skips blank ones.
class JoinedText {
 public:
  // Clears `text`, which must outlive the object.
  explicit JoinedText(std::string& text) : text_(text) { text.clear(); }

  void add(std::string_view field);

 private:
  std::string& text_;
};

// A name in quotes, on one line and shortened.
std::string quoted_key(std::string_view key);
// The first eight of them.
std::string listed_keys(std::span<const std::string_view> keys);

}  // namespace bertprep
