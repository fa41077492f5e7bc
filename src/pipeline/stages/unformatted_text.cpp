#include "pipeline/stages/unformatted_text.h"

#include <array>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "pipeline/records/damage.h"
#include "source/format_guess.h"
#include "stream/open_stream.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProbeBytes = std::size_t{1} << 16U;

std::string first_bytes(const fs::path& file) {
  std::string bytes(kProbeBytes, '\0');
  bytes.resize(InputFile(file).read(bytes));
  return bytes;
}

// Formatted text may begin like JSON; a shard among the recorded files doesn't begin as text.
void refuse(std::string_view begin, bool is_recorded, const fs::path& file) {
  if (is_recorded && is_ascii(begin.substr(0, 1))) return;
  const auto kind = unformatted_kind(begin.substr(0, kProbeBytes));
  if (kind) throw FormatError("contains " + kind->what + ", not formatted text", file, kind->hint);
}

}  // namespace

void refuse_unformatted(std::span<const fs::path> files) {
  RecordedTexts recorded;
  for (const fs::path& file : files) {
    if (!fs::is_regular_file(file)) continue;
    refuse_misnamed(file, first_bytes(file));
    refuse(open_stream(file)->next_block(), !recorded.sha256(file).empty(), file);
  }
}

bool holds_records(const fs::path& file) {
  if (!fs::is_regular_file(file) || !RecordedTexts().sha256(file).empty()) return false;
  if (!unformatted_kind(open_stream(file)->next_block().substr(0, kProbeBytes))) return false;
  try {
    const SourceOptions with_any_query{.query = "select"};
    return resolve_format(std::array{file}, with_any_query) != InputFormat::kMediawiki;
  } catch (const FormatError&) {
    return false;
  }
}

void refuse_no_text_shard(const fs::path& file, bool is_recorded) {
  if (!fs::is_regular_file(file)) return;
  const std::string begin = first_bytes(file);
  if (compression_of(begin) != Compression::kNone) {
    throw FormatError("is compressed, and text shards are not", file,
                      "give a text shard; 'bertprep shard' makes them from formatted text");
  }
  refuse(begin, is_recorded, file);
}

}  // namespace bertprep
