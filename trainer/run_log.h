// RunLog: what happened at which step, as JSON lines with the fields of NVIDIA's DLLogger (trainer/docs/train-log.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bertprep {

using LogValues = std::vector<std::pair<std::string, double>>;
using LogTexts = std::vector<std::pair<std::string, std::string>>;

class RunLog {
 public:
  // Appends to `path`, whose folder is made if needed. `mark` begins each line. Throws IoError;
  // FormatError for a file that is not a log.
  explicit RunLog(const std::filesystem::path& path, const std::string& mark = {});
  ~RunLog();
  RunLog(RunLog&&) noexcept;

  // Step -1 means the run as a whole. The line is in the file when the call returns. Throws IoError.
  void write(std::int64_t step, const LogValues& values);
  void write_texts(std::int64_t step, const LogTexts& texts);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// EventFile: scalars for TensorBoard, in the record format of TensorFlow.
//
// A record is the length (8 bytes, little endian), its masked CRC-32C (4), the message, its masked CRC-32C (4). The
// message is a tensorflow.Event: wall_time = 1 (double), step = 2 (varint), file_version = 3 (string) in the first
// record, summary = 5 {value = 1 {tag = 1 (string), simple_value = 2 (float)}} in the others.

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
