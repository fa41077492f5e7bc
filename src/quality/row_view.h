// Rows of HDF5 files of any origin as trainers see them, with either of two sets of column names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "shard/hdf5/hdf5_input.h"

namespace bertprep {

// What `error` says, without the name of the file before it.
std::string fault_text(const Error& error, const std::filesystem::path& file);

// Widens little-endian integers of a file, which replace `values`. Unsigned ones of 2^63 or more become negative.
void widen(std::string_view bytes, unsigned width, bool is_signed, std::vector<std::int64_t>& values);

// ShardColumns: the columns of an HDF5 file: requires no names, types or shapes.
class ShardColumns {
 public:
  // Throws IoError, and FormatError if the file is not an HDF5 file or refers to other files.
  explicit ShardColumns(const std::filesystem::path& path);

  // Datasets of the root group, sorted.
  const std::vector<std::string>& names() const { return names_; }
  bool has(const std::string& name) const { return columns_.contains(name) || unreadable_.contains(name); }
  // nullptr if there is no such integer column.
  const Hdf5InputDataset* find(const std::string& name) const;
  // What is wrong with the columns that can't be read as integers, by name.
  const std::map<std::string, std::string>& unreadable() const { return unreadable_; }

  // Values in a row of a column: the product of its dimensions after the first.
  static std::size_t width(const Hdf5InputDataset& column);
  // Rows to read at once: few enough for the cache of a core, at least one.
  std::size_t rows_at_once() const;
  // Rows [first, first + count) of `column`, widened. Returns the values as stored, but little-endian; valid until the
  // next read(). Throws IoError, FormatError.
  std::span<const std::byte> read(const Hdf5InputDataset& column, std::size_t first, std::size_t count,
                                  std::vector<std::int64_t>& values);

 private:
  Hdf5InputFile file_;
  std::vector<std::string> names_;
  std::map<std::string, Hdf5InputDataset> columns_;
  std::map<std::string, std::string> unreadable_;
  std::vector<std::byte> buffer_;
};

// OnesRun: the range of ones in a row of zeros and ones. It describes almost every mask and every row of segments, so
// that their values need not be examined again.
struct OnesRun {
  std::size_t begin = 0;
  std::size_t end = 0;  // after the last one; both are 0 without ones
};

// Nothing if there are values other than 0 and 1, or zeros between ones. Equal values of both types give the same
// result.
std::optional<OnesRun> find_ones(std::span<const std::uint8_t> values);
std::optional<OnesRun> find_ones(std::span<const std::int64_t> values);

// Whose names the columns use.
enum class RowKind {
  kBert,         // of bertprep/shard/schema.h
  kHuggingFace,  // attention_mask, token_type_ids, labels: the inputs of its models
  kOther,        // input_ids at most
};

RowKind kind_of(const ShardColumns& columns);

// One row; missing parts are empty. Valid until the next read().
struct RowView {
  std::span<const std::int64_t> ids{};
  std::span<const std::int64_t> mask{};
  std::span<const std::int64_t> segments{};
  std::span<const std::int64_t> positions{};
  std::span<const std::int64_t> masked_ids{};
  std::span<const std::int64_t> labels{};  // kHuggingFace: one for each token, -100 if not predicted
  std::optional<std::int64_t> next_sentence{};
  // The result of find_ones() for mask and segments, if already known.
  std::optional<OnesRun> mask_ones{};
  std::optional<OnesRun> segment_ones{};
};

class RowReader {
 public:
  // `columns` must outlive it. Skips columns that can't be read.
  RowReader(ShardColumns& columns, RowKind kind);

  // What is wrong with the first column of this kind that exists but can't be read; empty if there is none.
  const std::string& fault() const { return fault_; }
  std::uint64_t rows() const { return rows_; }  // common to all columns
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

// Equal values have equal digests, whatever their stored types.
std::uint64_t digest_of(const RowView& row);

}  // namespace bertprep
