#include "trainer/weights/torch_archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <functional>
#include <memory>

#include "bertprep/base/error.h"
#include "io/archive_locale.h"

namespace bertprep {
namespace {

struct Closer {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using Handle = std::unique_ptr<archive, Closer>;

[[noreturn]] void throw_damaged(archive* handle, const std::string& where) {
  const char* reason = archive_error_string(handle);
  throw FormatError(std::string("can't be read as a file of torch.save: ") + (reason != nullptr ? reason : "no reason"),
                    where, "it is cut short or damaged: get it again");
}

bool lies_within(const char* bytes, std::size_t size, std::string_view whole) {
  const std::less_equal<> before;
  return before(whole.data(), bytes) && before(bytes + size, whole.data() + whole.size());
}

// libarchive hands out views into what it was given, for records that are stored as they are.
std::string_view record_bytes(archive* handle, std::string_view whole, const std::string& where) {
  std::string_view record;
  while (true) {
    const void* block = nullptr;
    std::size_t size = 0;
    la_int64_t offset = 0;
    const int status = archive_read_data_block(handle, &block, &size, &offset);
    if (status == ARCHIVE_EOF) return record;
    if (status != ARCHIVE_OK) throw_damaged(handle, where);
    if (size == 0) continue;
    const auto* bytes = static_cast<const char*>(block);
    if (!record.empty() || !lies_within(bytes, size, whole)) {
      throw FormatError("is compressed, which torch.save does not do", where, "unpack it, and zip it with -0");
    }
    record = {bytes, size};
  }
}

std::string record_name(archive_entry* entry) {
  const char* path = archive_entry_pathname(entry);
  const std::string name = path != nullptr ? path : "";
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

}  // namespace

bool is_torch_archive(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04");
}

TorchRecords read_torch_records(std::string_view archive, const std::string& where,
                                const std::function<bool(const std::string&)>& is_wanted) {
  const ArchiveLocale locale;
  const Handle handle(archive_read_new());
  if (handle == nullptr) throw Error("libarchive has no memory");
  archive_read_support_format_zip_seekable(handle.get());
  if (archive_read_open_memory(handle.get(), archive.data(), archive.size()) != ARCHIVE_OK) {
    throw_damaged(handle.get(), where);
  }
  TorchRecords records;
  while (true) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(handle.get(), &entry);
    if (status == ARCHIVE_EOF) return records;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw_damaged(handle.get(), where);
    const std::string name = record_name(entry);
    if (!is_wanted(name)) continue;
    const bool is_new = records.emplace(name, record_bytes(handle.get(), archive, where + ":" + name)).second;
    if (!is_new) throw FormatError("has two records of the name '" + name + "'", where, "get the file again");
  }
}

}  // namespace bertprep
