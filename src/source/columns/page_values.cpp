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

[[noreturn]] void fail_early() {
  throw FormatError("its values end early");
}

std::string_view take(std::string_view& bytes, std::uint64_t count) {
  if (count > bytes.size()) fail_early();
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return value;
}

bool has_8_bytes(ColumnType type) {
  return type == ColumnType::kInt64 || type == ColumnType::kUint64;
}

std::string_view take_plain(std::string_view& bytes, ColumnType type) {
  if (type != ColumnType::kText) return take(bytes, has_8_bytes(type) ? 8 : 4);
  return take(bytes, number_in(take(bytes, 4)));
}

std::uint64_t length_in(DeltaReader& lengths) {
  if (lengths.left() == 0) fail_early();
  const std::int64_t length = lengths.next();
  if (length < 0) throw FormatError("a text has a negative length");
  return static_cast<std::uint64_t>(length);
}

}  // namespace

ColumnDictionary::ColumnDictionary(ReadBuffer bytes, std::size_t size, std::uint64_t count, ColumnType type)
    : bytes_(std::move(bytes)), all_(bytes_.first(size)), type_(type) {
  for (std::string_view rest = all_; count > 0; --count) {
    begins_.push_back(static_cast<std::uint32_t>(all_.size() - rest.size()));
    take_plain(rest, type_);
  }
}

std::string_view ColumnDictionary::value(std::uint32_t number) const {
  if (number >= begins_.size()) throw FormatError("a value is not in its dictionary");
  std::string_view rest = all_.substr(begins_[number]);
  return take_plain(rest, type_);
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
    const auto width = static_cast<unsigned>(number_in(take(page_.bytes, 1)));
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
  switch (type_) {
    case ColumnType::kInt32:
      last_ = std::to_string(static_cast<std::int32_t>(number));
      break;
    case ColumnType::kUint32:
      last_ = std::to_string(static_cast<std::uint32_t>(number));
      break;
    case ColumnType::kInt64:
      last_ = std::to_string(static_cast<std::int64_t>(number));
      break;
    default:
      last_ = std::to_string(number);
  }
  return last_;
}

std::string_view PageValues::shown(std::string_view stored) {
  return type_ == ColumnType::kText ? stored : shown(number_in(stored));
}

std::string_view PageValues::next_by_prefix() {
  const std::uint64_t kept = length_in(prefixes_);
  if (kept > last_.size()) throw FormatError("a text shares more with the one before than that has");
  last_.resize(kept);
  last_ += take(page_.bytes, length_in(numbers_));
  return last_;
}

ColumnValue PageValues::next() {
  --page_.values;
  if (levels_ != 0) {
    const std::uint32_t level = level_numbers_.next();
    if (level > levels_) throw FormatError("a level is too high");
    if (level < levels_) return std::nullopt;
  }
  if (places_) return shown(page_.dictionary->value(places_->next()));
  if (page_.encoding == kDeltaBytes) return next_by_prefix();
  if (page_.encoding == kDeltaLength) return take(page_.bytes, length_in(numbers_));
  if (page_.encoding != kDeltaBinary) return shown(take_plain(page_.bytes, type_));
  if (numbers_.left() == 0) fail_early();
  return shown(static_cast<std::uint64_t>(numbers_.next()));
}

}  // namespace bertprep
