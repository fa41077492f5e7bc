#include "wiki/dump/multistream_index.h"

#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

class MultistreamIndexTest : public testing::Test {
 protected:
  test::TempFolder folder_;
  const std::string lines_ = "100:5:First\n100:6:A: colon\n900:7:Tom &amp; Jerry\n2000:8:Last\n";
};

TEST_F(MultistreamIndexTest, FindsPagesByTitleAndId) {
  for (const auto& index : {folder_.write("i.txt", lines_), folder_.write("i.txt.bz2", test::bzip2_stream(lines_))}) {
    const auto page = find_in_index(index, "6");
    ASSERT_TRUE(page);
    EXPECT_EQ(page->id, "6");
    EXPECT_EQ(page->stream.begin, 100U);
    EXPECT_EQ(page->stream.end, 900U);
    EXPECT_EQ(page->head.begin, 0U);
    EXPECT_EQ(page->head.end, 900U);
    EXPECT_EQ(find_in_index(index, "A: colon")->id, "6");
    EXPECT_EQ(find_in_index(index, "Tom & Jerry")->stream.begin, 900U);
    EXPECT_EQ(find_in_index(index, "Tom &amp; Jerry")->stream.end, 2000U);
    EXPECT_EQ(find_in_index(index, "Last")->stream.end, 0U);
    EXPECT_FALSE(find_in_index(index, "Nobody"));
  }
}

TEST_F(MultistreamIndexTest, RefusesWhatIsNoIndex) {
  EXPECT_THROW(find_in_index(folder_.write("a", "no index\n"), "x"), FormatError);
  EXPECT_THROW(find_in_index(folder_.write("b", "900:1:x\n100:2:y\n"), "z"), FormatError);
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
