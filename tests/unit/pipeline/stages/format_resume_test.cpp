// A call of format_articles that is interrupted anywhere leaves what the next one needs: the results are those of one
// call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>

#include "base/random.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "pipeline/stages/loaded_stages.h"
#include "pipeline/stages/unfinished_format.h"
#include "support/packed.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

// Stops after some bytes of input.
class Stopping final : public Progress {
 public:
  explicit Stopping(std::uint64_t bytes) : left_(bytes) {}
  void advance(std::uint64_t bytes) override { left_ -= std::min(left_.load(), bytes); }
  bool cancelled() const override { return left_ == 0; }
  void note(std::string_view text) override { notes += std::string(text) + "\n"; }

  std::string notes;

 private:
  std::atomic<std::uint64_t> left_;
};

// Some megabytes of articles, one of them bad.
std::string json_lines(std::uint64_t articles) {
  Random random("3");
  std::string lines;
  for (std::uint64_t i = 0; i < articles; ++i) {
    std::string text;
    for (int word = 0; word < 400; ++word)
      text += "word" + std::to_string(random.below(5000)) + (word % 9 ? " " : ". ");
    lines += i == articles / 3 ? "{\"text\": 1}\n"
                               : "{\"title\":\"T" + std::to_string(i) + "\",\"text\":\"" + text + "\"}\n";
  }
  return lines;
}

std::string dump(int pages) {
  Random random("4");
  std::string xml =
      "<mediawiki xml:lang=\"en\" version=\"0.10\" xmlns=\"http://www.mediawiki.org/xml/export-0.10/\">\n<siteinfo>\n"
      "<base>https://en.wikipedia.org/wiki/Main</base>\n</siteinfo>\n";
  for (int id = 1; id <= pages; ++id) {
    std::string text;
    for (int word = 0; word < 3000; ++word) {
      text += random.below(100) == 0 ? "{{odd" + std::to_string(random.below(50)) + "}} " : "";
      text += "Word" + std::to_string(random.below(5000)) + (word % 9 ? " " : ". ");
    }
    xml += "<page>\n<title>P" + std::to_string(id) + "</title>\n<ns>0</ns>\n<id>" + std::to_string(id) +
           "</id>\n<revision>\n<id>7</id>\n<timestamp>2010-01-02T03:04:05Z</timestamp>\n<model>wikitext</model>\n"
           "<text xml:space=\"preserve\">" +
           text + "</text>\n</revision>\n</page>\n";
  }
  return xml + "</mediawiki>\n";
}

class FormatResume : public testing::Test {
 protected:
  FormatStep task(const std::string& folder) const {
    FormatStep task{{.parts = parts_, .file = temp_ / folder / "f.txt.zst"}};
    task.splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
    task.is_intermediate = true;
    task.checkpoint_bytes = 1;
    return task;
  }
  StageReport format(const FormatStep& task, Progress& progress) const {
    return format_articles(task, {.threads = 2}, progress);
  }
  // By name, without what is empty.
  static std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const fs::path& place : {folder, folder.parent_path() / ("." + folder.filename().string() + ".bertprep")}) {
      for (const auto& entry : fs::recursive_directory_iterator(place)) {
        if (!entry.is_regular_file()) continue;
        files[entry.path().lexically_relative(place).string()] = read_file(entry.path());
      }
    }
    return files;
  }

  void expect_the_same_after_interruptions(std::uint64_t input_bytes) {
    Progress silent;
    const StageReport whole = format(task("whole"), silent);
    for (const std::uint64_t share : {7, 3, 2}) {
      const std::string folder = "in_" + std::to_string(share);
      int calls = 0;
      for (bool is_done = false; !is_done; ++calls) {
        ASSERT_LT(calls, 50);
        Stopping stopping(input_bytes / share * (calls + 1));
        try {
          const StageReport report = format(task(folder), stopping);
          EXPECT_EQ(report.articles, whole.articles);
          EXPECT_EQ(report.rejected, whole.rejected);
          EXPECT_EQ(report.bytes_out, whole.bytes_out);
          is_done = true;
        } catch (const Cancelled&) {
          EXPECT_FALSE(fs::exists(temp_ / folder / "f.txt.zst"));
        }
        resumes_ = resumes_ || stopping.notes.find("resumes after") != std::string::npos;
      }
      EXPECT_GT(calls, 1);
      EXPECT_EQ(files_in(temp_ / folder), files_in(temp_ / "whole")) << share;
    }
  }

  TempFolder temp_;
  std::vector<CorpusPart> parts_;
  bool resumes_ = false;
};

