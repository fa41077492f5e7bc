#include <cstddef>

#include "io/json.h"
#include "io/utf8.h"

namespace bertprep {
namespace {

void append_escaped(char c, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  const std::size_t named = kNamed.find(c);
  if (named != std::string_view::npos) {
    out += '\\';
    out += kLetters[named];
  } else if (static_cast<unsigned char>(c) < 0x20) {
    out += "\\u00";
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
  } else {
    out += c;
  }
}

void append_string(std::string_view text, std::string& out) {
  out += '"';
  while (true) {
    const std::size_t valid = find_invalid_utf8(text).value_or(text.size());
    for (const char c : text.substr(0, valid)) append_escaped(c, out);
    if (valid == text.size()) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(valid + 1);
  }
  out += '"';
}

// Writes values one by one; `indented_` decides what stands between them.
class Dumper {
 public:
  Dumper(bool indented, std::string& out) : indented_(indented), out_(out) {}

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
        append_string(json.text(), out_);
        return;
      case Json::Kind::Array:
        list('[', ']', json.items(), [this](const Json& item) { value(item); });
        return;
      case Json::Kind::Object:
        list('{', '}', json.members(), [this](const auto& member) {
          append_string(member.first, out_);
          out_ += indented_ ? ": " : ":";
          value(member.second);
        });
        return;
    }
  }

 private:
  void new_line() {
    if (indented_) out_.append(1, '\n').append(depth_ * 2, ' ');
  }

  template <class Items, class Write>
  void list(char open, char close, const Items& items, Write write) {
    out_ += open;
    ++depth_;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ',';
      first = false;
      new_line();
      write(item);
    }
    --depth_;
    if (!items.empty()) new_line();
    out_ += close;
  }

  bool indented_;
  std::string& out_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string Json::dump() const {
  std::string out;
  Dumper(true, out).value(*this);
  return out += '\n';
}

std::string Json::dump_line() const {
  std::string out;
  Dumper(false, out).value(*this);
  return out;
}

}  // namespace bertprep
