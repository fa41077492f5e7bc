// Traps of a folder: names, numbers of files and of rows, shapes of columns, not the content of rows.
#pragma once

#include "quality/doctor/doctor.h"

namespace bertprep {

struct RowShape {
  std::string file;
  std::size_t tokens = 0;  // 0: unknown
  std::size_t predictions = 0;
};

// ShapeTraps: finds columns that are missing, unreadable, or of different sizes within a file or between files.
class ShapeTraps {
 public:
  // `is_for_bert`: the set is for trainers that need the six columns of bertprep/shard/schema.h, or the user named such
  // a trainer. `findings` must outlive it.
  // `is_own`: the set is bertprep's, whose columns map as the documentation shows.
  ShapeTraps(RowKind kind, bool is_for_bert, bool is_own, Findings& findings)
      : kind_(kind), is_for_bert_(is_for_bert), is_own_(is_own), findings_(findings) {}

  // Only trainers that test or load all files read a file for test.
  void add(const SetFile& file, const ShardColumns& columns);
  // Of the rows of the first file.
  RowShape first() const { return first_.value_or(RowShape()); }

 private:
  void check_columns(const std::string& file, const ShardColumns& columns);
  void check_first_dimensions(const std::string& file, const ShardColumns& columns);
  void check_lengths(const SetFile& file, const ShardColumns& columns);

  RowKind kind_;
  bool is_for_bert_;
  bool is_own_;
  Findings& findings_;
  std::optional<RowShape> first_;           // of all files
  std::optional<RowShape> first_training_;  // of those not for test
};

struct CountedFile {
  SetFile file;
  std::uint64_t rows = 0;
  std::uint64_t digest = 0;  // of all rows, in order
  bool is_readable = true;   // all of it could be read
};

// `is_for_bert`: the rows are for trainers that look for 'training' in the names.
void find_name_traps(const SetFolder& set, const DoctorOptions& options, bool is_for_bert, Findings& findings);
void find_count_traps(const std::vector<CountedFile>& files, const DoctorOptions& options, bool is_for_bert,
                      Findings& findings);
// Files expected by the manifest, or by the run that fills the folder, that are missing. Throws IoError.
void find_missing_files(const std::filesystem::path& folder, Findings& findings);
// Whether the scripts of Habana would look for another folder.
void find_folder_name_trap(const std::filesystem::path& folder, const RowShape& shape, Findings& findings);

// The Parquet files that LDDL makes and NVIDIA's BERT trainer has read since March 2022: those below `folder` with the
// extension .parquet, or .parquet_N for bin N; sorted, without hidden ones.
std::vector<std::filesystem::path> parquet_files(const std::filesystem::path& folder);
// Returns the number of rows of all files. `ranks`: 0 if unknown. Throws IoError, Cancelled.
std::uint64_t find_parquet_traps(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files,
                                 std::uint64_t ranks, Findings& findings, Progress& progress);

}  // namespace bertprep
