#include <array>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "pipeline/sequences/sequences.h"
#include "shard/hdf5/token_file.h"
#include "shard/token_set.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kFormats = "auto|mds|megatron|hdf5";

// The settings for each trainer; see docs/how-to/modernbert.md and others there.
SequenceOptions choices_of(SequencePreset preset) {
  SequenceOptions choice{.format = SequenceFormat::kMds,
                         .column = "input_ids",
                         .max_tokens = 1024,
                         .long_articles = LongArticles::kChunks,
                         .end_of_article = EndOfArticle::kNo,
                         .level = SequenceLevel::kDocument,
                         .test_split = "validation"};
  switch (preset) {
    case SequencePreset::kNone:
    case SequencePreset::kModernbert:
      break;
    case SequencePreset::kModernbertStreaming:
      choice.ids = IdChoice::kInt64;
      break;
    case SequencePreset::kBioclinical:
      choice.max_tokens = 8192;
      choice.test_split = "eval";
      break;
    case SequencePreset::kEurobert:
      choice.column = "tokens";
      choice.ids = IdChoice::kInt32;
      choice.blocks = 2048;
      choice.end_of_article = EndOfArticle::kYes;
      break;
    case SequencePreset::kNeobert:
      choice.format = SequenceFormat::kHdf5;
      choice.long_articles = LongArticles::kTruncate;
      break;
    case SequencePreset::kGpt2:
      choice.format = SequenceFormat::kHdf5;
      choice.blocks = 1024;
      choice.end_of_article = EndOfArticle::kYes;
      break;
    case SequencePreset::kMegatronBert:
      choice.format = SequenceFormat::kMegatron;
      choice.max_tokens = 512;
      choice.level = SequenceLevel::kSentence;
      break;
    case SequencePreset::kMegatronGpt:
      choice.format = SequenceFormat::kMegatron;
      choice.end_of_article = EndOfArticle::kYes;
      break;
  }
  return choice;
}

template <class Value>
void fill(Value& value, const Value& open, const Value& choice) {
  if (value == open) value = choice;
}

void check_blocks(const SequenceOptions& options) {
  if (options.blocks != 0) {
    if (options.stride > options.blocks || (options.stride != 0 && options.blocks % options.stride != 0)) {
      throw ConfigError("`stride` must divide `blocks`, which is " + std::to_string(options.blocks));
    }
    if (options.last_block == LastBlock::kKeep && options.format == SequenceFormat::kHdf5) {
      throw ConfigError("blocks in HDF5 have one length", {}, "give `to` mds, or leave out `last_block`");
    }
    return;
  }
  const char* ignored = options.group_articles != 0                ? "`group_rows`"
                        : options.stride != 0                      ? "`stride`"
                        : options.last_block == LastBlock::kKeep   ? "`last_block`"
                        : options.source == SequenceSource::kLines ? "`rows` lines"
                                                                   : nullptr;
  if (ignored != nullptr) throw ConfigError(std::string(ignored) + " is for blocks", {}, "give `blocks`, too");
}

void check_lines(const SequenceOptions& options) {
  if (options.detokenize != Detokenization::kNone && options.source != SequenceSource::kLines) {
    throw ConfigError("`detokenize` works on the lines of plain text", {},
                      "give `rows` lines, or `detokenize` to the command that formats the text");
  }
}

// A set without an option that was asked for would be another one than the user expects.
void refuse_ignored(const SequenceOptions& given, const SequenceOptions& resolved) {
  const SequenceOptions unset;
  const bool is_mds = resolved.format == SequenceFormat::kMds;
  const bool is_megatron = resolved.format == SequenceFormat::kMegatron;
  const char* for_mds = given.size_limit != unset.size_limit     ? "`size_limit`"
                        : given.compression != unset.compression ? "`compression`"
                        : given.hashes != unset.hashes           ? "`hashes`"
                                                                 : nullptr;
  if (!is_mds && for_mds != nullptr) {
    throw ConfigError(std::string(for_mds) + " is for MDS", {}, "leave it out, or give `to` mds");
  }
  if (is_megatron && !given.column.empty()) {
    throw ConfigError("Megatron's sets have no `column`", {}, "leave it out");
  }
  if (is_megatron && given.min_tokens != unset.min_tokens) {
    throw ConfigError("`min_tokens` is for rows", {}, "leave it out");
  }
  if (!is_megatron && given.level != SequenceLevel::kAuto) {
    throw ConfigError("`level` is for Megatron", {}, "leave it out, or give `to` megatron");
  }
  if (is_megatron || resolved.blocks == 0) return;
  const char* for_rows = given.max_tokens != 0                             ? "`max_tokens`"
                         : given.min_tokens != unset.min_tokens            ? "`min_tokens`"
                         : given.long_articles == LongArticles::kAuto      ? nullptr
                         : given.long_articles == LongArticles::kSentences ? "`long` sentences"
                                                                           : "`long`";
  if (for_rows == nullptr) return;
  throw ConfigError(
      std::string(for_rows) + " is for rows, but this set has blocks of " + std::to_string(resolved.blocks) + " tokens",
      {}, "leave it out; `blocks` gives the length of blocks");
}

