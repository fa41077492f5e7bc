#include "wiki/templates/template_call.h"

#include "unicode/properties/mappings.h"
#include "unicode/utf8_text.h"
#include "wiki/templates/brace_parts.h"
#include "wiki/templates/template_expansion.h"

namespace bertprep {

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

namespace {

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

TemplateArguments BraceExpansion::arguments(std::span<const std::string_view> parts) {
  return read_arguments(parts, Values::kExpanded);
}

const TemplateArguments* BraceExpansion::arguments_of(std::string_view name) const {
  const std::string title = full_title(name, site_);
  for (const TemplateFrame* frame = frame_; frame != nullptr; frame = frame->caller) {
    if (frame->title == title) return &frame->arguments;
  }
  return nullptr;
}

}  // namespace bertprep
