#include "quality/doctor/findings.h"

#include <algorithm>
#include <iterator>

#include "base/number_text.h"
#include "io/shell_words.h"
#include "unicode/utf8_text.h"

namespace bertprep {

Severity Finding::severity() const {
  Severity worst = Severity::kRemark;
  for (const TrapEffect& effect : effects) worst = std::max(worst, effect.severity);
  return worst;
}

std::string fix_text(const Finding& finding, const std::filesystem::path& path) {
  std::filesystem::path given = path.has_filename() ? path : path.parent_path();
  const std::string last = given.filename().string();
  if (last == "." || last == "..") given = std::filesystem::canonical(given);  // for {dir}-resharded
  const std::string files =
      joined(finding.files, " ", [&](const std::string& file) { return shell_word((given / file).string()); });
  std::string text = finding.fix;
  replace_all(text, "{files}", files);
  replace_all(text, "{dir}", shell_word(given.string()));
  return text;
}

std::string place_text(const Finding& finding, const std::filesystem::path& path) {
  std::string text = finding.place.file.empty() || path.filename() == finding.place.file
                         ? path.string()
                         : (path / finding.place.file).string();
  if (finding.place.row) text += ": row " + std::to_string(*finding.place.row);
  return text;
}

std::string extent_text(const Finding& finding) {
  if (finding.rows <= 1 && finding.file_count <= 1) return {};
  const std::string files = counted(finding.file_count, "file");
  if (finding.rows == 0) return files;
  return counted(finding.rows, "row") + (finding.file_count > 0 ? " in " + files : "");
}

std::vector<std::string> effect_texts(const Finding& finding) {
  std::vector<std::string> texts;
  std::vector<TrapEffect> left = finding.effects;
  while (!left.empty()) {
    const TrapEffect first = left.front();
    const auto is_same = [&](const TrapEffect& effect) {
      return effect.severity == first.severity && effect.text == first.text;
    };
    const auto others = std::stable_partition(left.begin(), left.end(), is_same);
    const std::span same(left.begin(), others);
    const std::string names = joined(same, ", ", [](const TrapEffect& effect) { return trainer_name(effect.trainer); });
    texts.push_back(std::string(severity_name(first.severity)) + ": " + names + ": " + std::string(first.text));
    left.erase(left.begin(), others);
  }
  return texts;
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
    for (const auto& [word, value] : words) replace_all(finding.fix, word, value);
    std::copy_if(facts.effects.begin(), facts.effects.end(), std::back_inserter(finding.effects),
                 [&](const TrapEffect& effect) {
                   return (requested_ || !effect.only_if_requested) && has_any(trainers_, {effect.trainer});
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
  if (entry != found_.end()) replace_all(entry->second.finding.fix, word, value);
}

void Findings::leave_out(Trap trap, Trainers trainers) {
  const auto entry = found_.find(trap);
  if (entry == found_.end()) return;
  std::erase_if(entry->second.finding.effects,
                [&](const TrapEffect& effect) { return has_any(trainers, {effect.trainer}); });
}

void Findings::keep(std::vector<TrainerKind> trainers) {
  trainers_ = std::move(trainers);
  for (auto& [trap, met] : found_) {
    std::erase_if(met.finding.effects, [&](const TrapEffect& effect) { return !has_any(trainers_, {effect.trainer}); });
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
  std::ranges::stable_sort(list, std::ranges::greater{}, &Finding::severity);
  return list;
}

}  // namespace bertprep
