// RunMeter: from the calls of a Progress, how far the whole run is and how long it still takes.
//
// An observer passes its calls on to the meter, each with the time in seconds by a clock of its own that never goes
// back. Not thread-safe.
//
// The share of a run that is done is the share of its time: what was expected of a span counts until the span
// tells its own rate, and the spans behind it are then taken to be as fast or slow as it and those before it are.
// Whatever is found out changes how fast the share grows from there on, and never takes any of it back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

class RunMeter {
 public:
  void expect(std::span<const ExpectedSpan> spans);
  void begin(std::string_view stage, std::uint64_t total, std::string_view unit, double now);
  void advance(std::uint64_t amount, double now);
  void end(double now);

  const std::string& stage() const { return stage_; }
  const std::string& unit() const { return unit_; }
  std::uint64_t total() const { return total_; }  // 0: not known
  std::uint64_t done() const { return done_; }    // at most total()
  // Of the present span, lately, in units a second; nothing when it has only begun.
  std::optional<double> rate(double now) const;
  RunShare share(double now) const;

 private:
  // What was done at a time.
  struct Mark {
    double time = 0;
    double done = 0;
  };

  void take_expected();
  void move_marks(double now);
  double share_of_span() const;
  bool tells_rate(double now) const;
  double span_seconds(double now) const;
  double slowness(double now) const;
  double later_seconds(double now) const;
  void count(double share_before, double now);

  std::vector<ExpectedSpan> spans_;  // all of the run, those that are over included
  std::size_t next_ = 0;             // the first in them that has not begun
  double fraction_ = 0;

  std::string stage_;  // the present span
  std::string unit_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  ExpectedSpan expected_;
  bool is_running_ = false;
  double begun_ = 0;
  Mark earlier_;
  Mark later_;

  // Of the spans that are over.
  double expected_seconds_ = 0;
  double real_seconds_ = 0;
};

}  // namespace bertprep
