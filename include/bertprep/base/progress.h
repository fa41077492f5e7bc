// Progress: the observer a long call reports to.
//
// The library never prints. It calls these methods, one call at a time even when it works in several threads, so an
// implementation needs no lock. Every method has an empty default: a plain Progress is a silent one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

// ReasonCounts: how many records were left out, for each reason.

// What of a reason is counted: "broken JSON" of "broken JSON: a string is not closed". What stands behind ": ", " at
// byte " or " (" is told of the record alone.
std::string_view kind_of_reason(std::string_view reason);

class ReasonCounts {
 public:
  // At most so many kinds are told apart; what comes later counts as kOther.
  static constexpr std::size_t kMostKinds = 50;
  static constexpr const char* kOther = "other reasons";

  // Counts the kind of the reason; gives how often it was counted by now.
  std::uint64_t add(std::string_view reason, std::uint64_t times = 1);
  void add(const ReasonCounts& more);

  std::uint64_t total() const;
  bool is_empty() const { return counts_.empty(); }
  // Ordered by the bytes of the reasons, so that it is the same whatever came first.
  const std::map<std::string, std::uint64_t, std::less<>>& by_reason() const { return counts_; }
  // "12 redirects, 1 broken JSON": the most frequent first.
  std::string text() const;

  bool operator==(const ReasonCounts&) const = default;

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

// A record that was left out, and why. It is also written to the rejects file of its stage.
struct SkippedRecord {
  std::string where;   // "file.jsonl:120", "page 'Anarchism' (id 12)"
  std::string reason;  // "no field 'text'"
};

// Something about one record or file that is no fault of the run: a guess at its encoding, a file that is not read.
struct RecordRemark {
  std::string where;  // "books/a.txt"
  std::string text;   // counted by its kind (reason_counts.h)
};

// A stretch of work that is to come.
struct ExpectedStretch {
  std::string stage;        // as begin() will name it
  double seconds = 0;       // about as long as it takes, beside the others; 0: it is done already
  bool is_network = false;  // how long it takes says nothing of the others
};

// Where a whole run is.
struct RunShare {
  double fraction = 0;                 // from 0 to 1; never less than before
  std::optional<double> seconds_left;  // until its end; nothing while that can't be told
  std::uint64_t stage = 0;             // the number of the present stretch, from 1 on
  std::uint64_t stages = 0;
};

class Progress {
 public:
  virtual ~Progress() = default;

  // What comes next, in this order; known before the first of it begins. It takes the place of what was expected under
  // the same names, and comes before the rest.
  virtual void expect(std::span<const ExpectedStretch> stretches);
  // A stage starts. `total` is in `unit` ("bytes", "shards"); 0 when it is not known.
  virtual void begin(std::string_view stage, std::uint64_t total, std::string_view unit);
  // `amount` more units of the current stage are done.
  virtual void advance(std::uint64_t amount);
  virtual void skipped(const SkippedRecord& record);
  // May come for every record: show a few and count the rest.
  virtual void remarked(const RecordRemark& remark);
  // Something worth knowing that is no error: "nothing to do, all 512 shards are there".
  virtual void note(std::string_view text);
  virtual void end();

  // Asked now and then, from any thread; true makes the call stop with Cancelled.
  virtual bool cancelled() const;

  // Where the run is as this observer has worked it out, if it does (RunMeter); asked between the calls above.
  virtual std::optional<RunShare> run_share() const;
};

}  // namespace bertprep
