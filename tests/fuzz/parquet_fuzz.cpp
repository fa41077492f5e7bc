// Any bytes as a Parquet file: rows with text or a reason, or refused; and as the metadata at its end alone.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bertprep/base/error.h"
#include "source/formats/column_record.h"
#include "source/formats/parquet_source.h"
#include "unicode/utf8_text.h"

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
  bertprep::Rejects rejects(false, [](const auto&, const auto&, auto) {});
  bertprep::TextInput input{.name = "x", .bytes = nullptr};
  input.stored = bertprep::StoredFile{.path = name};
  bertprep::ParquetSource source(std::move(input), {.text_field = "text,a.b,title",
                                                    .deferred = bertprep::make_deferred_columns({"text,a.b,title"}),
                                                    .limit = bertprep::ArticleLimit(1000, rejects)});
  const auto worker = bertprep::make_deferred_columns({"text,a.b,title"})->make_worker();
  try {
    std::size_t rows = 0;
    for (bertprep::SourceDocument document; rows < 10000 && source.read(document); ++rows) {
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
      } else if (bertprep::strip(document.text).empty() || bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  } catch (const bertprep::FormatError&) {
  }
  return 0;
}
