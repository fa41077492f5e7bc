// Rows of files as trainers see them, whichever of two sets of names their columns have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "quality/shard_columns.h"

namespace bertprep {

// OnesRun: where the ones of a row stand that has nothing but zeros and ones: almost every mask and every row of
// segments is told by it, and no one need look at its values again.
struct OnesRun {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the last one; both are 0 where there is none
};

// Nothing where there are other values than 0 and 1, or zeros between ones. The same for the same values of both types.
std::optional<OnesRun> find_ones(std::span<const std::uint8_t> values);
std::optional<OnesRun> find_ones(std::span<const std::int64_t> values);

// Whose names the columns have.
enum class RowKind {
  kBert,         // of bertprep/shard/schema.h
  kHuggingFace,  // attention_mask, token_type_ids, labels: what its models take
  kOther,        // input_ids at most
};

RowKind kind_of(const ShardColumns& columns);

// One row; what is not there is empty. Valid until the next read().
struct RowView {
  std::span<const std::int64_t> ids;
  std::span<const std::int64_t> mask;
  std::span<const std::int64_t> segments;
  std::span<const std::int64_t> positions;
  std::span<const std::int64_t> masked_ids;
  std::span<const std::int64_t> labels;  // kHuggingFace: one for each token, -100 where nothing is predicted
  std::optional<std::int64_t> next_sentence;
  // What find_ones() says of mask and segments, where it is known already.
  std::optional<OnesRun> mask_ones{};
  std::optional<OnesRun> segment_ones{};
};

class RowReader {
 public:
  // `columns` must outlive it. Columns that can't be read are left out.
  RowReader(ShardColumns& columns, RowKind kind);

  // What is wrong with the first column of this kind that is there and can't be read; empty where nothing is.
  const std::string& fault() const { return fault_; }
  std::uint64_t rows() const { return rows_; }  // that all columns have
  std::size_t rows_at_once() const { return columns_.rows_at_once(); }
  // Throws IoError, FormatError.
  void read(std::uint64_t first, std::size_t count);
  RowView row(std::size_t i) const;

 private:
  struct Part {
    const Hdf5InputDataset* column = nullptr;
    std::size_t width = 0;
    std::vector<std::int64_t> values{};
    std::vector<std::optional<OnesRun>> ones{};  // of each row, in columns of zeros and ones

    void find_ones_of(std::span<const std::byte> stored, std::size_t rows);
    std::span<const std::int64_t> row(std::size_t i) const {
      return column == nullptr ? std::span<const std::int64_t>() : std::span(values).subspan(i * width, width);
    }
    std::optional<OnesRun> ones_of(std::size_t i) const { return ones.empty() ? std::nullopt : ones[i]; }
  };

  ShardColumns& columns_;
  std::string fault_;
  std::uint64_t rows_ = 0;
  std::vector<Part> parts_;
};

// The same for the same values, whatever types they are stored in.
std::uint64_t digest_of(const RowView& row);

// RowFeed: the rows of many files as one sequence.
class RowFeed {
 public:
  // Files in the order in which their rows are taken.
  RowFeed(std::vector<std::filesystem::path> files, RowKind kind) : files_(std::move(files)), kind_(kind) {}

  // Goes to the next row; false at the end. Calls progress.advance(1) for each file that is done. Throws IoError,
  // FormatError, Cancelled.
  bool next(Progress& progress);
  // Of the present row; valid until next().
  RowView row() const { return reader_->row(at_ - block_first_); }
  const std::filesystem::path& file() const { return files_[file_]; }
  std::uint64_t number() const { return at_; }  // in its file

 private:
  bool open_next(Progress& progress);

  std::vector<std::filesystem::path> files_;
  RowKind kind_;
  std::unique_ptr<ShardColumns> columns_;
  std::unique_ptr<RowReader> reader_;
  std::size_t file_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t block_first_ = 0;
  std::uint64_t block_end_ = 0;
};

}  // namespace bertprep
