// SentenceBreaks: where sentences end by ICU's rules, and the abbreviations that join them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep::unicode {

class SentenceBreaks {
 public:
  // `language` is a BCP 47 tag; ICU's rules of no particular language serve those that it does not know.
  explicit SentenceBreaks(const std::string& language);
  ~SentenceBreaks();

  // The offsets in `text` (valid UTF-8, below 2 GiB) at which sentences end, the last one at its end. A sentence
  // includes the white space behind it.
  std::vector<std::size_t> ends(std::string_view text) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;
};

// The version of ICU, whose rules they are: "72.1".
std::string sentence_rules_version();

}  // namespace bertprep::unicode
