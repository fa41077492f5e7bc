#include "io/record_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>

#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"
#include "io/file_system.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/output_file.h"
#include "io/pending_file.h"
#include "io/process.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongestAge{1};
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
constexpr const char* kJournal = ".journal";
// The last line of a document as seal() writes it; none has it within.
constexpr std::string_view kDocumentEnd = "\n}\n";
constexpr std::string_view kTask = "{\n  \"task\": \"";
constexpr const char* kState = "state";
constexpr const char* kWithdrawnState = "withdrawn";
constexpr const char* kRemovedState = "removed";

// Of the last document, with the digest in its seal.
constexpr std::size_t kEndBytes = 128;

bool holds_at_end(InputFile& file, std::uint64_t size_bytes, const std::string& end) {
  if (end.empty()) return true;
  file.seek(size_bytes - end.size());
  std::string found(end.size(), '\0');
  found.resize(file.read(found));
  return found == end;
}

std::string task_of(std::string_view document) {
  if (!document.starts_with(kTask)) return {};
  document.remove_prefix(kTask.size());
  return std::string(document.substr(0, document.find('"')));
}

}  // namespace

RecordFiles::RecordFiles(const fs::path& state, bool is_shared) : folder_(state / "records"), is_shared_(is_shared) {
  refresh();
}

fs::path RecordFiles::journal_path(std::size_t journal) const {
  return folder_ / (std::to_string(journal + 1) + kJournal);
}

bool RecordFiles::is_file(const std::string& task) const {
  return is_shared_ ? exists_now(path_of(task)) : fs::exists(path_of(task));
}

std::vector<std::string> RecordFiles::tasks() {
  std::set<std::string> tasks;
  for (const fs::path name : names_in_folder_if_any(folder_)) {
    if (name.extension() == ".json") tasks.insert(name.stem().string());
  }
  refresh();
  for (const auto& [task, entry] : entries_) {
    if (entry.state == State::kRecorded) tasks.insert(task);
  }
  return {tasks.begin(), tasks.end()};
}

std::optional<std::string> RecordFiles::read(const std::string& task) {
  if (is_file(task)) return read_file(path_of(task));
  const Entry* entry = find(task);
  if (entry == nullptr || entry->state != State::kRecorded) return std::nullopt;
  return entry->bytes;
}

fs::path RecordFiles::file_of(const std::string& task) {
  if (is_file(task)) return path_of(task);
  const Entry* entry = find(task);
  return entry == nullptr ? path_of(task) : journal_path(entry->journal);
}

bool RecordFiles::was_begun(const std::string& task) {
  if (exists_now(path_of(task)) || exists_now(mark_of(task))) return true;
  // An equal process may have made a file just now.
  if (!entries_.contains(task)) refresh();
  const Entry* entry = find(task);
  return entry != nullptr && entry->state != State::kRemoved;
}

void RecordFiles::begin(const std::string& task) const {
  OutputFile(mark_of(task)).finish();
}

void RecordFiles::write(const std::string& task, const std::string& bytes, const fs::path& partial) const {
  publish_bytes(path_of(task), partial, bytes);
  sync_folder(folder_);
}

bool RecordFiles::write_first(const std::string& task, const std::string& bytes, const fs::path& partial) const {
  return publish_first(path_of(task), partial, bytes);
}

void RecordFiles::append(std::span<const TaskDocument> documents) {
  if (documents.empty()) return;
  std::string bytes;
  for (const TaskDocument& document : documents) bytes += document.bytes;
  append_all(bytes);
  bool any_was_there = false;
  for (const TaskDocument& document : documents) any_was_there = drop_file(document.task) || any_was_there;
  // After a power failure, they must not reappear and vouch for files that are replaced next.
  if (any_was_there) sync_folder(folder_);
}

// Without the lock, as on NFS, another process may do the same: then again.
void RecordFiles::compact(std::span<const TaskDocument> documents, const fs::path& partial) {
  refresh();
  if (journals_.empty()) return;
  const FolderLock lock(folder_, Progress());
  while (!try_compact(documents, partial)) {
  }
}

