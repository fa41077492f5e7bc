// TableSource: a table as text, CSV or TSV: the first record has the names of the columns, every other one is a
// document.
#pragma once

#include <memory>

#include "source/formats/table_record.h"
#include "source/formats/table_records.h"
#include "source/input/article_limit.h"
#include "source/input/deferred_work.h"
#include "source/input/input_texts.h"

namespace bertprep {

enum class TableKind { kCsv, kTsv };

// The first record of a table, which all its parts need, and the separator of its fields.
struct TableHeader {
  std::string record;  // empty: no header
  char separator = ',';
  std::unique_ptr<TableRecords> records;  // the other records
};

// For a table read from its beginning.
TableHeader read_table_header(TableKind kind, std::string name, std::unique_ptr<ByteStream> bytes,
                              std::uint64_t max_bytes);

class TableSource final : public DeferredSource {
 public:
  // Documents are raw records, read later by the deferred work. For an input that begins within the file, `input.head`
  // is the header.
  TableSource(TextInput input, TableKind kind, std::shared_ptr<DeferredTables> deferred,
              const ArticleLimit& limit = {});

  // Throws FormatError for a header without the wanted columns, and as TableRecords does.
  bool read(SourceDocument& document) override;

 private:
  void begin();

  TextInput input_;
  TableKind kind_;
  std::shared_ptr<DeferredTables> tables_;
  ArticleLimit limit_;
  std::unique_ptr<TableRecords> records_;
  std::shared_ptr<const DeferredWork> deferred_;
};

}  // namespace bertprep
