// Any bytes as a Parquet file: rows with text or a reason, or refused; and as the metadata at its end alone.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

#include "fuzz/read_records.h"
#include "source/columns/parquet_metadata.h"
#include "source/formats/column_source.h"

namespace {

void read_metadata(std::string_view bytes) {
  try {
    bertprep::parse_parquet_metadata(bytes, std::uint64_t{1} << 40);
  } catch (const bertprep::FormatError&) {
  }
}

// Its name, as long as the process has it open.
std::string file_in_memory(std::string_view bytes) {
  static const int file = ::memfd_create("parquet", 0);
  if (file < 0 || ::ftruncate(file, 0) != 0) std::abort();
  if (::pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_metadata(bytes);
  const std::string name = file_in_memory(bytes);
  bertprep::TextInput input{.name = "x", .bytes = nullptr};
  input.stored = bertprep::StoredFile{.path = name};
  static const bertprep::OpenText open =
      bertprep::parquet_reader({.text_field = "text,a.b,title"}, LimitedReading(1000));
  read_records(open, std::move(input));
  return 0;
}
