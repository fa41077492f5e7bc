#include "stream/open_stream.h"

#include <utility>

#include "stream/archive_filter.h"
#include "stream/bzip2_stream.h"
#include "stream/compression.h"
#include "stream/decoded_stream.h"
#include "stream/file_stream.h"
#include "stream/gzip_codec.h"
#include "stream/peeked_stream.h"
#include "stream/zstd_codec.h"

namespace bertprep {
namespace {

std::unique_ptr<ByteStream> decode(Compression compression, std::string name, std::unique_ptr<ByteStream> bytes) {
  switch (compression) {
    case Compression::kNone:
      return bytes;
    case Compression::kGzip:
      return std::make_unique<DecodedStream>(std::move(name), std::move(bytes), make_gzip_codec());
    case Compression::kZstd:
      return std::make_unique<DecodedStream>(std::move(name), std::move(bytes), make_zstd_codec());
    case Compression::kBzip2:
    case Compression::kXz:
      return decode_by_filter(std::move(name), std::move(bytes));
  }
  return bytes;
}

}  // namespace

std::unique_ptr<ByteStream> open_stream(const std::filesystem::path& path, const StreamOptions& options) {
  if (options.meter != nullptr) options.meter->begin_file(path);
  auto bytes = std::make_unique<PeekedStream>(std::make_unique<FileStream>(path, options.meter));
  const Compression compression = compression_of(bytes->peek(kCompressionProbeBytes));
  // Blocks of bzip2 are found by looking ahead, which a pipe does not allow.
  if (compression == Compression::kBzip2 && std::filesystem::is_regular_file(path)) return open_bzip2(path, options);
  return decode(compression, path, std::move(bytes));
}

std::unique_ptr<ByteStream> decompress(const std::string& name, std::unique_ptr<ByteStream> bytes) {
  auto peeked = std::make_unique<PeekedStream>(std::move(bytes));
  const Compression compression = compression_of(peeked->peek(kCompressionProbeBytes));
  return decode(compression, name, std::move(peeked));
}

}  // namespace bertprep
