#include "quality/length_counts.h"

#include <bit>

#include "bertprep/base/error.h"

namespace bertprep {

void LengthCounts::add(std::uint64_t length) {
  ++by_power_[length == 0 ? 0 : static_cast<std::size_t>(std::bit_width(length)) - 1];
}

void LengthCounts::add(const LengthCounts& other) {
  for (std::size_t i = 0; i < by_power_.size(); ++i) by_power_[i] += other.by_power_[i];
}

Json LengthCounts::to_json() const {
  std::size_t end = by_power_.size();
  while (end > 0 && by_power_[end - 1] == 0) --end;
  Json json = Json::array();
  for (std::size_t i = 0; i < end; ++i) json.push(Json::number(by_power_[i]));
  return json;
}

LengthCounts LengthCounts::from_json(const Json& json) {
  LengthCounts counts;
  if (json.items().size() > counts.by_power_.size()) throw FormatError("has more lengths than there are");
  for (std::size_t i = 0; i < json.items().size(); ++i) counts.by_power_[i] = json.items()[i].as_unsigned();
  return counts;
}

}  // namespace bertprep
