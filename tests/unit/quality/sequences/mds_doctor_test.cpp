// Doctor's findings in MDS sets.
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "stream/zstd_codec.h"
#include "unit/quality/sequences/valid_sequences.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using enum TrainerKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class MdsDoctorTest : public SequenceSetTest {};

TEST_F(MdsDoctorTest, SaysNothingOfValidSets) {
  add_mds(rows_of(40));
  EXPECT_EQ(found(), "");
  EXPECT_EQ(found("set/index.json"), "");
  EXPECT_EQ(found("set/"), "");
  for (const TrainerKind trainer : {kModernbert, kStreaming}) EXPECT_EQ(found("set", {.trainers = {trainer}}), "");
  add_mds(rows_of(40), {.encoding = "ndarray:int64", .more = {{"id", "str"}, {"len", "int"}}}, "wide");
  EXPECT_EQ(found("wide", {.trainers = {kModernbertStreaming}}), "");
  add_mds(rows_of(40), {.column = "tokens", .encoding = "ndarray:int32", .more = {{"metadata", "json"}}}, "tokens");
  EXPECT_EQ(found("tokens"), "");
  add_mds(rows_of(40), {.encoding = "bytes", .more = {{"len", "int"}}}, "bytes");
  EXPECT_EQ(found("bytes"), "");
  EXPECT_EQ(found("bytes", {.trainers = {kModernbertStreaming}}), "");
}

TEST_F(MdsDoctorTest, CountsSamplesAndTokens) {
  const Rows rows = rows_of(40);
  add_mds(rows);
  std::uint64_t tokens = 0;
  for (const auto& row : rows) tokens += row.size();
  Progress progress;
  const Diagnosis diagnosis = diagnose_any(folder_ / "set", {}, progress).front();
  EXPECT_EQ(diagnosis.files, 5U);
  EXPECT_EQ(diagnosis.rows, 40U);
  EXPECT_EQ(diagnosis.tokens, tokens);
}

TEST_F(MdsDoctorTest, FindsTypesThatStreamingMisreads) {
  add_mds(rows_of(40));
  EXPECT_EQ(found("set", {.trainers = {kModernbertStreaming}}), "id-type at : input_ids are uint16, not int64\n");
  add_mds(rows_of(40), {.encoding = "ndarray:int32"});
  EXPECT_EQ(found("set", {.trainers = {kModernbertStreaming}}), "id-type at : input_ids are int32, not int64\n");
}

TEST_F(MdsDoctorTest, FindsColumnsThatNobodyReads) {
  add_mds(rows_of(40), {.column = "tokens"});
  EXPECT_EQ(found(), "column-name at : samples have tokens, not input_ids\n");
  EXPECT_EQ(found("set", {.trainers = {kEurobert}}).substr(0, 11), "ragged-rows");
  add_mds(rows_of(40), {.column = "ids", .encoding = "ndarray:int32"});
  EXPECT_THAT(found(), StartsWith("column-name at : samples have ids, not input_ids"));
  add_mds(rows_of(40));
  EXPECT_THAT(found("set", {.trainers = {kEurobert}}), HasSubstr("samples have input_ids, not tokens"));
}

TEST_F(MdsDoctorTest, FindsBytesWhereArraysAreRead) {
  add_mds(rows_of(40), {.encoding = "bytes"});
  EXPECT_EQ(found(), "column-encoding at : input_ids is bytes, not an array of integers\n");
  add_mds(rows_of(40), {.encoding = "bytes", .more = {{"len", "int"}}});
  EXPECT_THAT(found("set", {.trainers = {kModernbert}}), StartsWith("column-encoding"));
}

TEST_F(MdsDoctorTest, FindsTextBesideIds) {
  add_mds(rows_of(40), {.encoding = "ndarray:int64", .more = {{"text", "str"}}});
  EXPECT_EQ(found(), "text-and-ids at : samples have text and input_ids\n");
  EXPECT_EQ(findings("set", {.trainers = {kModernbertStreaming}}).front().severity(), Severity::kSilent);
  EXPECT_EQ(findings("set", {.trainers = {kModernbert}}).front().severity(), Severity::kRemark);
}

TEST_F(MdsDoctorTest, FindsPickles) {
  add_mds(rows_of(40), {.more = {{"extra", "str"}}});
  std::string index = read("set/index.json");
  for (std::size_t at = index.find("\"str\""); at != std::string::npos; at = index.find("\"str\"", at + 1)) {
    index.replace(at, 5, "\"pkl\"");
  }
  write("set/index.json", index);
  EXPECT_THAT(found(), HasSubstr("unsafe-column at : column 'extra' has the encoding 'pkl'"));
}

