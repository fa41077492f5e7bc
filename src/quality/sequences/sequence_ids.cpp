#include "quality/sequences/sequence_ids.h"

#include <algorithm>
#include <cstring>

#include "base/number_text.h"
#include "quality/doctor/set_tokenizer.h"

namespace bertprep {
namespace {

template <class Stored>
void append_as(std::string_view bytes, std::vector<std::int64_t>& numbers) {
  const std::size_t count = bytes.size() / sizeof(Stored);
  const std::size_t begin = numbers.size();
  numbers.resize(begin + count);
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    numbers[begin + i] = static_cast<std::int64_t>(value);
  }
}

}  // namespace

void append_numbers(std::string_view bytes, unsigned width, bool is_signed, std::vector<std::int64_t>& numbers) {
  switch (width) {
    case 1:
      return is_signed ? append_as<std::int8_t>(bytes, numbers) : append_as<std::uint8_t>(bytes, numbers);
    case 2:
      return is_signed ? append_as<std::int16_t>(bytes, numbers) : append_as<std::uint16_t>(bytes, numbers);
    case 4:
      return is_signed ? append_as<std::int32_t>(bytes, numbers) : append_as<std::uint32_t>(bytes, numbers);
    default:
      return append_as<std::int64_t>(bytes, numbers);
  }
}

void SequenceIds::add(const FindingPlace& place, std::span<const std::int64_t> ids) {
  if (ids.empty()) return;
  tokens_ += ids.size();
  const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
  if (*least < 0) {
    findings_.add(Trap::kNegativeIds, place,
                  "id " + std::to_string(*least) + " at [" + std::to_string(least - ids.begin()) + "]");
  }
  if (pieces_ > 0 && *most >= pieces_) {
    findings_.add(Trap::kVocabularyTooSmall, place,
                  "id " + std::to_string(*most) + " at [" + std::to_string(most - ids.begin()) + "], the vocabulary " +
                      "has " + grouped(static_cast<std::uint64_t>(pieces_)) + " pieces");
  }
  largest_ = std::max(largest_, *most);
  const auto needed = static_cast<std::size_t>(std::clamp<std::int64_t>(*most, 0, kMaxIds)) + 1;
  if (counts_.size() < needed) counts_.resize(needed);
  for (const std::int64_t id : ids) {
    if (id >= 0 && id <= kMaxIds) ++counts_[static_cast<std::size_t>(id)];
  }
}

void SequenceIds::find_rare_breaks(std::span<const TokenId> line_breaks) const {
  if (line_breaks.empty()) return;
  std::uint64_t breaks = 0;
  for (const TokenId id : line_breaks) breaks += occurrences(id);
  find_lost_breaks(breaks, tokens_, findings_);
}

void SequenceIds::finish(const std::string& type) {
  constexpr std::int64_t kIdsOfUint16 = 65536;
  findings_.fill(Trap::kVocabularyTooSmall, "{largest}",
                 grouped(static_cast<std::uint64_t>(std::max(largest_ + 1, pieces_))));
  if (type != "uint16" || pieces_ <= kIdsOfUint16) return;
  findings_.add(Trap::kNarrowType, {},
                "ids are uint16, but the vocabulary has " + grouped(static_cast<std::uint64_t>(pieces_)) + " pieces");
}

}  // namespace bertprep
