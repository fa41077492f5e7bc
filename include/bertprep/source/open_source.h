// open_source: files and folders -> articles, for the formats that need no markup to be understood.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bertprep/source/document_source.h"

namespace bertprep {

// For the program's flags: its sources read fields().
template <class Options>
struct Field;
enum class OptionGroup;

// What an input is written in: SourceOptions::format.
enum class InputFormat { kAuto, kWikitext, kMediawiki, kWikiextractor, kArticles, kSentences, kBooks, kJsonl };

// "jsonl", as --format has it, and back; the latter throws ConfigError for a name that is none.
std::string_view name_of(InputFormat format);
InputFormat input_format(std::string_view name);

struct SourceOptions {
  // wikitext:  WikiText-2 and -103, tokenised or raw: an article begins at a line " = Title = " between blank
  //            lines; deeper headings are left out, the other lines are joined by a blank.
  // articles:  a line is an article. Lines end at LF only.
  // sentences: a line is a sentence, a blank line ends an article. The text is the sentences joined by LF.
  // books:     a file is an article: its paragraphs, joined by LF (docs/formats/books.md). In a folder or an archive,
  //            the files named *.txt, compressed ones too, and archives.
  // jsonl:     a line is a JSON object, or the file is an array of them; `text_field` names its text; "title", if it is
  //            a string, is the title (docs/formats/jsonl.md).
  // wikiextractor: <doc> elements as WikiExtractor writes them.
  // mediawiki: dumps of wikis. open_source does not read them: their markup has to be understood.
  // auto:      what resolve_format says.
  InputFormat format = InputFormat::kAuto;
  // Key of the text in a JSON object; "a.b" is key b of the object under key a; "a,b" are two fields, joined by an
  // empty line. Of several, those that are missing, null or blank are passed over.
  std::string text_field = "text";
  // Patterns as of a shell, separated by commas, for files of folders and members of archives: `*` stands for any
  // characters, slashes too; one without a slash is compared with the last part of the path. What fits `exclude` is not
  // read; `include`, unless empty, takes the place of what the format says (*.txt of books). Archives in folders are
  // looked into whatever `include` says.
  std::string include{};
  std::string exclude{};
  // The longest article, such as "40M": a longer one is a bad record, and costs no memory. Empty: a stage takes what
  // its memory has room for (pipeline_options.h), open_source() 1 GiB. Pages of dumps may have 16 MiB.
  std::string max_article{};
  // A compressed file, with all that lies in it, may expand to so many times its size; 64 MiB it always may.
  std::int64_t max_expansion = 1000;
  // Of books: a name that ICU knows, or "auto": UTF-8, UTF-16 with byte order mark, and a guess where they are
  // neither, which Document::note tells.
  std::string encoding = "auto";
  // Books as the reference formats BookCorpus: UTF-8, nothing cut off, ArticleLayout::kReference.
  bool books_compat = false;
  // Leaves the header and the licence that Project Gutenberg puts around a book.
  bool keep_gutenberg = false;
  // true: a bad record throws FormatError instead of going to the RejectSink.
  bool strict = false;

  static const OptionGroup kGroup;
  static std::span<const Field<SourceOptions>> fields();
};

// Throws ConfigError: ranges, an encoding that nobody knows, sizes that are none.
void check(const SourceOptions& options);

// Takes a bad record: a line of JSON without the text, a book that can't be decoded. `where` is FILE or FILE:LINE;
// `record` is its bytes, valid during the call. Called in the order of the records.
using RejectSink = std::function<void(const std::string& where, const std::string& reason, std::string_view record)>;

// Streams the articles of `inputs` in their order; memory is that of the longest article. A folder stands for
// all files below it that are not hidden (name or folder beginning with a dot), in byte order of their paths;
// links are followed. Files may be compressed (gzip, bzip2, zstd, xz) and archives (tar, zip, 7z), whose members are
// read in their order, as ARCHIVE:MEMBER (docs/formats/inputs.md). An article never continues into the next file.
//
// The articles of books and jsonl have a finisher: what is bad about them is said when they are finished
// (finish_documents).
//
// Throws ConfigError (options, nothing given) and IoError (an input that does not exist, a folder without
// files) at once. next() throws IoError, FormatError "FILE:LINE" with the byte offset where a file of the
// formats wikitext, articles and sentences is not UTF-8, FormatError for damaged compressed data, and FormatError
// for an input (file or whole folder) without a single article. Without `rejects`, as with `strict`, a bad record
// throws FormatError.
std::unique_ptr<DocumentSource> open_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                            RejectSink rejects);

// The same documents, finished one after the other in the thread that calls next(); those that are bad are handed to
// `rejects`. Without `rejects` next() throws FormatError for them.
std::unique_ptr<DocumentSource> finish_documents(std::unique_ptr<DocumentSource> source, RejectSink rejects);

// The format that open_source takes: options.format, or, where that is "auto", what the first bytes (1 MiB,
// decompressed) of the first text that is not blank look like, its name and ending aside. The first rule that fits
// counts:
//   1. XML with the root <mediawiki>, or that begins at a <page>: mediawiki; <doc id=: wikiextractor;
//   2. it begins as a JSON object, or an array of objects, does: jsonl;
//   3. a line " = Title = " stands between blank lines: wikitext;
//   4. lines are longer than 2000 bytes on average: articles;
//   5. the input is a folder or an archive and the text is named *.txt: books;
//   6. blank lines separate groups of two lines or more, on average, and lines have at most 500 bytes on average:
//      sentences (so looks a single book, too: name its format);
//   7. anything else: articles.
// Throws FormatError that names what it is for HTML, other XML, JSON of other shapes, tables (CSV, TSV) and some binary
// formats; for files that are blank, binary or not UTF-8 (but a book may be); and as open_source does.
InputFormat resolve_format(std::span<const std::filesystem::path> inputs, const SourceOptions& options);

}  // namespace bertprep
