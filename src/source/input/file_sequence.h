// FileSequence: the articles of many files, one text after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/source/document_source.h"
#include "source/input/input_list.h"
#include "source/input/input_texts.h"
#include "stream/open_stream.h"

namespace bertprep {

// Makes the reader of one text.
using OpenText = std::function<std::unique_ptr<DocumentSource>(TextInput)>;

// What is wrong with an input, as the user named it, that has none.
FormatError no_article_in(const std::filesystem::path& input);

class FileSequence final : public DocumentSource {
 public:
  FileSequence(std::vector<Input> inputs, StreamOptions streams, OpenText open);
  // Of one text alone, which need not have an article.
  FileSequence(TextInput text, const OpenText& open);

  // Who is to see the bytes of the files; outlives the object.
  void set_observer(ReadObserver* observer) { meter_.set_observer(observer); }

  // Readers get the document empty; where they don't name its source, the name of the text is filled in. Throws
  // FormatError that names an input none of whose texts gave an article, but for one that may be empty.
  bool next(Document& document) override;
  std::vector<RecordRemark> take_remarks() override;
  std::optional<std::uint64_t> input_bytes_read() const override { return meter_.bytes(); }

 private:
  bool open_next_text();
  bool open_next_file();
  void finish_input();

  std::vector<RecordRemark> remarks_;
  std::vector<Input> inputs_;
  ReadMeter meter_;
  StreamOptions streams_;
  OpenText open_;
  std::optional<InputTexts> texts_;  // of the file that is read
  std::string name_;                 // of the text that is read
  std::unique_ptr<DocumentSource> reader_;
  std::size_t input_ = 0;
  std::size_t file_ = 0;  // the next to open, of inputs_[input_]
  std::uint64_t articles_of_input_ = 0;
};

}  // namespace bertprep
