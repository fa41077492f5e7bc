#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "io/json.h"
#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string extracted_dump(const std::vector<std::string>& texts, const std::string& end = "</mediawiki>\n") {
  std::string dump = "<mediawiki version=\"0.10\">\n<siteinfo>\n<base>https://x.org/wiki/Main</base>\n</siteinfo>\n";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string id = std::to_string(i + 1);
    dump += "<page>\n<title>T" + id + "</title>\n<ns>0</ns>\n<id>" + id + "</id>\n<revision>\n<id>9" + id +
            "</id>\n<timestamp>2019-03-04T05:06:07Z</timestamp>\n<text>" + texts[i] + "</text>\n</revision>\n</page>\n";
  }
  return dump + end;
}

std::string doc_of(int number, const std::string& text) {
  const std::string id = std::to_string(number);
  return "<doc id=\"" + id + "\" url=\"https://x.org/wiki?curid=" + id + "\" title=\"T" + id + "\">\nT" + id + "\n\n" +
         text + "\n\n</doc>\n";
}

class ExtractNotes final : public Progress {
 public:
  void skipped(const SkippedRecord& record) override { lines.push_back(record.where + ": " + record.reason); }
  void note(std::string_view text) override { lines.emplace_back(text); }
  std::vector<std::string> lines;
};

class ExtractStageTest : public testing::Test {
 protected:
  StageReport extract(const fs::path& dump, const std::string& bytes = "100M", bool force = false,
                      std::int64_t threads = 2) {
    ExtractTask task;
    task.dumps = {dump};
    task.files.bytes = bytes;
    task.folder = folder();
    WorkOptions work;
    work.force = force;
    work.threads = threads;
    return extract_articles(task, work, notes_);
  }
  fs::path folder() const { return temp_ / "out"; }
  std::string file(const std::string& name) const { return test::read_bytes(folder() / name); }

  test::TempFolder temp_;
  ExtractNotes notes_;
};

TEST_F(ExtractStageTest, WritesFilesAndWhereTheArticlesAre) {
  const StageReport report = extract(temp_.write("x.xml", extracted_dump({"one", "two"})));
  EXPECT_EQ(report.articles, 2U);
  EXPECT_EQ(report.rejected, 0U);
  EXPECT_EQ(file("AA/wiki_00"), doc_of(1, "one") + doc_of(2, "two"));
  const auto lines = test::read_lines(folder() / "articles.jsonl");
  ASSERT_EQ(lines.size(), 2U);
  const Json second = Json::parse(lines[1], "");
  EXPECT_EQ(second.at("id").text(), "2");
  EXPECT_EQ(second.at("revision_id").text(), "92");
  EXPECT_EQ(second.at("dump").text(), "x.xml");
  EXPECT_EQ(second.at("file").text(), "AA/wiki_00");
  EXPECT_EQ(second.at("byte").as_unsigned(), doc_of(1, "one").size());
  EXPECT_EQ(second.at("bytes").as_unsigned(), doc_of(2, "two").size());
}

// A file is full when the next article would make it larger; a first article that is too large leaves it empty.
TEST_F(ExtractStageTest, BeginsANewFileWhenOneIsFull) {
  const std::size_t size = doc_of(1, "one").size();
  const auto dump = temp_.write("x.xml", extracted_dump({"one", "two", "six"}));
  extract(dump, std::to_string(2 * size));
  EXPECT_EQ(test::names_of(test::read_tree(folder())),
            (std::vector<std::string>{"AA/wiki_00", "AA/wiki_01", "articles.jsonl"}));
  EXPECT_EQ(file("AA/wiki_01"), doc_of(3, "six"));
  extract(dump, std::to_string(2 * size - 1), true);
  EXPECT_EQ(file("AA/wiki_02"), doc_of(3, "six"));
  extract(dump, "10", true);
  EXPECT_EQ(file("AA/wiki_00"), "");
  EXPECT_EQ(file("AA/wiki_03"), doc_of(3, "six"));
  extract(dump, "1K", true);
  EXPECT_EQ(test::names_of(test::read_tree(folder())), (std::vector<std::string>{"AA/wiki_00", "articles.jsonl"}));
}

