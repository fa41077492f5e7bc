// Doctor's findings in Megatron sets.
#include "unit/quality/sequences/valid_sequences.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using enum TrainerKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kTypeByte = 17;
constexpr std::size_t kLengths = 34;

class MegatronDoctorTest : public SequenceSetTest {
 protected:
  // Writes a number into a file.
  template <class Number>
  void put(const std::string& name, std::size_t at, Number number) {
    std::string bytes = read(name);
    std::string raw;
    append_little_endian(number, raw);
    write(name, bytes.replace(at, raw.size(), raw));
  }
  // The offsets of the numbers for thirty sentences in ten documents.
  static std::size_t offset_at(std::size_t i) { return kLengths + 30 * 4 + i * 8; }
  static std::size_t end_at(std::size_t i) { return kLengths + 30 * 12 + i * 8; }

  const std::string kSentences = "x_text_sentence";
  const std::string kDocuments = "x_text_document";
};

TEST_F(MegatronDoctorTest, SaysNothingOfValidSets) {
  add_sentences();
  add_documents();
  for (const std::string name :
       {"x_text_sentence", "x_text_sentence.bin", "x_text_sentence.idx", "x_text_document", ""}) {
    EXPECT_EQ(found(name), "") << name;
  }
  EXPECT_EQ(found(kSentences, {.trainers = {kMegatronBert}}), "");
  EXPECT_EQ(found(kDocuments, {.trainers = {kMegatronGpt}}), "");
}

TEST_F(MegatronDoctorTest, FindsTypesThatDontFit) {
  add_sentences();
  put<std::uint8_t>(kSentences + ".idx", kTypeByte, 4);
  EXPECT_THAT(found(kSentences), AllOf(StartsWith("type-code at : its .idx counts "), HasSubstr("2 for each")));
  EXPECT_EQ(findings(kSentences).size(), 1U);
  put<std::uint8_t>(kSentences + ".idx", kTypeByte, 7);
  EXPECT_THAT(found(kSentences), StartsWith("type-code"));
  add_megatron(rows_of(30, false), std::vector<std::size_t>(10, 3), kSentences, IdType::kInt32);
  EXPECT_EQ(found(kSentences), "");
  put<std::uint8_t>(kSentences + ".idx", kTypeByte, 8);
  EXPECT_THAT(found(kSentences), AllOf(StartsWith("type-code"), HasSubstr("4 for each")));
}

TEST_F(MegatronDoctorTest, FindsFilesOfOtherSizes) {
  add_sentences();
  const std::string ids = read(kSentences + ".bin");
  for (const std::size_t left : {ids.size() - 1, ids.size() - 2, std::size_t{1}, std::size_t{0}}) {
    write(kSentences + ".bin", ids.substr(0, left));
    EXPECT_THAT(found(kSentences), HasSubstr("ids-size at : its .idx counts ")) << left;
  }
  write(kSentences + ".bin", ids + "ab");
  EXPECT_THAT(found(kSentences), StartsWith("ids-size"));
  EXPECT_THAT(findings(kSentences).front().fix, HasSubstr("to another set"));
  fs::remove(folder_ / (kSentences + ".bin"));
  EXPECT_EQ(found(kSentences), "no-ids at : its .bin is missing\n");
  EXPECT_EQ(found(""), "no-ids at : its .bin is missing\n");
}

TEST_F(MegatronDoctorTest, FindsIndexesThatCantBeRead) {
  add_sentences();
  const std::string index = read(kSentences + ".idx");
  for (const std::size_t left : {std::size_t{0}, std::size_t{5}, std::size_t{20}, std::size_t{100}, index.size() - 1}) {
    write(kSentences + ".idx", index.substr(0, left));
    EXPECT_THAT(found(kSentences), StartsWith("broken-index at : its .idx ")) << left;
  }
  write(kSentences + ".idx", index);
  put<std::uint64_t>(kSentences + ".idx", 18, std::uint64_t{1} << 62U);
  EXPECT_THAT(found(kSentences), StartsWith("broken-index"));
  write(kSentences + ".idx", index);
  put<std::int32_t>(kSentences + ".idx", kLengths + 8, -4);
  EXPECT_THAT(found(kSentences), StartsWith("broken-index at : its .idx is damaged: sequence 2 has -4 ids"));
}

