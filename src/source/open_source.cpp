#include "bertprep/source/open_source.h"

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "source/books/books_source.h"
#include "source/format_guess.h"
#include "source/formats/cirrus_source.h"
#include "source/formats/column_source.h"
#include "source/formats/jsonl_source.h"
#include "source/formats/pubmed_source.h"
#include "source/formats/sqlite_source.h"
#include "source/formats/text_source.h"
#include "source/formats/wikiextractor_source.h"
#include "source/input/foreign_format.h"
#include "source/source_pieces.h"

namespace bertprep {
namespace {

// In the order of InputFormat.
constexpr std::string_view kFormatNames =
    "auto|wikitext|mediawiki|wikiextractor|articles|sentences|books|jsonl|csv|tsv|pubmed|parquet|arrow|sqlite|"
    "cirrus";

// Those whose records have fields that options name.
constexpr std::string_view kRecordFields = "jsonl|csv|tsv|parquet|arrow|sqlite";

constexpr std::string_view kLineBreaks = "auto|space|paragraph|line";

constexpr std::size_t kHeadBytes = 4096;
constexpr std::uint64_t kMaxArticleBytes = std::uint64_t{1} << 30;

std::uint64_t max_article_bytes(const SourceOptions& options) {
  return options.max_article.empty() ? kMaxArticleBytes : size_in_bytes(options.max_article, "max-article");
}

CorpusReading reading_of(const SourceOptions& options, RejectSink rejects, const TaskRunner& runner) {
  auto kept = std::make_shared<Rejects>(options.strict, std::move(rejects));
  return {kept, ArticleLimit(max_article_bytes(options), *kept), runner};
}

bool is_table(InputFormat format) {
  return format == InputFormat::kCsv || format == InputFormat::kTsv;
}

StreamOptions streams_of(const SourceOptions& options, const TaskRunner& runner) {
  return {.runner = runner, .max_expansion = static_cast<std::uint64_t>(options.max_expansion)};
}

ArticleLayout layout_of(InputFormat format, const SourceOptions& options) {
  const LineBreaks breaks = line_breaks_of(format, options);
  if (breaks == LineBreaks::kLine) return ArticleLayout::kLines;
  return breaks == LineBreaks::kParagraph ? ArticleLayout::kParagraphs : ArticleLayout::kJoined;
}

OpenText any_reader_of(InputFormat format, const SourceOptions& options, const CorpusReading& reading) {
  if (format == InputFormat::kWikitext) return wikitext_reader(options, reading);
  if (format == InputFormat::kArticles) return articles_reader(options, reading);
  if (format == InputFormat::kSentences) return sentences_reader(options, reading);
  if (format == InputFormat::kBooks) return books_reader(options, reading);
  if (format == InputFormat::kJsonl) return jsonl_reader(options, reading);
  if (format == InputFormat::kParquet) return parquet_reader(options, reading);
  if (format == InputFormat::kArrow) return arrow_reader(options, reading);
  if (format == InputFormat::kSqlite) return sqlite_reader(options, reading);
  if (format == InputFormat::kPubmed) return pubmed_reader(reading);
  if (format == InputFormat::kCirrus) return cirrus_reader(reading);
  if (format == InputFormat::kWikiextractor) return wikiextractor_reader(reading);
  if (is_table(format)) return table_reader(format, options, reading);
  throw ConfigError("articles of the format " + std::string(name_of(format)) + " are not made by open_source", {},
                    "use the stage that extracts text from wiki markup");
}

// Books in other formats are rejected individually.
OpenText reader_of(InputFormat format, const SourceOptions& options, RejectSink rejects, const TaskRunner& runner) {
  OpenText open = any_reader_of(format, options, reading_of(options, std::move(rejects), runner));
  if (format == InputFormat::kBooks) return open;
  return [format, open = std::move(open)](TextInput input) {
    if (input.first_byte != 0) return open(std::move(input));
    auto bytes = std::make_unique<PeekedStream>(std::move(input.bytes));
    refuse_foreign(bytes->peek(kHeadBytes), format, input.name);
    input.bytes = std::move(bytes);
    return open(std::move(input));
  };
}

TextInput range_of(const InputPiece& piece) {
  const std::filesystem::path& file = piece.files.front();
  return {.name = file,
          .bytes = std::make_unique<FileStream>(file, piece.begin, piece.end),
          .file_name = file.filename(),
          .first_line = piece.first_line,
          .first_byte = piece.begin,
          .stored = StoredFile{.path = file, .begin = piece.begin, .end = piece.end}};
}

// A range of a table does not include the header.
TextInput table_range_of(const InputPiece& piece, InputFormat format, const SourceOptions& options) {
  TextInput range = range_of(piece);
  if (piece.begin == 0) return range;
  range.head = read_table_header(format, range.name, std::make_unique<FileStream>(piece.files.front()),
                                 max_article_bytes(options))
                   .record;
  return range;
}

// At once, not when the rows are read, which refuses other files.
void require_query(std::span<const std::filesystem::path> inputs, const SourceOptions& options) {
  const auto list = list_inputs(inputs, choice_of(InputFormat::kSqlite, options));
  const std::filesystem::path& file = list.front().files.front();
  if (std::filesystem::is_regular_file(file) && begins_as_sqlite(FileStream(file).next_block())) {
    refuse_missing_query(file);
  }
}

class FinishedSource final : public DocumentSource {
 public:
  FinishedSource(std::unique_ptr<DeferredSource> source, RejectSink rejects)
      : source_(std::move(source)), rejects_(false, std::move(rejects)) {}

