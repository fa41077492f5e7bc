// InspectedRows: what `inspect` shows, of whichever format: rows for BERT, or token sequences.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "console/console.h"
#include "report/shown_row.h"

namespace bertprep::cli {

class InspectedRows {
 public:
  // `path`: a shard or a set of token sequences, or a folder above some, of which the first is opened, with a note.
  // Throws IoError; FormatError if there is none; Cancelled.
  static std::unique_ptr<InspectedRows> open(const std::filesystem::path& path, Console& console);
  virtual ~InspectedRows() = default;

  const std::filesystem::path& path() const { return path_; }
  virtual std::size_t rows() const = 0;
  // "1,665 rows of 32 tokens with up to 5 predictions, 62 kB"
  virtual std::string facts() const = 0;
  virtual void print_event() const = 0;  // the same

  // Shows pieces or text from now on: of this vocabulary, else of the one beside the rows, if there is one.
  virtual void find_words(const std::string& vocab, Console& console) = 0;
  virtual ShownRow row(std::size_t row) = 0;
  virtual void print_row_event(std::size_t row) = 0;

 protected:
  explicit InspectedRows(std::filesystem::path path) : path_(std::move(path)) {}

 private:
  std::filesystem::path path_;
};

}  // namespace bertprep::cli
