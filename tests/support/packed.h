// Compressed bytes and archives, made by libarchive for tests of their readers.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stream/archive.h"

namespace bertprep::test {

struct PackedMember {
  std::string name;
  std::string bytes;
  __LA_MODE_T type = AE_IFREG;
  std::string link{};  // of a symbolic link
};

// "gzip", "bzip2", "zstd", "xz", "none"; `format` is "raw" (only the bytes of one member), "ustar", "pax", "gnutar",
// "zip", "7zip".
inline std::string pack(const char* filter, const char* format, const std::vector<PackedMember>& members,
                        const char* options = nullptr, const char* password = nullptr) {
  const ArchiveLocale locale;
  archive* out = archive_write_new();
  const auto check = [&](int result) {
    if (result < ARCHIVE_WARN) throw std::runtime_error(archive_error_string(out));
  };
  std::string packed(std::size_t{1} << 16, '\0');
  for (const PackedMember& member : members) packed.resize(packed.size() + 2 * member.bytes.size() + (1U << 14U));
  std::size_t used = 0;
  if (std::string_view(filter) != "none") check(archive_write_add_filter_by_name(out, filter));
  check(archive_write_set_format_by_name(out, format));
  if (options != nullptr) check(archive_write_set_options(out, options));
  if (password != nullptr) check(archive_write_set_passphrase(out, password));
  check(archive_write_set_bytes_in_last_block(out, 1));
  check(archive_write_open_memory(out, packed.data(), packed.size(), &used));
  for (const PackedMember& member : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, member.type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.bytes.size()));
    if (!member.link.empty()) archive_entry_set_symlink(entry, member.link.c_str());
    check(archive_write_header(out, entry));
    if (!member.bytes.empty())
      check(static_cast<int>(archive_write_data(out, member.bytes.data(), member.bytes.size())));
    archive_entry_free(entry);
  }
  check(archive_write_close(out));
  archive_write_free(out);
  packed.resize(used);
  return packed;
}

inline std::string compress(const char* filter, std::string_view bytes) {
  return pack(filter, "raw", {{"data", std::string(bytes)}});
}

}  // namespace bertprep::test
