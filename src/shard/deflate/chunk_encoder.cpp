#include "shard/deflate/chunk_encoder.h"

#include <libdeflate.h>
#include <zlib.h>

#include <algorithm>
#include <numeric>

#include "base/clones.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Symbols that occurred outweigh others, which must also have a code.
constexpr std::uint64_t kSeenLiteralWeight = 16;

// Neighbours have separate counters: counting the same byte twice in a row would stall.
using LiteralCounts = std::array<std::array<std::uint32_t, 256>, 2>;

void count_literals(std::span<const std::uint8_t> bytes, LiteralCounts& literals) {
  std::size_t i = 0;
  for (; i + 2 <= bytes.size(); i += 2) {
    ++literals[0][bytes[i]];
    ++literals[1][bytes[i + 1]];
  }
  if (i < bytes.size()) ++literals[0][bytes[i]];
}

// Of some 8,000 bytes in rows from the whole chunk: with twice as many, the output is 0.1 % shorter.
BlockCounts sample_symbols(const PaddedRows& rows) {
  constexpr std::size_t kBytes = std::size_t{1} << 13U;
  const std::size_t step = std::max(rows.bytes.size() / kBytes, std::size_t{1});
  BlockCounts counts{};
  LiteralCounts literals{};
  for (std::size_t r = 0; r < rows.used.size(); r += step) {
    const auto row = rows.bytes.subspan(r * rows.row_length, rows.row_length);
    count_literals(row.first(rows.used[r]), literals);
    if (rows.used[r] < rows.row_length) count_run(counts, 0, rows.row_length - rows.used[r]);
  }
  for (std::size_t i = 0; i < literals[0].size(); ++i) counts[i] += literals[0][i] + literals[1][i];
  return counts;
}

BlockCode literal_code(BlockCounts counts) {
  for (std::uint64_t& symbol : counts) symbol = symbol * kSeenLiteralWeight + 1;
  return BlockCode(counts);
}

// The hot loop of the whole writer: four literals per step, since four codes fit into one put().
BERTPREP_INLINE BitWriter write_literals(BitWriter writer, const BlockCode& code, std::span<const std::uint8_t> bytes) {
  const std::uint8_t* byte = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 4; left -= 4, byte += 4) {
    const BitCode a = code.literal(byte[0]);
    const BitCode b = code.literal(byte[1]);
    const BitCode c = code.literal(byte[2]);
    const BitCode d = code.literal(byte[3]);
    std::uint64_t bits = a.bits;
    std::uint32_t count = a.count;
    bits |= std::uint64_t{b.bits} << count;
    count += b.count;
    bits |= std::uint64_t{c.bits} << count;
    count += c.count;
    bits |= std::uint64_t{d.bits} << count;
    writer.put(bits, count + d.count);
  }
  for (; left > 0; --left) writer.put(code.literal(*byte++));
  return writer;
}

std::size_t count_runs(std::span<const std::uint8_t> bytes) {
  // A counter of one byte suffices for so many, and lets the compiler compare a whole register of bytes at once.
  constexpr std::size_t kAtOnce = 192;
  std::size_t runs = bytes.empty() ? 0 : 1;
  for (std::size_t i = 1; i < bytes.size();) {
    const std::size_t end = std::min(i + kAtOnce, bytes.size());
    std::uint8_t some = 0;
    for (; i < end; ++i) some = static_cast<std::uint8_t>(some + (bytes[i] != bytes[i - 1] ? 1 : 0));
    runs += some;
  }
  return runs;
}

}  // namespace

BERTPREP_CLONES
void LiteralBlock::write(const PaddedRows& rows, bool last, BitWriter& writer) {
  if (!code_) code_ = literal_code(sample_symbols(rows));
  code_->write_header(writer, last);
  for (std::size_t r = 0; r < rows.used.size(); ++r) {
    const std::size_t used = rows.used[r];
    writer = write_literals(writer, *code_, rows.bytes.subspan(r * rows.row_length, used));
    if (used < rows.row_length) writer = write_run(writer, *code_, 0, rows.row_length - used);
  }
  writer.put(code_->end_of_block());
}

std::size_t max_stream_bytes(std::size_t data_bytes) {
  return 2 * data_bytes + 2048 + BitWriter::kSlackBytes;
}

void begin_stream(BitWriter& writer) {
  writer.put(0x78, 8);  // deflate with a window of 32 KiB
  writer.put(0x5E, 8);  // made by a fast method; completes the check of the first two bytes
}

