#include "shard/inflate.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "shard/adler32.h"
#include "shard/block_code.h"

namespace bertprep {
namespace {

using Entry = InflateEntry;

// Copies are made in whole words, and checked once for each symbol.
constexpr std::size_t kWordBytes = 16;
constexpr std::size_t kOutputSlackBytes = kMaxRepeat + 4 * kWordBytes;

constexpr std::size_t kLiteralSymbols = 286;
constexpr std::size_t kDistanceSymbols = 30;
constexpr std::size_t kLengthSymbols = 19;

// RFC 1951, 3.2.5. Two symbols of the fixed code stand for nothing.
constexpr auto kLiteralMeanings = [] {
  std::array<Entry, kMaxCodeSymbols> meanings{};
  for (std::size_t i = 0; i < kEndOfBlock; ++i) meanings[i] = Entry::literal(i);
  meanings[kEndOfBlock] = Entry::entry(Entry::kEnd, 0, 0);
  for (std::size_t i = 0; i < kRepeatSymbols; ++i) {
    meanings[kFirstRepeatSymbol + i] =
        Entry::number(kShortestRepeat[i], i < 8 || i + 1 == kRepeatSymbols ? 0 : i / 4 - 1);
  }
  return meanings;
}();

// Two of the fixed code stand for nothing here, too.
constexpr auto kDistanceMeanings = [] {
  std::array<Entry, kDistanceSymbols + 2> meanings{};
  std::size_t shortest = 1;
  for (std::size_t i = 0; i < kDistanceSymbols; ++i) {
    const std::size_t extra = i < 4 ? 0 : i / 2 - 1;
    meanings[i] = Entry::number(shortest, extra);
    shortest += std::size_t{1} << extra;
  }
  return meanings;
}();

// The symbols of the code that lengths are sent in: lengths, and from 16 on repetitions (RFC 1951, 3.2.7).
constexpr std::size_t kRepeatLast = 16;
constexpr auto kLengthMeanings = [] {
  std::array<Entry, kLengthSymbols> meanings{};
  for (std::size_t i = 0; i < kLengthSymbols; ++i) meanings[i] = Entry::number(i, 0);
  return meanings;
}();
struct LengthRepeat {
  unsigned extra_bits;
  std::size_t shortest;
};
constexpr std::array<LengthRepeat, kLengthSymbols - kRepeatLast> kLengthRepeats{{{2, 3}, {3, 3}, {7, 11}}};

bool read_lengths(BitReader& reader, const InflateCode<kLengthAlphabet>& code, std::span<std::uint8_t> lengths) {
  for (std::size_t i = 0; i < lengths.size();) {
    if (reader.overrun()) return false;
    reader.refill();
    const Entry entry = code.find(reader.peek());
    reader.skip(entry.code_bits);
    if (entry.kind == Entry::kInvalid) return false;
    if (entry.value < kRepeatLast) {
      lengths[i++] = static_cast<std::uint8_t>(entry.value);
      continue;
    }
    const LengthRepeat& repeat = kLengthRepeats[entry.value - kRepeatLast];
    const std::size_t count = repeat.shortest + reader.take(repeat.extra_bits);
    const bool last = entry.value == kRepeatLast;
    if (count > lengths.size() - i || (last && i == 0)) return false;
    std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(i), count, last ? lengths[i - 1] : std::uint8_t{0});
    i += count;
  }
  return true;
}

// May write up to kOutputSlackBytes behind the end of what it copies.
void copy_back(std::uint8_t* to, std::size_t distance, std::size_t length) {
  const std::uint8_t* from = to - distance;
  const std::uint8_t* end = to + length;
  if (distance == 1) {
    std::memset(to, *from, kWordBytes);
    for (std::uint8_t* next = to + kWordBytes; next < end; next += kWordBytes) std::memset(next, *from, kWordBytes);
  } else if (distance >= kWordBytes) {
    for (; to < end; to += kWordBytes, from += kWordBytes) std::memcpy(to, from, kWordBytes);
  } else {
    while (to < end) *to++ = *from++;
  }
}

}  // namespace

std::span<const std::uint8_t> Inflater::inflate(std::span<const std::uint8_t> stream, std::size_t size) {
  constexpr std::size_t kFrameBytes = 6;
  if (stream.size() < kFrameBytes) return {};
  const unsigned method = stream[0];
  const unsigned flags = stream[1];
  const bool plain =
      (method & 0x0FU) == 8 && method >> 4U <= 7 && (flags & 0x20U) == 0 && (method << 8U | flags) % 31 == 0;
  if (!plain) return {};

  if (bytes_.size() < size + kOutputSlackBytes) bytes_.resize(size + kOutputSlackBytes);
  size_ = size;
  done_ = 0;
  BitReader reader(stream.data() + 2, stream.data() + stream.size());
  if (!read_blocks(reader) || done_ != size) return {};
  std::uint32_t adler = 0;
  const auto sum = reader.take_bytes(4);
  for (const std::uint8_t byte : sum) adler = adler << 8U | byte;
  const std::span<const std::uint8_t> bytes = std::span(bytes_).first(size);
  return !sum.empty() && adler == adler32_of(bytes) ? bytes : std::span<const std::uint8_t>();
}

