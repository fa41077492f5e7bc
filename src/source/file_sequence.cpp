#include "source/file_sequence.h"

#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {

FileSequence::FileSequence(std::vector<Input> inputs, OpenFile open)
    : inputs_(std::move(inputs)), open_(std::move(open)) {}

bool FileSequence::next(Document& document) {
  while (reader_ != nullptr || open_next_file()) {
    if (reader_->next(document)) {
      ++articles_of_input_;
      return true;
    }
    reader_.reset();
  }
  return false;
}

bool FileSequence::open_next_file() {
  if (input_ < inputs_.size() && file_ == inputs_[input_].files.size()) finish_input();
  if (input_ == inputs_.size()) return false;
  reader_ = open_(inputs_[input_].files[file_++]);
  return true;
}

void FileSequence::finish_input() {
  if (articles_of_input_ == 0) {
    throw FormatError("there is not a single article in it", inputs_[input_].given,
                      "check that it is not empty and that its format is the one that is named");
  }
  articles_of_input_ = 0;
  file_ = 0;
  ++input_;
}

}  // namespace bertprep
