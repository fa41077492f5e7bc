// Doctor: whether a trainer would hang, crash late or learn nonsense from a set of any origin. This is for HDF5 files;
// quality/sequences/any_doctor.h also handles the other formats.
#pragma once

#include "bertprep/base/progress.h"
#include "bertprep/token/text_encoder.h"
#include "quality/doctor/findings.h"
#include "quality/row_view.h"
#include "quality/trainer_files.h"

namespace bertprep {

// The tokenizer of token sequences.
struct SetTokenizer {
  std::size_t pieces = 0;  // 0: unknown
  SpecialIds specials{};
  std::vector<TokenId> line_breaks{};  // of byte-level BPE: the tokens that have one
};

struct DoctorOptions {
  std::vector<TrainerKind> trainers{};  // empty: all that read such columns
  std::uint64_t ranks = 0;              // processes that train; 0: unknown
  std::uint64_t micro_batch = 0;        // rows that a process computes at once; 0: unknown
  std::uint64_t max_predictions = 0;    // the trainer's option; 0: unknown
  std::int64_t model_pieces = 0;        // vocab_size of the model; 0: unknown

  // For token sequences.
  std::uint64_t max_tokens = 0;             // the trainer's max_seq_len; 0: unknown
  std::uint64_t cache_limit = 0;            // of the Streaming library, in bytes; 0: none
  std::vector<std::string> splits{};        // as named in the trainer's configuration
  std::optional<SetTokenizer> tokenizer{};  // of the model; nothing: that of the set

  bool has_trainers() const { return !trainers.empty(); }
  // For the trainers that the user named, else for `usual`.
  Findings findings_for(Trainers usual) const {
    return {has_trainers() ? trainers : std::vector<TrainerKind>(usual.begin(), usual.end()), has_trainers()};
  }
};

enum class SetFormat { kHdf5, kMds, kMegatron };

struct Diagnosis {
  std::filesystem::path path;
  RowKind kind = RowKind::kBert;
  SetFormat format = SetFormat::kHdf5;
  std::vector<TrainerKind> trainers{};  // to which the findings apply
  std::uint64_t training_files = 0;     // 'training' in their names
  std::uint64_t files = 0;              // all HDF5 files, or all shards of an index
  std::uint64_t rows = 0;               // samples of MDS, sequences of Megatron
  std::uint64_t tokens = 0;             // for token sequences
  std::vector<Finding> findings{};      // worst first

  // Without numbers.
  static Diagnosis of(const std::filesystem::path& path, SetFormat format, const Findings& findings);
  // The number of findings above remarks.
  std::uint64_t serious() const;
};

// Receives each row that doctor reads, for figures beyond the findings.
struct RowVisitor {
  std::function<void(const SetFile& file)> begin_file{};  // the following rows are from this file
  std::function<void(const RowView& row)> row{};
};

// Checks every row of a file, or of the files in a folder. If only subfolders have files, returns a finding for the
// folder and then a diagnosis for each subfolder. Memory: about a MiB for the rows, some 20 MiB for counts of ids. Of
// Parquet files, only the numbers of rows are checked. Throws IoError, FormatError if there are no such files,
// Cancelled.
std::vector<Diagnosis> diagnose(const std::filesystem::path& path, const DoctorOptions& options, Progress& progress,
                                const RowVisitor& visitor = {});

}  // namespace bertprep
