#include "wiki/template_arguments.h"

namespace bertprep {

void TemplateArguments::set(std::string name, std::string value) {
  const auto [place, is_new] = places_.try_emplace(name, entries_.size());
  if (is_new) {
    entries_.emplace_back(std::move(name), std::move(value));
  } else {
    entries_[place->second].second = std::move(value);
  }
}

const std::string* TemplateArguments::find(std::string_view name) const {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &entries_[place->second].second;
}

}  // namespace bertprep
