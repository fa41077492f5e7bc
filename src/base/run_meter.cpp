#include "base/run_meter.h"

#include <algorithm>

namespace bertprep {
namespace {

// Rates are unreliable before.
constexpr double kFirstSeconds = 1;
// Rates are measured over the last seconds or this part of the span, whichever is longer.
constexpr double kRateSeconds = 5;
constexpr double kRateShare = 1.0 / 3;
// From this share on, a span's rate predicts its whole duration.
constexpr double kTellingShare = 0.02;

}  // namespace

void RunMeter::expect(std::span<const ExpectedSpan> spans) {
  std::vector<ExpectedSpan> rest(spans_.begin() + static_cast<std::ptrdiff_t>(next_), spans_.end());
  spans_.resize(next_);
  for (const ExpectedSpan& span : spans) {
    const auto same =
        std::find_if(rest.begin(), rest.end(), [&](const ExpectedSpan& other) { return other.stage == span.stage; });
    // Spans before the same name in the earlier expectation are over, or are skipped.
    if (same != rest.end()) {
      spans_.insert(spans_.end(), rest.begin(), same);
      rest.erase(rest.begin(), same + 1);
    }
    spans_.push_back(span);
  }
  spans_.insert(spans_.end(), rest.begin(), rest.end());
}

void RunMeter::begin(std::string_view stage, std::uint64_t total, std::string_view unit, double now) {
  if (is_running_) end(now);
  const bool is_same = stage == stage_;
  stage_ = stage;
  unit_ = unit;
  total_ = total;
  done_ = 0;
  expected_ = {};
  is_running_ = true;
  begun_ = now;
  earlier_ = later_ = {now, 0};
  const auto planned = std::find_if(spans_.begin() + static_cast<std::ptrdiff_t>(next_), spans_.end(),
                                    [&](const ExpectedSpan& other) { return other.stage == stage; });
  if (planned != spans_.end()) {
    expected_ = *planned;
    next_ = static_cast<std::size_t>(planned - spans_.begin()) + 1;
  } else if (!is_same || next_ == 0) {  // not a second time the previous one, as a restarted download is
    spans_.insert(spans_.begin() + static_cast<std::ptrdiff_t>(next_), {std::string(stage), 0, false});
    ++next_;
  }
}

void RunMeter::advance(std::uint64_t amount, double now) {
  const double before = share_of_span();
  done_ += amount;
  if (total_ != 0) done_ = std::min(done_, total_);
  move_marks(now);
  count(before, now);
}

void RunMeter::end(double now) {
  if (!is_running_) return;
  const double before = share_of_span();
  is_running_ = false;
  if (!expected_.is_network && expected_.seconds > 0 && done_ != 0) {
    expected_seconds_ += expected_.seconds;
    real_seconds_ += now - begun_;
  }
  const double left = (1 - before) * span_seconds(now);
  const double later = later_seconds(now);
  fraction_ = left + later > 0 ? fraction_ + (1 - fraction_) * left / (left + later) : 1;
}

void RunMeter::move_marks(double now) {
  const double window = std::max(kRateSeconds, kRateShare * (now - begun_));
  if (now - later_.time < window) return;
  earlier_ = later_;
  later_ = {now, static_cast<double>(done_)};
}

std::optional<double> RunMeter::rate(double now) const {
  const double seconds = now - earlier_.time;
  if (seconds < kFirstSeconds || done_ == 0) return std::nullopt;
  return (static_cast<double>(done_) - earlier_.done) / seconds;
}

double RunMeter::share_of_span() const {
  return total_ == 0 ? 0 : static_cast<double>(done_) / static_cast<double>(total_);
}

// Whether enough of the current span is done to predict its whole duration.
bool RunMeter::is_rate_known(double now) const {
  return share_of_span() >= kTellingShare && rate(now).value_or(0) > 0;
}

// Duration of the whole current span.
double RunMeter::span_seconds(double now) const {
  if (is_rate_known(now)) return static_cast<double>(total_) / *rate(now);
  if (expected_.seconds > 0) return expected_.seconds * (expected_.is_network ? 1 : slowness(now));
  return total_ == 0 ? 0 : kFirstSeconds;
}

// How many times longer than expected the work has taken so far.
double RunMeter::slowness(double now) const {
  double expected = expected_seconds_;
  double real = real_seconds_;
  if (is_running_ && !expected_.is_network && expected_.seconds > 0 && is_rate_known(now)) {
    expected += expected_.seconds;
    real += static_cast<double>(total_) / *rate(now);
  }
  return expected > 0 && real > 0 ? real / expected : 1;
}

double RunMeter::later_seconds(double now) const {
  double seconds = 0;
  const double factor = slowness(now);
  for (std::size_t i = next_; i < spans_.size(); ++i) {
    seconds += spans_[i].seconds * (spans_[i].is_network ? 1 : factor);
  }
  return seconds;
}

void RunMeter::count(double share_before, double now) {
  const double all = span_seconds(now);
  const double left = (1 - share_before) * all + later_seconds(now);
  if (left <= 0) return;
  fraction_ += (1 - fraction_) * std::min(1.0, (share_of_span() - share_before) * all / left);
}

RunShare RunMeter::share(double now) const {
  RunShare share{fraction_, std::nullopt, next_, spans_.size()};
  const double later = later_seconds(now);
  const bool is_slowness_known = expected_seconds_ > 0;
  if (!is_running_) {
    if (is_slowness_known || later == 0) share.seconds_left = later;
  } else if (is_rate_known(now) || (is_slowness_known && expected_.seconds > 0)) {
    share.seconds_left = (1 - share_of_span()) * span_seconds(now) + later;
  }
  return share;
}

}  // namespace bertprep
