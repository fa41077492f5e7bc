#include "stream/open_stream.h"

#include <array>

#include "bertprep/base/error.h"
#include "stream/archive.h"
#include "stream/bzip2_stream.h"
#include "stream/decoded_stream.h"
#include "stream/zstd_codec.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array<std::pair<std::string_view, const char*>, 4> kCompressionEndings = {
    {{".gz", "gzip"}, {".bz2", "bzip2"}, {".zst", "Zstandard"}, {".xz", "xz"}}};

bool begins_as_bzip2(std::string_view bytes) {
  if (bytes.size() < kCompressionProbeBytes || !bytes.starts_with("BZh") || bytes[3] < '1' || bytes[3] > '9') {
    return false;
  }
  const std::string_view block = bytes.substr(4, 6);
  return block == "\x31\x41\x59\x26\x53\x59" || block == "\x17\x72\x45\x38\x50\x90";
}

bool begins_as_zstd(std::string_view bytes) {
  if (bytes.starts_with("\x28\xB5\x2F\xFD")) return true;
  const bool is_skippable = !bytes.empty() && (static_cast<unsigned char>(bytes.front()) & 0xF0) == 0x50;
  return is_skippable && bytes.substr(1).starts_with("\x2A\x4D\x18");
}

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

Compression compression_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x1F\x8B\x08")) return Compression::kGzip;
  if (begins_as_bzip2(first_bytes)) return Compression::kBzip2;
  if (begins_as_zstd(first_bytes)) return Compression::kZstd;
  if (first_bytes.starts_with("\xFD"
                              "7zXZ\0"sv))
    return Compression::kXz;
  return Compression::kNone;
}

void refuse_misnamed(const std::string& name, std::string_view first_bytes) {
  if (first_bytes.empty() || compression_of(first_bytes) != Compression::kNone || begins_as_archive(first_bytes)) {
    return;
  }
  for (const auto& [ending, kind] : kCompressionEndings) {
    if (!ends_in_any_case(name, ending)) continue;
    throw FormatError("its name ends in " + std::string(ending) + ", but it is not " + kind, name,
                      "get the file again, or rename it if it is plain text");
  }
}

std::string_view without_compression_ending(std::string_view name) {
  for (const auto& [ending, kind] : kCompressionEndings) {
    if (ends_in_any_case(name, ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

std::unique_ptr<ByteStream> open_stream(const std::filesystem::path& path, const StreamOptions& options) {
  if (options.meter != nullptr) options.meter->begin_file(path);
  auto bytes = std::make_unique<PeekedStream>(std::make_unique<FileStream>(path, options.meter));
  const Compression compression = compression_of(bytes->peek(kCompressionProbeBytes));
  // Blocks of bzip2 are found by looking ahead, which is impossible on a pipe.
  if (compression == Compression::kBzip2 && std::filesystem::is_regular_file(path)) return open_bzip2(path, options);
  return decode(compression, path, std::move(bytes));
}

std::unique_ptr<ByteStream> decompress(const std::string& name, std::unique_ptr<ByteStream> bytes) {
  auto peeked = std::make_unique<PeekedStream>(std::move(bytes));
  const Compression compression = compression_of(peeked->peek(kCompressionProbeBytes));
  return decode(compression, name, std::move(peeked));
}

}  // namespace bertprep
