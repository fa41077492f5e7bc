#include "quality/trainer_names.h"

#include <algorithm>
#include <span>
#include <vector>

#include "bertprep/base/error.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr const char* kReadAsRows = "|neobert|gpt2";  // HDF5, by HuggingFace's `datasets`

std::vector<TrainerKind> all_trainers() {
  std::vector<TrainerKind> trainers(kTrainerKinds.begin(), kTrainerKinds.end());
  trainers.insert(trainers.end(), kMdsTrainers.begin(), kMdsTrainers.end());
  trainers.insert(trainers.end(), kMegatronTrainers.begin(), kMegatronTrainers.end());
  return trainers;
}

std::string names_of(std::span<const TrainerKind> trainers) {
  std::string names;
  for (const TrainerKind trainer : trainers) {
    names += (names.empty() ? "" : "|") + std::string(trainer_name(trainer));
  }
  return names + kReadAsRows;
}

std::string listed(std::string names) {
  replace_all(names, "|", ", ");
  return names;
}

TrainerKind find_trainer(const std::string& name, std::span<const TrainerKind> trainers) {
  if (name == "neobert" || name == "gpt2") return TrainerKind::kHuggingFace;
  const auto found = std::ranges::find(trainers, name, trainer_name);
  if (found == trainers.end()) throw ConfigError("`for` " + name + " is not one of " + listed(names_of(trainers)));
  return *found;
}

}  // namespace

std::string trainer_names() {
  return names_of(all_trainers());
}

std::string row_trainer_names() {
  return names_of(kTrainerKinds);
}

TrainerKind trainer_of(const std::string& name) {
  return find_trainer(name, all_trainers());
}

TrainerKind row_trainer_of(const std::string& name) {
  return find_trainer(name, kTrainerKinds);
}

}  // namespace bertprep
