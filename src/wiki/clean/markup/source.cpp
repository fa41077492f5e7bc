#include "wiki/clean/markup/source.h"

#include <algorithm>

#include "unicode/byte_search.h"
#include "unicode/properties/properties.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/markup/formula.h"
#include "wiki/clean/markup/rests.h"

namespace bertprep::clean {
namespace {

constexpr std::ptrdiff_t kMostLineEnds = 3;

bool is_indentation(char byte) {
  return is_blank(byte) || byte == ':';
}

// Behind the line's text; npos when there is more in the line than an indentation.
std::size_t indentation_begin(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && is_indentation(text[at - 1])) --at;
  return at > 0 && text[at - 1] == '\n' ? at : std::string_view::npos;
}

// Where the line of `source` ends that holds nothing but punctuation behind `at`; npos: it holds more.
std::size_t bare_line_end(std::string_view source, std::size_t at) {
  const std::size_t end = std::min(source.find_first_not_of(" \t\r.,;", at), source.size());
  return end == source.size() || source[end] == '\n' ? end : std::string_view::npos;
}

// Whether the line that `text` ends with is empty or an indentation, and the one before it an open sentence: "It is".
bool ends_in_open_sentence(std::string_view text) {
  const std::size_t line = indentation_begin(text);
  if (line == std::string_view::npos) return false;
  const std::size_t last = text.substr(0, line).find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos || text[last] == kBlockMark) return false;
  const std::string_view before = text.substr(0, last + 1);
  if (std::count(text.begin() + static_cast<std::ptrdiff_t>(last), text.end(), '\n') > kMostLineEnds) return false;
  const std::size_t begin = before.find_last_of("\n\x01") + 1;
  return std::string_view("*#:;|!= ").find(before[begin]) == std::string_view::npos &&
         length_at_end(before, {".", "!", "?", "。", "！", "？", "।", "؟", "}", "|", "="}) == 0;
}

// Takes that indentation and the line ends before it away.
void drop_indentation(std::string& text) {
  text.resize(std::min(indentation_begin(text), text.size()));
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
}

// Whether `rest`, behind the formula's line, continues the sentence: "and so on".
bool continues(std::string_view rest) {
  const std::size_t at = rest.find_first_not_of(" \t\r\n['");
  if (at == std::string_view::npos) return false;
  const char32_t c = unicode::code_point_at(rest, at).value;
  return unicode::is_lower(c) || (unicode::is_word_not_digit(c) && !unicode::is_upper(c));
}

constexpr std::size_t kFarthestHidden = 4000;

bool is_hidden(std::string_view attributes) {
  const std::size_t at = attributes.find("display");
  if (at == std::string_view::npos) return false;
  std::string_view rest = trim_left(attributes.substr(at + 7));
  if (!rest.starts_with(':')) return false;
  return starts_in_any_case(trim_left(rest.substr(1)), "none");
}

// The caption of a picture.
bool is_caption(std::string_view attributes) {
  return attributes.find("thumbcaption") != std::string_view::npos ||
         attributes.find("gallerytext") != std::string_view::npos;
}

// Not within a term, nor behind a hole.
bool ends_formula(char byte) {
  return is_word_byte(byte) || byte == ')' || byte == ']' || byte == '|' || byte == '!' || byte == ';';
}

bool is_empty_pair(std::string_view pair) {
  return pair == "()" || pair == "[]";
}

}  // namespace

