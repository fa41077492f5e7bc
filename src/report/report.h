// Report: one page that shows what a set of rows is like, whoever made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/token/vocab.h"
#include "quality/doctor/doctor.h"
#include "report/markup_residue.h"
#include "report/row_figures.h"
#include "report/shown_row.h"

namespace bertprep {

// What a stage of the run that made the set took, as its events tell.
struct StageFigures {
  std::string stage;
  double seconds = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t peak_bytes = 0;  // most memory of the process by then; 0: not known
  bool is_found = false;         // done by an earlier run
};

// Of the events that `bertprep run --json` prints, the last of each stage; other lines are passed over.
std::vector<StageFigures> stages_in(std::string_view events);

struct ReportOptions {
  std::size_t rows = 20;  // to read, of each set
  DoctorOptions doctor{};
  std::vector<StageFigures> stages{};
  // The vocabulary of the set in a folder; nothing where it is not known: ids are shown then.
  std::function<std::optional<Vocab>(const std::filesystem::path& folder)> vocab_of{};
};

struct SampleRow {
  std::string file;
  std::uint64_t row = 0;
  ShownRow shown;
};

// All that the page of a set tells.
struct SetReport {
  Diagnosis diagnosis;
  RowFigures figures{};
  std::optional<Manifest> manifest{};  // where there is one of ours
  std::optional<Vocab> vocab{};
  std::vector<SampleRow> samples{};
  std::vector<StageFigures> stages{};
  std::optional<MarkupResidue> residue{};  // where the vocabulary is known

  std::optional<std::int64_t> mask_id() const;
};

// Sets in one report: more would make a page that nobody reads.
inline constexpr std::size_t kMostSets = 8;

// Of a folder of HDF5 files, of one such file, or of each folder below `path` that has some. Reads every row once, and
// those to be read by people again. Memory: as diagnose(), and the vocabulary. Throws IoError; FormatError when there
// is no such file, or more than kMostSets folders; Cancelled.
std::vector<SetReport> report_on(const std::filesystem::path& path, const ReportOptions& options, Progress& progress);

// A page that needs no other file and no network, below 2 MB. The same for the same sets.
std::string report_page(const std::vector<SetReport>& sets);

}  // namespace bertprep
