#include "source/columns/page_values.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kMaxBlock = std::uint64_t{1} << 20;   // values; writers take 128
constexpr std::uint64_t kMaxGroups = std::uint64_t{1} << 40;  // more than any page has

[[noreturn]] void fail_numbers() {
  throw FormatError("its numbers end early or make no sense");
}

unsigned byte_at(std::string_view bytes, std::uint64_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const unsigned next = byte_at(take_bytes(bytes, 1), 0);
    value |= std::uint64_t{next & 0x7FU} << shift;
    if (next < 0x80U) return value;
  }
  fail_numbers();
}

// As two's complement: sums wrap around.
std::uint64_t take_zigzag(std::string_view& bytes) {
  const std::uint64_t value = take_varint(bytes);
  return (value >> 1U) ^ (0 - (value & 1U));
}

std::uint64_t bits_at(std::string_view bytes, std::uint64_t bit, unsigned width) {
  if ((bit + width + 7) / 8 > bytes.size()) fail_numbers();
  std::uint64_t value = 0;
  for (unsigned done = 0; done < width;) {
    const unsigned shift = (bit + done) % 8;
    const unsigned count = std::min(8 - shift, width - done);
    const std::uint64_t part = byte_at(bytes, (bit + done) / 8) >> shift & ((1U << count) - 1);
    value |= part << done;
    done += count;
  }
  return value;
}

// Codes of the format.
enum Encoding : std::uint64_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kDeltaBinary = 5,
  kDeltaLength = 6,
  kDeltaBytes = 7,
  kDictionary = 8
};

constexpr std::uint64_t kIsNull = std::uint64_t{1} << 63U;

[[noreturn]] void fail_early() {
  throw FormatError("its values end early");
}

bool has_8_bytes(ColumnType type) {
  return type == ColumnType::kInt64 || type == ColumnType::kUint64;
}

std::uint64_t length_in(DeltaReader& lengths) {
  if (lengths.left() == 0) fail_early();
  const std::int64_t length = lengths.next();
  if (length < 0) throw FormatError("a text has a negative length");
  return static_cast<std::uint64_t>(length);
}

}  // namespace

