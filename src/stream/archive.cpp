#include "stream/archive.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "stream/archive_handle.h"
#include "stream/archive_library.h"

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

// In UTF-8 if the archive says so, otherwise unchanged.
std::string name_of(archive_entry* entry, std::size_t number) {
  if (const char* name = libarchive().entry_pathname_utf8(entry)) return name;
  if (const char* name = libarchive().entry_pathname(entry)) return name;
  return "member " + std::to_string(number);
}

// Why the member is not a file to read; empty for regular files.
std::string why_no_file(archive_entry* entry) {
  if (const char* target = libarchive().entry_hardlink(entry)) {
    return "left out because it is a hard link: its text is that of " + std::string(target);
  }
  if (libarchive().entry_filetype(entry) == AE_IFREG) return {};
  if (libarchive().entry_filetype(entry) != AE_IFLNK) return "left out because it is not a regular file";
  const char* target = libarchive().entry_symlink(entry);
  return "left out because it is a symbolic link: to " + std::string(target == nullptr ? "nothing" : target);
}

// Whether this part of a path hides all below it.
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

using std::string_view_literals::operator""sv;

// A header of a tar file (POSIX.1-1988, ustar): its sixth field is the sum of its bytes in octal digits, computed with
// blanks in place of the sum. Tar files older than the "ustar" mark have it, too.
constexpr std::size_t kTarHeaderBytes = 512;
constexpr std::size_t kTarSumAt = 148;
constexpr std::size_t kTarSumBytes = 8;

std::uint32_t sum_of_bytes(std::string_view bytes) {
  std::uint32_t sum = 0;
  for (const char byte : bytes) sum += static_cast<unsigned char>(byte);
  return sum;
}

// The number is in octal digits, with optional blanks before it, and a blank or NUL after it.
bool reads_as_octal(std::string_view field, std::uint32_t wanted) {
  field.remove_prefix(std::min(field.find_first_not_of(' '), field.size()));
  const std::size_t digits = std::min(field.find_first_not_of("01234567"), field.size());
  std::uint32_t value = 0;
  for (const char digit : field.substr(0, digits)) value = value * 8 + static_cast<std::uint32_t>(digit - '0');
  return digits > 0 && value == wanted;
}

bool begins_as_tar(std::string_view bytes) {
  if (bytes.size() < kTarHeaderBytes || bytes.front() == '\0') return false;
  const std::string_view header = bytes.substr(0, kTarHeaderBytes);
  const std::string_view field = header.substr(kTarSumAt, kTarSumBytes);
  const std::uint32_t sum = sum_of_bytes(header) - sum_of_bytes(field) + kTarSumBytes * std::uint32_t{' '};
  return reads_as_octal(field, sum);
}

constexpr std::size_t kBlockBytes = std::size_t{1} << 17U;

struct Closer {
  void operator()(archive* handle) const { libarchive().read_free(handle); }
};
using Handle = std::unique_ptr<archive, Closer>;

// A zip without its end has no list of members, but still members at its front: it counts as damaged if this can be
// detected.
enum class Access { kSeekable, kStream };

Handle make_reader(Access access) {
  Handle handle(libarchive().read_new());
  if (handle == nullptr) throw Error("libarchive ran out of memory");
  libarchive().read_support_filter_all(handle.get());
  if (access == Access::kSeekable) {
    libarchive().read_support_format_zip_seekable(handle.get());
  } else {
    libarchive().read_support_format_zip_streamable(handle.get());
  }
  libarchive().read_support_format_tar(handle.get());
  libarchive().read_support_format_7zip(handle.get());
  return handle;
}

[[noreturn]] void throw_damaged(archive* handle, const std::string& where) {
  const char* reason = libarchive().error_string(handle);
  throw FormatError(std::string("can't be read as an archive: ") + (reason != nullptr ? reason : "unknown reason"),
                    where, "fetch it again");
}

// The bytes of a member, as a source for another reader.
struct Nested {
  archive* outer;
  ReadBuffer buffer{};
};

