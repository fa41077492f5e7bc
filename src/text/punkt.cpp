#include "text/punkt.h"
#include "io/strip.h"

#include <optional>

#include "text/punkt_characters.h"
#include "text/punkt_contexts.h"
#include "text/punkt_decision.h"

namespace bertprep {
namespace {

struct Slice {
  std::size_t begin;
  std::size_t end;
};

// Closing quotes and brackets at the start of a slice belong to the sentence before it, when white space,
// "--" or nothing follows them.
struct Closers {
  std::size_t end;   // of the quotes and brackets
  std::size_t rest;  // where the slice begins without them
};

std::optional<Closers> find_closers(std::string_view article, Slice slice) {
  const std::string_view text = article.substr(0, slice.end);
  std::size_t end = slice.begin;
  while (end < slice.end && punkt::is_a(punkt::kCloser, text[end])) ++end;
  if (end == slice.begin) return std::nullopt;
  const std::size_t rest = punkt::skip_space(text, end);
  const bool is_followed = end == slice.end || rest > end || text.substr(end).starts_with("--");
  return is_followed ? std::optional(Closers{end, rest}) : std::nullopt;
}

// Takes the slices of an article from left to right and appends its sentences.
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