std::string_view take_bytes(std::string_view& bytes, std::uint64_t count) {
  if (count > bytes.size()) fail_early();
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

// The last group may be cut after the last number.
void HybridReader::begin_run() {
  const std::uint64_t head = take_varint(bytes_);
  left_ = head >> 1U;
  is_packed_ = (head & 1U) != 0;
  if (!is_packed_) {
    value_ = static_cast<std::uint32_t>(number_in(take_bytes(bytes_, (width_ + 7) / 8)));
    return;
  }
  const std::uint64_t groups = std::min(left_, kMaxGroups);
  packed_ = take_bytes(bytes_, std::min<std::uint64_t>(groups * width_, bytes_.size()));
  left_ = groups * 8;
  bit_ = 0;
}

std::uint32_t HybridReader::next() {
  while (left_ == 0) begin_run();
  --left_;
  if (!is_packed_) return value_;
  const auto value = static_cast<std::uint32_t>(bits_at(packed_, bit_, width_));
  bit_ += width_;
  return value;
}

DeltaReader::DeltaReader(std::string_view bytes) : bytes_(bytes) {
  const std::uint64_t block = take_varint(bytes_);
  miniblocks_ = take_varint(bytes_);
  left_ = take_varint(bytes_);
  value_ = take_zigzag(bytes_);
  if (block > kMaxBlock || miniblocks_ == 0 || block % miniblocks_ != 0) fail_numbers();
  miniblock_values_ = block / miniblocks_;
  if (miniblock_values_ == 0 || miniblock_values_ % 8 != 0) fail_numbers();
}

void DeltaReader::begin_block() {
  least_ = take_zigzag(bytes_);
  widths_ = take_bytes(bytes_, miniblocks_);
}

void DeltaReader::begin_miniblock() {
  if (widths_.empty()) begin_block();
  width_ = byte_at(take_bytes(widths_, 1), 0);
  if (width_ > 64) fail_numbers();
  in_miniblock_ = miniblock_values_;
  // The last miniblock may be cut after the last value.
  packed_ = take_bytes(bytes_, std::min<std::uint64_t>(miniblock_values_ / 8 * width_, bytes_.size()));
  bit_ = 0;
}

std::int64_t DeltaReader::next() {
  if (!is_first_) {
    if (in_miniblock_ == 0) begin_miniblock();
    value_ += least_ + bits_at(packed_, bit_, width_);
    bit_ += width_;
    --in_miniblock_;
  }
  is_first_ = false;
  --left_;
  return static_cast<std::int64_t>(value_);
}

std::string_view DeltaReader::rest() const {
  DeltaReader walk = *this;
  for (std::uint64_t left = left_ == 0 ? 0 : left_ - 1; left > 0;) {
    walk.begin_miniblock();
    left -= std::min(left, miniblock_values_);
  }
  return walk.bytes_;
}

std::string digits(std::uint64_t number, unsigned bytes, bool is_signed) {
  const unsigned unused = 64 - 8 * bytes;
  number <<= unused;
  return is_signed ? std::to_string(static_cast<std::int64_t>(number) >> unused) : std::to_string(number >> unused);
}

void require_size(const std::string& what, std::uint64_t bytes, std::uint64_t max_bytes) {
  if (bytes <= max_bytes) return;
  throw FormatError(what + " of " + std::to_string(bytes) + " bytes is larger than " + std::to_string(max_bytes) +
                    ", which `memory` and `max_article` allow");
}

void ColumnDictionary::add(ColumnValue value, std::uint64_t max_bytes) {
  text_ += value.value_or("");
  ends_.push_back(text_.size() | (value ? 0 : kIsNull));
  require_size("a dictionary", text_.size() + ends_.size() * sizeof(std::uint64_t), max_bytes);
}

ColumnValue ColumnDictionary::value(std::uint64_t number) const {
  if (number >= ends_.size()) throw FormatError("a value is not in its dictionary");
  if ((ends_[number] & kIsNull) != 0) return std::nullopt;
  const std::uint64_t begin = number == 0 ? 0 : ends_[number - 1] & ~kIsNull;
  return std::string_view(text_).substr(begin, ends_[number] - begin);
}

PageValues::PageValues(PageContent page, const SchemaNode& column)
    : page_(std::move(page)),
      type_(column.type),
      levels_(column.levels),
      level_numbers_(page_.levels, static_cast<unsigned>(std::bit_width(column.levels))) {
  const bool is_text = type_ == ColumnType::kText;
  // A page of nulls may end here.
  if (page_.bytes.empty()) {
    page_.encoding = kPlain;
  } else if (page_.encoding == kPlainDictionary || page_.encoding == kDictionary) {
    if (page_.dictionary == nullptr) throw FormatError("its dictionary is missing");
    const auto width = static_cast<unsigned>(number_in(take_bytes(page_.bytes, 1)));
    if (width > 32) throw FormatError("places in its dictionary have " + std::to_string(width) + " bits");
    places_.emplace(page_.bytes, width);
  } else if (page_.encoding == kDeltaBinary && !is_text) {
    numbers_ = DeltaReader(page_.bytes);
  } else if (page_.encoding == kDeltaLength && is_text) {
    numbers_ = DeltaReader(page_.bytes);
    page_.bytes = numbers_.rest();
  } else if (page_.encoding == kDeltaBytes && is_text) {
    prefixes_ = DeltaReader(page_.bytes);
    numbers_ = DeltaReader(prefixes_.rest());
    page_.bytes = numbers_.rest();
  } else if (page_.encoding != kPlain) {
    throw FormatError("its encoding " + std::to_string(page_.encoding) + " is not read");
  }
}

std::string_view PageValues::shown(std::uint64_t number) {
  const bool is_signed = type_ == ColumnType::kInt32 || type_ == ColumnType::kInt64;
  return last_ = digits(number, has_8_bytes(type_) ? 8 : 4, is_signed);
}

std::string_view PageValues::next_plain() {
  if (type_ != ColumnType::kText) return shown(number_in(take_bytes(page_.bytes, has_8_bytes(type_) ? 8 : 4)));
  return take_bytes(page_.bytes, number_in(take_bytes(page_.bytes, 4)));
}

std::string_view PageValues::next_by_prefix() {
  const std::uint64_t kept = length_in(prefixes_);
  if (kept > last_.size()) throw FormatError("a text shares more with the one before than that has");
  last_.resize(kept);
  last_ += take_bytes(page_.bytes, length_in(numbers_));
  return last_;
}

ColumnValue PageValues::next() {
  --page_.values;
  if (levels_ != 0) {
    const std::uint32_t level = level_numbers_.next();
    if (level > levels_) throw FormatError("a level is too high");
    if (level < levels_) return std::nullopt;
  }
  if (places_) return page_.dictionary->value(places_->next());
  if (page_.encoding == kDeltaBytes) return next_by_prefix();
  if (page_.encoding == kDeltaLength) return take_bytes(page_.bytes, length_in(numbers_));
  if (page_.encoding != kDeltaBinary) return next_plain();
  if (numbers_.left() == 0) fail_early();
  return shown(static_cast<std::uint64_t>(numbers_.next()));
}

}  // namespace bertprep
