// Doctor: would a trainer hang, crash late or learn nonsense from a set, whoever made it? This is of HDF5 files;
// quality/sequences/any_doctor.h knows the other formats, too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/token/text_encoder.h"
#include "quality/doctor/findings.h"
#include "quality/row_view.h"
#include "quality/trainer_files.h"

namespace bertprep {

struct DoctorOptions {
  std::vector<TrainerKind> trainers{};  // empty: all that may read such columns
  std::uint64_t ranks = 0;              // processes that train; 0: not known
  std::uint64_t micro_batch = 0;        // rows a process takes at once; 0: not known
  std::uint64_t max_predictions = 0;    // the trainer's option; 0: not known
  std::int64_t model_pieces = 0;        // vocab_size of the model; 0: not known

  // Of token sequences.
  std::uint64_t max_tokens = 0;          // the trainer's max_seq_len; 0: not known
  std::uint64_t cache_limit = 0;         // of the Streaming library, in bytes; 0: none
  std::vector<std::string> splits{};     // as the trainer's configuration names them
  std::optional<SpecialIds> specials{};  // of the model's tokenizer; nothing: of the one beside the set
  std::uint64_t vocab_pieces = 0;        // likewise, with `specials`
};

enum class SetFormat { kHdf5, kMds, kMegatron };

struct Diagnosis {
  std::filesystem::path path;
  RowKind kind = RowKind::kBert;
  SetFormat format = SetFormat::kHdf5;
  std::vector<TrainerKind> trainers{};  // of whom the findings speak
  std::uint64_t training_files = 0;     // 'training' in their names
  std::uint64_t files = 0;              // all HDF5 files, all shards of an index
  std::uint64_t rows = 0;               // samples of MDS, sequences of Megatron
  std::uint64_t tokens = 0;             // of token sequences
  std::vector<Finding> findings{};      // the worst first

  // What is more than a remark.
  std::uint64_t serious() const;
};

// Sees each row that doctor looks at, for those who want more of it than findings.
struct RowVisitor {
  std::function<void(const SetFile& file)> begin_file{};  // the rows that follow are of this file
  std::function<void(const RowView& row)> row{};
};

// Looks at every row of a file, or of the files in a folder. A folder without any, above such folders, has a finding,
// and each of them a diagnosis of its own behind it. Memory: a MiB or so for the rows, some 20 MiB for counts of ids.
// Where there are Parquet files instead, their numbers of rows are looked at. Throws IoError, FormatError when there is
// neither, Cancelled.
std::vector<Diagnosis> diagnose(const std::filesystem::path& path, const DoctorOptions& options, Progress& progress,
                                const RowVisitor& visitor = {});

}  // namespace bertprep
