// open_source: files and folders -> articles, for the formats that need no markup to be understood.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "bertprep/base/fields.h"
#include "bertprep/source/document_source.h"

namespace bertprep {

struct SourceOptions {
  // wikitext:  WikiText-2 and -103, tokenised or raw: an article begins at a line " = Title = " between blank
  //            lines; deeper headings are left out, the other lines are joined by a blank.
  // articles:  a line is an article. Lines end at LF only.
  // sentences: a line is a sentence, a blank line ends an article. The text is the sentences joined by LF.
  // books:     a file is an article: its lines, stripped, joined by a blank. In a folder, the files named *.txt.
  // jsonl:     a line is a JSON object, `text_field` names its text; "title", if it is a string, is the title.
  // auto:      what resolve_format says.
  std::string format = "auto";
  // Key of the text in a JSON object; "a.b" is key b of the object under key a.
  std::string text_field = "text";
  // true: a bad record throws FormatError instead of going to the RejectSink.
  bool strict = false;

  static std::span<const Field<SourceOptions>> fields();
};

// Takes a bad record: a line of JSON without the text, a book that is not UTF-8. `where` is FILE or FILE:LINE;
// `record` is its bytes, valid during the call. Called from within next(), in the order of the records.
using RejectSink = std::function<void(const std::string& where, const std::string& reason, std::string_view record)>;

// Streams the articles of `inputs` in their order; memory is that of the longest article. A folder stands for
// all files below it that are not hidden (name or folder beginning with a dot), in byte order of their paths;
// links are followed. An article never continues into the next file.
//
// Throws ConfigError (options, nothing given) and IoError (an input that does not exist, a folder without
// files) at once. next() throws IoError, FormatError "FILE:LINE" with the byte offset where a file of the
// formats wikitext, articles and sentences is not UTF-8, and FormatError for an input (file or whole folder)
// without a single article. Without `rejects`, as with `strict`, a bad record throws FormatError.
std::unique_ptr<DocumentSource> open_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                            RejectSink rejects);

// The format that open_source takes: options.format, or, where that is "auto", what the first bytes (1 MiB)
// of the first file that is not blank look like, its name and ending aside. The first rule that fits counts:
//   1. the first line that is not blank begins as a JSON object does: jsonl;
//   2. a line " = Title = " stands between blank lines: wikitext;
//   3. lines are longer than 2000 bytes on average: articles;
//   4. the first input is a folder and the file ends in .txt: books;
//   5. blank lines separate groups of two lines or more, on average, and lines have at most 500 bytes on average:
//      sentences (so looks a single book, too: name its format);
//   6. anything else: articles.
// Throws FormatError for files that are blank, binary, XML or not UTF-8 (but a book may be), and as
// open_source does.
std::string resolve_format(std::span<const std::filesystem::path> inputs, const SourceOptions& options);

}  // namespace bertprep
