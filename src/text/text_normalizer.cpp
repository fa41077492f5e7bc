#include "bertprep/text/text_normalizer.h"

#include <algorithm>
#include <array>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxCharacters = 100;
// Reserved: a recipe could not distinguish a custom component from the built-in one.
constexpr std::array kTakenNames = {"punkt", "icu", "lines", "wordpiece"};

void check_part(const std::string& value, const std::string& what) {
  const auto is_printable = [](char c) { return c >= 0x20 && c < 0x7F; };
  if (value.empty() || value.size() > kMaxCharacters || !std::ranges::all_of(value, is_printable)) {
    throw ConfigError(what + (value.empty() ? " is empty" : " is not 1 to 100 printable ASCII characters"), {},
                      "it is part of the recipe: a resumed run compares it");
  }
}

}  // namespace

std::string identity_of(const TextComponent& component) {
  const std::string version = component.version();
  return component.name() + (version.empty() ? "" : " " + version);
}

void check_component(const TextComponent& component, const std::string& role) {
  const std::string name = component.name();
  check_part(name, "the name of " + role);
  check_part(component.version(), "the version of " + role + " '" + name + "'");
  if (std::ranges::find(kTakenNames, name) == kTakenNames.end()) return;
  throw ConfigError("the name of " + role + " is '" + name + "', which the library reserves", {},
                    "choose another name");
}

}  // namespace bertprep
