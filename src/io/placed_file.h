// PlacedFile: a file whose parts are written at places known beforehand, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace bertprep {

class PlacedFile {
 public:
  // Creates or empties `path`. Throws IoError.
  explicit PlacedFile(const std::filesystem::path& path);
  // Opens a file that is there and keeps what it holds. Throws IoError.
  static PlacedFile reopen(const std::filesystem::path& path);
  // How many the process may have open at once, with room for what else it opens.
  static std::size_t most_open();
  // Closes without a check; what was not finished is the caller's to remove.
  ~PlacedFile();
  PlacedFile(PlacedFile&& other) noexcept;
  PlacedFile& operator=(PlacedFile&&) = delete;

  // May be called from several threads at once. Throws IoError.
  void write_at(std::uint64_t offset, std::string_view bytes) const;
  // Closes. Throws IoError.
  void finish();

 private:
  PlacedFile(const std::filesystem::path& path, int flags);

  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace bertprep
