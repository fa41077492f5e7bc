// DecodedStream: what a codec makes of a stream of packed bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stream/byte_stream.h"
#include "stream/codec.h"

namespace bertprep {

class DecodedStream final : public ByteStream {
 public:
  // `name` is that of the file, for errors.
  DecodedStream(std::string name, std::unique_ptr<ByteStream> packed, std::unique_ptr<Codec> codec);

  // FormatError names the place in the packed bytes, and how many bytes came out before it; all of these have been
  // handed out then.
  std::string_view next_block() override;

 private:
  CodecStep step();
  [[noreturn]] void fail(const std::string& reason) const;

  std::string name_;
  std::unique_ptr<ByteStream> packed_;
  std::unique_ptr<Codec> codec_;
  std::vector<char> buffer_;
  std::string_view block_;  // packed bytes at hand
  std::string fault_;
  bool is_between_units_ = true;
  bool at_end_ = false;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

}  // namespace bertprep
