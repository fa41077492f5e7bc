// Decompressing streams, by codecs such as that of gzip, and limits for decompressed sizes.
#pragma once

#include "base/library_version.h"
#include "stream/byte_stream.h"

namespace bertprep {

// Codec: decompresses one kind of compression step by step.
struct CodecStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool ends_unit = false;  // a member or frame is complete; another may follow
  std::string fault{};     // what is wrong with the packed bytes; the stream ends here
};

class Codec {
 public:
  virtual ~Codec() = default;
  // Its name in messages: "gzip".
  virtual std::string name() const = 0;
  // Unpacks what fits into `out`. Always makes progress unless there is a fault or no input.
  virtual CodecStep decode(std::string_view packed, std::span<char> out) = 0;
};

// gzip (RFC 1952) by zlib: consecutive members are one stream; zeros after the last one are padding.
std::unique_ptr<Codec> make_gzip_codec();

// The checksum of gzip (RFC 1952, section 8).
std::uint32_t crc32_of(std::string_view bytes);

LibraryVersion version_of_zlib();

class DecodedStream final : public ByteStream {
 public:
  // `name` is that of the file, for errors.
  DecodedStream(std::string name, std::unique_ptr<ByteStream> packed, std::unique_ptr<Codec> codec);

  // FormatError names the offset in the packed bytes and the number of unpacked bytes before it; all of these have been
  // returned before.
  std::string_view next_block() override;

 private:
  CodecStep step();
  [[noreturn]] void fail(const std::string& reason) const;

  std::string name_;
  std::unique_ptr<ByteStream> packed_;
  std::unique_ptr<Codec> codec_;
  ReadBuffer buffer_;
  std::string_view block_;  // packed bytes not yet decoded
  std::string fault_;
  bool is_between_units_ = true;
  bool at_end_ = false;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

// Expansion: counts the unpacked bytes of one file, including all archives and compressed members in it. Refuses small
// files made to fill a disk (decompression bombs).
class Expansion {
 public:
  // Allows at most `max_times` the file's bytes, but always 64 MiB.
  Expansion(std::string name, std::uint64_t file_bytes, std::uint64_t max_times);

  // Throws FormatError naming the file if the limit is exceeded.
  void add(std::uint64_t bytes);

 private:
  std::string name_;
  std::uint64_t max_times_;
  std::uint64_t allowed_;
  std::uint64_t bytes_ = 0;
};

// `bytes`, counted by the Expansion.
std::unique_ptr<ByteStream> counted(std::unique_ptr<ByteStream> bytes, std::shared_ptr<Expansion> expansion);

}  // namespace bertprep
