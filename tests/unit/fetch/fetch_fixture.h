// Downloads from a server on loopback that misbehaves, into a folder of the test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "fetch/download.h"
#include "support/server_process.h"
#include "support/temp_folder.h"

namespace bertprep::test {

// Records all reports.
class RecordingProgress : public Progress {
 public:
  void begin(std::string_view, std::uint64_t total, std::string_view) override { totals.push_back(total); }
  void advance(std::uint64_t amount) override { bytes += amount; }
  void skipped(const SkippedRecord& record) override { skips.push_back(record.where + ": " + record.reason); }
  void note(std::string_view text) override { notes += std::string(text) + "\n"; }
  bool cancelled() const override { return cancel_after != 0 && bytes >= cancel_after; }

  std::vector<std::uint64_t> totals;
  std::uint64_t bytes = 0;
  std::vector<std::string> skips;
  std::string notes;
  std::uint64_t cancel_after = 0;
};

// 500,000 bytes that can't be compressed, the same each time.
std::string test_bytes(std::size_t size = 500'000, unsigned seed = 1);
// A zip by the system's Python.
void make_zip(const std::filesystem::path& zip, const std::vector<std::pair<std::string, std::string>>& members);
std::string read_file_of(const std::filesystem::path& path);

class FetchTest : public testing::Test {
 protected:
  FetchTest();

  // The address of the server, which is started on first use.
  std::string server() const;
  // A download of FILE below the server's folder with these faults, one mirror each.
  DownloadTask task(const std::vector<std::string>& faults, bool with_digest = true) const;
  void download(const DownloadTask& task) { download_all({task}, options_, policy_, progress_); }
  // The message of the error that `call` throws.
  template <class Error>
  std::string error_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << "no such error";
    return {};
  }
  std::vector<std::string> requests() const;  // lines of the server's log
  void expect_whole() const;                  // only the correct file exists
  std::filesystem::path target() const { return folder_ / "out/file.bin"; }

  TempFolder folder_;
  std::string content_;
  FetchOptions options_;
  RetryPolicy policy_;
  RecordingProgress progress_;

 private:
  mutable std::optional<FaultServer> server_;
};

}  // namespace bertprep::test
