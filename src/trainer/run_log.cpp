#include "trainer/run_log.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string_view>

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

namespace {

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
  throw FormatError("exists and is not a log of training", path, "give --log-json another file");
}

}  // namespace

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

}  // namespace bertprep
