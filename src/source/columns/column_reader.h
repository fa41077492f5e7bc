// ColumnReader: the values of one column of a Parquet file, row by row.
#pragma once

#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "source/columns/page_values.h"
#include "source/columns/parquet_metadata.h"
#include "stream/decoded_stream.h"

namespace bertprep {

// PageReader: the pages of a column, one after the other, as they are stored.
class PageReader {
 public:
  // Throws IoError.
  explicit PageReader(const std::filesystem::path& file) : file_(file) {}

  void begin(const ColumnChunk& chunk);
  // The header of the next page, whose bytes must be read next. Throws IoError, and FormatError that names no place.
  PageHeader next_header();
  void read(std::span<char> stored);

  // The next byte of the file.
  std::uint64_t position() const { return position_; }

 private:
  std::string_view peek(std::size_t wanted);

  InputFile file_;
  std::uint64_t position_ = 0;  // of window_[used_]
  std::uint64_t end_ = 0;
  std::string window_;
  std::size_t used_ = 0;
};

// What the columns of one file have in common.
struct ColumnFile {
  std::filesystem::path path;
  TaskRunner runner{};                     // decompresses pages ahead
  std::uint64_t max_page_bytes = 0;        // decompressed; larger ones are refused
  std::shared_ptr<Expansion> expansion{};  // of the file
};

class ColumnReader {
 public:
  // Reads these row groups, of which the first has this number. Throws IoError, and FormatError naming the file: the
  // column has another number of values than rows.
  ColumnReader(ColumnFile file, SchemaNode column, std::span<const RowGroup> groups, std::size_t first_group);
  ~ColumnReader();

  // The next value, valid until the next call; call it once for each row. Throws IoError, and FormatError naming file,
  // column and row group, after all values before the fault. Of a column, memory is some pages.
  ColumnValue next();

  // The file has been read up to here.
  std::uint64_t position() const { return pages_.position(); }

 private:
  struct Page;

  void begin_next_page();
  void read_ahead();
  void read_page(Page& page);
  void read_dictionary(Page& page);
  void unpack(Page& page, std::size_t worker);
  std::unique_ptr<Page> take_page();
  [[noreturn]] void fail(std::size_t chunk, const FormatError& error) const;

  ColumnFile file_;
  SchemaNode column_;
  std::vector<ColumnChunk> chunks_;  // one a row group
  std::size_t first_group_;
  PageReader pages_;
  std::size_t chunk_ = 0;     // being read
  std::uint64_t unread_ = 0;  // values of it
  bool is_in_chunk_ = false;
  bool is_read_ = false;  // all of it, or up to a fault
  std::shared_ptr<const ColumnDictionary> dictionary_;
  std::vector<PageUnpacker> unpackers_;  // one for each worker, one for this thread
  std::size_t max_ahead_;
  std::uint64_t bytes_ahead_ = 0;
  std::vector<std::unique_ptr<Page>> free_;  // whose memory is used again
  std::unique_ptr<Page> page_;               // whose values are read
  std::deque<std::unique_ptr<Page>> ahead_;
  PageValues values_;
  std::unique_ptr<TaskQueue> queue_;  // uses the pages: ends first
};

}  // namespace bertprep
