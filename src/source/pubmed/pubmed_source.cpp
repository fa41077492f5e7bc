#include "source/pubmed/pubmed_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "source/pubmed/citation.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

// "</PubmedBookArticle>" and what may replace its last byte.
constexpr std::size_t kLongestTag = 24;

}  // namespace

CitationRecords::CitationRecords(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes)
    : RecordCutter(max_bytes), name_(std::move(name)), bytes_(std::move(bytes)) {}

// `text` begins with <.
std::optional<CitationRecords::Tag> CitationRecords::tag_at(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Kind>, 4> kNames = {{{"PubmedArticle", Kind::kArticle},
                                                                        {"PubmedBookArticle", Kind::kBook},
                                                                        {"DeleteCitation", Kind::kDeletion},
                                                                        {"PubmedArticleSet", Kind::kSet}}};
  const bool is_end = text.substr(1).starts_with('/');
  const std::string_view rest = text.substr(is_end ? 2 : 1);
  for (const auto& [name, kind] : kNames) {
    if (!rest.starts_with(name) || rest.size() == name.size()) continue;
    const char behind = rest[name.size()];
    if (behind == '>' || is_ascii_blank(behind)) return Tag{kind, is_end, name.size() + (is_end ? 2 : 1)};
  }
  return std::nullopt;
}

// False at the end of the file.
bool CitationRecords::fill() {
  window_.erase(0, at_);
  at_ = 0;
  const std::string_view block = bytes_->next_block();
  window_ += block;
  return !block.empty();
}

// Consumes `count` bytes, appending them to the record, if any.
void CitationRecords::take(std::size_t count, std::string* record) {
  const std::string_view part = std::string_view(window_).substr(at_, count);
  at_ += part.size();
  byte_ += part.size();
  line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
  if (record != nullptr) add_to_record(part, *record);
}

// Takes everything before the next relevant tag; nothing at the end of the file.
std::optional<CitationRecords::Tag> CitationRecords::find_tag(std::string* record) {
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

bool CitationRecords::next(std::string& record) {
  record.clear();
  auto tag = find_tag(nullptr);
  for (; tag && (tag->is_end || tag->kind == Kind::kSet); tag = find_tag(nullptr)) {
    if (tag->kind == Kind::kSet) (tag->is_end ? has_set_end_ : has_set_) = true;
    take(tag->bytes, nullptr);
  }
  if (!tag) {
    if ((has_set_ || has_records_) && !has_set_end_) {
      throw FormatError("the file ends before </PubmedArticleSet>: citations are missing",
                        name_ + ":" + std::to_string(line_), "get the whole file; those before its end were read");
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

PubmedSource::PubmedSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit)
    : name_(input.name),
      records_(std::move(input.name), std::move(input.bytes), limit.bytes()),
      deferred_(std::move(deferred)),
      limit_(limit) {}

std::string PubmedSource::place() const {
  return name_ + ":" + std::to_string(records_.line());
}

bool PubmedSource::read(SourceDocument& document) {
  while (records_.next(document.text)) {
    if (records_.is_truncated()) {
      limit_.reject(place(), records_.record_bytes(), document.text);
    } else if (records_.is_deletion()) {
      remark_deletions(document.text);
    } else {
      document.origin.source = name_;
      document.origin.line = records_.line();
      document.origin.byte = records_.byte();
      document.deferred = deferred_;
      return true;
    }
  }
  return false;
}

void PubmedSource::remark_deletions(std::string_view record) {
  constexpr std::size_t kMaxShown = 10;
  const std::vector<std::string> numbers = deleted_citations(record);
  std::string list;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMaxShown); ++i) list += (i == 0 ? "" : ", ") + numbers[i];
  if (numbers.size() > kMaxShown) list += ", …";
  remarks_.push_back({place(), "citations are marked as deleted, but stay if earlier files have them: " +
                                   counted(numbers.size(), "citation") + ", " + list});
}

std::vector<RecordRemark> PubmedSource::take_remarks() {
  return std::exchange(remarks_, {});
}

}  // namespace bertprep
