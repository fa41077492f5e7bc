#include "quality/doctor/folder_traps.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/schema.h"
#include "shard/folder_gaps.h"
#include "source/columns/parquet_metadata.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::array kBertColumns{kInputIds,          kInputMask,   kSegmentIds,
                                  kMaskedLmPositions, kMaskedLmIds, kNextSentenceLabels};
// Columns that have one value for each token, or for each prediction.
constexpr std::array kTokenColumns{kInputMask, kSegmentIds, "attention_mask", "token_type_ids", "labels"};

std::string rows_text(const RowShape& shape) {
  const std::string text = std::to_string(shape.tokens) + " tokens";
  return shape.predictions == 0 ? text : text + " and " + std::to_string(shape.predictions) + " predictions";
}

std::string difference(const RowShape& shape, const RowShape& first) {
  return "has rows of " + rows_text(shape) + ", " + first.file + " of " + rows_text(first);
}

bool is_named_training(const SetFile& file) {
  return takes_for_training(TrainerKind::kNvidia, file.name);
}

void find_split_words(const SetFile& file, Findings& findings) {
  const auto splits = splits_of(file.name);
  const auto has = [&](const char* split) { return std::find(splits.begin(), splits.end(), split) != splits.end(); };
  if (file.is_for_test && is_named_training(file)) {
    findings.add(Trap("test-named-training"), {file.name}, "is a test shard with 'training' in its name");
  } else if ((file.is_for_test && has("train")) || (file.is_for_training && splits.size() > 1)) {
    findings.add(Trap("split-words"), {file.name},
                 "belongs to the splits '" + joined(splits, "' and '") + "' by its name");
  }
}

std::string rows_text(const CountedFile& file, std::uint64_t micro_batch) {
  const std::string rows = counted(file.rows, "row");
  return micro_batch == 0 ? rows : rows + " (" + counted(file.rows / micro_batch, "whole batch") + ")";
}

void find_unequal_rows(const std::vector<const CountedFile*>& files, const DoctorOptions& options, Findings& findings) {
  const std::uint64_t batch = std::max<std::uint64_t>(options.micro_batch, 1);
  const auto fewer = [&](const CountedFile* left, const CountedFile* right) {
    return left->rows / batch < right->rows / batch;
  };
  if (files.empty() || options.ranks == 1) return;
  const auto [least, most] = std::minmax_element(files.begin(), files.end(), fewer);
  if (!fewer(*least, *most)) return;
  findings.add(Trap("unequal-rows"), {(*least)->file.name},
               "has " + rows_text(**least, options.micro_batch) + ", " + (*most)->file.name + " has " +
                   rows_text(**most, options.micro_batch),
               {{"{count}", std::to_string(files.size())},
                {"--equal-rows drop",
                 options.micro_batch > 1 ? "--equal-rows drop --rows-multiple-of " + std::to_string(options.micro_batch)
                                         : "--equal-rows drop"}});
}

void find_same_rows(const std::vector<CountedFile>& files, Findings& findings) {
  std::map<std::uint64_t, const CountedFile*> by_digest;
  for (const CountedFile& file : files) {
    if (!file.is_readable || file.rows == 0) continue;
    const auto [other, is_new] = by_digest.try_emplace(file.digest, &file);
    if (!is_new && other->second->rows == file.rows) {
      findings.add(Trap("same-rows"), {file.file.name}, "holds the same rows as " + other->second->file.name);
    }
  }
}

constexpr std::uint64_t kWorkers = 4;  // of each rank, the trainer's default

// "parquet", "parquet_2"; empty for other files.
std::string bin_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".parquet") return "parquet";
  const bool is_bin = extension.starts_with(".parquet_") && is_ascii_digits(std::string_view(extension).substr(9));
  return is_bin ? extension.substr(1) : std::string();
}

void find_unbalanced(const std::vector<CountedFile>& files, Findings& findings) {
  const auto [least, most] = std::ranges::minmax_element(files, {}, &CountedFile::rows);
  if (most->rows == least->rows + 1) return;
  findings.add(
      Trap("unbalanced-files"), {least->file.name},
      most->rows == least->rows
          ? "has " + counted(least->rows, "row") + ", as " +
                (files.size() == 1 ? "the only file" : "all " + counted(files.size(), "file") + " have")
          : "has " + counted(least->rows, "row") + ", " + most->file.name + " has " + counted(most->rows, "row"));
}

}  // namespace

