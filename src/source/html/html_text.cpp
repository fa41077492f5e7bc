#include "source/html/html_text.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <climits>
#include <exception>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "io/loaded_library.h"
#include "source/html/embedded.h"
#include "unicode/ascii.h"
#include "unicode/byte_search.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr const char* kRefused =
    "the text is HTML: `html` text reads it as a browser does, `html` keep leaves it as it is";
constexpr const char* kNoted =
    "tags or character references of HTML stay in the text: `html` text reads such text as a browser does, `html` keep "
    "says that they belong there";

// elements.txt: names, sorted, and what is true of each: "html", it is in the HTML standard, if only as obsolete;
// "line", it begins a line (a cell of a table does not: a row does); "unseen", a reader sees nothing of it.
bool is_element(std::string_view name, std::string_view what) {
  static const auto kElements = [] {
    std::unordered_map<std::string_view, std::string_view> elements;
    for (std::string_view rest = embedded::kElements; !rest.empty();) {
      std::string_view row = take_part(rest, '\n');
      const std::string_view element = take_part(row, ' ');
      elements.emplace(element, row);
    }
    return elements;
  }();
  const auto found = kElements.find(name);
  return found != kElements.end() && found->second.find(what) != std::string_view::npos;
}

constexpr auto kReferences = std::to_array<std::string_view>({"amp", "apos", "gt", "lt", "nbsp", "quot"});

// Corpora of language models mark sentences by <s> and </s> more often than pages strike text through.
constexpr std::string_view kSentenceMark = "s";
constexpr std::size_t kLongestName = 10;
constexpr std::size_t kLongestReference = 8;

// "name=value", or nothing: `<b and c>` compares.
bool are_attributes(std::string_view text) {
  const std::string_view rest = strip(text);
  return rest.empty() || rest == "/" || (rest.find('=') != std::string_view::npos && rest.front() != '=');
}

// The size of the tag that `text`, which starts with `<`, begins with; 0: none that is HTML.
std::size_t tag_at(std::string_view text) {
  const bool is_end = text.substr(1).starts_with('/');
  const std::size_t begin = is_end ? 2 : 1;
  std::size_t end = begin;
  while (end < text.size() && end - begin <= kLongestName && is_ascii_alphanumeric(text[end])) ++end;
  const std::string name = ascii_lower(text.substr(begin, end - begin));
  if (!is_element(name, "html") || name == kSentenceMark) return 0;
  const std::size_t close = text.find_first_of("<>", end);
  if (close == std::string_view::npos || text[close] != '>') return 0;
  const std::string_view between = text.substr(end, close - end);
  if (is_end) return is_ascii_blank(between) ? close + 1 : 0;
  const bool is_separate = between.empty() || between.front() == '/' || is_ascii_blank(between.front());
  return is_separate && are_attributes(between) ? close + 1 : 0;
}

bool is_reference_at(std::string_view text) {
  const std::size_t end = text.substr(0, kLongestReference + 2).find(';');
  if (end == std::string_view::npos) return false;
  std::string_view name = text.substr(1, end - 1);
  if (!name.starts_with('#')) return std::ranges::find(kReferences, name) != kReferences.end();
  name.remove_prefix(1);
  const bool is_hexadecimal = name.starts_with('x') || name.starts_with('X');
  if (is_hexadecimal) name.remove_prefix(1);
  const std::string_view digits = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
  return !name.empty() && name.find_first_not_of(digits) == std::string_view::npos;
}

// Looked for once, and not in a text that asks for none.
struct LastPlace {
  std::string_view text;
  std::string_view what;
  std::optional<std::size_t> place{};

  bool is_from(std::size_t at) {
    if (!place) place = text.rfind(what);
    return *place != std::string_view::npos && *place >= at;
  }
};

