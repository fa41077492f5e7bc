#include "stream/bzip2/block_decoder.h"

namespace bertprep {

Bzip2Decoder::Bzip2Decoder() : packed_(std::make_unique_for_overwrite<std::uint8_t[]>(kMaxBzip2BlockBytes)) {}

Bzip2Decoder::Outcome Bzip2Decoder::decode(const char* bytes, std::uint64_t first_bit, std::uint64_t end_bit) {
  BitReader bits(bytes, first_bit);
  if (!head_.read(bits, end_bit) || !runs_.read(head_, bits, end_bit)) return Outcome::kDamaged;
  if (head_.first_row >= runs_.bytes()) return Outcome::kDamaged;
  if (head_.is_randomized) return Outcome::kRandomized;
  end_bit_ = bits.position();
  transform_.run(runs_, head_.first_row, packed_.get());
  return Outcome::kDone;
}

}  // namespace bertprep
