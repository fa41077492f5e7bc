#include "report/set_words.h"

#include "bertprep/base/error.h"
#include "bertprep/token/text_encoder.h"
#include "pipeline/explain/shard_files.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::optional<Vocab> vocab_of_set(const fs::path& folder, Progress& progress) {
  if (find_sequence_sets(folder).is_empty()) return vocab_of_shard(folder / "any", progress);
  const std::optional<TextEncoder> encoder = encoder_beside(folder);
  if (!encoder) progress.note("no folder tokenizer/ beside the set: give `vocab` to see its text");
  return encoder && encoder->wordpiece() != nullptr ? std::optional(*encoder->wordpiece()) : std::nullopt;
}

}  // namespace

void use_vocabulary(const std::string& vocab, ReportOptions& options, Progress& progress) {
  const bool is_byte_pair = is_byte_pair_path(vocab);
  options.vocab_of = [vocab, is_byte_pair, &progress](const fs::path& folder) -> std::optional<Vocab> {
    if (is_byte_pair) return std::nullopt;
    return vocab.empty() ? vocab_of_set(folder, progress) : load_vocab(vocab);
  };
  options.spelling_of = [vocab, is_byte_pair](const fs::path& folder) -> std::optional<TokenSpelling> {
    if (!vocab.empty() && !is_byte_pair) return std::nullopt;
    const std::optional<TextEncoder> encoder =
        vocab.empty() ? encoder_beside(folder) : std::optional(TextEncoder::open(vocab, {}));
    return encoder ? TokenSpelling::of(*encoder) : std::nullopt;
  };
}

void require_words_of_rows(const std::string& vocab, const std::vector<SetReport>& sets) {
  for (const SetReport& set : sets) {
    if (set.diagnosis.kind != RowKind::kBert || !is_byte_pair_path(vocab)) continue;
    throw ConfigError("`vocab` " + vocab + " is byte-level BPE, which rows for BERT are not made with", {},
                      "give their WordPiece vocabulary");
  }
}

}  // namespace bertprep
