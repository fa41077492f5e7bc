// Codecs, the streams they make of packed bytes, and how much may come out of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/input_file.h"
#include "stream/byte_stream.h"

namespace bertprep {

// Codec: one kind of compression, as a step from packed bytes to bytes.
struct CodecStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool ends_unit = false;  // a whole member or frame is done; another may follow
  std::string fault{};     // what is wrong with the packed bytes; the stream ends here
};

class Codec {
 public:
  virtual ~Codec() = default;
  // What it is called in messages: "gzip".
  virtual std::string name() const = 0;
  // Unpacks what fits into `out`. Without a fault and with bytes at hand it always gets on.
  virtual CodecStep decode(std::string_view packed, std::span<char> out) = 0;
};

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
  ReadBuffer buffer_;
  std::string_view block_;  // packed bytes at hand
  std::string fault_;
  bool is_between_units_ = true;
  bool at_end_ = false;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

// Expansion: what comes out of a compressed file, against what the file has. Some bytes made to fill a disk are refused
// before they do.

// How much may still come out of one file, all archives and compressed members in it together.
class Expansion {
 public:
  // At most `most_times` the file's bytes, but 64 MiB in any case.
  Expansion(std::string name, std::uint64_t file_bytes, std::uint64_t most_times);

  // Throws FormatError that names the file when it is too much.
  void add(std::uint64_t bytes);

 private:
  std::string name_;
  std::uint64_t most_times_;
  std::uint64_t allowed_;
  std::uint64_t bytes_ = 0;
};

// `bytes`, which count.
std::unique_ptr<ByteStream> counted(std::unique_ptr<ByteStream> bytes, std::shared_ptr<Expansion> expansion);

}  // namespace bertprep
