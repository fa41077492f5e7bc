// `--clean --report` of extract, format and run: which templates were dropped.
#include <string>

#include "e2e/e2e_test.h"
#include "io/json.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr int kPages = 900;    // several blocks
constexpr int kLongPage = 20;  // finished before those that precede it in its block
constexpr std::size_t kLongBytes = std::size_t{3} << 20U;

class TemplateReportTest : public E2eTest {
 protected:
  void SetUp() override {
    std::string dump = "<mediawiki>\n<siteinfo>\n<base>https://en.wikipedia.org/wiki/Main_Page</base>\n</siteinfo>\n";
    for (int i = 1; i <= kPages; ++i) {
      const std::string number = std::to_string(i);
      const std::string text = "{{Infobox}}\nWords. More " + number + " {{lang|de|Wort}} {{missing|" + number +
                               "}} {{rare-" + std::to_string(i % 7) + "}} stand here{{citation needed}}" +
                               (i == 500 ? "{{when}}." : ".");
      if (i == kLongPage) dump += long_page();
      dump += "<page>\n<title>Page " + number + "</title>\n<ns>0</ns>\n<id>" + number + "</id>\n<revision>\n<id>" +
              number + "</id>\n<text>" + text + "</text>\n</revision>\n</page>\n";
    }
    folder().write("dump.xml", dump + "</mediawiki>\n");
  }

  static std::string long_page() {
    std::string words;
    while (words.size() < kLongBytes) words += "These are words of a long page.\n\n";
    return "<page>\n<title>Long</title>\n<ns>0</ns>\n<id>9999</id>\n<revision>\n<id>9999</id>\n<text>{{missing|long}} "
           "{{of the long page}} stand here.\n\n" +
           words + "</text>\n</revision>\n</page>\n";
  }

  Arguments extract(const std::string& name) {
    return {"extract", "--clean", path("dump.xml"), "-o", path(name), "--report", path(name + ".json")};
  }
};

TEST_F(TemplateReportTest, IsTheSameForAnyThreads) {
  for (const std::string threads : {"1", "2", "7"}) succeed(extract("t" + threads) + Arguments{"-j", threads});
  const std::string report = read_text(path("t1.json"));
  EXPECT_EQ(read_text(path("t2.json")), report);
  EXPECT_EQ(read_text(path("t7.json")), report);
  EXPECT_EQ(read_text(path("t7/AA/wiki_00")), read_text(path("t1/AA/wiki_00")));
  expect_nothing_unfinished(folder().path());

  const Json json = Json::parse(report, "report");
  const Json& in_text = json.at("in_text");
  EXPECT_EQ(in_text.at("shown").as_unsigned(), 900U);
  EXPECT_EQ(in_text.at("silent").as_unsigned(), 901U);
  EXPECT_EQ(in_text.at("dropped").as_unsigned(), 1802U);
  EXPECT_EQ(in_text.at("share_shown").text(), "0.3331");
  const auto& names = in_text.at("dropped_templates").items();
  ASSERT_EQ(names.size(), 9U);
  EXPECT_EQ(names[0].at("name").text(), "missing");
  EXPECT_EQ(names[0].at("uses").as_unsigned(), 901U);
  EXPECT_EQ(names[0].at("page").text(), "Page 1");
  EXPECT_EQ(names[0].at("sample").text(), "{{missing|1}}");
  EXPECT_EQ(names[1].at("name").text(), "rare-1");  // 129 uses, as rare-2, rare-3 and rare-4
  EXPECT_EQ(names[7].at("name").text(), "rare-6");
  const auto& silent = in_text.at("silent_templates").items();
  ASSERT_EQ(silent.size(), 2U);
  EXPECT_EQ(silent[0].at("name").text(), "citation needed");
  EXPECT_EQ(silent[0].at("uses").as_unsigned(), 900U);
  EXPECT_EQ(silent[1].at("name").text(), "when");
  EXPECT_EQ(silent[1].at("uses").as_unsigned(), 1U);
  EXPECT_EQ(json.at("elsewhere").at("dropped_templates").items().at(0).at("name").text(), "infobox");
}

TEST_F(TemplateReportTest, FormatAndRunWriteTheSame) {
  succeed(extract("x"));
  const std::string report = read_text(path("x.json"));
  succeed({"format", "--clean", path("dump.xml"), "-o", path("plain.txt")});
  const Arguments format = {"format", "--clean", path("dump.xml"), "-o", path("plain.txt"), "--report", path("f.json")};
  const std::string text = read_text(path("plain.txt"));
  for (const std::string threads : {"1", "2", "7"}) {
    fs::remove(path("f.json"));
    succeed(format + Arguments{"-j", threads});  // made again, for the report
    EXPECT_EQ(read_text(path("f.json")), report);
    EXPECT_EQ(read_text(path("plain.txt")), text);
    EXPECT_THAT(succeed(format).err, HasSubstr("nothing to do"));
  }
  fail(2, {"format", "--clean", path("dump.xml"), "-o", path("a.txt"), "--report", path("a.txt")}, {"the results"});
  fail(2, {"format", path("dump.xml"), "-o", path("a.txt"), "--report", path("a.json")}, {"--report", "add --clean"});
  fail(2, {"format", sample("sample.jsonl"), "-o", path("a.txt"), "--clean", "--report", path("a.json")},
       {"no effect for the format jsonl"});
  EXPECT_FALSE(fs::exists(path("a.json")));

  const Arguments plain = run_on({path("dump.xml"), "--clean"}, "root", "work", 2, 1);
  const Arguments run = plain + Arguments{"--report", path("r.json")};
  succeed(run);
  EXPECT_EQ(read_text(path("r.json")), report);
  EXPECT_THAT(succeed(run).err, HasSubstr("nothing to do"));
  fail(2, plain + Arguments{"--report", path("root/r.json")}, {"the results", "outside"});
}

