// Reindex: repairs what doctor finds wrong with an index, and keeps the old one.
#include "pipeline/sequences/reindex.h"

#include "bertprep/base/error.h"
#include "stream/zstd_codec.h"
#include "unit/quality/sequences/valid_sequences.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class ReindexTest : public SequenceSetTest {
 protected:
  ReindexReport again(const std::string& name) {
    Progress progress;
    return reindex(folder_ / name, progress);
  }
};

TEST_F(ReindexTest, WritesTheSameIndex) {
  add_mds(rows_of(40), {.encoding = "ndarray:int64", .more = {{"id", "str"}, {"len", "int"}}});
  const std::string index = read("set/index.json");
  EXPECT_FALSE(again("set").is_new);
  fs::remove(folder_ / "set/index.json");
  const ReindexReport report = again("set/");
  EXPECT_TRUE(report.is_new);
  EXPECT_EQ(report.files, 5U);
  EXPECT_EQ(report.sequences, 40U);
  EXPECT_EQ(read("set/index.json"), index);
}

TEST_F(ReindexTest, LeavesARightIndexOfAnotherWriter) {
  add_mds(rows_of(24));
  const std::string index = read("set/index.json");
  const std::string shards = index.substr(0, index.rfind(", \"version\""));
  const std::string other = "{ \"version\": 2,\n" + shards.substr(1) + "}\n";
  write("set/index.json", other);
  EXPECT_FALSE(again("set").is_new);
  EXPECT_EQ(read("set/index.json"), other);
  EXPECT_FALSE(fs::exists(folder_ / "set/index.json.changed-1"));
}

TEST_F(ReindexTest, KeepsTheOldIndex) {
  add_mds(rows_of(24));
  const std::string index = read("set/index.json");
  write("set/index.json", index.substr(0, 100));
  again("set");
  EXPECT_EQ(read("set/index.json"), index);
  EXPECT_EQ(read("set/index.json.changed-1"), index.substr(0, 100));
}

TEST_F(ReindexTest, MergesFoldersAndTakesCompressedShards) {
  add_mds(rows_of(16), {}, "set/00000");
  add_mds(rows_of(24), {}, "set/deep/00001");
  std::string packed;
  append_zstd_frame(read("set/00000/shard.00001.mds"), 3, packed);
  write("set/00000/shard.00001.mds.zstd", packed);
  EXPECT_EQ(again("set").sequences, 40U);
  EXPECT_THAT(read("set/index.json"), HasSubstr("\"deep/00001/shard.00002.mds\""));
  EXPECT_THAT(read("set/index.json"), Not(HasSubstr("zstd")));
  fs::remove(folder_ / "set/00000/shard.00001.mds");
  again("set");
  EXPECT_THAT(read("set/index.json"), HasSubstr("\"00000/shard.00001.mds.zstd\""));
  EXPECT_THAT(found(), testing::StartsWith("only-compressed at 00000/shard.00001.mds.zstd"));
}

TEST_F(ReindexTest, RefusesAmbiguousFiles) {
  add_mds(rows_of(24));
  const std::string shard = read("set/shard.00001.mds");
  for (const std::size_t left : {shard.size() - 1, shard.size() / 2, std::size_t{10}, std::size_t{0}}) {
    write("set/shard.00001.mds", shard.substr(0, left));
    EXPECT_THROW(again("set"), FormatError) << left;
  }
  add_mds(rows_of(24), {}, "data/train");
  EXPECT_THROW(again("data"), FormatError);
  write("empty/a.txt", "a");
  EXPECT_THROW(again("empty"), FormatError);
  EXPECT_THROW(again("absent"), IoError);
}

TEST_F(ReindexTest, RebuildsMegatronIndexes) {
  add_sentences();
  const std::string name = "x_text_sentence.idx";
  const std::string index = read(name);
  EXPECT_FALSE(again("x_text_sentence").is_new);
  const std::size_t ends = 34 + 30 * 12;
  const auto changed = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::string wrong = index;
    for (std::size_t i = 0; i < bytes; ++i) wrong[at + i] = static_cast<char>(value >> (8 * i) & 0xFFU);
    return wrong;
  };
  for (const std::string& wrong : {changed(17, 4, 1), changed(34 + 30 * 4 + 8, ~std::uint64_t{0}, 8),
                                   changed(ends, 1, 8), changed(34 + 30 * 4 + 29 * 8, 7, 8)}) {
    write(name, wrong);
    EXPECT_TRUE(again("x_text_sentence.idx").is_new);
    EXPECT_EQ(read(name), index);
  }
  write(name, changed(ends + 80, 29, 8));  // the last document was not closed
  again("x_text_sentence.bin");
  EXPECT_EQ(found("x_text_sentence"), "");
  // Two sets, the ends of the second not shifted.
  std::string merged = index;
  for (std::uint64_t i = 6; i <= 10; ++i) {
    const std::uint64_t end = (i - 5) * 3;
    for (std::size_t byte = 0; byte < 8; ++byte) merged[ends + i * 8 + byte] = static_cast<char>(end >> (8 * byte));
  }
  write(name, merged);
  EXPECT_THAT(found("x_text_sentence"), testing::StartsWith("document-ends"));
  again("x_text_sentence");
  EXPECT_EQ(read(name), index);
}

TEST_F(ReindexTest, RefusesTruncatedMegatronFiles) {
  add_sentences();
  const std::string ids = read("x_text_sentence.bin");
  write("x_text_sentence.bin", ids.substr(0, ids.size() - 2));
  EXPECT_THROW(again("x_text_sentence"), FormatError);
  write("x_text_sentence.bin", ids);
  const std::string index = read("x_text_sentence.idx");
  write("x_text_sentence.idx", index.substr(0, index.size() - 3));
  EXPECT_THROW(again("x_text_sentence"), FormatError);
}

}  // namespace
}  // namespace bertprep::test
