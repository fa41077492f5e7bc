#include "stream/bzip2/prefix_code.h"

#include <algorithm>

namespace bertprep {

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

}  // namespace bertprep
