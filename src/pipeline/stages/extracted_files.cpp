#include "pipeline/stages/extracted_files.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLetters = 26;
constexpr std::size_t kFilesOfFolder = 100;
constexpr std::string_view kPrefix = "wiki_";

std::string file_name(std::size_t number) {
  const std::size_t folder = number / kFilesOfFolder;
  const std::size_t file = number % kFilesOfFolder;
  std::string name{static_cast<char>('A' + folder / kLetters), static_cast<char>('A' + folder % kLetters), '/'};
  name += kPrefix;
  name += static_cast<char>('0' + file / 10);
  name += static_cast<char>('0' + file % 10);
  return name;
}

bool is_folder_name(std::string_view name) {
  return name.size() == 2 && std::all_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// A user's note or copy in the folder is not ours.
bool is_file_name(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  return name.size() == 2 && is_ascii_digits(name);
}

}  // namespace

ExtractedFiles::ExtractedFiles(const OutputFolder& folder, std::uint64_t max_bytes)
    : folder_(folder), max_bytes_(max_bytes) {
  begin();
}

ExtractedFiles::Place ExtractedFiles::write(std::string_view doc) {
  if (file_->size_bytes() + doc.size() > max_bytes_) {
    finish();
    begin();
  }
  const Place place{name_, file_->size_bytes()};
  file_->write(doc);
  digest_->update(doc);
  bytes_ += doc.size();
  return place;
}

void ExtractedFiles::begin() {
  if (number_ == kLetters * kLetters * kFilesOfFolder) {
    throw FormatError("there are no more names for files after ZZ/wiki_99", folder_.path(), "give larger `bytes`");
  }
  name_ = file_name(number_++);
  const fs::path folder = (folder_.path() / name_).parent_path();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("the folder can't be created", folder, error.value());
  pending_.emplace(folder_.begin(name_));
  file_ = std::make_unique<OutputFile>(pending_->path());
  digest_.emplace();
}

void ExtractedFiles::finish() {
  file_->finish();
  entries_.push_back({name_, file_->size_bytes(), digest_->finish()});
  pending_->publish();
  pending_.reset();
}

std::set<std::string> extracted_names(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& below : list_folder(folder)) {
    const std::string part = below.path().filename();
    if (!below.is_directory() || !is_folder_name(part)) continue;
    for (const auto& file : list_folder(below.path())) {
      const std::string name = file.path().filename();
      if (is_file_name(name)) names.insert(part + "/" + name);
    }
  }
  return names;
}

}  // namespace bertprep
