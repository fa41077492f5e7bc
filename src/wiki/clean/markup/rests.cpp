#include "wiki/clean/markup/rests.h"

#include <algorithm>
#include <utility>

#include "unicode/byte_search.h"
#include "unicode/properties/properties.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Brackets, whose inside may vanish in parts.
constexpr Pair kBrackets[] = {{"(", ")"},   {"[", "]"},   {"（", "）"}, {"［", "］"},
                              {"【", "】"}, {"〔", "〕"}, {"(", "）"},  {"（", ")"}};

// What else vanishes around nothing; within these there may be blanks.
constexpr Pair kQuotes[] = {{"“", "”"},   {"„", "“"},   {"„", "”"},   {"«", "»"},   {"‹", "›"},
                            {"「", "」"}, {"『", "』"}, {"〈", "〉"}, {"《", "》"}, {"〖", "〗"},
                            {"｢", "｣"},   {"⟨", "⟩"},   {"¿", "?"},   {"¡", "!"}};

// With a blank these are the end of one quotation and the begin of another.
constexpr Pair kTightQuotes[] = {{"\"", "\""}, {"‘", "’"}, {"‚", "‘"}, {"»", "«"}, {"›", "‹"}, {"”", "”"}};

constexpr std::string_view kSeparators[] = {",", ";", ":", "、", "，", "；", "：", "・", "·", "،", "؛", "–", "—", "―"};
constexpr std::string_view kStops[] = {".", "!", "?", "。", "．", "！", "？", "।", "؟", "۔"};
constexpr std::string_view kWideStops[] = {"。", "．", "！", "？", "।", "؟", "۔"};
constexpr auto kPartEnds = std::to_array<std::string_view>({",", ";", "、", "，", "；", "،", "؛"});

// Before which no blank stands: the punctuation of wide text.
bool is_wide_closing(std::string_view text) {
  return length_at_begin(text, {"、", "，", "。", "．", "；", "：", "！", "？", "）", "］", "】", "〕", "」", "』",
                                "〉", "》", "・"}) != 0;
}

std::size_t opening_length(std::string_view text) {
  return length_at_begin(text, {"(", "[", "（", "［", "【", "〔"});
}

std::size_t closing_length(std::string_view text) {
  return length_at_begin(text, {")", "]", "）", "］", "】", "〕"});
}

bool ends_with_opening(std::string_view text) {
  return length_at_end(text, {"(", "[", "（", "［", "【", "〔"}) != 0;
}

// Walks from mark to mark; `out_` ends with what stands before the mark, `rest_` is what stands behind it.
class RestRemover {
 public:
  explicit RestRemover(std::string_view text) : rest_(text) {}

  std::string run() {
    for (;;) {
      const std::size_t mark = std::min(find_any<kHoleMark, kGoneMark>(rest_), rest_.size());
      out_.append(rest_.substr(0, mark));
      rest_.remove_prefix(mark);
      if (rest_.empty()) return std::move(out_);
      take_mark();
    }
  }

 private:
  void take_mark() {
    is_hole_ = false;
    is_after_blank_ = is_before_blank_ = false;
    take_blanks();
    while (drop_pair() || drop_separator() || drop_following()) take_blanks();
    const bool is_tight = is_wide_closing(rest_);
    if (is_after_blank_ && !is_tight && !out_.empty()) out_.push_back(' ');
    out_.push_back(is_hole_ ? kHoleMark : kGoneMark);
    if (is_before_blank_ && !is_tight) out_.push_back(' ');
  }

  // Blanks and marks at both sides.
  void take_blanks() {
    const bool was_after = std::exchange(is_after_blank_, false);
    const bool was_before = std::exchange(is_before_blank_, false);
    for (; !out_.empty() && (out_.back() == ' ' || is_lost_mark(out_.back())); out_.pop_back()) {
      is_hole_ |= out_.back() == kHoleMark;
      is_after_blank_ |= out_.back() == ' ';
    }
    for (; !rest_.empty() && (rest_.front() == ' ' || is_lost_mark(rest_.front())); rest_.remove_prefix(1)) {
      is_hole_ |= rest_.front() == kHoleMark;
      is_before_blank_ |= rest_.front() == ' ';
    }
    is_tight_ = !is_after_blank_ && !is_before_blank_;
    is_after_blank_ |= was_after;
    is_before_blank_ |= was_before;
  }

  template <typename Pairs>
  bool drop_pair_of(const Pairs& pairs) {
    for (const auto& [opening, closing] : pairs) {
      if (!rest_.starts_with(closing) || !out_.ends_with(opening)) continue;
      out_.resize(out_.size() - opening.size());
      rest_.remove_prefix(closing.size());
      return true;
    }
    return false;
  }

