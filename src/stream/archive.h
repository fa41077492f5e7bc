// Archives (tar, zip, 7z): what begins as one, and its members one after the other as they lie there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stream/byte_stream.h"

namespace bertprep {

// So many first bytes tell an archive from other data.
inline constexpr std::size_t kArchiveProbeBytes = 512;

// Whether the first bytes of a stream are those of a tar, zip or 7z archive. The name doesn't count.
bool begins_as_archive(std::string_view first_bytes);
// Of a kind that has its list of members at the end: zip, 7z.
bool begins_as_indexed_archive(std::string_view first_bytes);

struct ArchiveMember {
  std::string name;                   // its path within the archive; bytes that need not be UTF-8
  std::unique_ptr<ByteStream> bytes;  // as they were packed; valid until the reader advances or ends
};

class ArchiveReader {
 public:
  // Tells `meter`, if it is not null, how far the file is read. Throws IoError, and FormatError for what is no archive.
  explicit ArchiveReader(const std::filesystem::path& file, ReadMeter* meter = nullptr);
  // From front to back, for an archive in a compressed file or in another archive. `name` is for errors.
  ArchiveReader(std::string name, std::unique_ptr<ByteStream> bytes);
  ~ArchiveReader();
  ArchiveReader(ArchiveReader&&) noexcept;

  // Takes the name of a member that is passed over, and why.
  using PassedOver = std::function<void(const std::string& name, const std::string& reason)>;

  // The next regular file in it; nothing at the end. Folders, links, hidden members (a part of the path begins with a
  // dot) and those in __MACOSX are passed over, and told of but for folders. Memory: a block, and what the kind of
  // compression needs. Throws FormatError for damage and for encrypted members.
  std::optional<ArchiveMember> next(const PassedOver& passed_over = {});

 private:
  class Archive;
  std::unique_ptr<Archive> archive_;
};

// The files in an archive (zip, tar plain or compressed, 7z), from its first to its last.
struct VisitedMember {
  std::string path;         // as the archive has it; inside an archive in the archive: OUTER/INNER
  std::uint64_t bytes = 0;  // 0: the archive does not say
};

class MemberVisitor {
 public:
  enum class Choice {
    kSkip,
    kTake,   // bytes() and end() follow
    kEnter,  // the member is an archive itself: its members follow
  };

  virtual ~MemberVisitor() = default;
  virtual Choice begin(const VisitedMember& member) = 0;
  // The member's bytes, one block after the other; the view is valid during the call.
  virtual void bytes(std::string_view block) = 0;
  virtual void end() = 0;
};

// Visits regular files only. Throws IoError, and FormatError for what is no archive, a member whose checksum is not
// right, or an archive that ends too soon. What the visitor throws comes through.
void visit_archive(const std::filesystem::path& archive, MemberVisitor& visitor);

}  // namespace bertprep
