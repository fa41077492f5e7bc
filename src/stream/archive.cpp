#include "stream/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>

#include "bertprep/base/error.h"
#include "io/loaded_library.h"
#include "stream/open_stream.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

using std::string_view_literals::operator""sv;

// The functions of libarchive, which is loaded when the first of them is needed. Names are its own without archive_.
struct ArchiveLibrary {
  LoadedLibrary library{BERTPREP_ARCHIVE_NAME, BERTPREP_ARCHIVE_FILE};
  decltype(&::archive_entry_filetype) entry_filetype = library["archive_entry_filetype"];
  decltype(&::archive_entry_hardlink) entry_hardlink = library["archive_entry_hardlink"];
  decltype(&::archive_entry_is_encrypted) entry_is_encrypted = library["archive_entry_is_encrypted"];
  decltype(&::archive_entry_pathname) entry_pathname = library["archive_entry_pathname"];
  decltype(&::archive_entry_pathname_utf8) entry_pathname_utf8 = library["archive_entry_pathname_utf8"];
  decltype(&::archive_entry_size) entry_size = library["archive_entry_size"];
  decltype(&::archive_entry_size_is_set) entry_size_is_set = library["archive_entry_size_is_set"];
  decltype(&::archive_entry_symlink) entry_symlink = library["archive_entry_symlink"];
  decltype(&::archive_error_string) error_string = library["archive_error_string"];
  decltype(&::archive_filter_bytes) filter_bytes = library["archive_filter_bytes"];
  decltype(&::archive_read_data_block) read_data_block = library["archive_read_data_block"];
  decltype(&::archive_read_free) read_free = library["archive_read_free"];
  decltype(&::archive_read_new) read_new = library["archive_read_new"];
  decltype(&::archive_read_next_header) read_next_header = library["archive_read_next_header"];
  decltype(&::archive_read_open) read_open = library["archive_read_open"];
  decltype(&::archive_read_open_filename) read_open_filename = library["archive_read_open_filename"];
  decltype(&::archive_read_set_option) read_set_option = library["archive_read_set_option"];
  decltype(&::archive_read_support_filter_bzip2) read_support_filter_bzip2 =
      library["archive_read_support_filter_bzip2"];
  decltype(&::archive_read_support_filter_xz) read_support_filter_xz = library["archive_read_support_filter_xz"];
  decltype(&::archive_read_support_format_7zip) read_support_format_7zip = library["archive_read_support_format_7zip"];
  decltype(&::archive_read_support_format_empty) read_support_format_empty =
      library["archive_read_support_format_empty"];
  decltype(&::archive_read_support_format_raw) read_support_format_raw = library["archive_read_support_format_raw"];
  decltype(&::archive_read_support_format_tar) read_support_format_tar = library["archive_read_support_format_tar"];
  decltype(&::archive_read_support_format_zip) read_support_format_zip = library["archive_read_support_format_zip"];
  decltype(&::archive_read_support_format_zip_seekable) read_support_format_zip_seekable =
      library["archive_read_support_format_zip_seekable"];
  decltype(&::archive_version_string) version_string = library["archive_version_string"];
};

constexpr auto libarchive = loaded<ArchiveLibrary>;

constexpr std::size_t kFileBlockBytes = std::size_t{1} << 17;
constexpr std::array<char, 4096> kZeros{};

enum class Holds {
  kMembers,        // tar, zip, 7z
  kListOfMembers,  // the same; a zip without its list, which is at its end, counts as damaged
  kBytes,          // one stream compressed by xz or bzip2
};

void support(archive* archive, Holds holds) {
  if (holds == Holds::kBytes) {
    libarchive().read_support_filter_bzip2(archive);
    libarchive().read_support_filter_xz(archive);
    libarchive().read_support_format_raw(archive);
    libarchive().read_support_format_empty(archive);
    return;
  }
  libarchive().read_support_format_tar(archive);
  libarchive().read_support_format_7zip(archive);
  if (holds == Holds::kListOfMembers) {
    libarchive().read_support_format_zip_seekable(archive);
  } else {
    libarchive().read_support_format_zip(archive);
  }
  // Reads on after the end mark of a tar file, as tar --ignore-zeros does: nothing is lost silently.
  libarchive().read_set_option(archive, "tar", "read_concatenated_archives", "1");
}

