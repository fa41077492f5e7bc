// Expansion: what comes out of a compressed file, against what the file has. Some bytes made to fill a disk are refused
// before they do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "stream/byte_stream.h"

namespace bertprep {

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