bool RecordFiles::try_compact(std::span<const TaskDocument> documents, const fs::path& partial) {
  refresh();
  if (journals_.empty()) return true;
  std::string bytes;
  std::set<std::string_view> given;
  for (const TaskDocument& document : documents) {
    bytes += document.bytes;
    given.insert(document.task);
  }
  for (const auto& [task, entry] : entries_) {
    // Another process has just recorded it.
    const bool is_new = entry.state == State::kRecorded && !given.contains(task) && !is_file(task);
    if (is_new || entry.state == State::kWithdrawn) bytes += entry.bytes;
  }
  const std::size_t journals = journals_.size();
  if (journals == 1 && read_file_if_any(journal_path(0)) == bytes) return true;
  auto before = open_journals();
  if (!before) return false;
  publish_durably(journal_path(0), partial, bytes);
  // The last first: journals are found by consecutive numbers.
  std::error_code ignored;
  for (std::size_t journal = journals; journal > 1; --journal) fs::remove(journal_path(journal - 1), ignored);
  // Those that were begun meanwhile, perhaps under a name just removed, close the gap.
  std::size_t free = 1;
  for (std::size_t journal = 1; journal < journals || fs::exists(journal_path(journal)); ++journal) {
    if (!fs::exists(journal_path(journal)) || journal == free++) continue;
    fs::create_hard_link(journal_path(journal), journal_path(free - 1), ignored);
    if (!ignored) fs::remove(journal_path(journal), ignored);
  }
  own_file_.reset();
  entries_.clear();
  refresh();
  append_all(appended_to(*before));
  return true;
}

// After what was read of them. Nothing if another process has compacted them since.
std::optional<std::list<InputFile>> RecordFiles::open_journals() const try {
  std::list<InputFile> files;
  for (std::size_t journal = 0; journal < journals_.size(); ++journal) {
    files.emplace_back(journal_path(journal)).seek(journals_[journal].read_bytes);
    const auto identity = identity_of(journal_path(journal));
    if (!identity || identity->inode != journals_[journal].inode) return std::nullopt;
  }
  return files;
} catch (const IoError& error) {
  if (!error.is_missing()) throw;
  return std::nullopt;
}

// What other processes have appended until the files lost their names; later, they see that themselves.
std::string RecordFiles::appended_to(std::list<InputFile>& journals) {
  std::string all;
  for (InputFile& journal : journals) {
    std::string bytes(kBlockBytes, '\0');
    std::string rest;
    while (const std::size_t count = journal.read(bytes)) rest.append(bytes, 0, count);
    const std::size_t end = rest.rfind(kDocumentEnd);
    if (end != std::string::npos) all.append(rest, 0, end + kDocumentEnd.size());
  }
  return all;
}

void RecordFiles::withdraw(const std::string& task) {
  const Entry* entry = find(task);
  if (entry == nullptr || entry->state == State::kRemoved) {
    begin(task);
    // Must be on disk before the names that it explains.
    sync_folder(folder_);
  } else if (entry->state == State::kRecorded) {
    append_state(task, kWithdrawnState);
  }
  if (drop_file(task)) sync_folder(folder_);
}

void RecordFiles::remove(const std::string& task) {
  const bool was_there = drop_file(task);
  std::error_code ignored;
  fs::remove(mark_of(task), ignored);
  // It must not reappear either.
  if (was_there) sync_folder(folder_);
  const Entry* entry = find(task);
  if (entry != nullptr && entry->state != State::kRemoved) append_state(task, kRemovedState);
}

bool RecordFiles::drop_file(const std::string& task) const {
  const fs::path file = path_of(task);
  std::error_code error;
  const bool was_there = fs::exists(file, error) && fs::remove(file, error);
  if (error) throw IoError::from_errno("can't be removed", file, error.value());
  return was_there;
}

