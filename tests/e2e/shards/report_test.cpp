// report, and inspect --html, as a user runs them. report_page_test.py checks the pages.
#include <fstream>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ReportTest : public E2eTest {
 protected:
  static std::string bytes_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

TEST_F(ReportTest, ShowsBothPhasesOfARun) {
  succeed(run_sample());
  const Finished finished = succeed({"report", path("root"), "-o", path("report.html")});
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, AllOf(HasSubstr(" rows, 0 warnings, "), HasSubstr("report.html: ")));
  const std::string page = bytes_of(folder() / "report.html");
  EXPECT_LT(page.size(), 2'000'000U);
  for (const char* text : {"<h1>sample, rows of 128 tokens</h1>", "<h1>sample, rows of 512 tokens</h1>", "unequal-rows",
                           "Random next sentences by shard", "Words that became [UNK]", "Pieces that never occur",
                           "[CLS]", "<td>vocab-sha256</td>", "sample_training_3.hdf5: row "}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  EXPECT_EQ(succeed({"report", path("root"), "-o", "-"}).out, page);
  succeed({"report", path("root"), "-o", path("report.html")});
  EXPECT_EQ(bytes_of(folder() / "report.html"), page);
}

TEST_F(ReportTest, ShowsRequestedTrainersStagesAndMarkup) {
  folder().write("events.jsonl", succeed(run_sample() + Arguments{"--json"}).out);
  succeed({"report", phase1(), "-o", path("report.html"), "--for", "nvidia", "--world-size", "64", "--events",
           path("events.jsonl")});
  const std::string page = bytes_of(folder() / "report.html");
  EXPECT_THAT(page, AllOf(HasSubstr("fewer-files-than-ranks"), Not(HasSubstr("unequal-rows")),
                          HasSubstr("Time and memory"), HasSubstr(" MB of memory"),
                          HasSubstr("Markup left in the text"), HasSubstr("Tokens in a sentence, by shard")));
  fail(1, {"report", phase1(), "-o", path("report.html"), "--events", path("report.html")}, {"contains no event"});
  fail(2, {"report", phase1(), "-o", path("report.html"), "--for", "modernbert"}, {"--for modernbert", "nvidia"});
}

TEST_F(ReportTest, NamesHowManyRecordsItLacks) {
  succeed(run_sample());
  const fs::path shards = phase1();
  fs::path state = shards;
  state.replace_filename("." + shards.filename().string() + ".bertprep");
  std::ofstream(state / "records" / (shards.filename().string() + "_training_1.json")) << "{";
  const std::string page = succeed({"report", phase1(), "-o", "-", "-q"}).out;
  EXPECT_THAT(page, HasSubstr("1 shard has no completion record that can be read"));
}

TEST_F(ReportTest, ReportsItsFindingsAsEvents) {
  succeed(run_sample());
  const Finished finished = succeed({"report", phase1(), "-o", path("report.html"), "--json", "-q"});
  EXPECT_THAT(finished.out, AllOf(HasSubstr("\"event\":\"reported\""), HasSubstr("\"findings\":1")));
  fail(2, {"report", phase1(), "-o", "-", "--json"}, {"both write to stdout"});
}

TEST_F(ReportTest, ReplacesItsOwnPagesAlone) {
  succeed(run_sample());
  std::ofstream(folder() / "mine.html") << "<h1>Mine</h1>";
  fail(1, {"report", phase1(), "-o", path("mine.html")}, {"mine.html", "bertprep did not make it", "--force"});
  EXPECT_EQ(bytes_of(folder() / "mine.html"), "<h1>Mine</h1>");
  succeed({"report", phase1(), "-o", path("mine.html"), "--force"});
  fail(2, {"report", phase1(), "-o", path("training.html")}, {"'training' in its name"});
  fail(2, {"report", phase1(), "-o", path("report.hdf5")}, {"ends in .html"});
  fail(1, {"report", path("work"), "-o", path("report.html")}, {"contains no HDF5 file"});
}

TEST_F(ReportTest, ShowsOtherToolsSets) {
  for (const char* kind : {"huggingface", "wide", "no-mask"}) {
    fs::create_directories(folder() / kind);
    const Finished made = run_program({"/usr/bin/python3", source_folder() / "tests/e2e/shards/broken_shard.py", kind,
                                       folder() / kind / "x_training_0.hdf5"});
    ASSERT_EQ(made.exit_status, 0) << made.err;
    const std::string page = succeed({"report", path(kind), "-o", "-", "-q"}).out;
    EXPECT_THAT(page, AllOf(HasSubstr("Most frequent ids"), HasSubstr("No manifest.json says"),
                            HasSubstr("<dt>rows</dt><dd>300</dd>")))
        << kind;
  }
}

TEST_F(ReportTest, InspectWritesAPage) {
  succeed(run_sample());
  const std::string shard = (phase1() / "sample_training_0.hdf5").string();
  const Finished page = succeed({"inspect", shard, "--rows", "2:5", "--html"});
  EXPECT_THAT(page.out, AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("<b>row 2</b>"), HasSubstr("<b>row 4</b>"),
                              Not(HasSubstr("<b>row 5</b>")), HasSubstr("class=\"m\""), HasSubstr("</html>\n")));
  EXPECT_THAT(succeed({"inspect", shard}).out, Not(HasSubstr("\033")));
  fail(2, {"inspect", shard, "--html", "--json"}, {"both write to stdout"});
}

}  // namespace
}  // namespace bertprep::test
