#include "stream/bzip2/block_header.h"

#include <algorithm>

namespace bertprep {
namespace {

// The groups of 900,000 symbols and the end of the block. Some encoders declare more, which are ignored.
constexpr std::size_t kMaxGroups = kMaxBzip2BlockBytes / kBzip2GroupSymbols + 2;

}  // namespace

void PrefixCode::build(std::span<const std::uint8_t> lengths) {
  Singles singles{};
  std::uint32_t code = 0;
  std::uint32_t index = 0;
  for (unsigned length = 1; length <= kMaxBzip2CodeBits; ++length) {
    code <<= 1U;
    offsets_[length] = index - code;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      symbols_[index++] = static_cast<std::uint16_t>(symbol);
      if (length <= kStepBits && code < 1U << length) {
        const auto single = Single{static_cast<std::uint16_t>(symbol), static_cast<std::uint16_t>(length)};
        std::fill_n(singles.begin() + (code << (kStepBits - length)), 1U << (kStepBits - length), single);
      }
      ++code;
    }
    limits_[length] = std::min(code, 1U << length) << (kMaxBzip2CodeBits - length);
  }
  const auto end_symbol = static_cast<unsigned>(lengths.size()) - 1;
  for (std::uint32_t bits = 0; bits < steps_.size(); ++bits) steps_[bits] = make_step(singles, bits, end_symbol);
}

CodeStep PrefixCode::make_step(const Singles& singles, std::uint32_t bits, unsigned end_symbol) {
  unsigned used = 0;
  unsigned digits = 0;
  unsigned value = 0;
  for (;;) {
    const Single single = singles[bits << used & (singles.size() - 1)];
    if (single.bits == 0 || single.bits > kStepBits - used || single.symbol == end_symbol) break;
    if (single.symbol > 1) return {used + single.bits, digits, value, single.symbol - 1U, digits + 1};
    if (digits == CodeStep::kMaxDigits) break;
    value += (1U + single.symbol) << digits++;
    used += single.bits;
  }
  return {used, digits, value, 0, digits};
}

unsigned PrefixCode::take_symbol(BitReader& bits) const {
  const auto code = static_cast<std::uint32_t>(bits.peek(kMaxBzip2CodeBits));
  unsigned length = 1;
  while (length <= kMaxBzip2CodeBits && code >= limits_[length]) ++length;
  if (length > kMaxBzip2CodeBits) return kInvalid;
  bits.drop(length);
  return symbols_[offsets_[length] + (code >> (kMaxBzip2CodeBits - length))];
}

bool BlockHeader::read(BitReader& bits, std::uint64_t end_bit) {
  checksum = static_cast<std::uint32_t>(bits.take(32));
  is_randomized = bits.take(1) != 0;
  first_row = static_cast<std::uint32_t>(bits.take(24));
  read_used_bytes(bits);
  if (used_byte_count == 0) return false;
  const auto code_count = static_cast<std::size_t>(bits.take(3));
  if (code_count < 2 || code_count > kMaxCodes || !read_groups(bits, code_count, end_bit)) return false;
  return std::all_of(codes.begin(), codes.begin() + static_cast<std::ptrdiff_t>(code_count),
                     [&](PrefixCode& code) { return read_code(bits, code, end_bit); });
}

// Sixteen bits say for which sixteenths of the 256 values another sixteen bits follow.
void BlockHeader::read_used_bytes(BitReader& bits) {
  used_byte_count = 0;
  const auto sixteenths = static_cast<unsigned>(bits.take(16));
  for (unsigned high = 0; high < 16; ++high) {
    if ((sixteenths >> (15 - high) & 1U) == 0) continue;
    const auto values = static_cast<unsigned>(bits.take(16));
    for (unsigned low = 0; low < 16; ++low) {
      if ((values >> (15 - low) & 1U) != 0) used_bytes[used_byte_count++] = static_cast<std::uint8_t>(high * 16 + low);
    }
  }
}

// The number of each group's code, as its place in a list of recently used codes, in unary: ones and a zero.
bool BlockHeader::read_groups(BitReader& bits, std::size_t code_count, std::uint64_t end_bit) {
  const auto count = static_cast<std::size_t>(bits.take(15));
  if (count == 0) return false;
  code_of_group.clear();
  std::array<std::uint8_t, kMaxCodes> recent{0, 1, 2, 3, 4, 5};
  for (std::size_t group = 0; group < count && bits.position() <= end_bit; ++group) {
    bits.fill();
    const auto place = static_cast<std::size_t>(std::countl_one(static_cast<std::uint8_t>(bits.peek(8))));
    if (place >= code_count) return false;
    bits.drop(static_cast<unsigned>(place) + 1);
    const std::uint8_t code = recent[place];
    for (std::size_t i = place; i > 0; --i) recent[i] = recent[i - 1];
    recent[0] = code;
    if (group < kMaxGroups) code_of_group.push_back(code);
  }
  return bits.position() <= end_bit;
}

// The length of each symbol's code, as differences from the previous symbol's.
bool BlockHeader::read_code(BitReader& bits, PrefixCode& code, std::uint64_t end_bit) const {
  std::array<std::uint8_t, kMaxBzip2Symbols> lengths{};
  const std::size_t symbols = used_byte_count + 2;
  auto length = static_cast<unsigned>(bits.take(5));
  for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
    for (;;) {
      if (length < 1 || length > kMaxBzip2CodeBits) return false;
      if (bits.take(1) == 0) break;
      length += bits.take(1) == 0 ? 1U : ~0U;
      if (bits.position() > end_bit) return false;
    }
    lengths[symbol] = static_cast<std::uint8_t>(length);
  }
  if (bits.position() > end_bit) return false;
  code.build(std::span(lengths).first(symbols));
  return true;
}

}  // namespace bertprep