const RecordFiles::Entry* RecordFiles::find(const std::string& task) {
  auto entry = entries_.find(task);
  if (entry == entries_.end() && Clock::now() - refreshed_ >= kLongestAge) {
    refresh();
    entry = entries_.find(task);
  }
  return entry == entries_.end() ? nullptr : &entry->second;
}

// Journals have consecutive numbers, so that none must be looked for in a large folder.
void RecordFiles::refresh() {
  refreshed_ = Clock::now();
  for (std::size_t journal = 0;; ++journal) {
    const auto identity = identity_of(journal_path(journal));
    if (!identity) return journals_.resize(std::min(journals_.size(), journal));
    if (journal == journals_.size()) journals_.emplace_back();
    // Another process has compacted them.
    if (journals_[journal].inode != identity->inode) journals_[journal] = {identity->inode, 0};
    read_journal(journal);
  }
}

void RecordFiles::read_journal(std::size_t journal) try {
  const fs::path path = journal_path(journal);
  auto& [inode, read_bytes, last] = journals_[journal];
  const auto size = size_if_exists(path);
  if (!size || *size == 0) return;
  InputFile file(path);
  if (!holds_at_end(file, read_bytes, last)) {
    read_bytes = 0;
    last.clear();
  }
  if (*size <= read_bytes) return;
  file.seek(read_bytes);
  std::string bytes(*size - read_bytes, '\0');
  bytes.resize(file.read(bytes));
  // One that is still being written is read the next time.
  std::size_t begin = 0;
  for (std::size_t end; (end = bytes.find(kDocumentEnd, begin)) != std::string::npos; begin = end) {
    end += kDocumentEnd.size();
    take(std::string_view(bytes).substr(begin, end - begin), journal);
  }
  read_bytes += begin;
  if (begin != 0) last = bytes.substr(0, begin).substr(begin - std::min(begin, kEndBytes));
} catch (const IoError& error) {
  if (!error.is_missing()) throw;  // another process has just compacted it
}

void RecordFiles::take(std::string_view document, std::size_t journal) {
  std::string task = task_of(document);
  if (task.empty()) return;
  Entry entry{State::kRecorded, std::string(document), journal};
  if (document.find("\n  \"state\": ") != std::string_view::npos) {
    try {
      const Json json = parse_sealed(document, {});
      entry.state = json.at(kState).text() == kRemovedState ? State::kRemoved : State::kWithdrawn;
    } catch (const FormatError&) {
      entry.state = State::kWithdrawn;
    }
  }
  entries_.insert_or_assign(std::move(task), std::move(entry));
}

// By another process: the own journal has no name any more.
bool RecordFiles::is_compacted() const {
  struct stat status {};
  return own_file_.is_open() && ::fstat(own_file_.number(), &status) == 0 && status.st_nlink == 0;
}

// Several processes may make theirs at once.
void RecordFiles::open_journal() {
  if (is_compacted()) own_file_.reset();
  if (own_file_.is_open()) return;
  do {
    refresh();
    own_ = journals_.size();
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
    own_file_ = FileDescriptor(::open(journal_path(own_).c_str(), kFlags, 0666));
    if (!own_file_.is_open() && errno != EEXIST) {
      throw IoError::from_errno("can't be created", journal_path(own_), errno);
    }
  } while (!own_file_.is_open());
  sync_folder(folder_);
}

// After an error, the end may be torn: the next call begins another journal.
void RecordFiles::append_all(const std::string& bytes) {
  if (bytes.empty()) return;
  open_journal();
  try {
    own_file_.write(bytes, journal_path(own_));
    if (::fsync(own_file_.number()) != 0) throw IoError::from_errno("can't be written", journal_path(own_), errno);
  } catch (const IoError&) {
    own_file_.reset();
    throw;
  }
  refresh();
  if (journals_.size() > own_ && !is_compacted()) return;
  own_file_.reset();
  append_all(bytes);
}

void RecordFiles::append_state(const std::string& task, const char* state) {
  append_all(seal(Json::object().add("task", task).add(kState, state)));
}

}  // namespace bertprep
