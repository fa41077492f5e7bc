#include "wiki/dump/multistream_index.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

std::optional<IndexedPage> find(const std::filesystem::path& index, const std::string& title_or_id) {
  WantedPage wanted(title_or_id);
  return find_in_index(index, wanted);
}

class MultistreamIndexTest : public testing::Test {
 protected:
  test::TempFolder folder_;
  const std::string lines_ = "100:5:First\n100:6:A: colon\n900:7:Tom &amp; Jerry\n2000:8:Last\n";
};

TEST_F(MultistreamIndexTest, FindsPagesByTitleAndId) {
  for (const auto& index : {folder_.write("i.txt", lines_), folder_.write("i.txt.bz2", test::bzip2_stream(lines_))}) {
    const auto page = find(index, "6");
    ASSERT_TRUE(page);
    EXPECT_EQ(page->id, "6");
    EXPECT_EQ(page->stream.begin, 100U);
    EXPECT_EQ(page->stream.end, 900U);
    EXPECT_EQ(page->head.begin, 0U);
    EXPECT_EQ(page->head.end, 900U);
    EXPECT_EQ(find(index, "A: colon")->id, "6");
    EXPECT_EQ(find(index, "Tom & Jerry")->stream.begin, 900U);
    EXPECT_EQ(find(index, "Tom &amp; Jerry")->stream.end, 2000U);
    EXPECT_EQ(find(index, "Last")->stream.end, 0U);
    EXPECT_FALSE(find(index, "Nobody"));
  }
}

TEST_F(MultistreamIndexTest, RefusesWhatIsNoIndex) {
  EXPECT_THROW(find(folder_.write("a", "no index\n"), "x"), FormatError);
  EXPECT_THROW(find(folder_.write("b", "900:1:x\n100:2:y\n"), "z"), FormatError);
}

TEST_F(MultistreamIndexTest, NamesNearTitles) {
  const auto index = folder_.write(
      "i.txt", "1:5:Mercury (planet)\n1:6:Mercury (element)\n1:7:Q &quot;Odd Al&quot; &lt;R&gt; &amp; Co\n");
  EXPECT_EQ(find(index, "Q \"Odd Al\" <R> & Co")->id, "7");
  EXPECT_EQ(find(index, "q_\"Odd_Al\"_<R>_&_Co")->id, "7");
  EXPECT_EQ(find(index, "Q &quot;Odd Al&quot; &lt;R&gt; &amp; Co")->id, "7");
  WantedPage wanted("Mercury");
  EXPECT_FALSE(find_in_index(index, wanted));
  EXPECT_EQ(wanted.advice(), "near titles are 'Mercury (planet)', 'Mercury (element)'");
  WantedPage far("Venus");
  EXPECT_FALSE(find_in_index(index, far));
  EXPECT_EQ(far.advice(), "check the title or id");
}

TEST_F(MultistreamIndexTest, LiesBesideTheDump) {
  const auto dump = folder_.write("xxwiki-1-multistream.xml.bz2", "");
  EXPECT_EQ(index_beside(dump), "");
  const auto index = folder_.write("xxwiki-1-multistream-index.txt.bz2", "");
  EXPECT_EQ(index_beside(dump), index);
  const auto part = folder_.write("xxwiki-1-multistream2.xml-p5p9.bz2", "");
  const auto part_index = folder_.write("xxwiki-1-multistream-index2.txt-p5p9.bz2", "");
  EXPECT_EQ(index_beside(part), part_index);
  EXPECT_EQ(index_beside(folder_.write("plain.xml.bz2", "")), "");
}

}  // namespace
}  // namespace bertprep
