// The template definitions that --templates names: from their file, or from the dumps where there is none yet.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "bertprep/base/task_runner.h"

namespace bertprep {

class TemplateStore;

// Null when `file` is empty. A file that does not exist is made, whole or not at all, from the pages of templates and
// modules in `dumps`. Of damaged dumps it is not made; the damage is left to the reading of the articles. Throws
// IoError and FormatError.
std::shared_ptr<const TemplateStore> load_templates(const std::filesystem::path& file,
                                                    std::span<const std::filesystem::path> dumps,
                                                    const TaskRunner& runner);

}  // namespace bertprep
