#include "quality/traps.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::array<std::string_view, kAllTrainers.size()> kTrainerNames{
    "nvidia",      "habana",   "neuron",    "huggingface",   "berttrain",   "modernbert", "modernbert-streaming",
    "bioclinical", "eurobert", "streaming", "megatron-bert", "megatron-gpt"};
constexpr std::array<std::string_view, 5> kSeverityNames{"remark", "crash", "crash late", "silent", "hang"};

// HDF5, by HuggingFace's `datasets`.
constexpr std::array<std::string_view, 2> kReadAsRows{"neobert", "gpt2"};

std::string listed_names(Trainers trainers, const char* between) {
  return joined(trainers, between, trainer_name) + between + joined(kReadAsRows, between);
}

// Takes the front of `text` up to `end`, and `end`.
std::string_view take_until(std::string_view end, std::string_view& text) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(std::min(at + end.size(), text.size()));
  return front;
}

template <class Kind>
Kind kind_named(std::string_view name, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw FormatError("traps.txt has '" + std::string(name) + "', which is no name");
  return static_cast<Kind>(found - names.begin());
}

// "crash late: habana, neuron: TEXT", or "crash if named: ...", which applies only to a trainer that the user names.
void add_effects(std::string_view line, std::vector<TrapEffect>& effects) {
  constexpr std::string_view kIfNamed = " if named";
  std::string_view severity = take_until(": ", line);
  std::string_view trainers = take_until(": ", line);
  const bool only_if_requested = severity.ends_with(kIfNamed);
  if (only_if_requested) severity.remove_suffix(kIfNamed.size());
  const auto kind = kind_named<Severity>(severity, kSeverityNames);
  while (!trainers.empty()) {
    effects.push_back(
        {kind_named<TrainerKind>(take_until(", ", trainers), kTrainerNames), kind, line, only_if_requested});
  }
}

// Paragraphs: the name of a trap, lines of effects, a line with the fix.
std::vector<TrapFacts> read_traps(std::string_view text) {
  constexpr std::string_view kFix = "fix: ";
  std::vector<TrapFacts> traps;
  while (!text.empty()) {
    std::string_view paragraph = take_until("\n\n", text);
    TrapFacts& facts = traps.emplace_back();
    facts.name = take_until("\n", paragraph);
    while (!paragraph.starts_with(kFix)) add_effects(take_until("\n", paragraph), facts.effects);
    facts.fix = take_until("\n", paragraph).substr(kFix.size());
  }
  return traps;
}

}  // namespace

std::string_view trainer_name(TrainerKind trainer) {
  return kTrainerNames[static_cast<std::size_t>(trainer)];
}

bool has_any(Trainers trainers, std::initializer_list<TrainerKind> wanted) {
  return std::ranges::find_first_of(trainers, wanted) != trainers.end();
}

std::string trainer_names(Trainers trainers) {
  return listed_names(trainers, "|");
}

TrainerKind trainer_of(const std::string& name, Trainers trainers) {
  if (std::ranges::find(kReadAsRows, name) != kReadAsRows.end()) return TrainerKind::kHuggingFace;
  const auto found = std::ranges::find(trainers, name, trainer_name);
  if (found == trainers.end()) throw ConfigError("`for` " + name + " is not one of " + listed_names(trainers, ", "));
  return *found;
}

std::string_view severity_name(Severity severity) {
  return kSeverityNames[static_cast<std::size_t>(severity)];
}

const std::vector<TrapFacts>& all_traps() {
  static const std::vector<TrapFacts> kTraps = read_traps(embedded::kTraps);
  return kTraps;
}

const TrapFacts& facts_of(Trap trap) {
  return all_traps().at(trap.number());
}

}  // namespace bertprep
