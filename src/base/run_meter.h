// RunMeter: computes the progress and remaining time of a run from the calls of a Progress.
//
// An observer passes its calls on to the meter with the time in seconds, by a monotonic clock. Not thread-safe.
//
// The share is a share of time. A span's expected time counts until the span shows its own rate; later spans are then
// assumed to be off by the same factor. Such corrections change how fast the share grows; it never decreases.
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
  // Recent rate of the current span, in units per second; nothing if it has just begun.
  std::optional<double> rate(double now) const;
  RunShare share(double now) const;

 private:
  // The amount done at a time.
  struct Mark {
    double time = 0;
    double done = 0;
  };

  void move_marks(double now);
  double share_of_span() const;
  bool is_rate_known(double now) const;
  double span_seconds(double now) const;
  double slowness(double now) const;
  double later_seconds(double now) const;
  void count(double share_before, double now);

  std::vector<ExpectedSpan> spans_;  // of the whole run, including finished ones
  std::size_t next_ = 0;             // the first that has not begun
  double fraction_ = 0;

  std::string stage_;  // the current span
  std::string unit_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  ExpectedSpan expected_;
  bool is_running_ = false;
  double begun_ = 0;
  Mark earlier_;
  Mark later_;

  // Of the finished spans.
  double expected_seconds_ = 0;
  double real_seconds_ = 0;
};

}  // namespace bertprep
