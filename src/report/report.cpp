#include "report/report.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/version.h"
#include "io/folder.h"
#include "quality/sequences/any_doctor.h"
#include "quality/shard_columns.h"
#include "quality/trainer_files.h"
#include "report/html.h"
#include "report/report_sections.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct SetPlace {
  fs::path path;
  SetFormat format = SetFormat::kHdf5;
};

std::vector<SetPlace> sets_of(const fs::path& given) {
  const fs::path path = given.has_filename() ? given : given.parent_path();
  const SequenceSets sequences = find_sequence_sets(path);
  std::vector<SetPlace> sets;
  const bool is_sequence_file = !sequences.is_empty() && !fs::is_directory(path);
  if (!is_sequence_file && !list_set(path).shards.empty()) {
    sets.push_back({path});
  } else if (!is_sequence_file) {
    for (const fs::path& folder : folders_with_shards(path)) sets.push_back({folder});
  }
  for (const fs::path& folder : sequences.mds) sets.push_back({folder, SetFormat::kMds});
  for (const fs::path& prefix : sequences.megatron) sets.push_back({prefix, SetFormat::kMegatron});
  if (sets.empty()) {
    throw FormatError("contains no HDF5 file, MDS or Megatron set, and no folder below it does", path,
                      "give a folder of shards, or the folder given to run as --output");
  }
  if (sets.size() > kMaxSets) {
    throw FormatError("has " + grouped(sets.size()) + " sets below it", path,
                      "give one of them, such as " + sets.front().path.string());
  }
  return sets;
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

// Figures of changed rows would not be those of the set.
void refuse_changed(const Diagnosis& diagnosis) {
  for (const Finding& finding : diagnosis.findings) {
    if (finding.trap != Trap::kChangedFile && finding.trap != Trap::kOtherDigest) continue;
    const std::string& file = finding.place.file;
    throw FormatError(finding.what,
                      file.empty() || file == diagnosis.path.filename() ? diagnosis.path : diagnosis.path / file,
                      "fetch or make it again; bertprep doctor shows all findings");
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
    samples.push_back({place.file->name, place.row, set.shown(reader.row(0))});
  }
  return samples;
}

// Evenly spread rows of a set that is read once: of more than twice the wanted number, each second one goes.
class SpreadRows {
 public:
  explicit SpreadRows(std::size_t wanted) : wanted_(wanted) {}

  void begin_file(const std::string& name) {
    file_ = name;
    row_ = 0;
  }
  void add(const RowView& row) {
    if (wanted_ != 0 && number_ % stride_ == 0) keep(row);
    ++number_;
    ++row_;
  }
  std::vector<SampleRow> samples(const SetReport& set) const {
    std::vector<SampleRow> samples;
    const std::size_t shown = std::min(wanted_, kept_.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const Kept& kept = kept_[(2 * i + 1) * kept_.size() / (2 * shown)];
      samples.push_back({kept.file, kept.row, set.shown({.ids = kept.ids})});
    }
    return samples;
  }

 private:
  struct Kept {
    std::string file;
    std::uint64_t row = 0;
    std::vector<std::int64_t> ids;
  };

  void keep(const RowView& row) {
    kept_.push_back({file_, row_, {row.ids.begin(), row.ids.end()}});
    if (kept_.size() < 2 * wanted_) return;
    for (std::size_t i = 0; 2 * i < kept_.size(); ++i) std::swap(kept_[i], kept_[2 * i]);
    kept_.resize((kept_.size() + 1) / 2);
    stride_ *= 2;
  }

  std::size_t wanted_;
  std::vector<Kept> kept_;
  std::string file_;
  std::uint64_t row_ = 0;     // in its file
  std::uint64_t number_ = 0;  // in the set
  std::uint64_t stride_ = 1;
};

SetReport report_on_sequences(const SetPlace& place, const ReportOptions& options, Progress& progress) {
  SetReport set;
  set.stages = options.stages;
  const bool is_mds = place.format == SetFormat::kMds;
  const fs::path folder = is_mds ? place.path : folder_of(place.path);
  if (options.vocab_of) set.vocab = options.vocab_of(folder);
  if (options.spelling_of) set.spelling = options.spelling_of(folder);
  SpreadRows spread(options.rows);
  const RowVisitor visitor{.begin_file =
                               [&](const SetFile& file) {
                                 set.figures.begin_file({file.name, false, fs::file_size(file.path)});
                                 spread.begin_file(file.name);
                               },
                           .row =
                               [&](const RowView& row) {
                                 set.figures.add(row);
                                 spread.add(row);
                               }};
  set.diagnosis = is_mds ? diagnose_mds(place.path, options.doctor, progress, visitor)
                         : diagnose_megatron(place.path, options.doctor, progress, visitor);
  refuse_changed(set.diagnosis);
  set.diagnosis.training_files = set.figures.files().size();
  set.diagnosis.files = set.diagnosis.training_files;
  set.samples = spread.samples(set);
  return set;
}

SetReport report_on_set(const fs::path& path, const ReportOptions& options, Progress& progress) {
  SetReport set;
  const fs::path folder = fs::is_directory(path) ? path : path.parent_path();
  set.stages = options.stages;
  const RecordedFiles refused_if_damaged(folder);
  if (options.vocab_of) set.vocab = options.vocab_of(folder);
  if (options.spelling_of) set.spelling = options.spelling_of(folder);
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
  refuse_changed(set.diagnosis);
  set.manifest = Manifest::find(folder);
  set.samples = samples_of(set, options.rows);
  return set;
}

}  // namespace

std::optional<std::int64_t> SetReport::mask_id() const {
  return vocab ? std::optional<std::int64_t>(vocab->mask()) : figures.likely_mask();
}

ShownRow SetReport::shown(const RowView& row) const {
  const bool is_sequence = row.segments.empty() && row.positions.empty() && row.labels.empty();
  if (spelling && is_sequence) return shown_row(row, *spelling);
  return shown_row(row, vocab ? &*vocab : nullptr, mask_id());
}

std::vector<SetReport> report_on(const fs::path& path, const ReportOptions& options, Progress& progress) {
  const std::vector<SetPlace> sets = sets_of(path);
  for (const SetPlace& set : sets) {
    if (set.format == SetFormat::kHdf5) require_readable(set.path);
  }
  std::vector<SetReport> reports;
  for (const SetPlace& set : sets) {
    reports.push_back(set.format == SetFormat::kHdf5 ? report_on_set(set.path, options, progress)
                                                     : report_on_sequences(set, options, progress));
  }
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
