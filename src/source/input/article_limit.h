// Bad records: what becomes of one, and how long an article may be before it is one. A longer one streams by, so that
// it costs no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "bertprep/source/open_source.h"

namespace bertprep {

// Rejects: what becomes of a bad record.
class Rejects {
 public:
  // An empty `sink` makes every bad record an error.
  Rejects(bool strict, RejectSink sink);

  // Hands the record on, or throws FormatError.
  void add(const std::string& where, const std::string& reason, std::string_view record);
  bool is_strict() const { return strict_; }

 private:
  bool strict_;
  RejectSink sink_;
};

class ArticleLimit {
 public:
  // No limit.
  ArticleLimit() = default;
  // `rejects` must outlive the object.
  ArticleLimit(std::uint64_t bytes, Rejects& rejects) : bytes_(bytes), rejects_(&rejects) {}

  std::uint64_t bytes() const { return bytes_; }
  bool allows(std::uint64_t bytes) const { return bytes <= bytes_; }
  // Sets aside an article of so many bytes, by its beginning.
  void reject(const std::string& where, std::uint64_t bytes, std::string_view beginning) const;

 private:
  std::uint64_t bytes_ = std::numeric_limits<std::uint64_t>::max();
  Rejects* rejects_ = nullptr;
};

// The text of an article while it grows line by line: what is over the limit is counted and not kept.
class GrowingText {
 public:
  GrowingText(std::string& text, const ArticleLimit& limit) : text_(text), limit_(limit) { text.clear(); }

  // Appends a part that stands at `where`; of a line that was cut, `part_bytes` are more than `part` has.
  void append(char separator, std::string_view part, std::uint64_t part_bytes, const std::string& where);
  bool is_empty() const { return bytes_ == 0; }
  // Rejects an article that is too long and begins anew; otherwise says whether there is one.
  bool take();

 private:
  std::string& text_;
  const ArticleLimit& limit_;
  std::uint64_t bytes_ = 0;
  std::string where_;  // its first part stands
};

}  // namespace bertprep
