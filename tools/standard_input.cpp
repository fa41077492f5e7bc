#include "standard_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "bertprep/base/error.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr int kLookForSignals_ms = 200;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// A file that can be opened again, from its beginning.
bool is_readable_file() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) throw IoError::from_errno("can't be read", kStandardInput, errno);
  if (!S_ISREG(status.st_mode) || ::lseek(STDIN_FILENO, 0, SEEK_CUR) != 0) return false;
  const int again = ::open(kStandardInput, O_RDONLY | O_CLOEXEC);
  if (again >= 0) ::close(again);
  return again >= 0;
}

fs::path folder_that_exists(fs::path folder) {
  folder = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  std::error_code error;
  while (!fs::is_directory(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

int open_nameless(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  // Not every file system has files without names: NFS has none.
  std::string name = (folder / ".bertprep-stdin-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) throw IoError::from_errno("standard input can't be kept here", folder, errno);
  ::unlink(name.c_str());
  return named;
}

std::size_t read_block(std::vector<char>& block, const Console& console) {
  for (;;) {
    if (console.cancelled()) throw Cancelled();
    pollfd wanted{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, kLookForSignals_ms) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) throw IoError::from_errno("can't be read", kStandardInput, errno);
  }
}

void write_block(int file, std::span<const char> bytes, const fs::path& folder) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw IoError::from_errno("standard input can't be kept here", folder, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void keep_standard_input(const fs::path& folder, Console& console) {
  if (::isatty(STDIN_FILENO) != 0) console.note("reading from the terminal; Ctrl-D at the start of a line ends it");
  const Descriptor file(open_nameless(folder));
  console.begin("standard input", 0, "bytes");
  std::vector<char> block(kBlockBytes);
  while (const std::size_t count = read_block(block, console)) {
    write_block(file.number(), std::span(block).first(count), folder);
    console.advance(count);
  }
  console.end();
  if (::dup2(file.number(), STDIN_FILENO) < 0) throw IoError::from_errno("can't be read", kStandardInput, errno);
}

}  // namespace

void take_standard_input(std::vector<fs::path>& inputs, const fs::path& folder, Console& console) {
  const auto dashes = std::ranges::count(inputs, fs::path(kDash));
  if (dashes == 0) return;
  if (dashes > 1) throw ConfigError("'-' is given twice", {}, "standard input can be read once");
  if (!is_readable_file()) keep_standard_input(folder_that_exists(folder), console);
  std::ranges::replace(inputs, fs::path(kDash), fs::path(kStandardInput));
}

void refuse_standard_input(std::span<const fs::path> inputs, const std::string& why) {
  if (std::ranges::count(inputs, fs::path(kDash)) == 0) return;
  throw ConfigError("standard input can't be read here: " + why, kDash, "write it to a file, and name that");
}

}  // namespace bertprep::cli
