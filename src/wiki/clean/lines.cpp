#include "wiki/clean/lines.h"

#include <algorithm>

#include "unicode/byte_search.h"
#include "unicode/properties/properties.h"
#include "wiki/clean/inline.h"
#include "wiki/clean/links.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/rests.h"
#include "wiki/clean/markup/tidy.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kMostSamples = 20;
constexpr std::size_t kLongestSample = 300;
constexpr std::size_t kLongestQuotation = 1000;

// "J." and "5.": an initial or an ordinal, beyond the abbreviations that ICU knows.
bool ends_in_short_word(std::string_view sentence) {
  sentence = trim_right(sentence);
  if (!sentence.ends_with('.')) return false;
  sentence.remove_suffix(1);
  std::size_t digits = 0;
  for (; !sentence.empty() && is_ascii_digit(sentence.back()); sentence.remove_suffix(1)) ++digits;
  if (digits > 0) return digits < 3 && (sentence.empty() || sentence.back() == ' ');
  if (sentence.empty()) return false;
  const auto [c, bytes] = unicode::code_point_before(sentence, sentence.size());
  sentence.remove_suffix(bytes);
  return unicode::is_upper(c) && (sentence.empty() || !is_word_byte(sentence.back()));
}

struct Quotation {
  std::size_t begin;
  std::size_t end;  // of what is quoted
};

// By begin; those that are closed, and in brackets.
std::vector<Quotation> quotations_in(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}, {"(", ")"}, {"（", "）"}, {"\"", "\""}};
  std::vector<Quotation> quotations;
  for (const auto& [opening, closing] : kPairs) {
    for (std::size_t open = text.find(opening); open != std::string_view::npos;) {
      const std::size_t inside = open + opening.size();
      const std::size_t close = text.substr(0, inside + kLongestQuotation).find(closing, inside);
      const bool is_closed = close != std::string_view::npos;
      if (is_closed) quotations.push_back({open, close});
      open = text.find(opening, is_closed ? close + closing.size() : inside);
    }
  }
  std::ranges::sort(quotations, {}, &Quotation::begin);
  return quotations;
}

std::string_view without_end_marks(std::string_view sentence) {
  return sentence.substr(0, sentence.find_last_not_of(" \x0E\x0F") + 1);
}

bool ends_in_stop(std::string_view sentence) {
  for (const std::string_view sign : {"\"", ")", "”", "»", "」", "』", "）", "’"}) {
    if (sentence.ends_with(sign)) sentence.remove_suffix(sign.size());
  }
  return length_at_end(sentence, {".", "!", "?", "…", "。", "！", "？", "।", "؟", "۔"}) != 0;
}

// Whether a sentence lost its beginning: a small letter or a separator follows; in the first sentence also, without a
// blank, a letter of a script that has no small ones.
bool lost_its_begin(std::string_view rest, bool is_first) {
  const std::size_t at = rest.find_first_not_of(" \x0E\x0F\"'([");
  if (at == std::string_view::npos) return false;
  const char32_t c = unicode::code_point_at(rest, at).value;
  if (unicode::is_lower(c) || c == ',' || c == ';' || c == ')' || c == U'，' || c == U'、' || c == U'،') return true;
  return is_first && at == 0 && unicode::is_word_not_digit(c) && !unicode::is_upper(c);
}

void add_sample(std::string_view text, PageLosses& losses) {
  ++losses.left_out;
  if (losses.samples.size() == kMostSamples) return;
  std::string sample(trim(text));
  replace_all(sample, std::string_view(&kHoleMark, 1), "{{…}}");
  if (sample.size() > kLongestSample) {
    std::size_t end = kLongestSample;
    while (unicode::is_continuation_byte(sample[end])) --end;
    sample.resize(end);
    sample += "…";
  }
  std::erase_if(sample, [](char byte) { return byte >= 0 && byte < ' '; });
  losses.samples.push_back(std::move(sample));
}

constexpr int kMaxRounds = 8;
constexpr std::size_t kShortestIndentedProse = 60;
constexpr std::size_t kShortestIndentedParagraph = 100;

bool is_item(char first) {
  return first == '*' || first == '#' || first == ':' || first == ';';
}

// Rows of a table whose beginning was lost.
bool is_row(std::string_view line) {
  if (line.starts_with('|') || line.starts_with("{|")) return true;
  return line.starts_with('!') && line.find_first_of("|!", 1) != std::string_view::npos;
}

// A line that begins with a blank is preformatted: code, or a sentence whose writer did not mean it.
bool is_indented_prose(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.size() < kShortestIndentedProse || text.find("   ") != std::string_view::npos) return false;
  const auto words =
      std::count_if(text.begin(), text.end(), [](char byte) { return is_word_byte(byte) || byte == ' '; });
  return static_cast<std::size_t>(words) * 10 > text.size() * 9;
}

