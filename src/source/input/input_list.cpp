#include "source/input/input_list.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include "bertprep/base/error.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/state_folder.h"
#include "source/input/foreign_format.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr std::array<std::string_view, 8> kArchiveEndings = {".zip", ".7z",  ".tar",  ".tgz",
                                                             ".tbz", ".txz", ".tbz2", ".tzst"};

// Of the words of a data set, not of its text. "README_zh.md", "LICENSE", "sha256sums.txt".
bool is_companion(std::string_view path) {
  constexpr std::array<std::string_view, 4> kAnyText = {"readme", "license", "licence", "copying"};
  constexpr std::array<std::string_view, 8> kWhole = {"md5sums",  "sha1sums",  "sha256sums",       "sha512sums",
                                                      "_success", "_metadata", "_common_metadata", "checksums"};
  constexpr std::array<std::string_view, 6> kFiles = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json",
                                                      "state.json",        "citation.cff",       "citation.bib"};
  constexpr std::array<std::string_view, 9> kEndings = {".md5", ".sha1", ".sha256", ".sha512", ".asc",
                                                        ".sig", "-wal",  "-shm",    "-journal"};
  const std::string name = ascii_lower(last_part_of(path));
  const std::string_view stem = std::string_view(name).substr(0, name.find_first_of(".-_", 1));
  const std::string_view whole = std::string_view(name).substr(0, name.find('.'));
  const auto is_in = [](const auto& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
  };
  return is_in(kAnyText, stem) || is_in(kWhole, whole) || is_in(kFiles, name) ||
         name.find("-multistream-index") != std::string::npos ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](auto ending) { return name.ends_with(ending); });
}

namespace fs = std::filesystem;

class FolderWalk {
 public:
  FolderWalk(const fs::path& folder, const NameChoice& choice, Input& input)
      : folder_(folder), choice_(choice), input_(input) {
    try {
      walk(folder);
    } catch (const fs::filesystem_error& error) {
      throw IoError::from_errno("can't be listed", error.path1(), error.code().value());
    }
    std::sort(input.files.begin(), input.files.end(),
              [](const auto& a, const auto& b) { return a.native() < b.native(); });
    std::sort(input.left_out.begin(), input.left_out.end(),
              [](const RecordRemark& a, const RecordRemark& b) { return a.where < b.where; });
  }

 private:
  void walk(const fs::path& folder) {
    above_.push_back(fs::canonical(folder));
    for (const auto& entry : list_folder(folder)) visit(entry);
    above_.pop_back();
  }

  void visit(const fs::directory_entry& entry) {
    std::error_code error;
    const fs::file_status status = entry.status(error);
    if (folder_of_state(entry.path())) return;  // of the program itself
    if (is_hidden(entry.path())) return leave_out(entry, "left out because it is hidden");
    if (status.type() == fs::file_type::not_found || error == std::errc::too_many_symbolic_link_levels) {
      return leave_out(entry, "left out because it is a broken link");
    }
    if (error) throw fs::filesystem_error("", entry.path(), error);
    if (fs::is_directory(status)) return look_into(entry);
    if (!fs::is_regular_file(status)) return leave_out(entry, "left out because it is not a regular file");
    const std::string path = entry.path().lexically_relative(folder_).native();
    if (const auto reason = why_left_out(path, choice_)) return leave_out(entry, *reason);
    input_.files.push_back(entry.path());
  }

  // A link to a folder that contains it would never end.
  void look_into(const fs::directory_entry& entry) {
    const bool is_circle = std::find(above_.begin(), above_.end(), fs::canonical(entry.path())) != above_.end();
    if (is_circle) return leave_out(entry, "left out because it links to a folder above it");
    walk(entry.path());
  }

  void leave_out(const fs::directory_entry& entry, const std::string& reason) {
    input_.left_out.push_back({entry.path().native(), reason});
  }

  const fs::path& folder_;
  const NameChoice& choice_;
  Input& input_;
  std::vector<fs::path> above_;  // the real paths of the enclosing folders
};

std::string wanted_files(const NameChoice& choice) {
  return choice.include.empty() ? "files" : "files that match `include` " + choice.include;
}

Input list_input(const fs::path& given, const NameChoice& choice) {
  std::error_code error;
  const auto status = fs::status(given, error);
  if (!fs::exists(status)) throw IoError::from_errno("can't be found", given, error ? error.value() : ENOENT);
  Input input{.given = given, .is_folder = fs::is_directory(status), .files = {}, .choice = choice};
  if (!input.is_folder) {
    input.files.push_back(given);
    return input;
  }
  FolderWalk(given, choice, input);
  if (input.files.empty() && !choice.ending.empty()) {
    input.choice.ending.clear();
    input.left_out.clear();
    FolderWalk(given, input.choice, input);
  }
  if (!input.files.empty()) return input;
  std::string others = "hidden files are not read";
  if (!input.left_out.empty()) others = input.left_out.front().where + " is " + input.left_out.front().text;
  throw IoError("the folder contains no " + wanted_files(choice), given, others);
}

}  // namespace

bool is_archive_name(std::string_view name) {
  return std::any_of(kArchiveEndings.begin(), kArchiveEndings.end(),
                     [&](std::string_view ending) { return ends_in_any_case(name, ending); });
}

std::optional<std::string> why_left_out(std::string_view path, const NameChoice& choice) {
  const std::string_view bare = without_compression_ending(path);
  const auto fits = [&](const std::string& patterns) {
    return matches_any(path, patterns) || matches_any(bare, patterns);
  };
  if (fits(choice.exclude)) return "left out by `exclude`";
  if (is_archive_name(bare)) return std::nullopt;
  if (!choice.include.empty()) {
    return fits(choice.include) ? std::nullopt : std::optional<std::string>("left out because it matches no `include`");
  }
  if (is_companion(path)) return "left out because its name is not that of data (`include` reads it)";
  if (const auto document = document_by_name(bare)) {
    return "left out because it is " + document->what + ": " + document->hint;
  }
  if (choice.ending.empty() || ends_in_any_case(bare, choice.ending)) return std::nullopt;
  return "left out because its name does not end in " + choice.ending + " (`include` reads others)";
}

std::string_view last_part_of(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::string_view stem_of(std::string_view path) {
  const std::string_view name = without_compression_ending(last_part_of(path));
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

void refuse_pipes(std::span<const fs::path> inputs) {
  for (const fs::path& input : inputs) {
    std::error_code error;
    const auto status = fs::status(input, error);
    if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) continue;
    if (fs::is_fifo(status)) {
      throw IoError("is a pipe, and the input is read more than once", input,
                    "pipe it to standard input and give '-', or write it to a file");
    }
    throw IoError("is neither a file nor a folder", input, "name a file or a folder with text");
  }
}

std::vector<Input> list_inputs(std::span<const fs::path> inputs, const NameChoice& choice) {
  if (inputs.empty()) throw ConfigError("no input is given", {}, "name files or folders");
  std::vector<Input> list;
  for (const auto& given : inputs) list.push_back(list_input(given, choice));
  return list;
}

}  // namespace bertprep
