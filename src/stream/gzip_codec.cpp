#include "stream/gzip_codec.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

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

}  // namespace bertprep