void SourceReader::read(std::string_view source, std::string& out) {
  source_ = source;
  out_ = &out;
  finders_.clear();
  has_code_ = false;
  code_end_ = 0;
  formula_end_ = 0;
  lower_source_.resize(source.size());
  std::transform(source.begin(), source.end(), lower_source_.begin(), [](char byte) { return ascii_lower(byte); });
  out.clear();
  Tag tag;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t next = std::min(source.find('<', at), source.size());
    append_plain(source.substr(at, next - at), at < code_end_);
    if (next == source.size()) break;
    if (source.substr(next).starts_with("<!--")) {
      at = take_comment(next);
    } else if (read_tag(source, next, tag)) {
      const std::size_t size = out.size();
      at = take_tag(tag, next);
      if (out.size() == size) keep_quotes_apart(out, source.substr(at, 1));
      at = close_up(out, size, source, at);
    } else if (find_next("<ref", next) == next) {
      at = take_broken_ref(next, tag);
    } else {
      out.append("&lt;");
      at = next + 1;
    }
    // What stood before these blanks is gone, and they must not make the line look preformatted.
    const bool at_line_start = out.empty() || out.back() == '\n' || out.back() == kBlockMark;
    while (at_line_start && at < source.size() && is_blank(source[at])) ++at;
  }
}

// Without control characters but line feeds and tabs. In code a `&lt;` never begins a tag.
void SourceReader::append_plain(std::string_view text, bool is_code) {
  const auto is_special = [](ByteBlock here, ByteBlock next) {
    const ByteBlock control = here.at_most('\x08') | here.at_most('\x1F').without(here.at_most('\n'));
    return control | ((here == '(') & (next == ')')) | ((here == '[') & (next == ']'));
  };
  const std::size_t before = out_->size();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(find_bytes(text, at, is_special), text.size());
    out_->append(text.substr(at, end - at));
    at = end + 1;
    if (!is_empty_pair(text.substr(std::min(end, text.size()), 2))) continue;
    out_->push_back(text[end]);
    if (out_->size() > 1 && (*out_)[out_->size() - 2] == '[') continue;
    out_->push_back(kEmptyMark);
    has_code_ = true;
  }
  if (is_code && out_->find("&lt;", before) != std::string::npos) {
    std::string code = out_->substr(before);
    replace_all(code, "&lt;", std::string_view(&kLessMark, 1));
    out_->replace(before, std::string::npos, code);
    has_code_ = true;
  }
}

void SourceReader::append_protected(std::string_view text) {
  has_code_ = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (at > 0 && is_empty_pair(text.substr(at - 1, 2))) out_->push_back(kEmptyMark);
    if (byte == '\n') {
      out_->push_back(' ');
    } else if (byte == '<') {
      out_->push_back(kLessMark);
    } else if (byte == '&' || is_word_byte(byte) || byte == ' ') {
      out_->push_back(byte);
    } else if (static_cast<unsigned char>(byte) > ' ') {
      append_as_reference(byte, *out_);
    }
  }
}

std::size_t SourceReader::find_next(std::string_view pattern, std::size_t from) {
  auto finder = std::find_if(finders_.begin(), finders_.end(), [&](const Finder& f) { return f.pattern == pattern; });
  if (finder == finders_.end()) {
    finders_.push_back({std::string(pattern), lower_source_.find(pattern, from)});
    finder = finders_.end() - 1;
  }
  if (finder->found != std::string::npos && finder->found < from) finder->found = lower_source_.find(pattern, from);
  return finder->found;
}

// Of "<name" or "</name": `</ref` must not stop at `</references`.
std::size_t SourceReader::find_tag(const std::string& beginning, std::size_t from) {
  for (;;) {
    const std::size_t found = find_next(beginning, from);
    if (found == std::string::npos) return found;
    from = found + beginning.size();
    if (from >= source_.size() || !is_ascii_letter(source_[from])) return found;
  }
}

// A comment alone in its line takes the line with it. One that is never closed takes the rest of its line.
std::size_t SourceReader::take_comment(std::size_t at) {
  const std::size_t closing = find_next("-->", at + 4);
  if (closing == std::string::npos) return std::min(source_.find('\n', at), source_.size());
  std::size_t end = closing + 3;
  std::size_t line = out_->size();
  while (line > 0 && is_blank((*out_)[line - 1])) --line;
  std::size_t after = end;
  while (after < source_.size() && is_blank(source_[after])) ++after;
  if ((line == 0 || (*out_)[line - 1] == '\n') && after < source_.size() && source_[after] == '\n') {
    out_->resize(line);
    end = after + 1;
  }
  return end;
}

