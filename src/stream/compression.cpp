#include "stream/compression.h"

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

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

}  // namespace bertprep
