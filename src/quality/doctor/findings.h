// Findings: the traps of a set, each reported once, with the first place and the number of occurrences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "quality/traps.h"

namespace bertprep {

struct FindingPlace {
  std::string file;                    // a name in the folder; empty: the folder itself
  std::optional<std::uint64_t> row{};  // counted from 0
};

struct Finding {
  Trap trap{};
  FindingPlace place;  // the first one
  std::string what;    // of the first place: "has 5 rows, x_training_0.hdf5 has 6"
  std::string fix;     // with {dir} and {files}, see TrapFacts
  std::vector<TrapEffect> effects;
  std::uint64_t rows = 0;          // rows with this trap; 0: not about rows
  std::uint64_t file_count = 0;    // files with it
  std::vector<std::string> files;  // the first kMaxFiles of them

  static constexpr std::size_t kMaxFiles = 20;
  Severity severity() const;  // the worst one
};

// Doctor's findings in words, for terminals and pages. `path` is the argument of doctor.

// How to fix it, as a command to type.
std::string fix_text(const Finding& finding, const std::filesystem::path& path);
// Where it first occurs: a path, possibly with a row.
std::string place_text(const Finding& finding, const std::filesystem::path& path);
// "41 rows in 3 files", for a trap that occurs more than once; else empty.
std::string extent_text(const Finding& finding);
// "crash late: habana, neuron: ...": one for all trainers with the same effect.
std::vector<std::string> effect_texts(const Finding& finding);

// Words in a fix that are known only when the trap is found: {"{largest}", "30522"}.
using FixWords = std::vector<std::pair<std::string, std::string>>;

class Findings {
 public:
  // For `trainers` only; `requested`: the user named them.
  Findings(std::vector<TrainerKind> trainers, bool requested) : trainers_(std::move(trainers)), requested_(requested) {}

  const std::vector<TrainerKind>& trainers() const { return trainers_; }
  // Ignores traps that affect none of the trainers.
  void add(Trap trap, const FindingPlace& place, const std::string& what, const FixWords& words = {});
  bool has(Trap trap) const { return found_.contains(trap); }
  // Fills in a word of a fix that becomes known later.
  void fill(Trap trap, const std::string& word, const std::string& value);
  // Removes trainers from a trap that was found but does not affect them.
  void leave_out(Trap trap, Trainers trainers);
  // From now on for these of the trainers only.
  void keep(std::vector<TrainerKind> trainers);
  // Limits the severity of a trap that was found, for all trainers.
  void lower(Trap trap, Severity severity);

  // Worst first; of equal severity in the order of the traps.
  std::vector<Finding> list() const;

 private:
  std::vector<TrainerKind> trainers_;
  bool requested_;
  struct Met {
    Finding finding;
    std::string last_file;
  };
  std::map<Trap, Met> found_;
};

}  // namespace bertprep