// ArchiveHandle: libarchive's reader over a stream or a file, with errors as exceptions.
class ArchiveHandle {
 public:
  // `name` is for errors. Throws FormatError for other data.
  ArchiveHandle(Holds holds, std::string name, std::unique_ptr<ByteStream> bytes)
      : ArchiveHandle(holds, std::move(name)) {
    input_.bytes = std::move(bytes);
    if (libarchive().read_open(archive_, &input_, nullptr, &Input::read, nullptr) < ARCHIVE_WARN) fail(name_);
  }
  // The same for a seekable file: zip and 7z have their lists at the end.
  ArchiveHandle(Holds holds, const std::filesystem::path& file) : ArchiveHandle(holds, file.native()) {
    if (libarchive().read_open_filename(archive_, file.c_str(), kFileBlockBytes) < ARCHIVE_WARN) fail(name_);
  }
  ~ArchiveHandle() { libarchive().read_free(archive_); }
  ArchiveHandle(const ArchiveHandle&) = delete;
  ArchiveHandle& operator=(const ArchiveHandle&) = delete;

  // The next entry, valid until the next call; null at the end.
  archive_entry* next_entry() {
    block_ = {};
    block_at_ = 0;
    position_ = 0;
    archive_entry* entry = nullptr;
    const ArchiveLocale locale;
    const int result = libarchive().read_next_header(archive_, &entry);
    if (input_.thrown) std::rethrow_exception(input_.thrown);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result < ARCHIVE_WARN) fail(name_);
    return entry;
  }

  // The next bytes of the entry, empty at its end. `where` names it in errors. Readable bytes are returned before
  // damage throws FormatError.
  std::string_view next_block(const std::string& where) {
    while (block_.empty() && position_ >= block_at_) {
      const void* bytes = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int result = libarchive().read_data_block(archive_, &bytes, &size, &offset);
      if (result != ARCHIVE_OK && result != ARCHIVE_EOF) fail(where);
      block_at_ = std::max(position_, static_cast<std::uint64_t>(offset));
      if (result == ARCHIVE_EOF && position_ >= block_at_) return {};
      if (result == ARCHIVE_OK) block_ = {static_cast<const char*>(bytes), size};
    }
    return take_block();
  }

  const std::string& name() const { return name_; }
  // How far the file has been read.
  std::uint64_t file_byte() const {
    return static_cast<std::uint64_t>(std::max<la_int64_t>(0, libarchive().filter_bytes(archive_, -1)));
  }

 private:
  // The underlying stream, and its exception: an exception must not pass through libarchive.
  struct Input {
    std::unique_ptr<ByteStream> bytes{};
    std::exception_ptr thrown{};

    static la_ssize_t read(archive*, void* self, const void** block) {
      auto* input = static_cast<Input*>(self);
      try {
        const std::string_view bytes = input->bytes->next_block();
        *block = bytes.data();
        return static_cast<la_ssize_t>(bytes.size());
      } catch (...) {
        input->thrown = std::current_exception();
        return -1;
      }
    }
  };

  ArchiveHandle(Holds holds, std::string name) : name_(std::move(name)), archive_(libarchive().read_new()) {
    if (archive_ == nullptr) throw IoError("out of memory to read an archive", name_);
    support(archive_, holds);
  }

  [[noreturn]] void fail(const std::string& where) const {
    if (input_.thrown) std::rethrow_exception(input_.thrown);
    const char* reason = libarchive().error_string(archive_);
    const auto at = libarchive().filter_bytes(archive_, -1);
    const std::string place = at < 0 ? "" : " at byte " + std::to_string(at);  // negative before the first block
    throw FormatError("the archive is damaged" + place + " or of a kind that can't be read (" +
                          (reason != nullptr ? reason : "no reason given") + "), after " + std::to_string(position_) +
                          " bytes of its contents",
                      where, "get the file again, or unpack it yourself");
  }

  std::string_view take_block() {
    if (position_ < block_at_) {
      const auto hole = std::min<std::uint64_t>(block_at_ - position_, kZeros.size());
      position_ += hole;
      return {kZeros.data(), static_cast<std::size_t>(hole)};
    }
    position_ += block_.size();
    return std::exchange(block_, {});
  }

  std::string name_;
  Input input_;  // unless it is a file
  archive* archive_;
  std::string_view block_;      // the last block of libarchive
  std::uint64_t block_at_ = 0;  // its offset in the entry: after a hole of a sparse file, perhaps
  std::uint64_t position_ = 0;  // bytes of the entry returned
};

