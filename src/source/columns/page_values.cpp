#include "source/columns/page_values.h"

#include <bit>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

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

PageValues::PageValues(PageContent page, const SchemaColumn& column)
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