// HDF5 takes names with '/' for paths.
void check_column(const SequenceOptions& options) {
  if (options.column.empty()) throw ConfigError("a column needs a name");
  if (find_invalid_utf8(options.column)) throw ConfigError("`column` is not UTF-8");
  if (options.format != SequenceFormat::kHdf5) return;
  check_name(options.column, "column");
  if (options.column == kMaskColumn) {
    throw ConfigError("the column of ids can't be named '" + options.column + "'", {},
                      "that is the name of another column of the set");
  }
}

void check(const SequenceOptions& options) {
  const bool is_megatron = options.format == SequenceFormat::kMegatron;
  if (options.max_tokens < 3) throw ConfigError("`max_tokens` must be 3 or more: [CLS], a token and [SEP]");
  if (is_megatron && options.blocks != 0) {
    throw ConfigError("Megatron cuts its samples itself", {}, "leave out `blocks`");
  }
  if (is_megatron && options.ids == IdChoice::kInt64) {
    throw ConfigError("Megatron reads only uint16 and int32 ids", {}, "choose one of them, or leave out `dtype`");
  }
  if (options.long_articles == LongArticles::kSentences && (is_megatron || options.blocks != 0)) {
    throw ConfigError("`long` sentences is for rows", {}, "leave it out");
  }
  if (options.format == SequenceFormat::kHdf5 && options.ids != IdChoice::kInt32) {
    throw ConfigError("ids in HDF5 are int32", {}, "leave out `dtype`");
  }
  check_blocks(options);
  check_lines(options);
  if (options.blocks == 0 && !is_megatron && options.end_of_article == EndOfArticle::kYes) {
    throw ConfigError("rows end in [SEP] and need no end of article", {}, "give `blocks`, or leave out `eod`");
  }
  check_name(options.test_split, "test-split");
  if (options.test_split == kTrainSplit || options.test_split == TokenSet::kTokenizerFolder ||
      options.test_split == Manifest::kFileName) {
    throw ConfigError("the split of test shards can't be named '" + options.test_split + "'", {},
                      "that is the name of another file or folder of the set");
  }
  check_column(options);
}

}  // namespace

const OptionGroup SequenceOptions::kGroup = OptionGroup::kRows;

std::span<const Field<SequenceOptions>> SequenceOptions::fields() {
  using Options = SequenceOptions;
  static const std::array<Field<Options>, 21> kFields{{
      {.name = "for",
       .member = enum_member<&Options::preset>,
       .unit = "trainer",
       .help = "the trainer that will read the set; sets its format, column, type and length unless other options do",
       .choices = "none|modernbert|modernbert-streaming|bioclinical|eurobert|neobert|gpt2|megatron-bert|megatron-gpt",
       .in_recipe = false},
      {.name = "to",
       .member = enum_member<&Options::format>,
       .unit = "format",
       .help = "what to write (auto: the trainer's, else mds)",
       .choices = kFormats,
       .group = OptionGroup::kOutput},
      {.name = "column",
       .member = &Options::column,
       .unit = "name",
       .help = "name of the column of ids in MDS and HDF5 (default the trainer's, else input_ids)",
       .group = OptionGroup::kOutput},
      {.name = "dtype",
       .member = enum_member<&Options::ids>,
       .unit = "type",
       .help = "type of an id (auto: the trainer's, else uint16 if all ids of the vocabulary fit, else int32)",
       .choices = "auto|uint16|int32|int64",
       .group = OptionGroup::kOutput},
      {.name = "max-tokens",
       .member = &Options::max_tokens,
       .unit = "tokens",
       .help = "maximum tokens of a row with [CLS] and [SEP], or of a sentence for Megatron; 0: the trainer's, else "
               "1024",
       .min = 0,
       .max = 1 << 24},
      {.name = "long",
       .member = enum_member<&Options::long_articles>,
       .unit = "how",
       .help = "how to store an article longer than a row: as several rows, as its first row only, or as several rows "
               "that end at sentence ends (auto: the trainer's, else chunks)",
       .choices = "auto|chunks|truncate|sentences"},
      {.name = "text",
       .member = enum_member<&Options::text>,
       .unit = "how",
       .help = "the text of a document: as it is, byte for byte, or as one line, with a blank for each line break "
               "(auto: as-is, except from text shards and formatted files)",
       .choices = "auto|as-is|one-line",
       .group = OptionGroup::kText,
       .unrecorded = "one-line"},
      {.name = "line-ends",
       .member = enum_member<&Options::line_ends>,
       .unit = "how",
       .help = "with `text` as-is: keep CR LF and CR, or make each of them LF",
       .choices = "keep|lf",
       .group = OptionGroup::kText,
       .unrecorded = "keep"},
      {.name = "min-tokens",
       .member = &Options::min_tokens,
       .unit = "tokens",
       .help = "leave out the last row of a longer article if it has fewer tokens than this",
       .min = 1,
       .max = 1 << 24},
      {.name = "blocks",
       .member = &Options::blocks,
       .unit = "tokens",
       .help =
           "cut all articles of an input as one stream into blocks of this many tokens; 0: the trainer's, else rows",
       .min = 0,
       .max = 1 << 24},
      {.name = "stride",
       .member = &Options::stride,
       .unit = "tokens",
       .help = "begin a block every this many tokens, so that blocks overlap; 0: the length of a block",
       .min = 0,
       .max = 1 << 24,
       .unrecorded = "0"},
      {.name = "last-block",
       .member = enum_member<&Options::last_block>,
       .unit = "how",
       .help = "the tokens after the last full block: drop them, or keep them as a shorter block",
       .choices = "drop|keep",
       .unrecorded = "drop"},
      {.name = "rows",
       .member = enum_member<&Options::source>,
       .unit = "what",
       .help = "what blocks are made of: articles, or the lines of plain text with their line feeds, as in "
               "HuggingFace's wikitext",
       .choices = "articles|lines",
       .unrecorded = "articles"},
      {.name = "detokenize",
       .member = enum_member<&Options::detokenize>,
       .unit = "what",
       .help = "turn WikiText's tokens back into running text, by the rules of Mistral's GPT-2",
       .choices = "none|wikitext",
       .group = OptionGroup::kInput,
       .unrecorded = "none"},
      {.name = "group-rows",
       .member = &Options::group_articles,
       .unit = "rows",
       .help = "cut this many articles, or lines, at a time into blocks; 0: all of an input",
       .min = 0,
       .max = 1LL << 40},
      {.name = "eod",
       .member = enum_member<&Options::end_of_article>,
       .unit = "how",
       .help = "put an end-of-article token after each article, in blocks and for Megatron (auto: the trainer's, else "
               "no)",
       .choices = "auto|yes|no"},
      {.name = "level",
       .member = enum_member<&Options::level>,
       .unit = "level",
       .help = "what a Megatron sequence is (auto: the trainer's, else document)",
       .choices = "auto|sentence|document"},
      {.name = "size-limit",
       .member = &Options::size_limit,
       .unit = "size",
       .help = "maximum size of an MDS shard, such as 64M, or none",
       .group = OptionGroup::kOutput},
      {.name = "compression",
       .member = &Options::compression,
       .unit = "how",
       .help = "compress MDS shards: none, zstd or zstd:LEVEL; ModernBERT's own reader takes none",
       .group = OptionGroup::kOutput},
      {.name = "hashes",
       .member = &Options::hashes,
       .unit = "names",
       .help = "digests in the index of MDS, separated by commas, such as sha1,xxh64, or none",
       .group = OptionGroup::kOutput},
      {.name = "test-split",
       .member = &Options::test_split,
       .unit = "name",
       .help = "name of the split of test shards (default the trainer's, else validation)",
       .group = OptionGroup::kOutput},
  }};
  return kFields;
}

