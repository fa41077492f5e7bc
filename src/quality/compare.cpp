#include "quality/compare.h"

#include <algorithm>
#include <array>

#include "bertprep/shard/manifest.h"
#include "bertprep/shard/schema.h"
#include "io/digest.h"
#include "io/folder.h"
#include "quality/row_view.h"
#include "quality/trainer_files.h"
#include "shard/shard_names.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

bool is_kept(std::uint64_t digest, unsigned halvings) {
  return (digest & ((std::uint64_t{1} << halvings) - 1)) == 0;
}

constexpr std::array kSplitNames{"training", "test", "other"};
constexpr const char* kAll = "all";

std::string part_of(const SetFile& file) {
  return file.is_for_training ? "training" : file.is_for_test ? "test" : "other";
}

struct ComparedSet {
  fs::path path;
  SetFolder files;
  RowKind kind = RowKind::kBert;

  std::vector<fs::path> part(const std::string& name) const {
    std::vector<fs::path> paths;
    for (const SetFile& file : files.shards) {
      if (name == kAll || part_of(file) == name) paths.push_back(file.path);
    }
    return paths;
  }
  bool is_parted() const { return fs::is_directory(path) && part("other").empty(); }
};

ComparedSet open_set(const fs::path& path) {
  ComparedSet set{path, list_set(path)};
  if (set.files.shards.empty()) {
    const auto below = folders_with_shards(path);
    throw FormatError(
        "contains no HDF5 file", path,
        below.empty() ? "give a folder of shards" : "give one below it, such as " + below.front().string());
  }
  std::ranges::stable_sort(set.files.shards, {}, [](const SetFile& file) { return natural_key(file.name); });
  set.kind = kind_of(ShardColumns(set.files.shards.front().path));
  return set;
}

std::string first_difference(const char* name, std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  if (a.size() != b.size()) {
    return std::string(name) + " has " + std::to_string(a.size()) + " values and " + std::to_string(b.size());
  }
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin());
  if (left == a.end()) return {};
  return std::string(name) + "[" + std::to_string(left - a.begin()) + "] is " + std::to_string(*left) + " and " +
         std::to_string(*right);
}

std::string difference_of(const RowView& a, const RowView& b) {
  struct Column {
    const char* name;
    std::span<const std::int64_t> RowView::*values;
  };
  constexpr std::array<Column, 6> kColumns{{{kInputIds, &RowView::ids},
                                            {kInputMask, &RowView::mask},
                                            {kSegmentIds, &RowView::segments},
                                            {kMaskedLmPositions, &RowView::positions},
                                            {kMaskedLmIds, &RowView::masked_ids},
                                            {"labels", &RowView::labels}}};
  for (const Column& column : kColumns) {
    const std::string text = first_difference(column.name, a.*column.values, b.*column.values);
    if (!text.empty()) return text;
  }
  const auto label = [](const RowView& row) {
    return row.next_sentence ? std::to_string(*row.next_sentence) : std::string("absent");
  };
  return std::string(kNextSentenceLabels) + " is " + label(a) + " and " + label(b);
}

// RowFeed: the rows of many files as one sequence.
class RowFeed {
 public:
  // Files of one folder, in the order in which their rows are read.
  RowFeed(std::vector<fs::path> files, RowKind kind)
      : files_(std::move(files)), kind_(kind), recorded_(files_.empty() ? fs::path() : folder_of(files_.front())) {}

  // Moves to the next row; false at the end. Calls progress.advance(1) after each file. Throws IoError, Cancelled, and
  // FormatError, also if a file is not the one that the manifest beside it describes.
  bool next(Progress& progress) {
    if (reader_ && block_end_ > 0) ++at_;
    while (!reader_ || at_ >= reader_->rows()) {
      if (!open_next(progress)) return false;
    }
    if (at_ < block_end_) return true;
    if (progress.cancelled()) throw Cancelled();
    block_first_ = at_;
    block_end_ = std::min<std::uint64_t>(at_ + reader_->rows_at_once(), reader_->rows());
    reader_->read(block_first_, block_end_ - block_first_);
    return true;
  }
  // The current row; valid until next().
  RowView row() const { return reader_->row(at_ - block_first_); }
  std::string place() const { return files_[file_].filename().string() + ": row " + std::to_string(at_); }

 private:
  bool open_next(Progress& progress) {
    if (reader_) {
      progress.advance(1);
      ++file_;
    }
    reader_.reset();
    if (file_ >= files_.size()) return false;
    recorded_.require_unchanged(files_[file_], progress);
    columns_.emplace(files_[file_]);
    reader_.emplace(*columns_, kind_);
    if (!reader_->fault().empty()) throw FormatError(reader_->fault(), files_[file_]);
    at_ = block_first_ = block_end_ = 0;
    return true;
  }

