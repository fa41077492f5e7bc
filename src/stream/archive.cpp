#include "stream/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "io/archive_locale.h"
#include "stream/archive_handle.h"

namespace bertprep {
namespace {

class MemberStream final : public ByteStream {
 public:
  MemberStream(ArchiveHandle& archive, std::string where, ReadMeter* meter)
      : archive_(archive), where_(std::move(where)), meter_(meter) {}

  std::string_view next_block() override {
    const std::string_view block = archive_.next_block(where_);
    if (meter_ != nullptr) meter_->reach(archive_.file_byte());
    return block;
  }

 private:
  ArchiveHandle& archive_;
  std::string where_;
  ReadMeter* meter_;
};

// In UTF-8 where the archive says so, otherwise as it is.
std::string name_of(archive_entry* entry, std::size_t number) {
  if (const char* name = archive_entry_pathname_utf8(entry)) return name;
  if (const char* name = archive_entry_pathname(entry)) return name;
  return "member " + std::to_string(number);
}

// Why the member has no text of its own; empty for regular files.
std::string why_no_file(archive_entry* entry) {
  if (const char* target = archive_entry_hardlink(entry)) {
    return "left out as it is a hard link: its text is that of " + std::string(target);
  }
  if (archive_entry_filetype(entry) == AE_IFREG) return {};
  if (archive_entry_filetype(entry) != AE_IFLNK) return "left out as it is no regular file";
  const char* target = archive_entry_symlink(entry);
  return "left out as it is a symbolic link: to " + std::string(target == nullptr ? "nothing" : target);
}

// A part of the path that hides all that is in it.
bool is_hiding(std::string_view part) {
  return part == "__MACOSX" || (part.starts_with('.') && part != "." && part != "..");
}

bool is_hidden(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (is_hiding(path.substr(0, end))) return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

}  // namespace

class ArchiveReader::Archive {
 public:
  Archive(const std::filesystem::path& file, ReadMeter* meter)
      : handle_(ArchiveHandle::Holds::kMembers, file), meter_(meter) {
    if (meter_ != nullptr) meter_->begin_file(file);
  }
  Archive(std::string name, std::unique_ptr<ByteStream> bytes)
      : handle_(ArchiveHandle::Holds::kMembers, std::move(name), std::move(bytes)) {}

  std::optional<ArchiveMember> next(const PassedOver& passed_over) {
    const ArchiveLocale locale;
    while (archive_entry* entry = handle_.next_entry()) {
      ++members_;
      if (archive_entry_filetype(entry) == AE_IFDIR) continue;
      std::string name = name_of(entry, members_);
      const std::string reason = is_hidden(name) ? "left out as it is hidden" : why_no_file(entry);
      if (!reason.empty()) {
        if (passed_over) passed_over(name, reason);
        continue;
      }
      std::string where = handle_.name() + ":" + name;
      if (archive_entry_is_encrypted(entry) != 0) {
        throw FormatError("the archive is encrypted", where, "unpack it with its password, and name the folder");
      }
      return ArchiveMember{std::move(name), std::make_unique<MemberStream>(handle_, std::move(where), meter_)};
    }
    return std::nullopt;
  }

 private:
  ArchiveHandle handle_;
  std::size_t members_ = 0;
  ReadMeter* meter_ = nullptr;
};

ArchiveReader::ArchiveReader(const std::filesystem::path& file, ReadMeter* meter)
    : archive_(std::make_unique<Archive>(file, meter)) {}

ArchiveReader::ArchiveReader(std::string name, std::unique_ptr<ByteStream> bytes)
    : archive_(std::make_unique<Archive>(std::move(name), std::move(bytes))) {}

ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;

std::optional<ArchiveMember> ArchiveReader::next(const PassedOver& passed_over) {
  return archive_->next(passed_over);
}

}  // namespace bertprep
