#include "quality/sequences/any_doctor.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/number_text.h"
#include "io/folder.h"
#include "io/shell_words.h"
#include "quality/doctor/folder_traps.h"
#include "shard/mds/mds_format.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIds = ".bin";
constexpr const char* kIndex = ".idx";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// Many other programs have an index.json or a .bin.
bool is_mds_index(const fs::path& file) {
  constexpr std::size_t kProbeBytes = std::size_t{1} << 16U;
  if (file.filename() != kMdsIndexName || !is_file(file)) return false;
  const std::string bytes = first_bytes(file, kProbeBytes);
  return bytes.find("\"shards\"") != std::string::npos || bytes.find("\"raw_data\"") != std::string::npos;
}

bool is_megatron(const fs::path& file) {
  const bool is_index = file.extension() == kIndex;
  if (!is_index && file.extension() != kIds) return false;
  fs::path prefix = file;
  prefix.replace_extension();
  const std::string name = prefix.filename().string();
  const fs::path index = MegatronPaths(prefix).idx;
  return name.ends_with("_document") || name.ends_with("_sentence") ||
         (is_file(index) && first_bytes(index, 7) == "MMIDIDX");
}

void add_file(const fs::path& file, std::set<fs::path>& mds, std::set<fs::path>& megatron) {
  if (is_mds_index(file) || is_mds_shard(file.filename().string())) {
    mds.insert(file.parent_path());
  } else if (is_megatron(file)) {
    fs::path prefix = file;
    megatron.insert(prefix.replace_extension());
  }
}

// Drops those below another one with an index.
std::vector<fs::path> topmost(const std::set<fs::path>& folders) {
  std::vector<fs::path> kept;
  for (const fs::path& folder : folders) {
    const auto holds = [&](const fs::path& above) {
      const auto [end, rest] = std::mismatch(above.begin(), above.end(), folder.begin(), folder.end());
      return end == above.end() && is_file(above / kMdsIndexName);
    };
    if (!std::any_of(kept.begin(), kept.end(), holds)) kept.push_back(folder);
  }
  return kept;
}

SetFormat format_of(TrainerKind trainer) {
  if (has_any(kMdsTrainers, {trainer})) return SetFormat::kMds;
  return has_any(kMegatronTrainers, {trainer}) ? SetFormat::kMegatron : SetFormat::kHdf5;
}

// `options` restricted to the trainers that read this format; nothing if none of the requested ones does.
std::optional<DoctorOptions> narrowed(const DoctorOptions& options, SetFormat format) {
  DoctorOptions narrowed = options;
  std::erase_if(narrowed.trainers, [&](TrainerKind trainer) { return format_of(trainer) != format; });
  return narrowed.has_trainers() || !options.has_trainers() ? std::optional(narrowed) : std::nullopt;
}

bool has_rows(const fs::path& path, const SequenceSets& sets) {
  if (!fs::is_directory(path)) return sets.is_empty() && fs::exists(path);
  return !list_set(path).shards.empty() || !folders_with_shards(path).empty() || !parquet_files(path).empty();
}

std::string command_for(TrainerKind trainer) {
  if (format_of(trainer) == SetFormat::kHdf5) return "bertprep run --input TEXT --vocab VOCAB -o NEW";
  const std::string name =
      trainer == TrainerKind::kStreaming ? "--to mds" : "--for " + std::string(trainer_name(trainer));
  return "bertprep sequences TEXT --vocab VOCAB " + name + " -o NEW";
}

void find_split_names(const fs::path& path, const std::vector<fs::path>& sets, const DoctorOptions& options,
                      Findings& findings) {
  std::vector<std::string> wanted = options.splits;  // by the trainer's configuration
  if (wanted.empty() && has_any(options.trainers, {TrainerKind::kBioclinical})) wanted = {"train", "eval"};
  std::vector<std::string> others;
  for (const fs::path& set : sets) {
    const std::string name = set.filename().string();
    if (set.parent_path() == path && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) {
      others.push_back(name);
    }
  }
  for (const std::string& split : wanted) {
    if (std::find(sets.begin(), sets.end(), path / split) != sets.end()) continue;
    const std::string from = shell_word((path / (others.empty() ? "FOLDER" : others.front())).string());
    findings.add(Trap("split-name"), {},
                 "has no folder '" + split + "'" + (others.empty() ? "" : ", but '" + others.front() + "'"),
                 {{"{from}", from}, {"{to}", shell_word((path / split).string())}});
  }
}

// The given folder is above those with the sets.
void find_level_trap(const fs::path& path, const std::vector<fs::path>& sets, Findings& findings) {
  const auto is_split = [&](const fs::path& set) {
    return set.parent_path() == path && is_split_name(set.filename().string());
  };
  if (std::any_of(sets.begin(), sets.end(), is_split)) return;
  const fs::path& first = sets.front();
  const std::string fix =
      is_split_name(first.filename().string())
          ? "give the trainer the folder above the splits: " + shell_word(first.parent_path().string())
          : "bertprep reindex {dir} writes an index over all of them; or give the trainer the folder of one set, such "
            "as " +
                shell_word(first.string());
  findings.add(Trap("no-index"), {},
               "holds no index.json itself; " + counted(sets.size(), "folder") + " below it " +
                   (sets.size() == 1 ? "does" : "do"),
               {{"{fix}", fix}});
}

