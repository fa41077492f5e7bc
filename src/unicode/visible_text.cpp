#include "unicode/visible_text.h"

#include "unicode/utf8_text.h"

namespace bertprep {

std::string visible_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string shown;
  const auto escape = [&](unsigned char byte) {
    shown += "\\x";
    shown += kDigits[byte >> 4U];
    shown += kDigits[byte & 0xFU];
  };
  while (!bytes.empty()) {
    const std::string_view valid = bytes.substr(0, find_invalid_utf8(bytes).value_or(bytes.size()));
    for (std::size_t i = 0; i < valid.size(); ++i) {
      const auto byte = static_cast<unsigned char>(valid[i]);
      const bool is_c1 = byte == 0xC2 && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
      if (byte == '\r') {
        shown += "\\r";
      } else if (is_c1) {
        escape(byte);
        escape(static_cast<unsigned char>(valid[++i]));
      } else if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7F) {
        escape(byte);
      } else {
        shown += valid[i];
      }
    }
    bytes.remove_prefix(valid.size());
    if (bytes.empty()) break;
    escape(static_cast<unsigned char>(bytes.front()));
    bytes.remove_prefix(1);
  }
  return shown;
}

}  // namespace bertprep
