#include "trainer/run_log.h"

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78U : 0U);
    table[i] = value;
  }
  return table;
}();

constexpr std::uint32_t kMaskDelta = 0xA282EAD8U;

template <class T>
std::string little_endian(T value) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string length_delimited(int field, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string masked_crc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return little_endian(std::rotr(crc, 15) + kMaskDelta);
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string event_head(double seconds) {
  return std::string(1, '\x09') + little_endian(std::bit_cast<std::uint64_t>(seconds));
}

std::filesystem::path new_path(const std::filesystem::path& folder) {
  const std::string stem =
      "events.out.tfevents." + std::to_string(static_cast<std::int64_t>(now_seconds())) + ".bertprep";
  std::filesystem::path path = folder / stem;
  for (int number = 1; std::filesystem::exists(path); ++number) path = folder / (stem + "." + std::to_string(number));
  return path;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) crc = kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError::from_errno("can't be created", folder, error.value());
  path_ = new_path(folder);
  file_.open(path_, std::ios::binary);
  if (!file_) throw IoError::from_errno("can't be opened for writing", path_, errno);
  write_record(event_head(now_seconds()) + length_delimited(3, "brain.Event:2"));
}

void EventFile::write(std::int64_t step, const LogValues& values) {
  std::string summary;
  for (const auto& [name, value] : values) {
    const std::string number = std::string(1, '\x15') + little_endian(std::bit_cast<std::uint32_t>(float(value)));
    summary += length_delimited(1, length_delimited(1, name) + number);
  }
  write_record(event_head(now_seconds()) + '\x10' + varint(static_cast<std::uint64_t>(step)) +
               length_delimited(5, summary));
}

void EventFile::write_record(const std::string& message) {
  const std::string length = little_endian(static_cast<std::uint64_t>(message.size()));
  file_ << length << masked_crc(length) << message << masked_crc(message) << std::flush;
  if (!file_) throw IoError::from_errno("can't be written", path_, errno);
}

}  // namespace bertprep