std::size_t SourceReader::take_tag(const Tag& tag, std::size_t at) {
  if (!tag.closing && !tag.empty) {
    if (tag.kind == TagKind::kRef) return take_ref(tag);
    if (tag.kind == TagKind::kRemoved || tag.kind == TagKind::kRemovedBlock || tag.kind == TagKind::kNowiki)
      return take_removed(tag);
    if (tag.kind == TagKind::kFormula) return take_formula(tag);
    if (is_hidden(tag.attributes) || is_caption(tag.attributes)) return take_hidden(tag);
    if (tag.kind == TagKind::kInline && has_word("code tt kbd samp", tag.name)) return take_code(tag);
  }
  if (tag.kind == TagKind::kUnknown && at < code_end_) {
    out_->push_back(kLessMark);  // std::vector<T>
    has_code_ = true;
    return at + 1;
  }
  switch (tag.kind) {
    case TagKind::kBlock:
      out_->push_back(kBlockMark);
      break;
    case TagKind::kItem:
      out_->push_back(kBlockMark);
      if (!tag.closing) out_->append("* ");
      break;
    case TagKind::kHeading:
      out_->append(tag.closing ? std::string(" ==") + kBlockMark : kBlockMark + std::string("== "));
      break;
    case TagKind::kBreak:
      out_->push_back(kBreakMark);
      break;
    case TagKind::kRaise:
      if (!tag.closing && !tag.empty) out_->push_back(begins_fraction(tag.end) ? ' ' : kRaiseMark);
      break;
    case TagKind::kTable:
      out_->push_back(tag.closing ? kTableCloseMark : kTableOpenMark);
      break;
    default:
      break;
  }
  return std::max(tag.end, at + 1);
}

// 3<sup>1</sup>/<sub>4</sub>, behind the first tag: no power.
bool SourceReader::begins_fraction(std::size_t at) const {
  std::string_view rest = std::string_view(lower_source_).substr(at);
  const std::size_t digits = rest.find_first_not_of("0123456789");
  if (digits == 0 || digits == rest.npos || out_->empty() || !is_ascii_digit(out_->back())) return false;
  const auto take = [&rest](std::string_view part) {
    const bool is_present = rest.starts_with(part);
    if (is_present) rest.remove_prefix(part.size());
    return is_present;
  };
  rest.remove_prefix(digits);
  return take("</sup>") && (take("/") || take("⁄") || take("&frasl;") || take("&#8260;")) && take("<sub>");
}

std::size_t SourceReader::past_tag(std::size_t at) const {
  Tag tag;
  if (read_tag(source_, at, tag)) return tag.end;
  const std::size_t end = source_.find('>', at);
  return end == std::string_view::npos ? source_.size() : end + 1;
}

// The closing tag; npos when the next of its kind opens before it, so that the one at hand was left open.
std::size_t SourceReader::find_own_closing(const Tag& tag) {
  const std::size_t closing = find_tag("</" + tag.name, tag.end);
  return find_tag("<" + tag.name, tag.end) < closing ? std::string::npos : closing;
}

// So too when a heading comes before it.
std::size_t SourceReader::find_near_closing(const Tag& tag) {
  const std::size_t closing = find_own_closing(tag);
  return find_next("\n==", tag.end) < closing ? std::string::npos : closing;
}

// An open <ref> ends at the next one: with a name it was meant to be <ref name=.../>, and what follows is prose;
// without a name what follows is the reference, up to the end of the line.
std::size_t SourceReader::take_ref(const Tag& tag) {
  const std::size_t closing = find_near_closing(tag);
  if (closing != std::string::npos) return past_tag(closing);
  if (tag.attributes.find("name") != std::string_view::npos) return tag.end;
  const std::size_t stop = std::min(find_tag("<" + tag.name, tag.end), source_.size());
  return std::min(source_.substr(0, stop).find('\n', tag.end), stop);
}

