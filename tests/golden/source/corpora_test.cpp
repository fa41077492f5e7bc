// Books, JSON Lines and text shards of the shared corpora. The digests are those of Python's json and
// str.strip() over the same files.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "io/sha256.h"
#include "support/golden_data.h"
#include "support/read_documents.h"

namespace bertprep {
namespace {

using test::as_lines;

class CorporaGolden : public test::GoldenTest {
 protected:
  std::filesystem::path corpora() const { return shared() / "corpora"; }
};

TEST_F(CorporaGolden, ReadsBooks) {
  const auto english = test::read_documents({corpora() / "books" / "en"}, {.format = "books", .strict = true});
  ASSERT_EQ(english.articles.size(), 24U);
  EXPECT_EQ(english.articles.front().title, "Anon_Clara_1864");
  EXPECT_EQ(sha256_of(as_lines(english.articles)), "00656e08f18c32f2baac49e6df5e34846c5bea480e2a2e1bd26373d99fd4c2c5");
  const auto german = test::read_documents({corpora() / "books" / "de"}, {.format = "books", .strict = true});
  EXPECT_EQ(german.articles.size(), 5U);
  EXPECT_EQ(sha256_of(as_lines(german.articles)), "7e795b7482b144aa7b333600ffe5eae123757077bd1edb9a7afede07c110ef2b");
}

TEST_F(CorporaGolden, SetsLatin1BooksAsideWithTheirByte) {
  const auto folder = corpora() / "books" / "gutenberg";
  const auto reading = test::read_documents({folder}, {.format = "books"});
  EXPECT_EQ(reading.articles.size(), 3U);
  EXPECT_EQ(sha256_of(as_lines(reading.articles)), "b2ae42463b1f6cb4b6e53b0785748b15600e4486610481db2a36d3d40c1b6494");
  ASSERT_EQ(reading.rejected.size(), 2U);
  EXPECT_EQ(reading.rejected[0].where, folder / "16215-8.txt");
  EXPECT_EQ(reading.rejected[0].reason, "invalid UTF-8 at byte 177266");
  EXPECT_EQ(reading.rejected[1].where, folder / "44157-8.txt");
  EXPECT_EQ(reading.rejected[1].reason, "invalid UTF-8 at byte 355");
}

struct ExpectedJsonl {
  const char* file;
  std::size_t articles;
  std::size_t rejected;
  const char* sha256;
};

TEST_F(CorporaGolden, ReadsJsonLines) {
  for (const ExpectedJsonl& expected : {
           ExpectedJsonl{"dolma-cc-0091.jsonl", 10, 0,
                         "0ccde731964824b3fa695fdac513a554fe960c54d93d9124dbbc80664175f1c1"},
           ExpectedJsonl{"state_union.jsonl", 65, 0,
                         "9c4b673753bc139f37675b009c6bd996c6d89b247f594b13b6991d4ee7229a63"},
           ExpectedJsonl{"ud-ewt-shared.jsonl", 587, 0,
                         "c616a638e0e7248b081b9c96d866a829c37b240faba62aefd2d20a54bd8b16f9"},
           ExpectedJsonl{"udhr-shared.jsonl", 193, 1,
                         "8654ed25d5d083ee9a85669d08d0ab76feb60b2dc53f3c4fd55efdc6906fabcc"},
       }) {
    const auto reading = test::read_documents({corpora() / "jsonl" / expected.file}, {});
    EXPECT_EQ(reading.articles.size(), expected.articles) << expected.file;
    EXPECT_EQ(reading.rejected.size(), expected.rejected) << expected.file;
    EXPECT_EQ(sha256_of(as_lines(reading.articles)), expected.sha256) << expected.file;
  }
}

TEST_F(CorporaGolden, ReadsNestedFieldsOfJsonLines) {
  const auto reading = test::read_documents({corpora() / "jsonl" / "dolma-cc-0091.jsonl"},
                                            {.format = "jsonl", .text_field = "metadata.cc_segment"});
  EXPECT_EQ(sha256_of(as_lines(reading.articles)), "580dfe701f6f5a78fd0569426579b1c7ac06bce6247f515805d2540b250f3e34");
}

TEST_F(CorporaGolden, GuessesTheFormats) {
  const auto guess = [this](const std::filesystem::path& path) {
    const std::vector<std::filesystem::path> inputs{shared() / path};
    return resolve_format(inputs, {});
  };
  EXPECT_EQ(guess("corpora/wikitext"), "wikitext");
  EXPECT_EQ(guess("corpora/wikitext/wt2-train.txt"), "wikitext");
  EXPECT_EQ(guess("corpora/books/en"), "books");
  EXPECT_EQ(guess("corpora/books/gutenberg"), "books");
  EXPECT_EQ(guess("corpora/jsonl/state_union.jsonl"), "jsonl");
  EXPECT_EQ(guess("goldens/pipeline/odd/inputs/articles/wiki_zh.txt"), "articles");
  EXPECT_EQ(guess("goldens/pipeline/odd/inputs/articles/nvidia_format.txt"), "articles");
  const auto shards =
      std::filesystem::path("goldens/pipeline/A_wikitext2") / "sharded_training_shards_8_test_shards_4_fraction_0.1";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared() / shards)) {
    if (entry.is_regular_file()) {
      EXPECT_EQ(guess(entry.path()), "sentences") << entry.path();
    }
  }
  EXPECT_THROW(guess("corpora/wikidump/enwik5"), FormatError);
  EXPECT_THROW(guess("corpora/jsonl/dolma-cc-0091.jsonl.gz"), FormatError);
}

TEST_F(CorporaGolden, TextShardsOfTheReferenceComeBackByteForByte) {
  const auto shards = goldens() / "A_wikitext2" / "sharded_training_shards_8_test_shards_4_fraction_0.1";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shards)) {
    if (!entry.is_regular_file()) continue;
    std::string bytes;
    for (const auto& article : test::read_documents({entry.path()}, {.format = "sentences"}).articles) {
      bytes += article.text + "\n\n";
    }
    EXPECT_EQ(bytes, test::read_bytes(entry.path())) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 12U);
}

}  // namespace
}  // namespace bertprep