TEST_F(FormatResume, OfJsonLines) {
  const std::string lines = json_lines(3000);
  parts_ = {{{temp_.write("a.jsonl", lines)}}, {{temp_.write("b.jsonl.gz", compress("gzip", lines))}}};
  expect_the_same_after_interruptions(lines.size());
  EXPECT_TRUE(resumes_);
}

TEST_F(FormatResume, OfDumpsWithTheirTemplates) {
  std::string streams = bzip2_stream(dump(180), 1);
  parts_ = {{{temp_.write("a.xml.bz2", streams)}}};
  parts_[0].source.format = InputFormat::kMediawiki;
  parts_[0].wiki.clean = true;
  parts_[0].wiki.report = temp_ / "report.json";
  expect_the_same_after_interruptions(streams.size());
  EXPECT_TRUE(resumes_);
}

TEST_F(FormatResume, ACallThatFindsTheFileRemovesWhatAKilledOneHasLeft) {
  parts_ = {{{temp_.write("a.jsonl", json_lines(30))}}};
  Progress silent;
  format(task("f"), silent);
  const auto finished = files_in(temp_ / "f");
  const fs::path unfinished = temp_ / ".f.bertprep/unfinished/f.txt.zst";
  fs::create_directories(unfinished);
  std::ofstream(unfinished / "checkpoint.json") << "killed before it was removed";
  {
    const auto other_process = FileClaim::take(unfinished / "lock");
    EXPECT_EQ(format(task("f"), silent).tasks_found, 1U);
    EXPECT_TRUE(fs::exists(unfinished / "checkpoint.json"));
  }
  EXPECT_EQ(format(task("f"), silent).tasks_found, 1U);
  EXPECT_EQ(files_in(temp_ / "f"), finished);
  EXPECT_FALSE(fs::exists(unfinished.parent_path()));
}

TEST_F(FormatResume, StartsOverForAnotherInputOrRecipeAndDamage) {
  const std::string lines = json_lines(3000);
  const fs::path input = temp_.write("a.jsonl", lines);
  parts_ = {{{input}}};
  const fs::path unfinished = temp_ / ".f.bertprep/unfinished/f.txt.zst";
  const auto interrupt = [&] {
    fs::remove_all(temp_ / "f");
    fs::remove_all(temp_ / ".f.bertprep/records");
    Stopping stopping(lines.size() * 2 / 3);
    EXPECT_THROW(format(task("f"), stopping), Cancelled);
    EXPECT_TRUE(fs::exists(unfinished / "checkpoint.json"));
  };
  const auto resumes = [&] {
    Stopping never(UINT64_MAX);
    const StageReport report = format(task("f"), never);
    EXPECT_FALSE(fs::exists(unfinished.parent_path()));
    EXPECT_EQ(report.articles, 2999U);
    return never.notes.find("resumes after") != std::string::npos;
  };
  interrupt();
  EXPECT_TRUE(resumes());

  interrupt();
  temp_.write("a.jsonl", lines);  // written again
  EXPECT_FALSE(resumes());

  interrupt();
  parts_[0].source.html = HtmlHandling::kKeep;
  EXPECT_FALSE(resumes());

  for (const char* file : {"text", "origins", "sentences", "rejects", "checkpoint.json"}) {
    interrupt();
    std::string bytes = read_file(unfinished / file);
    ASSERT_FALSE(bytes.empty()) << file;
    bytes[bytes.size() / 3] ^= 1;
    std::ofstream(unfinished / file, std::ios::binary) << bytes;
    EXPECT_FALSE(resumes()) << file;
  }
}

TEST_F(FormatResume, OfTwoProcessesOneKeepsCheckpoints) {
  parts_ = {{{temp_.write("a.jsonl", json_lines(3000))}}};
  const OutputFolder folder(temp_ / "f");
  const auto held = UnfinishedFormat::claim(folder, "f.txt.zst");
  ASSERT_TRUE(held);
  EXPECT_FALSE(UnfinishedFormat::claim(folder, "f.txt.zst"));
  EXPECT_TRUE(UnfinishedFormat::claim(folder, "g.txt.zst"));
  Progress silent;
  EXPECT_EQ(format(task("f"), silent).articles, 2999U);
  EXPECT_TRUE(fs::exists(temp_ / "f/f.txt.zst"));
}

}  // namespace
}  // namespace bertprep::test
