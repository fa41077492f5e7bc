// Any bytes as PubMed's XML: the same records in blocks of any size, each consisting of bytes of the file in order; a
// record gives an article, one without text, or a reason.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "source/pubmed/citation.h"
#include "source/pubmed/pubmed_source.h"
#include "support/memory_stream.h"
#include "unicode/utf8_text.h"

namespace {

std::vector<std::string> records_of(const std::string& bytes, std::size_t block_bytes) {
  bertprep::CitationRecords records("x", std::make_unique<bertprep::test::MemoryStream>(bytes, block_bytes),
                                    std::uint64_t{1} << 30);
  std::vector<std::string> all;
  std::uint64_t end = 0;
  try {
    for (std::string record; records.next(record);) {
      if (records.byte() < end || bytes.compare(records.byte(), record.size(), record) != 0) std::abort();
      end = records.byte() + record.size();
      if (records.is_deletion()) bertprep::deleted_citations(record);
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
  static const auto worker = bertprep::make_deferred_citations()->make_worker();
  bertprep::SourceDocument document;
  for (const std::string& record : records) {
    document.text = record;
    if (const auto rejection = worker->finish(document)) {
      if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
    } else if (document.text.empty() == document.left_out.empty() || bertprep::find_invalid_utf8(document.text)) {
      std::abort();
    }
    document.left_out.clear();
  }
  return 0;
}
