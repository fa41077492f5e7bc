// DumpTag: what the reference's reader sees of a line of a dump. It knows no XML, only the first tag of each line.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace bertprep {

struct DumpTag {
  std::string_view name;   // of letters, digits and _, with the slash of a closing tag: "page", "/page"
  std::size_t begin = 0;   // of its "<" in the line
  std::size_t close = 0;   // of its ">"
  std::string_view value;  // what follows it up to the next "<" or the end of the line, LF included
  bool is_closed = false;  // there is another tag behind the value
};

// The leftmost "<", perhaps "/", one or more word characters, with a ">" somewhere behind them.
std::optional<DumpTag> first_tag(std::string_view line);

}  // namespace bertprep
