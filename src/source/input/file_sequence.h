// FileSequence: the articles of many files, text by text.
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
#include "source/input/read_place.h"
#include "stream/open_stream.h"

namespace bertprep {

// Makes the reader of one text.
using OpenText = std::function<std::unique_ptr<DeferredSource>(TextInput)>;

// The error for an input, named as the user did, without an article.
FormatError no_article_in(const std::filesystem::path& input);

class FileSequence final : public PlacedSource {
 public:
  FileSequence(std::vector<Input> inputs, StreamOptions streams, OpenText open);
  // For a single text, which need not have an article.
  FileSequence(TextInput text, const OpenText& open);

  // Also receives the bytes of the files; must outlive the object.
  void set_observer(ReadObserver* observer) { meter_.set_observer(observer); }

  // Of documents whose reader sets none.
  void set_layout(ArticleLayout layout) { layout_ = layout; }

  // Passes an empty document to readers, and sets its source to the name of the text unless they did. Throws
  // FormatError naming an input without any article, unless it may be empty.
  bool read(SourceDocument& document) override;
  std::vector<RecordRemark> take_remarks() override;
  std::optional<std::uint64_t> input_bytes_read() const override;
  std::optional<ReadPlace> place() const override { return place_; }

 private:
  bool open_next_text();
  bool open_next_file();
  void finish_input();
  void move_place(const Origin& origin);

  std::vector<RecordRemark> remarks_;
  std::vector<Input> inputs_;
  ReadMeter meter_;
  ArticleLayout layout_ = ArticleLayout::kJoined;
  StreamOptions streams_;
  OpenText open_;
  std::optional<InputTexts> texts_;  // of the current file
  std::string name_;                 // of the current text
  std::unique_ptr<DeferredSource> reader_;
  std::size_t input_ = 0;
  std::size_t file_ = 0;  // the next to open, of inputs_[input_]
  std::uint64_t articles_of_input_ = 0;
  ReadPlace place_;
  std::optional<std::uint64_t> begin_;  // of a single text
};

}  // namespace bertprep
