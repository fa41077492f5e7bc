// A stage reads the bytes of its input once: they are hashed while they are read. Only if there is an earlier record,
// they are hashed before, for comparison.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/stages.h"
#include "large_input.h"
#include "pipeline/array/array_job.h"
#include "small_run.h"
#include "support/packed.h"
#include "support/temp_folder.h"

namespace {

std::set<std::pair<dev_t, ino_t>> counted_files;  // NOLINT: what read() below counts
std::atomic<std::uint64_t> counted_bytes{0};      // NOLINT

}  // namespace

// Replaces the C library's for the program and its libraries.
extern "C" ssize_t read(int descriptor, void* bytes, size_t size) {
  const ssize_t count = ::syscall(SYS_read, descriptor, bytes, size);
  struct stat status {};
  if (count > 0 && ::fstat(descriptor, &status) == 0 && counted_files.contains({status.st_dev, status.st_ino})) {
    counted_bytes += static_cast<std::uint64_t>(count);
  }
  return count;
}

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// A few blocks at the beginning: for the format, the compression and the first header.
constexpr std::uint64_t kProbeBytes = std::uint64_t{1} << 20U;

std::vector<fs::path> files_in(const fs::path& input) {
  if (!fs::is_directory(input)) return {input};
  return {fs::directory_iterator(input), fs::directory_iterator()};
}

std::uint64_t size_of(const fs::path& input) {
  std::uint64_t bytes = 0;
  for (const fs::path& file : files_in(input)) bytes += fs::file_size(file);
  return bytes;
}

class InputReadOnce : public testing::Test {
 protected:
  void TearDown() override { counted_files.clear(); }

  // How many times over `call` reads the bytes of `input`.
  static void expect_reads(std::uint64_t times, const fs::path& input, const std::function<void()>& call) {
    SCOPED_TRACE(input);
    counted_files.clear();
    for (const fs::path& file : files_in(input)) {
      struct stat status {};
      ASSERT_EQ(::stat(file.c_str(), &status), 0);
      counted_files.insert({status.st_dev, status.st_ino});
    }
    counted_bytes = 0;
    call();
    const std::uint64_t bytes = size_of(input);
    ASSERT_GT(bytes, 2 * kProbeBytes);
    EXPECT_GE(counted_bytes, times * bytes);
    EXPECT_LE(counted_bytes, times * bytes + kProbeBytes);
  }

  StageReport format(const fs::path& input, const std::string& format, bool force = false) const {
    const FormatTask task{.parts = {{{input}, {.format = input_format(format)}}}, .file = temp_ / "out" / "text.txt"};
    Progress silent;
    return format_articles(task, {.threads = threads_, .force = force}, silent);
  }

  // Once; and again by a call that finds the first one's results by the digest of its input.
  void expect_formatted(const fs::path& input, const std::string& name) {
    fs::remove_all(temp_ / "out");
    fs::remove_all(temp_ / ".out.bertprep");
    for (threads_ = 1; threads_ <= 2; ++threads_) {
      expect_reads(1, input, [&] { EXPECT_EQ(format(input, name, true).tasks_made, 1); });
    }
    expect_reads(1, input, [&] { EXPECT_EQ(format(input, name).tasks_found, 1); });
  }

  test::TempFolder temp_;
  const std::string text_ = test::articles_of_numbers(900);
  std::int64_t threads_ = 1;
};

TEST_F(InputReadOnce, OfPlainAndCompressedFiles) {
  expect_formatted(temp_.write("plain", text_), "articles");
  const std::string more = test::articles_of_numbers(2000);
  for (const char* kind : {"gzip", "bzip2", "zstd", "xz"}) {
    expect_formatted(temp_.write(kind, test::compress(kind, more)), "articles");
  }
}