std::vector<Diagnosis> diagnoses_of_mds(const fs::path& path, const SequenceSets& sets, const DoctorOptions& options,
                                        Progress& progress) {
  std::vector<Diagnosis> diagnoses;
  for (const fs::path& set : sets.mds) diagnoses.push_back(diagnose_mds(set, options, progress));
  const bool is_set = sets.mds.size() == 1 && (sets.mds.front() == path || !fs::is_directory(path));
  if (diagnoses.empty() || (is_set && options.splits.empty())) return diagnoses;
  std::vector<TrainerKind> trainers = options.trainers.empty() ? diagnoses.front().trainers : options.trainers;
  std::erase(trainers, TrainerKind::kEurobert);  // accepts a list of folders
  Findings findings(trainers, !options.trainers.empty());
  if (!is_set) find_level_trap(path, sets.mds, findings);
  if (!findings.has(Trap("no-index"))) find_split_names(path, sets.mds, options, findings);
  Diagnosis level = Diagnosis::of(path, SetFormat::kMds, findings);
  if (!level.findings.empty()) diagnoses.insert(diagnoses.begin(), std::move(level));
  return diagnoses;
}

}  // namespace

bool is_mds_shard(const std::string& name) {
  const std::size_t at = name.find(".mds");
  if (at == std::string::npos || at == 0 || name.starts_with(".")) return false;
  const std::string ending = name.substr(at + 4);
  constexpr std::array<const char*, 7> kEndings{"", ".zstd", ".zst", ".gz", ".bz2", ".br", ".snappy"};
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

bool is_split_name(const std::string& name) {
  constexpr std::array kWords{"train", "training", "val", "valid", "validation", "eval", "evaluation", "test", "dev"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

SequenceSets find_sequence_sets(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const fs::path name = path.filename();
    if (is_file(path) && (name == kMdsIndexName || is_mds_shard(name.string()))) {
      return {{folder_of(path)}, {}};
    }
    fs::path prefix = path;
    if (is_file(path) && (path.extension() == kIds || path.extension() == kIndex)) {
      return {{}, {prefix.replace_extension()}};
    }
    const MegatronPaths paths(path);
    return is_file(paths.bin) || is_file(paths.idx) ? SequenceSets{{}, {path}} : SequenceSets();
  }
  std::set<fs::path> mds;
  std::set<fs::path> megatron;
  visit_files_below(path, [&](const fs::path& file) { add_file(file, mds, megatron); });
  return {topmost(mds), {megatron.begin(), megatron.end()}};
}

std::vector<Diagnosis> diagnose_any(const fs::path& given, const DoctorOptions& options, Progress& progress) {
  const fs::path path = given.has_filename() ? given : given.parent_path();
  const SequenceSets sets = find_sequence_sets(path);
  std::vector<Diagnosis> diagnoses;
  const auto take = [&](std::vector<Diagnosis> more) { std::ranges::move(more, std::back_inserter(diagnoses)); };
  const bool has_hdf5 = has_rows(path, sets);
  if (!has_hdf5 && sets.is_empty()) return diagnose(path, options, progress);  // it reports what it looks for
  if (const auto own = narrowed(options, SetFormat::kHdf5); own && has_hdf5) take(diagnose(path, *own, progress));
  if (const auto own = narrowed(options, SetFormat::kMds); own && !sets.mds.empty()) {
    take(diagnoses_of_mds(path, sets, *own, progress));
  }
  if (const auto own = narrowed(options, SetFormat::kMegatron)) {
    for (const fs::path& prefix : sets.megatron) diagnoses.push_back(diagnose_megatron(prefix, *own, progress));
  }
  std::vector<TrainerKind> unserved;
  for (const TrainerKind trainer : options.trainers) {
    const SetFormat format = format_of(trainer);
    const bool is_served = format == SetFormat::kMds        ? !sets.mds.empty()
                           : format == SetFormat::kMegatron ? !sets.megatron.empty()
                                                            : has_hdf5;
    if (!is_served) unserved.push_back(trainer);
  }
  if (unserved.empty()) return diagnoses;
  Findings findings(unserved, true);
  findings.add(Trap("other-format"), {},
               !sets.mds.empty()        ? "holds an MDS set"
               : !sets.megatron.empty() ? "holds a Megatron set"
                                        : "holds HDF5 files",
               {{"{command}", command_for(unserved.front())}});
  diagnoses.push_back(Diagnosis::of(path, format_of(unserved.front()), findings));
  diagnoses.back().kind = RowKind::kOther;
  return diagnoses;
}

}  // namespace bertprep
