// LineWriter: rendered wikitext -> paragraphs, one a line. HoleMender: what goes with a template or formula that a
// paragraph lost, for --holes.
#pragma once

#include <utility>

#include "bertprep/wiki/wiki_options.h"
#include "unicode/properties/sentence_breaks.h"

namespace bertprep::clean {

// What the paragraphs of a page lost.
struct PageLosses {
  std::uint64_t holes = 0;
  std::uint64_t left_out = 0;        // sentences or paragraphs
  std::vector<std::string> samples;  // the first of these, their holes as {{…}}
};

class HoleMender {
 public:
  // The language of the dump's wiki.
  explicit HoleMender(std::string language) : language_(std::move(language)) {}

  // Removes the marks of a paragraph and, in this order: what is left around them (rests.h), their parts of brackets,
  // and the sentences or the paragraph that they are holes of. What stood between sentences leaves no hole.
  void mend(std::string& paragraph, HoleRule rule, PageLosses& losses);

 private:
  struct Sentence;

  std::vector<Sentence> sentences_of(std::string_view text);
  static std::vector<Sentence> joined(const std::vector<Sentence>& sentences, std::string_view text);
  void remove_sentences(std::string& paragraph, HoleRule rule, PageLosses& losses);

  std::string language_;
  std::unique_ptr<const unicode::SentenceBreaks> breaks_;  // made when they are needed
};

class LanguageTable;

struct LineRules {
  bool lists = false;
  bool headings = false;
  HoleRule holes = HoleRule::kSentence;
  bool parts_paragraphs = false;  // by an empty line, also headings; not the items of a list
  bool french = false;
  bool has_code = false;                 // the text holds marks of code (SourceReader::has_code)
  const LanguageTable* table = nullptr;  // for __SWITCHES__
};

class LineWriter {
 public:
  // `language` is that of the text.
  explicit LineWriter(std::string language) : mender_(std::move(language)) {}

  // Appends to `lines`, each ended by LF. Lines of source that no empty line parts are one paragraph. Rows of tables
  // and preformatted lines vanish; items of lists and headings unless the rules keep them.
  void write(std::string_view text, const LineRules& rules, std::string& lines);
  // Of the last text.
  const PageLosses& losses() const { return losses_; }

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
  void emit(std::string_view line, bool is_item);
  void clean(std::string& text);

  HoleMender mender_;
  PageLosses losses_;
  LineRules rules_;
  std::string* lines_ = nullptr;
  std::string paragraph_;
  std::vector<Heading> headings_;  // that wait for a text
  bool is_item_ = false;           // the paragraph is an item of a list
  bool follows_item_ = false;
};

}  // namespace bertprep::clean