la_ssize_t read_nested(archive* inner, void* context, const void** block) {
  auto* nested = static_cast<Nested*>(context);
  const la_ssize_t size = libarchive().read_data(nested->outer, nested->buffer.data(), nested->buffer.size());
  if (size < 0)
    libarchive().set_error(inner, libarchive().error_number(nested->outer), "%s",
                           libarchive().error_string(nested->outer));
  *block = nested->buffer.data();
  return size < 0 ? -1 : size;
}

void give_bytes(archive* handle, MemberVisitor& visitor, const std::string& where) {
  const ReadBuffer buffer;
  while (true) {
    const la_ssize_t size = libarchive().read_data(handle, buffer.data(), buffer.size());
    if (size == 0) break;
    if (size < 0) throw_damaged(handle, where);
    visitor.bytes(buffer.first(static_cast<std::size_t>(size)));
  }
  visitor.end();
}

void visit_members(archive* handle, MemberVisitor& visitor, const std::string& where, const std::string& prefix) {
  archive_entry* entry = nullptr;
  while (true) {
    const int status = libarchive().read_next_header(handle, &entry);
    if (status == ARCHIVE_EOF) return;
    // Warnings concern attributes that are not used here: names in other encodings, times.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw_damaged(handle, where);
    if (libarchive().entry_filetype(entry) != AE_IFREG) continue;
    const char* name = libarchive().entry_pathname(entry);
    if (name == nullptr) name = libarchive().entry_pathname_utf8(entry);
    if (name == nullptr) throw FormatError("has a member whose name can't be read", where);
    VisitedMember member{prefix + name, 0};
    if (libarchive().entry_size_is_set(entry) != 0)
      member.bytes = static_cast<std::uint64_t>(libarchive().entry_size(entry));
    const std::string place = where + ":" + member.path;
    switch (visitor.begin(member)) {
      case MemberVisitor::Choice::kSkip:
        break;
      case MemberVisitor::Choice::kTake:
        give_bytes(handle, visitor, place);
        break;
      case MemberVisitor::Choice::kEnter: {
        Nested nested{handle};
        const Handle inner = make_reader(Access::kStream);
        if (libarchive().read_open(inner.get(), &nested, nullptr, read_nested, nullptr) != ARCHIVE_OK) {
          throw_damaged(inner.get(), place);
        }
        visit_members(inner.get(), visitor, place, member.path + "/");
        break;
      }
    }
  }
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

  std::optional<ArchiveMember> next(const OnSkip& on_skip) {
    const ArchiveLocale locale;
    while (archive_entry* entry = handle_.next_entry()) {
      ++members_;
      if (libarchive().entry_filetype(entry) == AE_IFDIR) continue;
      std::string name = name_of(entry, members_);
      const std::string reason = is_hidden(name) ? "left out because it is hidden" : why_no_file(entry);
      if (!reason.empty()) {
        if (on_skip) on_skip(name, reason);
        continue;
      }
      std::string where = handle_.name() + ":" + name;
      if (libarchive().entry_is_encrypted(entry) != 0) {
        throw FormatError("the archive is encrypted", where, "unpack it with its password, and give the folder");
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

std::optional<ArchiveMember> ArchiveReader::next(const OnSkip& on_skip) {
  return archive_->next(on_skip);
}

bool begins_as_indexed_archive(std::string_view first_bytes) {
  // Zip: a member, an empty archive, the first of several parts. 7z.
  constexpr std::array<std::string_view, 4> kBegins = {"PK\3\4"sv, "PK\5\6"sv, "PK\7\10PK\3\4"sv,
                                                       "7z\xBC\xAF\x27\x1C"sv};
  return std::any_of(kBegins.begin(), kBegins.end(), [&](auto begin) { return first_bytes.starts_with(begin); });
}

bool begins_as_archive(std::string_view first_bytes) {
  return begins_as_indexed_archive(first_bytes) || begins_as_tar(first_bytes);
}

void visit_archive(const std::filesystem::path& path, MemberVisitor& visitor) {
  const Handle handle = make_reader(Access::kSeekable);
  if (libarchive().read_open_filename(handle.get(), path.c_str(), kBlockBytes) != ARCHIVE_OK) {
    if (!std::filesystem::exists(path)) throw IoError("does not exist", path);
    throw_damaged(handle.get(), path);
  }
  visit_members(handle.get(), visitor, path, "");
}

}  // namespace bertprep