// ":" before whole sentences sets a quotation; before a few words, a formula or a remark in italics.
bool is_indented_paragraph(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(": "), line.size());
  const std::string_view text = line.substr(begin);
  if (begin == 0 || text.size() < kShortestIndentedParagraph || is_item(text.front()) || is_row(text)) return false;
  const std::size_t end = text.find_last_not_of("'\"”»)");
  const bool is_remark = text.starts_with("''") && !text.starts_with("'''") && text.ends_with("''");
  return !is_remark && end != std::string_view::npos &&
         std::string_view(".!?").find(text[end]) != std::string_view::npos;
}

bool is_punctuation(std::uint32_t code) {
  if (code < 0x80) return !is_ascii_alphanumeric(static_cast<char>(code));
  return (code >= 0xA0 && code <= 0xBF) || (code >= 0x2000 && code <= 0x206F) || (code >= 0x2190 && code <= 0x2BFF) ||
         (code >= 0x3000 && code <= 0x303F) || code == 0xD7 || code == 0xF7;
}

bool has_words(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = unicode::code_point_at(text, at);
    if (!is_punctuation(code)) return true;
    at += bytes;
  }
  return false;
}

std::string_view without_marks(std::string_view line) {
  constexpr std::string_view kMarks = " \x0E\x0F";
  if (!line.empty() && line.front() > ' ' && line.back() > ' ') return line;
  const std::size_t begin = std::min(line.find_first_not_of(kMarks), line.size());
  return line.substr(begin, line.find_last_not_of(kMarks) + 1 - begin);
}

// Chinese and Japanese lines are joined without a blank.
bool is_wide_byte(char byte) {
  return static_cast<unsigned char>(byte) >= 0xE3;
}

bool joins_without_blank(std::string_view before, std::string_view after) {
  before = without_marks(before);
  after = without_marks(after);
  if (before.size() < 3 || after.empty()) return false;
  const auto lead = static_cast<unsigned char>(before[before.size() - 3]);
  return lead >= 0xE3 && lead <= 0xE9 && is_wide_byte(after.front()) && static_cast<unsigned char>(after[0]) <= 0xE9;
}

}  // namespace

struct HoleMender::Sentence {
  std::size_t begin;
  std::size_t end;
  bool is_lost;
};

// What stands before the first word of a sentence is no hole, unless it was the sentence's beginning.
std::vector<HoleMender::Sentence> HoleMender::sentences_of(std::string_view text) {
  if (breaks_ == nullptr) breaks_ = std::make_unique<unicode::SentenceBreaks>(language_);
  std::vector<Sentence> sentences;
  std::size_t begin = 0;
  for (const std::size_t end : breaks_->ends(text)) {
    std::string_view sentence = text.substr(begin, end - begin);
    if (end < text.size() && ends_in_short_word(sentence)) continue;
    if (const std::string_view body = without_end_marks(sentence); ends_in_stop(body)) sentence = body;
    const std::size_t word = std::min(sentence.find_first_not_of(" \x0E\x0F"), sentence.size());
    const std::size_t mark = sentence.find(kHoleMark);
    const bool is_lost = mark < word ? lost_its_begin(sentence.substr(mark + 1), begin == 0) : mark != sentence.npos;
    sentences.push_back({begin, end, is_lost || sentence.find(kHoleMark, word) != sentence.npos});
    begin = end;
  }
  return sentences;
}

// Sentences of one quotation go together.
std::vector<HoleMender::Sentence> HoleMender::joined(const std::vector<Sentence>& sentences, std::string_view text) {
  const std::vector<Quotation> quotations = quotations_in(text);
  std::vector<Sentence> wholes;
  auto quotation = quotations.begin();
  std::size_t quoted_to = 0;
  for (const Sentence& sentence : sentences) {
    const bool is_inside = !wholes.empty() && sentence.begin <= quoted_to;
    if (is_inside) {
      wholes.back().end = sentence.end;
      wholes.back().is_lost |= sentence.is_lost;
    } else {
      wholes.push_back(sentence);
    }
    for (; quotation != quotations.end() && quotation->begin < sentence.end; ++quotation) {
      quoted_to = std::max(quoted_to, quotation->end);
    }
  }
  return wholes;
}

void HoleMender::mend(std::string& paragraph, HoleRule rule, PageLosses& losses) {
  if (find_any<kHoleMark, kGoneMark>(paragraph) == std::string_view::npos) return;
  remove_lost_parts(paragraph);
  remove_rests(paragraph);
  if (paragraph.find(kHoleMark) != std::string::npos) remove_sentences(paragraph, rule, losses);
  std::erase_if(paragraph, is_lost_mark);
}

