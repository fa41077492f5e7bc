#include "report/report.h"

#include <algorithm>

#include "base/number_text.h"
#include "io/folder.h"
#include "io/json.h"
#include "pipeline/explain/shard_files.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
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
    if (finding.trap != Trap("changed-file") && finding.trap != Trap("other-digest")) continue;
    throw FormatError(finding.what, place_text(finding, diagnosis.path),
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
  std::ranges::stable_sort(files, {}, [](const FileFigures* file) { return natural_key(file->name); });
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

void find_words(const std::string& vocab, const fs::path& folder, SetReport& set, Progress& progress) {
  if (!vocab.empty() && !is_byte_pair_path(vocab)) {
    set.vocab = load_vocab(vocab);
    return;
  }
  const std::optional<TextEncoder> encoder =
      vocab.empty() ? encoder_beside(folder) : std::optional(TextEncoder::open(vocab, {}));
  if (encoder) set.spelling = TokenSpelling::of(*encoder);
  if (!vocab.empty()) return;
  if (find_sequence_sets(folder).is_empty()) {
    set.vocab = vocab_of_shard(folder / "any", progress);
  } else if (!encoder) {
    progress.note("no folder tokenizer/ beside the set: give `vocab` to see its text");
  } else if (encoder->wordpiece() != nullptr) {
    set.vocab = *encoder->wordpiece();
  }
}

Diagnosis diagnosis_of(const SetPlace& place, const DoctorOptions& options, Progress& progress,
                       const RowVisitor& visitor) {
  if (place.format == SetFormat::kMds) return diagnose_mds(place.path, options, progress, visitor);
  if (place.format == SetFormat::kMegatron) return diagnose_megatron(place.path, options, progress, visitor);
  return diagnose(place.path, options, progress, visitor).front();
}

SetReport report_on_set(const SetPlace& place, const ReportOptions& options, Progress& progress) {
  const bool is_hdf5 = place.format == SetFormat::kHdf5;
  const bool is_folder = place.format != SetFormat::kMegatron && fs::is_directory(place.path);
  const fs::path folder = is_folder ? place.path : folder_of(place.path);
  if (is_hdf5) static_cast<void>(RecordedFiles(folder));  // refuses a damaged manifest
  SetReport set;
  set.stages = options.stages;
  find_words(options.vocab, folder, set, progress);
  if (is_hdf5 && set.vocab) set.residue.emplace(*set.vocab);
  SpreadRows spread(is_hdf5 ? 0 : options.rows);
  const RowVisitor visitor{.begin_file =
                               [&](const SetFile& file) {
                                 set.figures.begin_file({file.name, file.is_for_test, fs::file_size(file.path)});
                                 if (set.residue) set.residue->begin_file(file.name);
                                 spread.begin_file(file.name);
                               },
                           .row =
                               [&](const RowView& row) {
                                 set.figures.add(row);
                                 if (set.residue) set.residue->add(row);
                                 spread.add(row);
                               }};
  set.diagnosis = diagnosis_of(place, options.doctor, progress, visitor);
  refuse_changed(set.diagnosis);
  if (is_hdf5) {
    set.manifest = Manifest::find(folder);
    set.samples = samples_of(set, options.rows);
  } else {
    set.diagnosis.files = set.diagnosis.training_files = set.figures.files().size();
    set.samples = spread.samples(set);
  }
  return set;
}

}  // namespace

std::vector<StageFigures> stages_in(std::string_view events) {
  std::vector<StageFigures> stages;
  while (!events.empty()) {
    const std::size_t end = std::min(events.find('\n'), events.size());
    const std::string_view line = events.substr(0, end);
    events.remove_prefix(std::min(end + 1, events.size()));
    if (line.find("\"event\":\"stage\"") == std::string_view::npos) continue;
    try {
      const Json event = Json::parse(line, {});
      const Json* peak = event.find("peak_bytes");
      StageFigures stage{.stage = event.at("stage").text(),
                         .seconds = std::stod(event.at("seconds").text()),
                         .bytes_in = event.at("bytes_in").as_unsigned(),
                         .bytes_out = event.at("bytes_out").as_unsigned(),
                         .peak_bytes = peak == nullptr ? 0 : peak->as_unsigned(),
                         .is_found = event.at("tasks_made").as_unsigned() == 0};
      std::erase_if(stages, [&](const StageFigures& other) { return other.stage == stage.stage; });
      stages.push_back(std::move(stage));
    } catch (const std::exception&) {
      continue;  // a line truncated when the program was killed
    }
  }
  return stages;
}

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
  for (const SetPlace& set : sets) reports.push_back(report_on_set(set, options, progress));
  for (const SetReport& report : reports) {
    if (report.diagnosis.kind != RowKind::kBert || !is_byte_pair_path(options.vocab)) continue;
    throw ConfigError("`vocab` " + options.vocab + " is byte-level BPE, which rows for BERT are not made with", {},
                      "give their WordPiece vocabulary");
  }
  return reports;
}

}  // namespace bertprep
