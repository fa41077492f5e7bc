// SequenceSet: the parts of a set in their folder, and their combination into a set with its manifest
// (docs/formats/sequences.md), which is written last.
#pragma once

#include "pipeline/sequences/part_writer.h"
#include "token/huggingface/tokenizer_folder.h"

namespace bertprep {

// The bytes of manifest.json over the finished `parts` of `task`.
std::string sequence_manifest(const SequenceTask& task, const Recipe& recipe, const std::string& vocab_name,
                              const std::map<std::string, SequenceCounts>& splits,
                              std::span<const CompletionRecord> parts);

// The counts of a part or a split as in records and manifests, and back; without the bytes.
Json json_of(const SequenceCounts& counts);
SequenceCounts sequence_counts(const Json& counts);
// The same with the bytes of its outputs.
SequenceCounts sequence_counts(const CompletionRecord& record);

// The manifest's counts of each split. Throws IoError, FormatError.
std::map<std::string, SequenceCounts> splits_of_set(const std::filesystem::path& folder);
// A set that is unfinished, or another program's.
struct SetWithoutManifest {
  std::filesystem::path folder;
  bool is_ours = false;  // there is a hidden folder of bertprep
};
// MDS and Megatron sets at or below `path`, sorted. Throws IoError.
std::vector<SetWithoutManifest> sets_without_manifest(const std::filesystem::path& path);
// Compares every file with the manifest, and the indexes with the files. Throws IoError, FormatError for an unreadable
// manifest, Cancelled.
VerifyReport verify_sequences(const std::filesystem::path& folder, const Progress& progress);

class SequenceSet {
 public:
  // Folder, rule and recipe are kept by reference. With the key of its plan, also records with each part that it is of
  // that array job.
  SequenceSet(const OutputFolder& folder, const SequenceRule& rule, const Recipe& recipe, bool force,
              std::string plan_key = {})
      : folder_(folder), rule_(rule), recipe_(recipe), force_(force), plan_key_(std::move(plan_key)) {}

  // Throws FormatError if there is a manifest that no call made.
  void refuse_foreign_manifest() const;
  // Throws FormatError if a finished part was made by another recipe. With `one_is_enough`, a part of this recipe ends
  // the search: tasks of an array all check, so that there is no other, and read one record instead of all.
  void refuse_other_recipes(bool one_is_enough) const;
  // Refuses a folder with results of other stages, and parts of inputs other than `units` and `splits`, which would be
  // read with these; with --force, removes such parts. Throws FormatError.
  void refuse_other_parts(std::span<const SequenceUnit> units, std::span<const SequenceUnit> splits) const;
  // Whether there is a record of `unit`: then its text must be compared.
  bool has_record(const SequenceUnit& unit) const { return folder_.record(unit.task()).has_value(); }
  // The part of `unit` that an earlier call made from the text with this digest. A damaged one counts as missing.
  // Throws FormatError if one from another text or recipe exists, unless forced.
  std::optional<CompletionRecord> find(const SequenceUnit& unit, const std::string& text_sha256) const;
  // Removes the files that combine the parts into a set, before one of them is made again. Throws as
  // refuse_foreign_manifest().
  void withdraw(std::span<const SequenceUnit> splits) const;
  // Gives the files of a finished part their names. Throws FormatError if files exist that no call made.
  CompletionRecord commit(const SequenceUnit& unit, FinishedPart part, const std::string& text_sha256) const;

  // Makes the index of an MDS split from those of the `parts` of its `units`.
  CompletionRecord merge_mds(const SequenceUnit& split, std::span<const SequenceUnit> units,
                             std::span<const CompletionRecord> parts) const;
  // Makes the set of a Megatron split from the parts of its `units`; `text_sha256` is that of the split.
  CompletionRecord merge_megatron(const SequenceUnit& split, std::span<const SequenceUnit> units,
                                  std::span<const CompletionRecord> parts, const std::string& text_sha256) const;
  // Writes the folder "tokenizer". Keeps edited files in it under another name.
  CompletionRecord put_tokenizer(std::span<const TokenizerFile> files, Progress& progress) const;
  // A part made outside the plan counts for it, too.
  void claim(const SequenceUnit& unit, CompletionRecord& record) const;
  // Removes the parts of Megatron sets that were combined, or replaced by whole sets.
  void remove_megatron_parts(std::span<const SequenceUnit> units) const;

 private:
  void add_plan(const SequenceUnit& unit, CompletionRecord& record) const;

  const OutputFolder& folder_;
  const SequenceRule& rule_;
  const Recipe& recipe_;
  bool force_;
  std::string plan_key_;
};

}  // namespace bertprep