TEST_F(MdsDoctorTest, FindsCompressedShardsAlone) {
  add_mds(rows_of(8));
  const std::string raw = read("set/shard.00000.mds");
  std::string packed;
  append_zstd_frame(raw, 3, packed);
  write("set/shard.00000.mds.zstd", packed);
  replace("set/index.json", "\"zip_data\": null",
          "\"zip_data\": {\"basename\": \"shard.00000.mds.zstd\", \"bytes\": " + std::to_string(packed.size()) +
              ", \"hashes\": {}}");
  EXPECT_EQ(found(), "");
  fs::remove(folder_ / "set/shard.00000.mds");
  EXPECT_EQ(found(), "only-compressed at shard.00000.mds.zstd: is there, shard.00000.mds is not\n");
  EXPECT_EQ(findings("set", {.trainers = {kStreaming}}).front().severity(), Severity::kHang);
  write("set/shard.00000.mds.zstd", packed.substr(0, packed.size() / 2));
  EXPECT_THAT(found(), HasSubstr("damaged-shard at shard.00000.mds"));
  fs::remove(folder_ / "set/shard.00000.mds.zstd");
  write("set/shard.00000.mds", raw);
  EXPECT_EQ(found(), "only-raw at shard.00000.mds: exists without shard.00000.mds.zstd, which the index names\n");
  EXPECT_EQ(found("set", {.trainers = {kModernbert}}), "");
}

TEST_F(MdsDoctorTest, FindsTruncatedShards) {
  add_mds(rows_of(40));
  const std::string whole = read("set/shard.00002.mds");
  for (const std::size_t left : {whole.size() - 1, whole.size() / 2, std::size_t{20}, std::size_t{4}, std::size_t{0}}) {
    write("set/shard.00002.mds", whole.substr(0, left));
    EXPECT_THAT(found(), StartsWith("damaged-shard at shard.00002.mds: ")) << left;
    EXPECT_EQ(findings("set").size(), 1U) << left;
  }
  // With an index that counts the rest.
  const std::string cut = whole.substr(0, whole.size() - 7);
  write("set/shard.00002.mds", cut);
  replace("set/index.json", "\"bytes\": " + std::to_string(whole.size()), "\"bytes\": " + std::to_string(cut.size()));
  EXPECT_THAT(found(), HasSubstr("its samples end at"));
}

TEST_F(MdsDoctorTest, FindsOtherNumbersOfSamples) {
  add_mds(rows_of(40));
  replace("set/index.json", "\"samples\": 8", "\"samples\": 9");
  EXPECT_EQ(found(), "sample-count at shard.00000.mds: holds 8 samples, the index says 9\n");
  replace("set/index.json", "\"samples\": 9", "\"samples\": 7");
  EXPECT_THAT(found(), StartsWith("sample-count at shard.00000.mds"));
}

TEST_F(MdsDoctorTest, FindsIndexesThatCantBeRead) {
  add_mds(rows_of(40));
  const std::string whole = read("set/index.json");
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 300), std::string("null"), std::string("[1]"), std::string("{\"version\": 2}"),
        std::string(1000, '\0'), std::string("{\"shards\": [{\"samples\": -1}]}")}) {
    write("set/index.json", bytes);
    EXPECT_THAT(found(), StartsWith("broken-index at index.json: ")) << bytes.substr(0, 20);
  }
  fs::remove(folder_ / "set/index.json");
  EXPECT_EQ(found(), "no-index at : has shards, but no index.json\n");
}

TEST_F(MdsDoctorTest, FindsSetsWithoutSamples) {
  write("set/index.json", "{\"shards\": [], \"version\": 2}");
  EXPECT_EQ(found(), "no-samples at : holds no samples\n");
}

TEST_F(MdsDoctorTest, FindsWrongPathsOfMergedSets) {
  add_mds(rows_of(8), {}, "set/all/part");
  std::string index = read("set/all/part/index.json");
  fs::remove(folder_ / "set/all/part/index.json");
  const std::string wrong = "part/shard.00000.mds";
  index.replace(index.find("shard.00000.mds"), 15, wrong);
  write("set/index.json", index);
  EXPECT_EQ(found(), "missing-shards at part/shard.00000.mds: is named in the index, but missing\n");
  EXPECT_THAT(findings("set").front().fix, HasSubstr("all/part"));
  write("set/index.json", index.replace(index.find(wrong), wrong.size(), "../../etc/passwd"));
  EXPECT_THAT(found(), StartsWith("missing-shards"));
}

