#include "support/json_lines.h"

#include <charconv>
#include <stdexcept>

#include "support/golden_data.h"

namespace bertprep::test {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  JsonValue document() {
    JsonValue parsed = value();
    skip_blanks();
    if (!rest_.empty()) fail("end of the line");
    return parsed;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw std::runtime_error("JSON: expected " + expected + " before '" + std::string(rest_.substr(0, 20)) + "'");
  }

  void skip_blanks() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
  }

  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  char take() {
    if (rest_.empty()) fail("more");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  bool take_if(char c) {
    skip_blanks();
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take_if(c)) fail(std::string(1, c));
  }

  JsonValue value() {
    skip_blanks();
    JsonValue parsed;
    if (peek() == '"') {
      parsed.text = string();
    } else if (take_if('[')) {
      read_list(']', [&] { parsed.items.push_back(value()); });
    } else if (take_if('{')) {
      read_list('}', [&] { read_member(parsed); });
    } else {
      parsed.text = bare_word();
    }
    return parsed;
  }

  template <class ReadOne>
  void read_list(char close, ReadOne read_one) {
    if (take_if(close)) return;
    do read_one();
    while (take_if(','));
    expect(close);
  }

  void read_member(JsonValue& object) {
    skip_blanks();
    object.keys.push_back(string());
    expect(':');
    object.items.push_back(value());
  }

  std::string bare_word() {
    const std::size_t end = rest_.find_first_of(",]} \t\r\n");
    std::string word(rest_.substr(0, end));
    if (word.empty()) fail("a value");
    rest_.remove_prefix(word.size());
    return word;
  }

  std::string string() {
    if (take() != '"') fail("a string");
    std::string text;
    for (char c = take(); c != '"'; c = take()) {
      if (c == '\\') {
        append_escape(text);
      } else {
        text += c;
      }
    }
    return text;
  }

  void append_escape(std::string& text) {
    const char c = take();
    constexpr std::string_view kNames = "bfnrt", kMeanings = "\b\f\n\r\t";
    if (c == 'u') {
      append_code_point(text);
    } else if (const std::size_t name = kNames.find(c); name != std::string_view::npos) {
      text += kMeanings[name];
    } else {
      text += c;
    }
  }

  unsigned hex4() {
    unsigned unit = 0;
    const std::string_view digits = rest_.substr(0, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc{} || end != digits.data() + 4) fail("four hexadecimal digits");
    rest_.remove_prefix(4);
    return unit;
  }

  void append_code_point(std::string& text) {
    unsigned c = hex4();
    if (c >= 0xD800 && c < 0xDC00 && rest_.starts_with("\\u")) {
      rest_.remove_prefix(2);
      c = 0x10000 + (c - 0xD800) * 0x400 + (hex4() - 0xDC00);
    }
    append_utf8(c, text);
  }

  static void append_utf8(unsigned c, std::string& text) {
    if (c < 0x80) {
      text += static_cast<char>(c);
      return;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    const unsigned lead = more == 1 ? 0xC0 : more == 2 ? 0xE0 : 0xF0;
    text += static_cast<char>(lead | c >> 6 * more);
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
  }

  std::string_view rest_;
};

}  // namespace

const JsonValue& JsonValue::at(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return items[i];
  }
  throw std::runtime_error("JSON: no member " + std::string(key));
}

std::vector<std::string> JsonValue::texts() const {
  std::vector<std::string> texts;
  for (const JsonValue& item : items) texts.push_back(item.text);
  return texts;
}

std::vector<int> JsonValue::integers() const {
  std::vector<int> integers;
  for (const JsonValue& item : items) integers.push_back(std::stoi(item.text));
  return integers;
}

JsonValue parse_json(std::string_view line) {
  return Parser(line).document();
}

std::vector<JsonValue> read_json_lines(const std::filesystem::path& path) {
  std::vector<JsonValue> values;
  for (const std::string& line : read_lines(path)) values.push_back(parse_json(line));
  return values;
}

}  // namespace bertprep::test
