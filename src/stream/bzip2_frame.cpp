#include "stream/bzip2_frame.h"

#include "stream/bzip2/bit_reader.h"
#include "stream/bzip2_scan.h"

namespace bertprep {
namespace {

constexpr unsigned kSumBits = 32;
constexpr std::size_t kSumBytes = 4;

unsigned byte_of(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

bool Bzip2Frame::set(std::string_view bytes, unsigned first_bit, std::uint64_t end_bit) {
  checksum_ = 0;
  if (end_bit < first_bit + kBzip2MarkBits + kSumBits || bytes.size() < (end_bit + 7) / 8) return false;
  first_bit_ = first_bit;
  end_bit_ = end_bit;
  // A stream ends with a whole byte.
  const std::uint64_t bits = end_bit - first_bit + kBzip2MarkBits + kSumBits;
  end_of_stream_ = first_bit + (bits + 7) / 8 * 8;
  const auto whole_bytes = static_cast<std::size_t>(end_bit / 8);
  bytes_.assign(bytes, 0, whole_bytes);
  bytes_.resize(static_cast<std::size_t>((end_of_stream_ + 7) / 8) + BitReader::kSlackBytes, '\0');
  if (end_bit % 8 != 0) bytes_[whole_bytes] = static_cast<char>(byte_of(bytes, whole_bytes) & 0xFF00U >> end_bit % 8);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i <= kSumBytes; ++i) sum = sum << 8U | byte_of(bytes_, kBzip2MarkBits / 8 + i);
  checksum_ = static_cast<std::uint32_t>(sum >> (8 - first_bit));
  put_bits(end_bit, kBzip2EndMark, kBzip2MarkBits);
  put_bits(end_bit + kBzip2MarkBits, checksum_, kSumBits);
  return true;
}

// Requires zeros there.
void Bzip2Frame::put_bits(std::uint64_t bit, std::uint64_t value, unsigned count) {
  for (; count > 0; ++bit) {
    const unsigned set = static_cast<unsigned>(value >> --count & 1U) << (7 - bit % 8);
    char& byte = bytes_[static_cast<std::size_t>(bit / 8)];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | set);
  }
}

std::string Bzip2Frame::as_file() const {
  std::string file("BZh9");
  const auto count = static_cast<std::size_t>((end_of_stream_ - first_bit_) / 8);
  file.reserve(file.size() + count);
  for (std::size_t i = 0; i < count; ++i)
    file += static_cast<char>((byte_of(bytes_, i) << 8U | byte_of(bytes_, i + 1)) >> (8 - first_bit_) & 0xFFU);
  return file;
}

}  // namespace bertprep
