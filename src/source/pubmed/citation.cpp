#include "source/pubmed/citation.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

// Far deeper than any citation.
constexpr std::size_t kMaxDepth = 200;
constexpr std::string_view kParagraphBreak = "\n\n";

// Text with white space reduced to single blanks, without any at its ends.
class SqueezedText {
 public:
  void clear() {
    text_.clear();
    has_blank_ = false;
  }
  void add(std::string_view part) {
    for (const char c : part) {
      if (is_ascii_blank(c)) {
        has_blank_ = !text_.empty();
        continue;
      }
      if (has_blank_) text_ += ' ';
      has_blank_ = false;
      text_ += c;
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool has_blank_ = false;
};

// The data read from a citation.
struct Citation {
  std::string pmid;
  std::string title;
  std::string abstract;                // its sections as paragraphs
  std::array<std::string, 3> revised;  // year, month, day
};

// The handlers of expat. The position of an element decides whether it counts: a citation may contain others.
class CitationReader {
 public:
  explicit CitationReader(XML_Parser parser) : parser_(parser) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, &begin, &end);
    XML_SetCharacterDataHandler(parser, &characters);
  }

  const Citation& citation() const { return citation_; }

 private:
  static CitationReader& self(void* data) { return *static_cast<CitationReader*>(data); }
  static void XMLCALL begin(void* data, const XML_Char* name, const XML_Char** attributes) {
    self(data).begin_element(name, attributes);
  }
  static void XMLCALL end(void* data, const XML_Char* /*name*/) { self(data).end_element(); }
  static void XMLCALL characters(void* data, const XML_Char* text, int size) {
    CitationReader& reader = self(data);
    if (reader.depth_of_text_ != 0) reader.text_.add({text, static_cast<std::size_t>(size)});
  }

  // 1: its parent.
  std::string_view above(std::size_t steps) const {
    return path_.size() > steps ? std::string_view(path_[path_.size() - 1 - steps]) : std::string_view();
  }
  bool lies_in_document(std::size_t steps) const { return above(steps) == "Article" || above(steps) == "BookDocument"; }

  // Where to put the text of the element; null: nowhere.
  std::string* target() {
    const std::string_view name = path_.back();
    if (name == "PMID" && (above(1) == "MedlineCitation" || above(1) == "BookDocument")) return &citation_.pmid;
    if (name == "ArticleTitle" && lies_in_document(1)) return &citation_.title;
    if (name == "AbstractText" && above(1) == "Abstract" && lies_in_document(2)) return &citation_.abstract;
    if (above(1) != "DateRevised" || above(2) == "PubMedPubDate") return nullptr;
    return name == "Year"    ? citation_.revised.data()
           : name == "Month" ? &citation_.revised[1]
           : name == "Day"   ? &citation_.revised[2]
                             : nullptr;
  }

  void begin_element(const XML_Char* name, const XML_Char** attributes) {
    if (path_.size() == kMaxDepth) {
      XML_StopParser(parser_, XML_FALSE);
      return;
    }
    path_.emplace_back(name);
    if (depth_of_text_ != 0) return;
    target_ = target();
    if (target_ == nullptr) return;
    depth_of_text_ = path_.size();
    text_.clear();
    label_.clear();
    for (; path_.back() == "AbstractText" && *attributes != nullptr; attributes += 2) {
      if (std::string_view(attributes[0]) == "Label") label_ = attributes[1];
    }
  }

  void end_element() {
    if (path_.size() == depth_of_text_) {
      take_text();
      depth_of_text_ = 0;
    }
    path_.pop_back();
  }

  void take_text() {
    if (text_.text().empty()) return;
    if (!target_->empty()) *target_ += kParagraphBreak;
    if (!label_.empty() && label_ != "UNLABELLED") *target_ += label_ + ": ";
    *target_ += text_.text();
  }

  XML_Parser parser_;
  Citation citation_;
  std::vector<std::string> path_;  // names, from the root
  std::size_t depth_of_text_ = 0;  // of the element whose text is read; 0: not reading
  std::string* target_ = nullptr;
  SqueezedText text_;
  std::string label_;
};

class CitationWorker final : public DeferredWork::Worker {
 public:
  CitationWorker() : parser_(XML_ParserCreate("UTF-8")) {
    if (parser_ == nullptr) throw std::bad_alloc();
  }

  std::optional<Rejection> finish(SourceDocument& document) override {
    document.deferred.reset();
    record_.swap(document.text);
    document.text.clear();
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    return Rejection{document.origin.source + ":" + std::to_string(document.origin.line), *reason, record_};
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  std::optional<std::string> read(SourceDocument& document) {
    XML_ParserReset(parser_.get(), "UTF-8");
    CitationReader reader(parser_.get());
    if (const auto fault = parse()) return fault;
    const Citation& citation = reader.citation();
    if (citation.pmid.empty()) return "a citation without a PMID";
    document.title = citation.title;
    document.origin.page_id = citation.pmid;
    document.origin.url = "https://pubmed.ncbi.nlm.nih.gov/" + citation.pmid + "/";
    const auto& [year, month, day] = citation.revised;
    if (!year.empty() && !month.empty() && !day.empty()) document.origin.timestamp = year + "-" + month + "-" + day;
    if (citation.abstract.empty()) {
      document.left_out = "no abstract";
      return std::nullopt;
    }
    document.text = citation.title;
    if (!document.text.empty()) document.text += kParagraphBreak;
    document.text += citation.abstract;
    return std::nullopt;
  }

  // In parts, as expat counts in int.
  std::optional<std::string> parse() {
    constexpr std::size_t kPartBytes = std::size_t{1} << 24;
    std::string_view rest = record_;
    while (true) {
      const std::string_view part = rest.substr(0, kPartBytes);
      rest.remove_prefix(part.size());
      const auto status = XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()), rest.empty() ? 1 : 0);
      if (status != XML_STATUS_OK) return fault();
      if (rest.empty()) return std::nullopt;
    }
  }

  std::uint64_t line_number() const {
#ifdef XML_ATTR_DEPRECATED  // with it came functions of 64 bits in place of these
    return XML_GetCurrentLineNumber64(parser_.get());
#else
    return XML_GetCurrentLineNumber(parser_.get());
#endif
  }

  std::string fault() const {
    const XML_Error code = XML_GetErrorCode(parser_.get());
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (code == XML_ERROR_ABORTED) return "broken XML: elements are nested too deeply";
    return std::string("broken XML: ") + XML_ErrorString(code) + ", in line " + std::to_string(line_number()) +
           " of the citation";
  }

  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::string record_;
};

class DeferredCitations final : public DeferredWork {
 public:
  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<CitationWorker>(); }
};

}  // namespace

std::vector<std::string> deleted_citations(std::string_view record) {
  constexpr std::string_view kBegin = "<PMID";
  std::vector<std::string> numbers;
  for (std::size_t at = record.find(kBegin); at != std::string_view::npos; at = record.find(kBegin, at + 1)) {
    const std::size_t begin = std::min(record.find('>', at), record.size() - 1) + 1;
    numbers.emplace_back(record.substr(begin, record.find('<', begin) - begin));
  }
  return numbers;
}

std::shared_ptr<const DeferredWork> make_deferred_citations() {
  return std::make_shared<DeferredCitations>();
}

}  // namespace bertprep
