// OutputFolder: a folder of results, in which a file with its final name is complete.
//
// Unfinished files and completion records are in a hidden folder (io/state_folder.h): `.NAME.bertprep` next to the
// folder NAME, so that the folder itself has only results, or `.bertprep` inside it.
// docs/formats/completion-record.md describes the records. A CommitQueue commits shards of several threads together.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pending_file.h"
#include "io/record_files.h"
#include "io/state_folder.h"
#include "pipeline/records/completion_record.h"

namespace bertprep {

// A task of one output, ready to be committed.
struct FinishedTask {
  std::string name;
  CompletionRecord record;
  PendingFile file;
};

// The records of a folder, which threads and copies of an OutputFolder share.
struct SharedRecords {
  SharedRecords(const std::filesystem::path& state, bool is_shared) : files(state, is_shared) {}

  std::mutex mutex;
  RecordFiles files;
};

class OutputFolder {
 public:
  // Makes the folder and its hidden sibling; removes files of killed processes. Throws IoError.
  explicit OutputFolder(std::filesystem::path folder);
  // The same for a single result, beside which other files may be the user's: the hidden folder is inside.
  static OutputFolder of_file(const std::filesystem::path& file);
  // A folder into which array tasks write from many machines: it must exist, it is never listed, and files of killed
  // tasks stay until remove_abandoned() or remove_leftovers(). Throws IoError.
  static OutputFolder shared(std::filesystem::path folder);
  // The same, or nothing if there is no such folder.
  static std::optional<OutputFolder> find_shared(std::filesystem::path folder);
  // The same; makes the folder if needed.
  static OutputFolder make_shared(std::filesystem::path folder);
  // Makes finished() rename nothing: unfinished renames of a killed attempt count as done.
  void set_read_only() { is_read_only_ = true; }

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path state_folder() const { return state_; }

  // A file to be written, which will be named `name`.
  PendingFile begin(const std::string& name) const { return begin_for(folder_ / name); }
  // A file in the state folder: rejects, passing data.
  PendingFile begin_state(const std::string& name) const;
  // A file for another folder on the same file system, unfinished in this one's.
  PendingFile begin_for(const std::filesystem::path& final_path) const {
    return PendingFile(final_path, open_partial_folder());
  }
  // Writes a small file of the folder atomically and flushes it to disk.
  void publish_small(const std::string& name, const std::string& bytes) const;
  // Writes a small file of the state folder atomically.
  void publish_state(const std::string& name, const std::string& bytes) const;
  void remove_state(const std::string& name) const;
  // Describes the finished content of `pending` for a record.
  static OutputEntry describe(const PendingFile& pending);

  // Publishes the finished `files` of `task`, the outputs of `record` in order: writes the record, which names them,
  // before any gets its final name; if the program is killed, the next one that looks for the task renames them. In a
  // shared folder, other attempts at the task may do the same at any moment: the first record counts. `files` no longer
  // exist afterwards. Throws IoError.
  void commit(const std::string& task, CompletionRecord record, std::span<PendingFile> files) const;

  // The same for many tasks at once. Except in a shared folder, flushes their records to disk together.
  void commit(std::span<FinishedTask> tasks) const;

