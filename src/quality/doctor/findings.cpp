#include "quality/doctor/findings.h"

#include <algorithm>
#include <iterator>

namespace bertprep {
namespace {

void replace_word(std::string& text, const std::string& word, const std::string& value) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size())) {
    text.replace(at, word.size(), value);
  }
}

}  // namespace

Severity Finding::severity() const {
  Severity worst = Severity::kRemark;
  for (const TrapEffect& effect : effects) worst = std::max(worst, effect.severity);
  return worst;
}

void Findings::add(Trap trap, const FindingPlace& place, const std::string& what, const FixWords& words) {
  auto [entry, is_new] = found_.try_emplace(trap);
  Finding& finding = entry->second.finding;
  if (is_new) {
    const TrapFacts& facts = facts_of(trap);
    finding.trap = trap;
    finding.place = place;
    finding.what = what;
    finding.fix = facts.fix;
    for (const auto& [word, value] : words) replace_word(finding.fix, word, value);
    std::copy_if(facts.effects.begin(), facts.effects.end(), std::back_inserter(finding.effects),
                 [&](const TrapEffect& effect) {
                   return (requested_ || !effect.only_if_requested) &&
                          std::find(trainers_.begin(), trainers_.end(), effect.trainer) != trainers_.end();
                 });
  }
  if (place.row) ++finding.rows;
  if (place.file.empty() || place.file == entry->second.last_file) return;
  entry->second.last_file = place.file;  // rows come file by file
  ++finding.file_count;
  if (finding.files.size() < Finding::kMaxFiles) finding.files.push_back(place.file);
}

void Findings::fill(Trap trap, const std::string& word, const std::string& value) {
  const auto entry = found_.find(trap);
  if (entry != found_.end()) replace_word(entry->second.finding.fix, word, value);
}

void Findings::keep(const std::vector<TrainerKind>& trainers) {
  for (auto& [trap, met] : found_) {
    std::erase_if(met.finding.effects, [&](const TrapEffect& effect) {
      return std::find(trainers.begin(), trainers.end(), effect.trainer) == trainers.end();
    });
  }
}

void Findings::lower(Trap trap, Severity severity) {
  const auto entry = found_.find(trap);
  if (entry == found_.end()) return;
  for (TrapEffect& effect : entry->second.finding.effects) effect.severity = std::min(effect.severity, severity);
}

std::vector<Finding> Findings::list() const {
  std::vector<Finding> list;
  for (const auto& [trap, met] : found_) {
    if (!met.finding.effects.empty()) list.push_back(met.finding);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Finding& left, const Finding& right) { return left.severity() > right.severity(); });
  return list;
}

}  // namespace bertprep
