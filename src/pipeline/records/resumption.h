// Results of earlier calls: what differs from them, what remains to be done, and whose input they are of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/work/progress_report.h"

namespace bertprep {

struct TextShardFacts {
  std::uint64_t bytes = 0;
  std::string sha256;
  std::string xxh3{};  // empty: unknown; then the sha256 is compared when the text shard is read
};

// The instances of a run, or of a task of an array.
struct InstanceStep : InstanceTask {
  // One per text shard if already known: a text shard whose shards all exist is then not read, and may be gone.
  // Otherwise empty.
  std::vector<TextShardFacts> known{};
  // True: the folders must contain only these shards; those of another run are refused (or removed with --force).
  bool whole_dataset = false;
  // For the manifest: how the text was made, and what was left out of it.
  std::vector<std::pair<std::string, std::string>> provenance{};
  DroppedDocuments dropped{};
  std::vector<ManifestSource> sources{};
  // A task of an array processes every count-th text shard, starting with this one, and writes no manifest;
  // finish_shards() writes it when all tasks are done.
  ArrayShare share{};
};

// The first entry in which two recipes differ, in words.
std::string difference(const Json& before, const Json& now);

// Throws FormatError if a result of `task` from another recipe or input exists, saying what differs.
void refuse_other_result(const OutputFolder& folder, const std::string& task, const Recipe& recipe,
                         const std::string& key);

// Whether a record exists for which the inputs must be hashed first.
bool checks_input(const RunLayout& layout, const PipelineOptions& options);
// The number of missing shards of all phases, by the current recipe and the text shards in `task.known`.
std::size_t count_missing_shards(const InstanceStep& task, const PipelineOptions& options, const Vocab& vocab);

// The input of the instance stage, with the digests of the text shards if known.
InstanceStep instance_step(const RunLayout& layout, const PipelineOptions& options, const SentenceSplitter& splitter,
                           const std::optional<CompletionRecord>& shard, const std::string& text_sha256);

// TextClaim: from which inputs a run makes the formatted text of its name in WORK.
//
// Runs of the same name and work folder share their text. With other inputs, they would replace each other's, and one
// could continue with the text of the other. The first run notes its inputs beside the text, before it makes any.
class TextClaim {
 public:
  // Of `file`, a formatted file in `folder`. Throws FormatError, and changes nothing, if the text there is another
  // input's, unless `force`: if the inputs noted are not `parts`, and neither are those of `record`, that of the
  // existing text, by their `digest`. Standard input is another one each time. Else notes `parts`.
  TextClaim(const OutputFolder& folder, const std::filesystem::path& file, std::span<const CorpusPart> parts,
            const std::optional<CompletionRecord>& record, const std::string& digest, bool force,
            const Progress& progress);
  // The inputs are unusable: removes a note that was not there before.
  void withdraw() const;

 private:
  const OutputFolder& folder_;
  std::string note_;  // the name of the file in the hidden folder
  bool is_new_ = false;
};

}  // namespace bertprep