void ShapeTraps::add(const SetFile& file, const ShardColumns& columns) {
  check_columns(file.name, columns);
  check_first_dimensions(file.name, columns);
  check_lengths(file, columns);
}

void ShapeTraps::check_columns(const std::string& file, const ShardColumns& columns) {
  for (const auto& [name, text] : columns.unreadable()) {
    const bool is_needed = std::find(kBertColumns.begin(), kBertColumns.end(), name) != kBertColumns.end();
    if (is_needed) findings_.add(Trap("unreadable-column"), {file}, text);
  }
  if (kind_ == RowKind::kBert) {
    findings_.add(is_own_ ? Trap("mapped-columns") : Trap("dropped-columns"), {file},
                  "has input_mask, segment_ids and masked_lm_ids where a model of HuggingFace's takes attention_mask, "
                  "token_type_ids and labels");
  }
  const Hdf5InputDataset* labels = columns.find(kNextSentenceLabels);
  if (labels != nullptr && labels->shape().size() > 1) {
    findings_.add(Trap("label-dimensions"), {file}, labels->shape_text() + ", expected one dimension");
  }
  if (!is_for_bert_) return;
  std::vector<std::string> missing(kBertColumns.begin(), kBertColumns.end());
  std::erase_if(missing, [&](const std::string& name) { return columns.has(name); });
  if (!missing.empty()) findings_.add(Trap("missing-columns"), {file}, "has no " + joined(missing));
}

void ShapeTraps::check_first_dimensions(const std::string& file, const ShardColumns& columns) {
  const Hdf5InputDataset* first = columns.find(kInputIds);
  for (const std::string& name : columns.names()) {
    const Hdf5InputDataset* column = columns.find(name);
    if (column == nullptr) continue;
    if (first == nullptr) first = column;
    if (column->shape().front() == first->shape().front()) continue;
    findings_.add(Trap("first-dimensions"), {file}, column->shape_text() + ", but " + first->shape_text());
    return;
  }
}

void ShapeTraps::check_lengths(const SetFile& file, const ShardColumns& columns) {
  const Hdf5InputDataset* ids = columns.find(kInputIds);
  if (ids == nullptr) return;
  const Hdf5InputDataset* positions = columns.find(kMaskedLmPositions);
  const RowShape shape{file.name, ShardColumns::width(*ids),
                       positions == nullptr ? 0 : ShardColumns::width(*positions)};
  const auto compare = [&](const Hdf5InputDataset* column, const Hdf5InputDataset* wanted) {
    if (column == nullptr || wanted == nullptr || ShardColumns::width(*column) == ShardColumns::width(*wanted)) return;
    findings_.add(Trap("row-lengths"), {file.name}, column->shape_text() + ", but " + wanted->shape_text());
  };
  for (const char* name : kTokenColumns) {
    const Hdf5InputDataset* column = columns.find(name);
    const bool is_one_a_row = column != nullptr && column->shape().size() == 1;  // one label per row
    if (!is_one_a_row) compare(column, ids);
  }
  compare(columns.find(kMaskedLmIds), positions);
  if (!file.is_for_test) {
    if (!first_training_) first_training_ = shape;
    if (shape.tokens != first_training_->tokens) {
      findings_.add(Trap("row-lengths"), {file.name}, difference(shape, *first_training_));
      return;
    }
  }
  if (!first_) first_ = shape;
  if (shape.tokens == first_->tokens && shape.predictions == first_->predictions) return;
  findings_.add(Trap("column-widths"), {file.name}, difference(shape, *first_));
}

void find_name_traps(const SetFolder& set, const DoctorOptions& options, bool is_for_bert, Findings& findings) {
  for (const std::string& side : set.sides) {
    findings.add(Trap("side-file"), {side}, "has 'training' in its name, but is not an HDF5 file of the set");
  }
  for (const SetFile& file : set.shards) find_split_words(file, findings);
  if (!is_for_bert) return;
  const std::string count = std::to_string(set.shards.size());
  std::vector<const SetFile*> files;
  for (const SetFile& file : set.shards) {
    if (is_named_training(file)) files.push_back(&file);
  }
  if (files.empty()) {
    findings.add(Trap("no-training-file"), {},
                 "none of its " + counted(set.shards.size(), "HDF5 file") + " has 'training' in its name");
    return;
  }
  if (files.size() == 1) findings.add(Trap("one-file"), {files.front()->name}, "is the only training file");
  if (files.size() < options.ranks) {
    findings.add(Trap("fewer-files-than-ranks"), {},
                 "has " + counted(files.size(), "training file") + " for " + counted(options.ranks, "rank"),
                 {{"{ranks}", std::to_string(options.ranks)}});
  }
  for (const SetFile* file : files) {
    if (file->is_for_test || takes_for_training(TrainerKind::kNeuron, file->name)) continue;
    findings.add(Trap("other-ending"), {file->name}, "doesn't fit *_training_*.hdf5", {{"{count}", count}});
  }
  for (const Trap trap : {Trap("split-words"), Trap("test-named-training")}) findings.fill(trap, "{count}", count);
}

