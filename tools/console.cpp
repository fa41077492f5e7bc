#include "console.h"

#include <unistd.h>

#include <cstdio>

#include "amounts.h"
#include "json_event.h"
#include "signals.h"

namespace bertprep::cli {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval{200};
constexpr std::chrono::seconds kPlainInterval{15};
// More rejected records than this are counted in silence; the rejects file names them all.
constexpr std::uint64_t kShownRejects = 5;
// So many remarks of each kind.
constexpr std::uint64_t kShownRemarks = 5;

}  // namespace

Console::Console(const ConsoleOptions& options) : options_(options), terminal_(::isatty(STDERR_FILENO) == 1) {}

void Console::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  stage_ = stage;
  unit_ = unit;
  total_ = total;
  done_ = 0;
  skipped_ = 0;
  started_ = shown_ = Clock::now();
  if (options_.json) JsonEvent("begin").text("stage", stage).number("total", total).text("unit", unit).print();
}

void Console::advance(std::uint64_t amount) {
  done_ += amount;
  const auto now = Clock::now();
  if (now - shown_ < (terminal_ ? std::chrono::milliseconds(kTerminalInterval) : kPlainInterval)) return;
  shown_ = now;
  show(false);
}

void Console::skipped(const SkippedRecord& record) {
  if (options_.json) JsonEvent("rejected").text("where", record.where).text("reason", record.reason).print();
  if (++skipped_ <= kShownRejects || options_.verbose) say("rejected: " + record.where + ": " + record.reason);
  if (skipped_ == kShownRejects + 1 && !options_.verbose)
    say("further rejected records are only counted (-v shows all)");
}

void Console::remarked(const RecordRemark& remark) {
  if (options_.json) JsonEvent("remark").text("where", remark.where).text("text", remark.text).print();
  const std::uint64_t number = remarks_.add(remark.text);
  if (number <= kShownRemarks || options_.verbose) say(remark.where + ": " + remark.text);
  if (number == kShownRemarks + 1 && !options_.verbose) {
    say("more of them are only counted (-v shows all): " + std::string(kind_of_reason(remark.text)));
  }
}

void Console::sum_up_remarks() {
  for (const auto& [kind, times] : remarks_.by_reason()) {
    if (times > kShownRemarks) say(grouped(times) + " in all: " + kind);
  }
  remarks_ = {};
}

void Console::note(std::string_view text) {
  if (options_.json) JsonEvent("note").text("text", text).print();
  say(std::string(text));
}

void Console::end() {
  show(true);
  sum_up_remarks();
  if (options_.json) JsonEvent("end").text("stage", stage_).number("done", done_).print();
}

bool Console::cancelled() const {
  return signal_received() != 0;
}

void Console::say(const std::string& line) {
  if (options_.quiet) return;
  clear_line();
  std::fprintf(stderr, "%s\n", line.c_str());
}

std::string Console::state_line(double seconds) const {
  const bool bytes = unit_ == "bytes";
  const auto amount = [&](std::uint64_t value) { return bytes ? bytes_text(value) : std::to_string(value); };
  std::string line = stage_ + "  " + amount(done_);
  if (total_ != 0) line += " of " + amount(total_);
  if (!bytes) line += " " + unit_;
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  line += bytes ? "  " + megabytes_per_second(done_, seconds) : "  " + decimal(rate, 1) + "/s";
  if (total_ > done_ && rate > 0) {
    line += "  " + duration_text(static_cast<double>(total_ - done_) / rate) + " left";
  }
  return line;
}

void Console::show(bool last) {
  const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  if (options_.json && !last)
    JsonEvent("progress").text("stage", stage_).number("done", done_).number("total", total_).print();
  if (options_.quiet) return;
  if (terminal_) {
    clear_line();
    if (last) return;
    std::fprintf(stderr, "%s", state_line(seconds).c_str());
    std::fflush(stderr);
    line_shown_ = true;
  } else if (!last) {
    std::fprintf(stderr, "%s\n", state_line(seconds).c_str());
  }
}

void Console::clear_line() {
  if (!line_shown_) return;
  std::fprintf(stderr, "\r\033[K");
  line_shown_ = false;
}

}  // namespace bertprep::cli