TEST_F(MdsDoctorTest, FindsShardsTwiceAndShardsLeftOut) {
  add_mds(rows_of(24));
  replace("set/index.json", "shard.00001.mds", "shard.00000.mds");
  EXPECT_THAT(found(), AllOf(HasSubstr("shard-twice at shard.00000.mds"), HasSubstr("unlisted-shards at shard.00001")));
  add_mds(rows_of(24));
  write("set/shard.00001.mds", read("set/shard.00000.mds"));
  EXPECT_THAT(found(), HasSubstr("same-rows at shard.00001.mds: holds the same samples as shard.00000.mds"));
}

TEST_F(MdsDoctorTest, FindsBytesThatChanged) {
  add_mds(rows_of(24));
  const std::string shard = read("set/shard.00001.mds");
  std::string index = read("set/index.json");
  const std::size_t entry = index.find("shard.00001.mds");
  index.replace(index.find("\"hashes\": {}", entry), 12, "\"hashes\": {\"sha256\": \"" + sha256_of(shard) + "\"}");
  write("set/index.json", index);
  EXPECT_EQ(found(), "");
  std::string changed = shard;
  changed[changed.size() - 6] = static_cast<char>(changed[changed.size() - 6] ^ 1);
  write("set/shard.00001.mds", changed);
  EXPECT_THAT(found(), StartsWith("other-digest at shard.00001.mds: has the sha256 "));
}

TEST_F(MdsDoctorTest, FindsDamagedSamples) {
  add_mds(rows_of(8));
  std::string shard = read("set/shard.00000.mds");
  shard[shard.size() - 2 * rows_of(8).back().size() - 1] = 99;  // the number of ids of the last sample
  write("set/shard.00000.mds", shard);
  EXPECT_THAT(found(), StartsWith("damaged-sample at shard.00000.mds:7: an array of 99 numbers has "));
}

TEST_F(MdsDoctorTest, FindsShardsOfTwoKinds) {
  add_mds(rows_of(8));
  const std::string first = read("set/index.json");
  add_mds(rows_of(16), {.encoding = "ndarray:int32"});
  std::string index = read("set/index.json");
  const std::size_t second = index.find("}, {");
  write("set/index.json", first.substr(0, first.find("], \"version\"")) + ", " + index.substr(second + 3));
  EXPECT_THAT(found(), HasSubstr("mixed-columns at shard.00001.mds"));
  EXPECT_THAT(found(), HasSubstr("other-columns at shard.00000.mds"));
}

TEST_F(MdsDoctorTest, FindsSplitsOfOtherNames) {
  add_mds(rows_of(24), {}, "data/train");
  add_mds(rows_of(24), {}, "data/val");
  EXPECT_EQ(found("data"), "");
  EXPECT_EQ(found("data", {.splits = {"train", "val"}}), "");
  EXPECT_EQ(found("data", {.splits = {"train", "validation"}}),
            "split-name at : has no folder 'validation', but 'val'\n");
  EXPECT_THAT(found("data", {.trainers = {kBioclinical}}), HasSubstr("has no folder 'eval'"));
  EXPECT_THAT(found("data/train", {.splits = {"train"}}), HasSubstr("has no folder 'train'"));
}

TEST_F(MdsDoctorTest, FindsPartsThatWereNotMerged) {
  add_mds(rows_of(24), {}, "set/00000");
  add_mds(rows_of(24), {}, "set/00001");
  EXPECT_THAT(found(), StartsWith("no-index at : holds no index.json itself; 2 folders below it do\n"));
  EXPECT_THAT(findings("set").front().fix, HasSubstr("reindex"));
}

TEST_F(MdsDoctorTest, FindsLongRows) {
  add_mds(rows_of(40));
  EXPECT_EQ(found("set", {.max_tokens = 64}), "");
  EXPECT_THAT(found("set", {.max_tokens = 20}), StartsWith("long-rows at shard."));
  Rows rows = rows_of(40);
  rows[3].insert(rows[3].begin() + 1, 9000, 1234);
  add_mds(rows);
  EXPECT_EQ(found(), "");
  EXPECT_THAT(found("set", {.trainers = {kBioclinical}}), HasSubstr("long-rows at shard.00000.mds:3: has 9,0"));
  EXPECT_EQ(findings("set", {.trainers = {kModernbert}}).front().severity(), Severity::kRemark);
}

