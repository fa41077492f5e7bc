// Arbitrary bytes as a shard of MDS and as an index: samples and entries, or refused.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "shard/mds/mds_reader.h"

namespace {

using namespace bertprep;

void read_shard(std::string_view bytes) {
  const MdsShardView view(bytes);
  const MdsShardEntry header = view.header();
  std::vector<std::string_view> values;
  for (std::uint64_t i = 0; i < view.samples(); ++i) {
    try {
      view.read(i, header.columns, values);
      for (std::size_t column = 0; column < values.size(); ++column) {
        if (!is_mds_array(header.columns[column].encoding)) continue;
        const MdsNumbers numbers = mds_numbers(header.columns[column].encoding, values[column]);
        // A copy reads every byte.
        if (numbers.count() * numbers.bytes != std::string(numbers.values).size()) std::abort();
      }
    } catch (const FormatError&) {
      continue;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool is_index : {false, true}) {
    try {
      if (is_index) {
        parse_mds_index(bytes, "index.json");
      } else {
        read_shard(bytes);
      }
    } catch (const FormatError&) {
      continue;
    }
  }
  return 0;
}
