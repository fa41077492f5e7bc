#include "source/input/file_sequence.h"

#include <utility>

#include "base/stage_errors.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Keeps the memory of its strings.
void clear(SourceDocument& document, ArticleLayout layout) {
  document.title.clear();
  document.text.clear();
  document.origin = {};
  document.layout = layout;
  document.note.clear();
  document.deferred.reset();
}

}  // namespace

FormatError no_article_in(const std::filesystem::path& input) {
  std::error_code error;
  if (fs::is_regular_file(input, error) && fs::file_size(input, error) == 0 && !error) {
    return FormatError("it is empty (0 bytes)", input, "get the file again");
  }
  return FormatError("there is not a single article in it", input,
                     "check that it is not empty and that the given format is right");
}

FileSequence::FileSequence(std::vector<Input> inputs, StreamOptions streams, OpenText open)
    : inputs_(std::move(inputs)), streams_(std::move(streams)), open_(std::move(open)) {
  streams_.meter = &meter_;
  streams_.left_out = [this](const std::string& where, const std::string& text) { remarks_.push_back({where, text}); };
}

FileSequence::FileSequence(TextInput text, const OpenText& open) : name_(text.name), begin_(text.first_byte) {
  reader_ = open(std::move(text));
}

std::optional<std::uint64_t> FileSequence::input_bytes_read() const {
  if (!begin_) return meter_.bytes();
  return place_.documents_from_byte == 0 ? 0 : place_.byte - *begin_;
}

bool FileSequence::read(SourceDocument& document) try {
  while (reader_ != nullptr || open_next_text()) {
    clear(document, layout_);
    if (reader_->read(document)) {
      if (document.origin.source.empty()) document.origin.source = name_;
      ++articles_of_input_;
      move_place(document.origin);
      return true;
    }
    const auto remarks = reader_->take_remarks();
    remarks_.insert(remarks_.end(), remarks.begin(), remarks.end());
    reader_.reset();
  }
  return false;
} catch (...) {
  rethrow_as_error("reading", name_);
}

void FileSequence::move_place(const Origin& origin) {
  // Several articles may begin in one line.
  const bool is_same_record = place_.byte == origin.byte && place_.line == origin.line;
  place_.documents_from_byte = origin.line == 0 ? 0 : 1 + (is_same_record ? place_.documents_from_byte : 0);
  place_.byte = origin.byte;
  place_.line = origin.line;
  ++place_.documents;
}

std::vector<RecordRemark> FileSequence::take_remarks() {
  return std::exchange(remarks_, {});
}

bool FileSequence::open_next_text() {
  TextInput text;
  while (!texts_ || !texts_->next(text)) {
    if (!open_next_file()) return false;
  }
  name_ = text.name;
  reader_ = open_(std::move(text));
  return true;
}

bool FileSequence::open_next_file() {
  texts_.reset();
  if (input_ < inputs_.size() && file_ == inputs_[input_].files.size()) finish_input();
  if (input_ == inputs_.size()) {
    meter_.end();
    return false;
  }
  const Input& input = inputs_[input_];
  if (file_ == 0) remarks_.insert(remarks_.end(), input.left_out.begin(), input.left_out.end());
  place_ = {.input = input_, .file = file_};
  texts_.emplace(input.files[file_++], input.choice, streams_);
  return true;
}

void FileSequence::finish_input() {
  if (articles_of_input_ == 0 && !inputs_[input_].may_be_empty) throw no_article_in(inputs_[input_].given);
  articles_of_input_ = 0;
  file_ = 0;
  ++input_;
}

}  // namespace bertprep
