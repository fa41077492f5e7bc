// The definitions of a dump's templates: their storage, and the file that they are kept in.
#pragma once

#include <filesystem>
#include <span>
#include <unordered_map>

#include "base/task_runner.h"
#include "unicode/properties/properties.h"
#include "wiki/dump/wiki_page.h"

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

// The template definitions of --templates: from their file, or from the dumps if it does not exist. Null if `file` is
// empty. A missing file is made atomically from the pages of templates and modules in `dumps`, but not if they are
// damaged; reading the articles reports the damage. Throws IoError and FormatError.
std::shared_ptr<const TemplateStore> load_templates(const std::filesystem::path& file,
                                                    std::span<const std::filesystem::path> dumps,
                                                    const TaskRunner& runner);

// Appends the page in the format of the file. `namespace_key`: its key, "10" or "828".
void append_template_page(const WikiPage& page, std::string_view namespace_key, std::string& out);

// Adds all definitions of a file. Throws FormatError with `file` and line if a page is truncated or there is other
// content.
void read_template_file(std::string_view bytes, const std::string& file, TemplateStore& store);

}  // namespace bertprep
