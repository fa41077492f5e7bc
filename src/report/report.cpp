#include "report/report.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/version.h"
#include "quality/shard_columns.h"
#include "quality/trainer_files.h"
#include "report/html.h"
#include "report/report_sections.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sets_of(const fs::path& path) {
  if (!list_set(path).shards.empty()) return {path};
  std::vector<fs::path> folders = folders_with_shards(path);
  if (folders.empty()) {
    throw FormatError("contains no HDF5 file, and no folder below it does", path,
                      "give a folder of shards, or the folder given to run as --output");
  }
  if (folders.size() > kMaxSets) {
    throw FormatError("has " + grouped(folders.size()) + " folders of shards below it", path,
                      "give one of them, such as " + folders.front().string());
  }
  return folders;
}

// A page about a set of which no file can be read would say nothing.
void require_readable(const fs::path& path) {
  const std::vector<SetFile> files = list_set(path).shards;
  for (const SetFile& file : files) {
    try {
      const ShardColumns columns(file.path);
      return;
    } catch (const Error&) {
      if (&file == &files.back()) throw;
    }
  }
}

struct RowPlace {
  const FileFigures* file = nullptr;
  std::uint64_t row = 0;
};

// `count` rows, evenly spread over all in the natural order of the files.
std::vector<RowPlace> spread_places(const RowFigures& figures, std::size_t count) {
  std::vector<const FileFigures*> files;
  for (const FileFigures& file : figures.files()) files.push_back(&file);
  std::stable_sort(files.begin(), files.end(), [](const FileFigures* left, const FileFigures* right) {
    return natural_key(left->name) < natural_key(right->name);
  });
  const std::uint64_t all = figures.rows();
  const std::uint64_t shown = std::min<std::uint64_t>(count, all);
  std::vector<RowPlace> places;
  std::uint64_t begin = 0;
  for (const FileFigures* file : files) {
    while (places.size() < shown) {
      const std::uint64_t place = (2 * places.size() + 1) * all / (2 * shown);
      if (place >= begin + file->rows) break;
      places.push_back({file, place - begin});
    }
    begin += file->rows;
  }
  return places;
}

std::vector<SampleRow> samples_of(const SetReport& set, std::size_t count) {
  std::vector<SampleRow> samples;
  for (const RowPlace& place : spread_places(set.figures, count)) {
    const fs::path& path = set.diagnosis.path;
    ShardColumns columns(fs::is_directory(path) ? path / place.file->name : path);
    RowReader reader(columns, set.diagnosis.kind);
    reader.read(place.row, 1);
    samples.push_back(
        {place.file->name, place.row, shown_row(reader.row(0), set.vocab ? &*set.vocab : nullptr, set.mask_id())});
  }
  return samples;
}

SetReport report_on_set(const fs::path& path, const ReportOptions& options, Progress& progress) {
  SetReport set;
  const fs::path folder = fs::is_directory(path) ? path : path.parent_path();
  set.stages = options.stages;
  if (options.vocab_of) set.vocab = options.vocab_of(folder);
  if (set.vocab) set.residue.emplace(*set.vocab);
  const RowVisitor visitor{.begin_file =
                               [&](const SetFile& file) {
                                 set.figures.begin_file({file.name, file.is_for_test, fs::file_size(file.path)});
                                 if (set.residue) set.residue->begin_file(file.name);
                               },
                           .row =
                               [&](const RowView& row) {
                                 set.figures.add(row);
                                 if (set.residue) set.residue->add(row);
                               }};
  set.diagnosis = diagnose(path, options.doctor, progress, visitor).front();
  set.manifest = Manifest::find(folder);
  set.samples = samples_of(set, options.rows);
  return set;
}

}  // namespace

std::optional<std::int64_t> SetReport::mask_id() const {
  return vocab ? std::optional<std::int64_t>(vocab->mask()) : figures.likely_mask();
}

std::vector<SetReport> report_on(const fs::path& path, const ReportOptions& options, Progress& progress) {
  const std::vector<fs::path> sets = sets_of(path);
  for (const fs::path& set : sets) require_readable(set);
  std::vector<SetReport> reports;
  for (const fs::path& set : sets) reports.push_back(report_on_set(set, options, progress));
  return reports;
}

std::string report_page(const std::vector<SetReport>& sets) {
  std::string body;
  for (const SetReport& set : sets) {
    body += element("section", "set",
                    head_section(set) + findings_section(set) + rows_section(set) + files_section(set) +
                        pieces_section(set) + text_section(set) + residue_section(set) + stages_section(set) +
                        samples_section(set) + recipe_section(set)) +
            "\n";
  }
  const HtmlFrame frame = html_frame(sets.empty() ? "bertprep report" : set_title(sets.front()));
  return frame.head + body +
         element(
             "footer", "",
             std::string("Made by bertprep ") + kVersion + " from the rows themselves; point at a chart for numbers.") +
         frame.end;
}

}  // namespace bertprep