  // Brackets that held nothing else took the hole with them, unless they are those of a function.
  bool drop_pair() {
    if (drop_pair_of(kBrackets)) {
      const bool is_function = !out_.empty() && is_ascii(out_.back()) && is_word_byte(out_.back());
      if (!is_function) is_hole_ = false;
      return true;
    }
    return drop_pair_of(kQuotes) || (is_tight_ && drop_pair_of(kTightQuotes));
  }

  // "a, [hole], b", "a: [hole].": one separator is enough.
  bool drop_separator() {
    const std::size_t bytes = length_at_end(out_, kSeparators);
    if (bytes == 0) return false;
    const std::size_t next = length_at_begin(rest_, kSeparators);
    // Two of these are tidy()'s.
    if (next == 1 && (out_.ends_with(',') || out_.ends_with(';'))) return false;
    if (next == 0 && (is_bound(bytes) || (!begins_with_stop() && closing_length(rest_) == 0))) return false;
    out_.resize(out_.size() - bytes);
    while (out_.ends_with(' ')) out_.pop_back();
    return true;
  }

  // 1990–[hole], 3·[hole], 5:[hole]
  bool is_bound(std::size_t bytes) const {
    const std::string_view before = std::string_view(out_).substr(0, out_.size() - bytes);
    const std::string_view sign = std::string_view(out_).substr(before.size());
    if (sign == ":") return !before.empty() && is_ascii_digit(before.back());
    return (sign == "·" || sign == "–" || sign == "—") && !before.ends_with(' ');
  }

  bool begins_with_stop() const {
    const std::size_t bytes = length_at_begin(rest_, kStops);
    return bytes != 0 && (bytes == rest_.size() || !is_word_byte(rest_[bytes]) || bytes > 1);
  }

  // A separator that follows nothing: at the beginning, behind a full stop or an opening bracket.
  bool drop_following() {
    const std::size_t separator = length_at_begin(rest_, kPartEnds);
    const bool is_first = out_.empty() || length_at_end(out_, kWideStops) != 0;
    const std::size_t stop = is_first ? length_at_begin(rest_, kWideStops) : 0;
    const std::size_t dropped = separator != 0 && (is_first || ends_with_opening(out_)) ? separator : stop;
    rest_.remove_prefix(dropped);
    return dropped != 0;
  }

  std::string_view rest_;
  std::string out_;
  bool is_hole_ = false;
  bool is_after_blank_ = false;
  bool is_before_blank_ = false;
  bool is_tight_ = false;  // no blank next to the mark
};

constexpr std::size_t kLongestBracket = 4000;

bool is_pair(std::string_view at_opening, std::string_view at_closing) {
  return std::ranges::any_of(kBrackets, [&](const Pair& pair) {
    return at_opening.starts_with(pair.first) && at_closing.starts_with(pair.second);
  });
}

bool is_of_function(std::string_view text, std::size_t at) {
  return at > 0 && is_ascii(text[at]) && is_ascii(text[at - 1]) && (is_word_byte(text[at - 1]) || text[at - 1] == ')');
}

// For each opening bracket its closing one, those of functions left out.
std::vector<std::pair<std::size_t, std::size_t>> find_brackets(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const std::size_t opening = opening_length(rest);
    const std::size_t closing = closing_length(rest);
    if (opening != 0) {
      open.push_back(at);
    } else if (closing != 0) {
      while (!open.empty() && !is_pair(text.substr(open.back()), rest)) open.pop_back();
      if (!open.empty()) {
        const std::size_t begin = open.back();
        open.pop_back();
        if (at - begin < kLongestBracket && !is_of_function(text, begin)) found.emplace_back(begin, at);
      }
    }
    at += std::max<std::size_t>(1, opening + closing);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Whether coordinates are left: digits and signs, but no number long enough for a year.
bool holds_coordinates(std::string_view inside) {
  std::size_t digits = 0;
  bool has_digit = false;
  for (std::size_t at = 0; at < inside.size();) {
    const auto [c, bytes] = unicode::code_point_at(inside, at);
    at += bytes;
    digits = unicode::is_decimal_digit(c) ? digits + 1 : 0;
    has_digit |= digits > 0;
    if (digits > 2 || c == '*' || c == U'†' || unicode::is_letter_or_mark(c)) return false;
  }
  return has_digit;
}

bool holds_words(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [c, bytes] = unicode::code_point_at(text, at);
    at += bytes;
    if (unicode::is_letter_or_mark(c) || unicode::is_decimal_digit(c)) return true;
  }
  return false;
}

