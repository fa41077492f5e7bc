#include "twins/punkt.h"

#include <algorithm>
#include <optional>

#include "support/golden_data.h"
#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

namespace bertprep::test {
namespace {

using Text = std::u32string;

constexpr int kMiddleUpper = 4, kUpper = 2 + 4 + 8, kBeginLower = 16, kLower = 16 + 32 + 64;

bool in(char32_t c, std::u32string_view characters) {
  return characters.find(c) != characters.npos;
}
bool non_word(char32_t c) {
  return in(c, U")\";}]*:@'({[?!");
}
bool space(char32_t c) {
  return unicode::is_space(c);
}

std::size_t run(const Text& text, std::size_t at, char32_t c) {
  std::size_t end = at;
  while (end < text.size() && text[end] == c) ++end;
  return end - at;
}

std::size_t multi_punctuation(const Text& text, std::size_t at) {
  if (run(text, at, U'-') >= 2) return run(text, at, U'-');
  if (run(text, at, U'.') >= 2) return run(text, at, U'.');
  std::size_t pairs = 0, end = at;
  while (end + 1 < text.size() && text[end] == U'.' && space(text[end + 1])) {
    ++pairs;
    end += 2;
  }
  if (pairs >= 2 && end < text.size() && text[end] == U'.') return end + 1 - at;
  return pairs >= 3 ? end - 1 - at : 0;
}

bool word_may_end(const Text& text, std::size_t at) {
  return at == text.size() || space(text[at]) || non_word(text[at]) || multi_punctuation(text, at) > 0;
}

std::vector<Text> words_of_line(const Text& line) {
  std::vector<Text> words;
  std::size_t at = 0;
  while (at < line.size()) {
    std::size_t end = at + 1;
    if (space(line[at])) {
      at = end;
      continue;
    }
    if (const std::size_t length = multi_punctuation(line, at)) {
      end = at + length;
    } else if (!in(line[at], U"(\"`{[:;&#*@)}]-,")) {
      while (!word_may_end(line, end) && !(line[end] == U',' && word_may_end(line, end + 1))) ++end;
    }
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::vector<Text> words_of(const Text& text) {
  std::vector<Text> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(U'\n', begin), text.size());
    for (Text& word : words_of_line(text.substr(begin, end - begin))) words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

bool is_number(Text text) {
  if (!text.empty() && text.front() == U'-') text.erase(0, 1);
  if (!text.empty() && in(text.front(), U".,")) text.erase(0, 1);
  if (text.empty() || !unicode::is_decimal_digit(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char32_t c) { return in(c, U",.-") || unicode::is_decimal_digit(c); });
}

std::string lower_case(const Text& text) {
  return unicode::encode(unicode::lower(text));
}

}  // namespace

PlainPunkt::PlainPunkt(const std::filesystem::path& folder) {
  for (const auto& line : read_lines(folder / "abbrev_types.txt")) abbreviations_.insert(line);
  for (const auto& line : read_lines(folder / "sent_starters.txt")) starters_.insert(line);
  for (const auto& line : read_lines(folder / "collocations.tab")) {
    const auto cells = split_tabs(line);
    collocations_.emplace(cells.at(0), cells.at(1));
  }
  for (const auto& line : read_lines(folder / "ortho_context.tab")) {
    const auto cells = split_tabs(line);
    seen_[cells.at(0)] = std::stoi(cells.at(1));
  }
}

std::vector<std::string> PlainPunkt::sentences(std::string_view article) const {
  const Text text = unicode::decode(article);
  std::vector<Slice> slices;
  std::size_t begin = 0;
  for (const Context& context : contexts(text)) {
    if (!contains_break(context.text)) continue;
    slices.emplace_back(begin, context.mark + 1);
    begin = context.next_begin;
  }
  std::size_t end = text.size();
  while (end > 0 && space(text[end - 1])) --end;
  slices.emplace_back(begin, end);
  std::vector<std::string> sentences;
  for (const auto& [from, to] : realigned(text, slices)) {
    sentences.push_back(unicode::encode(text.substr(from, to - from)));
  }
  return sentences;
}

std::vector<PlainPunkt::Context> PlainPunkt::contexts(const Text& article) {
  std::vector<Context> contexts;
  std::optional<Context> pending;
  std::size_t word_begin = 0, last_mark = 0;
  for (std::size_t mark = 0; mark + 1 < article.size(); ++mark) {
    if (!in(article[mark], U".?!")) continue;
    std::size_t next = mark + 1, end = mark + 2;
    if (!non_word(article[next])) {
      while (next < article.size() && space(article[next])) ++next;
      if (next == mark + 1 || next == article.size()) continue;
      end = next;
      while (end < article.size() && !space(article[end])) ++end;
    }
    const Text before = article.substr(last_mark, mark - last_mark);
    const std::size_t blank = before.find_last_of(U" \t\n\r\v\f");
    if (blank != Text::npos && blank != 0) word_begin = last_mark + blank + 1;
    if (pending && last_mark <= word_begin) contexts.push_back(*pending);
    pending = Context{article.substr(word_begin, end - word_begin), mark, next};
    last_mark = mark;
  }
  if (pending) contexts.push_back(*pending);
  return contexts;
}

std::vector<PlainPunkt::Slice> PlainPunkt::realigned(const Text& article, const std::vector<Slice>& slices) {
  std::vector<Slice> result;
  std::size_t carry = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::size_t begin = slices[i].first + carry, end = slices[i].second;
    carry = 0;
    if (i + 1 < slices.size()) {
      const Text next = article.substr(slices[i + 1].first, slices[i + 1].second - slices[i + 1].first);
      const std::size_t closers = std::min(next.find_first_not_of(U"\"')]}"), next.size());
      std::size_t rest = closers;
      while (rest < next.size() && space(next[rest])) ++rest;
      if (closers > 0 && (rest > closers || rest == next.size() || next.compare(closers, 2, U"--") == 0)) {
        result.emplace_back(begin, slices[i + 1].first + closers);
        carry = rest;
        continue;
      }
    }
    if (begin < end) result.emplace_back(begin, end);
  }
  return result;
}

std::string PlainPunkt::Token::without_period() const {
  return type.size() > 1 && type.back() == '.' ? type.substr(0, type.size() - 1) : type;
}

PlainPunkt::Token PlainPunkt::make_token(const Text& word) const {
  Token token;
  token.text = word;
  token.type = is_number(unicode::lower(word)) ? "##number##" : lower_case(word);
  token.initial = word.size() == 2 && word[1] == U'.' && unicode::is_word_not_digit(word[0]);
  if (word == U"." || word == U"?" || word == U"!") {
    token.sentence_break = true;
  } else if (run(word, 0, U'.') == word.size()) {
    token.ellipsis = true;
  } else if (word.back() == U'.' && word[word.size() - 2] != U'.') {
    const std::string stem = lower_case(word.substr(0, word.size() - 1));
    token.abbreviation = abbreviations_.contains(stem) || abbreviations_.contains(stem.substr(stem.rfind('-') + 1));
    token.sentence_break = !token.abbreviation;
  }
  return token;
}

bool PlainPunkt::contains_break(const Text& context) const {
  std::vector<Token> tokens;
  for (const Text& word : words_of(context)) tokens.push_back(make_token(word));
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) judge_pair(tokens[i], tokens[i + 1]);
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const Token& token) { return token.sentence_break && &token != &tokens.back(); });
}

