#include <simdjson.h>

#include <algorithm>
#include <new>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "io/json_number.h"
#include "io/utf8.h"

namespace bertprep {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr int kMaxDepth = 200;

std::string_view trimmed(std::string_view token) {
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

// simdjson looks at a literal or number only when asked for its value, which would lose the text of the
// number.
Json read_scalar(ondemand::value value) {
  const std::string_view token = trimmed(value.raw_json_token());
  if (token == "null") return {};
  if (token == "true" || token == "false") return Json::boolean(token == "true");
  return Json::number_text(std::string(token));
}

Json read_value(ondemand::value value, int depth) {
  if (depth > kMaxDepth) {
    throw FormatError("JSON is nested deeper than " + std::to_string(kMaxDepth) + " levels");
  }
  switch (value.type().value()) {
    case ondemand::json_type::array: {
      Json json = Json::array();
      for (auto item : value.get_array()) json.push(read_value(item.value(), depth + 1));
      return json;
    }
    case ondemand::json_type::object: {
      Json json = Json::object();
      for (auto field : value.get_object()) {
        std::string key(field.unescaped_key().value());
        json.add(std::move(key), read_value(field.value(), depth + 1));
      }
      return json;
    }
    case ondemand::json_type::string:
      return Json::string(std::string(value.get_string().value()));
    default:
      return read_scalar(value);
  }
}

// `document` is the text between brackets: then a scalar at the root is read like any other.
Json read_only_item(ondemand::document& document) {
  Json json;
  std::size_t count = 0;
  for (auto item : document.get_array()) {
    json = read_value(item.value(), 0);
    if (++count > 1) break;
  }
  if (count == 0) throw FormatError("JSON is empty");
  const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  if (count > 1 || !at_end) throw FormatError("more follows the JSON value");
  return json;
}

// simdjson's place is a pointer into the text, or past it at the end.
std::string place(const std::string& name, const char* fault, std::string_view text) {
  if (name.empty() || fault < text.data() || fault > text.data() + text.size()) return name;
  return name + ":" + std::to_string(std::count(text.data(), fault, '\n') + 1);
}

Json read_document(ondemand::document& document, const std::string& name, std::string_view text) {
  const auto fault = [&]() {
    const char* location = nullptr;
    return document.current_location().get(location) == simdjson::SUCCESS ? location : nullptr;
  };
  try {
    return read_only_item(document);
  } catch (const simdjson::simdjson_error& error) {
    throw FormatError(std::string("JSON can't be read: ") + error.what(), place(name, fault(), text));
  } catch (const FormatError& error) {
    throw FormatError(error.what(), place(name, fault(), text));
  }
}

}  // namespace

Json Json::parse(std::string_view bytes, const std::string& name) {
  require_valid_utf8(bytes, name);
  const simdjson::padded_string text(std::string("[").append(bytes).append("\n]"));
  // simdjson's own way to say so.
  if (text.data() == nullptr) throw std::bad_alloc();
  ondemand::parser parser;
  ondemand::document document;
  const auto error = parser.iterate(text).get(document);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error) throw FormatError(std::string("JSON can't be read: ") + simdjson::error_message(error), name);
  return read_document(document, name, text);
}

LibraryVersion version_of_simdjson() {
  const std::string version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                              std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                              std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
  return {"simdjson", version, version};
}

}  // namespace bertprep