bool Inflater::read_blocks(BitReader& reader) {
  std::size_t coded = 0;
  for (bool last = false; !last;) {
    if (reader.overrun()) return false;
    reader.refill();
    last = reader.take(1) != 0;
    const std::uint32_t kind = reader.take(2);
    if (kind == 0) {
      if (!read_stored(reader)) return false;
      continue;
    }
    BlockCodes& codes = codes_of(coded++);
    if (kind == 3 || !(kind == 2 ? read_codes(reader, codes) : take_fixed_codes(codes))) return false;
    if (!read_symbols(reader, codes)) return false;
  }
  return !reader.overrun();
}

Inflater::BlockCodes& Inflater::codes_of(std::size_t block) {
  const std::size_t index = std::min(block, kMaxCodes - 1);
  if (index >= codes_.size()) codes_.push_back(std::make_unique<BlockCodes>());
  return *codes_[index];
}

bool Inflater::read_stored(BitReader& reader) {
  const auto head = reader.take_bytes(4);
  if (head.empty()) return false;
  const unsigned size = head[0] | unsigned{head[1]} << 8U;
  const unsigned inverse = head[2] | unsigned{head[3]} << 8U;
  if ((size ^ inverse) != 0xFFFF || size > size_ - done_) return false;
  const auto bytes = reader.take_bytes(size);
  if (bytes.size() != size) return false;
  std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(done_));
  done_ += size;
  return true;
}

bool Inflater::read_codes(BitReader& reader, BlockCodes& codes) {
  constexpr std::array<std::uint8_t, kLengthSymbols> kOrder = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
  const std::size_t literals = 257 + reader.take(5);
  const std::size_t distances = 1 + reader.take(5);
  const std::size_t sent = 4 + reader.take(4);
  if (literals > kLiteralSymbols || distances > kDistanceSymbols) return false;
  std::array<std::uint8_t, kLengthSymbols> of_lengths{};
  for (std::size_t i = 0; i < sent; ++i) {
    if (i == kLengthSymbols / 2) reader.refill();
    of_lengths[kOrder[i]] = static_cast<std::uint8_t>(reader.take(3));
  }
  CodeLengths lengths{};
  const auto read = std::span(lengths).first(literals + distances);
  if (!lengths_.assign(of_lengths, kLengthMeanings) || !read_lengths(reader, lengths_, read)) return false;
  return lengths[kEndOfBlock] != 0 && take_codes(lengths, literals, literals + distances, codes);
}

bool Inflater::take_fixed_codes(BlockCodes& codes) {
  CodeLengths lengths{};
  for (std::size_t i = 0; i < kMaxCodeSymbols; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  std::fill(lengths.begin() + kMaxCodeSymbols, lengths.end(), std::uint8_t{5});
  return take_codes(lengths, kMaxCodeSymbols, lengths.size(), codes);
}

// Building tables is work, and the chunks of a dataset share their codes.
bool Inflater::take_codes(const CodeLengths& lengths, std::size_t literals, std::size_t all, BlockCodes& codes) {
  if (codes.literals_sent == literals && codes.lengths == lengths) return true;
  codes.literals_sent = 0;
  const std::span<const std::uint8_t> sent = std::span(lengths).first(all);
  if (!codes.literals.assign(sent.first(literals), kLiteralMeanings)) return false;
  if (!codes.distances.assign(sent.subspan(literals), kDistanceMeanings)) return false;
  codes.lengths = lengths;
  codes.literals_sent = literals;
  return true;
}

// The hot loop. A refill covers three literals, or a length and a distance with their extra bits.
bool Inflater::read_symbols(BitReader& shared_reader, const BlockCodes& codes) {
  const InflateCode<kLiteralAlphabet>& literals = codes.literals;
  BitReader reader = shared_reader;
  std::uint8_t* const begin = bytes_.data();
  std::uint8_t* const end = begin + size_;
  std::uint8_t* out = begin + done_;
  const auto take_literals = [&](Entry entry) {
    reader.skip(entry.code_bits);
    std::memcpy(out, &entry.value, sizeof(entry.value));
    out += entry.count;
    return literals.find_short(reader.peek());
  };
  reader.refill();
  Entry entry = literals.find_short(reader.peek());
  for (;;) {
    if (out > end || reader.overrun()) return false;
    reader.refill();
    if (entry.kind == Entry::kLiteral) {
      entry = take_literals(entry);
      if (entry.kind == Entry::kLiteral) entry = take_literals(entry);
      if (entry.kind == Entry::kLiteral) entry = take_literals(entry);
      if (entry.kind == Entry::kLiteral) continue;
      reader.refill();
    }
    if (entry.kind == Entry::kSubtable) {
      entry = literals.find_long(entry, reader.peek());
      if (entry.kind == Entry::kLiteral) {
        entry = take_literals(entry);
        continue;
      }
    }
    reader.skip(entry.code_bits);
    if (entry.kind != Entry::kNumber) break;
    const std::size_t length = entry.value + reader.take(entry.count);
    entry = codes.distances.find(reader.peek());
    if (entry.kind != Entry::kNumber) return false;
    reader.skip(entry.code_bits);
    const std::size_t distance = entry.value + reader.take(entry.count);
    if (distance > static_cast<std::size_t>(out - begin)) return false;
    copy_back(out, distance, length);
    out += length;
    entry = literals.find_short(reader.peek());
  }
  shared_reader = reader;
  done_ = static_cast<std::size_t>(out - begin);
  return entry.kind == Entry::kEnd && out <= end;
}

}  // namespace bertprep
