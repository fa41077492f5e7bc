// Tags of wikitext: <name attributes>, what they are good for, and where they end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bertprep::clean {

enum class TagKind {
  kUnknown,
  kInline,        // vanishes, its content stays
  kBlock,         // so, and separates paragraphs
  kHeading,       // <h2>
  kItem,          // <li>
  kBreak,         // <br>
  kRaise,         // <sup>
  kTable,         // <table>
  kRemoved,       // vanishes with its content
  kRemovedBlock,  // so, and separates paragraphs
  kRef,           // so, and is often left open
  kNowiki,
  kFormula,
};

struct Tag {
  std::string name;  // small letters
  std::string_view attributes;
  std::size_t end = 0;  // past the '>'
  bool closing = false;
  bool empty = false;  // <name/>
  TagKind kind = TagKind::kUnknown;
};

// Reads the tag that begins with the `<` at `at`. False: no tag. A `/` or `>` in quoted attributes does not end it; the
// next `<` does. A tag of a known name that lost its `>` ends behind what look like attributes in its line.
bool read_tag(std::string_view text, std::size_t at, Tag& tag);

}  // namespace bertprep::clean
