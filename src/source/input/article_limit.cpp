#include "source/input/article_limit.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

Rejects::Rejects(bool strict, RejectSink sink) : strict_(strict || !sink), sink_(std::move(sink)) {}

void Rejects::add(const std::string& where, const std::string& reason, std::string_view record) {
  if (strict_) throw FormatError(reason, where, "fix the record, or leave out `strict` to reject only this record");
  sink_(where, reason, record);
}

namespace {

// Kept to identify an article.
constexpr std::size_t kKeptBytes = std::size_t{1} << 16;

}  // namespace

void ArticleLimit::reject(const std::string& where, std::uint64_t bytes, std::string_view beginning) const {
  rejects_->add(
      where,
      "it is too long: " + std::to_string(bytes) + " bytes, where `max_article` allows " + std::to_string(bytes_),
      beginning.substr(0, kKeptBytes));
}

void GrowingText::append(std::string_view separator, std::string_view part, std::uint64_t part_bytes,
                         const std::string& where) {
  if (bytes_ == 0) where_ = where;
  const bool was_allowed = limit_.allows(bytes_);
  bytes_ += part_bytes + (bytes_ == 0 ? 0 : separator.size());
  if (limit_.allows(bytes_)) {
    if (!text_.empty()) text_ += separator;
    text_ += part;
  } else if (was_allowed) {
    text_ += part.substr(0, kKeptBytes - std::min(kKeptBytes, text_.size()));
    text_.resize(std::min(text_.size(), kKeptBytes));
    text_.shrink_to_fit();
  }
}

bool GrowingText::take() {
  if (limit_.allows(bytes_)) return bytes_ != 0;
  limit_.reject(where_, bytes_, text_);
  drop();
  return false;
}

void GrowingText::drop() {
  text_.clear();
  bytes_ = 0;
}

}  // namespace bertprep
