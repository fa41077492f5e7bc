// BooksSource: a plain-text book, as BookCorpus is formatted: its lines, stripped, joined by a blank.
//
// UTF-8 with or without byte order mark; lines end at LF, a CR before it is white space. The title is the
// name of the file without its ending. A book that is not UTF-8, or holds no text, is a bad record.
#pragma once

#include <filesystem>

#include "bertprep/source/document_source.h"
#include "source/rejects.h"

namespace bertprep {

class BooksSource final : public DocumentSource {
 public:
  // `rejects` must outlive the object.
  BooksSource(std::filesystem::path path, Rejects& rejects);

  bool next(Document& document) override;

 private:
  std::filesystem::path path_;
  Rejects& rejects_;
  bool is_read_ = false;
};

}  // namespace bertprep
