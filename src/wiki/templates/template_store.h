// Definitions of templates, and where they are kept.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "unicode/properties/properties.h"

namespace bertprep {

// What a call of a template expands to. `text` is the page's text as it stands in the XML. It is unescaped once, loses
// its comments and <noinclude> parts, and is cut down to its <onlyinclude> parts where it has some.
std::string template_definition(std::string_view text, const unicode::WordCharacters& words);

// Const calls may be made from several threads.
class TemplateStore {
 public:
  // Takes a page of the namespaces of templates (10) and modules (828) as it stands in the XML. A later page of the
  // same title replaces an earlier one; a page of which nothing is included defines nothing.
  void define(std::string_view title, std::string_view text);

  // `title` with its namespace, as in the XML. Null when there is no such definition.
  const std::string* find(std::string_view title) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  unicode::WordCharacters words_;
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> definitions_;
};

}  // namespace bertprep
