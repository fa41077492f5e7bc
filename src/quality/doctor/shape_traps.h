// ShapeTraps: finds columns that are missing, unreadable, or of different sizes within a file or between files.
#pragma once

#include <optional>
#include <string>

#include "quality/doctor/findings.h"
#include "quality/row_view.h"

namespace bertprep {

class ShapeTraps {
 public:
  // `is_for_bert`: the set is for trainers that need the six columns of bertprep/shard/schema.h, or the user named such
  // a trainer. `findings` must outlive it.
  // `is_own`: the set is bertprep's, whose columns map as the documentation shows.
  ShapeTraps(RowKind kind, bool is_for_bert, bool is_own, Findings& findings)
      : kind_(kind), is_for_bert_(is_for_bert), is_own_(is_own), findings_(findings) {}

  // `is_for_test`: only trainers that test or load all files read it.
  void add(const std::string& file, bool is_for_test, const ShardColumns& columns);

 private:
  struct Lengths {
    std::string file;
    std::size_t tokens = 0;
    std::size_t predictions = 0;
  };
  static std::string difference(const Lengths& lengths, const Lengths& first);

  void check_columns(const std::string& file, const ShardColumns& columns);
  void check_first_dimensions(const std::string& file, const ShardColumns& columns);
  void check_lengths(const std::string& file, bool is_for_test, const ShardColumns& columns);

  RowKind kind_;
  bool is_for_bert_;
  bool is_own_;
  Findings& findings_;
  std::optional<Lengths> first_;           // of all files
  std::optional<Lengths> first_training_;  // of those not for test
};

}  // namespace bertprep
