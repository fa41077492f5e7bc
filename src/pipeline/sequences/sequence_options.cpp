
#include "base/fields.h"
#include "pipeline/sequences/sequences.h"
#include "shard/hdf5/token_file.h"
#include "shard/token_set.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kFormats = "auto|mds|megatron|hdf5";

// What a trainer sets, unless options do; see docs/how-to/modernbert.md and others there.
struct Settings {
  SequenceFormat format = SequenceFormat::kMds;
  const char* column = "input_ids";
  IdChoice ids = IdChoice::kAuto;
  std::int64_t max_tokens = 1024;
  LongArticles long_articles = LongArticles::kChunks;
  std::int64_t blocks = 0;
  EndOfArticle end_of_article = EndOfArticle::kNo;
  SequenceLevel level = SequenceLevel::kDocument;
  const char* test_split = "validation";
};

// In the order of SequencePreset.
constexpr std::array<Settings, 9> kSettings{{
    {},
    {},
    {.ids = IdChoice::kInt64},
    {.max_tokens = 8192, .test_split = "eval"},
    {.column = "tokens", .ids = IdChoice::kInt32, .blocks = 2048, .end_of_article = EndOfArticle::kYes},
    {.format = SequenceFormat::kHdf5, .long_articles = LongArticles::kTruncate},
    {.format = SequenceFormat::kHdf5, .blocks = 1024, .end_of_article = EndOfArticle::kYes},
    {.format = SequenceFormat::kMegatron, .max_tokens = 512, .level = SequenceLevel::kSentence},
    {.format = SequenceFormat::kMegatron, .end_of_article = EndOfArticle::kYes},
}};

template <class Value>
void fill(Value& value, const Value& open, const Value& choice) {
  if (value == open) value = choice;
}

struct Fault {
  bool is_there;
  std::string what;
  const char* hint;
};

void refuse(std::span<const Fault> faults) {
  for (const auto& [is_there, what, hint] : faults) {
    if (is_there) throw ConfigError(what, {}, hint);
  }
}

// HDF5 takes names with '/' for paths.
void check_names(const SequenceOptions& options) {
  check_name(options.test_split, "test-split");
  if (options.test_split == kTrainSplit || options.test_split == TokenSet::kTokenizerFolder ||
      options.test_split == Manifest::kFileName) {
    throw ConfigError("the split of test shards can't be named '" + options.test_split + "'", {},
                      "that is the name of another file or folder of the set");
  }
  if (options.column.empty()) throw ConfigError("a column needs a name");
  if (find_invalid_utf8(options.column)) throw ConfigError("`column` is not UTF-8");
  if (options.format != SequenceFormat::kHdf5) return;
  check_name(options.column, "column");
  if (options.column == kMaskColumn) {
    throw ConfigError("the column of ids can't be named '" + options.column + "'", {},
                      "that is the name of another column of the set");
  }
}

