#include "text/punkt.h"

#include <cstring>
#include <optional>
#include <utility>

#include "text/punkt_decision.h"
#include "unicode/utf8_text.h"
#include "unicode/white_space.h"

namespace bertprep {
namespace {

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