TEST_F(MdsDoctorTest, FindsRowsOfUnequalLength) {
  Rows rows(40, std::vector<std::int32_t>(32, 1234));
  add_mds(rows, {.column = "tokens", .encoding = "ndarray:int32", .rows_of_shard = 40});
  EXPECT_EQ(found(), "");
  rows[7].pop_back();
  add_mds(rows, {.column = "tokens", .encoding = "ndarray:int32", .rows_of_shard = 40});
  EXPECT_EQ(found(), "ragged-rows at : 39 of 40 rows have 32 ids, the others from 31 to 32\n");
  EXPECT_EQ(findings("set").front().severity(), Severity::kCrash);
}

TEST_F(MdsDoctorTest, FindsCachesThatAreTooSmall) {
  add_mds(rows_of(40));
  EXPECT_EQ(found("set", {.cache_limit = 1 << 20}), "");
  EXPECT_THAT(found("set", {.cache_limit = 1000}), StartsWith("cache-limit at shard."));
}

TEST_F(MdsDoctorTest, FindsFewSamplesForManyRanks) {
  add_mds(rows_of(40));
  EXPECT_THAT(found("set", {.ranks = 8}), StartsWith("few-samples at : has 40 samples for 8 ranks"));
  EXPECT_EQ(found("set", {.trainers = {kModernbert}, .ranks = 8}), "");
  EXPECT_THAT(found("set", {.trainers = {kStreaming}, .ranks = 7}), HasSubstr("uneven-end at "));
}

TEST_F(MdsDoctorTest, FindsBoundariesThatAreMissingOrDoubled) {
  Rows rows = rows_of(40);
  rows[5].pop_back();
  add_mds(rows);
  EXPECT_EQ(found(), "special-ids at shard.00000.mds:5: 1 of 40 rows doesn't end with 102 as the others do\n");
  rows = rows_of(40);
  for (auto& row : rows) row.insert(row.begin(), kCls);
  add_mds(rows);
  EXPECT_EQ(found(), "special-ids at shard.00000.mds:0: 40 rows begin with 101 twice\n");
  rows = rows_of(40);
  for (auto& row : rows) row.erase(row.begin());
  add_mds(rows);
  EXPECT_EQ(found(), "special-ids at : rows end with 102, but begin with many different ids\n");
  add_mds(rows_of(40, false));
  EXPECT_EQ(found(), "");  // the same for blocks
  EXPECT_THAT(found("set", {.trainers = {kModernbert}}), HasSubstr("have no [CLS] and [SEP]"));
}

TEST_F(MdsDoctorTest, FindsIdsOfAnotherTokenizer) {
  add_mds(rows_of(40));
  DoctorOptions options{.tokenizer = SetTokenizer{50368, SpecialIds{.cls = 50281, .sep = 50282}}};
  EXPECT_THAT(found("set", options),
              HasSubstr("special-ids at shard.00000.mds:0: 40 of 40 rows don't begin with 50281, the [CLS] of the"));
  options.tokenizer->specials = SpecialIds{.cls = kCls, .sep = kSep};
  EXPECT_EQ(found("set", options), "");
  EXPECT_THAT(found("set", {.model_pieces = 5000}), StartsWith("vocabulary-too-small at shard.00000.mds:"));
  EXPECT_EQ(found("set", {.model_pieces = 119547}),
            "narrow-type at : ids are uint16, but the vocabulary has 119,547 pieces\n");
}

TEST_F(MdsDoctorTest, FindsNegativeIds) {
  add_mds(rows_of(8), {.encoding = "ndarray:int32"});
  std::string shard = read("set/shard.00000.mds");
  shard.back() = '\xFF';  // of the last [SEP]
  write("set/shard.00000.mds", shard);
  EXPECT_THAT(found(), HasSubstr("negative-ids at shard.00000.mds:7: id -"));
}

TEST_F(MdsDoctorTest, TrainersOfOtherFormatsFindNothingToRead) {
  add_mds(rows_of(40));
  EXPECT_EQ(found("set", {.trainers = {kNvidia}}), "other-format at : holds an MDS set\n");
  EXPECT_EQ(found("set", {.trainers = {kMegatronGpt}}), "other-format at : holds an MDS set\n");
  write("empty/a.txt", "a");
  EXPECT_THROW(found("empty", {.trainers = {kModernbert}}), FormatError);
  EXPECT_THROW(found("absent", {.trainers = {kModernbert}}), IoError);
}

}  // namespace
}  // namespace bertprep::test