// "<refSmith 2001</ref>" lost its '>'.
std::size_t SourceReader::take_broken_ref(std::size_t at, Tag& tag) {
  tag.name = "ref";
  tag.end = at + 4;
  const std::size_t closing = find_near_closing(tag);
  return closing == std::string::npos ? tag.end : past_tag(closing);
}

std::size_t SourceReader::take_removed(const Tag& tag) {
  const std::size_t closing = find_own_closing(tag);
  if (closing == std::string::npos) return tag.end;
  if (tag.kind == TagKind::kNowiki || tag.attributes.find("inline") != std::string_view::npos) {
    append_protected(body_of(tag, closing));
  } else if (tag.name == "hiero" || tag.name == "score") {
    out_->push_back(kHoleMark);
  } else if (tag.kind == TagKind::kRemovedBlock) {
    out_->push_back(kBlockMark);
  }
  return past_tag(closing);
}

std::string_view SourceReader::body_of(const Tag& tag, std::size_t closing) const {
  return source_.substr(tag.end, closing - tag.end);
}

// One that fills a line within a sentence joins its lines. The full stop at a formula's end is the sentence's.
std::size_t SourceReader::take_formula(const Tag& tag) {
  const std::size_t closing = find_own_closing(tag);
  if (closing == std::string::npos) return tag.end;
  const std::string_view tex = trim(body_of(tag, closing));
  const std::size_t end = past_tag(closing);
  const std::size_t line_end = bare_line_end(source_, end);
  const bool joins = line_end != std::string_view::npos && ends_in_open_sentence(*out_);
  if (joins) drop_indentation(*out_);
  if (joins && out_->size() == formula_end_ && ends_formula(out_->back()) && !tex.starts_with('='))
    out_->push_back(',');
  if (joins) out_->push_back(' ');
  append_formula(tex);
  const bool is_followed = end < source_.size() && !is_space(source_[end]) && source_[end] != '<';
  const bool is_stopped = tex.ends_with('.') && !tex.ends_with("..");
  if ((is_stopped || tex.ends_with(',')) && !is_followed) out_->push_back(tex.back());
  return joins ? finish_line(end, line_end, is_stopped) : end;
}

// One that has no plain form leaves a hole.
void SourceReader::append_formula(std::string_view tex) {
  std::string text;
  if (write_formula(tex, text)) {
    append_protected(text);
  } else if (!tex.empty()) {
    out_->push_back(kHoleMark);
  }
}

std::size_t SourceReader::finish_line(std::size_t end, std::size_t line_end, bool is_stopped) {
  const std::string_view signs = trim(source_.substr(end, line_end - end));
  out_->append(signs);
  formula_end_ = out_->size();
  if (!is_stopped && !signs.ends_with('.') && continues(source_.substr(line_end))) {
    out_->push_back(' ');
    return std::min(source_.find_first_not_of(" \t\r\n", line_end), source_.size());
  }
  out_->push_back('\n');  // before the one that ends the line
  return line_end;
}

// The text of code is read as any other, but for the names in it that look like tags.
std::size_t SourceReader::take_code(const Tag& tag) {
  const std::size_t closing = find_near_closing(tag);
  if (closing != std::string::npos) code_end_ = std::max(code_end_, closing);
  return tag.end;
}

// Only what is hidden without a tag of its own kind inside; else the tag alone vanishes.
std::size_t SourceReader::take_hidden(const Tag& tag) {
  const std::size_t closing = find_own_closing(tag);
  if (closing == std::string::npos || closing - tag.end > kFarthestHidden) return tag.end;
  if (tag.kind == TagKind::kBlock) out_->push_back(kBlockMark);
  return past_tag(closing);
}

}  // namespace bertprep::clean
