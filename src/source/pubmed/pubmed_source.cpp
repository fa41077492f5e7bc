#include "source/pubmed/pubmed_source.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "source/pubmed/citation.h"

namespace bertprep {

PubmedSource::PubmedSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit)
    : name_(input.name),
      records_(std::move(input.name), std::move(input.bytes), limit.bytes()),
      deferred_(std::move(deferred)),
      limit_(limit) {}

std::string PubmedSource::place() const {
  return name_ + ":" + std::to_string(records_.line());
}

bool PubmedSource::next(Document& document) {
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
