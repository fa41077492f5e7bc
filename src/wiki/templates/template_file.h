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
