#include "wiki/clean/holes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "unicode/byte_search.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"
#include "unicode/utf8_text.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/rests.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kMostSamples = 20;
constexpr std::size_t kLongestSample = 300;
constexpr std::size_t kLongestQuotation = 1000;

bool is_mark(char byte) {
  return byte == kHoleMark || byte == kGoneMark;
}

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
  constexpr auto kPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}, {"(", ")"}, {"（", "）"}, {"\"", "\""}});
  std::vector<Quotation> quotations;
  for (const auto& [opening, closing] : kPairs) {
    std::size_t open = text.find(opening);
    while (open != std::string_view::npos) {
      const std::size_t inside = open + opening.size();
      const std::size_t close = text.substr(0, inside + kLongestQuotation).find(closing, inside);
      if (close == std::string_view::npos) {
        open = text.find(opening, inside);
        continue;
      }
      quotations.push_back({open, close});
      open = text.find(opening, close + closing.size());
    }
  }
  std::sort(quotations.begin(), quotations.end(),
            [](const Quotation& a, const Quotation& b) { return a.begin < b.begin; });
  return quotations;
}

std::string_view without_end_marks(std::string_view sentence) {
  return sentence.substr(0, sentence.find_last_not_of(" \x0E\x0F") + 1);
}

bool ends_in_stop(std::string_view sentence) {
  for (const std::string_view sign : {"\"", ")", "”", "»", "」", "』", "）", "’"}) {
    if (sentence.ends_with(sign)) sentence.remove_suffix(sign.size());
  }
  for (const std::string_view sign : {".", "!", "?", "…", "。", "！", "？", "।", "؟", "۔"}) {
    if (sentence.ends_with(sign)) return true;
  }
  return false;
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
  std::erase_if(paragraph, is_mark);
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

}  // namespace bertprep::clean
