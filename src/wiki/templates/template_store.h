// Definitions of templates, and their storage.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "unicode/properties/properties.h"

namespace bertprep {

// The text to which a call of a template expands. `text` is the page's text as in the XML. It is unescaped once, loses
// its comments and <noinclude> parts, and is reduced to its <onlyinclude> parts if it has any.
std::string template_definition(std::string_view text, const unicode::WordCharacters& words);

// Const calls are thread-safe.
class TemplateStore {
 public:
  // Adds a page of the namespaces of templates (10) and modules (828), as in the XML. A later page with the same title
  // replaces an earlier one; a page without included parts defines nothing.
  void define(std::string_view title, std::string_view text);

  // `title` with its namespace, as in the XML. Null if there is no such definition.
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
