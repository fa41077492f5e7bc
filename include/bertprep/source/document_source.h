// DocumentSource: where articles come from. Derive it for a corpus of your own.
//
//   class Tickets final : public bertprep::DocumentSource {
//    public:
//     bool next(bertprep::Document& document) override { return bool(std::getline(file_, document.text)); }
//    private:
//     std::ifstream file_{"tickets.txt"};
//   };
#pragma once

#include <string>

namespace bertprep {

// One article. `text` is UTF-8; it may hold line breaks (LF), which a formatted file replaces by blanks.
struct Document {
  std::string title;  // may be empty
  std::string text;
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  // Overwrites `document` with the next article; false at the end. Articles come in a fixed order: the same corpus
  // gives the same sequence every time. Called from one thread at a time. Throws Error for what ends the stage.
  virtual bool next(Document& document) = 0;
};

}  // namespace bertprep
