// PendingFile: an unfinished file that gets its name only when complete.
//
// A file is flushed to disk before it gets its name. After a power failure, a final name thus means a complete file,
// and a completion record, which is written later, never vouches for lost bytes.
#pragma once

#include <filesystem>
#include <string>

namespace bertprep {

class PendingFile {
 public:
  // The file is written at path(), inside `partial_folder`, which must be on the same file system as `final_path`.
  PendingFile(std::filesystem::path final_path, const std::filesystem::path& partial_folder);
  // Is written at `path`, and stays there unless it is published: for another process to continue.
  static PendingFile kept_at(std::filesystem::path path, std::filesystem::path final_path);
  // Removes the unfinished file unless it was published.
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& final_path() const { return final_path_; }

  // Flushes the finished file to disk; publish() does so unless it was done. Throws IoError.
  void sync();
  // Starts flushing without waiting. After starting several files, the first sync() takes most of the time.
  void start_sync() const;
  // Renames the file to its final name, replacing an older one. Throws IoError.
  void publish();
  // Gives up ownership of the file: it stays at its path.
  void release() { path_.clear(); }

 private:
  PendingFile() = default;

  std::filesystem::path final_path_;
  std::filesystem::path path_;
  bool synced_ = false;
  bool is_kept_ = false;
};

// Writes a small file atomically: to `partial_folder`, then renames it. Does not flush to disk: for documents that are
// sealed (json.h) or dispensable.
void publish_bytes(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                   const std::string& bytes);

// The same, and flushes the file and its name to disk. Throws IoError.
void publish_durably(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                     const std::string& bytes);

// Publishes a small file unless the name exists; then returns false. Of several processes, even on several machines,
// one wins (link(2)); on file systems without links, the last one.
bool publish_first(const std::filesystem::path& final_path, const std::filesystem::path& partial_folder,
                   const std::string& bytes);

// Makes one finished file durable; a full disk of a network file system is reported here. Throws IoError.
void sync_file(const std::filesystem::path& path);

// Flushes everything written to the file system of `folder` to disk. Throws IoError.
void sync_file_system(const std::filesystem::path& folder);

// Makes the names in `folder` durable. Throws IoError.
void sync_folder(const std::filesystem::path& folder);

// Whether killed processes of this machine left files in `partial_folder`; the second removes them.
bool has_abandoned_files(const std::filesystem::path& partial_folder);
void remove_abandoned_files(const std::filesystem::path& partial_folder);

}  // namespace bertprep
