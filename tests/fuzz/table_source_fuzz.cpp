// Any bytes as a table: records and fields are those of the plain twin, in blocks of any size; each record gives an
// article with text or a reason, never both. The first byte chooses the separator.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "source/formats/table_record.h"
#include "source/formats/table_records.h"
#include "source/formats/table_source.h"
#include "support/memory_stream.h"
#include "twins/table.h"
#include "unicode/utf8_text.h"

namespace {

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 30;

void compare_with_twin(const std::string& bytes, char separator, std::size_t block_bytes) {
  bertprep::TableRecords records("x", std::make_unique<bertprep::test::MemoryStream>(bytes, block_bytes), separator,
                                 kNoLimit);
  const auto expected = bertprep::test::plain_records(bytes, separator);
  std::size_t count = 0;
  std::vector<std::string> fields;
  for (std::string record; records.next(record); ++count) {
    const auto fault = bertprep::split_table_record(record, separator, fields);
    const bertprep::test::PlainRecord found{fault ? std::nullopt : std::optional(fields), records.line(),
                                            records.byte()};
    if (count >= expected.size() || found != expected[count]) std::abort();
  }
  if (count != expected.size()) std::abort();
}

// A small limit, so that some records are skipped as too long.
void read_documents(const std::string& bytes, bertprep::TableKind kind) {
  bertprep::Rejects rejects(false, [](const auto&, const auto&, auto) {});
  bertprep::TableSource source(
      {"x", std::make_unique<bertprep::test::MemoryStream>(bytes, 100)}, kind,
      std::make_shared<bertprep::DeferredTables>(bertprep::RecordFields{.text_field = "text,id"}),
      bertprep::ArticleLimit(200, rejects));
  try {
    for (bertprep::SourceDocument document; source.read(document);) {
      const auto worker = document.deferred->make_worker();
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
      } else if (bertprep::strip(document.text).empty() || bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  } catch (const bertprep::FormatError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool is_tsv = data[0] % 2 != 0;
  for (const std::size_t block_bytes : {1U, 5U, 1000U}) compare_with_twin(bytes, is_tsv ? '\t' : ',', block_bytes);
  read_documents(bytes, is_tsv ? bertprep::TableKind::kTsv : bertprep::TableKind::kCsv);
  return 0;
}
