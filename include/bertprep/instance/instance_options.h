// InstanceOptions: how masked-LM / next-sentence instances are made. Defaults are the reference's.
//
// The reference itself fails for seq_len above 512; longer rows, up to 65535, follow the same rules.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bertprep/base/fields.h"

namespace bertprep {

struct InstanceOptions {
  std::int64_t seq_len = 128;
  std::int64_t max_predictions = 20;
  double masked_lm_prob = 0.15;
  double short_seq_prob = 0.1;
  std::int64_t dupe_factor = 5;
  std::string random_seed = "12345";  // any integer, as Python takes it

  static constexpr OptionGroup kGroup = OptionGroup::kRows;
  static std::span<const Field<InstanceOptions>> fields();
};

}  // namespace bertprep
