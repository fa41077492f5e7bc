#include "source/encoding_hz.h"

namespace bertprep {

std::string euc_from_hz(std::string_view bytes) {
  std::string euc;
  euc.reserve(bytes.size());
  bool is_chinese = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::string_view two = bytes.substr(i, 2);
    if (two == "~{" || two == "~}" || two == "~\n") {
      is_chinese = two == "~{";
      ++i;
    } else if (!is_chinese && two == "~~") {
      euc += '~';
      ++i;
    } else {
      // A line ends what was begun in it.
      if (bytes[i] == '\n') is_chinese = false;
      euc += is_chinese && bytes[i] > ' ' ? static_cast<char>(bytes[i] | '\x80') : bytes[i];
    }
  }
  return euc;
}

}  // namespace bertprep
