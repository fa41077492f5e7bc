// RecordFiles: the documents of tasks in a hidden folder, one for each task (docs/formats/completion-record.md).
//
// A document is a file of its own, or one of many in a journal: a process that finishes many tasks appends theirs, and
// flushes them to disk together, as each new file costs as much as a small result. A file counts before any journal;
// of the journals, what was appended last.
//
// For one thread at a time. All functions throw IoError.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/file_descriptor.h"

namespace bertprep {

class InputFile;

// A sealed document (json.h) whose first member is `task`.
struct TaskDocument {
  std::string task;
  std::string bytes;
};

class RecordFiles {
 public:
  // In `records` of the hidden folder `state`; it may be missing until something is written. `is_shared`: many machines
  // write, so that a name may be known late.
  explicit RecordFiles(const std::filesystem::path& state, bool is_shared = false);

  // Those with a document, in no order.
  std::vector<std::string> tasks();
  // Nothing if there is none. Other processes may have written it up to a second ago.
  std::optional<std::string> read(const std::string& task);
  // The file that holds the document, or is to hold it.
  std::filesystem::path file_of(const std::string& task);
  // Whether it is one of a journal's.
  bool is_journaled(const std::string& task) { return file_of(task) != path_of(task); }
  // Whether a call began the task, so that its files are ours, until remove().
  bool was_begun(const std::string& task);

  // Marks the files of the task as ours.
  void begin(const std::string& task) const;
  // Writes a file atomically. The second does nothing and returns false if there is one.
  void write(const std::string& task, const std::string& bytes, const std::filesystem::path& partial) const;
  bool write_first(const std::string& task, const std::string& bytes, const std::filesystem::path& partial) const;
  // Appends to this object's journal, which stands on disk afterwards; removes the files of these tasks.
  void append(std::span<const TaskDocument> documents);
  // Replaces all journals by one with `documents`, which hold what counts, so that equal work leaves equal files; what
  // other processes have appended meanwhile is kept.
  void compact(std::span<const TaskDocument> documents, const std::filesystem::path& partial);
  // Removes the document; the mark stays.
  void withdraw(const std::string& task);
  // Removes the mark, too.
  void remove(const std::string& task);

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kRecorded, kWithdrawn, kRemoved };
  struct Entry {
    State state = State::kRecorded;
    std::string bytes;
    std::size_t journal = 0;
  };

  struct Journal {
    std::uint64_t inode = 0;
    std::uint64_t read_bytes = 0;
    std::string end{};  // the last of them: a new file may have the inode of a removed one
  };

  std::filesystem::path path_of(const std::string& task) const { return folder_ / (task + ".json"); }
  std::filesystem::path mark_of(const std::string& task) const { return folder_ / (task + ".begun"); }
  std::filesystem::path journal_path(std::size_t journal) const;
  bool is_file(const std::string& task) const;
  bool drop_file(const std::string& task) const;
  const Entry* find(const std::string& task);
  void refresh();
  void take(std::string_view document, std::size_t journal);
  void read_journal(std::size_t journal);
  bool try_compact(std::span<const TaskDocument> documents, const std::filesystem::path& partial);
  std::optional<std::list<InputFile>> open_journals() const;
  static std::string appended_to(std::list<InputFile>& journals);
  bool is_compacted() const;
  void open_journal();
  void append_all(const std::string& bytes);
  void append_state(const std::string& task, const char* state);

  std::filesystem::path folder_;
  bool is_shared_;
  std::map<std::string, Entry> entries_;
  std::vector<Journal> journals_;
  Clock::time_point refreshed_{};
  FileDescriptor own_file_;  // of the own journal
  std::size_t own_ = 0;
};

}  // namespace bertprep
