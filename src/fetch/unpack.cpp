#include "fetch/unpack.h"

#include "io/file_system.h"
#include "io/folder.h"
#include "io/pending_file.h"
#include "stream/archive.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::string stem_of(const fs::path& archive) {
  const std::string name = archive.filename().string();
  return name.substr(0, name.find('.', 1));
}

fs::path path_of(const UnpackTask& task, const WantedMember& member) {
  return task.folder / (member.is_pattern() ? stem_of(task.archive) : member.name);
}

// A record names the archive and its digest.
std::string source_of(const UnpackTask& task) {
  return task.archive.filename().string() + " " + task.archive_mark;
}

bool is_from(const std::string& source, const UnpackTask& task) {
  if (!task.archive_mark.empty()) return source.ends_with(" " + task.archive_mark);
  return task.archive.empty() || source.starts_with(source_of(task));
}

// The path of a member, relative to a folder. Refuses one that leads out of it.
fs::path inside(const std::string& path, const fs::path& archive) {
  const fs::path relative = fs::path(path).relative_path().lexically_normal();
  if (relative.empty() || *relative.begin() == "..") throw FormatError("has a member '" + path + "'", archive);
  return relative;
}

class Unpacker final : public MemberVisitor {
 public:
  Unpacker(const UnpackTask& task, Progress& progress) : task_(task), progress_(progress) {
    for (const WantedMember& member : task.members) {
      pending_.emplace_back(path_of(task, member), task.state_folder);
      if (member.is_pattern()) remove_left_folders(pending_.back().path());
    }
    found_.resize(task.members.size());
  }
  ~Unpacker() override {
    std::error_code error;
    for (const PendingFile& pending : pending_) {
      if (!pending.path().empty()) remove_tree(pending.path(), error);
    }
  }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  Choice begin(const VisitedMember& member) override {
    const std::string path = member.path.starts_with("./") ? member.path.substr(2) : member.path;
    for (std::size_t i = 0; i < task_.members.size(); ++i) {
      const WantedMember& wanted = task_.members[i];
      if (wanted.is_pattern() && matches_pattern(path, wanted.path)) return take_one_of(i, path, member.bytes);
      const bool same = path == wanted.path || path.ends_with("/" + wanted.path);
      if (!wanted.is_pattern() && same && !found_[i]) return take(i, pending_[i].path(), member.bytes);
    }
    return has_archive_ending(path) ? Choice::kEnter : Choice::kSkip;
  }

  void bytes(std::string_view block) override {
    if (progress_.cancelled()) throw Cancelled();
    file_->write(block);
    progress_.advance(block.size());
  }

  void end() override {
    const WantedMember& member = task_.members[index_];
    const std::string problem = contradiction(member.facts, file_->finish());
    if (!member.is_pattern() && !problem.empty()) throw FormatError(member.path + " " + problem, task_.archive);
    found_[index_] = true;
    file_.reset();
  }

  void publish() {
    for (std::size_t i = 0; i < task_.members.size(); ++i) {
      if (found_[i]) continue;
      throw FormatError("has no member '" + task_.members[i].path + "'", task_.archive,
                        "check that it is the right archive");
    }
    sync_file_system(task_.state_folder);
    for (std::size_t i = 0; i < task_.members.size(); ++i) publish(i);
  }

 private:
  void publish(std::size_t i) {
    const fs::path target = pending_[i].final_path();
    if (!task_.members[i].is_pattern()) {
      pending_[i].publish();
      save_record({{fs::file_size(target)}, source_of(task_), true}, target, task_.state_folder);
      return;
    }
    if (fs::exists(target)) {
      const fs::path old = pending_[i].path().string() + ".old";
      fs::rename(target, old);
      remove_tree(old);
    }
    pending_[i].publish();
    save_folder_record(source_of(task_), target, task_.state_folder);
  }

  Choice take_one_of(std::size_t index, const std::string& path, std::uint64_t bytes) {
    const fs::path file = pending_[index].path() / inside(path, task_.archive);
    fs::create_directories(file.parent_path());
    return take(index, file, bytes);
  }

  Choice take(std::size_t index, const fs::path& file, std::uint64_t bytes) {
    const std::uint64_t free = fs::space(task_.state_folder).available;
    if (bytes > free) {
      throw IoError("has no room for " + std::to_string(bytes) + " more bytes: " + std::to_string(free) + " are free",
                    task_.folder, "free some space, or choose another folder");
    }
    index_ = index;
    file_.emplace(file, task_.members[index].facts, task_.article_lines);
    return Choice::kTake;
  }

  // Removes what a killed process left; the lock guarantees that no other process is unpacking this.
  static void remove_left_folders(const fs::path& mine) {
    std::string prefix = mine.filename().string();
    prefix = prefix.substr(0, prefix.rfind('.'));
    prefix = prefix.substr(0, prefix.rfind('.') + 1);
    std::error_code error;
    for (const auto& entry : list_folder(mine.parent_path())) {
      if (entry.path().filename().string().starts_with(prefix)) remove_tree(entry.path(), error);
    }
  }

  const UnpackTask& task_;
  Progress& progress_;
  std::vector<PendingFile> pending_;
  std::vector<bool> found_;
  std::size_t index_ = 0;
  std::optional<MemberWriter> file_;
};

}  // namespace

bool has_archive_ending(std::string_view name) {
  for (const std::string_view ending : {".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

void MemberWriter::write(std::string_view block) {
  meter_.update(block);
  if (!has_breaks_) return file_.write(block);
  buffer_.clear();
  breaks_.append(block, buffer_);
  file_.write(buffer_);
}

FileFacts MemberWriter::finish() {
  file_.finish();
  return meter_.finish();
}

std::vector<fs::path> unpacked_files(const UnpackTask& task) {
  std::vector<fs::path> files;
  for (const WantedMember& member : task.members) files.push_back(path_of(task, member));
  return files;
}

bool is_unpacked(const UnpackTask& task) {
  for (const WantedMember& member : task.members) {
    const auto from = find_origin(path_of(task, member), task.state_folder);
    if (!from || !is_from(*from, task)) return false;
  }
  return true;
}

std::vector<fs::path> unpack(const UnpackTask& task, Progress& progress) {
  const ProcessLock lock(task.state_folder / (task.archive.filename().string() + ".unpack"), progress);
  if (!is_unpacked(task)) {
    remove_abandoned_files(task.state_folder);
    std::uint64_t total = 0;
    for (const WantedMember& member : task.members) total += member.facts.size_bytes;
    progress.begin("unpack", total, "bytes");
    Unpacker unpacker(task, progress);
    visit_archive(task.archive, unpacker);
    unpacker.publish();
    progress.end();
  }
  return unpacked_files(task);
}

}  // namespace bertprep
