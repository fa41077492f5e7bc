#include "console/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "base/number_text.h"
#include "console/process.h"
#include "io/process.h"

namespace bertprep::cli {
namespace {

constexpr std::size_t kUsualColumns = 80;
constexpr const char* kClear = "\r\033[J";  // also clears below the cursor: the line may have been wrapped

// A terminal that can't move its cursor is treated as a file.
bool can_overwrite(int descriptor) {
  return ::isatty(descriptor) == 1 && environment_variable("TERM") != "dumb";
}

// Called each time, as windows are resized. The last column stays empty: some terminals wrap there.
std::size_t columns_of_terminal() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns - 1;
  return static_cast<std::size_t>(size.ws_col) - 1;
}

constexpr std::size_t kMinBar = 10;
constexpr std::size_t kMaxBar = 30;
constexpr std::size_t kPercentWidth = 5;
constexpr std::size_t kAmountWidth = 12;  // of "999.9 MB of "
constexpr std::size_t kRateWidth = 9;
constexpr std::size_t kLeftWidth = 16;  // of "59 min 59 s left"
constexpr const char* kGreen = "\033[32m";
constexpr const char* kPlain = "\033[0m";

// What fits on a line; the first has the most.
struct Shape {
  bool stages = true;
  bool bar = true;
  bool amount = true;
  bool rate = true;
  bool left = true;
};
constexpr std::array<Shape, 7> kShapes = {{
    {},
    {.amount = false},
    {.amount = false, .rate = false},
    {.bar = false, .amount = false, .rate = false},
    {.stages = false, .bar = false, .amount = false, .rate = false},
    {.stages = false, .bar = true, .amount = false, .rate = false, .left = false},
    {.stages = false, .bar = false, .amount = false, .rate = false, .left = false},
}};

std::string amount_of(const ProgressFigures& figures, std::uint64_t value) {
  return figures.unit == "bytes" ? bytes_text(value) : grouped(value);
}

std::string amount_text(const ProgressFigures& figures) {
  std::string text = amount_of(figures, figures.done);
  if (figures.total != 0) text += " of " + amount_of(figures, figures.total);
  if (figures.unit != "bytes") text += " " + figures.unit;
  return text;
}

std::string rate_text(const ProgressFigures& figures) {
  if (!figures.rate) return {};
  return figures.unit == "bytes" ? decimal(*figures.rate / 1e6, 1) + " MB/s" : decimal(*figures.rate, 1) + "/s";
}

// A run with a single span of unknown size has no share.
bool has_share(const ProgressFigures& figures) {
  return figures.total != 0 || figures.run.stages > 1;
}

// Growing numbers have the width of their maximum, so that the bar keeps its length.
std::string padded(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::vector<std::string> parts_behind_bar(const ProgressFigures& figures, const Shape& shape) {
  std::vector<std::string> parts;
  if (has_share(figures)) parts.push_back(padded(percent_text(figures.run.fraction), kPercentWidth));
  if (shape.amount || !has_share(figures)) parts.push_back(amount_text(figures));
  if (shape.rate && figures.rate) parts.push_back(rate_text(figures));
  if (shape.left && figures.run.seconds_left)
    parts.push_back(rounded_duration_text(*figures.run.seconds_left) + " left");
  return parts;
}

// The width reserved for them if they are shown, known yet or not.
std::size_t width_of_parts(const ProgressFigures& figures, const Shape& shape) {
  std::size_t width = kPercentWidth;
  if (shape.amount)
    width += 2 + std::max(amount_text(figures).size(), amount_of(figures, figures.total).size() + kAmountWidth);
  if (shape.rate) width += 2 + std::max(rate_text(figures).size(), kRateWidth);
  if (shape.left) width += 2 + kLeftWidth;
  return width;
}

std::string bar_text(double fraction, std::size_t width, bool colour) {
  const std::size_t full = std::min(width, static_cast<std::size_t>(fraction * static_cast<double>(width)));
  const std::string done(full, '#');
  return "[" + (colour ? kGreen + done + kPlain : done) + std::string(width - full, '-') + "]";
}

std::string head_text(const ProgressFigures& figures, bool with_number) {
  if (!with_number || figures.run.stages <= 1) return figures.stage;
  return std::to_string(figures.run.stage) + "/" + std::to_string(figures.run.stages) + " " + figures.stage;
}

// "2/3 format [#####-----]  41 %  35.1 MB of 106.3 MB  25.3 MB/s  3 min 20 s left" for a terminal: at most `columns`
// wide; parts that don't fit are left out. With `colour`, it also has escape sequences of no width.
std::string terminal_line(const ProgressFigures& figures, std::size_t columns, bool colour) {
  for (const Shape& shape : kShapes) {
    const std::string head = head_text(figures, shape.stages) + "  ";
    const std::string tail = joined(parts_behind_bar(figures, shape), "  ");
    if (!shape.bar || !has_share(figures)) {
      if (head.size() + tail.size() <= columns) return head + tail;
      continue;
    }
    const std::size_t others = head.size() + width_of_parts(figures, shape) + 4;  // brackets and blanks of the bar
    if (others + kMinBar > columns) continue;
    return head + bar_text(figures.run.fraction, std::min(kMaxBar, columns - others), colour) + "  " + tail;
  }
  return (has_share(figures) ? percent_text(figures.run.fraction) : figures.stage).substr(0, columns);
}

// The same in full, for a file.
std::string plain_line(const ProgressFigures& figures) {
  std::string head = figures.stage;
  if (figures.run.stages > 1) {
    head = "stage " + std::to_string(figures.run.stage) + " of " + std::to_string(figures.run.stages) + ": " + head;
  }
  return head + "  " + joined(parts_behind_bar(figures, {}), "  ");
}

}  // namespace

std::string percent_text(double fraction) {
  return std::to_string(static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100)) + " %";
}

bool shows_colours(int descriptor) {
  return can_overwrite(descriptor) && environment_variable("NO_COLOR").empty();
}

StatusLine::StatusLine(bool prints_events)
    : is_on_terminal_(can_overwrite(STDERR_FILENO) && !(prints_events && ::isatty(STDOUT_FILENO) == 1)),
      has_colour_(is_on_terminal_ && shows_colours(STDERR_FILENO)) {}

StatusLine::~StatusLine() {
  clear();
}

void StatusLine::show(const ProgressFigures& figures) {
  figures_ = figures;
  if (!is_on_terminal_) {
    std::fprintf(stderr, "%s\n", plain_line(figures).c_str());
    return;
  }
  is_shown_ = true;
  draw();
}

void StatusLine::draw() const {
  const std::string text = kClear + terminal_line(figures_, columns_of_terminal(), has_colour_) + "\r";
  clear_line_when_ended(true);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void StatusLine::print_above(const std::string& text) {
  std::fprintf(stderr, "%s%s\n", is_shown_ ? kClear : "", text.c_str());
  if (is_shown_) draw();
}

void StatusLine::clear() {
  if (!is_shown_) return;
  std::fputs(kClear, stderr);
  std::fflush(stderr);
  clear_line_when_ended(false);
  is_shown_ = false;
}

}  // namespace bertprep::cli
