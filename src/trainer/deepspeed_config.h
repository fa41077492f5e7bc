// The configuration file of DeepSpeed, as options of berttrain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bertprep {

struct DeepspeedChoice {
  std::string key;     // "optimizer.params.lr"
  std::string option;  // "learning-rate"
  std::string value;   // as the option takes it
};

struct DeepspeedChoices {
  std::vector<DeepspeedChoice> choices;
  std::vector<std::string> notes;  // what is taken in another way, left to options ("auto"), or not used
};

// What the file asks for, for so many processes. A warm-up in steps becomes a share of the file's total_num_steps, else
// of `max_steps`. Throws IoError, FormatError; ConfigError for numbers that contradict each other, and for what would
// train another way than here: other optimizers and schedules, ZeRO stage 3.
DeepspeedChoices read_deepspeed_config(const std::filesystem::path& path, std::uint64_t processes,
                                       std::int64_t max_steps);

}  // namespace bertprep
