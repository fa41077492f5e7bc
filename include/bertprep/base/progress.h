// Progress: the observer a long call reports to.
//
// The library never prints. It calls these methods instead, one call at a time even when it runs several threads, so an
// implementation needs no lock. Every method does nothing by default: a plain Progress is silent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

// ReasonCounts: how many records were left out, for each reason.

// The kind of a reason, by which records are counted: "broken JSON" for "broken JSON: a string is not closed". The text
// after ": ", " at byte " or " (" describes only the one record.
std::string_view kind_of_reason(std::string_view reason);

class ReasonCounts {
 public:
  // The maximum number of kinds that are counted separately; further kinds count as kOther.
  static constexpr std::size_t kMaxKinds = 50;
  static constexpr const char* kOther = "other reasons";

  // Counts the kind of the reason; returns its count so far.
  std::uint64_t add(std::string_view reason, std::uint64_t times = 1);
  void add(const ReasonCounts& more);

  std::uint64_t total() const;
  bool is_empty() const { return counts_.empty(); }
  // Ordered by the bytes of the reasons, so the result does not depend on the order of the calls.
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

// A remark about one record or file that is not an error: its encoding was guessed, it is not read.
struct RecordRemark {
  std::string where;  // "books/a.txt"
  std::string text;   // counted by its kind (kind_of_reason)
};

// A span of future work.
struct ExpectedSpan {
  std::string stage;        // as begin() will name it
  double seconds = 0;       // an estimate, relative to the others; 0: already done
  bool is_network = false;  // its duration says nothing about the others
};

// How far a whole run is.
struct RunShare {
  double fraction = 0;                 // from 0 to 1; never decreases
  std::optional<double> seconds_left;  // until the end of the run; empty while unknown
  std::uint64_t stage = 0;             // the number of the current span, from 1
  std::uint64_t stages = 0;
};

class Progress {
 public:
  virtual ~Progress() = default;

  // Announces the next spans in order, before the first of them begins. They replace earlier spans of the same names
  // and come before the rest.
  virtual void expect(std::span<const ExpectedSpan> spans);
  // A stage starts. `total` is in `unit` ("bytes", "shards"); 0 when unknown.
  virtual void begin(std::string_view stage, std::uint64_t total, std::string_view unit);
  // `amount` more units of the current stage are done.
  virtual void advance(std::uint64_t amount);
  virtual void skipped(const SkippedRecord& record);
  // May be called for every record: show a few and count the rest.
  virtual void remarked(const RecordRemark& remark);
  // Information that is not an error: "nothing to do, all 512 shards exist".
  virtual void note(std::string_view text);
  virtual void end();

  // Polled from any thread; true makes the call stop with Cancelled.
  virtual bool cancelled() const;

  // How far the run is, if this observer computes it (RunMeter); called between the calls above.
  virtual std::optional<RunShare> run_share() const;
};

}  // namespace bertprep
