#include "quality/doctor/doctor.h"

#include <algorithm>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/shard/manifest.h"
#include "io/digest.h"
#include "quality/doctor/folder_traps.h"
#include "quality/doctor/row_traps.h"
#include "quality/doctor/set_tokenizer.h"
#include "shard/folder_gaps.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::array kHuggingFaceAlone{TrainerKind::kHuggingFace};

// From the first file that opens.
RowKind kind_of(const SetFolder& set) {
  for (const SetFile& file : set.shards) {
    try {
      return kind_of(ShardColumns(file.path));
    } catch (const Error&) {
      continue;
    }
  }
  return RowKind::kBert;
}

// Nothing if the manifest is not one of ours.
std::optional<std::int64_t> pieces_of_manifest(const fs::path& folder) {
  try {
    const auto manifest = Manifest::find(folder);
    const auto size = manifest ? manifest->recipe_value("vocab-size") : std::nullopt;
    return size ? std::optional(parse_integer("vocab-size", *size)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::map<std::string, std::uint64_t> documents_of(const fs::path& folder) {
  std::map<std::string, std::uint64_t> documents;
  for (const RecordedShard& shard : expected_content(folder).recorded) {
    if (shard.documents) documents[shard.file] = *shard.documents;
  }
  return documents;
}

// Whether bertprep finished it.
bool is_own_set(const fs::path& folder) {
  const fs::path manifest = folder / Manifest::kFileName;
  std::error_code error;
  return fs::exists(manifest, error) && Manifest::is_own(manifest);
}

// `verify` reports a damaged manifest; here, all that can be said is said without it.
RecordedFiles recorded_files(const fs::path& folder) try { return RecordedFiles(folder); } catch (const Error&) {
  return {};
}

class Examination {
 public:
  Examination(const fs::path& path, const DoctorOptions& options, const RowVisitor& visitor)
      : path_(path),
        folder_(fs::is_directory(path) ? path : path.parent_path()),
        options_(options),
        visitor_(visitor),
        recorded_(recorded_files(folder_)),
        set_(list_set(path)),
        kind_(kind_of(set_)),
        findings_(options.findings_for(kind_ == RowKind::kBert ? kRowTrainers : Trainers(kHuggingFaceAlone))),
        shapes_(kind_, is_for_bert(), is_own_set(folder_), findings_),
        rows_(kind_, options, pieces_of_manifest(folder_).value_or(0), findings_),
        labels_(findings_) {
    if (kind_ == RowKind::kBert) return;
    for (const TokenId id : tokenizer_for(options_, folder_).line_breaks) {
      const auto index = static_cast<std::size_t>(id);
      if (index >= is_line_break_.size()) is_line_break_.resize(index + 1);
      is_line_break_[index] = true;
    }
  }

  Diagnosis run(Progress& progress) {
    progress.begin("doctor", set_.shards.size(), "shards");
    for (const SetFile& file : set_.shards) {
      examine(file, progress);
      progress.advance(1);
    }
    progress.end();
    rows_.finish();
    if (!is_line_break_.empty()) find_lost_breaks(line_breaks_, tokens_, findings_);
    labels_.finish(documents_of(folder_));
    if (fs::is_directory(path_)) examine_folder();
    return diagnosis();
  }

 private:
  // All of them but HuggingFace's want BERT's columns.
  bool is_for_bert() const {
    return (kind_ == RowKind::kBert || options_.has_trainers()) &&
           std::ranges::any_of(findings_.trainers(), [](auto trainer) { return trainer != TrainerKind::kHuggingFace; });
  }

  void examine(const SetFile& file, const Progress& progress) {
    CountedFile& counted_file = files_.emplace_back(CountedFile{file});
    try {
      ShardColumns columns(file.path);
      shapes_.add(file, columns);
      if (!recorded_.is_unchanged(file.path, progress)) {
        findings_.add(Trap("changed-file"), {file.name}, "has another sha256 than the manifest says");
      }
      RowReader reader(columns, kind_);
      counted_file.rows = reader.rows();
      if (visitor_.begin_file) visitor_.begin_file(file);
      read_rows(counted_file, reader, progress);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      counted_file.is_readable = false;
      findings_.add(Trap("damaged-file"), {file.name}, fault_text(error, file.path));
    }
  }

  void read_rows(CountedFile& file, RowReader& reader, const Progress& progress) {
    const std::size_t block = reader.rows_at_once();
    for (std::uint64_t first = 0; first < reader.rows(); first += block) {
      if (progress.cancelled()) throw Cancelled();
      const std::size_t count = std::min<std::uint64_t>(block, reader.rows() - first);
      reader.read(first, count);
      for (std::size_t i = 0; i < count; ++i) take(file, first + i, reader.row(i));
    }
  }

  void take(CountedFile& file, std::uint64_t number, const RowView& row) {
    if (visitor_.row) visitor_.row(row);
    rows_.add(file.file.name, number, row);
    count_line_breaks(row);
    if (!file.file.is_for_test) labels_.add(file.file.name, row);
    file.digest = checksum_of(bytes_in_memory(std::array{digest_of(row)}), file.digest);
  }

  void count_line_breaks(const RowView& row) {
    if (is_line_break_.empty()) return;
    for (std::size_t i = 0; i < row.ids.size(); ++i) {
      if (i < row.mask.size() && row.mask[i] == 0) continue;
      ++tokens_;
      const auto id = static_cast<std::uint64_t>(row.ids[i]);
      line_breaks_ += id < is_line_break_.size() && is_line_break_[id] ? 1 : 0;
    }
  }

  void examine_folder() {
    find_name_traps(set_, options_, is_for_bert(), findings_);
    find_count_traps(files_, options_, is_for_bert(), findings_);
    find_missing_files(folder_, findings_);
    if (options_.has_trainers()) find_folder_name_trap(folder_, shapes_.first(), findings_);
  }

  Diagnosis diagnosis() const {
    Diagnosis diagnosis = Diagnosis::of(path_, SetFormat::kHdf5, findings_);
    diagnosis.kind = kind_;
    for (const CountedFile& file : files_) {
      ++diagnosis.files;
      diagnosis.rows += file.rows;
      if (takes_for_training(TrainerKind::kNvidia, file.file.name)) ++diagnosis.training_files;
    }
    return diagnosis;
  }

  fs::path path_;
  fs::path folder_;
  DoctorOptions options_;
  const RowVisitor& visitor_;
  RecordedFiles recorded_;
  SetFolder set_;
  RowKind kind_;
  Findings findings_;
  ShapeTraps shapes_;
  RowTraps rows_;
  LabelTraps labels_;
  std::vector<CountedFile> files_;
  std::vector<bool> is_line_break_;  // by id; empty unless its tokenizer is byte-level BPE
  std::uint64_t tokens_ = 0;         // counted with the line breaks
  std::uint64_t line_breaks_ = 0;
};

// The given folder is above those with the shards.
Diagnosis diagnosis_of_level(const fs::path& path, const std::vector<fs::path>& below, const DoctorOptions& options) {
  Findings findings = options.findings_for(kRowTrainers);
  findings.add(
      std::ranges::all_of(below, is_own_set) ? Trap("datasets-below") : Trap("folder-level"), {},
      "holds no shard itself; " + counted(below.size(), "folder") + " below it " + (below.size() == 1 ? "does" : "do"),
      {{"{below}", below.front().string() + (below.size() > 1 ? " or another" : "")}});
  return Diagnosis::of(path, SetFormat::kHdf5, findings);
}

// Rows that NVIDIA's trainer reads from LDDL's files since March 2022.
Diagnosis diagnosis_of_parquet(const fs::path& path, const std::vector<fs::path>& files, const DoctorOptions& options,
                               Progress& progress) {
  Findings findings({TrainerKind::kNvidia}, options.has_trainers());
  const std::uint64_t rows = find_parquet_traps(path, files, options.ranks, findings, progress);
  Diagnosis diagnosis = Diagnosis::of(path, SetFormat::kHdf5, findings);
  diagnosis.kind = RowKind::kOther;
  diagnosis.files = diagnosis.training_files = files.size();
  diagnosis.rows = rows;
  return diagnosis;
}

}  // namespace

Diagnosis Diagnosis::of(const fs::path& path, SetFormat format, const Findings& findings) {
  const RowKind kind = format == SetFormat::kHdf5 ? RowKind::kBert : RowKind::kOther;
  return {.path = path, .kind = kind, .format = format, .trainers = findings.trainers(), .findings = findings.list()};
}

std::uint64_t Diagnosis::serious() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(findings, [](const Finding& finding) { return finding.severity() != Severity::kRemark; }));
}

std::vector<Diagnosis> diagnose(const fs::path& path, const DoctorOptions& options, Progress& progress,
                                const RowVisitor& visitor) {
  if (!list_set(path).shards.empty()) return {Examination(path, options, visitor).run(progress)};
  const std::vector<fs::path> below = folders_with_shards(path);
  const std::vector<fs::path> parquet = below.empty() ? parquet_files(path) : std::vector<fs::path>();
  if (!parquet.empty() && (!options.has_trainers() || has_any(options.trainers, {TrainerKind::kNvidia}))) {
    return {diagnosis_of_parquet(path, parquet, options, progress)};
  }
  if (below.empty()) {
    throw FormatError("contains no HDF5 file, and no folder below it does", path,
                      "doctor reads .hdf5 and .h5 files, MDS sets (index.json and shards) and Megatron sets "
                      "(PREFIX.bin and PREFIX.idx); give the path that you give the trainer");
  }
  std::vector<Diagnosis> diagnoses{diagnosis_of_level(path, below, options)};
  for (const fs::path& folder : below) diagnoses.push_back(Examination(folder, options, visitor).run(progress));
  return diagnoses;
}

}  // namespace bertprep
