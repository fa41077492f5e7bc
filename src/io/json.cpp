#include "io/json.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace ondemand = simdjson::ondemand;

// In the order of Kind.
constexpr const char* kKindNames[] = {"null", "true or false", "a number", "a string", "an array", "an object"};

void require(bool fits, const char* wanted, Json::Kind found) {
  if (fits) return;
  const std::string found_name = kKindNames[static_cast<std::size_t>(found)];
  throw FormatError("JSON holds " + found_name + " where " + wanted + " is expected");
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

void append_code_unit(std::uint32_t unit, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> static_cast<unsigned>(shift) & 15U];
}

// `c` needs it.
void append_escaped(char c, std::string& out) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  const std::size_t named = kNamed.find(c);
  if (named == std::string_view::npos) return append_code_unit(static_cast<unsigned char>(c), out);
  out += {'\\', kLetters[named]};
}

bool needs_escape(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

void append_utf8(std::string_view text, std::string& out) {
  for (auto at = text.begin();; ++at) {
    const auto plain_end = std::find_if(at, text.end(), needs_escape);
    out.append(at, plain_end);
    if (plain_end == text.end()) return;
    at = plain_end;
    append_escaped(*at, out);
  }
}

void append_ascii(std::string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size();) {
    const char* next = text.data() + at;
    const char32_t c = unicode::next_code_point(next);
    at = static_cast<std::size_t>(next - text.data());
    if (c < 0x80) {
      const char byte = static_cast<char>(c);
      if (needs_escape(byte)) {
        append_escaped(byte, out);
      } else {
        out += byte;
      }
    } else if (c < 0x10000) {
      append_code_unit(c, out);
    } else {
      append_code_unit(0xD7C0U + (c >> 10U), out);
      append_code_unit(0xDC00U + (c & 0x3FFU), out);
    }
  }
}

// `append` takes valid text; an invalid byte is shown as U+FFFD.
void append_quoted(std::string_view text, void (*append)(std::string_view, std::string&), std::string& out) {
  out += '"';
  while (true) {
    const std::size_t valid = find_invalid_utf8(text).value_or(text.size());
    append(text.substr(0, valid), out);
    if (valid == text.size()) break;
    append("\xEF\xBF\xBD", out);
    text.remove_prefix(valid + 1);
  }
  out += '"';
}

enum class Style { kIndented, kLine, kPython };

// Writes values one by one; the style decides what separates them.
class Dumper {
 public:
  static std::string text(const Json& json, Style style) {
    std::string out;
    Dumper(style, out).value(json);
    return out;
  }

 private:
  Dumper(Style style, std::string& out) : style_(style), out_(out) {}

  void value(const Json& json) {
    switch (json.kind()) {
      case Json::Kind::Null:
        out_ += "null";
        return;
      case Json::Kind::Bool:
      case Json::Kind::Number:
        out_ += json.text();
        return;
      case Json::Kind::String:
        string(json.text());
        return;
      case Json::Kind::Array:
        list('[', ']', json.items(), [this](const Json& item) { value(item); });
        return;
      case Json::Kind::Object:
        list('{', '}', json.members(), [this](const auto& member) {
          string(member.first);
          out_ += style_ == Style::kLine ? ":" : ": ";
          value(member.second);
        });
        return;
    }
  }

  void string(std::string_view text) {
    append_quoted(text, style_ == Style::kPython ? append_ascii : append_utf8, out_);
  }

  void new_line() {
    if (style_ == Style::kIndented) out_.append(1, '\n').append(depth_ * 2, ' ');
  }

  template <class Items, class Write>
  void list(char open, char close, const Items& items, Write write) {
    out_ += open;
    ++depth_;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += style_ == Style::kPython ? ", " : ",";
      first = false;
      new_line();
      write(item);
    }
    --depth_;
    if (!items.empty()) new_line();
    out_ += close;
  }

  Style style_;
  std::string& out_;
  std::size_t depth_ = 0;
};

constexpr int kMaxDepth = 200;

// simdjson parses a literal or number only when asked for its value, which would lose the text of the number.
Json read_scalar(ondemand::value value) {
  const std::string_view token = trimmed(value.raw_json_token());
  if (token == "null") return {};
  if (token == "true" || token == "false") return token == "true";
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
      return value.get_string().value();
    default:
      return read_scalar(value);
  }
}

// `document` is the text in brackets, so that a scalar at the root is read like any other.
Json read_only_item(ondemand::document& document) {
  Json json;
  std::size_t count = 0;
  for (auto item : document.get_array()) {
    json = read_value(item.value(), 0);
    if (++count > 1) break;
  }
  if (count == 0) throw FormatError("JSON is empty");
  const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  if (count > 1 || !at_end) throw FormatError("more text follows the JSON value");
  return json;
}

// simdjson's position is a pointer into the text, or past it at the end.
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

Json Json::real(double value) {
  return std::isfinite(value) ? number_text(shortest_decimal(value)) : Json(std::to_string(value));
}

Json Json::number_text(std::string text) {
  if (!is_json_number(text)) throw FormatError("'" + text + "' is not a JSON number");
  Json json;
  json.kind_ = Kind::Number;
  json.text_ = std::move(text);
  return json;
}

Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.kind_ = Kind::Array;
  json.items_ = items;
  return json;
}

Json Json::object(std::initializer_list<Members::value_type> members) {
  Json json;
  json.kind_ = Kind::Object;
  json.members_ = members;
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

std::vector<std::string> texts_in(const Json& array) {
  std::vector<std::string> texts;
  for (const Json& item : array.items()) texts.push_back(item.text());
  return texts;
}

Json read_json(const std::filesystem::path& file) {
  return Json::parse(read_file(file), file.string());
}

Json read_sealed(const std::filesystem::path& file) {
  return parse_sealed(read_file(file), file.string());
}

Json json_of(const ReasonCounts& counts) {
  Json object = Json::object();
  for (const auto& [reason, times] : counts.by_reason()) object.add(reason, times);
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
  object.add(std::string(kMember), std::string(kDigits, '0'));
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

std::string Json::dump() const {
  return Dumper::text(*this, Style::kIndented) + "\n";
}

std::string Json::dump_line() const {
  return Dumper::text(*this, Style::kLine);
}

std::string Json::dump_python() const {
  return Dumper::text(*this, Style::kPython);
}

Json Json::parse(std::string_view bytes, const std::string& name) {
  require_valid_utf8(bytes, name);
  const simdjson::padded_string text(std::string("[").append(bytes).append("\n]"));
  // How simdjson reports lack of memory.
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

void append_json_string(std::string_view text, std::string& out) {
  append_quoted(text, append_utf8, out);
}

}  // namespace bertprep
