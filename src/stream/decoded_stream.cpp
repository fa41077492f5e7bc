#include "stream/decoded_stream.h"

#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

}  // namespace

DecodedStream::DecodedStream(std::string name, std::unique_ptr<ByteStream> packed, std::unique_ptr<Codec> codec)
    : name_(std::move(name)), packed_(std::move(packed)), codec_(std::move(codec)), buffer_(kBlockBytes) {}

void DecodedStream::fail(const std::string& reason) const {
  throw FormatError(reason + " at byte " + std::to_string(bytes_in_) + ", after " + std::to_string(bytes_out_) +
                        " bytes of what it holds",
                    name_, "get the file again, or leave it out");
}

CodecStep DecodedStream::step() {
  CodecStep done = codec_->decode(block_, buffer_);
  block_.remove_prefix(done.consumed);
  bytes_in_ += done.consumed;
  bytes_out_ += done.produced;
  if (done.consumed + done.produced != 0) is_between_units_ = done.ends_unit;
  if (!done.fault.empty()) fault_ = "the " + codec_->name() + " data is damaged (" + done.fault + ")";
  return done;
}

std::string_view DecodedStream::next_block() {
  while (!at_end_) {
    if (!fault_.empty()) fail(fault_);
    if (block_.empty()) block_ = packed_->next_block();
    const bool was_last = block_.empty();
    // Without packed bytes the codec may still have some to hand out.
    const CodecStep done = step();
    if (done.produced != 0) return {buffer_.data(), done.produced};
    if (!was_last || !fault_.empty()) continue;
    if (!is_between_units_) fail("the file ends within its " + codec_->name() + " data");
    at_end_ = true;
  }
  return {};
}

}  // namespace bertprep