struct Xml2Library {
  LoadedLibrary library{BERTPREP_XML2_NAME, BERTPREP_XML2_FILE};
  decltype(&::htmlNewParserCtxt) new_context = library["htmlNewParserCtxt"];
  decltype(&::htmlFreeParserCtxt) free_context = library["htmlFreeParserCtxt"];
  decltype(&::htmlCtxtReadMemory) read_memory = library["htmlCtxtReadMemory"];
  decltype(&::htmlCtxtReset) reset = library["htmlCtxtReset"];
  decltype(&::xmlInitParser) init = library["xmlInitParser"];

  Xml2Library() { init(); }  // before threads use it
};

constexpr auto libxml2 = loaded<Xml2Library>;

// Of MediaWiki's pages: the numbers of footnotes, and the links for editors.
constexpr auto kUnseenClasses = std::to_array<std::string_view>({"mw-editsection", "reference"});

std::string_view view_of(const xmlChar* text) {
  return text == nullptr ? std::string_view{} : std::string_view(reinterpret_cast<const char*>(text));
}

// The attributes of a start tag: names and values in turns.
class Attributes {
 public:
  explicit Attributes(const xmlChar** attributes) : attributes_(attributes) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::string_view operator[](std::string_view name) const {
    const xmlChar** found = find(name);
    return found == nullptr ? std::string_view{} : view_of(found[1]);
  }

 private:
  const xmlChar** find(std::string_view name) const {
    for (const xmlChar** at = attributes_; at != nullptr && *at != nullptr; at += 2) {
      if (view_of(*at) == name) return at;
    }
    return nullptr;
  }

  const xmlChar** attributes_;
};

bool hides(std::string_view style) {
  std::string plain = ascii_lower(style);
  std::erase_if(plain, [](char c) { return is_ascii_blank(c); });
  return plain.find("display:none") != std::string::npos || plain.find("visibility:hidden") != std::string::npos;
}

bool has_unseen_class(std::string_view classes) {
  while (!classes.empty()) {
    const std::string_view one = take_part(classes, kAsciiBlanks);
    if (std::ranges::find(kUnseenClasses, one) != kUnseenClasses.end()) return true;
  }
  return false;
}

constexpr std::string_view kMinus = "−";

// MediaWiki's formulas begin with {\displaystyle.
std::string_view formula_of(std::string_view tex) {
  constexpr std::string_view kStyle = "{\\displaystyle";
  if (!tex.starts_with(kStyle) || !tex.ends_with('}')) return strip(tex);
  return strip(tex.substr(kStyle.size(), tex.size() - kStyle.size() - 1));
}

// Lines of text, blanks as a browser shows them.
class ShownText {
 public:
  explicit ShownText(std::string& text) : text_(text) { text_.clear(); }

  void add(std::string_view characters, bool is_as_written) {
    for (const char c : characters) {
      if (is_as_written ? c == '\r' : is_ascii_blank(c) || c == '\f') {
        has_blank_ = has_blank_ || !is_as_written;
      } else {
        push(c);
      }
    }
  }

  void begin_line() {
    has_blank_ = false;
    while (text_.ends_with(' ')) text_.pop_back();
    if (!is_at_line()) text_ += '\n';
  }

  void add_blank() { has_blank_ = true; }

  // The next characters are higher or lower: 10^2, 101_2, but 1st.
  void raise() { shift('^'); }
  void lower() {
    // 3<sup>1</sup>/<sub>4</sub> is no power.
    const bool is_fraction = text_.ends_with('/') || text_.ends_with("⁄");
    if (is_fraction && raised_ < text_.size() && text_[raised_] == '^') text_[raised_] = ' ';
    if (!is_fraction) shift('_');
  }

 private:
  bool is_at_line() const { return text_.empty() || text_.back() == '\n'; }

  void push(char c) {
    if (has_blank_ && !is_at_line()) text_ += ' ';
    if (sign_ != 0 && !has_blank_ && (is_ascii_digit(c) || c == '-' || c == '+' || c == kMinus[0])) {
      if (sign_ == '^') raised_ = text_.size();
      text_ += sign_;
    }
    has_blank_ = false;
    sign_ = 0;
    text_ += c;
  }

