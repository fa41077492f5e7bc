#include "stream/archive_handle.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bertprep/base/error.h"
#include "stream/archive_library.h"

namespace bertprep {
namespace {

constexpr std::size_t kFileBlockBytes = std::size_t{1} << 17;
constexpr std::array<char, 4096> kZeros{};

void support(archive* archive, ArchiveHandle::Holds holds) {
  if (holds == ArchiveHandle::Holds::kBytes) {
    libarchive().read_support_filter_bzip2(archive);
    libarchive().read_support_filter_xz(archive);
    libarchive().read_support_format_raw(archive);
    libarchive().read_support_format_empty(archive);
  } else {
    libarchive().read_support_format_tar(archive);
    libarchive().read_support_format_zip(archive);
    libarchive().read_support_format_7zip(archive);
    // Reads on after the end mark of a tar file, as tar --ignore-zeros does: nothing is lost silently.
    libarchive().read_set_option(archive, "tar", "read_concatenated_archives", "1");
  }
}

class FilterStream final : public ByteStream {
 public:
  FilterStream(std::string name, std::unique_ptr<ByteStream> packed)
      : archive_(ArchiveHandle::Holds::kBytes, std::move(name), std::move(packed)) {}

  std::string_view next_block() override {
    if (!std::exchange(is_begun_, true)) has_entry_ = archive_.next_entry() != nullptr;
    return has_entry_ ? archive_.next_block(archive_.name()) : std::string_view{};
  }

 private:
  ArchiveHandle archive_;
  bool is_begun_ = false;
  bool has_entry_ = false;
};

}  // namespace

const ArchiveLibrary& libarchive() {
  static const ArchiveLibrary functions;
  return functions;
}

// The underlying stream, and its exception: an exception must not pass through libarchive.
struct ArchiveHandle::Input {
  std::unique_ptr<ByteStream> bytes;
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

ArchiveHandle::ArchiveHandle(Holds holds, std::string name)
    : name_(std::move(name)), archive_(libarchive().read_new()) {
  if (archive_ == nullptr) throw IoError("out of memory to read an archive", name_);
  support(archive_, holds);
}

ArchiveHandle::ArchiveHandle(Holds holds, std::string name, std::unique_ptr<ByteStream> bytes)
    : ArchiveHandle(holds, std::move(name)) {
  input_ = std::make_unique<Input>(Input{std::move(bytes)});
  check_open(libarchive().read_open(archive_, input_.get(), nullptr, &Input::read, nullptr));
}

ArchiveHandle::ArchiveHandle(Holds holds, const std::filesystem::path& file) : ArchiveHandle(holds, file.native()) {
  check_open(libarchive().read_open_filename(archive_, file.c_str(), kFileBlockBytes));
}

ArchiveHandle::~ArchiveHandle() {
  libarchive().read_free(archive_);
}

void ArchiveHandle::check_open(int result) {
  if (result < ARCHIVE_WARN) fail(name_);
}

void ArchiveHandle::fail(const std::string& where) const {
  if (input_ != nullptr && input_->thrown) std::rethrow_exception(input_->thrown);
  const char* reason = libarchive().error_string(archive_);
  const auto at = libarchive().filter_bytes(archive_, -1);
  const std::string place = at < 0 ? "" : " at byte " + std::to_string(at);  // negative before the first block
  throw FormatError("the archive is damaged" + place + " or of a kind that can't be read (" +
                        (reason != nullptr ? reason : "no reason given") + "), after " + std::to_string(position_) +
                        " bytes of its contents",
                    where, "get the file again, or unpack it yourself");
}

archive_entry* ArchiveHandle::next_entry() {
  block_ = {};
  block_at_ = 0;
  position_ = 0;
  archive_entry* entry = nullptr;
  const ArchiveLocale locale;
  const int result = libarchive().read_next_header(archive_, &entry);
  if (input_ != nullptr && input_->thrown) std::rethrow_exception(input_->thrown);
  if (result == ARCHIVE_EOF) return nullptr;
  if (result < ARCHIVE_WARN) fail(name_);
  return entry;
}

std::uint64_t ArchiveHandle::file_byte() const {
  return static_cast<std::uint64_t>(std::max<la_int64_t>(0, libarchive().filter_bytes(archive_, -1)));
}

std::string_view ArchiveHandle::take_block() {
  if (position_ < block_at_) {
    const auto hole = std::min<std::uint64_t>(block_at_ - position_, kZeros.size());
    position_ += hole;
    return {kZeros.data(), static_cast<std::size_t>(hole)};
  }
  position_ += block_.size();
  return std::exchange(block_, {});
}

std::string_view ArchiveHandle::next_block(const std::string& where) {
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

std::unique_ptr<ByteStream> decode_by_filter(std::string name, std::unique_ptr<ByteStream> packed) {
  return std::make_unique<FilterStream>(std::move(name), std::move(packed));
}

LibraryVersion version_of_archive(VersionOf wanted) {
  if (wanted == VersionOf::kHeaders) return {"libarchive", ARCHIVE_VERSION_ONLY_STRING, {}};
  // "libarchive 3.6.2"
  const std::string running = libarchive().version_string();
  return {"libarchive", ARCHIVE_VERSION_ONLY_STRING, running.substr(running.rfind(' ') + 1)};
}

}  // namespace bertprep
