// Any bytes as PubMed's XML: the same records in blocks of any size, each consisting of bytes of the file in order; a
// record gives an article, one without text, or a reason.
#include <cstdint>
#include <vector>

#include "fuzz/read_records.h"
#include "source/formats/pubmed_source.h"

namespace {

std::vector<std::string> records_of(const std::string& bytes, std::size_t block_bytes) {
  const auto records = bertprep::citation_records(
      "x", std::make_unique<bertprep::test::MemoryStream>(bytes, block_bytes), std::uint64_t{1} << 30);
  std::vector<std::string> all;
  std::uint64_t end = 0;
  try {
    for (std::string record; records->next(record);) {
      if (records->byte() < end || bytes.compare(records->byte(), record.size(), record) != 0) std::abort();
      end = records->byte() + record.size();
      all.push_back(record);
    }
  } catch (const bertprep::FormatError&) {
    all.emplace_back("cut");
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string> records = records_of(bytes, 1000);
  if (records_of(bytes, 1) != records || records_of(bytes, 7) != records) std::abort();
  static const bertprep::OpenText open = bertprep::pubmed_reader({});
  read_records(open, text_of(bytes));
  return 0;
}
