#include "token/fold_table.h"

#include <algorithm>

#include "token/token_words.h"
#include "unicode/code_points.h"
#include "unicode/properties/properties.h"

namespace bertprep {
namespace {

// All of the other planes is unassigned or for private use: dropped, as the first block says.
constexpr std::size_t kPlanesWithText[] = {0, 1, 2, 3, 14};
constexpr std::size_t kBlocksInPlane = 256;
constexpr char32_t kCapitalSigma = 0x3A3;

// The final-sigma rule and the canonical order of marks look at neighbours. Nonspacing marks may change
// places without a trace: they are stripped.
bool depends_on_context(char32_t c, std::u32string_view folded) {
  return c == kCapitalSigma || std::any_of(folded.begin(), folded.end(), unicode::has_combining_class);
}

}  // namespace

FoldTable::FoldTable(bool lower_case) : blocks_(1) {
  for (const std::size_t plane : kPlanesWithText) {
    for (std::size_t i = 0; i < kBlocksInPlane; ++i) add_block(plane * kBlocksInPlane + i, lower_case);
  }
  replacements_.append(kMaxReplacementBytes, '\0');
}

void FoldTable::add_block(std::size_t number, bool lower_case) {
  Block block;
  for (std::size_t i = 0; i < kBlockSize; ++i) {
    block[i] = entry_for(static_cast<char32_t>(number * kBlockSize + i), lower_case);
  }
  if (blocks_.back() != block) blocks_.push_back(block);
  block_of_[number] = static_cast<std::uint16_t>(blocks_.size() - 1);
}

FoldTable::Entry FoldTable::entry_for(char32_t c, bool lower_case) {
  const CharacterKind kind = character_kind(c);
  if (kind == CharacterKind::Dropped) return {Action::Drop};
  if (kind == CharacterKind::Space) return {Action::Space};
  const bool is_cjk = kind == CharacterKind::Cjk;
  const auto action = [is_cjk](bool is_punctuation) {
    return is_cjk ? Action::Cjk : is_punctuation ? Action::Lone : Action::Letter;
  };
  const bool changes = unicode::changes_in_lower(c) || unicode::decomposes(c) || unicode::is_nonspacing_mark(c) ||
                       unicode::has_combining_class(c);
  if (!lower_case || !changes) return {action(unicode::is_punctuation(c))};
  const std::u32string folded = fold(std::u32string(1, c));
  if (depends_on_context(c, folded)) return {Action::InContext};
  const bool has_punctuation = std::any_of(folded.begin(), folded.end(), unicode::is_punctuation);
  if (has_punctuation && folded.size() > 1) return {Action::InContext};
  return replaced(action(has_punctuation), unicode::encode(folded));
}

FoldTable::Entry FoldTable::replaced(Action action, std::string_view text) {
  const Entry entry{action, true, static_cast<std::uint8_t>(text.size()),
                    static_cast<std::uint32_t>(replacements_.size())};
  replacements_ += text;
  return entry;
}

}  // namespace bertprep
