// Traps: faults of a set that make a trainer hang, crash or learn nonsense. docs/cli/doctor.md lists them by name.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quality/embedded.h"

namespace bertprep {

// Readers of a set. For NVIDIA, Habana and AWS Neuron, their BERT trainers.
enum class TrainerKind {
  // HDF5.
  kNvidia,
  kHabana,
  kNeuron,
  kHuggingFace,
  kBerttrain,
  // MDS.
  kModernbert,           // its own reader: "streaming: false"
  kModernbertStreaming,  // StreamingTextDataset
  kBioclinical,          // ModernBERT's own reader with rows of up to 8,192 tokens
  kEurobert,
  kStreaming,  // StreamingDataset itself, as used by llm-foundry
  // Megatron.
  kMegatronBert,
  kMegatronGpt,
};
using Trainers = std::span<const TrainerKind>;

inline constexpr auto kAllTrainers = [] {
  std::array<TrainerKind, 12> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<TrainerKind>(i);
  return all;
}();
inline constexpr Trainers kRowTrainers{kAllTrainers.data(), 5};  // of HDF5
inline constexpr Trainers kMdsTrainers{kAllTrainers.data() + 5, 5};
inline constexpr Trainers kMegatronTrainers{kAllTrainers.data() + 10, 2};

std::string_view trainer_name(TrainerKind trainer);  // "nvidia"
// Whether one of `wanted` is among them.
bool has_any(Trainers trainers, std::initializer_list<TrainerKind> wanted);

// What --for accepts: "nvidia|habana|...", as the name of the value in --help.
std::string trainer_names(Trainers trainers = kAllTrainers);
// Throws ConfigError listing all of them.
TrainerKind trainer_of(const std::string& name, Trainers trainers = kAllTrainers);

// In ascending order.
enum class Severity {
  kRemark,     // costs time, or depends on an option of the trainer
  kCrash,      // ends with an error at its start
  kCrashLate,  // ends with an error after hours
  kSilent,     // trains, but on data other than you think
  kHang,       // never ends
};

std::string_view severity_name(Severity severity);  // "crash late"

// A trap, by its name in traps.txt, which has the facts of each. Another name does not compile.
class Trap {
 public:
  constexpr Trap() = default;
  explicit consteval Trap(std::string_view name) {
    std::string_view rest = embedded::kTraps;
    for (; rest.substr(0, rest.find('\n')) != name; ++number_) {
      const std::size_t end = rest.find("\n\n");
      if (end == std::string_view::npos) throw "there is no such trap";
      rest.remove_prefix(end + 2);
    }
  }

  constexpr std::size_t number() const { return number_; }
  constexpr auto operator<=>(const Trap&) const = default;

 private:
  std::size_t number_ = 0;  // in the order of traps.txt
};

struct TrapEffect {
  TrainerKind trainer;
  Severity severity;
  std::string_view text;           // what the trainer does
  bool only_if_requested = false;  // applies only if the user names this trainer, as others read the set differently
};

struct TrapFacts {
  std::string_view name;  // "unequal-rows"; never changes
  std::vector<TrapEffect> effects;
  // How to fix it. {dir} is the folder, {files} are the files with the trap, as shell words; {count} and the like are
  // filled in when the trap is found.
  std::string_view fix;
};

const TrapFacts& facts_of(Trap trap);
const std::vector<TrapFacts>& all_traps();

}  // namespace bertprep
