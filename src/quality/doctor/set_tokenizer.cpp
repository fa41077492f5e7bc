#include "quality/doctor/set_tokenizer.h"

#include "base/number_text.h"
#include "io/folder.h"
#include "shard/token_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// SET/SPLIT/PART.
std::array<fs::path, 3> levels_of(const fs::path& folder) {
  const fs::path own = fs::absolute(folder / "").lexically_normal().parent_path();
  return {own, own.parent_path(), own.parent_path().parent_path()};
}

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

}  // namespace

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

void use_vocabulary(const std::string& vocab, DoctorOptions& options) {
  if (!vocab.empty()) options.tokenizer = tokenizer_of(TextEncoder::open(vocab, {}));
}

SetTokenizer tokenizer_for(const DoctorOptions& options, const fs::path& folder) {
  if (options.tokenizer) return *options.tokenizer;
  const std::optional<TextEncoder> encoder = encoder_beside(folder);
  return encoder ? tokenizer_of(*encoder) : SetTokenizer();
}

// In prose there is one among some 50 to 200 tokens.
void find_lost_breaks(std::uint64_t breaks, std::uint64_t tokens, Findings& findings) {
  constexpr std::uint64_t kTokensThatTell = 20'000;
  constexpr std::uint64_t kTokensToABreak = 10'000;
  if (tokens < kTokensThatTell || breaks > tokens / kTokensToABreak) return;
  findings.add(Trap("no-line-breaks"), {},
               counted(breaks, "line break") + " among " + grouped(tokens) + " tokens: the text was made one line");
}

std::optional<fs::path> set_with(const fs::path& path) {
  for (const fs::path& level : levels_of(path)) {
    if (is_sequence_set(level)) return level;
  }
  return std::nullopt;
}

RecordedFiles recorded_files_with(const fs::path& path) try {
  const auto set = set_with(path);
  return set ? RecordedFiles(*set) : RecordedFiles();
} catch (const Error&) {
  return {};
}

}  // namespace bertprep
