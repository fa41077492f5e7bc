#include "source/input/foreign_format.h"

#include <algorithm>
#include <array>

#include "source/encoding/guess.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// Skips text that begins with `begin` and ends with `end`.
bool skip(std::string_view& text, std::string_view begin, std::string_view end) {
  if (!starts_in_any_case(text, begin)) return false;
  const std::size_t stop = text.find(end, begin.size());
  text = strip(stop == std::string_view::npos ? std::string_view{} : text.substr(stop + end.size()));
  return true;
}

struct Prolog {
  bool is_present = false;
  bool is_html = false;  // the document type says so
};

// Declaration, comments and document type before the root.
Prolog skip_prolog(std::string_view& text) {
  Prolog prolog;
  for (bool has_more = true; has_more;) {
    prolog.is_html = prolog.is_html || starts_in_any_case(text, "<!doctype html");
    has_more = skip(text, "<?", "?>") || skip(text, "<!--", "-->") || skip(text, "<!doctype", ">");
    prolog.is_present = prolog.is_present || has_more;
  }
  return prolog;
}

// The name of the element whose tag the text begins with.
std::string_view root_of(std::string_view text) {
  if (!text.starts_with('<')) return {};
  text.remove_prefix(1);
  const auto is_part = [](char c) { return is_ascii_alphanumeric(c) || c == '-' || c == '_' || c == ':'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_part);
  const bool is_tag = end == text.end() || *end == '>' || *end == '/' || strip(std::string_view(&*end, 1)).empty();
  return is_tag ? text.substr(0, static_cast<std::size_t>(end - text.begin())) : std::string_view{};
}

template <std::size_t n>
bool is_one_of(std::string_view root, const std::array<std::string_view, n>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](auto name) { return root.size() == name.size() && starts_in_any_case(root, name); });
}

using std::string_view_literals::operator""sv;

// A format by the first bytes of a file, or by the end of its name.
struct ForeignKind {
  std::string_view sign;
  const char* what;
  const char* hint;
};

constexpr std::string_view kParquet = "PAR1";
constexpr std::string_view kSqlite = "SQLite format 3\0"sv;
constexpr const char* kPdf = "extract its text first: pdftotext FILE.pdf FILE.txt";
constexpr const char* kPandoc = "extract its text first: pandoc -t plain --wrap=none FILE -o FILE.txt";
constexpr const char* kOffice = "extract its text first: soffice --convert-to txt FILE";

constexpr ForeignKind kMagics[] = {
    {"%PDF-"sv, "PDF", kPdf},
    {"{\\rtf"sv, "RTF", kPandoc},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "a Microsoft Office document", kOffice},
    {"WARC/1"sv, "a web archive (WARC)", "extract the text of its pages as JSON Lines first"},
    {kParquet, "Parquet", "name the format: `format` parquet"},
    {"PARE"sv, "encrypted Parquet", "write it without encryption"},
    {"ARROW1"sv, "Arrow", "name the format: `format` arrow"},
    {kSqlite, "an SQLite database", "name the format and the rows: `format` sqlite, `query` 'select …'"},
    {"\x89HDF\r\n\x1A\n"sv, "HDF5", "give the text it was made from"},
    {"\x93NUMPY"sv, "a NumPy array", "give the text it was made from"},
    {"version https://git-lfs.github.com/spec/v1"sv, "a Git LFS pointer, the file itself is not here",
     "get it: git lfs pull"},
};

constexpr ForeignKind kDocumentEndings[] = {
    {".pdf", "PDF", kPdf},
    {".html", "HTML", kPandoc},
    {".htm", "HTML", kPandoc},
    {".xhtml", "HTML", kPandoc},
    {".docx", "a document of Word", kPandoc},
    {".doc", "a document of Word", kOffice},
    {".odt", "a document of OpenOffice", kPandoc},
    {".rtf", "RTF", kPandoc},
    {".epub", "an EPUB book", kPandoc},
    {".pptx", "slides of PowerPoint", kOffice},
    {".ppt", "slides of PowerPoint", kOffice},
    {".odp", "slides of OpenOffice", kOffice},
};

ForeignFormat foreign_xml(const XmlHead& head, std::string_view wanted) {
  if (head.is_html) {
    return {"HTML: a page was saved instead of the " + std::string(wanted),
            "download the file itself, or extract the text of the page first: pandoc -t plain --wrap=none FILE -o "
            "FILE.txt"};
  }
  const std::string root = head.root.empty() ? "it is not a dump of a wiki" : "its root is <" + head.root + ">";
  return {"XML: " + root, "extract its text first, for example as JSON Lines"};
}

}  // namespace

