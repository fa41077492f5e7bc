// Progress and total are counted in the same bytes: those of the input as stored on disk.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bertprep/pipeline/stages.h"
#include "large_input.h"
#include "support/packed.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct Span {
  std::string name;
  std::uint64_t total = 0;
  std::uint64_t done = 0;
  std::uint64_t steps = 0;
};

class Counter final : public Progress {
 public:
  void begin(std::string_view stage, std::uint64_t total, std::string_view) override {
    spans.push_back({std::string(stage), total, 0, 0});
  }
  void advance(std::uint64_t amount) override {
    Span& now = spans.back();
    now.done += amount;
    now.steps += amount == 0 ? 0 : 1;
    if (now.done > now.total) exceeded = true;
  }

  const Span& named(const std::string& name) const {
    for (const Span& span : spans) {
      if (span.name == name) return span;
    }
    throw std::runtime_error("no span " + name);
  }

  std::vector<Span> spans;
  bool exceeded = false;
};

class InputProgress : public testing::Test {
 protected:
  void expect_whole(const std::string& span_name, std::uint64_t bytes, std::uint64_t min_steps) const {
    const Span& span = counter_.named(span_name);
    EXPECT_EQ(span.total, bytes);
    EXPECT_EQ(span.done, bytes);
    EXPECT_GE(span.steps, min_steps);
    EXPECT_FALSE(counter_.exceeded);
  }

  void expect_formatted(const fs::path& input, const std::string& format, std::uint64_t min_steps) {
    SCOPED_TRACE(input);
    counter_ = {};
    FormatTask task;
    task.parts = {{{input}, {.format = input_format(format)}}};
    task.file = temp_ / "out.txt";
    WorkOptions work;
    work.threads = 2;
    work.force = true;
    format_articles(task, work, counter_);
    expect_whole("format", fs::file_size(input), min_steps);
  }

  test::TempFolder temp_;
  Counter counter_;
};

TEST_F(InputProgress, CountsTheBytesOfTheFileAndNotOfTheTextInIt) {
  const std::string text = test::articles_of_numbers(900);
  expect_formatted(temp_.write("plain", text), "articles", 3);
  for (const char* kind : {"gzip", "bzip2", "zstd", "xz"}) {
    expect_formatted(temp_.write(kind, test::compress(kind, text)), "articles", 3);
  }
}

TEST_F(InputProgress, CountsTheBytesOfAnArchive) {
  const std::string text = test::articles_of_numbers(400);
  const std::vector<test::PackedMember> members = {{"a.txt", text}, {"b.txt", text}, {"c.md", text}};
  expect_formatted(temp_.write("x.tar", test::pack("none", "ustar", members)), "books", 2);
  expect_formatted(temp_.write("x.tar.gz", test::pack("gzip", "ustar", members)), "books", 2);
  expect_formatted(temp_.write("x.zip", test::pack("none", "zip", members)), "articles", 2);
  expect_formatted(temp_.write("x.7z", test::pack("none", "7zip", members)), "articles", 2);
}

TEST_F(InputProgress, CountsTheBytesOfADump) {
  const std::string dump = test::dump_of_numbers(60);
  expect_formatted(temp_.write("dump.xml", dump), "mediawiki", 3);
  const fs::path packed = temp_.write("dump.xml.bz2", test::compress("bzip2", dump));
  expect_formatted(packed, "mediawiki", 3);

  counter_ = {};
  ExtractTask task;
  task.dumps = {packed};
  task.folder = temp_ / "extracted";
  extract_articles(task, {}, counter_);
  expect_whole("extract", fs::file_size(packed), 3);
}

TEST_F(InputProgress, CountsTheBytesOfAFormattedFileThatIsSplit) {
  const fs::path file = temp_.write("a.txt.zst", test::compress("zstd", test::articles_of_numbers(900)));
  PipelineOptions options;
  options.sentences.rules = SentenceRules::kIcu;
  options.sharding.train_shards = 2;
  options.sharding.test_shards = 1;
  shard_articles({{file}, "x", temp_ / "shards"}, options, counter_);
  expect_whole("sentences", fs::file_size(file), 3);
  const Span& written = counter_.named("text shards");
  EXPECT_EQ(written.done, written.total);
}

}  // namespace
}  // namespace bertprep
