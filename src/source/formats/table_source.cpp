#include "source/formats/table_source.h"

#include <string>
#include <utility>

#include "bertprep/base/error.h"
#include "stream/byte_stream.h"

namespace bertprep {
namespace {

constexpr std::size_t kHeaderBytes = std::size_t{1} << 16;

char separator_of(TableKind kind, std::string_view head) {
  return kind == TableKind::kTsv ? '\t' : csv_separator_of(head);
}

}  // namespace

TableHeader read_table_header(TableKind kind, std::string name, std::unique_ptr<ByteStream> bytes,
                              std::uint64_t max_bytes) {
  auto peeked = std::make_unique<PeekedStream>(std::move(bytes));
  TableHeader header;
  header.separator = separator_of(kind, peeked->peek(kHeaderBytes));
  header.records = std::make_unique<TableRecords>(name, std::move(peeked), header.separator, max_bytes);
  if (header.records->next(header.record) && header.records->is_truncated()) {
    throw FormatError("the first record, which names the columns, is too long", name + ":1",
                      "check that it is a table whose first line names its columns");
  }
  return header;
}

TableSource::TableSource(TextInput input, TableKind kind, std::shared_ptr<DeferredTables> deferred,
                         const ArticleLimit& limit)
    : input_(std::move(input)), kind_(kind), tables_(std::move(deferred)), limit_(limit) {}

void TableSource::begin() {
  TableHeader header;
  if (input_.first_byte == 0) {
    header = read_table_header(kind_, input_.name, std::move(input_.bytes), limit_.bytes());
  } else {
    header = {input_.head, separator_of(kind_, input_.head), nullptr};
    header.records = std::make_unique<TableRecords>(input_.name, std::move(input_.bytes), header.separator,
                                                    limit_.bytes(), input_.first_line, input_.first_byte);
  }
  records_ = std::move(header.records);
  if (!header.record.empty()) deferred_ = tables_->of(header.record, header.separator, input_.name);
}

bool TableSource::read(SourceDocument& document) {
  if (records_ == nullptr) begin();
  while (records_->next(document.text)) {
    if (records_->is_truncated()) {
      limit_.reject(input_.name + ":" + std::to_string(records_->line()), records_->record_bytes(), document.text);
      continue;
    }
    document.origin.source = input_.name;
    document.origin.line = records_->line();
    document.origin.byte = records_->byte();
    document.deferred = deferred_;
    return true;
  }
  return false;
}

}  // namespace bertprep
