// XmlHead: what the first tag of a text says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

struct XmlHead {
  std::string format;  // "mediawiki", "wikiextractor", or empty for other XML and HTML
  std::string root;    // the name of the first element; may be empty
  bool is_html = false;
};

// Of a text that does not begin with blanks. Nothing where it begins as neither XML nor HTML does.
std::optional<XmlHead> xml_head_of(std::string_view text);

}  // namespace bertprep
