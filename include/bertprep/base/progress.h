// Progress: the observer a long call reports to.
//
// The library never prints. It calls these methods, one call at a time even when it works in several threads, so an
// implementation needs no lock. Every method has an empty default: a plain Progress is a silent one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bertprep {

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

class Progress {
 public:
  virtual ~Progress() = default;

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
};

}  // namespace bertprep
