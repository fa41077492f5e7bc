#include "wiki/templates/template_expansion.h"

#include "unicode/ascii.h"
#include "unicode/utf8_text.h"
#include "wiki/templates/brace_parts.h"

namespace bertprep {
namespace {

// Articles don't nest deeper. Bounds the stack of the thread.
constexpr int kDeepest = 400;
// A call within this many templates expands to nothing. Stops templates that call themselves.
constexpr int kMaxFrames = 29;
constexpr std::size_t kBraces = 2;

// The position of the first colon, if at least two characters precede it.
std::size_t function_colon(std::string_view title) {
  const auto colon = title.find(':');
  if (colon == std::string_view::npos) return colon;
  const auto is_inside_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  std::size_t characters = 0;
  for (std::size_t i = 0; i < colon && characters < 2; ++i) characters += is_inside_character(title[i]) ? 0 : 1;
  return characters < 2 ? std::string_view::npos : colon;
}

std::string_view without_subst(std::string_view title) {
  for (const std::string_view prefix : {"subst:", "safesubst:"}) {
    if (starts_in_any_case(title, prefix)) return title.substr(prefix.size());
  }
  return title;
}

constexpr std::size_t kWorkPerByte = 64;
constexpr std::size_t kFreeWorkBytes = std::size_t{1} << 20;
// A line may call templates whose total length exceeds any article.
constexpr std::size_t kFreeWorkBytesOfTemplates = std::size_t{64} << 20;

}  // namespace

void BraceExpansion::expand(std::string_view text, std::string& out) {
  if (templates_ == nullptr) {
    expand_calls(text, out);
    return;
  }
  NowikiParts parts(text);
  for (std::string_view plain, kept; parts.next(plain, kept);) {
    expand_calls(plain, out);
    out += kept;
  }
}

void BraceExpansion::expand_calls(std::string_view text, std::string& out) {
  if (!budget_.spend(text.size())) return;
  if (depth_ >= kDeepest) {
    budget_.give_up();
    return;
  }
  ++depth_;
  BraceMatcher<BraceKind::kTemplates> matcher(text, stack_);
  std::size_t copied = 0;
  while (const auto span = matcher.next()) {
    out += text.substr(copied, span->begin - copied);
    call(text.substr(span->begin + kBraces, span->end - span->begin - 2 * kBraces), out);
    copied = span->end;
    if (budget_.spent()) break;
  }
  out += text.substr(copied);
  --depth_;
}

void BraceExpansion::call(std::string_view body, std::string& out) {
  if (frame_ != nullptr && frame_->depth >= kMaxFrames) return;
  const std::string_view written = first_part(body, stack_);
  if (!budget_.spend(written.size())) return;
  const std::string_view title = strip(written);
  if (find_doubled<BraceSet::kCurly>(title, 0, title.size()) == title.size()) {
    call_by_title(title, body, out);
    return;
  }
  std::string expanded;
  expand(title, expanded);
  if (!budget_.spent()) call_by_title(expanded, body, out);
}

void BraceExpansion::call_by_title(std::string_view title, std::string_view body, std::string& out) {
  const std::string_view name = without_subst(title);
  const Values values = name.size() == title.size() ? Values::kExpanded : Values::kAsWritten;
  if (append_magic_word(name, site_, page_, out)) return;
  const std::size_t colon = function_colon(name);
  if (colon == std::string_view::npos) {
    if (templates_ != nullptr) call_template(name, values, body, out);
    return;
  }
  const ParserFunction function = find_parser_function(name.substr(0, colon));
  if (function != nullptr) call_function(function, strip(name.substr(colon + 1)), body, out);
}

void BraceExpansion::call_function(ParserFunction function, std::string_view first, std::string_view body,
                                   std::string& out) {
  if (!budget_.spend(body.size() + first.size())) return;
  const auto parts = all_parts(body, stack_);
  const std::size_t before = out.size();
  function({.context = *this, .first = first, .more = std::span(parts).subspan(1), .out = out});
  budget_.spend(out.size() - before);
}

bool TemplateExpander::expand(std::string_view text, const WikiPage& page, std::string& out) {
  out.clear();
  const std::size_t free_bytes = templates_ == nullptr ? kFreeWorkBytes : kFreeWorkBytesOfTemplates;
  WorkBudget budget(free_bytes + kWorkPerByte * text.size());
  BraceExpansion(site_, templates_, page, stack_, budget).expand(text, out);
  if (!budget.spent()) return true;
  out.clear();
  return false;
}

}  // namespace bertprep