void HoleMender::remove_sentences(std::string& paragraph, HoleRule rule, PageLosses& losses) {
  std::vector<Sentence> sentences = sentences_of(paragraph);
  for (const Sentence& one : sentences) losses.holes += one.is_lost ? 1 : 0;
  if (std::none_of(sentences.begin(), sentences.end(), [](const Sentence& one) { return one.is_lost; })) return;
  if (rule == HoleRule::kKeep) return;
  sentences = joined(sentences, paragraph);
  if (rule == HoleRule::kParagraph) sentences = {{0, paragraph.size(), true}};
  std::string kept;
  for (const auto& [begin, end, is_lost] : sentences) {
    const std::string_view sentence = std::string_view(paragraph).substr(begin, end - begin);
    if (is_lost) {
      add_sample(sentence, losses);
    } else {
      kept.append(sentence);
    }
  }
  paragraph = std::string(trim(kept));
}

void LineWriter::write(std::string_view text, const LineRules& rules, std::string& lines) {
  rules_ = rules;
  lines_ = &lines;
  paragraph_.clear();
  headings_.clear();
  follows_item_ = false;
  losses_ = {};
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(find_any<'\n', kBlockMark>(text, begin), text.size());
    take_line(text.substr(begin, end - begin));
    if (end < text.size() && text[end] == kBlockMark) finish_paragraph();
    begin = end + 1;
  }
  finish_paragraph();
}

// A line is what it would be without the marks of holes at its ends; of nothing else it is empty.
void LineWriter::take_line(std::string_view line) {
  const std::string_view whole = trim(line);
  const std::string_view bare = without_marks(whole);
  if (bare.empty() || is_row(bare)) {
    finish_paragraph();
  } else if (bare.size() > 2 && bare.front() == '=' && bare.back() == '=') {
    take_heading(bare);
  } else if (is_item(bare.front())) {
    take_item(bare);
  } else if (bare.starts_with("----")) {
    finish_paragraph();
    take_prose(trim(bare.substr(std::min(bare.find_first_not_of('-'), bare.size()))));
  } else if (is_file_line(bare)) {
    finish_paragraph();
  } else if (!is_blank(line.front())) {
    take_prose(whole);
  } else if (is_indented_prose(line)) {
    finish_paragraph();
    take_prose(whole);
    finish_paragraph();
  }
}

void LineWriter::take_heading(std::string_view line) {
  finish_paragraph();
  std::size_t level = 0;
  while (level < 6 && line.size() > 2 && line.front() == '=' && line.back() == '=') {
    line.remove_prefix(1);
    line.remove_suffix(1);
    ++level;
  }
  while (!headings_.empty() && headings_.back().level >= level) headings_.pop_back();
  if (rules_.headings) headings_.push_back({level, std::string(trim(line))});
}

void LineWriter::take_item(std::string_view line) {
  finish_paragraph();
  const bool is_paragraph = is_indented_paragraph(line);
  if (!rules_.lists && !is_paragraph) return;
  is_item_ = !is_paragraph;
  line = trim(line.substr(std::min(line.find_first_not_of("*#:; \t"), line.size())));
  if (!is_row(line)) take_prose(line);
  finish_paragraph();
  is_item_ = false;
}

void LineWriter::take_prose(std::string_view line) {
  if (!paragraph_.empty() && !joins_without_blank(paragraph_, line)) paragraph_.push_back(' ');
  append_without_quotes(line, paragraph_);
}

void LineWriter::finish_paragraph() {
  if (paragraph_.empty()) return;
  clean(paragraph_);
  if (has_words(paragraph_)) {
    for (const Heading& heading : headings_) emit_heading(heading.text);
    headings_.clear();
    emit(paragraph_, is_item_);
  }
  paragraph_.clear();
}

void LineWriter::emit(std::string_view line, bool is_item) {
  const bool is_list = std::exchange(follows_item_, is_item) && is_item;
  if (rules_.parts_paragraphs && !lines_->empty() && !is_list) lines_->push_back('\n');
  lines_->append(line).push_back('\n');
}

void LineWriter::emit_heading(std::string_view source) {
  std::string text;
  append_without_quotes(source, text);
  clean(text);
  if (has_words(text)) emit(text, false);
}

void LineWriter::clean(std::string& text) {
  remove_addresses(text);
  remove_switches(text, rules_.table);
  remove_bars(text);
  remove_marks(text);
  mender_.mend(text, rules_.holes, losses_);
  // Brackets and tags that come together when something between them goes are taken away in the next round.
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::size_t before = text.size();
    remove_tags(text);
    remove_brackets(text);
    if (rules_.has_code) settle_empty_brackets(text);
    tidy(text, rules_.french);
    if (text.size() == before) break;
  }
  if (rules_.has_code) restore_signs(text);
}

}  // namespace bertprep::clean
