// Any bytes as a table: records and fields are those of the plain twin, in blocks of any size; each record gives an
// article with text or a reason, never both. The first byte chooses the separator.
#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/read_records.h"
#include "source/formats/table_source.h"
#include "twins/table.h"

namespace {

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 30;

void compare_with_twin(const std::string& bytes, char separator, std::size_t block_bytes) {
  const auto records = bertprep::table_records("x", std::make_unique<bertprep::test::MemoryStream>(bytes, block_bytes),
                                               separator, kNoLimit);
  const auto expected = bertprep::test::plain_records(bytes, separator);
  std::size_t count = 0;
  std::vector<std::string> fields;
  for (std::string record; records->next(record); ++count) {
    const auto fault = bertprep::split_table_record(record, separator, fields);
    const bertprep::test::PlainRecord found{fault ? std::nullopt : std::optional(fields), records->line(),
                                            records->byte()};
    if (count >= expected.size() || found != expected[count]) std::abort();
  }
  if (count != expected.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool is_tsv = data[0] % 2 != 0;
  for (const std::size_t block_bytes : {1U, 5U, 1000U}) compare_with_twin(bytes, is_tsv ? '\t' : ',', block_bytes);
  static const LimitedReading reading(200);
  const auto kind = is_tsv ? bertprep::InputFormat::kTsv : bertprep::InputFormat::kCsv;
  read_records(bertprep::table_reader(kind, {.text_field = "text,id"}, reading), text_of(bytes), size);
  return 0;
}
