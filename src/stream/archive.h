// Archives (tar, zip, 7z), by libarchive: detects them, and reads their members in stored order.
#pragma once

#include <clocale>
#include <functional>

#include "base/library_version.h"
#include "stream/byte_stream.h"

namespace bertprep {

// How many first bytes distinguish an archive from other data.
inline constexpr std::size_t kArchiveProbeBytes = 512;

// Whether the first bytes of a stream are those of a tar, zip or 7z archive. The name does not matter.
bool begins_as_archive(std::string_view first_bytes);
// A kind that has its list of members at the end: zip, 7z.
bool begins_as_indexed_archive(std::string_view first_bytes);

struct ArchiveMember {
  std::string name;                   // its path within the archive; bytes that need not be UTF-8
  std::unique_ptr<ByteStream> bytes;  // decompressed; valid until the reader advances or ends
};

class ArchiveReader {
 public:
  // Reports to `meter`, unless it is null, how far the file is read. Throws IoError, and FormatError if it is not an
  // archive.
  explicit ArchiveReader(const std::filesystem::path& file, ReadMeter* meter = nullptr);
  // Reads from front to back, for an archive in a compressed file or another archive. `name` is for errors.
  ArchiveReader(std::string name, std::unique_ptr<ByteStream> bytes);
  ~ArchiveReader();
  ArchiveReader(ArchiveReader&&) noexcept;

  // Receives the name of a skipped member, and the reason.
  using OnSkip = std::function<void(const std::string& name, const std::string& reason)>;

  // The next regular file; nothing at the end. Skips folders, links, hidden members (a part of the path begins with a
  // dot) and those in __MACOSX, and reports all but folders. Memory: a block, and what the decompression needs. Throws
  // FormatError for damage and for encrypted members.
  std::optional<ArchiveMember> next(const OnSkip& on_skip = {});

 private:
  class Archive;
  std::unique_ptr<Archive> archive_;
};

// Visits the files in an archive (zip, tar plain or compressed, 7z) in stored order.
struct VisitedMember {
  std::string path;         // as stored; for an archive in the archive: OUTER/INNER
  std::uint64_t bytes = 0;  // 0: the archive does not say
};

class MemberVisitor {
 public:
  enum class Choice {
    kSkip,
    kTake,   // bytes() and end() follow
    kEnter,  // the member is itself an archive: its members follow
  };

  virtual ~MemberVisitor() = default;
  virtual Choice begin(const VisitedMember& member) = 0;
  // The member's bytes, block by block; the view is valid during the call.
  virtual void bytes(std::string_view block) = 0;
  virtual void end() = 0;
};

// Visits regular files only. Throws IoError, and FormatError if it is not an archive, a checksum is wrong, or the
// archive is truncated. Passes on the visitor's exceptions.
void visit_archive(const std::filesystem::path& archive, MemberVisitor& visitor);

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
