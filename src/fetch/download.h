// Downloads of files: each from the first mirror that has it, to its name on this machine.
//
// Bytes go to NAME.part in the state folder. A part is continued only if it certainly belongs to the same file: the
// same URL with the same ETag or date or, if the digest is known, any mirror with the same size.
#pragma once

#include "fetch/mirror_ring.h"

namespace bertprep {

// PartState: the file to which an unfinished download belongs. Stored as JSON next to the part.
struct PartState {
  std::string url{};
  std::string etag{};
  std::string last_modified{};
  std::uint64_t size_bytes = 0;  // of the complete file; 0: the server did not say

  // For the header If-Range: a strong ETag, else the date (RFC 9110, section 13.1.5); empty: it has neither.
  std::string validator() const;
  // Whether `reply` is for a different file: an ETag, date or size that both have differs.
  bool differs_from(const HttpReply& reply) const;
  // Whether `reply` proves to be for the same file.
  bool is_confirmed_by(const HttpReply& reply) const;
};

// Nothing if missing or unreadable: the part is then useless.
std::optional<PartState> load_part_state(const std::filesystem::path& path);
// Writes atomically. Throws IoError.
void save_part_state(const PartState& state, const std::filesystem::path& path);

struct DownloadTask {
  std::filesystem::path target;
  std::filesystem::path state_folder;  // on the same file system
  std::vector<std::string> urls;       // in order of preference
  FileFacts facts;
  bool note_unchecked = true;                    // whether to report a file without a known digest
  std::string copy_option = "`from_file` PATH";  // the option that takes the user's copy
  std::vector<FailedSource>* failed = nullptr;   // also told, if no mirror is left, what they said
  std::shared_ptr<const HttpCredentials> credentials{};
};

// With a limited number of connections to each host. Returns when all are complete and correct. Throws as throw_failed
// does, IoError, FormatError, Cancelled; unfinished parts stay for the next call. `skips_failures`: reports unavailable
// files as skipped instead, and leaves them out.
void download_all(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                  Progress& progress, bool skips_failures = false);

}  // namespace bertprep
