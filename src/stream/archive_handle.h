// ArchiveHandle: libarchive's reader over a stream or a file, with errors as exceptions.
#pragma once

#include <clocale>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/library_version.h"
#include "stream/byte_stream.h"

struct archive;
struct archive_entry;

namespace bertprep {

class ArchiveHandle {
 public:
  enum class Holds {
    kMembers,  // tar, zip, 7z
    kBytes,    // one stream compressed by xz or bzip2
  };

  // `name` is for errors. Throws FormatError for other data.
  ArchiveHandle(Holds holds, std::string name, std::unique_ptr<ByteStream> bytes);
  // The same for a seekable file: zip and 7z have their lists at the end.
  ArchiveHandle(Holds holds, const std::filesystem::path& file);
  ~ArchiveHandle();
  ArchiveHandle(const ArchiveHandle&) = delete;
  ArchiveHandle& operator=(const ArchiveHandle&) = delete;

  // The next entry, valid until the next call; null at the end.
  archive_entry* next_entry();
  // The next bytes of the entry, empty at its end. `where` names it in errors. Readable bytes are returned before
  // damage throws FormatError.
  std::string_view next_block(const std::string& where);

  const std::string& name() const { return name_; }
  // How far the file has been read.
  std::uint64_t file_byte() const;

 private:
  struct Input;

  explicit ArchiveHandle(Holds holds, std::string name);
  void check_open(int result);
  [[noreturn]] void fail(const std::string& where) const;
  std::string_view take_block();

  std::string name_;
  std::unique_ptr<Input> input_;
  archive* archive_;
  std::string_view block_;      // the last block of libarchive
  std::uint64_t block_at_ = 0;  // its offset in the entry: after a hole of a sparse file, perhaps
  std::uint64_t position_ = 0;  // bytes of the entry returned
};

// ArchiveLocale: makes this thread's locale UTF-8 during its lifetime. libarchive converts the names in zip and 7z
// files to the locale's encoding, and drops those it can't convert.
class ArchiveLocale {
 public:
  ArchiveLocale() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{})) {
    if (locale_ != locale_t{}) before_ = uselocale(locale_);
  }
  ~ArchiveLocale() {
    if (locale_ == locale_t{}) return;
    uselocale(before_);
    freelocale(locale_);
  }
  ArchiveLocale(const ArchiveLocale&) = delete;
  ArchiveLocale& operator=(const ArchiveLocale&) = delete;

 private:
  locale_t locale_;
  locale_t before_{};
};

// A stream that libarchive's filters decompress in one thread: xz, and bzip2 inside other data. Consecutive streams are
// read as one. `name` is for errors. Throws FormatError.
std::unique_ptr<ByteStream> decode_by_filter(std::string name, std::unique_ptr<ByteStream> packed);

LibraryVersion version_of_archive(VersionOf wanted);

}  // namespace bertprep