  bool next(Document& document) override {
    while (source_->read(own_)) {
      const auto deferred = own_.deferred;
      const auto rejection = deferred == nullptr ? std::nullopt : worker_of(deferred).finish(own_);
      if (rejection) {
        rejects_.add(rejection->where, rejection->reason, rejection->record);
        continue;
      }
      if (!own_.note.empty()) remarks_.push_back({place_of(own_.origin), std::exchange(own_.note, {})});
      if (!own_.left_out.empty()) {
        left_out_.add(own_.left_out);
        continue;
      }
      document = own_;
      return true;
    }
    return false;
  }

  std::optional<std::uint64_t> input_bytes_read() const override { return source_->input_bytes_read(); }

  std::vector<RecordRemark> take_remarks() override {
    std::vector<RecordRemark> remarks = source_->take_remarks();
    std::ranges::move(std::exchange(remarks_, {}), std::back_inserter(remarks));
    return remarks;
  }
  ReasonCounts take_left_out() override {
    left_out_.add(source_->take_left_out());
    return std::exchange(left_out_, {});
  }

 private:
  // A source has one kind of deferred work or a few.
  DeferredWork::Worker& worker_of(const std::shared_ptr<const DeferredWork>& deferred) {
    auto& worker = workers_[deferred];
    if (worker == nullptr) worker = deferred->make_worker();
    return *worker;
  }

