#include "source/foreign_format.h"

#include <algorithm>
#include <array>

#include "io/strip.h"
#include "source/byte_order_mark.h"
#include "source/xml_head.h"

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

struct Magic {
  std::string_view begin;
  std::string_view what;
  std::string_view hint;
};

constexpr const char* kRows = "write its rows as JSON Lines (docs/formats/inputs.md shows how)";
constexpr const char* kPlainText = "save it as plain text";

constexpr std::array kMagics = {
    Magic{"%PDF-"sv, "PDF", "extract its text first: pdftotext FILE.pdf FILE.txt"},
    Magic{"{\\rtf"sv, "RTF", kPlainText},
    Magic{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "a document of Microsoft Office", kPlainText},
    Magic{"WARC/1"sv, "a web archive (WARC)", "extract the text of its pages as JSON Lines first"},
    Magic{"PAR1"sv, "Parquet", kRows},
    Magic{"ARROW1"sv, "Arrow", kRows},
    Magic{"SQLite format 3\0"sv, "a database of SQLite", kRows},
    Magic{"\x89HDF\r\n\x1A\n"sv, "HDF5", "give the text from which it was made"},
    Magic{"\x93NUMPY"sv, "an array of NumPy", "give the text from which it was made"},
    Magic{"version https://git-lfs.github.com/spec/v1"sv, "a pointer of Git LFS, the file itself is not here",
          "get it: git lfs pull"},
};

ForeignFormat foreign_xml(const XmlHead& head, std::string_view wanted) {
  if (head.is_html) {
    return {"HTML: a page was saved instead of the " + std::string(wanted),
            "download the file itself, or extract the text of the page first"};
  }
  const std::string root = head.root.empty() ? "it is no dump of a wiki" : "its root is <" + head.root + ">";
  return {"XML: " + root, "extract its text first, for example as JSON Lines"};
}

bool is_closed_on_first_line(std::string_view text) {
  return text.substr(0, text.find('\n')).find("</") != std::string_view::npos;
}

}  // namespace

std::optional<ForeignFormat> foreign_format_of(std::string_view head, std::string_view wanted) {
  const auto magic =
      std::find_if(kMagics.begin(), kMagics.end(), [&](const Magic& one) { return head.starts_with(one.begin); });
  if (magic != kMagics.end()) return ForeignFormat{std::string(magic->what), std::string(magic->hint)};
  const auto xml = xml_head_of(strip(without_byte_order_mark(head)));
  if (xml && xml->format.empty()) return foreign_xml(*xml, wanted);
  return std::nullopt;
}

FormatError foreign_error(const ForeignFormat& format, const std::string& where) {
  return FormatError("this is " + format.what, where, format.hint);
}

void refuse_foreign(std::string_view head, InputFormat format, const std::string& where) {
  const std::string_view text = strip(without_byte_order_mark(head));
  const bool takes_any_line = format == InputFormat::kArticles || format == InputFormat::kSentences;
  if (takes_any_line && is_closed_on_first_line(text)) return;
  if (const auto foreign = foreign_format_of(head, format == InputFormat::kMediawiki ? "dump" : "text"))
    throw foreign_error(*foreign, where);
  const auto xml = xml_head_of(text);
  if (!xml || xml->format == name_of(format)) return;
  throw FormatError(xml->format == "mediawiki" ? "this is a dump of a wiki" : "these are <doc> elements", where,
                    "name the format: --format " + xml->format);
}

}  // namespace bertprep
