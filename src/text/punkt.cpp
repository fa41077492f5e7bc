#include "text/punkt.h"

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "text/punkt_parameters.h"
#include "text/punkt_words.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// PunktDecision: decides by the surrounding words whether a mark ends a sentence.
//
// NLTK 3.8, PunktSentenceTokenizer.text_contains_sentbreak, after Kiss and Strunk (2006), "Unsupervised Multilingual
// Sentence Boundary Detection": first every token is judged alone, then each with its successor.
class PunktDecision {
 public:
  // `parameters` must outlive the object. Not thread-safe: two tokens are reused.
  explicit PunktDecision(const PunktParameters& parameters) : parameters_(parameters) {}

  // True if some word of `context` ends a sentence and another word follows.
  bool contains_break(std::string_view context);

 private:
  enum class StartsSentence { Yes, No, Unknown };

  void judge_alone(PunktToken& token) const;
  void judge_with_next(PunktToken& token, const PunktToken& next) const;
  void judge_initial_or_number(PunktToken& token, const PunktToken& next) const;
  bool is_abbreviation(const PunktToken& token) const;
  StartsSentence starts_sentence(const PunktToken& token) const;

  const PunktParameters& parameters_;
  PunktToken current_;
  PunktToken following_;
};

bool is_one_of(std::string_view text, std::string_view characters) {
  return text.size() == 1 && characters.find(text.front()) != std::string_view::npos;
}

bool PunktDecision::contains_break(std::string_view context) {
  PunktWords words(context);
  std::string_view word;
  if (!words.next(word)) return false;
  current_.assign(word);
  judge_alone(current_);
  while (words.next(word)) {
    following_.assign(word);
    judge_alone(following_);
    judge_with_next(current_, following_);
    if (current_.sentence_break) return true;
    std::swap(current_, following_);
  }
  return false;
}

void PunktDecision::judge_alone(PunktToken& token) const {
  if (is_one_of(token.text(), ".?!")) {
    token.sentence_break = true;
  } else if (token.ends_in_period() && !token.text().ends_with("..")) {
    token.abbreviation = is_abbreviation(token);
    token.sentence_break = !token.abbreviation;
  }
}

bool PunktDecision::is_abbreviation(const PunktToken& token) const {
  // A final period does not affect final sigma, so the lower case of the word is that of the token without it.
  std::string_view word = token.lowered();
  word.remove_suffix(1);
  if (parameters_.is_abbreviation(word)) return true;
  const std::size_t hyphen = word.rfind('-');
  return hyphen != std::string_view::npos && parameters_.is_abbreviation(word.substr(hyphen + 1));
}

void PunktDecision::judge_with_next(PunktToken& token, const PunktToken& next) const {
  if (!token.ends_in_period()) return;
  const std::string_view next_type = next.type_without_sentence_period();
  if (parameters_.is_collocation(token.type_without_period(), next_type)) {
    token.sentence_break = false;
    token.abbreviation = true;
    return;
  }
  if ((token.abbreviation || token.is_ellipsis()) && !token.is_initial()) {
    if (starts_sentence(next) == StartsSentence::Yes ||
        (next.starts_upper() && parameters_.is_sentence_starter(next_type))) {
      token.sentence_break = true;
      return;
    }
  }
  judge_initial_or_number(token, next);
}

void PunktDecision::judge_initial_or_number(PunktToken& token, const PunktToken& next) const {
  const bool is_initial = token.is_initial();
  if (!is_initial && token.type_without_period() != "##number##") return;
  const StartsSentence starts = starts_sentence(next);
  const auto never_lower = [&] {
    return (parameters_.orthographic_context(next.type_without_sentence_period()) & kAnyLower) == 0;
  };
  if (starts == StartsSentence::No ||
      (starts == StartsSentence::Unknown && is_initial && next.starts_upper() && never_lower())) {
    token.sentence_break = false;
    token.abbreviation = true;
  }
}

PunktDecision::StartsSentence PunktDecision::starts_sentence(const PunktToken& token) const {
  if (is_one_of(token.text(), ";:,.!?")) return StartsSentence::No;
  const std::uint8_t seen = parameters_.orthographic_context(token.type_without_sentence_period());
  if (token.starts_upper() && (seen & kAnyLower) != 0 && (seen & kMiddleUpper) == 0) return StartsSentence::Yes;
  if (token.starts_lower() && ((seen & kAnyUpper) != 0 || (seen & kBeginLower) == 0)) return StartsSentence::No;
  return StartsSentence::Unknown;
}

constexpr std::uint64_t repeated(char c) {
  return 0x0101010101010101U * static_cast<unsigned char>(c);
}

// True if one of the eight bytes is `c`. (x - 1) & ~x has the top bit of the lowest zero byte of x set.
bool has_byte(std::uint64_t bytes, char c) {
  const std::uint64_t difference = bytes ^ repeated(c);
  return ((difference - repeated(1)) & ~difference & repeated('\x80')) != 0;
}

