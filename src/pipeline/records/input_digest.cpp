#include "pipeline/records/input_digest.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/input_file.h"
#include "pipeline/work/workers.h"
#include "source/source_pieces.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Properties by which a file counts as unchanged.
struct FileVersion {
  FileIdentity identity;
  std::uint64_t bytes = 0;
  WriteTime written;
  bool operator==(const FileVersion&) const = default;
};

FileVersion version_of(const fs::path& path) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  if (error) throw IoError::from_errno("can't be examined", path, error.value());
  return {identity_of(path).value_or(FileIdentity()), bytes, write_time_of(path)};
}

[[noreturn]] void throw_changed(const fs::path& path) {
  throw FormatError("changed while it was read", path, "run the command again");
}

// Can be cancelled promptly, as an input may have many gigabytes.
void hash_rest(InputFile& file, Xxh128& digest, const Progress& progress,
               const std::function<void(std::string_view)>& tell) {
  const ReadBuffer buffer;
  while (const std::size_t count = file.read(buffer.span())) {
    stop_if_cancelled(progress);
    digest.update(buffer.first(count));
    tell(buffer.first(count));
  }
}

}  // namespace

struct InputHasher::File {
  explicit File(fs::path file) : path(std::move(file)), version(version_of(path)) {}

  void see(std::uint64_t begin, std::string_view more) {
    if (begin > bytes) return;
    is_complete = is_complete || more.empty();
    const std::uint64_t known = std::min<std::uint64_t>(bytes - begin, more.size());
    digest.update(more.substr(static_cast<std::size_t>(known)));
    bytes += more.size() - known;
  }

  void read_rest(const Progress& progress) {
    if (version != version_of(path)) throw_changed(path);
    InputFile file(path);
    file.seek(bytes);
    hash_rest(file, digest, progress, [](std::string_view) {});
    if (version != version_of(path)) throw_changed(path);
  }

  fs::path path;
  FileVersion version;
  Xxh128 digest;
  std::uint64_t bytes = 0;  // hashed so far, from the beginning
  bool is_complete = false;
};

InputHasher::InputHasher() = default;
InputHasher::~InputHasher() = default;

void InputHasher::begin_file(const fs::path& file) {
  end_file();
  file_ = std::make_unique<File>(file);
}

void InputHasher::see(std::uint64_t begin, std::string_view bytes) {
  if (file_ != nullptr) file_->see(begin, bytes);
}

void InputHasher::end_file() {
  if (file_ == nullptr) return;
  auto file = std::exchange(file_, nullptr);
  if (file->is_complete || file->bytes == file->version.bytes) return add(file->path, file->digest.finish());
  const fs::path path = file->path;
  rest_.insert_or_assign(path, std::move(file));
}

// A file given twice is read twice.
void InputHasher::add(const fs::path& path, const std::string& digest) {
  const auto [known, is_new] = digests_.emplace(path, digest);
  if (!is_new && known->second != digest) throw_changed(path);
}

InputDigest InputHasher::finish(std::span<const fs::path> files, const Progress& progress) {
  end_file();
  for (const fs::path& path : files) {
    if (!digests_.contains(path)) rest_.try_emplace(path, std::make_unique<File>(path));
  }
  for (auto& [path, file] : rest_) {
    file->read_rest(progress);
    add(path, file->digest.finish());
  }
  rest_.clear();
  Xxh128 all;
  for (const fs::path& path : files) all.update(digests_.at(path) + "\n");
  return {all.finish(), bytes_of(files)};
}

std::vector<fs::path> files_of_corpus(std::span<const CorpusPart> parts) {
  std::vector<fs::path> files;
  for (const CorpusPart& part : parts) {
    refuse_pipes(part.inputs);
    const InputFormat format = resolve_format(part.inputs, part.source);
    for (const Input& input : list_source(part.inputs, format, part.source)) {
      files.insert(files.end(), input.files.begin(), input.files.end());
    }
  }
  return files;
}

std::string versions_of(std::span<const fs::path> files) {
  Sha256 versions;
  for (const fs::path& path : files) {
    const FileVersion version = version_of(path);
    for (const std::uint64_t number :
         {version.identity.inode, version.bytes, static_cast<std::uint64_t>(version.written.seconds),
          static_cast<std::uint64_t>(version.written.nanoseconds)}) {
      versions.update(std::to_string(number) + " ");
    }
    versions.update(path.native() + "\n");
  }
  return versions.finish();
}

std::uint64_t bytes_of(std::span<const fs::path> files) {
  std::uint64_t bytes = 0;
  for (const fs::path& path : files) bytes += InputFile(path).size_bytes();
  return bytes;
}

FileDigests digests_of_file(const fs::path& path, const Progress& progress) {
  InputFile file(path);
  FileDigests digests;
  Xxh128 xxh3;
  Sha256 sha256;
  hash_rest(file, xxh3, progress, [&](std::string_view bytes) {
    sha256.update(bytes);
    digests.bytes += bytes.size();
  });
  digests.xxh3 = xxh3.finish();
  digests.sha256 = sha256.finish();
  return digests;
}

InputDigest combine(std::span<const FileDigests> files) {
  InputDigest all;
  Xxh128 digest;
  for (const FileDigests& file : files) {
    digest.update(file.xxh3 + "\n");
    all.bytes += file.bytes;
  }
  all.digest = digest.finish();
  return all;
}

InputDigest digest_files(std::span<const fs::path> files, Progress& progress, ReadObserver* observer) {
  InputDigest digest{{}, bytes_of(files)};
  progress.begin("check", digest.bytes, "bytes");
  Xxh128 all;
  for (const fs::path& path : files) {
    InputFile file(path);
    Xxh128 one;
    std::uint64_t begin = 0;
    if (observer != nullptr) observer->begin_file(path);
    hash_rest(file, one, progress, [&](std::string_view bytes) {
      if (observer != nullptr) observer->see(begin, bytes);
      begin += bytes.size();
      progress.advance(bytes.size());
    });
    all.update(one.finish() + "\n");
  }
  digest.digest = all.finish();
  progress.end();
  return digest;
}

}  // namespace bertprep
