#include "source/jsonl_record.h"

#include <simdjson.h>

#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/io/strip.h"
#include "io/json.h"

namespace bertprep {
namespace {

namespace dom = simdjson::dom;

// simdjson's tree and ours behind the same names. Of equal keys the last counts, as in Python's json.
std::optional<dom::element> member(dom::element node, std::string_view key) {
  dom::object object;
  std::optional<dom::element> found;
  if (node.get(object) != simdjson::SUCCESS) return found;
  for (const auto field : object) {
    if (field.key == key) found = field.value;
  }
  return found;
}

std::optional<std::string_view> string_of(dom::element node) {
  std::string_view text;
  if (node.get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

bool is_object(dom::element node) {
  return node.is_object();
}

// A pointer to a Json where simdjson has an element, which is a pointer inside, too.
using Node = const Json*;

std::optional<Node> member(Node node, std::string_view key) {
  const Json* found = node->kind() == Json::Kind::Object ? node->find(key) : nullptr;
  return found == nullptr ? std::nullopt : std::optional<Node>(found);
}

std::optional<std::string_view> string_of(Node node) {
  if (node->kind() != Json::Kind::String) return std::nullopt;
  return node->text();
}

bool is_object(Node node) {
  return node->kind() == Json::Kind::Object;
}

template <class Tree>
std::optional<Tree> find_path(Tree node, std::string_view path) {
  if (const auto found = member(node, path)) return found;
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto child = member(node, path.substr(0, dot));
  return child ? find_path(*child, path.substr(dot + 1)) : std::nullopt;
}

// A page's number may be written as a number.
std::string id_of(dom::element node) {
  std::int64_t number = 0;
  if (node.get(number) == simdjson::SUCCESS) return std::to_string(number);
  return std::string(string_of(node).value_or(""));
}

std::string id_of(Node node) {
  const bool is_text = node->kind() == Json::Kind::String || node->kind() == Json::Kind::Number;
  return is_text ? node->text() : "";
}

template <class Tree>
void take_origin(Tree record, Document& document) {
  const auto title = member(record, "title");
  document.title = title ? string_of(*title).value_or("") : "";
  if (const auto id = member(record, "id")) document.origin.page_id = id_of(*id);
  if (const auto url = member(record, "url")) document.origin.url = string_of(*url).value_or("");
  if (const auto time = member(record, "timestamp")) document.origin.timestamp = string_of(*time).value_or("");
}

template <class Tree>
std::optional<std::string> take_document(Tree record, const std::string& text_field, Document& document) {
  if (!is_object(record)) return "not a JSON object";
  const auto field = find_path(record, text_field);
  if (!field) return "no field \"" + text_field + "\"";
  const auto text = string_of(*field);
  if (!text) return "field \"" + text_field + "\" is not a string";
  if (strip(*text).empty()) return "field \"" + text_field + "\" is empty";
  document.text = *text;
  take_origin(record, document);
  return std::nullopt;
}

// Numbers that fit no machine type are rare, and good JSON.
std::optional<std::string> read_with_any_number(std::string_view line, const std::string& text_field,
                                                Document& document) {
  try {
    const Json json = Json::parse(line, "");
    return take_document<Node>(&json, text_field, document);
  } catch (const FormatError& error) {
    return std::string("broken JSON: ") + error.what();
  }
}

}  // namespace

struct JsonlRecord::Parser {
  dom::parser dom;
};

JsonlRecord::JsonlRecord(std::string text_field)
    : text_field_(std::move(text_field)), parser_(std::make_unique<Parser>()) {}

JsonlRecord::~JsonlRecord() = default;

std::optional<std::string> JsonlRecord::read(std::string_view line, Document& document) {
  dom::element record;
  const auto error = parser_->dom.parse(line.data(), line.size(), true).get(record);
  if (error == simdjson::NUMBER_ERROR) return read_with_any_number(line, text_field_, document);
  if (error) return std::string("broken JSON: ") + simdjson::error_message(error);
  return take_document(record, text_field_, document);
}

}  // namespace bertprep
