// HZ: Chinese text as 7-bit characters (RFC 1843).
#pragma once

#include <string>
#include <string_view>

namespace bertprep {

// The bytes in EUC-CN (GB 2312), which converters know. ICU's own converter for HZ takes "~}~{" for an error.
std::string euc_from_hz(std::string_view bytes);

}  // namespace bertprep
