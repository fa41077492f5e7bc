#include "io/json.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

const char* name_of(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::Null:
      return "null";
    case Json::Kind::Bool:
      return "true or false";
    case Json::Kind::Number:
      return "a number";
    case Json::Kind::String:
      return "a string";
    case Json::Kind::Array:
      return "an array";
    case Json::Kind::Object:
      return "an object";
  }
  return "nothing";
}

void require(bool fits, const char* wanted, Json::Kind found) {
  if (!fits) throw FormatError(std::string("JSON holds ") + name_of(found) + " where " + wanted + " is expected");
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool take_digits(std::string_view& text) {
  constexpr std::string_view kDigits = "0123456789";
  if (!take(text, kDigits)) return false;
  while (take(text, kDigits)) {
  }
  return true;
}

constexpr std::string_view kMember = "document_sha256";
constexpr std::size_t kDigits = 64;
constexpr std::string_view kEnd = "\"\n}\n";

std::string unsealed(std::string_view bytes) {
  std::string zeroed(bytes);
  zeroed.replace(bytes.size() - kEnd.size() - kDigits, kDigits, kDigits, '0');
  return zeroed;
}

}  // namespace

Json Json::boolean(bool value) {
  Json json;
  json.kind_ = Kind::Bool;
  json.text_ = value ? "true" : "false";
  return json;
}

Json Json::number(std::uint64_t value) {
  return number_text(std::to_string(value));
}

Json Json::real(double value) {
  return std::isfinite(value) ? number_text(shortest_decimal(value)) : string(std::to_string(value));
}

Json Json::number_text(std::string text) {
  if (!is_json_number(text)) throw FormatError("'" + text + "' is not a JSON number");
  Json json;
  json.kind_ = Kind::Number;
  json.text_ = std::move(text);
  return json;
}

Json Json::string(std::string text) {
  Json json;
  json.kind_ = Kind::String;
  json.text_ = std::move(text);
  return json;
}

Json Json::array() {
  Json json;
  json.kind_ = Kind::Array;
  return json;
}

Json Json::object() {
  Json json;
  json.kind_ = Kind::Object;
  return json;
}

const std::string& Json::text() const {
  require(kind_ == Kind::String || kind_ == Kind::Number || kind_ == Kind::Bool, "a string", kind_);
  return text_;
}

std::uint64_t Json::as_unsigned() const {
  require(kind_ == Kind::Number, "a number", kind_);
  if (const auto value = number_in<std::uint64_t>(text_)) return *value;
  throw FormatError("JSON number " + text_ + " is not a whole number from 0 to 18446744073709551615");
}

bool Json::as_bool() const {
  require(kind_ == Kind::Bool, "true or false", kind_);
  return text_ == "true";
}

const std::vector<Json>& Json::items() const {
  require(kind_ == Kind::Array, "an array", kind_);
  return items_;
}

const Json::Members& Json::members() const {
  require(kind_ == Kind::Object, "an object", kind_);
  return members_;
}

const Json* Json::find(std::string_view key) const {
  const auto& all = members();
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const auto& member) { return member.first == key; });
  return found == all.rend() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  const Json* value = find(key);
  if (value == nullptr) throw FormatError("JSON object has no \"" + std::string(key) + "\"");
  return *value;
}

Json& Json::add(std::string key, Json value) {
  require(kind_ == Kind::Object, "an object", kind_);
  members_.emplace_back(std::move(key), std::move(value));
  return *this;
}

Json& Json::push(Json value) {
  require(kind_ == Kind::Array, "an array", kind_);
  items_.push_back(std::move(value));
  return *this;
}

bool is_json_number(std::string_view text) {
  take(text, "-");
  if (!take(text, "0") && !take_digits(text)) return false;
  if (take(text, ".") && !take_digits(text)) return false;
  if (take(text, "eE")) {
    take(text, "+-");
    if (!take_digits(text)) return false;
  }
  return text.empty();
}

Json read_json(const std::filesystem::path& file) {
  return Json::parse(read_file(file), file.string());
}

Json read_sealed(const std::filesystem::path& file) {
  return parse_sealed(read_file(file), file.string());
}

Json json_of(const ReasonCounts& counts) {
  Json object = Json::object();
  for (const auto& [reason, times] : counts.by_reason()) object.add(reason, Json::number(times));
  return object;
}

ReasonCounts reasons_in(const Json& object, std::string_view key) {
  ReasonCounts reasons;
  const Json* counts = object.find(key);
  if (counts == nullptr) return reasons;
  for (const auto& [reason, times] : counts->members()) reasons.add(reason, times.as_unsigned());
  return reasons;
}

std::string seal(Json object) {
  object.add(std::string(kMember), Json::string(std::string(kDigits, '0')));
  std::string bytes = object.dump();
  const std::string digest = sha256_of(bytes);
  bytes.replace(bytes.size() - kEnd.size() - kDigits, kDigits, digest);
  return bytes;
}

Json parse_sealed(std::string_view bytes, const std::string& name) {
  const std::size_t end = kEnd.size() + kDigits;
  const bool is_complete = bytes.size() > end && bytes.ends_with(kEnd);
  if (!is_complete || bytes.substr(bytes.size() - end, kDigits) != sha256_of(unsealed(bytes))) {
    throw FormatError("is damaged: its bytes differ from those that were written", name);
  }
  Json json = Json::parse(bytes, name);
  json.at(kMember);
  return json;
}

}  // namespace bertprep
