// A ByteStream over a string, in blocks of any size.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "stream/byte_stream.h"

namespace bertprep::test {

class MemoryStream final : public ByteStream {
 public:
  // The bytes at `gaps` come after a gap; blocks end there.
  MemoryStream(std::string bytes, std::size_t block_bytes, std::set<std::size_t> gaps = {})
      : bytes_(std::move(bytes)), block_bytes_(block_bytes), gaps_(std::move(gaps)) {}

  std::string_view next_block() override {
    is_after_gap_ = gaps_.contains(at_);
    std::size_t end = std::min(at_ + block_bytes_, bytes_.size());
    if (const auto gap = gaps_.upper_bound(at_); gap != gaps_.end()) end = std::min(end, *gap);
    // A copy, so that a view kept too long is detected.
    block_ = bytes_.substr(at_, end - at_);
    at_ = end;
    return block_;
  }
  BlockPlace place() const override { return {.gap = is_after_gap_ ? std::optional(FileBytes()) : std::nullopt}; }

 private:
  std::string bytes_;
  std::size_t block_bytes_;
  std::set<std::size_t> gaps_;
  std::size_t at_ = 0;
  std::string block_;
  bool is_after_gap_ = false;
};

}  // namespace bertprep::test