  std::unique_ptr<DeferredSource> source_;
  Rejects rejects_;
  SourceDocument own_;
  std::vector<RecordRemark> remarks_;
  ReasonCounts left_out_;
  std::map<std::shared_ptr<const DeferredWork>, std::unique_ptr<DeferredWork::Worker>> workers_;
};

}  // namespace

void check(const SourceOptions& options) {
  validate(options);
  if (!options.max_article.empty() && size_in_bytes(options.max_article, "max-article") > kMaxArticleBytes) {
    throw ConfigError("`max_article` '" + options.max_article + "' is more than 1G", {}, "write it like 500K or 40M");
  }
  if (options.text_field.empty()) throw ConfigError("`text_field` is empty", {}, "name the key of the text");
  books_reader(options, {});  // refuses unknown encodings
}

FieldList<SourceOptions> fields_of(const SourceOptions* /*options*/) {
  static const Field<SourceOptions> kFields[] = {
      {.name = "format",
       .member = enum_member<&SourceOptions::format>,
       .unit = "",
       .help = "format of the input; auto detects it",
       .choices = kFormatNames},
      {.name = "text-field",
       .member = &SourceOptions::text_field,
       .unit = "key",
       .help = "jsonl, csv, tsv, parquet, arrow, sqlite: key or column that holds the text; title,abstract joins two "
               "as paragraphs; in jsonl, parquet and arrow, a.b is key b under key a",
       .formats = kRecordFields},
      {.name = "query",
       .member = &SourceOptions::query,
       .unit = "sql",
       .help = "sqlite: the select whose rows are the articles, such as 'select id, title, body as text from pages'",
       .unrecorded = "",
       .formats = "sqlite"},
      {.name = "html",
       .member = enum_member<&SourceOptions::html>,
       .unit = "what",
       .help = "jsonl, csv, tsv, parquet, arrow, sqlite: HTML in the text is refused, shown as a reader sees it, or "
               "left as it is",
       .choices = "refuse|text|keep",
       .unrecorded = "refuse",
       .formats = kRecordFields},
      {.name = "detokenize",
       .member = enum_member<&SourceOptions::detokenize>,
       .unit = "what",
       .help = "wikitext: turn WikiText's tokens back into running text, by the rules of Mistral's GPT-2",
       .choices = "none|wikitext",
       .unrecorded = "none",
       .formats = "wikitext"},
      {.name = "line-breaks",
       .member = enum_member<&SourceOptions::line_breaks>,
       .unit = "what",
       .help =
           "for BERT's rows: a line break is a space, also ends a sentence before an empty line, or always ends one "
           "(auto: paragraph for formats of records, from jsonl to cirrus, else space)",
       .choices = kLineBreaks,
       .in_recipe = false},  // line_breaks_of() is
      {.name = "include",
       .member = &SourceOptions::include,
       .unit = "globs",
       .help = "in folders and archives, read only files that match one of these patterns, separated by commas, such "
               "as '*.md,*.text'; a pattern with a slash must match the whole path"},
      {.name = "exclude",
       .member = &SourceOptions::exclude,
       .unit = "globs",
       .help = "in folders and archives, skip files that match one of these patterns"},
      {.name = "encoding",
       .member = &SourceOptions::encoding,
       .unit = "name",
       .help = "books: encoding of the files; auto recognizes UTF-8 and UTF-16 and guesses others",
       .formats = "books"},
      {.name = "books-compat",
       .member = &SourceOptions::books_compat,
       .unit = "",
       .help = "books: format as the reference does, byte for byte",
       .formats = "books"},
      {.name = "keep-gutenberg",
       .member = &SourceOptions::keep_gutenberg,
       .unit = "",
       .help = "books: keep the header and the licence of Project Gutenberg",
       .formats = "books"},
      {.name = "max-article",
       .member = &SourceOptions::max_article,
       .unit = "size",
       .help = "longest article, such as 40M; longer ones are rejected (default: a sixteenth of --memory, at most 1G)",
       .group = OptionGroup::kResources},
      {.name = "max-expansion",
       .member = &SourceOptions::max_expansion,
       .unit = "times",
       .help = "refuse a compressed file that expands to more than this many times its size",
       .min = 2,
       .max = 1e9,
       .in_recipe = false,
       .group = OptionGroup::kResources},
      {.name = "strict",
       .member = &SourceOptions::strict,
       .unit = "",
       .help = "stop at the first bad record instead of rejecting it",
       .in_recipe = false},
  };
  return {kFields, OptionGroup::kInput};
}

InputFormat resolve_format(std::span<const std::filesystem::path> inputs, const SourceOptions& options) {
  check(options);
  if (options.format == InputFormat::kAuto) refuse_pipes(inputs);  // bytes read for guessing would be lost
  const InputFormat format = options.format == InputFormat::kAuto
                                 ? guess_format(list_inputs(inputs, choice_of(InputFormat::kAuto, options))).format
                                 : options.format;
  if (format == InputFormat::kSqlite && options.query.empty()) require_query(inputs, options);
  return format;
}

std::string describe_guess(std::span<const std::filesystem::path> inputs, const SourceOptions& options) {
  if (options.format != InputFormat::kAuto) return {};
  const std::vector<Input> list = list_inputs(inputs, choice_of(InputFormat::kAuto, options));
  const FormatGuess guess = guess_format(list);
  if (!guess.is_plain) return {};
  std::size_t files = 0;
  for (const Input& input : list) files += input.files.size();
  const std::string text = counted(files, "file") + " of plain text: ";
  if (guess.format == InputFormat::kBooks) {
    return text + "one article a file (`format` books); for one article a line, give `format` articles";
  }
  if (guess.format == InputFormat::kSentences) {
    return text + "one sentence a line (`format` sentences); for one article a file, give `format` books";
  }
  return text + "one article a line (`format` articles); for one article a file, give `format` books";
}

std::unique_ptr<PlacedSource> open_observed_source(std::span<const std::filesystem::path> inputs,
                                                   const SourceOptions& options, RejectSink rejects,
                                                   const TaskRunner& runner, ReadObserver* observer) {
  const InputFormat format = resolve_format(inputs, options);
  return open_texts(list_source(inputs, format, options), streams_of(options, runner),
                    reader_of(format, options, std::move(rejects), runner), layout_of(format, options), observer);
}

std::unique_ptr<DocumentSource> open_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                            RejectSink rejects) {
  return finish_documents(open_observed_source(inputs, options, rejects, TaskRunner()),
                          options.strict ? RejectSink() : rejects);
}