TEST_F(TemplateReportTest, AnArrayWritesTheSame) {
  const Arguments plain = run_on({path("dump.xml"), "--clean"}, "root", "work", 2, 1);
  succeed(plain + Arguments{"--report", path("r.json")});
  const Arguments job = run_on({path("dump.xml"), "--clean"}, "many", "array", 2, 1);
  const auto do_all = [&](const Arguments& arguments) {
    for (const std::string stage : {"fetch", "format", "place", "shard", "instances", "finish"}) {
      Arguments fetched{"--stage", stage};
      if (stage == "fetch") fetched = fetched + Arguments{"--piece-size", "1M"};
      succeed(arguments + fetched);
    }
  };
  do_all(job + Arguments{"--report", path("a.json")});
  EXPECT_EQ(read_text(path("a.json")), read_text(path("r.json")));
  fs::remove(path("a.json"));
  do_all(job + Arguments{"--report", path("b.json")});  // of a job that has finished
  EXPECT_EQ(read_text(path("b.json")), read_text(path("r.json")));
  fail(2, job + Arguments{"--stage", "fetch", "--report", path("many/r.json")}, {"the results", "outside"});
}

TEST_F(TemplateReportTest, ARunCountsAgainWhereItsReportIsMissing) {
  const Arguments plain = run_on({path("dump.xml"), "--clean"}, "root", "work", 2, 1);
  const Arguments run = plain + Arguments{"--report", path("r.json")};
  succeed(plain);
  const FileTree shards = read_tree(path("root"));
  const std::string note = "format: repeated, to count templates for --report";
  EXPECT_THAT(succeed(run).err, HasSubstr(note));
  const std::string report = read_text(path("r.json"));
  EXPECT_THAT(report, HasSubstr("of the long page"));
  EXPECT_THAT(succeed(run).err, HasSubstr("nothing to do"));
  EXPECT_THAT(succeed(plain).err, HasSubstr("nothing to do"));
  fs::remove(path("r.json"));
  fs::remove_all(path("work/formatted_one_article_per_line"));
  EXPECT_THAT(succeed(run).err, HasSubstr(note));
  EXPECT_EQ(read_text(path("r.json")), report);
  EXPECT_EQ(difference(shards, read_tree(path("root"))), "");
}

TEST_F(TemplateReportTest, IsKeptOrMadeAgain) {
  succeed({"extract", "--clean", path("dump.xml"), "-o", path("x")});
  const std::string articles = read_text(path("x/AA/wiki_00"));
  succeed(extract("x"));  // made again, for the report
  const std::string report = read_text(path("x.json"));
  const auto written = fs::last_write_time(path("x.json"));
  EXPECT_THAT(succeed(extract("x")).err, HasSubstr("nothing to do"));
  EXPECT_EQ(fs::last_write_time(path("x.json")), written);
  fs::remove(path("x.json"));
  succeed(extract("x"));
  EXPECT_EQ(read_text(path("x.json")), report);
  EXPECT_EQ(read_text(path("x/AA/wiki_00")), articles);
  EXPECT_THAT(succeed({"extract", "--clean", path("dump.xml"), "-o", path("x")}).err, HasSubstr("nothing to do"));
}

TEST_F(TemplateReportTest, IsRefusedOverOtherFiles) {
  const Arguments command = {"extract", "--clean", path("dump.xml"), "-o", path("x"), "--report"};
  fail(2, command + Arguments{path("dump.xml")}, {"dump.xml", "input"});
  fail(2, {"extract", "--clean", path("dump.xml"), "-o", path("x/"), "--report", path("x/r.json")},
       {"among the results"});
  fail(2, command + Arguments{path("x/AA/wiki_00")}, {"among the results", "outside"});
  folder().write("notes.json", "{}");
  fail(1, command + Arguments{path("notes.json")}, {"notes.json", "bertprep did not make it", "--force"});
  EXPECT_EQ(read_text(path("notes.json")), "{}");
  fail(2, {"extract", path("dump.xml"), "-o", path("x"), "--report", path("r.json")}, {"--report", "add --clean"});
  fail(2, {"extract", "--clean", path("dump.xml"), "--page", "1", "--report", path("r.json")}, {"--page"});
  EXPECT_FALSE(fs::exists(path("x/AA")));
  succeed(command + Arguments{path("notes.json"), "--force"});
  EXPECT_THAT(read_text(path("notes.json")), HasSubstr("missing"));
}

}  // namespace
}  // namespace bertprep::test
