#include "quality/doctor/folder_traps.h"

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "shard/expected_content.h"
#include "shard/folder_gaps.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::vector<const SetFile*> training_files(const SetFolder& set) {
  std::vector<const SetFile*> files;
  for (const SetFile& file : set.shards) {
    if (takes_for_training(TrainerKind::kNvidia, file.name)) files.push_back(&file);
  }
  return files;
}

void find_split_words(const SetFile& file, Findings& findings) {
  const auto splits = splits_of(file.name);
  const auto has = [&](const char* split) { return std::find(splits.begin(), splits.end(), split) != splits.end(); };
  const bool is_taken = takes_for_training(TrainerKind::kNvidia, file.name);
  if (file.is_for_test && is_taken) {
    findings.add(Trap::kTestNamedTraining, {file.name}, "is a test shard with 'training' in its name");
  } else if ((file.is_for_test && has("train")) || (file.is_for_training && splits.size() > 1)) {
    std::string words;
    for (const std::string& split : splits) words += (words.empty() ? "'" : " and '") + split + "'";
    findings.add(Trap::kSplitWords, {file.name}, "belongs to the splits " + words + " by its name");
  }
}

std::string rows_text(const CountedFile& file, std::uint64_t micro_batch) {
  const std::string rows = counted(file.rows, "row");
  return micro_batch == 0 ? rows : rows + " (" + counted(file.rows / micro_batch, "whole batch") + ")";
}

void find_unequal_rows(const std::vector<const CountedFile*>& files, const FolderLimits& limits, Findings& findings) {
  const std::uint64_t batch = std::max<std::uint64_t>(limits.micro_batch, 1);
  const auto fewer = [&](const CountedFile* left, const CountedFile* right) {
    return left->rows / batch < right->rows / batch;
  };
  if (files.empty() || limits.ranks == 1) return;
  const auto [least, most] = std::minmax_element(files.begin(), files.end(), fewer);
  if (!fewer(*least, *most)) return;
  findings.add(Trap::kUnequalRows, {(*least)->file.name},
               "has " + rows_text(**least, limits.micro_batch) + ", " + (*most)->file.name + " has " +
                   rows_text(**most, limits.micro_batch),
               {{"{count}", std::to_string(files.size())},
                {"--equal-rows drop", limits.micro_batch > 1
                                          ? "--equal-rows drop --rows-multiple-of " + std::to_string(limits.micro_batch)
                                          : "--equal-rows drop"}});
}

void find_same_rows(const std::vector<CountedFile>& files, Findings& findings) {
  std::map<std::uint64_t, const CountedFile*> by_digest;
  for (const CountedFile& file : files) {
    if (!file.is_readable || file.rows == 0) continue;
    const auto [other, is_new] = by_digest.try_emplace(file.digest, &file);
    if (!is_new && other->second->rows == file.rows) {
      findings.add(Trap::kSameRows, {file.file.name}, "holds the same rows as " + other->second->file.name);
    }
  }
}

}  // namespace

void find_name_traps(const SetFolder& set, const FolderLimits& limits, Findings& findings) {
  for (const std::string& side : set.sides) {
    findings.add(Trap::kSideFile, {side}, "has 'training' in its name, but is not an HDF5 file of the set");
  }
  for (const SetFile& file : set.shards) find_split_words(file, findings);
  if (!limits.is_for_bert) return;
  const std::string count = std::to_string(set.shards.size());
  const auto files = training_files(set);
  if (files.empty()) {
    findings.add(Trap::kNoTrainingFile, {},
                 "none of its " + counted(set.shards.size(), "HDF5 file") + " has 'training' in its name");
    return;
  }
  if (files.size() == 1) findings.add(Trap::kOneFile, {files.front()->name}, "is the only training file");
  if (files.size() < limits.ranks) {
    findings.add(Trap::kFewerFilesThanRanks, {},
                 "has " + counted(files.size(), "training file") + " for " + counted(limits.ranks, "rank"),
                 {{"{ranks}", std::to_string(limits.ranks)}});
  }
  for (const SetFile* file : files) {
    if (file->is_for_test || takes_for_training(TrainerKind::kNeuron, file->name)) continue;
    findings.add(Trap::kOtherEnding, {file->name}, "doesn't fit *_training_*.hdf5", {{"{count}", count}});
  }
  for (const Trap trap : {Trap::kSplitWords, Trap::kTestNamedTraining}) findings.fill(trap, "{count}", count);
}

void find_count_traps(const std::vector<CountedFile>& files, const FolderLimits& limits, Findings& findings) {
  find_same_rows(files, findings);
  if (!limits.is_for_bert) return;
  std::vector<const CountedFile*> training;
  for (const CountedFile& file : files) {
    if (file.is_readable && takes_for_training(TrainerKind::kNvidia, file.file.name)) training.push_back(&file);
  }
  const std::string count = std::to_string(training.size());
  for (const CountedFile* file : training) {
    if (file->rows == 0) findings.add(Trap::kNoRows, {file->file.name}, "holds no rows", {{"{count}", count}});
  }
  find_unequal_rows(training, limits, findings);
  findings.fill(Trap::kFlippedLabels, "{count}", count);
}

void find_missing_files(const fs::path& folder, Findings& findings) {
  if (!Manifest::find(folder) && expected_content(folder).is_silent()) return;  // numbers may start at any value
  try {
    for (const FolderGap& gap : find_gaps(folder)) findings.add(Trap::kMissingFiles, {gap.file}, gap.text);
  } catch (const FormatError&) {
    return;  // another program's manifest.json
  }
}

void find_folder_name_trap(const fs::path& folder, const FolderLimits& limits, Findings& findings) {
  const std::string phase = "hdf5_lower_case_1_seq_len_" + std::to_string(limits.tokens) + "_max_pred_" +
                            std::to_string(limits.predictions) + "_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";
  const fs::path literal = fs::path(phase) / "books_wiki_en_corpus";
  const fs::path own = fs::absolute(folder / "").lexically_normal().parent_path();
  const bool looks_renamed =
      own.parent_path().filename().string().starts_with("hdf5_") || own.filename() == literal.filename();
  if (!looks_renamed || limits.tokens == 0) return;
  if (own.parent_path().filename() == phase && own.filename() == literal.filename()) return;
  findings.add(Trap::kFolderName, {}, "Habana's scripts look for " + literal.string(),
               {{"{literal}", literal.string()}});
}

}  // namespace bertprep
