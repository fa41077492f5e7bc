// PunktParameters: what Punkt has learned about a language, in NLTK's punkt_tab layout.
//
// A folder with four UTF-8 files of LF lines: abbrev_types.txt and sent_starters.txt (one word per line),
// collocations.tab (two words separated by a tab), ortho_context.tab (a word, a tab, the OrthographicContext bits as a
// number).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace bertprep {

// In which case and position a word occurred in the training text; the bits of NLTK's ortho_context.
enum OrthographicContext : std::uint8_t {
  kMiddleUpper = 4,
  kAnyUpper = 2 + 4 + 8,
  kBeginLower = 16,
  kAnyLower = 16 + 32 + 64,
};

class PunktParameters {
 public:
  // Throws IoError for a missing folder or file, FormatError for a damaged one; both name it.
  static PunktParameters load(const std::filesystem::path& folder);

  // Words are in lower case, "##number##" for numbers.
  bool is_abbreviation(std::string_view word) const { return abbreviations_.contains(word); }
  bool is_sentence_starter(std::string_view word) const { return sentence_starters_.contains(word); }
  bool is_collocation(std::string_view first, std::string_view second) const;
  std::uint8_t orthographic_context(std::string_view word) const;

  // SHA-256 over the names, sizes and bytes of the four files.
  const std::string& sha256() const { return sha256_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Words = std::unordered_set<std::string, Hash, std::equal_to<>>;
  template <class Value>
  using WordMap = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

  Words abbreviations_;
  Words sentence_starters_;
  WordMap<Words> collocations_;  // first word -> second words
  WordMap<std::uint8_t> orthographic_contexts_;
  std::string sha256_;
};

}  // namespace bertprep
