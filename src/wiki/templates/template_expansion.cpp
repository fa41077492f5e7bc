#include "wiki/templates/template_expansion.h"

#include "unicode/ascii.h"
#include "unicode/properties/mappings.h"
#include "unicode/utf8_text.h"

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

// Limit for arguments nested in names and defaults of arguments: deeper ones expand to nothing.
constexpr int kDeepestArgument = 10;
constexpr std::size_t kParameterBraces = 3;
// The minimum cost of a call, in bytes of work.
constexpr std::size_t kCallBytes = 256;

// "name" -> "Template:Name"; a leading colon means a page without namespace.
std::string full_title(std::string_view title, const WikiSite& site) {
  std::string full;
  if (title.starts_with(':')) {
    unicode::append_upper_first(title.substr(1), full);
    return full;
  }
  full = site.template_namespace + ':';
  unicode::append_upper_first(title, full);
  return full;
}

}  // namespace

void TemplateArguments::set(std::string name, std::string value) {
  const auto [place, is_new] = places_.try_emplace(name, entries_.size());
  if (is_new) {
    entries_.emplace_back(std::move(name), std::move(value));
  } else {
    entries_[place->second].second = std::move(value);
  }
}

const std::string* TemplateArguments::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &entries_[place->second].second;
}

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

void BraceExpansion::call_template(std::string_view title, Values values, std::string_view body, std::string& out) {
  const std::string full = full_title(title, site_);
  const std::string* const definition = templates_->find(full);
  if (definition == nullptr || !budget_.spend(kCallBytes + body.size())) return;
  const auto parts = all_parts(body, stack_);
  const TemplateArguments arguments = read_arguments(std::span(parts).subspan(1), values);
  const TemplateFrame frame{
      .title = full, .arguments = arguments, .caller = frame_, .depth = frame_ == nullptr ? 1 : frame_->depth + 1};
  // Names of arguments are expanded, too, and may call this template again.
  frame_ = &frame;
  std::string filled;
  fill_in(*definition, arguments, 0, filled);
  expand(filled, out);
  frame_ = frame.caller;
}

TemplateArguments BraceExpansion::read_arguments(std::span<const std::string_view> parts, Values values) {
  TemplateArguments arguments;
  int position = 0;
  for (const std::string_view part : parts) {
    std::string text;
    if (values == Values::kExpanded) {
      expand(part, text);
    } else {
      text = part;
    }
    if (!budget_.spend(text.size())) break;
    const auto equals = text.find('=');
    const std::string_view value = std::string_view(text).substr(equals == std::string::npos ? 0 : equals + 1);
    const bool keeps_blanks = value.find("]]") != std::string_view::npos;
    arguments.set(equals == std::string::npos ? std::to_string(++position)
                                              : std::string(strip(std::string_view(text).substr(0, equals))),
                  std::string(keeps_blanks ? value : strip(value)));
  }
  return arguments;
}

void BraceExpansion::fill_in(std::string_view text, const TemplateArguments& arguments, int depth, std::string& out) {
  if (depth > kDeepestArgument || !budget_.spend(text.size())) return;
  BraceMatcher<BraceKind::kArguments> matcher(text, stack_);
  std::size_t copied = 0;
  while (const auto span = matcher.next()) {
    out += text.substr(copied, span->begin - copied);
    fill_in_one(text.substr(span->begin + kParameterBraces, span->end - span->begin - 2 * kParameterBraces), arguments,
                depth + 1, out);
    copied = span->end;
    if (budget_.spent()) break;
  }
  out += text.substr(copied);
}

void BraceExpansion::fill_in_one(std::string_view body, const TemplateArguments& arguments, int depth,
                                 std::string& out) {
  if (!budget_.spend(body.size())) return;
  const auto parts = all_parts(body, stack_);
  std::string filled, name;
  fill_in(parts[0], arguments, depth, filled);
  expand(filled, name);
  if (const std::string* const value = arguments.find(name)) {
    if (budget_.spend(value->size())) out += *value;
  } else if (parts.size() > 1) {
    fill_in(parts[1], arguments, depth, out);
  }
}

const TemplateArguments* BraceExpansion::arguments_of(std::string_view name) const {
  const std::string title = full_title(name, site_);
  for (const TemplateFrame* frame = frame_; frame != nullptr; frame = frame->caller) {
    if (frame->title == title) return &frame->arguments;
  }
  return nullptr;
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
