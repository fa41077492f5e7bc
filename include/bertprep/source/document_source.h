// DocumentSource: where articles come from. Derive it for a corpus of your own.
//
//   class Tickets final : public bertprep::DocumentSource {
//    public:
//     bool next(bertprep::Document& document) override { return bool(std::getline(file_, document.text)); }
//    private:
//     std::ifstream file_{"tickets.txt"};
//   };
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"

namespace bertprep {

class DocumentFinisher;

// Where an article comes from, for explaining a row and for removing an article later. Empty: not known.
struct Origin {
  std::string source;       // file, or archive member, as it is reported
  std::string page_id;      // of the wiki, as the dump says it
  std::string revision_id;  // likewise
  std::string timestamp;    // of the revision, ISO 8601
  std::string url;
  // Where its record begins in `source`, decompressed, in the formats whose records are lines.
  std::uint64_t line = 0;  // from 1
  std::uint64_t byte = 0;  // from 0
};

// How an article becomes a line of a formatted file.
enum class ArticleLayout {
  kJoined,     // its lines, stripped, joined by a blank; an article without text is left out
  kReference,  // as the reference writes it: every line that is not empty, without the white space at its end, and a
               // blank; then an empty line. An article without text is two line breaks. A line "</doc>" ends an article
               // within the document: so the reference reads text with these words in it
};

// One article. `text` is UTF-8; it may hold line breaks (LF), which a formatted file replaces by blanks.
struct Document {
  std::string title;  // may be empty
  std::string text;
  Origin origin{};

  // For the library's own sources; leave the rest as it is.
  ArticleLayout layout = ArticleLayout::kJoined;
  // Something to tell about how it was read that is no fault, such as a guess at its encoding; mostly empty.
  std::string note{};
  // Why it has no text, where its finisher knows: "redirect". It is left out then, and counted by this.
  std::string left_out{};
  // What is left to be done with it, or null when it is finished.
  std::shared_ptr<const DocumentFinisher> finisher{};
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  // Overwrites `document` with the next article; false at the end. Articles come in a fixed order: the same corpus
  // gives the same sequence every time. Called from one thread at a time. Throws Error for what ends the stage.
  virtual bool next(Document& document) = 0;

  // What there is to tell since the last call: files of folders and members of archives that are not read.
  virtual std::vector<RecordRemark> take_remarks() { return {}; }

  // The documents that it passed over since the last call, as they are no articles: redirects of a dump.
  virtual ReasonCounts take_left_out() { return {}; }

  // How many bytes of its files it has read, as they lie on the disk, compressed or not; nothing where it does not
  // know. Never goes back; at the end it is the size of all of them. For progress.
  virtual std::optional<std::uint64_t> input_bytes_read() const { return std::nullopt; }
};

}  // namespace bertprep
