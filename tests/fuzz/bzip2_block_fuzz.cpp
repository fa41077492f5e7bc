// Any bits as a block of bzip2: the project and libbz2 give the same verdict and the same bytes, also after the check
// of the checksum, which is corrected once for each decoder.
//
// Byte 0: the bit at which the block begins; byte 1: how many bits are missing at the end; then the bits after the
// mark.
#include <bzlib.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>

#include "stream/bzip2_block.h"
#include "twins/bzip2.h"

namespace {

constexpr unsigned kMarkBytes = 6;

void set_byte(std::string& bytes, std::size_t bit, unsigned value) {
  for (unsigned i = 0; i < 8; ++i, ++bit) {
    const auto old = static_cast<unsigned char>(bytes[bit / 8]);
    const unsigned mask = 0x80U >> bit % 8;
    bytes[bit / 8] = static_cast<char>((value >> (7 - i) & 1U) != 0 ? old | mask : old & ~mask);
  }
}

void set_checksum(std::string& bytes, unsigned first_bit, std::uint32_t sum) {
  for (unsigned i = 0; i < 4; ++i) set_byte(bytes, first_bit + (kMarkBytes + i) * 8, sum >> (24 - 8 * i) & 0xFFU);
}

// The checksum of our decoder's output, or 0.
std::uint32_t our_checksum(const bertprep::Bzip2Frame& frame) {
  static bertprep::Bzip2Decoder decoder;
  const auto outcome = decoder.decode(frame.bytes(), frame.first_bit() + 8 * kMarkBytes, frame.end_of_stream());
  if (outcome != bertprep::Bzip2Decoder::Outcome::kDone) return 0;
  bertprep::RunExpansion runs(decoder.packed());
  std::uint32_t sum = 0;
  std::string piece(65'536 + bertprep::RunExpansion::kSlackBytes, '\0');
  while (!runs.is_at_end()) sum = bertprep::bzip2_checksum(sum, {piece.data(), runs.expand(piece.data(), 65'536)});
  return sum;
}

// The same memory for every input: allocating 4 MB each time would cost page faults.
alignas(16) char arena[std::size_t{8} << 20U];
std::size_t arena_bytes = 0;
void* take_memory(void* /*state*/, int count, int size) {
  const std::size_t begin = arena_bytes;
  arena_bytes += (static_cast<std::size_t>(count) * static_cast<std::size_t>(size) + 15) / 16 * 16;
  return arena_bytes <= sizeof(arena) ? arena + begin : nullptr;
}
void give_memory_back(void* /*state*/, void* /*memory*/) {}

// The same for libbz2, which returns a block before it checks.
std::uint32_t checksum_of_libbz2(const bertprep::Bzip2Frame& frame) {
  std::string file = frame.as_file();
  std::string piece(65'536, '\0');
  bz_stream stream{};
  arena_bytes = 0;
  stream.bzalloc = take_memory;
  stream.bzfree = give_memory_back;
  if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) return 0;
  stream.next_in = file.data();
  stream.avail_in = static_cast<unsigned>(file.size());
  std::uint32_t sum = 0;
  int status = BZ_OK;
  do {
    stream.next_out = piece.data();
    stream.avail_out = static_cast<unsigned>(piece.size());
    status = BZ2_bzDecompress(&stream);
    sum = bertprep::bzip2_checksum(sum, {piece.data(), piece.size() - stream.avail_out});
  } while (status == BZ_OK && stream.avail_out == 0);
  BZ2_bzDecompressEnd(&stream);
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const unsigned first_bit = data[0] % 8;
  std::string bytes(kMarkBytes + size + 1, '\0');
  constexpr unsigned kMark[] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
  for (unsigned i = 0; i < kMarkBytes; ++i) set_byte(bytes, first_bit + 8 * i, kMark[i]);
  for (std::size_t i = 2; i < size; ++i) set_byte(bytes, first_bit + 8 * (kMarkBytes + i - 2), data[i]);
  const std::uint64_t bits = first_bit + 8 * (kMarkBytes + size - 2);
  const std::uint64_t end_bit = bits - std::min<std::uint64_t>(data[1], bits);

  static bertprep::test::Bzip2Twins twins;
  const auto compare = [&] {
    const std::string difference = twins.difference(bytes, first_bit, end_bit);
    if (difference.empty()) return;
    std::cerr << difference << "\n";
    __builtin_trap();
  };
  compare();
  bertprep::Bzip2Frame frame;
  if (!frame.set(bytes, first_bit, end_bit)) return 0;
  set_checksum(bytes, first_bit, checksum_of_libbz2(frame));
  compare();
  frame.set(bytes, first_bit, end_bit);
  if (const std::uint32_t sum = our_checksum(frame); sum != frame.checksum()) {
    set_checksum(bytes, first_bit, sum);
    compare();
  }
  return 0;
}