// The first . ? or ! from `at` on, or the end of the text.
std::size_t find_mark(std::string_view text, std::size_t at) {
  std::uint64_t bytes = 0;
  for (; at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if (static_cast<int>(has_byte(bytes, '.')) | static_cast<int>(has_byte(bytes, '?')) |
        static_cast<int>(has_byte(bytes, '!'))) {
      break;
    }
  }
  while (at < text.size() && !punkt::is_a(punkt::kMark, text[at])) ++at;
  return at;
}

struct Slice {
  std::size_t begin;
  std::size_t end;
};

// Closing quotes and brackets at the start of a slice belong to the sentence before it, if white space, "--" or nothing
// follows them.
struct Closers {
  std::size_t end;   // of the quotes and brackets
  std::size_t rest;  // where the slice begins without them
};

std::optional<Closers> find_closers(std::string_view article, Slice slice) {
  const std::string_view text = article.substr(0, slice.end);
  std::size_t end = slice.begin;
  while (end < slice.end && punkt::is_a(punkt::kCloser, text[end])) ++end;
  if (end == slice.begin) return std::nullopt;
  const std::size_t rest = unicode::skip_spaces(text, end);
  const bool is_followed = end == slice.end || rest > end || text.substr(end).starts_with("--");
  return is_followed ? std::optional(Closers{end, rest}) : std::nullopt;
}

// Reads the slices of an article from left to right and appends its sentences.
class Realignment {
 public:
  Realignment(std::string_view article, std::vector<std::string_view>& sentences)
      : article_(article), sentences_(sentences) {}

  void add(Slice slice) {
    if (has_previous_) {
      if (const auto closers = find_closers(article_, slice)) {
        append({previous_.begin, closers->end});
        slice.begin = closers->rest;
      } else {
        append(previous_);
      }
    }
    previous_ = slice;
    has_previous_ = true;
  }

  void finish() { append(previous_); }

 private:
  void append(Slice slice) {
    if (slice.begin < slice.end) sentences_.push_back(article_.substr(slice.begin, slice.end - slice.begin));
  }

  std::string_view article_;
  std::vector<std::string_view>& sentences_;
  bool has_previous_ = false;
  Slice previous_{0, 0};
};

}  // namespace

bool PunktContexts::next(PunktContext& context) {
  PunktContext candidate;
  while (find_candidate(candidate)) {
    const bool is_apart = has_pending_ && pending_.mark <= candidate.word_begin;
    context = std::exchange(pending_, candidate);
    has_pending_ = true;
    if (is_apart) return true;
  }
  context = pending_;
  return std::exchange(has_pending_, false);
}

bool PunktContexts::find_candidate(PunktContext& candidate) {
  for (at_ = find_mark(article_, at_); at_ < article_.size(); at_ = find_mark(article_, at_ + 1)) {
    candidate.mark = at_;
    if (!complete_after_mark(candidate)) continue;
    candidate.word_begin = find_word_begin(at_);
    ++at_;
    return true;
  }
  return false;
}

bool PunktContexts::complete_after_mark(PunktContext& candidate) const {
  const std::size_t after = candidate.mark + 1;
  if (after == article_.size()) return false;
  if (punkt::is_a(punkt::kNonWord, article_[after])) {
    candidate.context_end = after + 1;
    candidate.next_begin = after;
    return true;
  }
  const std::size_t word = unicode::skip_spaces(article_, after);
  if (word == after || word == article_.size()) return false;
  candidate.context_end = unicode::find_space(article_, word);
  candidate.next_begin = word;
  return true;
}

// Looks back to the previous candidate at most. As in the reference, white space at the very start of that span is
// ignored; if there is no other, the word is the one before the previous candidate.
std::size_t PunktContexts::find_word_begin(std::size_t mark) const {
  const std::size_t span_begin = pending_.mark;
  std::size_t begin = mark;
  while (begin > span_begin + 1 && !punkt::is_a(punkt::kBlank, article_[begin - 1])) --begin;
  return begin > span_begin + 1 ? begin : pending_.word_begin;
}

PunktSplitter::PunktSplitter(const std::filesystem::path& folder) : parameters_(PunktParameters::load(folder)) {}

void PunktSplitter::split(std::string_view article, std::vector<std::string_view>& sentences) const {
  sentences.clear();
  PunktContexts contexts(article);
  PunktDecision decision(parameters_);
  Realignment realignment(article, sentences);
  std::size_t begin = 0;
  for (PunktContext context; contexts.next(context);) {
    const std::size_t length = context.context_end - context.word_begin;
    if (!decision.contains_break(article.substr(context.word_begin, length))) continue;
    realignment.add({begin, context.mark + 1});
    begin = context.next_begin;
  }
  realignment.add({begin, strip_end(article).size()});
  realignment.finish();
}

std::string PunktSplitter::version() const {
  return "sha256:" + parameters_.sha256();
}

}  // namespace bertprep
