#include "shard/deflate/chunk_encoder.h"

#include <zlib.h>

#include <algorithm>
#include <numeric>

#include "bertprep/base/error.h"
#include "shard/deflate/zlib_frame.h"

namespace bertprep {
namespace {

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
