// bzip2 files for tests: made by libbz2, or bit by bit if libbz2 would not make them.
#pragma once

#include <bzlib.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "stream/bzip2_block.h"

namespace bertprep::test {

inline std::string bzip2_stream(std::string_view bytes, int level = 9) {
  std::string out(bytes.size() + bytes.size() / 50 + 1024, '\0');
  auto size = static_cast<unsigned>(out.size());
  std::string copy(bytes);
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, copy.data(), static_cast<unsigned>(copy.size()), level, 0, 0) !=
      BZ_OK) {
    throw std::runtime_error("libbz2 can't compress");
  }
  out.resize(size);
  return out;
}

class Bits {
 public:
  Bits& add(std::uint64_t value, unsigned count) {
    for (unsigned i = count; i-- > 0;) {
      if (used_ % 8 == 0) bytes_ += '\0';
      const auto bit = static_cast<unsigned char>((value >> i & 1U) << (7 - used_ % 8));
      bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | bit);
      ++used_;
    }
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  unsigned used_ = 0;
};

// A block that uses 254 byte values and codes of eight bits for all 256 symbols: its data are the bytes of `symbols`
// (2 to 254 each), even if they contain marks, shifted by `shift` bits relative to the bytes of the file.
inline Bits hand_made_stream(std::string_view symbols, std::uint32_t checksum) {
  Bits bits;
  bits.add(0x425A6839, 32).add(0x314159265359, 48).add(checksum, 32).add(0, 1).add(0, 24);
  bits.add(0xFFFF, 16);
  for (int group = 0; group < 16; ++group) bits.add(group == 15 ? 0xFFFC : 0xFFFF, 16);
  const auto groups = static_cast<unsigned>((symbols.size() + 1 + 49) / 50);
  bits.add(2, 3).add(groups, 15);
  for (unsigned i = 0; i < groups; ++i) bits.add(0, 1);
  for (int table = 0; table < 2; ++table) {
    bits.add(8, 5);
    for (int symbol = 0; symbol < 256; ++symbol) bits.add(0, 1);
  }
  for (const char symbol : symbols) bits.add(static_cast<unsigned char>(symbol), 8);
  return bits.add(255, 8).add(0x177245385090, 48).add(checksum, 32);
}

// The output of libbz2 for a stream whose checksum is not yet known.
inline std::string decoded_unchecked(const std::string& stream) {
  std::string out(std::size_t{4} << 20U, '\0');
  std::string in = stream;
  bz_stream state{};
  if (BZ2_bzDecompressInit(&state, 0, 0) != BZ_OK) throw std::runtime_error("libbz2 can't start");
  state.next_in = in.data();
  state.avail_in = static_cast<unsigned>(in.size());
  state.next_out = out.data();
  state.avail_out = static_cast<unsigned>(out.size());
  BZ2_bzDecompress(&state);
  out.resize(out.size() - state.avail_out);
  BZ2_bzDecompressEnd(&state);
  return out;
}

struct HandMade {
  std::string file;
  std::string bytes;
};
inline HandMade hand_made(std::string_view symbols) {
  const std::string bytes = decoded_unchecked(hand_made_stream(symbols, 0).bytes());
  return {hand_made_stream(symbols, bzip2_checksum(0, bytes)).bytes(), bytes};
}

}  // namespace bertprep::test
