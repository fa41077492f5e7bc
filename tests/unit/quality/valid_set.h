// A set without a trap, in which a test changes one thing.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "quality/doctor/doctor.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {

inline constexpr ShardShape kShape{40, 24, 4};

class ValidSetTest : public testing::Test {
 protected:
  // Rows of two segments with three predictions, as [CLS] a [SEP] b [SEP]; some end in padding.
  static Batch rows_of(std::uint32_t seed, const ShardShape& shape = kShape) {
    Batch batch = valid_rows(shape, seed, 3000);
    for (std::size_t row = 0; row < shape.rows; ++row) {
      const std::size_t length = shape.seq_len - row % 3;
      for (std::size_t i = 0; i < shape.seq_len; ++i) {
        const std::size_t cell = row * shape.seq_len + i;
        const bool is_token = i < length;
        batch.input_mask[cell] = is_token ? 1 : 0;
        batch.segment_ids[cell] = is_token && i > length / 2 ? 1 : 0;
        batch.input_ids[cell] = is_token ? 1 + (batch.input_ids[cell] + static_cast<std::int32_t>(cell)) % 2999 : 0;
      }
      for (std::size_t i = 0; i < shape.max_predictions; ++i) {
        const std::size_t cell = row * shape.max_predictions + i;
        batch.masked_lm_positions[cell] = i < 3 ? static_cast<std::int32_t>(2 + 4 * i) : 0;
        batch.masked_lm_ids[cell] = i < 3 ? static_cast<std::int32_t>(5 + i) : 0;
      }
      batch.next_sentence_labels[row] = static_cast<std::int8_t>(row % 2);
    }
    return batch;
  }

  void add(const std::string& name, const Batch& rows, const ShardShape& shape = kShape) {
    ShardShape own = shape;
    own.rows = rows.rows;
    write_shard(folder_ / name, own, rows);
  }
  void add_valid(const std::vector<std::string>& names = {"x_training_0.hdf5", "x_training_1.hdf5"}) {
    for (const std::string& name : names) add(name, rows_of(++seed_));
  }
  // The second of two files, with a change to its rows.
  void add_changed(const std::function<void(Batch&)>& change) {
    add_valid({"x_training_0.hdf5"});
    Batch rows = rows_of(++seed_);
    change(rows);
    add("x_training_1.hdf5", rows);
  }

  std::vector<Finding> findings(const DoctorOptions& options = {}) {
    Progress progress;
    const auto diagnoses = diagnose(folder_.path(), options, progress);
    return diagnoses.front().findings;
  }
  // "NAME at FILE:ROW: WHAT", one per line.
  std::string found(const DoctorOptions& options = {}) {
    std::string text;
    for (const Finding& finding : findings(options)) {
      text += std::string(facts_of(finding.trap).name) + " at " + finding.place.file;
      if (finding.place.row) text += ":" + std::to_string(*finding.place.row);
      text += ": " + finding.what + "\n";
    }
    return text;
  }

  TempFolder folder_;
  std::uint32_t seed_ = 0;
};

}  // namespace bertprep::test
