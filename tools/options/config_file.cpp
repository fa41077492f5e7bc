#include "options/config_file.h"

#include <algorithm>

#include "io/json.h"

namespace bertprep {

std::vector<FieldValue> read_config_file(const std::filesystem::path& path) {
  const Json json = read_json(path);
  if (json.kind() != Json::Kind::Object) throw FormatError("is not a JSON object", path);
  std::vector<FieldValue> values;
  for (const auto& [name, value] : json.members()) {
    const Json::Kind kind = value.kind();
    if (kind == Json::Kind::Array || kind == Json::Kind::Object || kind == Json::Kind::Null) {
      throw FormatError("'" + name + "' is not a number, a string or true/false", path);
    }
    if (std::ranges::find(values, name, &FieldValue::name) != values.end()) {
      throw FormatError("'" + name + "' is given twice", path, "leave one of them out");
    }
    values.push_back({name, value.text(), kind == Json::Kind::String});
  }
  return values;
}

std::string config_file_text(std::span<const FieldValue> values) {
  Json json = Json::object();
  for (const FieldValue& field : values) {
    if (field.value == "true" || field.value == "false") {
      json.add(field.name, field.value == "true");
    } else {
      json.add(field.name, field.is_string ? field.value : Json::number_text(field.value));
    }
  }
  return json.dump();
}

}  // namespace bertprep
