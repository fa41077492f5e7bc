#include "report/shown_row.h"

#include <algorithm>

namespace bertprep {

std::size_t tokens_of(const RowView& row) {
  if (row.mask.empty()) return row.ids.size();
  if (const auto ones = row.mask_ones ? row.mask_ones : find_ones(row.mask)) return std::min(ones->end, row.ids.size());
  // Gaps, or values that no mask has: up to the last token.
  const auto last = std::find_if(row.mask.rbegin(), row.mask.rend(), [](std::int64_t value) { return value != 0; });
  return std::min(static_cast<std::size_t>(row.mask.rend() - last), row.ids.size());
}

std::string piece_text(std::int64_t id, const Vocab* vocab) {
  if (vocab == nullptr) return std::to_string(id);
  if (id < 0 || static_cast<std::size_t>(id) >= vocab->size()) return "<" + std::to_string(id) + ">";
  return std::string(vocab->piece(static_cast<TokenId>(id)));
}

ShownRow shown_row(const RowView& row, const Vocab* vocab, std::optional<std::int64_t> mask) {
  ShownRow shown;
  shown.next_sentence = row.next_sentence;
  if (vocab != nullptr) mask = vocab->mask();
  const std::size_t length = tokens_of(row);
  shown.padding = row.ids.size() - length;
  shown.tokens.reserve(length);
  for (std::size_t i = 0; i < length; ++i) {
    const std::int64_t id = row.ids[i];
    const bool is_special = vocab != nullptr && (id == vocab->cls() || id == vocab->sep() || id == vocab->pad());
    shown.tokens.push_back({piece_text(id, vocab),
                            {},
                            is_special ? TokenPart::kSpecial : TokenPart::kText,
                            i < row.segments.size() ? row.segments[i] : 0});
  }
  for_each_prediction(row, [&](std::int64_t position, std::int64_t original) {
    if (position < 0 || static_cast<std::size_t>(position) >= length) return;
    const std::int64_t id = row.ids[static_cast<std::size_t>(position)];
    ShownToken& token = shown.tokens[static_cast<std::size_t>(position)];
    token.original = piece_text(original, vocab);
    token.part = id == original ? TokenPart::kKept : mask && id == *mask ? TokenPart::kMasked : TokenPart::kReplaced;
  });
  return shown;
}

std::string next_sentence_text(std::int64_t label) {
  if (label == 0) return "the following (0)";
  return label == 1 ? "random (1)" : std::to_string(label);
}

}  // namespace bertprep
