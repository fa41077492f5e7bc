#include "token/normalize_table.h"

#include <algorithm>

namespace bertprep {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3;

// The final-sigma rule and the canonical order of marks look at neighbours. The order of nonspacing marks does not
// matter if they are stripped.
bool depends_on_context(char32_t c, std::u32string_view normalized, Normalization normalization) {
  return (normalization.lower_case && c == kCapitalSigma) ||
         (normalization.strip_accents &&
          std::any_of(normalized.begin(), normalized.end(), unicode::has_combining_class));
}

bool may_change(char32_t c, Normalization normalization) {
  return (normalization.lower_case && unicode::changes_in_lower(c)) ||
         (normalization.strip_accents &&
          (unicode::decomposes(c) || unicode::is_nonspacing_mark(c) || unicode::has_combining_class(c)));
}

}  // namespace

NormalizeTable::NormalizeTable(Normalization normalization)
    : normalization_(normalization), blocks_(1), replacements_(kMaxReplacementBytes, '\0') {}

void NormalizeTable::add_block(std::size_t number) {
  const auto first = static_cast<char32_t>(number * kBlockSize);
  const auto last = static_cast<char32_t>(first + kBlockSize - 1);
  Block block;
  // Most blocks are ideographs or unassigned.
  if (unicode::are_alike(first, last) && unicode::is_cjk(first) == unicode::is_cjk(last) &&
      !may_change(first, normalization_)) {
    block.fill(entry_for(first));
  } else {
    for (std::size_t i = 0; i < kBlockSize; ++i) block[i] = entry_for(static_cast<char32_t>(first + i));
  }
  if (blocks_.size() == 1 || blocks_.back() != block) blocks_.push_back(block);
  block_of_[number] = static_cast<std::uint16_t>(blocks_.size() - 1);
}

NormalizeTable::Entry NormalizeTable::entry_for(char32_t c) {
  const CharacterKind kind = character_kind(c);
  if (kind == CharacterKind::Dropped) return {Action::Drop};
  if (kind == CharacterKind::Space) return {Action::Space};
  const bool is_cjk = kind == CharacterKind::Cjk;
  const auto action = [is_cjk](bool is_punctuation) {
    return is_cjk ? Action::Cjk : is_punctuation ? Action::Lone : Action::Letter;
  };
  if (!may_change(c, normalization_)) return {action(unicode::is_punctuation(c))};
  const std::u32string normalized = normalize(std::u32string(1, c), normalization_);
  if (depends_on_context(c, normalized, normalization_)) return {Action::InContext};
  const bool has_punctuation = std::any_of(normalized.begin(), normalized.end(), unicode::is_punctuation);
  if (has_punctuation && normalized.size() > 1) return {Action::InContext};
  return replaced(action(has_punctuation), unicode::encode(normalized));
}

NormalizeTable::Entry NormalizeTable::replaced(Action action, std::string_view text) {
  const std::size_t offset = replacements_.size() - kMaxReplacementBytes;
  replacements_.insert(offset, text);
  return {action, true, static_cast<std::uint8_t>(text.size()), static_cast<std::uint32_t>(offset)};
}

}  // namespace bertprep
