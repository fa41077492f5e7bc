#include "console/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "console/signals.h"
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

}  // namespace

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