class FilterStream final : public ByteStream {
 public:
  FilterStream(std::string name, std::unique_ptr<ByteStream> packed)
      : archive_(Holds::kBytes, std::move(name), std::move(packed)) {}

  std::string_view next_block() override {
    if (!std::exchange(is_begun_, true)) has_entry_ = archive_.next_entry() != nullptr;
    return has_entry_ ? archive_.next_block(archive_.name()) : std::string_view{};
  }

 private:
  ArchiveHandle archive_;
  bool is_begun_ = false;
  bool has_entry_ = false;
};

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
    if (is_hiding(take_part(path, '/'))) return true;
  }
  return false;
}

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

void visit_members(ArchiveHandle& archive, MemberVisitor& visitor, const std::string& prefix) {
  for (std::size_t number = 1; archive_entry* entry = archive.next_entry(); ++number) {
    if (libarchive().entry_filetype(entry) != AE_IFREG) continue;
    VisitedMember member{prefix + name_of(entry, number)};
    if (libarchive().entry_size_is_set(entry) != 0) {
      member.bytes = static_cast<std::uint64_t>(libarchive().entry_size(entry));
    }
    const std::string place = archive.name() + ":" + member.path;
    const MemberVisitor::Choice choice = visitor.begin(member);
    if (choice == MemberVisitor::Choice::kTake) {
      for (auto block = archive.next_block(place); !block.empty(); block = archive.next_block(place)) {
        visitor.bytes(block);
      }
      visitor.end();
    } else if (choice == MemberVisitor::Choice::kEnter) {
      auto bytes = decompress(place, std::make_unique<MemberStream>(archive, place, nullptr));
      ArchiveHandle inner(Holds::kMembers, place, std::move(bytes));
      visit_members(inner, visitor, member.path + "/");
    }
  }
}

}  // namespace

class ArchiveReader::Archive {
 public:
  Archive(const std::filesystem::path& file, ReadMeter* meter) : handle_(Holds::kMembers, file), meter_(meter) {
    if (meter_ != nullptr) meter_->begin_file(file);
  }
  Archive(std::string name, std::unique_ptr<ByteStream> bytes)
      : handle_(Holds::kMembers, std::move(name), std::move(bytes)) {}

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

std::unique_ptr<ByteStream> decode_by_filter(std::string name, std::unique_ptr<ByteStream> packed) {
  return std::make_unique<FilterStream>(std::move(name), std::move(packed));
}

LibraryVersion version_of_archive(VersionOf wanted) {
  if (wanted == VersionOf::kHeaders) return {"libarchive", ARCHIVE_VERSION_ONLY_STRING, {}};
  // "libarchive 3.6.2"
  const std::string running = libarchive().version_string();
  return {"libarchive", ARCHIVE_VERSION_ONLY_STRING, running.substr(running.rfind(' ') + 1)};
}

void visit_archive(const std::filesystem::path& path, MemberVisitor& visitor) {
  auto bytes = std::make_unique<PeekedStream>(open_stream(path));
  const bool has_list = begins_as_indexed_archive(bytes->peek(kArchiveProbeBytes));
  const ArchiveLocale locale;
  ArchiveHandle archive =
      has_list ? ArchiveHandle(Holds::kListOfMembers, path) : ArchiveHandle(Holds::kMembers, path, std::move(bytes));
  visit_members(archive, visitor, "");
}

}  // namespace bertprep
