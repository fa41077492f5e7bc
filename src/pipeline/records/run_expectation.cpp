#include "pipeline/records/run_expectation.h"

#include "source/source_pieces.h"
#include "stream/byte_stream.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct FileKind {
  double text_of_a_byte;
  double bytes_per_second;
};

FileKind kind_of(InputFormat format, Compression compression) {
  const bool is_wiki = format == InputFormat::kMediawiki;
  switch (compression) {
    case Compression::kNone:
      return is_wiki ? FileKind{ratios::kTextOfADumpByte, ratios::kDumpSpeed} : FileKind{1, ratios::kTextSpeed};
    case Compression::kBzip2:
      return {is_wiki ? ratios::kTextOfABzip2DumpByte : ratios::kTextOfAPackedByte, ratios::kBzip2Speed};
    default:
      return is_wiki ? FileKind{ratios::kTextOfADumpByte * ratios::kTextOfAPackedByte,
                                ratios::kDumpSpeed / ratios::kTextOfAPackedByte}
                     : FileKind{ratios::kTextOfAPackedByte, ratios::kTextSpeed / ratios::kTextOfAPackedByte};
  }
}

void add_part(const CorpusPart& part, CorpusSize& size) {
  const InputFormat format = resolve_format(part.inputs, part.source);
  double bytes = 0;
  std::optional<Compression> compression;  // that of the first file
  for (const Input& input : list_source(part.inputs, format, part.source)) {
    for (const fs::path& file : input.files) {
      std::error_code no_size;
      const std::uintmax_t file_bytes = fs::file_size(file, no_size);
      if (no_size) continue;
      bytes += static_cast<double>(file_bytes);
      if (!compression) compression = compression_of(FileStream(file, 0, kCompressionProbeBytes).next_block());
    }
  }
  const FileKind kind = kind_of(format, compression.value_or(Compression::kNone));
  size.input_bytes += bytes;
  size.text_bytes += bytes * kind.text_of_a_byte;
  size.format_seconds += bytes / kind.bytes_per_second;
}

ExpectedSpan last_stage(double text_bytes, const PipelineOptions& options) {
  if (options.sequences != nullptr) return {"sequences", text_bytes / ratios::kSequenceSpeed};
  double copies = 0;
  for (const InstanceOptions& phase : options.phases()) copies += static_cast<double>(phase.dupe_factor);
  return {"instances", text_bytes * copies / ratios::kCopySpeed};
}

}  // namespace

CorpusSize size_of_corpus(std::span<const CorpusPart> parts) {
  CorpusSize size;
  for (const CorpusPart& part : parts) add_part(part, size);
  return size;
}

std::vector<ExpectedSpan> expected_stages(const CorpusSize& size, const PipelineOptions& options) {
  return {{"format", size.format_seconds},
          {"text shards", size.text_bytes / ratios::kShardSpeed},
          last_stage(size.text_bytes, options)};
}

ExpectedSpan expected_check(const CorpusSize& size) {
  return {"check", size.input_bytes / ratios::kDigestSpeed};
}

InputDigest identify_input(std::span<const fs::path> files, const ReadingStage& stage, bool has_record,
                           Progress& progress) {
  std::vector<ExpectedSpan> expected = {{stage.name, stage.size.format_seconds}};
  if (has_record) expected.insert(expected.begin(), expected_check(stage.size));
  progress.expect(expected);
  return has_record ? digest_files(files, progress) : InputDigest{{}, bytes_of(files)};
}

void expect_run(const CorpusFacts& facts, const PipelineOptions& options, Progress& progress) {
  CorpusSize size;
  size.input_bytes = static_cast<double>(facts.download_bytes != 0 ? facts.download_bytes : facts.text_bytes);
  if (size.input_bytes == 0) size.input_bytes = 1e9;  // size unknown: the shares are about the same for any
  size.text_bytes = facts.text_bytes != 0 ? static_cast<double>(facts.text_bytes) : size.input_bytes;
  size.format_seconds = size.text_bytes / ratios::kTextSpeed;
  std::vector<ExpectedSpan> stages = expected_stages(size, options);
  stages.insert(stages.begin(), {"download", size.input_bytes / ratios::kDownloadSpeed, true});
  progress.expect(stages);
}

}  // namespace bertprep