class PartRemover {
 public:
  explicit PartRemover(std::string_view text) : text_(text), brackets_(find_brackets(text)) {}

  std::string run() {
    for (std::size_t at = 0; at < text_.size();) {
      if (next_ < brackets_.size() && brackets_[next_].first == at) {
        at = open(at);
      } else if (!levels_.empty() && at == levels_.back().closing) {
        at = close(at);
      } else {
        at = take(at);
      }
    }
    return std::move(out_);
  }

 private:
  struct Level {
    std::size_t opening;  // in the text
    std::size_t closing;
    std::size_t out_begin;   // of the bracket, in `out_`
    std::size_t part_begin;  // of the part that is read
    bool is_lost = false;    // the part
    bool has_lost = false;   // an earlier part
  };

  std::size_t bytes_at(std::size_t at) const { return unicode::code_point_at(text_, at).bytes; }

  std::size_t open(std::size_t at) {
    const std::size_t bytes = bytes_at(at);
    const std::size_t begin = out_.size();
    out_.append(text_.substr(at, bytes));
    levels_.push_back({at, brackets_[next_++].second, begin, out_.size()});
    return at + bytes;
  }

  std::size_t take(std::size_t at) {
    const std::size_t separator = levels_.empty() ? 0 : length_at_begin(text_.substr(at), kPartEnds);
    const bool is_number = separator == 1 && at + 1 < text_.size() && is_ascii_digit(text_[at + 1]);
    if (separator != 0 && !is_number) {
      Level& level = levels_.back();
      if (drop_part(level)) drop_separators(level);
      if (out_.size() > level.out_begin + bytes_at(level.opening)) out_.append(text_.substr(at, separator));
      level.part_begin = out_.size();
      return at + separator;
    }
    const bool is_lead = !levels_.empty() && levels_.back().has_lost && out_.size() == levels_.back().part_begin;
    if (text_[at] == ' ' && is_lead && ends_with_opening(out_)) return at + 1;
    if (text_[at] == kHoleMark && !levels_.empty()) levels_.back().is_lost = true;
    out_.push_back(text_[at]);
    return at + 1;
  }

  bool drop_part(Level& level) {
    if (!level.is_lost) return false;
    out_.resize(level.part_begin);
    level.is_lost = false;
    return level.has_lost = true;
  }

  std::size_t close(std::size_t at) {
    const std::size_t end = at + bytes_at(at);
    Level level = levels_.back();
    levels_.pop_back();
    if (drop_part(level)) drop_separators(level);
    const std::size_t inside = level.out_begin + bytes_at(level.opening);
    const std::string_view left = std::string_view(out_).substr(std::min(inside, out_.size()));
    if (level.has_lost && holds_coordinates(left)) {
      out_.resize(level.out_begin);
      out_.append(text_.substr(level.opening, end - level.opening));
      if (!levels_.empty()) levels_.back().is_lost = true;
    } else if (level.has_lost && !holds_words(left)) {
      out_.resize(level.out_begin);
      out_.push_back(kGoneMark);
    } else {
      out_.append(text_.substr(at, end - at));
    }
    return end;
  }

  // Those before a part that is gone.
  void drop_separators(const Level& level) {
    const std::size_t inside = level.out_begin + bytes_at(level.opening);
    for (;;) {
      const std::string_view left = std::string_view(out_).substr(inside);
      const std::size_t bytes = left.ends_with(' ') ? 1 : length_at_end(left, kPartEnds);
      if (bytes == 0) return;
      out_.resize(out_.size() - bytes);
    }
  }

  std::string_view text_;
  std::vector<std::pair<std::size_t, std::size_t>> brackets_;
  std::size_t next_ = 0;
  std::vector<Level> levels_;
  std::string out_;
};

}  // namespace

void remove_rests(std::string& text) {
  if (find_any<kHoleMark, kGoneMark>(text) == std::string_view::npos) return;
  text = RestRemover(text).run();
}

void remove_lost_parts(std::string& text) {
  if (text.find(kHoleMark) == std::string::npos) return;
  text = PartRemover(text).run();
}

std::size_t close_up(std::string& out, std::size_t size, std::string_view source, std::size_t at) {
  const std::size_t sign = std::min(source.find_first_not_of(' ', at), source.size());
  if (sign == source.size() || is_ascii(source[sign]) || !is_wide_closing(source.substr(sign))) return at;
  if (out.size() != size) return sign;
  while (out.ends_with(' ')) out.pop_back();
  if (!out.empty() && !is_ascii(out.back())) out.push_back(kGoneMark);
  return sign;
}

}  // namespace bertprep::clean
