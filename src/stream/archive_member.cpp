#include "stream/archive_member.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <vector>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 17U;

struct Closer {
  void operator()(archive* handle) const { archive_read_free(handle); }
};
using Handle = std::unique_ptr<archive, Closer>;

// A zip whose end is missing, and with it its list of members, still has some members at its front: it counts as
// damaged, where it can be told.
enum class Access { kSeekable, kStream };

Handle make_reader(Access access) {
  Handle handle(archive_read_new());
  if (handle == nullptr) throw Error("libarchive has no memory");
  archive_read_support_filter_all(handle.get());
  if (access == Access::kSeekable) {
    archive_read_support_format_zip_seekable(handle.get());
  } else {
    archive_read_support_format_zip_streamable(handle.get());
  }
  archive_read_support_format_tar(handle.get());
  archive_read_support_format_7zip(handle.get());
  return handle;
}

[[noreturn]] void throw_damaged(archive* handle, const std::string& where) {
  const char* reason = archive_error_string(handle);
  throw FormatError(std::string("can't be read as an archive: ") + (reason != nullptr ? reason : "unknown reason"),
                    where, "fetch it again");
}

// The bytes of a member, as a source for another reader.
struct Nested {
  archive* outer;
  std::vector<char> buffer = std::vector<char>(kBlockBytes);
};

la_ssize_t read_nested(archive* inner, void* context, const void** block) {
  auto* nested = static_cast<Nested*>(context);
  const la_ssize_t size = archive_read_data(nested->outer, nested->buffer.data(), nested->buffer.size());
  if (size < 0) archive_set_error(inner, archive_errno(nested->outer), "%s", archive_error_string(nested->outer));
  *block = nested->buffer.data();
  return size < 0 ? -1 : size;
}

void give_bytes(archive* handle, MemberVisitor& visitor, const std::string& where) {
  std::vector<char> buffer(kBlockBytes);
  while (true) {
    const la_ssize_t size = archive_read_data(handle, buffer.data(), buffer.size());
    if (size == 0) break;
    if (size < 0) throw_damaged(handle, where);
    visitor.bytes({buffer.data(), static_cast<std::size_t>(size)});
  }
  visitor.end();
}

void visit_members(archive* handle, MemberVisitor& visitor, const std::string& where, const std::string& prefix) {
  archive_entry* entry = nullptr;
  while (true) {
    const int status = archive_read_next_header(handle, &entry);
    if (status == ARCHIVE_EOF) return;
    // A warning is about attributes that are of no use here: names in other encodings, times.
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) throw_damaged(handle, where);
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) throw FormatError("has a member whose name can't be read", where);
    VisitedMember member{prefix + name, 0};
    if (archive_entry_size_is_set(entry) != 0) member.bytes = static_cast<std::uint64_t>(archive_entry_size(entry));
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
        if (archive_read_open(inner.get(), &nested, nullptr, read_nested, nullptr) != ARCHIVE_OK) {
          throw_damaged(inner.get(), place);
        }
        visit_members(inner.get(), visitor, place, member.path + "/");
        break;
      }
    }
  }
}

}  // namespace

void visit_archive(const std::filesystem::path& path, MemberVisitor& visitor) {
  const Handle handle = make_reader(Access::kSeekable);
  if (archive_read_open_filename(handle.get(), path.c_str(), kBlockBytes) != ARCHIVE_OK) {
    if (!std::filesystem::exists(path)) throw IoError("does not exist", path);
    throw_damaged(handle.get(), path);
  }
  visit_members(handle.get(), visitor, path, "");
}

}  // namespace bertprep
