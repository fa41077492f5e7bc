#include "quality/doctor/set_tokenizer.h"

#include <array>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/folder.h"
#include "io/json.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::array<fs::path, 3> levels_of(const fs::path& folder) {
  const fs::path own = fs::absolute(folder / "").lexically_normal().parent_path();
  return {own, own.parent_path(), own.parent_path().parent_path()};
}

}  // namespace

SetTokenizer tokenizer_of(const TextEncoder& encoder) {
  SetTokenizer tokenizer{encoder.size(), encoder.specials(), {}};
  if (encoder.byte_pairs() == nullptr) return tokenizer;
  constexpr std::string_view kLineFeed = "\xC4\x8A";  // as its file spells it
  for (std::size_t id = 0; id < encoder.size(); ++id) {
    const std::string_view token = encoder.token(static_cast<TokenId>(id));
    if (token.find(kLineFeed) != std::string_view::npos) tokenizer.line_breaks.push_back(static_cast<TokenId>(id));
  }
  return tokenizer;
}

std::optional<TextEncoder> encoder_beside(const fs::path& folder) {
  for (const fs::path& level : levels_of(folder)) {
    const fs::path tokenizer = level / "tokenizer";
    std::error_code error;
    if (!fs::is_directory(tokenizer, error)) continue;
    try {
      const fs::path pieces = tokenizer / "vocab.txt";
      const fs::path given = fs::is_regular_file(pieces, error) ? pieces : tokenizer;
      return TextEncoder::open(given.string(), {});
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<SetTokenizer> tokenizer_beside(const fs::path& folder) {
  const std::optional<TextEncoder> encoder = encoder_beside(folder);
  return encoder ? std::optional(tokenizer_of(*encoder)) : std::nullopt;
}

void use_vocabulary(const std::string& vocab, DoctorOptions& options) {
  if (vocab.empty()) return;
  const SetTokenizer tokenizer = tokenizer_of(TextEncoder::open(vocab, {}));
  options.specials = tokenizer.specials;
  options.vocab_pieces = tokenizer.pieces;
  options.line_breaks = tokenizer.line_breaks;
}

std::int64_t pieces_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside) {
  if (options.model_pieces != 0) return options.model_pieces;
  if (options.specials) return static_cast<std::int64_t>(options.vocab_pieces);
  return beside ? static_cast<std::int64_t>(beside->pieces) : 0;
}

SpecialIds specials_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside) {
  if (options.specials) return *options.specials;
  return beside ? beside->specials : SpecialIds();
}

std::span<const TokenId> line_breaks_of(const DoctorOptions& options, const std::optional<SetTokenizer>& beside) {
  if (options.specials) return options.line_breaks;
  return beside ? std::span<const TokenId>(beside->line_breaks) : std::span<const TokenId>();
}

// In prose there is one among some 50 to 200 tokens.
void find_lost_breaks(std::uint64_t breaks, std::uint64_t tokens, Findings& findings) {
  constexpr std::uint64_t kTokensThatTell = 20'000;
  constexpr std::uint64_t kTokensToABreak = 10'000;
  if (tokens < kTokensThatTell || breaks > tokens / kTokensToABreak) return;
  findings.add(Trap::kNoLineBreaks, {},
               counted(breaks, "line break") + " among " + grouped(tokens) + " tokens: the text was made one line");
}

std::optional<ExpectedFile> expected_file(const fs::path& file) {
  const fs::path own = fs::absolute(file).lexically_normal();
  for (const fs::path& level : levels_of(folder_of(file))) {
    const fs::path manifest = level / Manifest::kFileName;
    std::error_code error;
    if (!fs::is_regular_file(manifest, error)) continue;
    try {
      const Json json = read_sealed(manifest);
      for (const Json& entry : json.at("files").items()) {
        if (level / entry.at("name").text() != own) continue;
        return ExpectedFile{entry.at("sha256").text(), entry.at("bytes").as_unsigned()};
      }
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace bertprep
