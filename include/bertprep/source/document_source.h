// DocumentSource: where articles come from. To plug in your corpus, implement one function.
//
//   class Tickets final : public bertprep::DocumentSource {
//    public:
//     bool next(bertprep::Document& document) override { return bool(std::getline(file_, document.text)); }
//    private:
//     std::ifstream file_{"tickets.txt"};
//   };
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

// Where an article comes from, to explain a row or to remove an article later. Empty: unknown.
struct Origin {
  std::string source;       // file or archive member, as reported
  std::string page_id;      // of the wiki, as in the dump
  std::string revision_id;  // likewise
  std::string timestamp;    // of the revision, ISO 8601
  std::string url;
  // Where its record starts in `source`, decompressed; only for formats whose records are lines.
  std::uint64_t line = 0;  // from 1
  std::uint64_t byte = 0;  // from 0
};

// How an article becomes a line of a formatted file.
enum class ArticleLayout {
  kJoined,      // its lines, stripped, joined by a space; an article without text is left out
  kParagraphs,  // the same, but a sentence ends at an empty line
  kLines,       // the same, but a sentence ends at each line break
  kReference,   // as the reference writes it: every non-empty line, without trailing white space, followed by a space;
                // then an empty line. An article without text is two line breaks. A line "</doc>" ends an article
                // within the document, because the reference reads such text that way
};

// One article. `text` is UTF-8; it may contain line breaks (LF), which `layout` replaces in a formatted file.
struct Document {
  std::string title;  // may be empty
  std::string text;
  Origin origin{};
  ArticleLayout layout = ArticleLayout::kParagraphs;
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  // Overwrites `document` with the next article; false at the end. Articles come in a fixed order: the same corpus
  // gives the same sequence every time. Called from one thread at a time. Throws Error to end the stage.
  virtual bool next(Document& document) = 0;

  // Remarks since the last call: files of folders and members of archives that are not read, guessed encodings.
  virtual std::vector<RecordRemark> take_remarks() { return {}; }

  // The documents skipped since the last call because they are not articles: redirects of a dump.
  virtual ReasonCounts take_left_out() { return {}; }

  // The number of bytes read from its files as stored on disk, compressed or not; nothing if unknown. Never decreases;
  // at the end it is the total size of the files. For progress.
  virtual std::optional<std::uint64_t> input_bytes_read() const { return std::nullopt; }
};

}  // namespace bertprep
