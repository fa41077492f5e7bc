// open_source: files and folders -> articles, for the formats without wiki markup.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bertprep/source/document_source.h"

namespace bertprep {

// The format of an input: SourceOptions::format.
enum class InputFormat {
  kAuto,
  kWikitext,
  kMediawiki,
  kWikiextractor,
  kArticles,
  kSentences,
  kBooks,
  kJsonl,
  kCsv,
  kTsv,
  kPubmed,
  kParquet,
  kArrow,
  kSqlite,
  kCirrus
};

// "jsonl", as in --format, and back; the latter throws ConfigError for an unknown name.
std::string_view name_of(InputFormat format);
InputFormat input_format(std::string_view name);

// How to restore text whose punctuation was separated from words by blanks.
enum class Detokenization { kNone, kWikitext };

// What becomes of HTML in the text fields of records.
enum class HtmlHandling { kRefuse, kText, kKeep };

// What a line break is in BERT's rows. kAuto: kParagraph for the formats of records, from jsonl to cirrus, kSpace for
// those of the reference.
enum class LineBreaks {
  kAuto,
  kSpace,      // a blank
  kParagraph,  // a blank; an empty line ends a sentence
  kLine        // the end of a sentence
};

struct SourceOptions {
  // wikitext:  WikiText-2 and -103, tokenized or raw: an article begins at a line " = Title = " between blank
  //            lines; deeper headings are left out, the other lines are joined by a space.
  // articles:  each line is an article. Only LF ends a line.
  // sentences: each line is a sentence, a blank line ends an article. The text is the sentences joined by LF.
  // books:     each file is an article: its paragraphs, joined by LF (docs/formats/books.md). In a folder or archive,
  //            only the files named *.txt, including compressed ones, and archives are read, unless a folder has
  //            none of them.
  // jsonl:     each line is a JSON object, or the file is an array of them; `text_field` names the text; "title", if it
  //            is a string, is the title (docs/formats/jsonl.md).
  // csv, tsv:  a table as text; its first record names the columns, each other one is an article. `text_field` names
  //            the column of the text; "title" is the title (docs/formats/tables.md).
  // pubmed:    PubMed's XML: each citation that has an abstract is an article (docs/formats/pubmed.md).
  // parquet:   each row of a Parquet file is an article; `text_field` names the column of strings that is the text
  //            (docs/formats/parquet.md).
  // arrow:     the same of a file or stream of Arrow's IPC format.
  // sqlite:    the same of what `query` selects from an SQLite database (docs/formats/sqlite.md).
  // cirrus:    Wikimedia's search index: the rendered text of each page of namespace 0 (docs/formats/cirrus.md).
  // wikiextractor: <doc> elements as WikiExtractor writes them.
  // mediawiki: dumps of wikis. open_source does not read them, because it does not parse markup.
  // auto:      the format that resolve_format() finds.
  InputFormat format = InputFormat::kAuto;
  // Key of the text in a JSON object; "a.b" is key b of the object under key a; "a,b" joins two fields with an
  // empty line. With several fields, those that are missing, null or blank are skipped. Columns of
  // CSV and TSV have no parts.
  std::string text_field = "text";
  // For sqlite: one `select`, whose columns are named as those of a Parquet file. A single column is the text.
  std::string query{};
  // For jsonl, csv, tsv, parquet, arrow, sqlite. refuse: a field that is HTML, by the tags that begin and end it, makes
  // a bad record; one with tags or character references in it stays as it is, with a note. text: the text that a reader
  // sees of such fields, parsed by libxml2 (docs/formats/jsonl.md); bad records are HTML with elements it doesn't have,
  // and HTML without text. keep: fields stay as they are.
  HtmlHandling html = HtmlHandling::kRefuse;
  // For wikitext: each line becomes running text by the rules of Mistral's GPT-2: "1 @,@ 250 , it 's" is "1,250, it's".
  Detokenization detokenize = Detokenization::kNone;
  LineBreaks line_breaks = LineBreaks::kAuto;
  // Shell patterns, separated by commas, for files of folders and members of archives: `*` matches any characters,
  // including slashes; a pattern without a slash is compared with the last part of the path. Files that match `exclude`
  // are not read; `include`, unless empty, replaces the default of the format (*.txt for books). Archives in folders
  // are always opened, whatever `include` says.
  std::string include{};
  std::string exclude{};
  // The longest article, such as "40M": a longer one is a bad record, and uses no memory. Empty: a stage accepts what
  // fits its memory (pipeline_options.h), open_source() 1 GiB. Pages of dumps may have 16 MiB.
  std::string max_article{};
  // A compressed file, with everything in it, may expand to this many times its size, but always to 64 MiB.
  std::int64_t max_expansion = 1000;
  // Encoding of books: a name that ICU knows, or "auto": UTF-8, UTF-16 with byte order mark, else a guess, which
  // Document::note reports.
  std::string encoding = "auto";
  // Formats books as the reference formats BookCorpus: UTF-8, nothing removed, ArticleLayout::kReference.
  bool books_compat = false;
  // Keeps the header and the licence that Project Gutenberg puts around a book.
  bool keep_gutenberg = false;
  // true: a bad record throws FormatError instead of going to the RejectSink.
  bool strict = false;
  // Document::text is what the input says, byte for byte: a book with its lines, WikiText with its headings and empty
  // lines, a line with the blanks around it. Set by the stages for token sequences.
  bool as_is = false;
};

// `options.line_breaks` for this format, without kAuto; and its name, as in --line-breaks.
LineBreaks line_breaks_of(InputFormat format, const SourceOptions& options);
std::string_view name_of(LineBreaks breaks);

// Throws ConfigError: values out of range, unknown encodings, invalid sizes.
void check(const SourceOptions& options);

// Receives a bad record: a line of JSON without the text, a book that can't be decoded. `where` is FILE or FILE:LINE;
// `record` is its bytes, valid during the call. Called in the order of the records.
using RejectSink = std::function<void(const std::string& where, const std::string& reason, std::string_view record)>;

// Streams the articles of `inputs` in order; memory is that of the longest article. A folder means all files below it
// that are not hidden (name or folder starting with a dot), in byte order of their paths; links are followed. Files may
// be compressed (gzip, bzip2, zstd, xz) or archives (tar, zip, 7z), whose members are read in order and reported as
// ARCHIVE:MEMBER (docs/formats/inputs.md). An article never continues into the next file.
//
// Throws ConfigError (options, no input) and IoError (an input that does not exist, a folder without files) at once.
// next() throws IoError; FormatError "FILE:LINE" with the byte offset if a file of the formats wikitext, articles or
// sentences is not UTF-8; FormatError for damaged compressed data, and for an input (file or whole folder) without a
// single article. Without `rejects`, as with `strict`, a bad record throws FormatError.
std::unique_ptr<DocumentSource> open_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                            RejectSink rejects);

