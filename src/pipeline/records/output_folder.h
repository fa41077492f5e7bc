// OutputFolder: a folder of results, where a file that has its name is whole.
//
// Unfinished files and completion records lie in a hidden sibling, `.NAME.bertprep` beside the folder NAME (inside it
// when the sibling would be on another file system or can't be created), so that nothing but results lies in the folder
// itself. docs/formats/completion-record.md describes the records.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pending_file.h"
#include "pipeline/records/completion_record.h"

namespace bertprep {

// A task of one output, ready to be committed.
struct FinishedTask {
  std::string name;
  CompletionRecord record;
  PendingFile file;
};

class OutputFolder {
 public:
  // Makes the folder and its hidden sibling; removes what killed processes left. Throws IoError.
  explicit OutputFolder(std::filesystem::path folder);
  // A folder into which tasks of an array write from many machines: it must be there, nothing in it is listed, and what
  // killed tasks left stays until remove_leftovers(). Throws IoError.
  static OutputFolder shared(std::filesystem::path folder);
  // The same, or nothing when there is no such folder.
  static std::optional<OutputFolder> find_shared(std::filesystem::path folder);
  // The same; makes the folder if need be.
  static OutputFolder make_shared(std::filesystem::path folder);
  // finished() gives no final names any more: what a killed attempt left to be named counts as it is.
  void only_look() { only_looks_ = true; }

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path state_folder() const { return state_; }

  // A file to be written, which will be called `name`.
  PendingFile begin(const std::string& name) const { return begin_for(folder_ / name); }
  // A file of the state folder itself: rejects, passing data.
  PendingFile begin_state(const std::string& name) const;
  // A file of another folder on the same file system, unfinished among this one's.
  PendingFile begin_for(const std::filesystem::path& final_path) const {
    return PendingFile(final_path, open_partial_folder());
  }
  // Writes a small file of the folder whole, and forces it to the disk with its name.
  void publish_small(const std::string& name, const std::string& bytes) const;
  // Writes a small file of the state folder whole.
  void publish_state(const std::string& name, const std::string& bytes) const;
  // Describes the finished content of `pending` for a record.
  static OutputEntry describe(const PendingFile& pending);

  // Publishes the finished `files` of `task`, which are the outputs of `record` in their order. In a shared folder
  // other attempts at the task may do the same at any moment: the first record counts, and what it names is what gets
  // the final names, whoever gives them. `files` are gone afterwards. Throws IoError.
  void commit(const std::string& task, CompletionRecord record, std::span<PendingFile> files) const;

  // The same for many tasks at once, which takes little longer than for one: the disk is waited for once, not for each
  // of them.
  void commit(std::span<FinishedTask> tasks) const;

  // The record of `task` if its key is `key` and all its outputs are there in their recorded size.
  std::optional<CompletionRecord> finished(const std::string& task, const std::string& key) const;
  // The same by the key of the plan.
  std::optional<CompletionRecord> finished_by_plan(const std::string& task, const std::string& plan_key) const;
  // The record of `task`, whatever its key. A damaged one counts as none.
  std::optional<CompletionRecord> record(const std::string& task) const;
  // When the record of `task` was written; nothing when there is none.
  std::optional<std::filesystem::file_time_type> recorded_at(const std::string& task) const;
  void write_record(const std::string& task, const CompletionRecord& record) const;
  // Of a task without outputs, or whose outputs go, too.
  void remove_record(const std::string& task) const;
  // Of a task whose outputs stay, known to be ours, until they are made again.
  void withdraw_record(const std::string& task) const;
  // Says that files of `task` get their names from now on, until write_record(): a call that is killed in between
  // leaves files that are known to be ours.
  void begin_task(const std::string& task) const;
  // The same; first removes a record that does not vouch for the outputs of `record`.
  void begin_task(const std::string& task, const CompletionRecord& record) const;
  // Removes the files `names` of `task` and all that is recorded of it, if a call began it. Throws IoError.
  void remove_task(const std::string& task, std::span<const std::string> names) const;
  // Files of `names` that are there though no call began `task` are the user's. Throws FormatError that names one.
  void refuse_foreign(const std::string& task, std::span<const std::string> names) const;
  // The names of all tasks with a record, in the order of their numbers: X_2 before X_10.
  std::vector<std::string> recorded_tasks() const;

  // Files called DATASET_training_I or DATASET_test_I, with EXTENSION, that are none of `planned` are another run's,
  // and would be read as part of this one's. Throws FormatError that names them; with `replace` those that a record
  // names are removed, and the others refused as the user's.
  void reject_foreign_files(const std::string& dataset, std::string_view extension,
                            const std::set<std::string>& planned, bool replace) const;

  // Removes all unfinished files and their folder: only when no process works here any more, wherever it runs. A task
  // that comes late finds no place for its files.
  void remove_leftovers() const;

 private:
  OutputFolder() = default;
  std::set<std::string> recorded_outputs() const;
  bool all_there(const CompletionRecord& record) const;
  void publish_partials(const CompletionRecord& record) const;
  bool vouches_for(const std::string& task, const CompletionRecord& record) const;
  void remove_outdated(const std::string& task, const std::string& key) const;
  void make_folders();
  void withdraw_records(std::span<const std::string> tasks) const;
  void put_record(const std::string& task, const CompletionRecord& record) const;
  void end_tasks(std::span<const std::string> tasks) const;
  bool drop_record(const std::string& task) const;
  bool was_begun(const std::string& task) const;

  // Made anew where somebody has removed it; of a shared folder remove_leftovers() has, and who comes late must fail.
  std::filesystem::path open_partial_folder() const;
  std::filesystem::path partial_folder() const { return state_ / "partial"; }
  std::filesystem::path record_path(const std::string& task) const { return state_ / "records" / (task + ".json"); }
  std::filesystem::path begun_path(const std::string& task) const { return state_ / "records" / (task + ".begun"); }

  std::filesystem::path folder_;
  std::filesystem::path state_;
  bool is_shared_ = false;
  bool only_looks_ = false;
};

}  // namespace bertprep
