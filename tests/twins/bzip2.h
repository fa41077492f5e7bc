// One block of bzip2, decoded by the project and by libbz2, and compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "stream/bzip2/block_decoder.h"
#include "stream/bzip2_block.h"

namespace bertprep::test {

class Bzip2Twins {
 public:
  // Decodes the block whose mark begins at `first_bit` (0 to 7) of `bytes` and which ends before `end_bit` by both, and
  // returns how they differ: empty if they don't.
  std::string difference(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
    Bzip2Frame frame;
    if (!frame.set(bytes, first_bit, end_bit)) return {};
    twin_.set(bytes, first_bit, end_bit);
    twin_.decode(nullptr);
    block_.set(bytes, first_bit, end_bit);
    block_.decode(&decoder_);
    if (block_.state() != twin_.state()) {
      return "state " + std::to_string(static_cast<int>(block_.state())) + " for " +
             std::to_string(static_cast<int>(twin_.state()));
    }
    if (block_.checksum() != frame.checksum()) return "checksum";
    if (twin_.state() == Bzip2State::kDamaged) return {};
    const std::uint64_t reach = twin_.state() == Bzip2State::kComplete ? 0 : 7;
    if (block_.bits() < twin_.bits() || block_.bits() > twin_.bits() + reach)
      return std::to_string(block_.bits()) + " bits for " + std::to_string(twin_.bits());
    return difference_of_bytes();
  }

  const Bzip2Block& block() const { return block_; }

 private:
  // Both return pieces, of different sizes.
  std::string difference_of_bytes() {
    std::string_view ours = block_.next_piece();
    std::string_view theirs = twin_.next_piece();
    std::uint64_t at = 0;
    while (!ours.empty() && !theirs.empty()) {
      const std::size_t count = std::min(ours.size(), theirs.size());
      if (ours.substr(0, count) != theirs.substr(0, count)) return "bytes behind " + std::to_string(at);
      at += count;
      ours.remove_prefix(count);
      theirs.remove_prefix(count);
      if (ours.empty()) ours = block_.next_piece();
      if (theirs.empty()) theirs = twin_.next_piece();
    }
    return ours.empty() == theirs.empty() ? "" : "the end at " + std::to_string(at);
  }

  Bzip2Decoder decoder_;
  Bzip2Block block_;
  Bzip2Block twin_;
};

}  // namespace bertprep::test