// Options that contradict each other, and those of `given` that have no effect: a set without an option that was asked
// for would be another one than the user expects.
void check(const SequenceOptions& options, const SequenceOptions& given) {
  const SequenceOptions unset;
  const bool is_mds = options.format == SequenceFormat::kMds;
  const bool is_megatron = options.format == SequenceFormat::kMegatron;
  const bool is_hdf5 = options.format == SequenceFormat::kHdf5;
  const bool has_blocks = options.blocks != 0;
  const bool cuts_sentences = options.long_articles == LongArticles::kSentences;
  const bool keeps_last = options.last_block == LastBlock::kKeep;
  const bool has_lines = options.source == SequenceSource::kLines;
  const std::string blocks = std::to_string(options.blocks);
  const char* for_blocks = " is for blocks";
  const char* give_blocks = "give `blocks`, too";
  refuse(std::array<Fault, 13>{{
      {options.max_tokens < 3, "`max_tokens` must be 3 or more: [CLS], a token and [SEP]", ""},
      {is_megatron && has_blocks, "Megatron cuts its samples itself", "leave out `blocks`"},
      {is_megatron && options.ids == IdChoice::kInt64, "Megatron reads only uint16 and int32 ids",
       "choose one of them, or leave out `dtype`"},
      {cuts_sentences && (is_megatron || has_blocks), "`long` sentences is for rows", "leave it out"},
      {is_hdf5 && options.ids != IdChoice::kInt32, "ids in HDF5 are int32", "leave out `dtype`"},
      {has_blocks && options.stride != 0 && (options.stride > options.blocks || options.blocks % options.stride != 0),
       "`stride` must divide `blocks`, which is " + blocks, ""},
      {has_blocks && keeps_last && is_hdf5, "blocks in HDF5 have one length",
       "give `to` mds, or leave out `last_block`"},
      {!has_blocks && options.group_articles != 0, std::string("`group_rows`") + for_blocks, give_blocks},
      {!has_blocks && options.stride != 0, std::string("`stride`") + for_blocks, give_blocks},
      {!has_blocks && keeps_last, std::string("`last_block`") + for_blocks, give_blocks},
      {!has_blocks && has_lines, std::string("`rows` lines") + for_blocks, give_blocks},
      {options.detokenize != Detokenization::kNone && !has_lines, "`detokenize` works on the lines of plain text",
       "give `rows` lines, or `detokenize` to the command that formats the text"},
      {!has_blocks && !is_megatron && options.end_of_article == EndOfArticle::kYes,
       "rows end in [SEP] and need no end of article", "give `blocks`, or leave out `eod`"},
  }});
  check_names(options);
  const char* for_mds = " is for MDS";
  const char* give_mds = "leave it out, or give `to` mds";
  const bool gives_min = given.min_tokens != unset.min_tokens;
  const bool is_stream = has_blocks && !is_megatron;
  const std::string for_rows = " is for rows, but this set has blocks of " + blocks + " tokens";
  const char* give_length = "leave it out; `blocks` gives the length of blocks";
  refuse(std::array<Fault, 10>{{
      {!is_mds && given.size_limit != unset.size_limit, std::string("`size_limit`") + for_mds, give_mds},
      {!is_mds && given.compression != unset.compression, std::string("`compression`") + for_mds, give_mds},
      {!is_mds && given.hashes != unset.hashes, std::string("`hashes`") + for_mds, give_mds},
      {is_megatron && !given.column.empty(), "Megatron's sets have no `column`", "leave it out"},
      {is_megatron && gives_min, "`min_tokens` is for rows", "leave it out"},
      {!is_megatron && given.level != SequenceLevel::kAuto, "`level` is for Megatron",
       "leave it out, or give `to` megatron"},
      {is_stream && given.max_tokens != 0, "`max_tokens`" + for_rows, give_length},
      {is_stream && gives_min, "`min_tokens`" + for_rows, give_length},
      {is_stream && given.long_articles == LongArticles::kSentences, "`long` sentences" + for_rows, give_length},
      {is_stream && given.long_articles != LongArticles::kAuto, "`long`" + for_rows, give_length},
  }});
}

}  // namespace

FieldList<SequenceOptions> SequenceOptions::fields() {
  using Options = SequenceOptions;
  static const Field<Options> kFields[] = {
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
  };
  return {kFields, OptionGroup::kRows};
}

std::string_view name_of(SequenceFormat format) {
  return choice_name("to", static_cast<std::size_t>(format), kFormats);
}

SequenceOptions resolve_sequences(SequenceOptions options) {
  validate(options);
  const Settings& choice = kSettings.at(static_cast<std::size_t>(options.preset));
  const SequenceOptions given = options;
  fill(options.format, SequenceFormat::kAuto, choice.format);
  fill(options.column, {}, std::string(choice.column));
  fill(options.max_tokens, std::int64_t{0}, choice.max_tokens);
  fill(options.long_articles, LongArticles::kAuto, choice.long_articles);
  fill(options.end_of_article, EndOfArticle::kAuto, choice.end_of_article);
  fill(options.level, SequenceLevel::kAuto, choice.level);
  fill(options.test_split, {}, std::string(choice.test_split));
  if (options.format == SequenceFormat::kMds) fill(options.ids, IdChoice::kAuto, choice.ids);
  if (options.format == SequenceFormat::kHdf5) fill(options.ids, IdChoice::kAuto, IdChoice::kInt32);
  if (options.format != SequenceFormat::kMegatron) fill(options.blocks, std::int64_t{0}, choice.blocks);
  check(options, given);
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
  using Counts = SequenceCounts;
  for (const auto count : {&Counts::articles, &Counts::sequences, &Counts::tokens, &Counts::dropped, &Counts::bytes,
                           &Counts::text_bytes, &Counts::line_breaks}) {
    this->*count += other.*count;
  }
  documents.rejected.add(other.documents.rejected);
  documents.left_out.add(other.documents.left_out);
  return *this;
}

}  // namespace bertprep
