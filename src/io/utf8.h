// UTF-8 validation with the place of the first fault.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// Byte offset of the first byte that does not belong to a well-formed sequence (overlong forms, surrogates
// and values above U+10FFFF are faults, as in Python's strict decoder), or nothing when all of `bytes` is
// valid.
std::optional<std::size_t> find_invalid_utf8(std::string_view bytes);

// Throws FormatError "FILE:LINE: invalid UTF-8 at byte OFFSET" when `bytes` is not valid. `first_line` and
// `first_byte` tell where `bytes` starts in the file (lines from 1, bytes from 0).
void require_valid_utf8(std::string_view bytes, const std::string& file, std::size_t first_line = 1,
                        std::size_t first_byte = 0);

}  // namespace bertprep