TEST_F(ExtractStageTest, FoldersFollowEachOther) {
  extract(temp_.write("x.xml", extracted_dump(std::vector<std::string>(2'700, "x"))), "1");
  EXPECT_TRUE(fs::exists(folder() / "AA" / "wiki_99"));
  EXPECT_EQ(file("AB/wiki_00"), doc_of(100, "x"));
  EXPECT_EQ(file("BA/wiki_99"), doc_of(2699, "x"));
  EXPECT_EQ(file("BB/wiki_00"), doc_of(2700, "x"));
}

TEST_F(ExtractStageTest, FindsItsWorkDone) {
  const auto dump = temp_.write("x.xml", extracted_dump({"one"}));
  EXPECT_EQ(extract(dump).tasks_made, 1U);
  const StageReport again = extract(dump);
  EXPECT_EQ(again.tasks_found, 1U);
  EXPECT_EQ(again.articles, 1U);
  fs::remove(folder() / "AA" / "wiki_00");
  EXPECT_EQ(extract(dump).tasks_made, 1U);
  temp_.write("x.xml", extracted_dump({"two"}));
  EXPECT_THROW(extract(dump), FormatError);
  EXPECT_EQ(file("AA/wiki_00"), doc_of(1, "one"));
  EXPECT_EQ(extract(dump, "100M", true).tasks_made, 1U);
  EXPECT_EQ(file("AA/wiki_00"), doc_of(1, "two"));
}

TEST_F(ExtractStageTest, SparesFilesOfOthers) {
  temp_.write("out/AA/wiki_07", "mine\n");
  const auto dump = temp_.write("x.xml", extracted_dump({"one"}));
  EXPECT_THROW(extract(dump), FormatError);
  EXPECT_EQ(file("AA/wiki_07"), "mine\n");
  extract(dump, "100M", true);
  EXPECT_EQ(test::names_of(test::read_tree(folder())), (std::vector<std::string>{"AA/wiki_00", "articles.jsonl"}));
}

TEST_F(ExtractStageTest, ATruncatedDumpLeavesAllWholePagesAndNoRecord) {
  const auto dump = temp_.write("x.xml", extracted_dump({"one", "two"}, "<page>\n<title>Cut</title>\n"));
  for (int call = 0; call < 2; ++call) {
    try {
      extract(dump);
      ADD_FAILURE() << "no error";
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr("within the page 'Cut'"));
    }
    EXPECT_EQ(file("AA/wiki_00"), doc_of(1, "one") + doc_of(2, "two"));
  }
}

TEST_F(ExtractStageTest, RejectsBadPages) {
  const StageReport report = extract(temp_.write("x.xml", extracted_dump({"one", "t\xFFo", "three"})));
  EXPECT_EQ(report.articles, 2U);
  EXPECT_EQ(report.rejected, 1U);
  EXPECT_THAT(notes_.lines, ElementsAre(HasSubstr("x.xml: page 'T2' (id 2): ")));
  EXPECT_THAT(test::read_bytes(temp_ / ".out.bertprep" / "extract.rejects.jsonl"), HasSubstr("\"where\""));
  EXPECT_EQ(file("AA/wiki_00"), doc_of(1, "one") + doc_of(3, "three"));
}

TEST_F(ExtractStageTest, AWikiOfRedirectsIsNoError) {
  std::string dump = extracted_dump({"one"});
  dump.insert(dump.find("<revision>"), "<redirect title=\"x\" />\n");
  EXPECT_EQ(extract(temp_.write("x.xml", dump)).articles, 0U);
  EXPECT_EQ(file("AA/wiki_00"), "");
  EXPECT_THAT(notes_.lines, ElementsAre(HasSubstr("no article was found: 1 redirect and 0 pages")));
}

TEST_F(ExtractStageTest, GivesTheSameBytesWithAnyNumberOfThreads) {
  std::vector<std::string> texts;
  for (int i = 0; i < 3'000; ++i)
    texts.push_back(std::string(1 + i * 37 % 900, 'x') + "\n''y'' [[z|" + std::to_string(i) + "]]");
  texts[1500] = std::string(3'000'000, 'y');
  const auto dump = temp_.write("x.xml", extracted_dump(texts));
  extract(dump, "100K", true, 1);
  const auto first = test::read_tree(folder());
  for (const int threads : {2, 7}) {
    extract(dump, "100K", true, threads);
    EXPECT_EQ(test::difference(first, test::read_tree(folder())), "") << threads;
  }
}

TEST_F(ExtractStageTest, FindsOnePage) {
  ExtractTask task;
  task.dumps = {temp_.write("x.xml", extracted_dump({"one", "two"}))};
  EXPECT_EQ(extract_page(task, "T2", {}, {}, notes_), doc_of(2, "two"));
  EXPECT_EQ(extract_page(task, "1", {}, {}, notes_), doc_of(1, "one"));
  EXPECT_EQ(extract_page(task, "t2", {}, {}, notes_), doc_of(2, "two"));
  try {
    extract_page(task, "T3", {}, {}, notes_);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("there is no article 'T3'"));
  }
}

TEST_F(ExtractStageTest, RefusesInvalidSizes) {
  const auto dump = temp_.write("x.xml", extracted_dump({"one"}));
  for (const char* bytes : {"", "0", "10X", "-1", "K", "99999999999999G"})
    EXPECT_THROW(extract(dump, bytes), ConfigError) << bytes;
}

}  // namespace
}  // namespace bertprep