void find_count_traps(const std::vector<CountedFile>& files, const DoctorOptions& options, bool is_for_bert,
                      Findings& findings) {
  find_same_rows(files, findings);
  if (!is_for_bert) return;
  std::vector<const CountedFile*> training;
  for (const CountedFile& file : files) {
    if (file.is_readable && is_named_training(file.file)) training.push_back(&file);
  }
  const std::string count = std::to_string(training.size());
  for (const CountedFile* file : training) {
    if (file->rows == 0) findings.add(Trap("no-rows"), {file->file.name}, "holds no rows", {{"{count}", count}});
  }
  find_unequal_rows(training, options, findings);
  findings.fill(Trap("flipped-labels"), "{count}", count);
}

void find_missing_files(const fs::path& folder, Findings& findings) {
  if (!Manifest::find(folder) && expected_content(folder).is_silent()) return;  // numbers may start at any value
  try {
    for (const FolderGap& gap : find_gaps(folder)) findings.add(Trap("missing-files"), {gap.file}, gap.text);
  } catch (const FormatError&) {
    return;  // another program's manifest.json
  }
}

void find_folder_name_trap(const fs::path& folder, const RowShape& shape, Findings& findings) {
  const std::string phase = "hdf5_lower_case_1_seq_len_" + std::to_string(shape.tokens) + "_max_pred_" +
                            std::to_string(shape.predictions) + "_masked_lm_prob_0.15_random_seed_12345_dupe_factor_5";
  const fs::path literal = fs::path(phase) / "books_wiki_en_corpus";
  const fs::path own = fs::absolute(folder / "").lexically_normal().parent_path();
  const bool looks_renamed =
      own.parent_path().filename().string().starts_with("hdf5_") || own.filename() == literal.filename();
  if (!looks_renamed || shape.tokens == 0) return;
  if (own.parent_path().filename() == phase && own.filename() == literal.filename()) return;
  findings.add(Trap("folder-name"), {}, "Habana's scripts look for " + literal.string(),
               {{"{literal}", literal.string()}});
}

std::vector<fs::path> parquet_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  visit_files_below(folder, [&](const fs::path& file) {
    if (!bin_of(file).empty()) files.push_back(file);
  });
  std::sort(files.begin(), files.end());
  return files;
}

std::uint64_t find_parquet_traps(const fs::path& folder, const std::vector<fs::path>& files, std::uint64_t ranks,
                                 Findings& findings, Progress& progress) {
  std::uint64_t rows = 0;
  std::map<std::string, std::vector<CountedFile>> bins;
  progress.begin("doctor", files.size(), "files");
  for (const fs::path& file : files) {
    if (progress.cancelled()) throw Cancelled();
    const std::string name = file.lexically_relative(folder).string();
    try {
      const std::uint64_t rows_of_file = read_parquet_metadata(file).rows;
      bins[bin_of(file)].push_back({{file, name}, rows_of_file});
      rows += rows_of_file;
    } catch (const FormatError& error) {
      findings.add(Trap("damaged-file"), {name}, error.what());
    }
    progress.advance(1);
  }
  progress.end();
  for (const auto& [bin, counted_files] : bins) {
    find_unbalanced(counted_files, findings);
    if (ranks == 0 || counted_files.size() % (ranks * kWorkers) == 0) continue;
    const std::uint64_t multiple = (counted_files.size() / (ranks * kWorkers) + 1) * ranks * kWorkers;
    findings.add(Trap("undivided-files"), {},
                 "has " + counted(counted_files.size(), "file") + " for " + counted(ranks, "rank") + " with " +
                     std::to_string(kWorkers) + " workers each",
                 {{"{multiple}", std::to_string(multiple)}});
  }
  return rows;
}

}  // namespace bertprep
