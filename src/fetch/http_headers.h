// The header lines of a response -> HttpReply.
#pragma once

#include <string_view>

#include "fetch/http_client.h"

namespace bertprep {

// Takes one line, with or without its end. A status line ("HTTP/1.1 206 ...") begins a new response. A value that is
// not what RFC 9110 says counts as absent.
void add_header_line(std::string_view line, HttpReply& reply);

}  // namespace bertprep
