#include "pipeline/sequences/part_writer.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "instance/token_rows.h"
#include "io/output_file.h"
#include "pipeline/sequences/sequence_rows.h"
#include "shard/hdf5/token_file.h"
#include "shard/mds/mds_writer.h"
#include "shard/megatron/megatron_set.h"
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

class MegatronPartWriter final : public PartWriter {
 public:
  MegatronPartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : rule_(rule),
        input_(unit.inputs.front()),
        is_whole_split_(unit.is_whole_split),
        prefix_(megatron_prefix_of(unit, rule)),
        set_(folder.begin(prefix_ + ".bin"), folder.begin(prefix_ + ".idx"), rule.ids) {}

  void add(const TokenizedDocuments& articles) override {
    const bool by_sentence = rule_.options.level == SequenceLevel::kSentence;
    for (std::size_t i = 0; i < articles.documents(); ++i) {
      const std::size_t first = articles.document_begin[i];
      const std::size_t last = articles.document_begin[i + 1];
      if (by_sentence) {
        for (std::size_t s = first; s < last; ++s) add_sentence(ids_of(articles, s, s + 1), s + 1 == last);
      } else {
        add_sequence(ids_of(articles, first, last), true);
      }
      set_.end_document();
      ++counts_.articles;
    }
  }

  FinishedPart finish(const Progress& /*progress*/) override {
    set_.finish();
    counts_.sequences = set_.index().sequences();
    counts_.tokens = set_.index().ids();
    if (is_whole_split_) require_sequences(counts_, input_, rule_);
    FinishedPart part{.files = {}, .names = {prefix_ + ".bin", prefix_ + ".idx"}, .counts = counts_};
    part.files.push_back(std::move(set_.bin()));
    part.files.push_back(std::move(set_.idx()));
    return part;
  }

 private:
  static std::span<const TokenId> ids_of(const TokenizedDocuments& articles, std::size_t first, std::size_t last) {
    const std::uint64_t begin = articles.sentence_begin[first];
    return std::span(articles.ids).subspan(begin, articles.sentence_begin[last] - begin);
  }

  // Megatron's sampler skips the whole document of a sentence that is too long for it.
  void add_sentence(std::span<const TokenId> ids, bool is_last) {
    const auto most = static_cast<std::size_t>(rule_.options.max_tokens);
    if (ids.size() > most && rule_.options.long_articles == LongArticles::kTruncate) {
      counts_.dropped += ids.size() - most;
      ids = ids.first(most);
    }
    while (ids.size() > most) {
      add_sequence(ids.first(most), false);
      ids = ids.subspan(most);
    }
    add_sequence(ids, is_last);
  }

  void add_sequence(std::span<const TokenId> ids, bool ends_article) {
    if (!ends_article || !rule_.end_of_article) return set_.add_sequence(ids);
    ended_.assign(ids.begin(), ids.end());
    ended_.push_back(*rule_.end_of_article);
    set_.add_sequence(ended_);
  }

  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  bool is_whole_split_;
  std::string prefix_;
  MegatronSet set_;
  SequenceCounts counts_;
  std::vector<TokenId> ended_;
};

class Hdf5PartWriter final : public PartWriter {
 public:
  Hdf5PartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : rule_(rule),
        input_(unit.inputs.front()),
        file_name_(rule.name + (unit.split == kTrainSplit ? "_training_" : "_test_") + std::to_string(unit.number) +
                   ".hdf5"),
        pending_(folder.begin(file_name_)),
        rows_(rule),
        file_(shape_of(rule)) {}

  void add(const TokenizedDocuments& articles) override {
    rows_.add(articles, [this](std::span<const TokenId> row) { file_.add(row); });
  }

  FinishedPart finish(const Progress& progress) override {
    const SequenceCounts counts = rows_.finish([this](std::span<const TokenId> row) { file_.add(row); });
    require_sequences(counts, input_, rule_);
    file_.write(pending_.path(), progress);
    FinishedPart part{.files = {}, .names = {file_name_}, .counts = counts};
    part.files.push_back(std::move(pending_));
    return part;
  }

 private:
  static TokenFileShape shape_of(const SequenceRule& rule) {
    const bool is_padded = rule.options.blocks == 0;
    const auto length = static_cast<std::size_t>(is_padded ? rule.options.max_tokens : rule.options.blocks);
    return {.column = rule.options.column, .length = length, .pad = rule.pad, .has_mask = is_padded};
  }

  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  std::string file_name_;
  PendingFile pending_;
  SequenceRows rows_;
  TokenFileWriter file_;
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

std::string megatron_prefix_of(const SequenceUnit& unit, const SequenceRule& rule) {
  if (!unit.is_whole_split) return "parts/" + unit.task();
  const bool by_sentence = rule.options.level == SequenceLevel::kSentence;
  return rule.name + "_" + unit.split + (by_sentence ? "_text_sentence" : "_text_document");
}

std::unique_ptr<PartWriter> write_megatron_part(const OutputFolder& folder, const SequenceUnit& unit,
                                                const SequenceRule& rule) {
  return std::make_unique<MegatronPartWriter>(folder, unit, rule);
}

std::unique_ptr<PartWriter> write_hdf5_part(const OutputFolder& folder, const SequenceUnit& unit,
                                            const SequenceRule& rule) {
  return std::make_unique<Hdf5PartWriter>(folder, unit, rule);
}

}  // namespace bertprep
