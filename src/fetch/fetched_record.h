// What is known about a file: its size and digests; whether it begins as its name promises; and records of what was
// fetched and unpacked, so that it is not read again while its size and time are unchanged.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/digest.h"
#include "io/json.h"
#include "io/resumable_file.h"

namespace bertprep {

// Those that servers publish, the best first.
inline constexpr std::array kDigestKinds = {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5};

struct FileFacts {
  std::uint64_t size_bytes = 0;  // 0: unknown
  std::string sha256{};          // lower-case hex; empty: unknown
  std::string sha1{};
  std::string md5{};

  // By the keys "size", "sha256" and so on of an object.
  static FileFacts from_json(const Json& json);
  void add_digests_to(Json& json) const;

  const std::string& digest(DigestKind kind) const;
  void set_digest(DigestKind kind, std::string hex);
  bool has_digest() const { return !sha256.empty() || !sha1.empty() || !md5.empty(); }
  // Takes over what `known` has and this one lacks.
  void complete_by(const FileFacts& known);
};

// Computes all digests in `known`, and always SHA-256, of streamed bytes.
class FactsMeter {
 public:
  explicit FactsMeter(const FileFacts& known);
  void update(std::string_view bytes);
  // Don't update the object afterwards.
  FileFacts finish();

 private:
  std::uint64_t size_bytes_ = 0;
  std::vector<Digest> digests_;
};

// Reads the file. Throws IoError.
FileFacts facts_of_file(const std::filesystem::path& file, const FileFacts& known);

// How `found` contradicts `known`, in words; empty if it doesn't.
std::string contradiction(const FileFacts& known, const FileFacts& found);

// Whether a file begins as its name promises: the page of a captive portal is not an archive, nor a text.
inline constexpr std::size_t kMagicBytes = 64;

// How it does not, in words; empty if it does. `head`: the first kMagicBytes, fewer of a shorter file. `is_known`: a
// digest tells whether it is the file, which may be a page if its name promises nothing else.
std::string fault_of_head(std::string_view name, std::string_view head, bool is_known);

// A JSON file in the hidden folder next to the file.
struct FetchedRecord {
  FileFacts facts{};
  std::string from{};  // URL, or archive
  // This program downloaded or unpacked the file. False for files that it found or was given: these belong to the user.
  bool is_made = false;
};

// The record of the current file. Nothing if there is no record, or the file is missing or has changed since.
std::optional<FetchedRecord> find_record(const std::filesystem::path& file, const std::filesystem::path& state_folder);
// Throws IoError.
void save_record(const FetchedRecord& record, const std::filesystem::path& file,
                 const std::filesystem::path& state_folder);

// The archive that a file or folder was unpacked from, if it is unchanged since: a folder still has as many files with
// as many bytes.
std::optional<std::string> find_origin(const std::filesystem::path& unpacked,
                                       const std::filesystem::path& state_folder);
// Whether the folder has exactly the unpacked files: the same names, sizes and times, and no others.
bool is_as_unpacked(const std::filesystem::path& folder, const std::filesystem::path& state_folder);
void save_folder_record(const std::string& from, const std::filesystem::path& folder,
                        const std::filesystem::path& state_folder);

// Held by one process at a time. The constructor waits for the others; throws Cancelled.
class ProcessLock {
 public:
  ProcessLock(const std::filesystem::path& path, Progress& progress);
  ~ProcessLock();
  ProcessLock(const ProcessLock&) = delete;
  ProcessLock& operator=(const ProcessLock&) = delete;

 private:
  std::optional<ResumableFile> file_;
};

}  // namespace bertprep
