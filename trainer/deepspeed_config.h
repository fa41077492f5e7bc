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
  std::string value;   // as the option accepts it
};

struct DeepspeedChoices {
  std::vector<DeepspeedChoice> choices;
  std::vector<std::string> notes;  // settings that are interpreted differently, left to options ("auto"), or ignored
};

// The file's settings for this number of processes. A warm-up in steps becomes a share of the file's total_num_steps,
// else of `max_steps`. Throws IoError, FormatError; ConfigError for contradictory numbers, and for settings that are
// not supported: other optimizers and schedules, ZeRO stage 3.
DeepspeedChoices read_deepspeed_config(const std::filesystem::path& path, std::uint64_t processes,
                                       std::int64_t max_steps);

}  // namespace bertprep
