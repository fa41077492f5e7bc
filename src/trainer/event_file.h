// EventFile: scalars for TensorBoard, in the record format of TensorFlow.
//
// A record is the length (8 bytes, little endian), its masked CRC-32C (4), the message, its masked CRC-32C (4). The
// message is a tensorflow.Event: wall_time = 1 (double), step = 2 (varint), file_version = 3 (string) in the first
// record, summary = 5 {value = 1 {tag = 1 (string), simple_value = 2 (float)}} in the others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "trainer/run_log.h"

namespace bertprep {

class EventFile {
 public:
  // Creates a new events.out.tfevents.TIME.bertprep in `folder`, which is made if needed. Throws IoError.
  explicit EventFile(const std::filesystem::path& folder);

  // Throws IoError.
  void write(std::int64_t step, const LogValues& values);
  const std::filesystem::path& path() const { return path_; }

 private:
  void write_record(const std::string& message);

  std::filesystem::path path_;
  std::ofstream file_;
};

// CRC-32C (Castagnoli) of the bytes.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace bertprep
