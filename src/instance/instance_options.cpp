#include "base/fields.h"
#include "bertprep/instance/instance_set.h"

#include <array>

namespace bertprep {

const OptionGroup InstanceOptions::kGroup = OptionGroup::kRows;

std::span<const Field<InstanceOptions>> InstanceOptions::fields() {
  using Options = InstanceOptions;
  static const std::array<Field<Options>, 6> kFields{{
      {.name = "seq-len",
       .member = &Options::seq_len,
       .unit = "tokens",
       .help = "length of a row, [CLS] and both [SEP] counted in (the reference stops at 512); of run 0: the phase's",
       .min = 5,
       .max = 65535},
      {.name = "max-predictions",
       .member = &Options::max_predictions,
       .unit = "tokens",
       .help = "most masked tokens in a row; of run 0: the phase's",
       .min = 1,
       .max = 65535},
      {.name = "masked-lm-prob",
       .member = &Options::masked_lm_prob,
       .unit = "share",
       .help = "share of the tokens of a row that are masked",
       .min = 0,
       .max = 1},
      {.name = "short-seq-prob",
       .member = &Options::short_seq_prob,
       .unit = "share",
       .help = "share of the passes over a document that aim at shorter rows",
       .min = 0,
       .max = 1},
      {.name = "dupe-factor",
       .member = &Options::dupe_factor,
       .unit = "passes",
       .help = "how often each document is turned into rows, with other masks each time",
       .min = 0},
      {.name = "random-seed",
       .member = &Options::random_seed,
       .unit = "integer",
       .help = "seed of all random draws: an integer of any size and sign"},
  }};
  return kFields;
}

}  // namespace bertprep
