#include "console/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "console/process.h"

namespace bertprep::cli {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval{200};
constexpr std::chrono::seconds kPlainInterval{15};
// More rejected records than this are only counted; the rejects file lists all of them.
constexpr std::uint64_t kShownRejects = 5;
// Remarks shown of each kind.
constexpr std::uint64_t kShownRemarks = 5;

bool is_of_field(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// The name of the field that stands in backticks at the beginning of `text`, or nothing.
std::string_view field_at(std::string_view text) {
  const std::size_t end = text.find('`', 1);
  if (end == std::string_view::npos || end == 1) return {};
  const std::string_view name = text.substr(1, end - 1);
  return std::ranges::all_of(name, is_of_field) ? name : std::string_view();
}

}  // namespace

std::string in_flags(std::string_view text) {
  constexpr std::string_view kOff = " false";
  std::string shown;
  for (std::size_t mark = text.find('`'); mark != std::string_view::npos; mark = text.find('`')) {
    shown += text.substr(0, mark);
    text.remove_prefix(mark);
    std::string name(field_at(text));
    if (name.empty()) {
      shown += '`';
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(name.size() + 2);
    const bool is_off = text.starts_with(kOff);
    if (is_off) text.remove_prefix(kOff.size());
    std::ranges::replace(name, '_', '-');
    shown += (is_off ? "--no-" : "--") + name;
  }
  return shown += text;
}

Console::Console(const ConsoleOptions& options) : options_(options), line_(options.json) {
  if (!line_.is_on_terminal()) shown_ = started_;  // on a terminal the first line is shown at once
}

double Console::now() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

void Console::expect(std::span<const ExpectedSpan> spans) {
  meter_.expect(spans);
}

void Console::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  meter_.begin(stage, total, unit, now());
  skipped_ = 0;
  if (options_.json) JsonEvent("begin").text("stage", stage).number("total", total).text("unit", unit).print();
  show_now_and_then();
}

void Console::advance(std::uint64_t amount) {
  meter_.advance(amount, now());
  show_now_and_then();
}

void Console::skipped(const SkippedRecord& record) {
  if (options_.json) JsonEvent("rejected").text("where", record.where).text("reason", in_flags(record.reason)).print();
  if (++skipped_ <= kShownRejects || options_.verbose) say("rejected: " + record.where + ": " + record.reason);
  if (skipped_ == kShownRejects + 1 && !options_.verbose)
    say("further rejected records are only counted (-v shows all)");
}

void Console::remarked(const RecordRemark& remark) {
  if (options_.json) JsonEvent("remark").text("where", remark.where).text("text", in_flags(remark.text)).print();
  const std::uint64_t number = remarks_.add(remark.text);
  if (number <= kShownRemarks || options_.verbose) say(remark.where + ": " + remark.text);
  if (number == kShownRemarks + 1 && !options_.verbose) {
    say("further ones are only counted (-v shows all): " + std::string(kind_of_reason(remark.text)));
  }
}

void Console::sum_up_remarks() {
  for (const auto& [kind, times] : remarks_.by_reason()) {
    if (times > kShownRemarks) say(grouped(times) + " in all: " + kind);
  }
  remarks_ = {};
}

void Console::note(std::string_view text) {
  if (options_.json) JsonEvent("note").text("text", in_flags(text)).print();
  say(std::string(text));
}

void Console::end() {
  meter_.end(now());
  sum_up_remarks();
  if (options_.json) JsonEvent("end").text("stage", meter_.stage()).number("done", meter_.done()).print();
  // Output after the last span must not follow the line.
  const RunShare share = meter_.share(now());
  if (share.stage >= share.stages) line_.clear();
}

bool Console::cancelled() const {
  return signal_received() != 0;
}

std::optional<RunShare> Console::run_share() const {
  return meter_.share(now());
}

void Console::say(const std::string& line) {
  if (options_.quiet) return;
  line_.print_above(in_flags(line));
}

void Console::print(const JsonEvent& event) const {
  if (options_.json) event.print();
}

void Console::print(const JsonEvent& event, const std::string& line) const {
  print(event);
  if (options_.json) return;
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

ProgressFigures Console::figures() const {
  const double time = now();
  return {meter_.stage(), meter_.unit(), meter_.done(), meter_.total(), meter_.rate(time), meter_.share(time)};
}

void Console::show_now_and_then() {
  const auto time = Clock::now();
  if (time - shown_ < (line_.is_on_terminal() ? std::chrono::milliseconds(kTerminalInterval) : kPlainInterval)) return;
  shown_ = time;
  const ProgressFigures figures = this->figures();
  if (options_.json) print_event(figures);
  if (!options_.quiet) line_.show(figures);
}

void Console::print_event(const ProgressFigures& figures) {
  JsonEvent event("progress");
  event.text("stage", figures.stage).number("done", figures.done).number("total", figures.total);
  event.text("unit", figures.unit);
  if (figures.rate) event.real("rate", *figures.rate);
  event.real("run_fraction", figures.run.fraction);
  if (figures.run.seconds_left) event.real("run_seconds_left", *figures.run.seconds_left);
  event.number("step", figures.run.stage).number("steps", figures.run.stages).print();
}

void require_stdout_written() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw IoError::from_errno("can't be written", "stdout", errno == 0 ? EIO : errno);
  }
}

}  // namespace bertprep::cli
