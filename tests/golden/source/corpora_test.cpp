// Books, JSON Lines and text shards of the shared corpora. The digests are those of Python's json and
// str.strip() over the same files.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/read_documents.h"

namespace bertprep {
namespace {

using test::as_lines;

class CorporaGolden : public test::GoldenTest {
 protected:
  std::filesystem::path corpora() const { return shared() / "corpora"; }
};

// The lines of a text joined by blanks.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string books_as_lines(const std::vector<test::Article>& books) {
  std::string lines;
  for (const auto& book : books) lines += on_one_line(book.text) + '\n';
  return lines;
}

// The text without what joining lines may change: white space, and hyphens at the ends of lines.
std::string without_blanks_and_hyphens(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '-'; });
  return text;
}

TEST_F(CorporaGolden, ReadsBooksAsTheReferenceDoes) {
  const auto read = [this](const char* folder) {
    return test::read_documents({corpora() / "books" / folder},
                                {.format = InputFormat::kBooks, .books_compat = true, .strict = true});
  };
  const auto english = read("en");
  ASSERT_EQ(english.articles.size(), 24U);
  EXPECT_EQ(english.articles.front().title, "Anon_Clara_1864");
  EXPECT_EQ(sha256_of(books_as_lines(english.articles)),
            "00656e08f18c32f2baac49e6df5e34846c5bea480e2a2e1bd26373d99fd4c2c5");
  const auto german = read("de");
  EXPECT_EQ(german.articles.size(), 5U);
  EXPECT_EQ(sha256_of(books_as_lines(german.articles)),
            "7e795b7482b144aa7b333600ffe5eae123757077bd1edb9a7afede07c110ef2b");
}

TEST_F(CorporaGolden, LosesNothingOfBooksWithoutAFrame) {
  for (const char* folder : {"en", "de"}) {
    const std::vector<std::filesystem::path> inputs{corpora() / "books" / folder};
    const auto books = test::read_documents(inputs, {.format = InputFormat::kBooks, .strict = true}).articles;
    const auto plain = test::read_documents(inputs, {.format = InputFormat::kBooks, .books_compat = true}).articles;
    ASSERT_EQ(books.size(), plain.size());
    for (std::size_t i = 0; i < books.size(); ++i) {
      EXPECT_EQ(without_blanks_and_hyphens(books[i].text), without_blanks_and_hyphens(plain[i].text)) << books[i].title;
    }
  }
}

struct GutenbergBook {
  const char* title;
  const char* begin;
  const char* end;
};

TEST_F(CorporaGolden, CutsTheFramesOfProjectGutenberg) {
  const auto reading =
      test::read_documents({corpora() / "books" / "gutenberg"}, {.format = InputFormat::kBooks, .strict = true});
  const std::vector<GutenbergBook> expected = {
      {"16215-8", "Transcribers Note: Obvious typesetter errors", "THE END."},
      {"2701-0", "MOBY-DICK;", "found another orphan."},
      {"3261", "NEWS FROM NOWHERE OR AN EPOCH OF REST", "{3}  Cirencester and Burford he must have meant."},
      {"44157-0", "Au lecteur.", ""},
      {"44157-8", "Au lecteur.", ""}};
  ASSERT_EQ(reading.articles.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& text = reading.articles[i].text;
    EXPECT_EQ(reading.articles[i].title, expected[i].title);
    EXPECT_TRUE(text.starts_with(expected[i].begin)) << text.substr(0, 100);
    EXPECT_TRUE(text.ends_with(expected[i].end)) << text.substr(text.size() - 100);
    EXPECT_EQ(text.find("gutenberg.org"), std::string::npos);
    EXPECT_EQ(text.find("PROJECT GUTENBERG"), std::string::npos);
  }
}

