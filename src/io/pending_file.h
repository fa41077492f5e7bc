// PendingFile: an unfinished file that gets its name only when it is whole.
//
// A file is forced to the disk before it gets its name, so that after a power cut a final name means a whole file, and
// a completion record, which is written later, never vouches for bytes that were lost.
#pragma once

#include <filesystem>
#include <string>

namespace bertprep {

class PendingFile {
 public:
  // The file is written at path(), inside `partial_folder`, which must be on the same file system as `final_path`.
  PendingFile(std::filesystem::path final_path, const std::filesystem::path& partial_folder);
  // Removes the unfinished file unless it was published.
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& final_path() const { return final_path_; }

  // Forces the finished file to the disk; publish() does it unless it was done. Throws IoError.
  void sync();
  // Begins to, without waiting: of several files that are begun first, the first sync() takes the most of the time.
  void start_sync() const;
  // Renames the file to its final name, replacing an older one. Throws IoError.
  void publish();
  // Leaves the file to whoever knows its name.
  void release() { path_.clear(); }

 private:
  std::filesystem::path final_path_;
  std::filesystem::path path_;
  bool synced_ = false;
};

// Writes a small file whole: beside, then renamed. It is not forced to the disk: for documents that are sealed
// (json.h), or that nobody misses.
void publish_bytes(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                   const std::string& bytes);

// The same, and forced to the disk with its name. Throws IoError.
void publish_durably(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                     const std::string& bytes);

// Gives a small file its name unless there is one of this name already: of several processes that try, on several
// machines even, one wins (link(2)). False: there is one. On file systems without links the last one wins.
bool publish_first(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                   const std::string& bytes);

// Makes one finished file durable; a full disk behind a network file system shows here. Throws IoError.
void sync_file(const std::filesystem::path& path);

// Makes everything written to the file system of `folder` durable. Throws IoError.
void sync_file_system(const std::filesystem::path& folder);

// Makes the names in `folder` durable. Throws IoError.
void sync_folder(const std::filesystem::path& folder);

// Removes what killed processes of this machine left in `partial_folder`.
void remove_abandoned_files(const std::filesystem::path& partial_folder);

}  // namespace bertprep
