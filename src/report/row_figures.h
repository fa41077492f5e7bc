// RowFigures: what a report tells of the rows of a set, counted while each passes by once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quality/row_view.h"

namespace bertprep {

// 0 of nothing.
double share_of(std::uint64_t part, std::uint64_t whole);

struct FileFigures {
  std::string name;
  bool is_for_test = false;
  std::uint64_t bytes = 0;  // on disk
  std::uint64_t rows = 0;
  std::uint64_t random_next = 0;  // label 1
};

// What stands in the rows where a token is to be predicted.
struct ReplacementFigures {
  std::uint64_t by_mask = 0;
  std::uint64_t by_same = 0;
  std::uint64_t by_other = 0;
};

class RowFigures {
 public:
  // Rows that follow are this file's.
  void begin_file(FileFigures file) { files_.push_back(std::move(file)); }
  void add(const RowView& row);

  const std::vector<FileFigures>& files() const { return files_; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t tokens() const { return tokens_; }  // no padding
  std::uint64_t places() const { return places_; }  // with padding
  std::uint64_t predictions() const { return predictions_; }
  std::uint64_t labelled() const { return labelled_; }  // rows with a label for the next sentence
  std::uint64_t random_next() const;
  std::uint64_t in_second_segment() const { return in_second_segment_; }  // tokens
  std::size_t row_length() const { return lengths_.empty() ? 0 : lengths_.size() - 1; }
  std::size_t most_predictions() const { return masks_.empty() ? 0 : masks_.size() - 1; }
  // Decoded, in the types of bertprep/shard/schema.h.
  std::uint64_t decoded_bytes() const;

  // Rows by their number of tokens, and of predictions.
  const std::vector<std::uint64_t>& lengths() const { return lengths_; }
  const std::vector<std::uint64_t>& masks() const { return masks_; }
  // How often a token stands in the text, by id, with those in place of which another stands.
  std::vector<std::uint64_t> by_id() const;
  // That which most often stands in place of another; nothing where none does so in half of such places.
  std::optional<std::int64_t> likely_mask() const;
  ReplacementFigures replacements(std::optional<std::int64_t> mask) const;

 private:
  std::size_t add_predictions(const RowView& row);
  void count_sound(const RowView& row, std::size_t count);
  bool are_sound(const RowView& row, std::size_t count) const;
  void add_prediction(const RowView& row, std::int64_t position, std::int64_t original);
  void count_ids(std::span<const std::int64_t> ids);
  void count_id(std::int64_t id);

  std::vector<FileFigures> files_;
  std::uint64_t rows_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t places_ = 0;
  std::uint64_t predictions_ = 0;
  std::uint64_t labelled_ = 0;
  std::uint64_t in_second_segment_ = 0;
  std::vector<std::uint64_t> lengths_;
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint64_t> standing_;  // how often an id stands in rows or is to be predicted, by id
  std::vector<std::uint64_t> instead_;   // how often an id stands in place of another
  std::size_t usual_ = 0;                // what stood in place of another in the row before
  std::uint64_t same_ = 0;
};

}  // namespace bertprep
