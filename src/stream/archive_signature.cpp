#include <algorithm>
#include <array>
#include <cstdint>

#include "stream/archive.h"

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

// A header of a tar file (POSIX.1-1988, ustar): its sixth field is the sum of its bytes in octal digits, taken with
// blanks in place of the sum. Tar files older than the word "ustar" have it, too.
constexpr std::size_t kTarHeaderBytes = 512;
constexpr std::size_t kTarSumAt = 148;
constexpr std::size_t kTarSumBytes = 8;

std::uint32_t sum_of_bytes(std::string_view bytes) {
  std::uint32_t sum = 0;
  for (const char byte : bytes) sum += static_cast<unsigned char>(byte);
  return sum;
}

// The number in octal digits with blanks before it and a blank or NUL behind; none has no digit.
bool reads_as_octal(std::string_view field, std::uint32_t wanted) {
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  const std::size_t digits = std::min(field.find_first_not_of("01234567"), field.size());
  std::uint32_t value = 0;
  for (const char digit : field.substr(0, digits)) value = value * 8 + static_cast<std::uint32_t>(digit - '0');
  return digits > 0 && value == wanted;
}

bool begins_as_tar(std::string_view bytes) {
  if (bytes.size() < kTarHeaderBytes || bytes.front() == '\0') return false;
  const std::string_view header = bytes.substr(0, kTarHeaderBytes);
  const std::string_view field = header.substr(kTarSumAt, kTarSumBytes);
  const std::uint32_t sum = sum_of_bytes(header) - sum_of_bytes(field) + kTarSumBytes * std::uint32_t{' '};
  return reads_as_octal(field, sum);
}

}  // namespace

bool begins_as_indexed_archive(std::string_view first_bytes) {
  // Zip: a member, no member at all, the first of several parts. 7z.
  constexpr std::array<std::string_view, 4> kBegins = {"PK\3\4"sv, "PK\5\6"sv, "PK\7\10PK\3\4"sv,
                                                       "7z\xBC\xAF\x27\x1C"sv};
  return std::any_of(kBegins.begin(), kBegins.end(), [&](auto begin) { return first_bytes.starts_with(begin); });
}

bool begins_as_archive(std::string_view first_bytes) {
  return begins_as_indexed_archive(first_bytes) || begins_as_tar(first_bytes);
}

}  // namespace bertprep
