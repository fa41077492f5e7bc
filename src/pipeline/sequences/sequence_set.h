// SequenceSet: the parts of a set in their folder, and what makes a set of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/sequences/part_writer.h"
#include "pipeline/sequences/sequence_text.h"
#include "token/huggingface/tokenizer_file.h"

namespace bertprep {

// The folder of the tokenizer beside the splits, and its task.
inline constexpr const char* kTokenizerFolder = "tokenizer";

SequenceCounts sequence_counts(const CompletionRecord& record);

class SequenceSet {
 public:
  // All are kept by reference.
  SequenceSet(const OutputFolder& folder, const SequenceRule& rule, const Recipe& recipe, bool force)
      : folder_(folder), rule_(rule), recipe_(recipe), force_(force) {}

  // Throws FormatError when a manifest is in the way that no call made.
  void refuse_foreign_manifest() const;
  // Throws FormatError when a finished part was made by another recipe.
  void refuse_other_recipes() const;
  // Refuses a folder with results of other stages, and parts of other inputs than `units` and `splits`, which would be
  // read with these; with --force removes such parts. Throws FormatError.
  void refuse_other_parts(std::span<const SequenceUnit> units, std::span<const SequenceUnit> splits) const;
  // Whether something was recorded of `unit`: then its text has to be compared.
  bool has_record(const SequenceUnit& unit) const { return folder_.record(unit.task()).has_value(); }
  // The part of `unit` that an earlier call made of the text of this digest. One that was damaged since counts as none.
  // Throws FormatError when one of another text or recipe is there, unless it is forced not to.
  std::optional<CompletionRecord> find(const SequenceUnit& unit, const std::string& text_sha256) const;
  // Removes what makes a set of the parts, before one of them is made again. Throws as refuse_foreign_manifest() does.
  void withdraw(std::span<const SequenceUnit> splits) const;
  // Gives the files of a finished part their names. Throws FormatError when files are in the way that no call made.
  CompletionRecord commit(const SequenceUnit& unit, FinishedPart part, const std::string& text_sha256) const;

  // The index of a split of MDS over those of the `parts` of its `units`.
  CompletionRecord merge_mds(const SequenceUnit& split, std::span<const SequenceUnit> units,
                             std::span<const CompletionRecord> parts) const;
  // The set of a split of Megatron made of the parts of its `units`; `text_sha256` is that of the split.
  CompletionRecord merge_megatron(const SequenceUnit& split, std::span<const SequenceUnit> units,
                                  std::span<const CompletionRecord> parts, const std::string& text_sha256) const;
  // The folder "tokenizer". A file of it that was edited since is kept aside.
  CompletionRecord put_tokenizer(std::span<const TokenizerFile> files, Progress& progress) const;
  // Parts that sets of Megatron were made of, or in place of.
  void remove_megatron_parts(std::span<const SequenceUnit> units) const;

 private:
  void remove_part(const std::string& task) const;

  const OutputFolder& folder_;
  const SequenceRule& rule_;
  const Recipe& recipe_;
  bool force_;
};

}  // namespace bertprep
