// A table as text, CSV or TSV: the first record has the names of the columns, every other one is a document.
#pragma once

#include "source/input/input_piece.h"
#include "source/input/record_source.h"

namespace bertprep {

// The records of a stream that begins at line `first_line` and byte `first_byte` of the file `name`, without their line
// ends and blank ones. next() throws FormatError if a quote in a record that is too long is never closed.
std::unique_ptr<RecordCutter> table_records(std::string name, std::unique_ptr<ByteStream> bytes, char separator,
                                            std::uint64_t max_bytes, std::uint64_t first_line = 1,
                                            std::uint64_t first_byte = 0);

// Overwrites `fields` with those of a record, removing quotes and undoubling doubled ones. For a broken quote, returns
// what is wrong; `fields` are then unspecified.
std::optional<std::string> split_table_record(std::string_view record, char separator,
                                              std::vector<std::string>& fields);

// The first record of a table, which all its parts need, and the separator of its fields.
struct TableHeader {
  std::string record;  // empty: no header
  char separator = ',';
  std::unique_ptr<RecordCutter> records{};  // the other records
};

// For a table read from its beginning. `format` is kCsv or kTsv here and below.
TableHeader read_table_header(InputFormat format, std::string name, std::unique_ptr<ByteStream> bytes,
                              std::uint64_t max_bytes);

// For an input that begins within the file, `input.head` is the header. Throws FormatError for a header without the
// wanted columns.
OpenText table_reader(InputFormat format, const SourceOptions& options, const CorpusReading& reading);

// Where to split a plain table, after records. `max_bytes`, the limit of a record, must be that of the later reading.
// Throws as its records do.
std::vector<SplitPoint> split_table(const std::filesystem::path& file, std::uint64_t file_bytes, std::uint64_t pieces,
                                    InputFormat format, std::uint64_t max_bytes);

}  // namespace bertprep