  // The record of `task` if its key is `key` and all its outputs exist with their recorded sizes.
  std::optional<CompletionRecord> finished(const std::string& task, const std::string& key) const;
  // The same by the key of the plan.
  std::optional<CompletionRecord> finished_by_plan(const std::string& task, const std::string& plan_key) const;
  // The record of `task`, whatever its key. A damaged one counts as missing.
  std::optional<CompletionRecord> record(const std::string& task) const;
  // When the record of `task` was written, or one after it; nothing if there is none.
  std::optional<std::filesystem::file_time_type> recorded_at(const std::string& task) const;
  void write_record(const std::string& task, const CompletionRecord& record) const;
  // For a task without outputs, or whose outputs are also removed.
  void remove_record(const std::string& task) const;
  // For a task whose outputs stay, known to be ours, until they are made again.
  void withdraw_record(const std::string& task) const;
  // Marks the files of `task` as ours, before the first of them is renamed. The mark stays as long as they do: another
  // process at the same task may remove the record at any moment.
  void begin_task(const std::string& task) const;
  // The same; first removes a record for other outputs than those of `record`.
  void begin_task(const std::string& task, const CompletionRecord& record) const;
  // Removes the files `names` of `task` and its records, if a call began it. Throws IoError.
  void remove_task(const std::string& task, std::span<const std::string> names) const;
  // Throws FormatError naming an existing file of `names` if no call began `task`: such files are the user's.
  void refuse_foreign(const std::string& task, std::span<const std::string> names) const;
  // Gives the records of all tasks that were committed a fixed order and form: after the last of them.
  void compact_records() const;
  // The names of all tasks with a record, in numerical order: X_2 before X_10.
  std::vector<std::string> recorded_tasks() const;

  // Files named DATASET_training_I or DATASET_test_I, with EXTENSION, other than `planned` are another run's, and would
  // be read as part of this one's. Throws FormatError naming them; with `replace`, removes those in records and refuses
  // the others as the user's.
  void reject_foreign_files(const std::string& dataset, std::string_view extension,
                            const std::set<std::string>& planned, bool replace) const;

  // Removes what killed processes of this machine left unfinished.
  void remove_abandoned() const;
  // Removes all unfinished files and their folder: only when no process on any machine works here any more. A late task
  // can then write no files.
  void remove_leftovers() const;
  // Removes the folder of unfinished files if there are none.
  void remove_if_without_leftovers() const;

 private:
  OutputFolder() = default;
  OutputFolder(std::filesystem::path folder, StatePlace place);
  void make_folders(StatePlace place);
  void open_records(bool is_shared);
  template <class Call>
  auto with_records(const Call& call) const {
    const std::lock_guard lock(records_->mutex);
    return call(records_->files);
  }
  bool was_begun(const std::string& task) const;
  std::set<std::string> recorded_outputs() const;
  bool all_there(const CompletionRecord& record) const;
  void publish_partials(const CompletionRecord& record) const;
  void finish_renames_of_the_killed() const;
  void append(std::span<const TaskDocument> documents, std::span<const PendingFile> files) const;
  void require_all(const std::string& task, const CompletionRecord& record) const;
  bool vouches_for(const std::string& task, const CompletionRecord& record) const;
  void remove_outdated(const std::string& task, const std::string& key) const;

  // Recreates the folder if it was removed; not in a shared folder, where remove_leftovers() removed it and late tasks
  // must fail.
  std::filesystem::path open_partial_folder() const;
  std::filesystem::path partial_folder() const { return state_ / "partial"; }

  std::filesystem::path folder_;
  std::filesystem::path state_;
  std::shared_ptr<SharedRecords> records_;
  bool is_shared_ = false;
  bool is_read_only_ = false;
};

// CommitQueue: collects finished shards to commit them together, since each flush to disk costs as much as a small
// shard.
//
// Working threads call commit_due() now and then. So a killed process loses, besides its current work, only shards
// finished within kLongestWait.
class CommitQueue {
 public:
  static constexpr std::chrono::seconds kLongestWait{1};

  CommitQueue() = default;
  // Commits the rest if possible, so that finished shards survive an error of the run.
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  // Queues a finished task of `folder`, which is kept by reference, and commits all queued tasks unless that was done
  // recently. Thread-safe. Throws IoError.
  void add(const OutputFolder& folder, FinishedTask task);
  // Commits if a task has waited long enough. Throws IoError.
  void commit_due();
  // Commits all that wait, or all of one folder. Throws IoError.
  void commit_all();
  void commit_all(const OutputFolder& folder);

 private:
  using Clock = std::chrono::steady_clock;
  using Waiting = std::map<const OutputFolder*, std::vector<FinishedTask>>;

  std::mutex mutex_;
  Waiting waiting_;
  Clock::time_point committed_ = Clock::now();
};

}  // namespace bertprep