std::string_view name_of(SequenceFormat format) {
  return choice_name("to", static_cast<std::size_t>(format), kFormats);
}

SequenceOptions resolve_sequences(SequenceOptions options) {
  validate(options);
  const SequenceOptions choice = choices_of(options.preset);
  const SequenceOptions given = options;
  fill(options.format, SequenceFormat::kAuto, choice.format);
  fill(options.column, std::string(), choice.column);
  fill(options.max_tokens, std::int64_t{0}, choice.max_tokens);
  fill(options.long_articles, LongArticles::kAuto, choice.long_articles);
  fill(options.end_of_article, EndOfArticle::kAuto, choice.end_of_article);
  fill(options.level, SequenceLevel::kAuto, choice.level);
  fill(options.test_split, std::string(), choice.test_split);
  if (options.format == SequenceFormat::kMds) fill(options.ids, IdChoice::kAuto, choice.ids);
  if (options.format == SequenceFormat::kHdf5) fill(options.ids, IdChoice::kAuto, IdChoice::kInt32);
  if (options.format != SequenceFormat::kMegatron) fill(options.blocks, std::int64_t{0}, choice.blocks);
  check(options);
  refuse_ignored(given, options);
  return options;
}

bool needs_sentences(const SequenceOptions& options) {
  const SequenceOptions resolved = resolve_sequences(options);
  const bool are_rows_cut_at_sentences = resolved.long_articles == LongArticles::kSentences;
  return are_rows_cut_at_sentences ||
         (resolved.format == SequenceFormat::kMegatron && resolved.level == SequenceLevel::kSentence);
}

void keep_documents(const PipelineOptions& options, CorpusPart& part) {
  part.source.as_is = part.wiki.as_is = options.as_is;
  if (options.sequences != nullptr) part.source.line_breaks = LineBreaks::kSpace;
}

bool keeps_text(const PipelineOptions& options) {
  return options.sequences != nullptr && options.sequences->options.text != ArticleText::kOneLine;
}

SequenceCounts& SequenceCounts::operator+=(const SequenceCounts& other) {
  articles += other.articles;
  sequences += other.sequences;
  tokens += other.tokens;
  dropped += other.dropped;
  bytes += other.bytes;
  text_bytes += other.text_bytes;
  line_breaks += other.line_breaks;
  documents.rejected.add(other.documents.rejected);
  documents.left_out.add(other.documents.left_out);
  return *this;
}

}  // namespace bertprep
