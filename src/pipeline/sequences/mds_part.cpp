#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "pipeline/sequences/part_writer.h"
#include "pipeline/sequences/sequence_rows.h"
#include "shard/mds/mds_writer.h"
#include "stream/zstd_codec.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr const char* kNone = "none";
constexpr std::string_view kZstd = "zstd";
constexpr int kDefaultLevel = 3;
constexpr int kMaxLevel = 19;

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  if (list == kNone) return names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

int level_of(const std::string& compression) {
  if (compression == kZstd) return kDefaultLevel;
  const bool has_level = compression.starts_with(std::string(kZstd) + ':');
  const std::string digits = has_level ? compression.substr(kZstd.size() + 1) : std::string();
  const int level = is_ascii_digits(digits) && digits.size() <= 2 ? std::stoi(digits) : 0;
  if (level >= 1 && level <= kMaxLevel) return level;
  throw ConfigError("`compression` '" + compression + "' is not known", {}, "give none, zstd, or zstd:1 to zstd:19");
}

MdsWriter::Compressor compressor_of(const std::string& compression) {
  if (compression == kNone) return {};
  const int level = level_of(compression);
  return {".zstd", [level](std::string_view bytes) {
            std::string out;
            append_zstd_frame(bytes, level, out);
            return out;
          }};
}

class MdsPartWriter final : public PartWriter {
 public:
  MdsPartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : folder_(folder),
        rule_(rule),
        input_(unit.inputs.front()),
        place_(mds_folder_of(unit)),
        ids_(rule.ids),
        rows_(rule),
        writer_(
            mds_format_of(rule), [this](const std::string& name) { return folder_.begin(place_ + "/" + name); },
            compressor_of(rule.options.compression)) {}

  void add(const TokenizedDocuments& articles) override {
    rows_.add(articles, [this](std::span<const TokenId> row) { add_sample(row); });
  }

  FinishedPart finish(const Progress& /*progress*/) override {
    const SequenceCounts counts = rows_.finish([this](std::span<const TokenId> row) { add_sample(row); });
    require_sequences(counts, input_, rule_);
    writer_.finish();
    FinishedPart part{.files = std::move(writer_.files()), .names = {}, .counts = counts};
    PendingFile index = folder_.begin(place_ + "/" + kMdsIndexName);
    OutputFile file(index.path());
    file.write(writer_.index());
    file.finish();
    part.files.push_back(std::move(index));
    for (const PendingFile& one : part.files) part.names.push_back(place_ + "/" + one.final_path().filename().string());
    return part;
  }

 private:
  void add_sample(std::span<const TokenId> row) {
    value_.clear();
    const std::uint64_t length = row.size();
    append_mds_shape({&length, 1}, value_);
    append_ids(row, ids_, value_);
    const std::string_view value = value_;
    writer_.add({&value, 1});
  }

  const OutputFolder& folder_;
  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  std::string place_;
  IdType ids_;
  SequenceRows rows_;
  MdsWriter writer_;
  std::string value_;
};

}  // namespace

std::optional<std::uint64_t> size_limit_of(const SequenceOptions& options) {
  if (options.size_limit == kNone) return std::nullopt;
  return size_in_bytes(options.size_limit, "size-limit");
}

MdsFormat mds_format_of(const SequenceRule& rule) {
  MdsFormat format;
  format.columns = {{rule.options.column, "ndarray:" + std::string(name_of(rule.ids))}};
  format.hashes = names_in(rule.options.hashes);
  if (rule.options.compression != kNone) {
    level_of(rule.options.compression);
    format.compression = rule.options.compression;
  }
  format.size_limit = size_limit_of(rule.options);
  format.check();
  return format;
}

std::string mds_folder_of(const SequenceUnit& unit) {
  return unit.is_whole_split ? unit.split : unit.split + "/" + unit.folder();
}

std::unique_ptr<PartWriter> write_mds_part(const OutputFolder& folder, const SequenceUnit& unit,
                                           const SequenceRule& rule) {
  return std::make_unique<MdsPartWriter>(folder, unit, rule);
}

}  // namespace bertprep