TEST_F(MegatronDoctorTest, FindsOffsetsThatAreNoRunningSum) {
  add_sentences();
  put<std::int64_t>(kSentences + ".idx", offset_at(29), -5);
  EXPECT_THAT(found(kSentences), StartsWith("offsets at : sequence 29 is at byte -5, expected "));
  EXPECT_EQ(findings(kSentences).size(), 1U);
}

TEST_F(MegatronDoctorTest, FindsDocumentsThatEndElsewhere) {
  add_sentences();
  const std::string index = read(kSentences + ".idx");
  for (const auto& [at, end] : std::vector<std::pair<std::size_t, std::int64_t>>{{10, 29}, {10, 31}, {4, 3}, {0, 1}}) {
    write(kSentences + ".idx", index);
    put<std::int64_t>(kSentences + ".idx", end_at(at), end);
    EXPECT_THAT(found(kSentences), StartsWith("document-ends at : ")) << at;
    EXPECT_EQ(findings(kSentences).size(), 1U) << found(kSentences);
  }
}

TEST_F(MegatronDoctorTest, FindsDocumentsForBertAndSentencesForGpt) {
  add_documents();
  EXPECT_THAT(found(kDocuments, {.trainers = {kMegatronBert}}),
              StartsWith("one-sentence at : all 10 documents have a single sequence"));
  add_sentences();
  EXPECT_THAT(found(kSentences, {.trainers = {kMegatronGpt}}), StartsWith("no-end at : 10 documents end with many"));
  add_megatron(rows_of(10, false), std::vector<std::size_t>(10, 1), kSentences);
  EXPECT_THAT(found(kSentences), StartsWith("one-sentence"));
  add_megatron(rows_of(12, false), {1, 1, 1, 1, 1, 1, 1, 1, 4}, kSentences);
  EXPECT_EQ(findings(kSentences).front().severity(), Severity::kRemark);
}

TEST_F(MegatronDoctorTest, FindsDocumentsWithoutEnds) {
  add_megatron(rows_of(10, false), std::vector<std::size_t>(10, 1), kDocuments);
  EXPECT_THAT(found(kDocuments), HasSubstr("no-end at : 10 documents end with many different ids"));
  // A full stop ends documents, but also sentences.
  Rows rows = rows_of(10, false);
  for (auto& row : rows) {
    row.insert(row.begin() + 2, 5);
    row.insert(row.begin() + 4, 5);
    row.push_back(5);
  }
  add_megatron(rows, std::vector<std::size_t>(10, 1), kDocuments);
  EXPECT_THAT(found(kDocuments), HasSubstr("no-end at "));
  for (auto& row : rows) row.push_back(7);
  rows[4].pop_back();
  add_megatron(rows, std::vector<std::size_t>(10, 1), kDocuments);
  EXPECT_THAT(found(kDocuments), HasSubstr("no-end at : 1 of 10 documents doesn't end with 7 as the others"));
}

TEST_F(MegatronDoctorTest, FindsLongSentences) {
  Rows rows = rows_of(30, false);
  rows[7].resize(513, 1234);
  add_megatron(rows, std::vector<std::size_t>(10, 3), kSentences);
  EXPECT_EQ(found(kSentences), "long-sentences at :7: 1 sequence of more than 512 ids, the longest of 513\n");
}

TEST_F(MegatronDoctorTest, FindsIdsThatCantBe) {
  add_sentences();
  EXPECT_THAT(found(kSentences, {.model_pieces = 2000}), StartsWith("vocabulary-too-small at :"));
  EXPECT_EQ(found(kSentences, {.model_pieces = 250002}),
            "narrow-type at : ids are uint16, but the vocabulary has 250,002 pieces\n");
  add_megatron(rows_of(30, false), std::vector<std::size_t>(10, 3), kSentences, IdType::kInt32);
  put<std::int32_t>(kSentences + ".bin", 40, -1);
  EXPECT_EQ(found(kSentences), "negative-ids at :1: id -1 at [5]\n");
}

TEST_F(MegatronDoctorTest, FindsBoundariesThatTheTrainerAdds) {
  add_megatron(rows_of(30), std::vector<std::size_t>(10, 3), kSentences);
  EXPECT_EQ(found(kSentences), "special-ids at : sequences begin with 101 and end with 102\n");
}

}  // namespace
}  // namespace bertprep::test
