#include "trainer/run_log.h"

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/json.h"

namespace bertprep {
namespace {

using Clock = std::chrono::system_clock;

double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// Local time as by Python's str(datetime.now()).
std::string date_text(Clock::time_point time) {
  const std::time_t whole = Clock::to_time_t(time);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count() % 1000000;
  std::tm parts{};
  ::localtime_r(&whole, &parts);
  std::array<char, 64> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%06d", static_cast<int>(micros));
  return text.data();
}

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82F63B78U : 0U);
    table[i] = value;
  }
  return table;
}();

constexpr std::uint32_t kMaskDelta = 0xA282EAD8U;

template <class T>
std::string little_endian(T value) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string length_delimited(int field, const std::string& bytes) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string masked_crc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return little_endian(std::rotr(crc, 15) + kMaskDelta);
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string event_head(double seconds) {
  return std::string(1, '\x09') + little_endian(std::bit_cast<std::uint64_t>(seconds));
}

std::filesystem::path new_path(const std::filesystem::path& folder) {
  const std::string stem =
      "events.out.tfevents." + std::to_string(static_cast<std::int64_t>(now_seconds())) + ".bertprep";
  std::filesystem::path path = folder / stem;
  for (int number = 1; std::filesystem::exists(path); ++number) path = folder / (stem + "." + std::to_string(number));
  return path;
}

// How DLLogger's lines begin, and so these; in a file for several programs, a mark precedes them.
constexpr std::string_view kMark = "DLLL ";
constexpr std::string_view kLine = "{\"timestamp\"";

bool begins_log(std::string_view begin) {
  if (begin.starts_with(kMark)) begin.remove_prefix(kMark.size());
  return begin.empty() || begin.starts_with(kLine);
}

// A mistyped path must not add lines to a file of the user.
void refuse_other_file(const std::filesystem::path& path) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(path, missing)) return;
  std::string begin(kMark.size() + kLine.size(), '\0');
  std::ifstream file(path);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  if (begins_log(begin)) return;
  throw FormatError("exists and is not a log of training", path, "give `log_json` another file");
}

}  // namespace

struct RunLog::State {
  std::filesystem::path path;
  std::string mark;
  std::ofstream file;
  Clock::time_point start = Clock::now();

  void write_line(std::int64_t step, Json data) {
    const auto now = Clock::now();
    Json line = Json::object();
    line.add("timestamp", Json::string(std::to_string(seconds(now.time_since_epoch()))));
    line.add("datetime", Json::string(date_text(now)));
    line.add("elapsedtime", Json::string(std::to_string(seconds(now - start))));
    line.add("type", Json::string("LOG"));
    Json steps = Json::array();
    if (step >= 0) steps.push(Json::number(static_cast<std::uint64_t>(step)));
    line.add("step", std::move(steps)).add("data", std::move(data));
    file << mark << line.dump_line() << '\n' << std::flush;
    if (!file) throw IoError::from_errno("can't be written", path, errno);
  }
};

RunLog::RunLog(const std::filesystem::path& path, const std::string& mark) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->mark = mark;
  std::error_code ignored;  // opening the file reports what is wrong
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
  refuse_other_file(path);
  state_->file.open(path, std::ios::app);
  if (!state_->file) throw IoError::from_errno("can't be opened for writing", path, errno);
}

RunLog::~RunLog() = default;
RunLog::RunLog(RunLog&&) noexcept = default;

void RunLog::write(std::int64_t step, const LogValues& values) {
  Json data = Json::object();
  for (const auto& [name, value] : values) data.add(name, Json::real(value));
  state_->write_line(step, std::move(data));
}

void RunLog::write_texts(std::int64_t step, const LogTexts& texts) {
  Json data = Json::object();
  for (const auto& [name, text] : texts) data.add(name, Json::string(text));
  state_->write_line(step, std::move(data));
}

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) crc = kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError::from_errno("can't be created", folder, error.value());
  path_ = new_path(folder);
  file_.open(path_, std::ios::binary);
  if (!file_) throw IoError::from_errno("can't be opened for writing", path_, errno);
  write_record(event_head(now_seconds()) + length_delimited(3, "brain.Event:2"));
}

void EventFile::write(std::int64_t step, const LogValues& values) {
  std::string summary;
  for (const auto& [name, value] : values) {
    const std::string number = std::string(1, '\x15') + little_endian(std::bit_cast<std::uint32_t>(float(value)));
    summary += length_delimited(1, length_delimited(1, name) + number);
  }
  write_record(event_head(now_seconds()) + '\x10' + varint(static_cast<std::uint64_t>(step)) +
               length_delimited(5, summary));
}

void EventFile::write_record(const std::string& message) {
  const std::string length = little_endian(static_cast<std::uint64_t>(message.size()));
  file_ << length << masked_crc(length) << message << masked_crc(message) << std::flush;
  if (!file_) throw IoError::from_errno("can't be written", path_, errno);
}

}  // namespace bertprep
