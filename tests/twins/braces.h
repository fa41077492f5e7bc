// The plain twin of src/wiki's braces: the rules as documented, without regard to time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bertprep::test {

using PlainSpan = std::pair<std::size_t, std::size_t>;

// `smallest`: 2 for {{ }}, 3 for {{{ }}}, 0 for {{ }} and [[ ]], inside which | does not separate.
std::vector<PlainSpan> plain_brace_spans(std::string_view text, long smallest);
std::vector<std::string> plain_brace_parts(std::string_view text);

// Knows {{!}}, {{lc:x}} with ASCII and {{#if:a|b|c}}; all other calls become nothing.
std::string plain_expansion(std::string_view text);

}  // namespace bertprep::test
