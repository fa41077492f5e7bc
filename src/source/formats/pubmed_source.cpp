#include "source/formats/pubmed_source.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/number_text.h"
#include "source/formats/text_fields.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// "</PubmedBookArticle>" and what may replace its last byte.
constexpr std::size_t kLongestTag = 24;

// The numbers of the citations that a <DeleteCitation> names.
std::vector<std::string> deleted_citations(std::string_view record) {
  constexpr std::string_view kBegin = "<PMID";
  std::vector<std::string> numbers;
  for (std::size_t at = record.find(kBegin); at != std::string_view::npos; at = record.find(kBegin, at + 1)) {
    const std::size_t begin = std::min(record.find('>', at), record.size() - 1) + 1;
    numbers.emplace_back(record.substr(begin, record.find('<', begin) - begin));
  }
  return numbers;
}

// CitationRecords: the citations in a file of PubMed's XML, extracted without parsing it. Memory: the longest citation.
class CitationRecords final : public RecordCutter {
 public:
  CitationRecords(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes)
      : RecordCutter(std::move(name), max_bytes), bytes_(std::move(bytes)) {}

  bool next(std::string& record) override {
    while (next_record(record)) {
      if (kind_ != Kind::kDeletion || is_truncated()) return true;
      remark_deletions(record);
    }
    return false;
  }

  // The citations that the file deletes. Those read before were already returned.
  std::vector<RecordRemark> take_remarks() override { return std::exchange(remarks_, {}); }

 private:
  enum class Kind { kArticle, kBook, kDeletion, kSet };
  struct Tag {
    Kind kind;
    bool is_end;
    std::size_t bytes;  // of its name, including < and /
  };

  // `text` begins with <.
  static std::optional<Tag> tag_at(std::string_view text) {
    constexpr std::pair<std::string_view, Kind> kNames[] = {{"PubmedArticle", Kind::kArticle},
                                                            {"PubmedBookArticle", Kind::kBook},
                                                            {"DeleteCitation", Kind::kDeletion},
                                                            {"PubmedArticleSet", Kind::kSet}};
    const bool is_end = text.substr(1).starts_with('/');
    const std::string_view rest = text.substr(is_end ? 2 : 1);
    for (const auto& [name, kind] : kNames) {
      if (!rest.starts_with(name) || rest.size() == name.size()) continue;
      const char behind = rest[name.size()];
      if (behind == '>' || is_ascii_blank(behind)) return Tag{kind, is_end, name.size() + (is_end ? 2 : 1)};
    }
    return std::nullopt;
  }

  // Takes everything before the next relevant tag; nothing at the end of the file.
  std::optional<Tag> find_tag(std::string* record) {
    bool has_more = true;
    while (true) {
      const std::string_view rest = std::string_view(window_).substr(at_);
      const std::size_t angle = std::min(rest.find('<'), rest.size());
      if (has_more && rest.size() - angle < kLongestTag) {
        take(angle, record);
        has_more = fill();
        continue;
      }
      if (angle == rest.size()) {
        take(angle, record);
        return std::nullopt;
      }
      const auto tag = tag_at(rest.substr(angle));
      take(tag ? angle : angle + 1, record);
      if (tag) return tag;
    }
  }

  // False at the end of the file.
  bool fill() {
    window_.erase(0, at_);
    at_ = 0;
    const std::string_view block = bytes_->next_block();
    window_ += block;
    return !block.empty();
  }

  // Consumes `count` bytes, appending them to the record, if any.
  void take(std::size_t count, std::string* record) {
    const std::string_view part = std::string_view(window_).substr(at_, count);
    at_ += part.size();
    byte_ += part.size();
    line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    if (record != nullptr) add_to_record(part, *record);
  }

  bool next_record(std::string& record) {
    record.clear();
    auto tag = find_tag(nullptr);
    for (; tag && (tag->is_end || tag->kind == Kind::kSet); tag = find_tag(nullptr)) {
      if (tag->kind == Kind::kSet) (tag->is_end ? has_set_end_ : has_set_) = true;
      take(tag->bytes, nullptr);
    }
    if (!tag) {
      if ((has_set_ || has_records_) && !has_set_end_) {
        throw FormatError("the file ends before </PubmedArticleSet>: citations are missing",
                          name() + ":" + std::to_string(line_), "get the whole file; those before its end were read");
      }
      return false;
    }
    has_records_ = true;
    kind_ = tag->kind;
    begin_record(line_, byte_, record);
    take(tag->bytes, &record);
    const auto end = find_tag(&record);
    if (end && end->is_end && end->kind == kind_) take(end->bytes + 1, &record);
    return true;
  }

  void remark_deletions(std::string_view record) {
    constexpr std::size_t kMaxShown = 10;
    const std::vector<std::string> numbers = deleted_citations(record);
    std::string list;
    for (std::size_t i = 0; i < std::min(numbers.size(), kMaxShown); ++i) list += (i == 0 ? "" : ", ") + numbers[i];
    if (numbers.size() > kMaxShown) list += ", …";
    remarks_.push_back({place(), "citations are marked as deleted, but stay if earlier files have them: " +
                                     counted(numbers.size(), "citation") + ", " + list});
  }

  std::unique_ptr<ByteStream> bytes_;
  std::string window_;  // bytes read
  std::size_t at_ = 0;  // how many of them are used
  std::uint64_t line_ = 1;
  std::uint64_t byte_ = 0;
  Kind kind_ = Kind::kArticle;
  bool has_records_ = false;
  bool has_set_ = false;
  bool has_set_end_ = false;
  std::vector<RecordRemark> remarks_;
};

// Far deeper than any citation.
constexpr std::size_t kMaxDepth = 200;

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

class CitationWorker final : public RecordWorker {
 public:
  CitationWorker() : parser_(XML_ParserCreate("UTF-8")) {
    if (parser_ == nullptr) throw std::bad_alloc();
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  std::optional<std::string> read(const std::string& record, SourceDocument& document) override {
    XML_ParserReset(parser_.get(), "UTF-8");
    CitationReader reader(parser_.get());
    if (auto fault = parse(record)) return fault;
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
    append_part(citation.abstract, kParagraphBreak, document.text);
    return std::nullopt;
  }

  // In parts, as expat counts in int.
  std::optional<std::string> parse(std::string_view rest) {
    constexpr std::size_t kPartBytes = std::size_t{1} << 24;
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
};

}  // namespace

std::unique_ptr<RecordCutter> citation_records(std::string name, std::unique_ptr<ByteStream> bytes,
                                               std::uint64_t max_bytes) {
  return std::make_unique<CitationRecords>(std::move(name), std::move(bytes), max_bytes);
}

OpenText pubmed_reader(const CorpusReading& reading) {
  return [reading, deferred = deferred_to<CitationWorker>()](TextInput input) {
    auto records = citation_records(std::move(input.name), std::move(input.bytes), reading.limit.bytes());
    return std::make_unique<RecordSource>(std::move(records), deferred, reading.limit);
  };
}

}  // namespace bertprep
