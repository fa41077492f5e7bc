// What a link shows: a title, a label, or nothing.
#pragma once

#include "wiki/dump/wiki_page.h"

namespace bertprep::clean {

enum class LinkKind {
  kTitle,      // a page: its label, else its title
  kLabelOnly,  // a page about the wiki: its label, else nothing
  kNothing,    // a file, a category, the same article in another language
};

struct LinkTarget {
  LinkKind kind = LinkKind::kTitle;
  std::string shown;  // without a label
};

LinkTarget read_target(std::string_view target, const WikiSite& site);

// "Mercury" of "Mercury (planet)" and of "Boston, Massachusetts", as the empty label of [[Mercury (planet)|]] shows it.
std::string short_title(std::string_view title);

// "Name:Title" without a blank: in a line of its own a category, whatever that is called in the wiki.
bool looks_like_category(std::string_view target);

// "File:X.jpg|caption" of a gallery whose tags were lost, "Category:X]]".
bool is_file_line(std::string_view line);

}  // namespace bertprep::clean
