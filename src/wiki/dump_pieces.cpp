#include "wiki/mediawiki_source.h"

#include <string>

#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "source/input/input_piece.h"
#include "stream/archive.h"
#include "stream/byte_stream.h"
#include "stream/bzip2_scan.h"
#include "stream/bzip2_stream.h"
#include "stream/open_stream.h"
#include "wiki/dump/dump_range.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/dump/utf16_stream.h"
#include "wiki/templates/template_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

Compression compression_of_file(const fs::path& file) {
  FileStream stream(file, 0, kCompressionProbeBytes);
  return compression_of(stream.next_block());
}

bool is_utf8_text(const fs::path& file) {
  PeekedStream bytes(open_stream(file, {{}, [](const auto&, const auto&) {}}));
  const std::string_view first = bytes.peek(kArchiveProbeBytes);
  return !begins_as_archive(first) && utf16_of(first.substr(0, 2)) == Utf16::kNone;
}

// Whether reading all of it would find a stream with correct blocks but a wrong checksum. Readers of a part can't tell,
// as that checksum needs all blocks.
bool has_wrong_sum(const fs::path& file, const TaskRunner& runner) {
  if (bzip2_sums_agree(file, runner)) return false;
  bool is_wrong = false;
  const auto listen = [&](const std::string&, const std::string& reason) { is_wrong |= reason == kBzip2WrongSum; };
  const auto bytes = open_stream(file, {runner, listen});
  try {
    while (!is_wrong && !bytes->next_block().empty()) {
    }
  } catch (const FormatError&) {
    // It is truncated, which is reported when it is read.
  }
  return is_wrong;
}

std::vector<SplitPoint> split_dump(const fs::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                                   const TaskRunner& runner) {
  const Compression compression = compression_of_file(file);
  if (compression != Compression::kNone && compression != Compression::kBzip2) return {};
  if (!is_utf8_text(file)) return {};
  const DumpHead head = read_dump_head(file);
  if (!head.is_complete || (compression == Compression::kBzip2 && has_wrong_sum(file, runner))) return {};
  std::vector<SplitPoint> points;
  for (std::uint64_t i = 1; i < pieces; ++i) {
    // The part before that page is read for each piece.
    if (const std::uint64_t byte = even_split(file_bytes, i, pieces); byte > head.first_given) points.push_back({byte});
  }
  return points;
}

}  // namespace

std::vector<InputPiece> split_mediawiki(std::span<const fs::path> inputs, const WikiOptions& options,
                                        std::uint64_t piece_bytes, const TaskRunner& runner) {
  check(options);
  load_templates(options.templates, inputs, runner);
  return group_files(list_dumps(inputs), piece_bytes,
                     [&](const fs::path& file, std::uint64_t bytes, std::uint64_t pieces) {
                       return split_dump(file, bytes, pieces, runner);
                     });
}

}  // namespace bertprep