// The format that open_source() uses: options.format or, if that is "auto", the one that all texts have, each judged by
// its first bytes (1 MiB, decompressed; of later ones a quarter) and its name. The first matching rule decides:
//   1. it begins with PAR1: parquet; as a file or stream of Arrow: arrow; as an SQLite database: sqlite; XML with the
//      root <mediawiki>, or that begins at a <page>: mediawiki; <doc id=: wikiextractor; with the root
//      <PubmedArticleSet>: pubmed;
//   2. it begins with {"index":{"_: cirrus; as another JSON object or an array of objects: jsonl;
//   3. it is named *.csv or *.tsv: csv, tsv;
//   4. a line " = Title = " is between blank lines: wikitext;
//   5. the first record names columns, and nine in ten of the others have as many fields, unless rule 8 applies: csv,
//      tsv;
//   6. lines are longer than 2000 bytes on average: articles;
//   7. it has a mark of Project Gutenberg, or its lines are broken to fit a width: books;
//   8. it is one of several documents, in a folder or in a list of files, named *.txt, *.md or the like: books, unless
//      it has hundreds of lines as of rule 9;
//   9. blank lines separate groups of two lines or more, on average, and lines have at most 500 bytes on average:
//      sentences;
//  10. anything else: articles.
// Throws FormatError for two formats; for a name that its content belies; for HTML, other XML, other JSON, TSV whose
// columns have no names and some binary formats, naming what it found; for files that are blank, binary or not UTF-8
// (except books); and as open_source() does.
InputFormat resolve_format(std::span<const std::filesystem::path> inputs, const SourceOptions& options);

// For the user, if rules 6 to 10 chose the format, by the look of the lines alone: what it is, and how to say
// otherwise, "3 files of plain text: one article a file (--format books); …". Empty otherwise. Throws as
// resolve_format().
std::string describe_guess(std::span<const std::filesystem::path> inputs, const SourceOptions& options);

}  // namespace bertprep
