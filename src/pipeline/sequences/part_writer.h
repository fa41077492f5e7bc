// PartWriter: the articles of one unit -> its part of a set, in unfinished files.
#pragma once

#include "instance/token_rows.h"
#include "io/pending_file.h"
#include "pipeline/sequences/sequence_model.h"

namespace bertprep {

// SequenceRows: articles -> rows or blocks, by the rule, with counts.
class SequenceRows {
 public:
  explicit SequenceRows(const SequenceRule& rule)
      : is_blocks_(rule.options.blocks != 0),
        rows_({.cls = rule.cls,
               .sep = rule.sep,
               .max_tokens = static_cast<std::size_t>(rule.options.max_tokens),
               .truncates = rule.options.long_articles == LongArticles::kTruncate,
               .ends_at_sentences = rule.options.long_articles == LongArticles::kSentences,
               .min_tokens = static_cast<std::size_t>(rule.options.min_tokens)}),
        blocks_({.tokens = static_cast<std::size_t>(rule.options.blocks),
                 .end_of_article = rule.end_of_article,
                 .group_articles = static_cast<std::size_t>(rule.options.group_articles),
                 .stride = static_cast<std::size_t>(rule.options.stride),
                 .keeps_rest = rule.options.last_block == LastBlock::kKeep}) {}

  // Calls row(ids) for every row or block.
  template <class Row>
  void add(const TokenizedDocuments& articles, Row row) {
    const auto counted = counting(row);
    for (std::size_t i = 0; i < articles.documents(); ++i) {
      const std::size_t first = articles.document_begin[i];
      const std::size_t last = articles.document_begin[i + 1];
      const auto sentences = std::span(articles.sentence_begin).subspan(first, last - first + 1);
      const auto ids = std::span(articles.ids).subspan(sentences.front(), sentences.back() - sentences.front());
      counts_.dropped += is_blocks_ ? blocks_.add(ids, counted) : rows_.add(ids, sentences, counted);
      ++counts_.articles;
    }
  }

  // The same for the rest at the end. Returns the counts over all articles.
  template <class Row>
  SequenceCounts finish(Row row) {
    if (is_blocks_) counts_.dropped += blocks_.finish(counting(row));
    return counts_;
  }

 private:
  template <class Row>
  auto counting(Row& row) {
    return [this, &row](std::span<const TokenId> ids) {
      ++counts_.sequences;
      counts_.tokens += ids.size();
      row(ids);
    };
  }

  bool is_blocks_;
  TokenRows rows_;
  TokenBlocks blocks_;
  SequenceCounts counts_;
};

// Finished files; the last one completes the part.
struct FinishedPart {
  std::vector<PendingFile> files;
  SequenceCounts counts{};
};

class PartWriter {
 public:
  virtual ~PartWriter() = default;
  // Add articles in order; each must have a sentence, and each sentence an id. Throws FormatError, IoError.
  virtual void add(const TokenizedDocuments& articles) = 0;
  // Throws FormatError, IoError, Cancelled.
  virtual FinishedPart finish(const Progress& progress) = 0;
};

// In the format of `rule`. All are kept by reference.
std::unique_ptr<PartWriter> make_part_writer(const OutputFolder& folder, const SequenceUnit& unit,
                                             const SequenceRule& rule);

// Throws FormatError that names `input` if a part has no sequence: readers refuse it.
void require_sequences(const SequenceCounts& counts, const std::filesystem::path& input, const SequenceRule& rule);

// An unfinished small file of `folder` with these bytes.
PendingFile small_file(const OutputFolder& folder, const std::string& name, std::string_view bytes);

// The options of MDS, parsed. Throws ConfigError.
struct MdsFormat;
MdsFormat mds_format_of(const SequenceRule& rule);
std::optional<std::uint64_t> size_limit_of(const SequenceOptions& options);

// The path of the part of `unit` below the folder: "train/00003"; "train" for a whole split.
std::string mds_folder_of(const SequenceUnit& unit);
// The same for Megatron, without the extension: "NAME_train_text_sentence"; "parts/train-00003" for one input.
std::string megatron_prefix_of(const SequenceUnit& unit, const SequenceRule& rule);

}  // namespace bertprep
