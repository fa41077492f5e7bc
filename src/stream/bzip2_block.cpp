#include "stream/bzip2_block.h"

#include <algorithm>

#include "stream/bzip2_scan.h"

namespace bertprep {
namespace {

// Text of 900,000 bytes has few runs.
constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

#if defined(BERTPREP_LIBBZ2)
constexpr bool kIsLibbz2Asked = true;
#else
constexpr bool kIsLibbz2Asked = false;
#endif

}  // namespace

void Bzip2Block::set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  is_set_ = frame_.set(bytes, first_bit, end_bit);
}

void Bzip2Block::decode(Bzip2Decoder& decoder) {
  using Outcome = Bzip2Decoder::Outcome;
  state_ = Bzip2State::kDamaged;
  is_served_ = false;
  if (!is_set_) return;
  const std::uint64_t first_bit = frame_.first_bit() + kBzip2MarkBits;
  Outcome outcome = Outcome::kRandomized;
  if (!kIsLibbz2Asked) outcome = decoder.decode(frame_.bytes(), first_bit, frame_.end_of_stream());
  is_of_libbz2_ = outcome == Outcome::kRandomized;
  if (is_of_libbz2_) {
    if (libbz2_ == nullptr) libbz2_ = std::make_unique<Libbz2Block>();
    libbz2_->decode(frame_);
    state_ = libbz2_->state();
    bits_ = libbz2_->bits();
    return;
  }
  if (outcome == Outcome::kDamaged || !expand(decoder.packed())) return;
  bits_ = decoder.end_bit() - frame_.first_bit();
  if (decoder.end_bit() == frame_.end_bit()) {
    state_ = Bzip2State::kComplete;
  } else if (decoder.end_bit() + 8 <= frame_.end_of_stream()) {
    state_ = Bzip2State::kWithoutEnd;
  }
}

char* Bzip2Block::buffer() {
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(kBufferBytes + RunExpansion::kSlackBytes);
  return buffer_.get();
}

// Whether the runs are complete and have the block's checksum.
bool Bzip2Block::expand(std::span<const std::uint8_t> packed) {
  RunExpansion runs(packed);
  std::uint32_t checksum = 0;
  packed_.reset();
  do {
    kept_bytes_ = runs.expand(buffer(), kBufferBytes);
    checksum = bzip2_checksum(checksum, {buffer(), kept_bytes_});
    if (runs.is_at_end() || packed_) continue;
    packed_ = std::make_unique_for_overwrite<std::uint8_t[]>(packed.size());
    std::copy(packed.begin(), packed.end(), packed_.get());
    rest_ = RunExpansion({packed_.get(), packed.size()});
  } while (!runs.is_at_end());
  return !runs.is_truncated() && checksum == frame_.checksum();
}

std::string_view Bzip2Block::next_piece() {
  if (is_of_libbz2_) return libbz2_->next_piece();
  if (packed_) return {buffer(), rest_.expand(buffer(), kBufferBytes)};
  if (is_served_) return {};
  is_served_ = true;
  return {buffer(), kept_bytes_};
}

}  // namespace bertprep
