// The page of a set, as a whole. tests/e2e/shards/report_page_test.py checks it like browsers.
#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "report/report.h"
#include "support/temp_folder.h"
#include "unit/shard/shard_rows.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr ShardShape kShape{200, 32, 5};

class ReportPageTest : public testing::Test {
 protected:
  void add(const std::string& name, std::uint32_t seed) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_shard(folder_ / name, kShape, valid_rows(kShape, seed, 500));
  }
  std::string page(const ReportOptions& options = {}) {
    Progress progress;
    return report_page(report_on(folder_.path(), options, progress));
  }

  TempFolder folder_;
};

TEST_F(ReportPageTest, ShowsAnySetWithoutAManifest) {
  add("x_training_0.hdf5", 1);
  add("x_training_1.hdf5", 2);
  add("x_test_0.hdf5", 3);
  const std::string html = page();
  for (const char* text : {"600 rows of 32 tokens with up to 5 to predict; 2 training files, 1 other",
                           "Tokens in a row", "Rows of training files", "Rows of test files", "Most frequent ids",
                           "No manifest.json says", "x_training_1.hdf5: row "}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  EXPECT_LT(html.size(), 2'000'000U);
  EXPECT_EQ(html, page());
}

TEST_F(ReportPageTest, ShowsAsManyRowsAsAsked) {
  add("x_training_0.hdf5", 1);
  const auto rows_in = [&](std::size_t rows) {
    Progress progress;
    return report_on(folder_.path(), {.rows = rows}, progress).front().samples;
  };
  EXPECT_TRUE(rows_in(0).empty());
  EXPECT_EQ(rows_in(1000).size(), 200U);
  const auto three = rows_in(3);
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[0].row, 33U);
  EXPECT_EQ(three[1].row, 100U);
  EXPECT_EQ(three[2].row, 166U);
}

TEST_F(ReportPageTest, TakesAFileByItsNameAlone) {
  add("x_training_0.hdf5", 1);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  Progress progress;
  EXPECT_EQ(report_on("x_training_0.hdf5", {}, progress).front().figures.rows(), 200U);
  std::filesystem::current_path(before);
}

TEST_F(ReportPageTest, TakesNothingOfTheDataForMarkup) {
  add("<img src=x>_training_0.hdf5", 1);
  std::string vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (int i = 5; i < 500; ++i) vocab += "<script>alert(" + std::to_string(i) + ")</script>\n";
  const TempFolder vocabulary;
  vocabulary.write("vocab.txt", vocab);
  const std::string html = page({.vocab = (vocabulary / "vocab.txt").string()});
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(7)&lt;/script&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
}

TEST_F(ReportPageTest, HasAPartForEachFolder) {
  add("a/x_training_0.hdf5", 1);
  add("b/x_training_0.hdf5", 2);
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("<h1>a</h1>"));
  EXPECT_THAT(html, HasSubstr("<h1>b</h1>"));
  for (char name = 'c'; name < 'k'; ++name) add(std::string(1, name) + "/x_training_0.hdf5", 3);
  EXPECT_THROW(page(), FormatError);
}

TEST_F(ReportPageTest, ShowsWhatIsValidOfADamagedSet) {
  add("x_training_0.hdf5", 1);
  add("x_training_1.hdf5", 2);
  std::filesystem::resize_file(folder_ / "x_training_1.hdf5", 3000);
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("damaged-file"));
  EXPECT_THAT(html, HasSubstr("<dt>rows</dt><dd>200</dd>"));
}

}  // namespace
}  // namespace bertprep::test
