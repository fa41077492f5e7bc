#include "shard/deflate/byte_runs.h"

#include <bit>
#include <cstring>

#include "base/clones.h"

namespace bertprep {
namespace {

// The highest bit of every byte of `word` that is not 0.
std::uint64_t nonzero_bytes(std::uint64_t word) {
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7FU;
  return (((word & kLow) + kLow) | word) & ~kLow;
}

std::uint8_t or_of_bytes(std::uint64_t word) {
  word |= word >> 32U;
  word |= word >> 16U;
  word |= word >> 8U;
  return static_cast<std::uint8_t>(word);
}

// Symbols that occurred outweigh others, which must also have a code.
constexpr std::uint64_t kSeenWeight = 16;

BlockCounts count_symbols(const ByteRuns& runs) {
  BlockCounts counts{};
  for (const ByteRun& run : runs.runs()) count_run(counts, run.value, run.length);
  return counts;
}

BlockCode code_for(const BlockCounts& seen, unsigned alphabet_bits) {
  BlockCounts counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = seen[i] * kSeenWeight;
  for (std::size_t value = 0; value < std::size_t{1} << alphabet_bits; ++value) ++counts[value];
  for (std::size_t i = kEndOfBlock + 1; i < counts.size(); ++i) ++counts[i];
  return BlockCode(counts);
}

BlockCode code_for_zeros() {
  constexpr std::size_t kZeros = std::size_t{1} << 16U;
  BlockCounts counts{};
  count_run(counts, 0, kZeros);
  return code_for(counts, 0);
}

BERTPREP_INLINE BitWriter write_runs(BitWriter writer, const BlockCode& code, const ByteRuns& runs) {
  for (const ByteRun& run : runs.runs()) writer = write_run(writer, code, run.value, run.length);
  return writer;
}

}  // namespace

void ByteRuns::clear() {
  runs_.clear();
  used_bits_ = 0;
}

void ByteRuns::append_run(std::uint8_t value, std::size_t length) {
  if (length == 0) return;
  used_bits_ |= value;
  const auto count = static_cast<std::uint32_t>(length);
  if (!runs_.empty() && runs_.back().value == value) {
    runs_.back().length += count;
  } else {
    runs_.push_back({value, count});
  }
}

BERTPREP_CLONES
void ByteRuns::append(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  std::size_t start = 0;
  std::uint64_t before = bytes[0];
  std::uint64_t used = 0;
  const auto close_run_at = [&](std::size_t end) {
    append_run(bytes[start], end - start);
    start = end;
  };
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, &bytes[i], sizeof(word));
    used |= word;
    std::uint64_t changes = nonzero_bytes(word ^ (word << 8U | before));
    before = word >> 56U;
    for (; changes != 0; changes &= changes - 1) {
      close_run_at(i + static_cast<std::size_t>(std::countr_zero(changes)) / 8);
    }
  }
  for (; i < bytes.size(); ++i) {
    if (bytes[i] != bytes[start]) close_run_at(i);
  }
  close_run_at(bytes.size());
  used_bits_ |= or_of_bytes(used);
}

BitWriter write_odd_run(BitWriter writer, const BlockCode& code, std::uint8_t value, std::size_t length) {
  for_each_piece(
      length,
      [&](std::size_t count) {
        for (; count > 0; --count) writer.put(code.literal(value));
      },
      [&](std::size_t piece) { writer.put(code.repeat(piece)); });
  return writer;
}

BERTPREP_CLONES
void RunBlock::write(const ByteRuns& runs, bool last, BitWriter& writer) {
  const auto bits = static_cast<unsigned>(std::bit_width(unsigned{runs.used_bits()}));
  if (!code_ || bits > alphabet_bits_) {
    alphabet_bits_ = bits;
    if (bits == 0 && !code_of_zeros_) code_of_zeros_ = code_for_zeros();
    code_ = bits == 0 ? *code_of_zeros_ : code_for(count_symbols(runs), bits);
  }
  code_->write_header(writer, last);
  writer = write_runs(writer, *code_, runs);
  writer.put(code_->end_of_block());
}

}  // namespace bertprep
