#include "stream/file_stream.h"

namespace bertprep {
namespace {

// Larger blocks leave the processor's cache before they are used.
constexpr std::size_t kBlockBytes = std::size_t{1} << 18;

}  // namespace

FileStream::FileStream(const std::filesystem::path& path) : file_(path), buffer_(kBlockBytes) {}

std::string_view FileStream::next_block() {
  return {buffer_.data(), file_.read(buffer_)};
}

}  // namespace bertprep
