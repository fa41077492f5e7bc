// FileSequence: the articles of many files, one file after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "bertprep/source/document_source.h"
#include "source/input_list.h"

namespace bertprep {

// Makes the reader of one file.
using OpenFile = std::function<std::unique_ptr<DocumentSource>(const std::filesystem::path&)>;

class FileSequence final : public DocumentSource {
 public:
  FileSequence(std::vector<Input> inputs, OpenFile open);

  // Throws FormatError that names an input none of whose files gave an article.
  bool next(Document& document) override;

 private:
  bool open_next_file();
  void finish_input();

  std::vector<Input> inputs_;
  OpenFile open_;
  std::unique_ptr<DocumentSource> reader_;
  std::size_t input_ = 0;
  std::size_t file_ = 0;  // the next to open, of inputs_[input_]
  std::uint64_t articles_of_input_ = 0;
};

}  // namespace bertprep
