#include "wiki/clean/chars.h"

namespace bertprep::clean {
namespace {

// Scripts in which capitals stand at a fixed distance from, or in pairs with, small letters.
std::uint32_t lower_code(std::uint32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
  if (code >= 0xC0 && code <= 0xDE && code != 0xD7) return code + 32;
  if (code == 0x130) return 'i';
  if (code >= 0x100 && code <= 0x137) return code | 1;
  if (code >= 0x139 && code <= 0x148) return (code & 1) != 0 ? code + 1 : code;
  if (code >= 0x14A && code <= 0x177) return code | 1;
  if (code >= 0x179 && code <= 0x17E) return (code & 1) != 0 ? code + 1 : code;
  if (code >= 0x391 && code <= 0x3A9) return code + 32;
  if (code >= 0x400 && code <= 0x40F) return code + 80;
  if (code >= 0x410 && code <= 0x42F) return code + 32;
  if (code >= 0x460 && code <= 0x52F && !(code >= 0x482 && code <= 0x48A) && !(code >= 0x4C0 && code <= 0x4CF)) {
    return code | 1;
  }
  return code;
}

}  // namespace

std::string_view trim_left(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trim(std::string_view text) {
  return trim_right(trim_left(text));
}

bool starts_with_word(std::string_view text, std::string_view lower_word) {
  if (text.size() < lower_word.size()) return false;
  for (std::size_t i = 0; i < lower_word.size(); ++i) {
    if (lower(text[i]) != lower_word[i]) return false;
  }
  return true;
}

bool same_word(std::string_view text, std::string_view lower_word) {
  return text.size() == lower_word.size() && starts_with_word(text, lower_word);
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::uint32_t next_code(std::string_view text, std::size_t& index) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const std::uint32_t first = byte(index++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : -1;
  if (more < 0) return 0xFFFD;
  std::uint32_t code = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    if (index >= text.size() || (byte(index) & 0xC0) != 0x80) return 0xFFFD;
    code = code << 6 | (byte(index++) & 0x3F);
  }
  return code;
}

std::string normal_name(std::string_view text) {
  std::string name;
  text = trim(text);
  for (std::size_t i = 0; i < text.size();) {
    const std::uint32_t code = next_code(text, i);
    if (code == '_' || code == 0xA0 || code <= ' ') {
      if (!name.empty() && name.back() != ' ') name.push_back(' ');
    } else if (code != 0x200E && code != 0x200F) {
      append_utf8(name, lower_code(code));
    }
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::string out;
  std::size_t begin = 0;
  for (; found != std::string::npos; found = text.find(from, begin)) {
    out.append(text, begin, found - begin).append(to);
    begin = found + from.size();
  }
  text = out.append(text, begin);
}

}  // namespace bertprep::clean
