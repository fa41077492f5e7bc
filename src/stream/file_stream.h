// FileStream: the bytes of a file as they lie there, read into one buffer that is used again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "io/input_file.h"
#include "stream/byte_stream.h"

namespace bertprep {

class FileStream final : public ByteStream {
 public:
  // Pipes may be read, too. Throws IoError.
  explicit FileStream(const std::filesystem::path& path);

  std::string_view next_block() override;

 private:
  InputFile file_;
  std::vector<char> buffer_;
};

}  // namespace bertprep
