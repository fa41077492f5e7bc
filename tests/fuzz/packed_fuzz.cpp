// Any bytes as a compressed file, as an archive, or as both: the result is bytes or a FormatError.
#include <cstdint>
#include <memory>
#include <string>

#include "bertprep/base/error.h"
#include "stream/archive.h"
#include "stream/byte_stream.h"
#include "stream/open_stream.h"
#include "support/stream_bytes.h"

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 24;  // a bomb is not a fault

void read_up(bertprep::ByteStream& stream) {
  std::size_t bytes = 0;
  for (std::string_view block = stream.next_block(); !block.empty() && bytes < kMaxBytes;) {
    bytes += block.size();
    block = stream.next_block();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    auto stream = std::make_unique<bertprep::PeekedStream>(
        bertprep::decompress("x", std::make_unique<bertprep::test::BlockStream>(bytes, 61)));
    if (!bertprep::begins_as_archive(stream->peek(bertprep::kArchiveProbeBytes))) {
      read_up(*stream);
      return 0;
    }
    bertprep::ArchiveReader archive("x", std::move(stream));
    while (auto member = archive.next()) read_up(*member->bytes);
  } catch (const bertprep::FormatError&) {
    // Damage.
  }
  return 0;
}
