#include "shard/run_block.h"

#include <bit>

namespace bertprep {
namespace {

// What was seen outweighs what has not been seen yet but must have a code.
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

BitWriter write_runs(BitWriter writer, const BlockCode& code, const ByteRuns& runs) {
  for (const ByteRun& run : runs.runs()) writer = write_run(writer, code, run.value, run.length);
  return writer;
}

}  // namespace

void RunBlock::write(const ByteRuns& runs, bool last, BitWriter& writer) {
  const auto bits = static_cast<unsigned>(std::bit_width(unsigned{runs.used_bits()}));
  if (!code_ || bits > alphabet_bits_) {
    alphabet_bits_ = bits;
    code_ = code_for(count_symbols(runs), bits);
  }
  code_->write_header(writer, last);
  writer = write_runs(writer, *code_, runs);
  writer.put(code_->end_of_block());
}

}  // namespace bertprep
