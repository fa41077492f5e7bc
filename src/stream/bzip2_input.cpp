#include "stream/bzip2_input.h"

#include <algorithm>
#include <span>

namespace bertprep {
namespace {

constexpr std::size_t kReadBytes = std::size_t{512} << 10U;

}  // namespace

Bzip2Input::Bzip2Input(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end, ReadMeter* meter)
    : file_(path), meter_(meter), first_byte_(begin), last_byte_(end) {
  if (begin != 0) file_.seek(begin);
}

bool Bzip2Input::read_more() {
  if (at_end_) return false;
  const std::size_t before = bytes_.size();
  std::size_t wanted = kReadBytes;
  if (last_byte_ != 0) wanted = std::min<std::size_t>(wanted, last_byte_ - std::min(last_byte_, end_byte()));
  bytes_.resize(before + wanted);
  const std::size_t count = file_.read(std::span(bytes_).subspan(before));
  bytes_.resize(before + count);
  if (meter_ != nullptr) meter_->see(end_byte() - count, std::string_view(bytes_).substr(before));
  at_end_ = count < kReadBytes;
  search();
  return true;
}

void Bzip2Input::search() {
  if (bytes_.size() >= searched_ + kBzip2MarkReach) {
    const std::size_t end = bytes_.size() - kBzip2MarkReach;
    find_bzip2_marks(bytes_, searched_, end, first_byte_, marks_);
    searched_ = end;
  }
  if (!at_end_) return;
  // Zeros after the end can't complete a false mark: a mark's last bits are ones or followed by its checksum.
  std::string last = bytes_.substr(searched_);
  const std::size_t count = last.size();
  last.append(kBzip2MarkReach, '\0');
  find_bzip2_marks(last, 0, count, first_byte_ + searched_, marks_);
  std::erase_if(marks_, [&](const Bzip2Mark& mark) { return mark.bit + kBzip2MarkBits > end_bit(); });
  searched_ = bytes_.size();
}

void Bzip2Input::release(std::uint64_t byte) {
  byte = std::min(byte, searched_byte());
  if (byte <= first_byte_) return;
  const auto count = static_cast<std::size_t>(byte - first_byte_);
  // Moving the kept bytes pays only if they are the smaller part.
  if (count < bytes_.size() / 2) return;
  bytes_.erase(0, count);
  first_byte_ = byte;
  searched_ -= count;
  const auto kept = std::lower_bound(marks_.begin(), marks_.end(), byte * 8,
                                     [](const Bzip2Mark& mark, std::uint64_t bit) { return mark.bit < bit; });
  marks_.erase(marks_.begin(), kept);
}

std::string_view Bzip2Input::view(std::uint64_t begin, std::uint64_t end) const {
  begin = std::clamp(begin, first_byte_, end_byte());
  end = std::clamp(end, begin, end_byte());
  return std::string_view(bytes_).substr(static_cast<std::size_t>(begin - first_byte_),
                                         static_cast<std::size_t>(end - begin));
}

std::uint32_t Bzip2Input::bits(std::uint64_t bit, unsigned count) const {
  std::uint64_t value = 0;
  const std::string_view bytes = view(bit / 8, bit / 8 + 5);
  for (std::size_t i = 0; i < 5; ++i)
    value = value << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
  return static_cast<std::uint32_t>(value >> (40 - bit % 8 - count) & ((std::uint64_t{1} << count) - 1));
}

}  // namespace bertprep