  std::vector<fs::path> files_;
  RowKind kind_;
  RecordedFiles recorded_;
  std::optional<ShardColumns> columns_;
  std::optional<RowReader> reader_;
  std::size_t file_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t block_first_ = 0;
  std::uint64_t block_end_ = 0;
};

RowsCompared compare_part(const std::string& part, const ComparedSet& a, const ComparedSet& b, Progress& progress) {
  RowsCompared result;
  result.part = part;
  RowFeed left(a.part(part), a.kind);
  RowFeed right(b.part(part), b.kind);
  RowBag left_bag;
  RowBag right_bag;
  bool has_left = left.next(progress);
  bool has_right = right.next(progress);
  while (has_left || has_right) {
    const std::uint64_t left_digest = has_left ? digest_of(left.row()) : 0;
    const std::uint64_t right_digest = has_right ? digest_of(right.row()) : 0;
    if (has_left) left_bag.add(left_digest);
    if (has_right) right_bag.add(right_digest);
    const bool is_same = has_left && has_right && left_digest == right_digest;
    if (!is_same && !result.first) {
      result.first = {has_left ? left.place() : "", has_right ? right.place() : "",
                      has_left && has_right ? difference_of(left.row(), right.row()) : "one set ends here"};
    }
    has_left = has_left && left.next(progress);
    has_right = has_right && right.next(progress);
  }
  result.rows_a = left_bag.rows();
  result.rows_b = right_bag.rows();
  result.same_order = !result.first;
  result.same_rows = result.same_order || same_rows(left_bag, right_bag);
  const RowBag::Common common = common_rows(left_bag, right_bag);
  result.common = common.rows;
  result.common_of = common.of;
  result.one_in = common.one_in;
  return result;
}

std::vector<RecipeDifference> compare_recipes(const fs::path& a, const fs::path& b) {
  std::vector<RecipeDifference> differences;
  const auto folder_of_set = [](const fs::path& path) { return fs::is_directory(path) ? path : path.parent_path(); };
  const auto left = Manifest::find(folder_of_set(a));
  const auto right = Manifest::find(folder_of_set(b));
  if (!left || !right) return differences;
  for (const auto& [name, value] : left->recipe) {
    const std::string other = right->recipe_value(name).value_or("absent");
    if (other != value) differences.push_back({name, value, other});
  }
  for (const auto& [name, value] : right->recipe) {
    if (!left->recipe_value(name)) differences.push_back({name, "absent", value});
  }
  return differences;
}

}  // namespace

void RowBag::add(std::uint64_t digest) {
  ++rows_;
  sum_ += digest;
  mixed_sum_ += checksum_of(bytes_in_memory(std::array{digest}));
  if (!is_kept(digest, halvings_)) return;
  digests_.push_back(digest);
  while (digests_.size() > max_digests_ && halvings_ < 40) halve();
}

void RowBag::halve() {
  ++halvings_;
  std::erase_if(digests_, [&](std::uint64_t digest) { return !is_kept(digest, halvings_); });
}

RowBag::Common common_rows(RowBag& left, RowBag& right) {
  while (left.halvings_ < right.halvings_) left.halve();
  while (right.halvings_ < left.halvings_) right.halve();
  for (RowBag* bag : {&left, &right}) std::sort(bag->digests_.begin(), bag->digests_.end());
  RowBag::Common common{0, std::max(left.digests_.size(), right.digests_.size()), left.one_in()};
  auto a = left.digests_.begin();
  auto b = right.digests_.begin();
  while (a != left.digests_.end() && b != right.digests_.end()) {
    if (*a == *b) ++common.rows;
    const std::uint64_t least = std::min(*a, *b);
    const bool step_a = *a == least;
    const bool step_b = *b == least;
    if (step_a) ++a;
    if (step_b) ++b;
  }
  return common;
}

bool Comparison::same_order() const {
  return std::ranges::all_of(parts, &RowsCompared::same_order);
}

bool Comparison::same_rows() const {
  return std::ranges::all_of(parts, &RowsCompared::same_rows);
}

Comparison compare_sets(const fs::path& a, const fs::path& b, Progress& progress) {
  const ComparedSet left = open_set(a);
  const ComparedSet right = open_set(b);
  Comparison comparison;
  comparison.recipes = compare_recipes(a, b);
  progress.begin("compare", left.files.shards.size() + right.files.shards.size(), "shards");
  // Without such names, or for a single file, rows are not separated.
  const bool in_parts = left.is_parted() && right.is_parted();
  if (!in_parts) comparison.parts.push_back(compare_part(kAll, left, right, progress));
  for (const char* part : kSplitNames) {
    if (!in_parts || (left.part(part).empty() && right.part(part).empty())) continue;
    comparison.parts.push_back(compare_part(part, left, right, progress));
  }
  progress.end();
  return comparison;
}

}  // namespace bertprep