std::span<const std::byte> end_stream(BitWriter& writer, std::uint8_t* begin, std::uint32_t adler) {
  std::uint8_t* end = writer.align();
  for (unsigned shift = 32; shift > 0; shift -= 8) *end++ = static_cast<std::uint8_t>(adler >> (shift - 8));
  return std::as_bytes(std::span<const std::uint8_t>(begin, end));
}

std::uint32_t adler32_of(std::span<const std::uint8_t> bytes) {
  return ::libdeflate_adler32(1, bytes.data(), bytes.size());
}

std::uint32_t adler32_with_zeros(std::uint32_t adler, std::size_t count) {
  constexpr std::uint32_t kModulus = 65521;
  const std::uint64_t plain = adler & 0xFFFFU;
  const std::uint64_t running = ((adler >> 16U) + count % kModulus * plain) % kModulus;
  return static_cast<std::uint32_t>(running << 16U | plain);
}

PaddedRows Int32ChunkEncoder::padded_plane(std::size_t plane, std::size_t row_length) const {
  return {planes_.planes(plane, 1), row_length, planes_.used_lengths()};
}

// The second plane of ids is as varied as the first; that of positions is empty or a few runs per row. A run takes more
// bits and time than a literal, so runs must be few.
void Int32ChunkEncoder::choose_literal_planes() {
  const auto used = planes_.used_lengths();
  const std::size_t literals = std::accumulate(used.begin(), used.end(), std::size_t{0});
  literal_planes_ = 2 * count_runs(planes_.planes(1, 1)) <= literals ? 1 : 2;
}

void Int32ChunkEncoder::collect_high_runs() {
  high_runs_.clear();
  const std::size_t filled = planes_.used_planes();
  if (filled > literal_planes_) {
    // BytePlanes leaves the planes above the second unset if all of them are 0.
    const std::size_t split = filled > 2 ? BytePlanes::kPlanes : filled;
    high_runs_.append(planes_.planes(literal_planes_, split - literal_planes_));
    high_runs_.append_run(0, (BytePlanes::kPlanes - split) * planes_.plane_size());
  } else {
    high_runs_.append_run(0, (BytePlanes::kPlanes - literal_planes_) * planes_.plane_size());
  }
}

std::uint32_t Int32ChunkEncoder::checksum() const {
  const std::size_t filled = planes_.used_planes();
  return adler32_with_zeros(adler32_of(planes_.planes(0, filled)),
                            (BytePlanes::kPlanes - filled) * planes_.plane_size());
}

void Int32ChunkEncoder::forget() {
  literal_planes_ = 0;
  for (LiteralBlock& block : literal_blocks_) block = {};
  run_block_.forget();
}

std::span<const std::byte> Int32ChunkEncoder::encode(std::span<const std::byte> chunk, std::size_t row_length) {
  planes_.split(chunk, row_length);
  if (literal_planes_ == 0) choose_literal_planes();
  collect_high_runs();

  make_room(max_stream_bytes(chunk.size()), out_);
  BitWriter writer(out_.data());
  begin_stream(writer);
  for (std::size_t plane = 0; plane < literal_planes_; ++plane) {
    literal_blocks_[plane].write(padded_plane(plane, row_length), false, writer);
  }
  run_block_.write(high_runs_, true, writer);
  return end_stream(writer, out_.data(), checksum());
}

std::span<const std::byte> Int8ChunkEncoder::encode(std::span<const std::byte> chunk, std::size_t /*row_length*/) {
  const std::span bytes(static_cast<const std::uint8_t*>(static_cast<const void*>(chunk.data())), chunk.size());
  runs_.clear();
  runs_.append(bytes);

  make_room(max_stream_bytes(chunk.size()), out_);
  BitWriter writer(out_.data());
  begin_stream(writer);
  run_block_.write(runs_, true, writer);
  return end_stream(writer, out_.data(), adler32_of(bytes));
}

std::span<const std::byte> ZlibChunkEncoder::encode(std::span<const std::byte> chunk, std::size_t /*row_length*/) {
  const auto* data = static_cast<const Bytef*>(static_cast<const void*>(chunk.data()));
  const auto size = static_cast<uLong>(chunk.size());
  out_.resize(::compressBound(size));
  uLongf compressed_size = out_.size();
  if (::compress2(out_.data(), &compressed_size, data, size, level_) != Z_OK) {
    throw Error("zlib can't compress a chunk of " + std::to_string(size) + " bytes", {}, "is memory short?");
  }
  return std::as_bytes(std::span<const std::uint8_t>(out_).first(compressed_size));
}

}  // namespace bertprep
