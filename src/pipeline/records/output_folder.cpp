#include "pipeline/records/output_folder.h"

#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <exception>
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
  open_records(false);
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
  folder.open_records(true);
  return folder;
} catch (const IoError& error) {
  if (!error.is_missing()) throw;
  return std::nullopt;
}

OutputFolder OutputFolder::make_shared(fs::path path) {
  OutputFolder folder;
  folder.folder_ = std::move(path);
  folder.make_folders(StatePlace::kBeside);
  folder.open_records(true);
  return folder;
}

void OutputFolder::make_folders(StatePlace place) {
  make_output_folder(folder_);
  refuse_unwritable(folder_);
  state_ = choose_state_folder(folder_, place);
  make_output_folder(partial_folder());
  make_output_folder(state_ / "records");
}

void OutputFolder::open_records(bool is_shared) {
  is_shared_ = is_shared;
  records_ = std::make_shared<SharedRecords>(state_, is_shared);
}

bool OutputFolder::was_begun(const std::string& task) const {
  return with_records([&](RecordFiles& files) { return files.was_begun(task); });
}

void OutputFolder::begin_task(const std::string& task) const {
  with_records([&](RecordFiles& files) { files.begin(task); });
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
  // Between two checks, other attempts may replace the record.
  for (int tries = kRecordTries;; --tries) {
    try {
      const auto bytes = with_records([&](RecordFiles& files) { return files.read(task); });
      return bytes ? std::optional(parse_record(*bytes, {})) : std::nullopt;
    } catch (const IoError&) {
      if (tries == 0) throw;
    } catch (const FormatError&) {
      return std::nullopt;
    }
  }
}

std::optional<fs::file_time_type> OutputFolder::recorded_at(const std::string& task) const {
  std::error_code error;
  const fs::path file = with_records([&](RecordFiles& files) { return files.file_of(task); });
  const fs::file_time_type time = fs::last_write_time(file, error);
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
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i].sync();
    record.outputs[i].partial = files[i].path().filename().string();
  }
  if (is_shared_) {
    const std::string bytes = to_text(record);
    while (
        !with_records([&](RecordFiles& records) { return records.write_first(task, bytes, open_partial_folder()); })) {
      if (finished(task, record.key)) return;  // another attempt was first: ours are removed with `files`
      remove_outdated(task, record.key);
    }
  } else {
    const TaskDocument document{task, to_text(record, task)};
    append({&document, 1}, files);
  }
  publish_partials(record);
  for (PendingFile& file : files) file.release();
  require_all(task, record);
}

// The record also vouches for the unfinished names: those must be on disk before it if there are older files of the
// final names, which may have the same sizes.
void OutputFolder::append(std::span<const TaskDocument> documents, std::span<const PendingFile> files) const {
  if (std::ranges::any_of(files, [](const PendingFile& file) { return fs::exists(file.final_path()); })) {
    sync_folder(partial_folder());
  }
  with_records([&](RecordFiles& records) { records.append(documents); });
}

// Others that concurrently replace a record of another recipe may remove ours by mistake: then try again.
void OutputFolder::require_all(const std::string& task, const CompletionRecord& record) const {
  if (!all_there(record)) throw IoError::from_errno("was removed while it was being made", folder_ / task, ESTALE);
}

void OutputFolder::commit(std::span<FinishedTask> tasks) const {
  if (is_shared_) {
    for (FinishedTask& task : tasks) commit(task.name, task.record, {&task.file, 1});
    return;
  }
  std::vector<TaskDocument> documents;
  std::vector<PendingFile> files;
  for (FinishedTask& task : tasks) {
    task.file.sync();
    task.record.outputs.front().partial = task.file.path().filename().string();
    if (!vouches_for(task.name, task.record)) documents.push_back({task.name, to_text(task.record, task.name)});
    files.push_back(std::move(task.file));
  }
  append(documents, files);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    publish_partials(tasks[i].record);
    files[i].release();
    require_all(tasks[i].name, tasks[i].record);
  }
}

