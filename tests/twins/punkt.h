// PlainPunkt: a readable Punkt, over code points and step by step: the twin of the fast one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bertprep::test {

class PlainPunkt {
 public:
  explicit PlainPunkt(const std::filesystem::path& folder);

  // `article` is valid UTF-8.
  std::vector<std::string> sentences(std::string_view article) const;

 private:
  struct Token {
    std::u32string text;
    std::string type;
    bool sentence_break = false;
    bool abbreviation = false;
    bool ellipsis = false;
    bool initial = false;

    std::string without_period() const;
    std::string without_sentence_period() const { return sentence_break ? without_period() : type; }
  };
  struct Context {
    std::u32string text;
    std::size_t mark;
    std::size_t next_begin;
  };
  using Slice = std::pair<std::size_t, std::size_t>;

  static std::vector<Context> contexts(const std::u32string& article);
  static std::vector<Slice> realigned(const std::u32string& article, const std::vector<Slice>& slices);

  Token make_token(const std::u32string& word) const;
  bool contains_break(const std::u32string& context) const;
  void judge_pair(Token& token, const Token& next) const;
  // 1 yes, 0 no, -1 unknown
  int starts_sentence(const Token& token) const;
  int seen(const std::string& type) const;

  std::set<std::string> abbreviations_;
  std::set<std::string> starters_;
  std::set<std::pair<std::string, std::string>> collocations_;
  std::map<std::string, int> seen_;
};

}  // namespace bertprep::test
