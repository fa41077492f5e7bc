// EarlierRun: what an earlier call of the same run has left, and what remains to be done.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/run_plan.h"

namespace bertprep {

// A finished stage of an earlier call with the same recipe and input.
struct EarlierStage {
  std::optional<CompletionRecord> record;
  bool is_complete = false;  // and its files have their recorded sizes
  std::string why_not;       // without a record: why the stage must be done
};

struct EarlierRun {
  InputDigest input;  // if a record of the formatted file exists, without --force
  EarlierStage format;
  std::string text_of_other_input;  // the digest of the existing text, if it is one
  bool lacks_report = false;        // the templates' report asked for is not that of the formatted file
  EarlierStage shard;
  bool results_are_done = false;  // of the last stage

  bool needs_text_shards() const { return !results_are_done && !shard.is_complete; }
  bool needs_format() const { return lacks_report || (needs_text_shards() && !format.is_complete); }
};

// Hashes the inputs if there is a record for comparison. The formatted file gives the number of articles, which
// completes `plan`. Throws IoError, FormatError, Cancelled.
EarlierRun find_earlier_run(RunPlan& plan, Progress& progress);

// The stages before it is known which results exist, and then: those found done take no time.
std::vector<ExpectedSpan> expected_stages(const RunPlan& plan);
std::vector<ExpectedSpan> expected_stages(const RunPlan& plan, const EarlierRun& earlier);

// Throws FormatError if `earlier` is text of another input whose finished dataset would be refused after formatting,
// when its text were gone.
void refuse_replacing_text(const EarlierRun& earlier, const RunPlan& plan);

// Withdraws damaged results of earlier calls, so that they are made again. False: there were none.
bool withdraw_damaged(const RunPlan& plan, Progress& progress);

}  // namespace bertprep
