#include "console/standard_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <new>

#include "bertprep/base/error.h"
#include "console/process.h"
#include "io/file_descriptor.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr int kSignalInterval_ms = 200;

constexpr const char* kNoRoom = "standard input can't be stored here";

std::ptrdiff_t count_dashes(std::span<const fs::path> inputs, const std::string& vocab) {
  return std::ranges::count(inputs, fs::path(kDash)) + (vocab == kDash ? 1 : 0);
}

// A file that can be opened again, from its beginning.
bool is_readable_file() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) throw IoError::from_errno("can't be read", kStandardInput, errno);
  if (!S_ISREG(status.st_mode) || ::lseek(STDIN_FILENO, 0, SEEK_CUR) != 0) return false;
  return FileDescriptor(::open(kStandardInput, O_RDONLY | O_CLOEXEC)).is_open();
}

fs::path folder_that_exists(fs::path folder) {
  folder = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  std::error_code error;
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

FileDescriptor open_named(const fs::path& folder, fs::path& path) {
  std::string name = (folder / ".bertprep-stdin-XXXXXX").string();
  FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) throw IoError::from_errno(kNoRoom, folder, errno);
  path = name;
  return file;
}

FileDescriptor open_nameless(const fs::path& folder) {
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  // Some file systems, such as NFS, have no unnamed files.
  fs::path name;
  FileDescriptor named = open_named(folder, name);
  ::unlink(name.c_str());
  return named;
}

std::size_t read_block(std::vector<char>& block, const Console& console) {
  for (;;) {
    if (console.cancelled()) throw Cancelled();
    pollfd wanted{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, kSignalInterval_ms) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) throw IoError::from_errno("can't be read", kStandardInput, errno);
  }
}

// Replaces standard input by a file in `folder` with all its data.
void keep_standard_input(const FileDescriptor& file, const fs::path& folder, Console& console) {
  if (::isatty(STDIN_FILENO) != 0)
    console.note("reading from the terminal; press Ctrl-D at the start of a line to end it");
  console.begin("standard input", 0, "bytes");
  std::vector<char> block(kBlockBytes);
  while (const std::size_t count = read_block(block, console)) {
    file.write({block.data(), count}, folder, kNoRoom);
    console.advance(count);
  }
  console.end();
  if (::dup2(file.number(), STDIN_FILENO) < 0 || ::lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
    throw IoError::from_errno("can't be read", kStandardInput, errno);
}

void read_lines(std::istream& stream, const std::string& name, const std::function<void(std::string_view)>& line) {
  std::string text;
  std::size_t number = 0;
  std::size_t offset = 0;
  stream.exceptions(std::ios::badbit);  // getline() would hide why
  try {
    while (std::getline(stream, text)) {
      require_valid_utf8(text, name, ++number, offset);
      offset += text.size() + 1;
      line(text);
    }
  } catch (const std::ios_base::failure& failure) {
    throw IoError::from_errno("can't be read", name, failure.code().value());
  } catch (const std::bad_alloc&) {
    throw Error("out of memory", name + ":" + std::to_string(number + 1), "give it shorter lines, or more memory");
  }
}

void read_standard_input(const std::function<void(std::string_view)>& line) {
  std::ios::sync_with_stdio(false);
  read_lines(std::cin, kStandardInput, line);
}

}  // namespace

void take_standard_input(std::vector<fs::path>& inputs, std::string& vocab, const fs::path& folder, Console& console) {
  refuse_second_dash(inputs, vocab);
  if (count_dashes(inputs, vocab) == 0) return;
  if (!is_readable_file()) {
    const fs::path place = folder_that_exists(folder);
    keep_standard_input(open_nameless(place), place, console);
  }
  std::ranges::replace(inputs, fs::path(kDash), fs::path(kStandardInput));
  if (vocab == kDash) vocab = kStandardInput;
}

NamedStandardInput::~NamedStandardInput() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

void NamedStandardInput::take(std::vector<fs::path>& shards, std::string& vocab, Console& console) {
  const fs::path folder = fs::temp_directory_path();
  refuse_second_dash(shards, vocab);
  if (count_dashes(shards, {}) != 0 && !is_readable_file()) {
    keep_standard_input(open_named(folder, name_), folder, console);
  }
  take_standard_input(shards, vocab, folder, console);
}

void refuse_second_dash(std::span<const fs::path> inputs, const std::string& vocab) {
  if (count_dashes(inputs, vocab) < 2) return;
  throw ConfigError("'-' is given twice", {}, "standard input can be read only once");
}

void refuse_standard_input(std::span<const fs::path> inputs, const std::string& why) {
  if (std::ranges::count(inputs, fs::path(kDash)) == 0) return;
  throw ConfigError("standard input can't be read here: " + why, kDash, "write it to a file, and give that file");
}

void for_each_input_line(const std::vector<std::filesystem::path>& files,
                         const std::function<void(std::string_view)>& line) {
  end_at_signals();
  if (signal_received() != 0) throw Cancelled();
  if (files.empty()) read_standard_input(line);
  for (const auto& file : files) {
    if (file == kDash) {
      read_standard_input(line);
      continue;
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file)) {
      throw IoError::from_errno("can't be opened", file, std::filesystem::is_directory(file) ? EISDIR : errno);
    }
    read_lines(stream, file, line);
  }
}

}  // namespace bertprep::cli
