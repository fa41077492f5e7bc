// Markup that is left in rows, and the time and memory of stages.
#include <gmock/gmock.h>

#include "report/report.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kPieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n[\n]\n<\nref\nthe\ncat\n##s\n{\n";

std::vector<std::int64_t> ids_of(const Vocab& vocab, const std::vector<std::string>& pieces) {
  std::vector<std::int64_t> ids;
  for (const std::string& piece : pieces) ids.push_back(vocab.find(piece).value());
  return ids;
}

TEST(MarkupResidueTest, CountsRowsAndShowsPlaces) {
  const Vocab vocab = Vocab::parse(kPieces, "vocab.txt");
  MarkupResidue residue(vocab);
  residue.begin_file("x_training_0.hdf5");
  const auto add = [&](const std::vector<std::string>& pieces) {
    const std::vector<std::int64_t> ids = ids_of(vocab, pieces);
    const std::vector<std::int64_t> mask(ids.size(), 1);
    RowView row;
    row.ids = ids;
    row.mask = mask;
    residue.add(row);
  };
  add({"[CLS]", "the", "cat", "##s", "[SEP]"});
  add({"[CLS]", "[", "[", "cat", "##s", "]", "]", "[", "[", "the", "]", "[SEP]"});
  add({"[CLS]", "<", "ref", "[", "the", "[SEP]"});
  EXPECT_EQ(residue.rows(), 3U);
  std::vector<std::string> found;
  for (const ResidueKind& kind : residue.kinds()) {
    if (kind.rows > 0) found.push_back(kind.name + " " + std::to_string(kind.rows));
    if (kind.name != "[[") continue;
    ASSERT_EQ(kind.samples.size(), 1U);
    EXPECT_EQ(kind.samples.front().row, 1U);
    EXPECT_EQ(kind.samples.front().text, "[CLS] [ [ cats ] ] [ [ the ] [SEP]");
  }
  EXPECT_THAT(found, ElementsAre("[[ 1", "]] 1", "<ref 1"));
}

TEST(MarkupResidueTest, TakesIdsThatAreNoPieces) {
  const Vocab vocab = Vocab::parse(kPieces, "vocab.txt");
  MarkupResidue residue(vocab);
  const std::vector<std::int64_t> ids{-5, 1 << 20, 5, 5};
  RowView row;
  row.ids = ids;
  residue.add(row);
  residue.add(RowView());
  EXPECT_EQ(residue.rows(), 2U);
}

TEST(StageFiguresTest, AreReadFromEvents) {
  const auto stages = stages_in(
      "{\"event\":\"begin\",\"stage\":\"format\"}\nno event\n"
      "{\"event\":\"stage\",\"stage\":\"format\",\"tasks_made\":0,\"bytes_in\":0,\"bytes_out\":7,\"seconds\":0}\n"
      "{\"event\":\"stage\",\"stage\":\"shard\",\"tasks_made\":3,\"bytes_in\":2000000,\"bytes_out\":7,\"seconds\":0.5,"
      "\"peak_bytes\":31000000}\n{\"event\":\"stage\",\"stage\":\"inst");
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_TRUE(stages[0].is_found);
  EXPECT_EQ(stages[1].peak_bytes, 31000000U);
  EXPECT_EQ(stages[1].seconds, 0.5);
  EXPECT_TRUE(stages_in("").empty());
}

}  // namespace
}  // namespace bertprep::test
