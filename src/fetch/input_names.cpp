// Names for addresses: "wikipedia:20231101.de" -> hf://datasets/wikimedia/wikipedia/20231101.de/*.parquet.
#include <algorithm>
#include <filesystem>

#include "base/nearest_name.h"
#include "bertprep/base/error.h"
#include "fetch/catalogue.h"
#include "io/file_system.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

bool is_input_name(const std::string& text) {
  std::error_code error;
  const std::size_t sign = text.find(':');
  const auto is_plain = [](char c) { return is_ascii_alphanumeric(c) || c == '-' || c == '.' || c == '_'; };
  return sign != std::string::npos && sign != 0 && sign + 1 < text.size() &&
         std::ranges::all_of(text.substr(0, sign) + text.substr(sign + 1), is_plain) &&
         !std::filesystem::exists(text, error);
}

std::string address_of_input(const std::string& text, const FetchOptions& options) {
  const std::string name = text.substr(0, text.find(':'));
  const std::string part = text.substr(name.size() + 1);
  const std::vector<CatalogueInputs> known = load_catalogue(options).inputs;
  const auto found = std::ranges::find(known, name, &CatalogueInputs::name);
  std::vector<std::string> names;
  for (const CatalogueInputs& inputs : known) names.push_back(inputs.name + ":" + inputs.example);
  if (found == known.end()) {
    throw ConfigError("there is no file '" + text + "', and no input of this name" + suggestion_text(text, names), {},
                      "the known ones are " + joined(names));
  }
  const auto fits = [&](const std::string& pattern) { return matches_pattern(part, pattern); };
  if (std::ranges::none_of(found->parts, fits)) {
    throw ConfigError("'" + name + "' has no part '" + part + "'" + suggestion_text(part, found->parts), {},
                      "its parts are " + joined(found->parts) + ", as in " + name + ":" + found->example);
  }
  std::string address = found->address;
  return address.replace(address.find("{}"), 2, part);
}

}  // namespace bertprep
