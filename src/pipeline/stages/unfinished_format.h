// UnfinishedFormat: what a killed process leaves of a formatted file, so that the next one resumes after the last
// document that was written (docs/formats/completion-record.md).
#pragma once

#include <utility>

#include "io/process.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/stages/format_pass.h"

namespace bertprep {

// What a formatted file is made of and how: a checkpoint of another one is not used.
struct FormatIdentity {
  CompletionRecord record;  // its recipe, and in its counts the file of templates that was made
  std::string inputs;       // versions_of() them
  std::string index;        // the sentence splitter; empty: no index
};

// The first bytes of a file.
struct WrittenPart {
  std::uint64_t bytes = 0;
  std::string digest;  // XXH3; of the formatted file, SHA-256
};

struct FormatCheckpoint {
  FormatIdentity identity;
  ReadPlace place;
  FormatCounts counts;  // with the digests of what was written
  ReasonCounts rejected;
  WrittenPart text;
  WrittenPart origins;
  WrittenPart index;
  WrittenPart rejects;
};

// A checkpoint and what had been written then, to be continued.
struct FormatStart {
  FormatCheckpoint checkpoint;
  FormatState state;
  Xxh3 rejects;
};

class UnfinishedFormat {
 public:
  // Of the formatted file `name` in `folder`. Nothing if another process is making it, which holds it until it ends, or
  // if nothing can be held there.
  static std::optional<UnfinishedFormat> claim(const OutputFolder& folder, const std::string& name);
  // The file is finished: removes what a process that was killed thereafter has left. Does nothing if one is at work.
  static void remove_leftovers(const OutputFolder& folder, const std::string& name);

  // The last checkpoint, if `is_wanted` accepts what it is of, and the files hold what it says. Reads them.
  // `has_frames`: the text is compressed. Throws Cancelled.
  std::optional<FormatStart> find(const std::function<bool(const FormatIdentity&)>& is_wanted, bool has_frames,
                                  const Progress& progress) const;
  // Replaces the last one, for kills: a power failure may leave less in the files.
  void write(const FormatCheckpoint& checkpoint) const;
  // Removes the files, to begin again; the second also gives up the claim.
  void reset() const;
  void remove() const;

  std::filesystem::path text() const { return folder_ / "text"; }
  std::filesystem::path origins() const { return folder_ / "origins"; }
  std::filesystem::path index() const { return folder_ / "sentences"; }
  std::filesystem::path rejects() const { return folder_ / "rejects"; }

 private:
  UnfinishedFormat(std::filesystem::path folder, FileClaim claim)
      : folder_(std::move(folder)), claim_(std::move(claim)) {}
  std::filesystem::path checkpoint() const { return folder_ / "checkpoint.json"; }

  std::filesystem::path folder_;
  FileClaim claim_;
};

}  // namespace bertprep
