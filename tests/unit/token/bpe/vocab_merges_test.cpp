#include "token/bpe/byte_pair_files.h"

#include <gmock/gmock.h>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

std::string vocab_json(const std::vector<std::string>& more) {
  Json json = Json::object();
  std::uint64_t id = 0;
  for (const std::string& letter : byte_letters()) json.add(letter, Json::number(id++));
  for (const std::string& token : more) json.add(token, Json::number(id++));
  return json.dump();
}

BytePairModel parse(const std::string& vocab, const std::string& merges) {
  return parse_vocab_and_merges({vocab, "v.json"}, {merges, "m.txt"});
}

std::string error_of_pair(const std::string& vocab, const std::string& merges) {
  return test::thrown_by<FormatError>([&] { parse(vocab, merges); });
}

TEST(VocabMerges, AreReadInOrder) {
  const BytePairModel model = parse(vocab_json({"ab", "# #", "##", "<|endoftext|>"}), "#version: 0.2\na b\n# #\r\n");
  ASSERT_EQ(model.merges.size(), 2U);
  EXPECT_EQ(model.tokens.size(), 260U);
  EXPECT_EQ(model.merges[0].merged, 256);
  EXPECT_EQ(model.merges[1].merged, 258);
  ASSERT_EQ(model.added.size(), 1U);
  EXPECT_EQ(model.added[0].content, "<|endoftext|>");
  EXPECT_TRUE(model.added[0].special);
  EXPECT_FALSE(model.nfc);
}

TEST(VocabMerges, FaultsAreNamedWithTheirPlace) {
  const std::string good = vocab_json({"ab"});
  EXPECT_THAT(error_of_pair(good, "#version: 0.2\na b\na c\n"),
              HasSubstr("m.txt:3: merges 'a' and 'c', but the vocabulary"));
  EXPECT_THAT(error_of_pair(good, "a b\nab\n"), HasSubstr("m.txt:2: is not two tokens"));
  EXPECT_THAT(error_of_pair(good, "a b c\n"), HasSubstr("m.txt:1: is not two tokens"));
  EXPECT_THAT(error_of_pair(good, "a b\n\na b\n"), HasSubstr("m.txt:2: is not two tokens"));
  EXPECT_THAT(error_of_pair(good, "a b\na b\n"), HasSubstr("'a' and 'b' are merged twice"));
  EXPECT_THAT(error_of_pair("[]", ""), HasSubstr("v.json: is not a JSON object"));
  EXPECT_THAT(error_of_pair("{\"a\": \"x\"}", ""), HasSubstr("the id of 'a' is not a number"));
  EXPECT_THAT(error_of_pair("{\"a\": 1, \"b\": 1}", ""), HasSubstr("tokens 'a' and 'b' have the same id 1"));
  EXPECT_THAT(error_of_pair("{\"a\": 1, \"a\": 2}", ""), HasSubstr("token 'a' occurs twice"));
  EXPECT_THAT(error_of_pair("{\"\": 0}", ""), HasSubstr("the token with id 0 is empty"));
  EXPECT_THAT(error_of_pair("{\"a\": 9999999}", ""), HasSubstr("ids are less than 1048576"));
  EXPECT_THAT(error_of_pair("{\"a\": 99999999999}", ""), HasSubstr("is too large"));
  EXPECT_THAT(error_of_pair("{\"a\": 0}", ""), HasSubstr("the vocabulary has no token '\u0100'"));
}

}  // namespace
}  // namespace bertprep
