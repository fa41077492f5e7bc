#include "pipeline/sequences/part_writer.h"

#include "base/number_text.h"
#include "io/output_file.h"
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
  for (std::size_t begin = 0; begin <= list.size(); begin += names.back().size() + 1) {
    names.push_back(list.substr(begin, list.find(',', begin) - begin));
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

// A part of rows or blocks, which its format keeps one after the other.
class RowPartWriter : public PartWriter {
 public:
  void add(const TokenizedDocuments& articles) final {
    rows_.add(articles, [this](std::span<const TokenId> row) { add_row(row); });
  }

  FinishedPart finish(const Progress& progress) final {
    const SequenceCounts counts = rows_.finish([this](std::span<const TokenId> row) { add_row(row); });
    require_sequences(counts, input_, rule_);
    return {.files = finish_files(progress), .counts = counts};
  }

 protected:
  RowPartWriter(const SequenceUnit& unit, const SequenceRule& rule)
      : rule_(rule), input_(unit.inputs.front()), rows_(rule) {}

 private:
  virtual void add_row(std::span<const TokenId> row) = 0;
  virtual std::vector<PendingFile> finish_files(const Progress& progress) = 0;

  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  SequenceRows rows_;
};

class MdsPartWriter final : public RowPartWriter {
 public:
  MdsPartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : RowPartWriter(unit, rule),
        folder_(folder),
        place_(mds_folder_of(unit)),
        ids_(rule.ids),
        writer_(
            mds_format_of(rule), [this](const std::string& name) { return folder_.begin(place_ + "/" + name); },
            compressor_of(rule.options.compression)) {}

 private:
  void add_row(std::span<const TokenId> row) override {
    value_.clear();
    const std::uint64_t length = row.size();
    append_mds_shape({&length, 1}, value_);
    append_ids(row, ids_, value_);
    const std::string_view value = value_;
    writer_.add({&value, 1});
  }

  std::vector<PendingFile> finish_files(const Progress& /*progress*/) override {
    writer_.finish();
    std::vector<PendingFile> files = std::move(writer_.files());
    files.push_back(small_file(folder_, place_ + "/" + kMdsIndexName, writer_.index()));
    return files;
  }

  const OutputFolder& folder_;
  std::string place_;
  IdType ids_;
  MdsWriter writer_;
  std::string value_;
};

class Hdf5PartWriter final : public RowPartWriter {
 public:
  Hdf5PartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : RowPartWriter(unit, rule),
        pending_(folder.begin(rule.name + (unit.split == kTrainSplit ? "_training_" : "_test_") +
                              std::to_string(unit.number) + ".hdf5")),
        file_(shape_of(rule)) {}

 private:
  static TokenFileShape shape_of(const SequenceRule& rule) {
    const bool is_padded = rule.options.blocks == 0;
    const auto length = static_cast<std::size_t>(is_padded ? rule.options.max_tokens : rule.options.blocks);
    return {.column = rule.options.column, .length = length, .pad = rule.pad, .has_mask = is_padded};
  }

  void add_row(std::span<const TokenId> row) override { file_.add(row); }

  std::vector<PendingFile> finish_files(const Progress& progress) override {
    file_.write(pending_.path(), progress);
    std::vector<PendingFile> files;
    files.push_back(std::move(pending_));
    return files;
  }

  PendingFile pending_;
  TokenFileWriter file_;
};

class MegatronPartWriter final : public PartWriter {
 public:
  MegatronPartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : rule_(rule),
        input_(unit.inputs.front()),
        is_whole_split_(unit.is_whole_split),
        set_(folder.begin(megatron_prefix_of(unit, rule) + ".bin"),
             folder.begin(megatron_prefix_of(unit, rule) + ".idx"), rule.ids) {}

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
    FinishedPart part{.files = {}, .counts = counts_};
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
  MegatronSet set_;
  SequenceCounts counts_;
  std::vector<TokenId> ended_;
};

}  // namespace

std::unique_ptr<PartWriter> make_part_writer(const OutputFolder& folder, const SequenceUnit& unit,
                                             const SequenceRule& rule) {
  if (rule.options.format == SequenceFormat::kMegatron) return std::make_unique<MegatronPartWriter>(folder, unit, rule);
  if (rule.options.format == SequenceFormat::kHdf5) return std::make_unique<Hdf5PartWriter>(folder, unit, rule);
  return std::make_unique<MdsPartWriter>(folder, unit, rule);
}

void require_sequences(const SequenceCounts& counts, const std::filesystem::path& input, const SequenceRule& rule) {
  if (counts.sequences != 0) return;
  if (counts.articles == 0) throw FormatError("has no text", input, "check the input");
  throw FormatError("fills no block of " + std::to_string(rule.options.blocks) + " tokens", input,
                    "give a smaller `blocks`, or fewer and larger inputs");
}

PendingFile small_file(const OutputFolder& folder, const std::string& name, std::string_view bytes) {
  PendingFile pending = folder.begin(name);
  OutputFile file(pending.path());
  file.write(bytes);
  file.finish();
  return pending;
}

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

std::string megatron_prefix_of(const SequenceUnit& unit, const SequenceRule& rule) {
  if (!unit.is_whole_split) return "parts/" + unit.task();
  const bool by_sentence = rule.options.level == SequenceLevel::kSentence;
  return rule.name + "_" + unit.split + (by_sentence ? "_text_sentence" : "_text_document");
}

}  // namespace bertprep
