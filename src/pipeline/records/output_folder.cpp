#include "pipeline/records/output_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/output_file.h"
#include "pipeline/records/output_place.h"
#include "shard/shard_names.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kRecordTries = 20;

// DATASET_training_I or DATASET_test_I, and `extension`. Not files of a dataset whose name only begins the same.
bool is_shard_name(std::string_view name, std::string_view dataset, std::string_view extension) {
  if (!name.starts_with(dataset) || !name.ends_with(extension)) return false;
  name.remove_prefix(dataset.size());
  name.remove_suffix(std::min(extension.size(), name.size()));
  for (const std::string_view kind : {"_training_", "_test_"}) {
    if (!name.starts_with(kind)) continue;
    return is_ascii_digits(name.substr(kind.size()));
  }
  return false;
}

// After a power failure, a record must not exist without the names of its outputs.
void sync_names(const fs::path& folder, const std::set<fs::path>& names) {
  std::set<fs::path> folders;
  for (const fs::path& name : names) folders.insert((folder / name).parent_path());
  for (const fs::path& one : folders) {
    if (fs::is_directory(one)) sync_folder(one);
  }
}

}  // namespace

OutputFolder::OutputFolder(fs::path folder) : OutputFolder(std::move(folder), StatePlace::kBeside) {}

OutputFolder::OutputFolder(fs::path folder, StatePlace place) : folder_(std::move(folder)) {
  make_folders(place);
  remove_abandoned();
}

OutputFolder OutputFolder::of_file(const fs::path& file) {
  return OutputFolder(folder_of(file), StatePlace::kInside);
}

OutputFolder OutputFolder::shared(fs::path path) {
  auto folder = find_shared(path);
  if (!folder) throw IoError::from_errno("is not a folder", path, ENOENT);
  return std::move(*folder);
}

// Another attempt may remove it at any moment.
std::optional<OutputFolder> OutputFolder::find_shared(fs::path path) try {
  if (!exists_now(path) || !fs::is_directory(path)) return std::nullopt;
  OutputFolder folder;
  folder.folder_ = std::move(path);
  folder.state_ = choose_state_folder(folder.folder_);
  folder.is_shared_ = true;
  return folder;
} catch (const IoError& error) {
  if (!error.is_missing()) throw;
  return std::nullopt;
}

OutputFolder OutputFolder::make_shared(fs::path path) {
  OutputFolder folder;
  folder.folder_ = std::move(path);
  folder.make_folders(StatePlace::kBeside);
  folder.is_shared_ = true;
  return folder;
}

void OutputFolder::make_folders(StatePlace place) {
  make_output_folder(folder_);
  refuse_unwritable(folder_);
  state_ = choose_state_folder(folder_, place);
  make_output_folder(partial_folder());
  make_output_folder(state_ / "records");
}

fs::path OutputFolder::open_partial_folder() const {
  if (!is_shared_) ::mkdir(partial_folder().c_str(), 0777);  // opening a file in it will report the error
  return partial_folder();
}

PendingFile OutputFolder::begin_state(const std::string& name) const {
  return PendingFile(state_ / name, open_partial_folder());
}

void OutputFolder::publish_small(const std::string& name, const std::string& bytes) const {
  publish_durably(folder_ / name, open_partial_folder(), bytes);
}

void OutputFolder::publish_state(const std::string& name, const std::string& bytes) const {
  publish_bytes(state_ / name, open_partial_folder(), bytes);
}

void OutputFolder::remove_state(const std::string& name) const {
  std::error_code ignored;
  fs::remove(state_ / name, ignored);
}

OutputEntry OutputFolder::describe(const PendingFile& pending) {
  return {pending.final_path().filename().string(), fs::file_size(pending.path()), sha256_of_file(pending.path())};
}

