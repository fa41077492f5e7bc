#include "source/columns/arrow_stream.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "source/columns/page_values.h"

namespace bertprep {
namespace {

constexpr std::string_view kFileMagic = "ARROW1";
constexpr std::string_view kContinuation = "\xFF\xFF\xFF\xFF";
constexpr std::uint64_t kMaxMessage = std::uint64_t{64} << 20;

void require_more(bool has_more) {
  if (!has_more) throw FormatError("it ends early");
}

}  // namespace

bool begins_as_arrow(std::string_view head) {
  if (head.starts_with(kFileMagic)) return true;
  if (!head.starts_with(kContinuation) || head.size() < 16) return false;
  try {
    return FlatTable::root_of(head.substr(8)).number(1, 1) == ArrowStream::kSchema;
  } catch (const FormatError&) {
    return false;
  }
}

// False at the end. Memory grows with the bytes that are there, not with those that are said to be.
bool ArrowStream::take(std::uint64_t count, std::string& bytes) {
  for (bytes.clear(); bytes.size() < count;) {
    if (!has_more() && bytes.empty()) return false;
    require_more(has_more());
    const std::string_view part = block_.substr(0, count - bytes.size());
    bytes += part;
    block_.remove_prefix(part.size());
    byte_ += part.size();
  }
  return true;
}

// False at the end of the bytes. Old writers give the length at once.
bool ArrowStream::read_length(std::uint64_t& length) {
  const bool is_first = byte_ == 0;
  message_byte_ = byte_;
  if (!take(4, head_)) return false;
  if (is_first && kFileMagic.starts_with(head_)) {
    is_file_ = true;
    require_more(take(4, head_));
    return read_length(length);
  }
  if (head_ == kContinuation) require_more(take(4, head_));
  length = number_in(head_);
  return true;
}

// Nothing may follow a stream. A file has its list of batches, which are those that were read.
void ArrowStream::finish() {
  std::string tail;
  for (; has_more(); block_ = {}) {
    if (!is_file_) throw FormatError("more follows after its end");
    tail += block_.substr(block_.size() - std::min(block_.size(), kFileMagic.size()));
    tail.erase(0, tail.size() - std::min(tail.size(), kFileMagic.size()));
  }
  require_more(!is_file_ || tail == kFileMagic);
}

std::string_view ArrowStream::body() {
  if (const std::uint64_t bytes = std::exchange(unread_, 0); bytes != 0) require_more(take(bytes, body_));
  return body_;
}

void ArrowStream::skip_body() {
  if (file_.empty() || unread_ <= block_.size()) return static_cast<void>(body());
  byte_ += std::exchange(unread_, 0);
  block_ = {};
  bytes_ = std::make_unique<FileStream>(file_, byte_);
}

bool ArrowStream::next() {
  skip_body();
  std::uint64_t length = 0;
  const bool has_length = read_length(length);
  require_more(has_length || (!is_file_ && header_));
  if (!has_length || length == 0) {
    if (has_length) finish();
    return false;
  }
  if (length > kMaxMessage) throw FormatError("its metadata is said to have " + std::to_string(length) + " bytes");
  require_more(take(length, metadata_));
  const FlatTable message = FlatTable::root_of(metadata_);
  const bool is_first = !header_;
  kind_ = message.number(1, 1);
  header_ = message.table(2);
  unread_ = message.number(3, 8);
  body_.clear();
  require_size("a batch", unread_, max_bytes_);
  if (!header_ || is_first != (kind_ == kSchema)) throw FormatError("it does not begin with its only schema");
  batches_ += kind_ == kBatch ? 1 : 0;
  return true;
}

}  // namespace bertprep
