// Console: progress and messages on stderr, machine-readable events on stdout.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/run_meter.h"
#include "console/json_event.h"
#include "console/status_line.h"

namespace bertprep::cli {

// The program's exit statuses; scripts rely on the numbers.
enum ExitStatus : int {
  kDone = 0,
  kFailed = 1,
  kUsage = 2,
  kTooManyRejects = 3,  // finished, but more records were rejected than --max-rejects allows
  kDataOutOfRange = 4,  // finished, but the data is out of a range, with --strict-data
  kRunning = 5,         // `status`: a process works on it
  kWaiting = 6,         // `status`: its jobs wait in the queue of their engine
  kTryAgain = 75,       // an input or output error that may be temporary; the same command resumes (EX_TEMPFAIL)
  kInterrupted = 130,   // SIGINT; 143 for SIGTERM. The same command resumes
};

// Where no stage names itself.
inline constexpr const char* kOutOfMemory = "out of memory; give smaller files or options, or more memory";

// What the library says (bertprep/base/error.h), as users of the command line read it: `max_article` as --max-article,
// `lower_case` false as --no-lower-case.
std::string in_flags(std::string_view text);

struct ConsoleOptions {
  bool quiet = false;    // errors only
  bool verbose = false;  // every rejected record, not only the first few
  bool json = false;     // one JSON object per event on stdout
};

class Console final : public Progress {
 public:
  explicit Console(const ConsoleOptions& options);

  void expect(std::span<const ExpectedSpan> spans) override;
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit) override;
  void advance(std::uint64_t amount) override;
  void skipped(const SkippedRecord& record) override;
  void remarked(const RecordRemark& remark) override;
  void note(std::string_view text) override;
  void end() override;
  bool cancelled() const override;
  std::optional<RunShare> run_share() const override;

  // Prints a message for the user; nothing with --quiet.
  void say(const std::string& line);
  // Prints an event, or with another text that line, to stdout: the event with --json, the line without.
  void print(const JsonEvent& event) const;
  void print(const JsonEvent& event, const std::string& line) const;
  const ConsoleOptions& options() const { return options_; }

 private:
  using Clock = std::chrono::steady_clock;
  double now() const;
  ProgressFigures figures() const;
  void sum_up_remarks();
  void show_now_and_then();
  static void print_event(const ProgressFigures& figures);

  ConsoleOptions options_;
  StatusLine line_;
  RunMeter meter_;
  std::uint64_t skipped_ = 0;
  ReasonCounts remarks_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_;
};

// A full disk of a redirected stdout shows only here, at the end. Throws IoError.
void require_stdout_written();

}  // namespace bertprep::cli
