#include "shard/block_code.h"

#include "shard/block_header.h"
#include "shard/huffman.h"

namespace bertprep {
namespace {

// RFC 1951, 3.2.5: how far a length lies above the shortest one of its symbol is sent in so many bits.
constexpr std::array<std::uint8_t, kRepeatSymbols> kExtraBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

// A length symbol, its extra bits, then distance 1: the one code of its alphabet, a 0 bit.
BitCode repeat_code(std::size_t length, BitCode symbol, std::size_t index) {
  const auto extra = static_cast<std::uint32_t>(length - kShortestRepeat[index]);
  return {symbol.bits | extra << symbol.count, symbol.count + kExtraBits[index] + 1U};
}

}  // namespace

BlockCode::BlockCode(BlockCounts counts) {
  counts[kEndOfBlock] += 1;
  const std::vector<std::uint8_t> lengths = code_lengths(counts, kMaxLiteralBits);
  const std::vector<std::uint16_t> codes = canonical_codes(lengths);
  for (std::size_t i = 0; i < literals_.size(); ++i) literals_[i] = {codes[i], lengths[i]};
  end_of_block_ = {codes[kEndOfBlock], lengths[kEndOfBlock]};
  for (std::size_t length = kMinRepeat; length <= kMaxRepeat; ++length) {
    const std::size_t symbol = repeat_symbol(length);
    if (lengths[symbol] == 0) continue;
    repeats_[length] = repeat_code(length, {codes[symbol], lengths[symbol]}, symbol - kFirstRepeatSymbol);
  }
  header_ = block_header(lengths);
}

void BlockCode::write_header(BitWriter& writer, bool last) const {
  writer.put(last ? 1 : 0, 1);
  for (const BitCode code : header_) writer.put(code);
}

}  // namespace bertprep
