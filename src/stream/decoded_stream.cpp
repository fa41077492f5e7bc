#include "stream/decoded_stream.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr int kGzipOnly = 16;

uInt bounded(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

class GzipCodec final : public Codec {
 public:
  GzipCodec() {
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw IoError("out of memory to decompress", "gzip");
  }
  ~GzipCodec() override { inflateEnd(&stream_); }
  GzipCodec(const GzipCodec&) = delete;
  GzipCodec& operator=(const GzipCodec&) = delete;

  std::string name() const override { return "gzip"; }

  CodecStep decode(std::string_view packed, std::span<char> out) override {
    if (!is_between_members_) return inflate_some(packed, out);
    if (packed.empty()) return {};
    if (packed.front() == '\0' && members_ > 0) return skip_padding(packed);
    if (is_padded_) return {.fault = "there are bytes after the padding"};
    inflateReset(&stream_);
    is_between_members_ = false;
    CodecStep step = inflate_some(packed, out);
    if (!step.fault.empty() && members_ > 0 && step.produced == 0) step.fault = "no gzip member follows the last one";
    return step;
  }

 private:
  CodecStep skip_padding(std::string_view packed) {
    is_padded_ = true;
    return {.consumed = std::min(packed.find_first_not_of('\0'), packed.size()), .ends_unit = true};
  }

  CodecStep inflate_some(std::string_view packed, std::span<char> out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = bounded(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = bounded(out.size());
    const uInt in = stream_.avail_in;
    const uInt room = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    CodecStep step{.consumed = in - stream_.avail_in, .produced = room - stream_.avail_out};
    if (result == Z_STREAM_END) {
      step.ends_unit = true;
      is_between_members_ = true;
      ++members_;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      step.fault = stream_.msg != nullptr ? stream_.msg : "it can't be read";
    }
    return step;
  }

  z_stream stream_{};
  bool is_between_members_ = true;
  bool is_padded_ = false;
  std::size_t members_ = 0;
};

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
  BlockPlace place() const override { return bytes_->place(); }

 private:
  std::unique_ptr<ByteStream> bytes_;
  std::shared_ptr<Expansion> expansion_;
};

}  // namespace

std::unique_ptr<Codec> make_gzip_codec() {
  return std::make_unique<GzipCodec>();
}

std::uint32_t crc32_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

LibraryVersion version_of_zlib() {
  return {"zlib", ZLIB_VERSION, ::zlibVersion()};
}

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