std::optional<CompletionRecord> OutputFolder::record(const std::string& task) const {
  const fs::path path = record_path(task);
  // Between two checks, other attempts may replace the record.
  for (int tries = kRecordTries; is_shared_ ? exists_now(path) : fs::exists(path); --tries) {
    try {
      return read_record(path);
    } catch (const IoError&) {
      if (tries == 0) throw;
    } catch (const FormatError&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<fs::file_time_type> OutputFolder::recorded_at(const std::string& task) const {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(record_path(task), error);
  return error ? std::nullopt : std::optional(time);
}

bool OutputFolder::all_there(const CompletionRecord& record) const {
  return std::all_of(record.outputs.begin(), record.outputs.end(), [&](const OutputEntry& output) {
    if (size_if_exists(folder_ / output.name) == output.size_bytes) return true;
    return is_read_only_ && !output.partial.empty() &&
           size_if_exists(partial_folder() / output.partial) == output.size_bytes;
  });
}

// If the winner was killed between its record and its renames, any other attempt completes them, unless it may only
// read.
void OutputFolder::publish_partials(const CompletionRecord& record) const {
  for (const OutputEntry& output : record.outputs) {
    if (output.partial.empty()) continue;
    const fs::path final_path = folder_ / output.name;
    if (::rename((partial_folder() / output.partial).c_str(), final_path.c_str()) == 0) continue;
    if (errno != ENOENT && errno != EACCES && errno != EPERM && errno != EROFS) {
      throw IoError::from_errno("can't be renamed to its final name", final_path, errno);
    }
  }
}

std::optional<CompletionRecord> OutputFolder::finished(const std::string& task, const std::string& key) const {
  std::optional<CompletionRecord> found = record(task);
  if (!found || found->key != key || key.empty()) return std::nullopt;
  // Must come first: the final name may be that of an older result of the same size.
  if (!is_read_only_) publish_partials(*found);
  if (!all_there(*found)) return std::nullopt;
  return found;
}

std::optional<CompletionRecord> OutputFolder::finished_by_plan(const std::string& task,
                                                               const std::string& plan_key) const {
  const std::optional<CompletionRecord> found = record(task);
  if (!found || found->plan_key != plan_key) return std::nullopt;
  return finished(task, found->key);
}

void OutputFolder::commit(const std::string& task, CompletionRecord record, std::span<PendingFile> files) const {
  if (!is_shared_) {
    begin_task(task, record);
    for (PendingFile& file : files) file.publish();
    write_record(task, record);
    return;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i].sync();
    record.outputs[i].partial = files[i].path().filename().string();
  }
  while (!publish_first(record_path(task), open_partial_folder(), to_text(record))) {
    if (finished(task, record.key)) return;  // another attempt was first: ours are removed with `files`
    remove_outdated(task, record.key);
  }
  publish_partials(record);
  for (PendingFile& file : files) file.release();
  // Others that concurrently replace a record of another recipe may remove ours by mistake: then try again.
  if (!all_there(record)) throw IoError::from_errno("was removed while it was being made", folder_ / task, ESTALE);
}

void OutputFolder::commit(std::span<FinishedTask> tasks) const {
  if (is_shared_) {
    for (FinishedTask& task : tasks) commit(task.name, task.record, {&task.file, 1});
    return;
  }
  std::vector<std::string> outdated;
  for (FinishedTask& task : tasks) {
    task.file.sync();
    if (!vouches_for(task.name, task.record)) outdated.push_back(task.name);
  }
  withdraw_records(outdated);
  std::set<fs::path> outputs;
  for (FinishedTask& task : tasks) {
    task.file.publish();
    for (const OutputEntry& output : task.record.outputs) outputs.insert(output.name);
  }
  sync_names(folder_, outputs);
  const fs::path partial = open_partial_folder();
  for (FinishedTask& task : tasks) publish_bytes(record_path(task.name), partial, to_text(std::move(task.record)));
  sync_folder(state_ / "records");
}

// Removes a record of another recipe, or one with missing files. Files of another recipe are removed, too: if the
// program is killed before they are replaced, the new record must not vouch for them.
void OutputFolder::remove_outdated(const std::string& task, const std::string& key) const {
  const std::optional<CompletionRecord> outdated = record(task);
  if (outdated && outdated->key != key) {
    std::error_code ignored;
    for (const OutputEntry& output : outdated->outputs) fs::remove(folder_ / output.name, ignored);
  }
  begin_task(task);  // whatever stays is ours: an equal process may just have made it
  if (drop_record(task)) sync_folder(state_ / "records");
}

void OutputFolder::write_record(const std::string& task, const CompletionRecord& record) const {
  std::set<fs::path> outputs;
  for (const OutputEntry& output : record.outputs) outputs.insert(output.name);
  sync_names(folder_, outputs);
  publish_bytes(record_path(task), open_partial_folder(), to_text(record));
  sync_folder(state_ / "records");
}

// Another process at the same task, which was first, has made the same result, and may be reading it.
bool OutputFolder::vouches_for(const std::string& task, const CompletionRecord& wanted) const {
  const std::optional<CompletionRecord> found = record(task);
  const auto is_equal = [](const OutputEntry& left, const OutputEntry& right) {
    return left.name == right.name && left.size_bytes == right.size_bytes && left.sha256 == right.sha256;
  };
  return found && !wanted.key.empty() && found->key == wanted.key &&
         std::equal(found->outputs.begin(), found->outputs.end(), wanted.outputs.begin(), wanted.outputs.end(),
                    is_equal);
}

// One file with many names: a new name costs a fraction of a new file. Where links can't be made, files are.
void OutputFolder::begin_tasks(std::span<const std::string> tasks) const {
  const fs::path first = begun_path(tasks.front());
  OutputFile(first).finish();
  for (const std::string& task : tasks.subspan(1)) {
    std::error_code error;
    fs::create_hard_link(first, begun_path(task), error);
    if (error && error != std::errc::file_exists) OutputFile(begun_path(task)).finish();
  }
}

// If the program is killed before it writes the new record, an older one must not vouch for the new files.
void OutputFolder::begin_task(const std::string& task, const CompletionRecord& record) const {
  if (vouches_for(task, record)) return;
  withdraw_record(task);
}

void OutputFolder::withdraw_record(const std::string& task) const {
  withdraw_records({&task, 1});
}

void OutputFolder::withdraw_records(std::span<const std::string> tasks) const {
  if (tasks.empty()) return;
  begin_tasks(tasks);
  // Must be on disk before the names that it explains.
  sync_folder(state_ / "records");
  bool any_was_there = false;
  for (const std::string& task : tasks) any_was_there = drop_record(task) || any_was_there;
  // After a power failure, they must not reappear and vouch for files that are replaced next.
  if (any_was_there) sync_folder(state_ / "records");
}

bool OutputFolder::was_begun(const std::string& task) const {
  return exists_now(record_path(task)) || exists_now(begun_path(task));
}

// The record that the files are ours is removed last.
void OutputFolder::remove_task(const std::string& task, std::span<const std::string> names) const {
  if (!was_begun(task)) return;
  for (const std::string& name : names) {
    std::error_code error;
    fs::remove(folder_ / name, error);
    if (error) throw IoError::from_errno("can't be removed", folder_ / name, error.value());
  }
  remove_record(task);
  // An equal process may have made them again meanwhile, and lost its mark.
  if (std::ranges::any_of(names, [&](const std::string& name) { return exists_now(folder_ / name); })) begin_task(task);
}

void OutputFolder::refuse_foreign(const std::string& task, std::span<const std::string> names) const {
  if (was_begun(task)) return;
  for (const std::string& name : names) {
    const fs::file_status status = fs::symlink_status(folder_ / name);
    if (!fs::exists(status) || fs::is_directory(status)) continue;  // a folder in the way is a separate error
    if (was_begun(task)) return;  // by an equal process, since it was asked for; the mark is there before the file
    throw FormatError("exists and was not made by bertprep", folder_ / name,
                      "choose another place, or give `force` to replace it");
  }
}

void OutputFolder::remove_record(const std::string& task) const {
  const bool was_there = drop_record(task);
  std::error_code ignored;
  fs::remove(begun_path(task), ignored);
  // It must not reappear either.
  if (was_there) sync_folder(state_ / "records");
}

// Whether there was one.
bool OutputFolder::drop_record(const std::string& task) const {
  std::error_code error;
  const bool was_there = fs::remove(record_path(task), error);
  if (error) throw IoError::from_errno("can't be removed", record_path(task), error.value());
  return was_there;
}

std::vector<std::string> OutputFolder::recorded_tasks() const {
  std::map<std::string, std::string> by_key;
  for (const fs::path name : names_in_folder_if_any(state_ / "records")) {
    if (name.extension() != ".json") continue;
    std::string task = name.stem().string();
    by_key.emplace(natural_key(task), std::move(task));
  }
  std::vector<std::string> tasks;
  for (auto& [key, task] : by_key) tasks.push_back(std::move(task));
  return tasks;
}

void OutputFolder::reject_foreign_files(const std::string& dataset, std::string_view extension,
                                        const std::set<std::string>& planned, bool replace) const {
  std::vector<fs::path> foreign_files;
  for (const auto& entry : list_folder(folder_)) {
    const std::string name = entry.path().filename().string();
    if (is_shard_name(name, dataset, extension) && !planned.contains(name)) foreign_files.push_back(entry.path());
  }
  if (foreign_files.empty()) return;
  if (!replace) {
    throw FormatError("holds " + counted(foreign_files.size(), "file") + " of another run, such as " +
                          foreign_files.front().filename().string(),
                      folder_, "choose another folder, or give `force` to remove them");
  }
  const std::set<std::string> made = recorded_outputs();
  for (const fs::path& file : foreign_files) {
    if (made.contains(file.filename().string())) continue;
    throw FormatError("has the name of a shard and was not made by bertprep", file,
                      "move it away, or choose another folder");
  }
  for (const fs::path& file : foreign_files) {
    fs::remove(file);
    remove_record(file.stem().string());
  }
}

std::set<std::string> OutputFolder::recorded_outputs() const {
  std::set<std::string> names;
  for (const std::string& task : recorded_tasks()) {
    const auto one = record(task);
    for (const OutputEntry& output : one ? one->outputs : std::vector<OutputEntry>()) names.insert(output.name);
  }
  return names;
}

void OutputFolder::remove_abandoned() const {
  remove_abandoned_files(partial_folder());
}

void OutputFolder::remove_leftovers() const {
  std::error_code ignored;
  for (const auto& entry : list_folder(partial_folder(), ignored)) fs::remove(entry.path(), ignored);
  fs::remove(partial_folder(), ignored);
}

}  // namespace bertprep
