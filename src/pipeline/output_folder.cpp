#include "pipeline/output_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/sha256.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError::from_errno("the folder can't be made", folder, error.value());
  if (!fs::is_directory(folder)) throw IoError::from_errno("is no folder", folder, ENOTDIR);
}

void require_writable(const fs::path& folder) {
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw IoError::from_errno("the folder can't be written", folder, errno);
  }
}

bool same_file_system(const fs::path& left, const fs::path& right) {
  struct stat a, b;
  return ::stat(left.c_str(), &a) == 0 && ::stat(right.c_str(), &b) == 0 && a.st_dev == b.st_dev;
}

fs::path choose_state_folder(const fs::path& folder) {
  const fs::path absolute = fs::canonical(folder);
  const fs::path parent = absolute.parent_path();
  const fs::path sibling = parent / ("." + absolute.filename().string() + ".bertprep");
  const bool beside = absolute.has_filename() && same_file_system(parent, absolute) &&
                      (fs::is_directory(sibling) || ::access(parent.c_str(), W_OK | X_OK) == 0);
  return beside ? sibling : absolute / ".bertprep";
}

Json to_json(const CompletionRecord& record) {
  Json outputs = Json::array();
  for (const OutputEntry& output : record.outputs) {
    outputs.push(Json::object()
                     .add("name", Json::string(output.name))
                     .add("bytes", Json::number(output.size_bytes))
                     .add("sha256", Json::string(output.sha256)));
  }
  return Json::object()
      .add("key", Json::string(record.key))
      .add("outputs", std::move(outputs))
      .add("recipe", record.recipe)
      .add("counts", record.counts);
}

CompletionRecord from_json(const Json& json) {
  CompletionRecord record;
  record.key = json.at("key").text();
  for (const Json& output : json.at("outputs").items()) {
    record.outputs.push_back({output.at("name").text(), output.at("bytes").as_unsigned(), output.at("sha256").text()});
  }
  record.recipe = json.at("recipe");
  record.counts = json.at("counts");
  return record;
}

// DATASET_training_I or DATASET_test_I, and `extension`. Files of a dataset whose name begins alike are none.
bool is_shard_name(std::string_view name, std::string_view dataset, std::string_view extension) {
  if (!name.starts_with(dataset) || !name.ends_with(extension)) return false;
  name.remove_prefix(dataset.size());
  name.remove_suffix(std::min(extension.size(), name.size()));
  for (const std::string_view kind : {"_training_", "_test_"}) {
    if (!name.starts_with(kind)) continue;
    const std::string_view number = name.substr(kind.size());
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  }
  return false;
}

// "X_2" before "X_10": the text before the last number, then the number.
bool before_by_number(const std::string& left, const std::string& right) {
  const auto key = [](const std::string& text) {
    const std::size_t stem = text.find_last_not_of("0123456789") + 1;
    const std::string digits = text.substr(stem);
    return std::tuple(text.substr(0, stem), digits.size(), digits);
  };
  return key(left) < key(right);
}

}  // namespace

CompletionRecord read_record(const fs::path& file) {
  return from_json(Json::parse(read_file(file), file.string()));
}

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)) {
  make_folder(folder_);
  require_writable(folder_);
  state_ = choose_state_folder(folder_);
  make_folder(partial_folder());
  make_folder(state_ / "records");
  remove_abandoned_files(partial_folder());
}

PendingFile OutputFolder::begin(const std::string& name) const {
  return PendingFile(folder_ / name, partial_folder());
}

PendingFile OutputFolder::begin_state(const std::string& name) const {
  return PendingFile(state_ / name, partial_folder());
}

void OutputFolder::publish_small(const std::string& name, const std::string& bytes) const {
  publish_bytes(folder_ / name, partial_folder(), bytes);
}

OutputEntry OutputFolder::describe(const PendingFile& pending) {
  return {pending.final_path().filename().string(), fs::file_size(pending.path()), sha256_of_file(pending.path())};
}

std::optional<CompletionRecord> OutputFolder::record(const std::string& task) const {
  const fs::path path = record_path(task);
  if (!fs::exists(path)) return std::nullopt;
  return read_record(path);
}

std::optional<CompletionRecord> OutputFolder::finished(const std::string& task, const std::string& key) const {
  std::optional<CompletionRecord> found = record(task);
  if (!found || found->key != key) return std::nullopt;
  for (const OutputEntry& output : found->outputs) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(folder_ / output.name, error);
    if (error || size != output.size_bytes) return std::nullopt;
  }
  return found;
}

void OutputFolder::write_record(const std::string& task, const CompletionRecord& record) const {
  publish_bytes(record_path(task), partial_folder(), to_json(record).dump());
}

void OutputFolder::remove_record(const std::string& task) const {
  std::error_code error;
  fs::remove(record_path(task), error);
  if (error) throw IoError::from_errno("can't be removed", record_path(task), error.value());
}

std::vector<std::string> OutputFolder::recorded_tasks() const {
  std::vector<std::string> tasks;
  for (const auto& entry : fs::directory_iterator(state_ / "records")) {
    if (entry.path().extension() == ".json") tasks.push_back(entry.path().stem().string());
  }
  std::sort(tasks.begin(), tasks.end(), before_by_number);
  return tasks;
}

void OutputFolder::refuse_strangers(const std::string& dataset, std::string_view extension,
                                    const std::set<std::string>& planned, bool replace) const {
  std::vector<fs::path> strangers;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (is_shard_name(name, dataset, extension) && !planned.contains(name)) strangers.push_back(entry.path());
  }
  if (strangers.empty()) return;
  if (!replace) {
    throw FormatError("holds " + std::to_string(strangers.size()) + (strangers.size() == 1 ? " file" : " files") +
                          " of another run, such as " + strangers.front().filename().string(),
                      folder_, "choose another folder, or give --force to remove them");
  }
  for (const fs::path& stranger : strangers) {
    fs::remove(stranger);
    remove_record(stranger.stem().string());
  }
}

void OutputFolder::tidy() const {
  std::error_code ignored;
  fs::remove(partial_folder(), ignored);
}

}  // namespace bertprep
