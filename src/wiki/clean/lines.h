// LineWriter: rendered wikitext -> paragraphs, one a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bertprep::clean {

class LanguageTable;

struct LineRules {
  bool lists = false;
  bool headings = false;
  bool french = false;
  bool has_code = false;                 // the text holds marks of code (SourceReader::has_code)
  const LanguageTable* table = nullptr;  // for __SWITCHES__
};

class LineWriter {
 public:
  // Appends to `lines`, each ended by LF. Lines of source that no empty line parts are one paragraph. Rows of tables
  // and preformatted lines vanish; items of lists and headings unless the rules keep them.
  void write(std::string_view text, const LineRules& rules, std::string& lines);

 private:
  struct Heading {
    std::size_t level = 0;
    std::string text;
  };

  void take_line(std::string_view line);
  void take_heading(std::string_view line);
  void take_item(std::string_view line);
  void take_prose(std::string_view line);
  void finish_paragraph();
  void emit_heading(std::string_view source);
  void clean(std::string& text) const;

  LineRules rules_;
  std::string* lines_ = nullptr;
  std::string paragraph_;
  std::vector<Heading> headings_;  // that wait for a text
};

}  // namespace bertprep::clean
