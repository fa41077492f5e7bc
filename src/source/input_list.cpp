#include "source/input_list.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "bertprep/base/error.h"
#include "source/input_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

// Walks one folder; `above` are the real paths of the folders it lies in, so that a link to one of them ends
// the walk.
void walk(const fs::path& folder, std::string_view ending, std::vector<fs::path>& above, std::vector<fs::path>& files) {
  above.push_back(fs::canonical(folder));
  if (std::find(above.begin(), above.end() - 1, above.back()) != above.end() - 1) {
    throw IoError::from_errno("links to a folder above it", folder, ELOOP);
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (is_hidden(entry.path())) continue;
    if (!entry.exists()) throw IoError::from_errno("links to nothing", entry.path(), ENOENT);
    if (entry.is_directory()) {
      walk(entry.path(), ending, above, files);
    } else if (entry.is_regular_file() && is_wanted(entry.path().filename().native(), ending)) {
      files.push_back(entry.path());
    }
  }
  above.pop_back();
}

std::vector<fs::path> files_below(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  std::vector<fs::path> above;
  try {
    walk(folder, ending, above, files);
  } catch (const fs::filesystem_error& error) {
    throw IoError::from_errno("can't be listed", error.path1(), error.code().value());
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.native() < b.native(); });
  return files;
}

Input list_input(const fs::path& given, std::string_view ending) {
  std::error_code error;
  const auto status = fs::status(given, error);
  if (!fs::exists(status)) throw IoError::from_errno("can't be found", given, error ? error.value() : ENOENT);
  if (!fs::is_directory(status)) return {given, false, {given}, std::string(ending)};
  Input input{given, true, files_below(given, ending), std::string(ending)};
  if (input.files.empty()) {
    throw IoError("the folder holds no " + (ending.empty() ? "" : "*" + std::string(ending) + " ") + "files", given,
                  "hidden files are not read");
  }
  return input;
}

}  // namespace

std::vector<Input> list_inputs(std::span<const fs::path> inputs, std::string_view ending) {
  if (inputs.empty()) throw ConfigError("no input is given", {}, "name files or folders");
  std::vector<Input> list;
  for (const auto& given : inputs) list.push_back(list_input(given, ending));
  return list;
}

}  // namespace bertprep