void PlainPunkt::judge_pair(Token& token, const Token& next) const {
  if (token.text.back() != U'.') return;
  const std::string type = token.without_period(), next_type = next.without_sentence_period();
  const bool next_upper = unicode::is_upper(next.text.front());
  const int starts = starts_sentence(next);
  if (collocations_.contains({type, next_type})) {
    token.sentence_break = false;
    token.abbreviation = true;
    return;
  }
  if ((token.abbreviation || token.ellipsis) && !token.initial &&
      (starts == 1 || (next_upper && starters_.contains(next_type)))) {
    token.sentence_break = true;
    return;
  }
  const bool joined = token.initial || type == "##number##";
  const bool name = starts == -1 && token.initial && next_upper && (seen(next_type) & kLower) == 0;
  if (joined && (starts == 0 || name)) {
    token.sentence_break = false;
    token.abbreviation = true;
  }
}

int PlainPunkt::starts_sentence(const Token& token) const {
  if (token.text.size() == 1 && in(token.text.front(), U";:,.!?")) return 0;
  const int bits = seen(token.without_sentence_period());
  if (unicode::is_upper(token.text.front()) && (bits & kLower) != 0 && (bits & kMiddleUpper) == 0) return 1;
  if (unicode::is_lower(token.text.front()) && ((bits & kUpper) != 0 || (bits & kBeginLower) == 0)) return 0;
  return -1;
}

int PlainPunkt::seen(const std::string& type) const {
  const auto found = seen_.find(type);
  return found == seen_.end() ? 0 : found->second;
}

}  // namespace bertprep::test
