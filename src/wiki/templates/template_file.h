// The templates of a dump, collected and kept in a file.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/task_runner.h"
#include "wiki/dump/wiki_page.h"
#include "wiki/templates/template_store.h"

namespace bertprep {

// The template definitions that --templates names: from their file, or from the dumps where there is none yet. Null
// when `file` is empty. A file that does not exist is made, whole or not at all, from the pages of templates and
// modules in `dumps`. Of damaged dumps it is not made; the damage is left to the reading of the articles. Throws
// IoError and FormatError.
std::shared_ptr<const TemplateStore> load_templates(const std::filesystem::path& file,
                                                    std::span<const std::filesystem::path> dumps,
                                                    const TaskRunner& runner);

// Appends the page as it stands in the file. `name_space`: its key, "10" or "828".
void append_template_page(const WikiPage& page, std::string_view name_space, std::string& out);

// Defines what a whole file holds. Throws FormatError with `file` and the line where a page is cut short or holds
// something else.
void read_template_file(std::string_view bytes, const std::string& file, TemplateStore& store);

}  // namespace bertprep
