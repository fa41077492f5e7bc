// Bad records: how to handle them, and the longest article that is accepted. A longer one is skipped as it is read, so
// that it costs no memory.
#pragma once

#include <limits>

#include "bertprep/source/open_source.h"

namespace bertprep {

// Rejects: handles bad records.
class Rejects {
 public:
  // An empty `sink` makes every bad record an error.
  Rejects(bool strict, RejectSink sink);

  // Passes the record to the sink, or throws FormatError.
  void add(const std::string& where, const std::string& reason, std::string_view record);
  bool is_strict() const { return strict_; }

 private:
  bool strict_;
  RejectSink sink_;
};

class ArticleLimit {
 public:
  // Without a limit.
  ArticleLimit() = default;
  // `rejects` must outlive the object.
  ArticleLimit(std::uint64_t bytes, Rejects& rejects) : bytes_(bytes), rejects_(&rejects) {}

  std::uint64_t bytes() const { return bytes_; }
  bool allows(std::uint64_t bytes) const { return bytes <= bytes_; }
  // Rejects an article of `bytes` bytes, recording its beginning.
  void reject(const std::string& where, std::uint64_t bytes, std::string_view beginning) const;

 private:
  std::uint64_t bytes_ = std::numeric_limits<std::uint64_t>::max();
  Rejects* rejects_ = nullptr;
};

// The text of an article, built line by line: the part over the limit is counted but not kept.
class GrowingText {
 public:
  GrowingText(std::string& text, const ArticleLimit& limit) : text_(text), limit_(limit) { text.clear(); }

  // Appends a part whose position is `where`; for a truncated line, `part_bytes` is larger than the size of `part`.
  void append(std::string_view separator, std::string_view part, std::uint64_t part_bytes, const std::string& where);
  bool is_empty() const { return bytes_ == 0; }
  // Rejects an article that is too long and starts again; otherwise says whether there is an article.
  bool take();
  // Starts again.
  void drop();

 private:
  std::string& text_;
  const ArticleLimit& limit_;
  std::uint64_t bytes_ = 0;
  std::string where_;  // the position of its first part
};

}  // namespace bertprep
