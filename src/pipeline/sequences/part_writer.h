// PartWriter: the articles of one unit -> its part of a set, in unfinished files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/token/vocab.h"
#include "io/pending_file.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/sequences/sequence_units.h"
#include "pipeline/sequences/sequences.h"
#include "shard/id_type.h"

namespace bertprep {

// Settings common to all parts of a set.
struct SequenceRule {
  SequenceOptions options;  // resolved
  std::string name;         // of the dataset
  IdType ids = IdType::kUint16;
  TokenId cls = 0;
  TokenId sep = 0;
  TokenId pad = 0;
  std::optional<TokenId> end_of_article{};
};

// Finished files and their paths below the folder; the last one completes the part.
struct FinishedPart {
  std::vector<PendingFile> files;
  std::vector<std::string> names;
  SequenceCounts counts;
};

class PartWriter {
 public:
  virtual ~PartWriter() = default;
  // Add articles in order; each must have a sentence, and each sentence an id. Throws FormatError, IoError.
  virtual void add(const TokenizedDocuments& articles) = 0;
  // Throws FormatError, IoError, Cancelled.
  virtual FinishedPart finish(const Progress& progress) = 0;
};

// Throws FormatError that names `input` if a part has no sequence: readers refuse it.
void require_sequences(const SequenceCounts& counts, const std::filesystem::path& input, const SequenceRule& rule);

// Both are kept by reference.
std::unique_ptr<PartWriter> write_mds_part(const OutputFolder& folder, const SequenceUnit& unit,
                                           const SequenceRule& rule);
std::unique_ptr<PartWriter> write_megatron_part(const OutputFolder& folder, const SequenceUnit& unit,
                                                const SequenceRule& rule);
std::unique_ptr<PartWriter> write_hdf5_part(const OutputFolder& folder, const SequenceUnit& unit,
                                            const SequenceRule& rule);

// The options of MDS, parsed. Throws ConfigError.
struct MdsFormat;
MdsFormat mds_format_of(const SequenceRule& rule);
std::optional<std::uint64_t> size_limit_of(const SequenceOptions& options);

// The path of the part of `unit` below the folder: "train/00003"; "train" for a whole split.
std::string mds_folder_of(const SequenceUnit& unit);
// The same for Megatron, without the extension: "NAME_train_text_sentence"; "parts/train-00003" for one input.
std::string megatron_prefix_of(const SequenceUnit& unit, const SequenceRule& rule);

}  // namespace bertprep
