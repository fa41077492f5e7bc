// Download: one file, from the first mirror that has it, to its name on this machine.
//
// It says which request to make next and receives the reply; the caller makes the requests and decides when.
// Bytes go to NAME.part in the state folder. A part is continued only if it certainly belongs to the same file: the
// same URL with the same ETag or date or, if the digest is known, any mirror with the same size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/failed_sources.h"
#include "fetch/file_facts.h"
#include "fetch/http_client.h"
#include "fetch/mirror_ring.h"
#include "io/resumable_file.h"

namespace bertprep {

// DownloadMeter: the bytes of several downloads as one span of progress.
class DownloadMeter {
 public:
  explicit DownloadMeter(Progress& progress) : progress_(progress) {}
  ~DownloadMeter() { end(); }
  DownloadMeter(const DownloadMeter&) = delete;
  DownloadMeter& operator=(const DownloadMeter&) = delete;

  // A download of `bytes` expected bytes; 0: not known yet.
  void expect(std::uint64_t bytes);
  // The size of one that was unknown; 0 if it stays unknown.
  void learn(std::uint64_t bytes);
  // Expected bytes already exist.
  void spare(std::uint64_t bytes);
  void advance(std::uint64_t bytes);
  // Received bytes are needed again: the span ends, and another one begins with the bytes still expected.
  void lose(std::uint64_t bytes);
  void end();

 private:
  Progress& progress_;
  std::uint64_t expected_bytes_ = 0;
  std::uint64_t done_bytes_ = 0;
  std::uint64_t unknown_ = 0;
  bool running_ = false;
};

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

class Download final : public HttpReceiver {
 public:
  using Clock = MirrorRing::Clock;

  Download(DownloadTask task, const RetryPolicy& policy, Progress& progress, DownloadMeter& meter);

  // Locks the part and reads what exists of it. False while another process has it. Throws IoError and Cancelled.
  bool acquire();
  bool is_done() const { return done_; }
  // The mirror to try next. Throws as throw_failed if none is left.
  MirrorRing::Choice next(Clock::time_point now) const;
  const std::string& url(std::size_t index) const { return ring_.url(index); }
  std::vector<FailedSource> failed_sources() const { return ring_.failed_sources(); }
  HttpRequest begin_try(std::size_t index);
  void end_try(const HttpOutcome& outcome, Clock::time_point now);

  // Gives up and removes the part.
  void abandon();

  bool begin(const HttpReply& reply) override;
  bool bytes(std::string_view block) override;

  std::string name() const { return task_.target.filename().string(); }

 private:
  std::filesystem::path part_path() const;
  std::filesystem::path state_path() const;
  bool begin_whole(const HttpReply& reply);
  bool begin_rest(const HttpReply& reply);
  bool refuse(Verdict::Kind kind, const std::string& reason, bool wrong_data = false);
  void read_part();
  void restart_part();
  void report_next_try(const std::string& reason, Clock::time_point now);
  bool has_room(std::uint64_t size_bytes);
  bool append(std::string_view block);
  bool release_disk(const std::string& reason);
  void remember(const HttpReply& reply, std::uint64_t size_bytes);
  std::uint64_t known_size() const;
  // How the part contradicts the known facts; empty if it doesn't.
  std::string fault();
  void finish_or(std::optional<std::size_t> index);
  void publish();

  DownloadTask task_;
  RetryPolicy policy_;
  Progress& progress_;
  DownloadMeter& meter_;
  MirrorRing ring_;
  std::optional<ResumableFile> part_{};
  PartState state_{};
  FactsMeter facts_meter_;
  FileFacts found_{};
  std::string head_{};  // the first bytes

  // Of the current try.
  std::size_t index_ = 0;
  HttpRequest request_{};
  std::optional<Verdict> verdict_{};  // why it was stopped
  bool wrong_data_ = false;
  bool restarted_ = false;              // the existing part proved useless: try again at once
  std::uint64_t unmeasured_bytes_ = 0;  // since free space was last checked
  std::uint64_t free_at_first_ = 0;     // on the disk

  std::uint64_t reached_ = 0;  // the size of the part at the last progress
  std::int64_t restarts_ = 0;
  bool stitched_ = false;  // the part comes from more than one response
  bool expected_ = false;  // the meter has counted it
  bool done_ = false;
};

// Downloads several files, with a limited number of connections to each host.

HttpSettings http_settings(const FetchOptions& options);
RetryPolicy retry_policy(const FetchOptions& options);

// Returns when all are complete and correct. Throws IoError, FormatError, Cancelled; unfinished parts stay for the next
// call.
void download_all(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                  Progress& progress);

// The same, but reports unavailable files as skipped and leaves them out.
void download_each(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                   Progress& progress);

}  // namespace bertprep