  void shift(char sign) {
    if (!has_blank_ && !text_.empty() && is_ascii_digit(text_.back())) sign_ = sign;
  }

  std::string& text_;
  std::size_t raised_ = std::string::npos;  // where the last '^' of a digit is
  char sign_ = 0;                           // before the next character if that is a digit or sign
  bool has_blank_ = false;
};

// What the parser reports, in turn.
class Reader {
 public:
  explicit Reader(std::string& text) : shown_(text) {}

  void start(std::string_view name, const Attributes& attributes) {
    if (unseen_depth_ != 0) {
      ++unseen_depth_;
      if (name == "math" && !attributes["alttext"].empty()) shown_.add(formula_of(attributes["alttext"]), false);
      return;
    }
    if (math_depth_ == 0) note_unknown(name);
    if (is_unseen(name, attributes)) {
      unseen_depth_ = 1;
    } else if (name == "math") {
      start_math(attributes);
    } else if (math_depth_ != 0) {
      ++math_depth_;
    }
    if (is_element(name, "line")) shown_.begin_line();
    if (unseen_depth_ != 0) return;
    if (name == "pre" || name == "xmp") ++pre_depth_;
    if (name == "td" || name == "th") shown_.add_blank();
    if (name == "sup") shown_.raise();
    if (name == "sub") shown_.lower();
    if (name == "q") shown_.add("“", false);
    if (name == "rt") shown_.add("(", false);
  }

  void end(std::string_view name) {
    if (unseen_depth_ != 0) {
      --unseen_depth_;
      return;
    }
    if (math_depth_ != 0) --math_depth_;
    if (name == "q") shown_.add("”", false);
    if (name == "rt") shown_.add(")", false);
    if ((name == "pre" || name == "xmp") && pre_depth_ != 0) --pre_depth_;
    if (is_element(name, "line")) shown_.begin_line();
  }

  void characters(std::string_view text) {
    if (unseen_depth_ == 0) shown_.add(text, pre_depth_ != 0);
  }

  const std::string& unknown() const { return unknown_; }

 private:
  void note_unknown(std::string_view name) {
    const bool is_of_another = name.find_first_of(":-") != std::string_view::npos;
    if (unknown_.empty() && !is_of_another && !is_element(name, "html")) unknown_ = name;
  }

  static bool is_unseen(std::string_view name, const Attributes& attributes) {
    return is_element(name, "unseen") || attributes.has("hidden") || hides(attributes["style"]) ||
           has_unseen_class(attributes["class"]);
  }

  void start_math(const Attributes& attributes) {
    const std::string_view tex = attributes["alttext"];
    if (tex.empty()) {
      math_depth_ = 1;
    } else {
      shown_.add(formula_of(tex), false);
      unseen_depth_ = 1;
    }
  }

  ShownText shown_;
  std::string unknown_;           // the first element that HTML doesn't have
  std::size_t unseen_depth_ = 0;  // open elements from the one that shows no text
  std::size_t math_depth_ = 0;
  std::size_t pre_depth_ = 0;
};

// An exception must not pass through libxml2.
struct Events {
  Reader reader;
  std::exception_ptr fault{};

  template <class Function>
  void run(Function&& function) noexcept {
    if (fault != nullptr) return;
    try {
      function(reader);
    } catch (...) {
      fault = std::current_exception();
    }
  }
};

Events& events_of(void* context) {
  return *static_cast<Events*>(context);
}

void start_element(void* context, const xmlChar* name, const xmlChar** attributes) {
  events_of(context).run([&](Reader& reader) { reader.start(view_of(name), Attributes(attributes)); });
}

void end_element(void* context, const xmlChar* name) {
  events_of(context).run([&](Reader& reader) { reader.end(view_of(name)); });
}