std::vector<InputPiece> split_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                     std::uint64_t piece_bytes, const LineMarks& marks, const TaskRunner& runner) {
  const InputFormat format = resolve_format(inputs, options);
  const std::vector<Input> files = list_source(inputs, format, options);
  return group_files(files, piece_bytes, [&](const auto& file, std::uint64_t bytes, std::uint64_t pieces) {
    if (format == InputFormat::kParquet) return split_parquet(file, bytes, pieces);
    if (format == InputFormat::kArrow) return split_arrow(file, bytes, pieces);
    if (!has_ranges(file, format)) return std::vector<SplitPoint>();
    if (is_table(format)) return split_table(file, bytes, pieces, format, max_article_bytes(options));
    const LineSplit where = format == InputFormat::kSentences ? LineSplit::kAfterBlankLine : LineSplit::kAfterLine;
    return split_lines(file, bytes, pieces, where, marks, runner);
  });
}

std::unique_ptr<PlacedSource> open_source_piece(std::span<const std::filesystem::path> inputs, const InputPiece& piece,
                                                const SourceOptions& options, RejectSink rejects,
                                                const TaskRunner& runner) {
  const InputFormat format = resolve_format(inputs, options);
  OpenText open = reader_of(format, options, std::move(rejects), runner);
  const ArticleLayout layout = layout_of(format, options);
  if (piece.is_range()) {
    TextInput range = is_table(format) ? table_range_of(piece, format, options) : range_of(piece);
    return open_text(std::move(range), std::move(open), layout);
  }
  Input input{inputs[piece.input], true, piece.files, choice_of(format, options), true};
  return open_texts({std::move(input)}, streams_of(options, runner), std::move(open), layout);
}

LineBreaks line_breaks_of(InputFormat format, const SourceOptions& options) {
  if (options.line_breaks != LineBreaks::kAuto) return options.line_breaks;
  return is_of_records(format) ? LineBreaks::kParagraph : LineBreaks::kSpace;
}

std::string_view name_of(LineBreaks breaks) {
  return choice_name("line-breaks", static_cast<std::size_t>(breaks), kLineBreaks);
}

std::string_view name_of(InputFormat format) {
  return choice_name("format", static_cast<std::size_t>(format), kFormatNames);
}

InputFormat input_format(std::string_view name) {
  return static_cast<InputFormat>(choice_index("format", name, kFormatNames));
}

std::unique_ptr<DocumentSource> finish_documents(std::unique_ptr<DeferredSource> source, RejectSink rejects) {
  return std::make_unique<FinishedSource>(std::move(source), std::move(rejects));
}

}  // namespace bertprep