// Removes a record of another recipe, or one with missing files. Files of another recipe are removed, too: if the
// program is killed before they are replaced, the new record must not vouch for them.
void OutputFolder::remove_outdated(const std::string& task, const std::string& key) const {
  const std::optional<CompletionRecord> outdated = record(task);
  if (outdated && outdated->key != key) {
    std::error_code ignored;
    for (const OutputEntry& output : outdated->outputs) fs::remove(folder_ / output.name, ignored);
  }
  // Whatever stays is ours: an equal process may just have made it.
  withdraw_record(task);
}

void OutputFolder::write_record(const std::string& task, const CompletionRecord& record) const {
  std::set<fs::path> outputs;
  for (const OutputEntry& output : record.outputs) outputs.insert(output.name);
  sync_names(folder_, outputs);
  const std::string bytes = to_text(record);
  with_records([&](RecordFiles& files) { files.write(task, bytes, open_partial_folder()); });
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

// If the program is killed before it writes the new record, an older one must not vouch for the new files.
void OutputFolder::begin_task(const std::string& task, const CompletionRecord& record) const {
  if (vouches_for(task, record)) return;
  withdraw_record(task);
}

void OutputFolder::withdraw_record(const std::string& task) const {
  with_records([&](RecordFiles& files) { files.withdraw(task); });
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
    // By an equal process, since it was asked for; the mark is there before the file.
    if (was_begun(task)) return;
    throw FormatError("exists and was not made by bertprep", folder_ / name,
                      "choose another place, or give `force` to replace it");
  }
}

void OutputFolder::remove_record(const std::string& task) const {
  with_records([&](RecordFiles& files) { files.remove(task); });
}

void OutputFolder::compact_records() const {
  if (is_shared_) return;
  std::vector<TaskDocument> documents;
  for (const std::string& task : recorded_tasks()) {
    const bool is_journaled = with_records([&](RecordFiles& files) { return files.is_journaled(task); });
    std::optional<CompletionRecord> made = is_journaled ? record(task) : std::nullopt;
    if (!made) continue;
    for (OutputEntry& output : made->outputs) output.partial.clear();
    documents.push_back({task, to_text(std::move(*made), task)});
  }
  with_records([&](RecordFiles& files) { files.compact(documents, open_partial_folder()); });
}

std::vector<std::string> OutputFolder::recorded_tasks() const {
  std::map<std::string, std::string> by_key;
  for (std::string& task : with_records([&](RecordFiles& files) { return files.tasks(); })) {
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
  if (has_abandoned_files(partial_folder())) finish_renames_of_the_killed();
  remove_abandoned_files(partial_folder());
}

void OutputFolder::finish_renames_of_the_killed() const {
  for (const std::string& task : recorded_tasks()) {
    if (const auto made = record(task)) publish_partials(*made);
  }
}

void OutputFolder::remove_leftovers() const {
  std::error_code ignored;
  for (const auto& entry : list_folder(partial_folder(), ignored)) fs::remove(entry.path(), ignored);
  fs::remove(partial_folder(), ignored);
}

void OutputFolder::remove_if_without_leftovers() const {
  std::error_code ignored;
  fs::remove(partial_folder(), ignored);
}

CommitQueue::~CommitQueue() {
  try {
    commit_all();
  } catch (const std::exception&) {
    return;  // these shards are made again
  }
}

void CommitQueue::add(const OutputFolder& folder, FinishedTask task) {
  {
    const std::lock_guard lock(mutex_);
    waiting_[&folder].push_back(std::move(task));
    if (Clock::now() - committed_ < kLongestWait) return;
  }
  commit_all();
}

void CommitQueue::commit_due() {
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || waiting_.empty() || Clock::now() - committed_ < kLongestWait) return;
  }
  commit_all();
}

void CommitQueue::commit_all() {
  Waiting due;
  {
    const std::lock_guard lock(mutex_);
    due.swap(waiting_);
    committed_ = Clock::now();
  }
  for (auto& [folder, tasks] : due) folder->commit(tasks);
}

void CommitQueue::commit_all(const OutputFolder& folder) {
  Waiting::node_type due;
  {
    const std::lock_guard lock(mutex_);
    due = waiting_.extract(&folder);
  }
  if (!due.empty()) folder.commit(due.mapped());
}

}  // namespace bertprep
