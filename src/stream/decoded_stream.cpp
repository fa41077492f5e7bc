#include "stream/decoded_stream.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

DecodedStream::DecodedStream(std::string name, std::unique_ptr<ByteStream> packed, std::unique_ptr<Codec> codec)
    : name_(std::move(name)), packed_(std::move(packed)), codec_(std::move(codec)) {}

void DecodedStream::fail(const std::string& reason) const {
  throw FormatError(reason + " at byte " + std::to_string(bytes_in_) + ", after " + std::to_string(bytes_out_) +
                        " bytes of its contents",
                    name_, "get the file again, or leave it out");
}

CodecStep DecodedStream::step() {
  CodecStep done = codec_->decode(block_, buffer_.span());
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
    // Even without input, the codec may have bytes to return.
    const CodecStep done = step();
    if (done.produced != 0) return buffer_.first(done.produced);
    if (!was_last || !fault_.empty()) continue;
    if (!is_between_units_) fail("the file ends within its " + codec_->name() + " data");
    at_end_ = true;
  }
  return {};
}

namespace {

constexpr std::uint64_t kAlwaysAllowedBytes = std::uint64_t{64} << 20;

class CountedStream final : public ByteStream {
 public:
  CountedStream(std::unique_ptr<ByteStream> bytes, std::shared_ptr<Expansion> expansion)
      : bytes_(std::move(bytes)), expansion_(std::move(expansion)) {}

  std::string_view next_block() override {
    const std::string_view block = bytes_->next_block();
    expansion_->add(block.size());
    return block;
  }
  bool is_after_gap() const override { return bytes_->is_after_gap(); }
  FileBytes gap() const override { return bytes_->gap(); }
  std::optional<std::uint64_t> file_byte() const override { return bytes_->file_byte(); }

 private:
  std::unique_ptr<ByteStream> bytes_;
  std::shared_ptr<Expansion> expansion_;
};

}  // namespace

Expansion::Expansion(std::string name, std::uint64_t file_bytes, std::uint64_t max_times)
    : name_(std::move(name)), max_times_(max_times) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / max_times;
  allowed_ = std::max(kAlwaysAllowedBytes, std::min(file_bytes, most) * max_times);
}

void Expansion::add(std::uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= allowed_) return;
  throw FormatError("it expands to more than " + std::to_string(max_times_) + " times its size, " +
                        std::to_string(bytes_) + " bytes so far",
                    name_, "leave it out; if the size is right, unpack it first, or give a higher `max_expansion`");
}

std::unique_ptr<ByteStream> counted(std::unique_ptr<ByteStream> bytes, std::shared_ptr<Expansion> expansion) {
  return std::make_unique<CountedStream>(std::move(bytes), std::move(expansion));
}

}  // namespace bertprep