void take_characters(void* context, const xmlChar* text, int size) {
  const std::string_view characters(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  events_of(context).run([&](Reader& reader) { reader.characters(characters); });
}

}  // namespace

HtmlMarks html_marks_of(std::string_view text) {
  text = strip(text);
  bool has_marks = false, begins_with_one = false;
  std::size_t end_of_last = 0;  // tag
  LastPlace end_of_comments{text, "-->"}, end_of_tags{text, ">"};
  for (std::size_t at = find_any<'<', '&'>(text); at != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    std::size_t size = 0;
    if (rest.front() == '&') {
      has_marks = has_marks || is_reference_at(rest);
    } else if (rest.starts_with("<!--")) {
      if (end_of_comments.is_from(at + 4)) size = rest.find("-->", 4) + 3;
    } else if (starts_in_any_case(rest, "<!doctype html")) {
      if (end_of_tags.is_from(at)) size = rest.find('>') + 1;
    } else {
      size = tag_at(rest);
    }
    if (size != 0) {
      begins_with_one = begins_with_one || at == 0;
      end_of_last = at + size;
    }
    at = find_any<'<', '&'>(text, at + std::max<std::size_t>(size, 1));
  }
  if (begins_with_one && end_of_last == text.size()) return HtmlMarks::kWhole;
  return has_marks || end_of_last != 0 ? HtmlMarks::kSome : HtmlMarks::kNone;
}

HtmlFields::Shown HtmlFields::show(std::string_view field, std::string& note) {
  if (handling_ == HtmlHandling::kKeep) return {.text = field};
  const HtmlMarks marks = html_marks_of(field);
  if (marks == HtmlMarks::kNone) return {.text = field};
  if (handling_ == HtmlHandling::kText) {
    if (!reader_) reader_.emplace();
    auto rejection = reader_->read(field, text_);
    return {.text = text_, .rejection = std::move(rejection)};
  }
  if (marks == HtmlMarks::kWhole) return {.rejection = kRefused};
  append_part(kNoted, "; ", note);
  return {.text = field};
}

struct HtmlText::Parser {
  struct Free {
    void operator()(htmlParserCtxtPtr context) const { libxml2().free_context(context); }
  };
  std::unique_ptr<std::remove_pointer_t<htmlParserCtxtPtr>, Free> context{libxml2().new_context()};

  Parser() {
    if (context == nullptr) throw std::bad_alloc();
    htmlSAXHandler handler{};
    handler.startElement = start_element;
    handler.endElement = end_element;
    handler.characters = take_characters;
    handler.cdataBlock = take_characters;
    handler.ignorableWhitespace = take_characters;
    *context->sax = handler;
  }
};

HtmlText::HtmlText() : parser_(std::make_unique<Parser>()) {}

HtmlText::~HtmlText() = default;

std::optional<std::string> HtmlText::read(std::string_view html, std::string& text) {
  if (html.find('\0') != std::string_view::npos) return "HTML with a NUL";
  if (html.size() > INT_MAX) return "HTML of more than 2 GiB";
  Events events{.reader = Reader(text)};
  const htmlParserCtxtPtr context = parser_->context.get();
  context->userData = &events;
  constexpr int kOptions =
      HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC;
  libxml2().read_memory(context, html.data(), static_cast<int>(html.size()), nullptr, "UTF-8", kOptions);
  const bool is_whole = context->input != nullptr && context->input->cur >= context->input->end;
  libxml2().reset(context);
  if (events.fault != nullptr) std::rethrow_exception(events.fault);
  const std::string& unknown = events.reader.unknown();
  if (!unknown.empty()) return "<" + unknown.substr(0, 40) + "> in HTML, which has no such element";
  if (!is_whole) return "HTML that libxml2 can't read to its end";
  text = strip(text);
  replace_all(text, "\xC2\xA0", " ");  // a blank that breaks no line is one to a model
  return text.empty() ? std::optional<std::string>("HTML without text") : std::nullopt;
}

}  // namespace bertprep
