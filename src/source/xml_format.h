// What text that begins as XML or HTML is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// "mediawiki": a root <mediawiki>, or <page> where a dump was cut. "wikiextractor": <doc id=. Empty: something else.
// Nothing: `text`, without white space in front, begins as neither XML nor HTML.
std::optional<std::string> xml_format_of(std::string_view text);

}  // namespace bertprep
