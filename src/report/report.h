// Report: a page that describes a set of rows of any origin.
#pragma once

#include "bertprep/shard/manifest.h"
#include "quality/doctor/doctor.h"
#include "report/row_figures.h"
#include "report/shown_row.h"

namespace bertprep {

// Time and memory of a stage of the run that made the set, from its events.
struct StageFigures {
  std::string stage;
  double seconds = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t peak_bytes = 0;  // peak memory of the process so far; 0: unknown
  bool is_found = false;         // done by an earlier run
};

// Reads the last event of each stage from the output of `bertprep run --json`; skips other lines.
std::vector<StageFigures> stages_in(std::string_view events);

struct ReportOptions {
  std::size_t rows = 20;  // rows to show of each set
  DoctorOptions doctor{};
  std::vector<StageFigures> stages{};
  // The words to show: of this vocabulary, a name or path; empty: of the one beside each set, with a note if there is
  // none, which is then shown as ids.
  std::string vocab{};
};

struct SampleRow {
  std::string file;
  std::uint64_t row = 0;
  ShownRow shown;
};

// All data for the page of a set.
struct SetReport {
  Diagnosis diagnosis;
  RowFigures figures{};
  std::optional<Manifest> manifest{};  // if it has one of ours
  std::optional<Vocab> vocab{};
  std::optional<TokenSpelling> spelling{};
  std::vector<SampleRow> samples{};
  std::vector<StageFigures> stages{};
  std::optional<MarkupResidue> residue{};  // if the vocabulary is known

  std::optional<std::int64_t> mask_id() const;
  ShownRow shown(const RowView& row) const;
};

// Maximum number of sets in one report: more would be unreadable.
inline constexpr std::size_t kMaxSets = 8;

// Reports on a folder of HDF5 files, one such file, an MDS or Megatron set, or each such set below `path`. Reads every
// row once, and those of HDF5 to show again. Memory: as diagnose(), the rows to show and the vocabulary. Throws
// IoError; FormatError if there is no such set, one of HDF5 of which no file can be read, or more than kMaxSets;
// ConfigError for rows for BERT if `vocab` is byte-level BPE; Cancelled.
std::vector<SetReport> report_on(const std::filesystem::path& path, const ReportOptions& options, Progress& progress);

// A self-contained page below 2 MB. Depends only on the sets.
std::string report_page(const std::vector<SetReport>& sets);

}  // namespace bertprep
