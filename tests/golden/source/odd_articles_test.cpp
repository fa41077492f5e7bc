// Formatted files with odd content against the result of Python's load_articles: lines with line.strip(), as
// line.rstrip(), read with newline='\n'.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/read_documents.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

struct ExpectedArticle {
  const char* input;
  std::size_t articles;
  const char* sha256;  // of the articles, each with LF, computed by Python 3.11
};

class OddArticlesGolden : public test::GoldenTest {
 protected:
  test::Reading read(const std::string& input) {
    return test::read_documents({goldens() / "odd" / "inputs" / "articles" / (input + ".txt")},
                                {.format = InputFormat::kArticles});
  }
  std::string failure(const std::string& input) {
    return test::thrown_by<FormatError>([&] { read(input); });
  }
};

TEST_F(OddArticlesGolden, ReadsEachInputAsPythonDoes) {
  for (const ExpectedArticle& expected : {
           // A deliberate difference: without the mark.
           ExpectedArticle{"bom", 8, "e66d39b8ff8222c3ff127970ec7c7809d9a39abe98bf1369b3c6360f42a78605"},
           ExpectedArticle{"crlf", 8, "e66d39b8ff8222c3ff127970ec7c7809d9a39abe98bf1369b3c6360f42a78605"},
           ExpectedArticle{"five_articles_for_five_shards", 5,
                           "19302270dad6d99e5b37cdbff6cbc1e090f0f2cabba7467f7bb4cc8430355c2a"},
           ExpectedArticle{"four_articles_for_five_shards", 4,
                           "383019f3fb7256b24aba098b0763f0a59529950fc3c6339db5fe4333fc0b3cf6"},
           ExpectedArticle{"fuzz_punkt", 30, "98b0ecae90f0136891d43ba73313418139117009da2bed205b44e867114e3a8d"},
           ExpectedArticle{"inner_cr", 8, "0a79956b41ea498e7c90269a0df17e894536dc445ed04276269f87eac71cf562"},
           ExpectedArticle{"inner_double_cr", 8, "f294247f8d16862d32aa16654b81c3d6747acdc97430a4e8ecf4d8e962eaf018"},
           ExpectedArticle{"leading_space", 8, "b8bf84a1c8a37118815b87b5a4f6e2a39f56693183eb49749e31d9b313836ac0"},
           ExpectedArticle{"multilang", 30, "32663a6f77734f2bf8d37fa0d78075bc1ac62299077f7b99929906e891b2dc3b"},
           ExpectedArticle{"no_final_newline", 8, "e66d39b8ff8222c3ff127970ec7c7809d9a39abe98bf1369b3c6360f42a78605"},
           ExpectedArticle{"nul", 8, "c183a3e9b5ac67aee08df45d3bdf35d61a59d621b14b15c97e15041ab5bfbdaf"},
           ExpectedArticle{"nvidia_format", 8, "e66d39b8ff8222c3ff127970ec7c7809d9a39abe98bf1369b3c6360f42a78605"},
           ExpectedArticle{"one_giant", 13, "d5448a9ed63038fea62886f7c4c7b551db496fc6d89ca06731bc52f85560f23a"},
           ExpectedArticle{"punkt_cases", 27, "eb2c144a2df54c93168de52a9b3f351f2a6aea804d8c03812821e0818bd91aff"},
           ExpectedArticle{"punkt_cases_joined", 12,
                           "5781bcc1372d58d7d39e0e62174863d21ad6232fed49cc6d4f6e641fa0d243d6"},
           ExpectedArticle{"same_length", 9, "6332debe7d412b8eebab38b32cc5b2f81825f7c713f9f746ac71bb549c73f607"},
           ExpectedArticle{"sep_double_space", 8, "edcbd4322715deb9c8386e1a353277040819da385063184b9bc1c5dc33868503"},
           ExpectedArticle{"sep_fs1c", 8, "a731d79370ddb51936eaef3b605d11d2e8ce92a3c04ef8b6c72492a826df36c6"},
           ExpectedArticle{"sep_ideographic", 8, "4380a8a065fd1914daa7fceb405753ef660b58e98a927ec2b62009ea0cb83ed5"},
           ExpectedArticle{"sep_nbsp", 8, "76d99b995e5406073e7b449580e714f2c22b24583f2274f94a8eca80adf45a93"},
           ExpectedArticle{"sep_u0085", 8, "3d05a155f09643bb054af9e234c9a8a8560f61744a9797e953001f2ee581014d"},
           ExpectedArticle{"sep_u2028", 8, "3fce16cc5082de4924c1a1e84dec308b76c0cb1d4d7bb5ec29bc9fa2dadcbb33"},
           ExpectedArticle{"sep_vt", 8, "ec9445d238713c5c29b49f8afc69922e92559c700a881fb01bf632d678cf7817"},
           ExpectedArticle{"wiki_ar", 15, "03f7d86cc37b348cb233ca369e8d4e3ecf5c7bc459d9f5ec6e8e6b9942a0365d"},
           ExpectedArticle{"wiki_ru", 15, "7e6a836c6588871ecf6b48858542b81f019184e825331532a185eab2bd3d486e"},
           ExpectedArticle{"wiki_zh", 15, "24f80e7a739d3b2697610c7beca34d4817351f8fc43338103ce2e4827f95eeb8"},
       }) {
    const auto reading = read(expected.input);
    EXPECT_EQ(reading.articles.size(), expected.articles) << expected.input;
    EXPECT_EQ(sha256_of(test::as_lines(reading.articles)), expected.sha256) << expected.input;
  }
}

TEST_F(OddArticlesGolden, FailsWhereTheReferenceFails) {
  EXPECT_THAT(failure("empty"), testing::HasSubstr("empty.txt: it is empty (0 bytes)"));
  EXPECT_THAT(failure("only_blank"), testing::HasSubstr("only_blank.txt: there is not a single article"));
  EXPECT_THAT(failure("invalid_utf8"), testing::HasSubstr("invalid UTF-8 at byte 500"));
}

}  // namespace
}  // namespace bertprep
