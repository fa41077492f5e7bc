#include "pipeline/left_out.h"

namespace bertprep {

void add_counts(const LeftOutCounts& more, LeftOutCounts& counts) {
  for (const auto& [reason, documents] : more) counts[reason] += documents;
}

Json json_of_left_out(const LeftOutCounts& counts) {
  Json json = Json::object();
  for (const auto& [reason, documents] : counts) json.add(reason, Json::number(documents));
  return json;
}

LeftOutCounts left_out_of(const Json& counts) {
  LeftOutCounts left_out;
  const Json* const json = counts.find("left_out");
  if (json == nullptr) return left_out;
  for (const auto& [reason, documents] : json->members()) left_out[reason] = documents.as_unsigned();
  return left_out;
}

}  // namespace bertprep
