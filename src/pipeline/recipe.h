// Recipe: what decides the bytes of a task's result, and the key under which the result is found again.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bertprep/base/fields.h"
#include "io/json.h"

namespace bertprep {

class Recipe {
 public:
  // `stage` and `version` change when a stage changes what it writes for the same options.
  Recipe(std::string_view stage, std::string_view version);

  // All fields of `options` that decide bytes.
  template <class Options>
  Recipe& add_options(const Options& options) {
    for (const FieldValue& field : recipe_of(options)) entries_.emplace_back(field.name, field.value);
    return *this;
  }
  Recipe& add(std::string_view name, std::string_view value);

  const std::vector<std::pair<std::string, std::string>>& entries() const { return entries_; }
  Json json() const;
  // sha256 over the recipe and the digest of the task's input.
  std::string key(const std::string& input_sha256) const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

}  // namespace bertprep
