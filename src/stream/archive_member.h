// The files in an archive (zip, tar plain or compressed, 7z), from its first to its last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace bertprep {

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
