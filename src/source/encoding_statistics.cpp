#include "source/encoding_statistics.h"

namespace bertprep {
namespace {

bool is_small(unsigned char byte) {
  return byte >= 'a' && byte <= 'z';
}

bool is_ascii_letter(unsigned char byte) {
  return is_small(byte) || (byte >= 'A' && byte <= 'Z');
}

bool may_be_letter(unsigned char byte) {
  return byte >= 0x80 || is_ascii_letter(byte);
}

}  // namespace

ByteStatistics::ByteStatistics(std::string_view bytes) {
  unsigned char before = ' ';
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    ++count[byte];
    if (byte >= 0x80) {
      const auto after =
          i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : static_cast<unsigned char>(' ');
      ++high_bytes;
      if (is_ascii_letter(before) && is_ascii_letter(after)) ++in_word[byte];
      if (is_small(before)) ++after_lower[byte];
      if (!may_be_letter(before) && !may_be_letter(after)) ++alone[byte];
    } else if (is_ascii_letter(byte)) {
      ++ascii_letters;
    }
    before = byte;
  }
}

}  // namespace bertprep