TEST_F(InputReadOnce, OfRecordsAndFolders) {
  std::string records;
  for (std::size_t at = 0; at < text_.size(); at += 1000) {
    std::string part = text_.substr(at, 1000);
    for (char& c : part) c = c == '\n' ? ' ' : c;
    records += "{\"text\": \"" + part + "\"}\n";
  }
  expect_formatted(temp_.write("x.jsonl", records), "jsonl");
  for (int book = 0; book < 12; ++book) temp_.write("books/" + std::to_string(book) + ".txt", text_.substr(0, 300'000));
  expect_formatted(temp_ / "books", "books");
}

TEST_F(InputReadOnce, OfArchives) {
  const std::vector<test::PackedMember> members = {{"a.txt", text_}, {"b.md", text_}};
  expect_formatted(temp_.write("x.tar", test::pack("none", "ustar", members)), "books");
  expect_formatted(temp_.write("x.tar.gz", test::pack("gzip", "ustar", members)), "books");
  // libarchive seeks in a zip file, by calls that are not counted; the digest reads it once.
  expect_formatted(temp_.write("x.zip", test::pack("none", "zip", members)), "articles");
}

TEST_F(InputReadOnce, OfDumps) {
  const std::string dump = test::dump_of_numbers(100);
  for (const fs::path& input :
       {temp_.write("dump.xml", dump), temp_.write("dump.bz2", test::compress("bzip2", dump))}) {
    expect_formatted(input, "mediawiki");
    const ExtractTask task{.dumps = {input}, .folder = temp_ / (input.filename().string() + ".extracted")};
    Progress silent;
    expect_reads(1, input, [&] { EXPECT_EQ(extract_articles(task, {}, silent).tasks_made, 1); });
    expect_reads(1, input, [&] { EXPECT_EQ(extract_articles(task, {}, silent).tasks_found, 1); });
  }
}

TEST_F(InputReadOnce, OfATrainedVocabulary) {
  const fs::path input = temp_.write("text", text_);
  VocabTask task{
      .parts = {{{input}, {.format = InputFormat::kArticles}}}, .file = temp_ / "out" / "vocab.txt", .trainer = {}};
  task.trainer.vocab_size = 100;
  Progress silent;
  expect_reads(1, input, [&] { EXPECT_EQ(train_vocab(task, {}, silent).stage.tasks_made, 1); });
  expect_reads(1, input, [&] { EXPECT_EQ(train_vocab(task, {}, silent).stage.tasks_found, 1); });
}

TEST_F(InputReadOnce, OfAWholeRun) {
  const fs::path input = temp_.write("articles", text_);
  const std::vector<CorpusPart> parts = {{{input}, {.format = InputFormat::kArticles}}};
  const PipelineOptions options = test::small_options(temp_);
  Progress silent;
  const auto run = [&] { return build(parts, test::small_folders(temp_), options, silent); };
  expect_reads(1, input, [&] { EXPECT_EQ(run().stages.front().tasks_made, 1); });
  expect_reads(1, input, [&] { EXPECT_EQ(run().stages.front().tasks_made, 0); });
}

// The digest of the input also counts its lines, which number the pieces; a few blocks are read again for each piece.
TEST_F(InputReadOnce, OfAnArray) {
  std::string records;
  for (int i = 0; records.size() < (std::size_t{24} << 20U); ++i) {
    records += "{\"text\": \"Article " + std::to_string(i) + std::string(1000, '.') + "\"}\n";
  }
  const fs::path input = temp_.write("x.jsonl", records);
  const std::vector<CorpusPart> parts = {{{input}, {.format = InputFormat::kJsonl}}};
  const PipelineOptions options = test::small_options(temp_);
  const ArrayJob job{.folders = test::small_folders(temp_), .name = "small", .request = "x"};
  Progress silent;
  struct stat status {};
  ASSERT_EQ(::stat(input.c_str(), &status), 0);
  counted_files = {{status.st_dev, status.st_ino}};
  counted_bytes = 0;
  plan_array(job, parts, options, std::uint64_t{8} << 20U, silent);
  EXPECT_LE(counted_bytes, records.size() + 6 * kProbeBytes);
}

}  // namespace
}  // namespace bertprep