// Two files of one book: equal except for typographic quotation marks.
TEST_F(CorporaGolden, ReadsABookInLatin1LikeTheOneInUtf8) {
  const auto plain = [](std::string text) {
    for (const auto& [from, to] : {std::pair{"\u2019", "'"}, std::pair{"\u0153", "oe"}, std::pair{"\u0152", "Oe"},
                                   std::pair{"\u2014", "--"}, std::pair{"\u2013", "-"}}) {
      for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
        text.replace(at, std::string_view(from).size(), to);
      }
    }
    return without_blanks_and_hyphens(text);
  };
  const auto folder = corpora() / "books" / "gutenberg";
  const auto books =
      test::read_documents({folder / "44157-0.txt", folder / "44157-8.txt"}, {.format = InputFormat::kBooks}).articles;
  ASSERT_EQ(books.size(), 2U);
  const std::string utf8 = plain(books[0].text);
  const std::string latin1 = plain(books[1].text);
  EXPECT_NEAR(static_cast<double>(utf8.size()), static_cast<double>(latin1.size()), 0.01 * 150'000);
  EXPECT_EQ(utf8.substr(0, 60), latin1.substr(0, 60));
}

TEST_F(CorporaGolden, GuessesWindows1252AndTellsSo) {
  const std::vector<std::filesystem::path> inputs{corpora() / "books" / "derived-cp1252"};
  const auto source = open_source(inputs, {.format = InputFormat::kBooks}, {});
  Document document;
  ASSERT_TRUE(source->next(document));
  EXPECT_NE(source->take_remarks().at(0).text.find("windows-1252"), std::string::npos);
  const auto original =
      test::read_documents({corpora() / "books" / "gutenberg" / "2701-0.txt"}, {.format = InputFormat::kBooks})
          .articles;
  EXPECT_EQ(document.text.substr(0, 4000), original.at(0).text.substr(0, 4000));
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

TEST_F(CorporaGolden, ReadsCompressedJsonLinesAlike) {
  const auto file = corpora() / "jsonl" / "dolma-cc-0091.jsonl";
  const auto plain = test::read_documents({file}, {});
  const auto packed = test::read_documents({file.native() + ".gz"}, {});
  EXPECT_EQ(packed.articles, plain.articles);
}

TEST_F(CorporaGolden, ReadsNestedFieldsOfJsonLines) {
  const auto reading = test::read_documents({corpora() / "jsonl" / "dolma-cc-0091.jsonl"},
                                            {.format = InputFormat::kJsonl, .text_field = "metadata.cc_segment"});
  EXPECT_EQ(sha256_of(as_lines(reading.articles)), "580dfe701f6f5a78fd0569426579b1c7ac06bce6247f515805d2540b250f3e34");
}

TEST_F(CorporaGolden, GuessesTheFormats) {
  const auto guess = [this](const std::filesystem::path& path) {
    const std::vector<std::filesystem::path> inputs{shared() / path};
    return std::string(name_of(resolve_format(inputs, {})));
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
  EXPECT_EQ(guess("corpora/jsonl/dolma-cc-0091.jsonl.gz"), "jsonl");
  for (const auto& entry : std::filesystem::directory_iterator(shared() / "corpora" / "wikidump")) {
    if (entry.path().native().find("index") == std::string::npos) {
      EXPECT_EQ(guess(entry.path()), "mediawiki") << entry.path();
    }
  }
}

TEST_F(CorporaGolden, TextShardsOfTheReferenceComeBackByteForByte) {
  const auto shards = goldens() / "A_wikitext2" / "sharded_training_shards_8_test_shards_4_fraction_0.1";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shards)) {
    if (!entry.is_regular_file()) continue;
    std::string bytes;
    for (const auto& article : test::read_documents({entry.path()}, {.format = InputFormat::kSentences}).articles) {
      bytes += article.text + "\n\n";
    }
    EXPECT_EQ(bytes, test::read_bytes(entry.path())) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 12U);
}

}  // namespace
}  // namespace bertprep
