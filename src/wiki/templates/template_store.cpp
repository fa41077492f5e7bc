#include "wiki/templates/template_store.h"

#include <algorithm>

#include "io/output_file.h"
#include "io/pending_file.h"
#include "unicode/utf8_text.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/markup/entities.h"

namespace bertprep {
namespace {

constexpr std::string_view kTitleSpaces = " \t\n\v\f\r\x1C\x1D\x1E\x1F";

// Calls `keep` with the text outside open...close and `take` with the text inside, from left to right.
template <class Keep, class Take>
void split_at_pairs(std::string_view text, std::string_view open, std::string_view close, Keep keep, Take take) {
  std::size_t copied = 0;
  while (true) {
    const auto begin = text.find(open, copied);
    if (begin == std::string_view::npos) break;
    const auto inside = begin + open.size();
    const auto end = text.find(close, inside);
    if (end == std::string_view::npos) break;
    keep(text.substr(copied, begin - copied));
    take(text.substr(inside, end - inside));
    copied = end + close.size();
  }
  keep(text.substr(copied));
}

std::string without_pairs(std::string_view text, std::string_view open, std::string_view close) {
  std::string out;
  split_at_pairs(
      text, open, close, [&out](std::string_view outside) { out += outside; }, [](std::string_view) {});
  return out;
}

// Where an unclosed <noinclude> begins; blanks may precede its >.
std::size_t unclosed_noinclude(std::string_view text) {
  constexpr std::string_view kOpen = "<noinclude";
  for (auto at = text.find(kOpen); at != std::string_view::npos; at = text.find(kOpen, at + 1)) {
    const auto end = text.find_first_not_of(kTitleSpaces, at + kOpen.size());
    if (end != std::string_view::npos && text[end] == '>') return at;
  }
  return text.size();
}

// False: there are none.
bool only_included(std::string_view text, std::string& out) {
  bool found = false;
  split_at_pairs(
      text, "<onlyinclude>", "</onlyinclude>", [](std::string_view) {},
      [&](std::string_view inside) {
        found = true;
        out += inside;
      });
  return found;
}

namespace fs = std::filesystem;

constexpr std::string_view kTemplateSpace = "10";
constexpr std::string_view kModuleSpace = "828";

// Defines the templates of the dumps and writes them to the file, unless the dumps are damaged: the next call would
// take an incomplete file for a complete one.
void collect_templates(const fs::path& file, std::span<const fs::path> dumps, const TaskRunner& runner,
                       TemplateStore& store) {
  PendingFile pending(file, file.parent_path().empty() ? "." : file.parent_path());
  OutputFile out(pending.path());
  Rejects rejects(false, [](const auto&, const auto&, auto) {});
  DumpReader reader(dumps, {}, rejects, runner);
  std::string text;
  try {
    for (DumpPage page; reader.next(page);) {
      if (page.namespace_key != kTemplateSpace && page.namespace_key != kModuleSpace) continue;
      store.define(page.page.title, page.page.text);
      text.clear();
      append_template_page(page.page, page.namespace_key, text);
      out.write(text);
    }
  } catch (const FormatError&) {
    return;  // a damaged dump is reported when its articles are read
  }
  out.finish();
  pending.publish();
}

constexpr std::string_view kIndent = "   ";

void append_element(std::string_view name, std::string_view value, std::string& out) {
  out += kIndent;
  out += '<';
  out += name;
  out += '>';
  out += value;
  out += "</";
  out += name;
  out += ">\n";
}

// Reads element by element; only white space may separate them.
class ElementReader {
 public:
  ElementReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  bool at_end() {
    skip_blanks();
    return at_ == bytes_.size();
  }

  bool accept(std::string_view tag) {
    skip_blanks();
    if (!bytes_.substr(at_).starts_with(tag)) return false;
    at_ += tag.size();
    return true;
  }

  void expect(std::string_view tag) {
    if (!accept(tag)) fail(std::string(tag) + " is missing");
  }

  std::string_view value(const std::string& name) {
    expect("<" + name + ">");
    const auto end = bytes_.find("</" + name + ">", at_);
    if (end == std::string_view::npos) fail("<" + name + "> is never closed");
    const auto text = bytes_.substr(at_, end - at_);
    at_ = end + name.size() + 3;
    return text;
  }

 private:
  void skip_blanks() { at_ = std::min(bytes_.find_first_not_of(" \t\r\n", at_), bytes_.size()); }

  [[noreturn]] void fail(const std::string& what) const {
    const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw FormatError("not a file of templates: " + what, file_ + ":" + std::to_string(line),
                      "remove it, and it is remade from the dump");
  }

  std::string_view bytes_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

std::string template_definition(std::string_view text, const unicode::WordCharacters& words) {
  std::string body;
  if (!unescape(text, words, body)) body = text;
  body = without_pairs(body, "<!--", "-->");
  body = without_pairs(body, "<noinclude>", "</noinclude>");
  body.resize(unclosed_noinclude(body));
  replace_all(body, "<noinclude/>", "");
  std::string only;
  if (only_included(body, only)) return only;
  replace_all(body, "<includeonly>", "");
  replace_all(body, "</includeonly>", "");
  return body;
}

void TemplateStore::define(std::string_view title, std::string_view text) {
  std::string definition = template_definition(text, words_);
  if (!definition.empty()) definitions_.insert_or_assign(std::string(title), std::move(definition));
}

const std::string* TemplateStore::find(std::string_view title) const {
  const auto found = definitions_.find(title);
  return found == definitions_.end() ? nullptr : &found->second;
}

std::shared_ptr<const TemplateStore> load_templates(const fs::path& file, std::span<const fs::path> dumps,
                                                    const TaskRunner& runner) {
  if (file.empty()) return nullptr;
  auto store = std::make_shared<TemplateStore>();
  if (fs::exists(file)) {
    read_template_file(read_file(file), file, *store);
  } else {
    collect_templates(file, dumps, runner, *store);
  }
  return store;
}

void append_template_page(const WikiPage& page, std::string_view namespace_key, std::string& out) {
  out += "<page>\n";
  append_element("title", page.title, out);
  append_element("ns", namespace_key, out);
  append_element("id", page.id, out);
  append_element("text", page.text + std::string(kIndent), out);
  out += "</page>\n";
}

void read_template_file(std::string_view bytes, const std::string& file, TemplateStore& store) {
  ElementReader reader(bytes, file);
  while (!reader.at_end()) {
    reader.expect("<page>");
    const auto title = reader.value("title");
    reader.value("ns");
    reader.value("id");
    auto text = reader.value("text");
    if (text.ends_with(kIndent)) text.remove_suffix(kIndent.size());
    reader.expect("</page>");
    store.define(title, text);
  }
}

}  // namespace bertprep
