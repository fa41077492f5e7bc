#include "pipeline/reason_record.h"

namespace bertprep {

Json json_of(const ReasonCounts& counts) {
  Json object = Json::object();
  for (const auto& [reason, times] : counts.by_reason()) object.add(reason, Json::number(times));
  return object;
}

ReasonCounts reasons_in(const Json& counts, std::string_view key) {
  ReasonCounts reasons;
  const Json* object = counts.find(key);
  if (object == nullptr) return reasons;
  for (const auto& [reason, times] : object->members()) reasons.add(reason, times.as_unsigned());
  return reasons;
}

}  // namespace bertprep