std::optional<XmlHead> xml_head_of(std::string_view text) {
  constexpr std::array<std::string_view, 5> kHtml = {"html", "head", "body", "title", "meta"};
  constexpr std::array<std::string_view, 4> kOthers = {"doc", "feed", "rss", "tei"};
  const Prolog prolog = skip_prolog(text);
  const std::string_view root = root_of(text);
  if (root == "mediawiki" || root == "page") return XmlHead{"mediawiki", std::string(root)};
  if (root == "PubmedArticleSet") return XmlHead{"pubmed", std::string(root)};
  if (text.starts_with("<doc id=")) return XmlHead{"wikiextractor", std::string(root)};
  if (prolog.is_html || is_one_of(root, kHtml)) return XmlHead{"", std::string(root), true};
  if (prolog.is_present || is_one_of(root, kOthers)) return XmlHead{"", std::string(root)};
  return std::nullopt;
}

bool is_closed_on_first_line(std::string_view text) {
  return text.substr(0, text.find('\n')).find("</") != std::string_view::npos;
}

std::string kind_of(const XmlHead& head) {
  if (head.format == "mediawiki") return "a dump of a wiki";
  return head.format == "pubmed" ? "citations of PubMed" : "<doc> elements";
}

std::optional<ForeignFormat> foreign_format_of(std::string_view head, std::string_view wanted) {
  for (const auto& [begin, what, hint] : kMagics) {
    if (head.starts_with(begin)) return ForeignFormat{what, hint};
  }
  const auto xml = xml_head_of(strip(unicode::without_byte_order_mark(head)));
  if (xml && xml->format.empty()) return foreign_xml(*xml, wanted);
  return std::nullopt;
}

bool begins_as_parquet(std::string_view head) {
  return head.starts_with(kParquet);
}

bool begins_as_sqlite(std::string_view head) {
  return head.starts_with(kSqlite);
}

std::optional<ForeignFormat> markup_of(std::string_view text) {
  const std::string_view root = root_of(text);
  const std::size_t close = std::min(text.find("</"), text.size());
  const bool is_closed = close + 2 < text.size() && is_ascii_letter(text[close + 2]);
  if (root.empty() || !is_ascii_letter(root.front()) || !is_closed) return std::nullopt;
  return ForeignFormat{"XML or HTML: it begins with <" + std::string(root) + ">",
                       "extract its text first; if the tags are text, give `format` articles"};
}

std::optional<ForeignFormat> wide_text_of(std::string_view head) {
  auto name = encoding_by_mark(head);
  if (!name) name = utf16_without_mark(head.substr(0, head.size() / 2 * 2));
  if (!name || *name == "UTF-8") return std::nullopt;
  return ForeignFormat{*name + ", not UTF-8", "convert it: iconv -f " + *name + " -t UTF-8 FILE > FILE.utf8"};
}

std::optional<ForeignFormat> document_by_name(std::string_view name) {
  for (const auto& [ending, what, hint] : kDocumentEndings) {
    if (ends_in_any_case(name, ending)) return ForeignFormat{what, hint};
  }
  return std::nullopt;
}

FormatError foreign_error(const ForeignFormat& format, const std::string& where) {
  return FormatError("this is " + format.what, where, format.hint);
}

void refuse_foreign(std::string_view head, InputFormat format, const std::string& where) {
  if (format == InputFormat::kArrow || (format == InputFormat::kParquet && begins_as_parquet(head)) ||
      (format == InputFormat::kSqlite && begins_as_sqlite(head))) {
    return;
  }
  const std::string_view text = strip(unicode::without_byte_order_mark(head));
  const bool takes_any_line = format == InputFormat::kArticles || format == InputFormat::kSentences;
  if (takes_any_line && is_closed_on_first_line(text)) return;
  if (const auto foreign = foreign_format_of(head, format == InputFormat::kMediawiki ? "dump" : "text"))
    throw foreign_error(*foreign, where);
  const auto wide = format == InputFormat::kMediawiki ? std::nullopt : wide_text_of(head);
  if (wide) throw foreign_error(*wide, where);
  const auto xml = xml_head_of(text);
  if (!xml || xml->format == name_of(format)) return;
  throw FormatError((xml->format == "mediawiki" ? "this is " : "these are ") + kind_of(*xml), where,
                    "name the format: `format` " + xml->format);
}

}  // namespace bertprep
