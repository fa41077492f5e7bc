#include "pipeline/recipe.h"

#include "io/sha256.h"

namespace bertprep {

Recipe::Recipe(std::string_view stage, std::string_view version) {
  add("stage", stage);
  add("stage-version", version);
}

Recipe& Recipe::add(std::string_view name, std::string_view value) {
  entries_.emplace_back(name, value);
  return *this;
}

Json Recipe::json() const {
  Json object = Json::object();
  for (const auto& [name, value] : entries_) object.add(name, Json::string(value));
  return object;
}

std::string Recipe::key(const std::string& input_sha256) const {
  return sha256_of(json().add("input-sha256", Json::string(input_sha256)).dump_line());
}

}  // namespace bertprep
