// Parquet files for tests, in each encoding that is read; written from the format's description, not by its readers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bertprep::test {

// Codes of the format.
enum class WrittenEncoding {
  kPlain = 0,
  kOldDictionary = 2,
  kDelta = 5,
  kDeltaLength = 6,
  kDeltaBytes = 7,
  kDictionary = 8
};
enum class WrittenCodec { kNone = 0, kGzip = 2, kZstd = 6 };

struct WrittenColumn {
  std::string name;  // "a.b": column b of group a, which is optional, too
  std::vector<std::optional<std::string>> values;
  bool is_number = false;    // 64 bits, from its digits
  bool is_required = false;  // outside of groups
  bool is_list = false;      // repeated: for what is refused
  WrittenEncoding encoding = WrittenEncoding::kPlain;
  WrittenCodec codec = WrittenCodec::kNone;
  bool is_v2 = false;
  bool has_checksums = false;
  std::size_t page_rows = 1000;
};

// All columns have as many values; `group_rows` are the rows of each row group.
std::string parquet_file(const std::vector<WrittenColumn>& columns, const std::vector<std::size_t>& group_rows);

// Metadata whose only row group says what it likes: for lies.
struct WrittenLie {
  std::uint64_t rows = 1;
  std::uint64_t values = 1;
  std::uint64_t chunk_begin = 4;
  std::uint64_t chunk_bytes = 0;
  std::int64_t codec = 0;
};
// The pages of one required column "text", as they are, then such metadata.
std::string parquet_lie(const std::string& pages, const WrittenLie& lie);
// A page with this header before these bytes.
std::string parquet_page(std::int64_t bytes, std::int64_t stored_bytes, std::int64_t values, std::int64_t encoding,
                         const std::string& stored);

}  // namespace bertprep::test
