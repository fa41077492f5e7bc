// format, shard and instances, one by one.
#include <algorithm>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using StagesTest = E2eTest;

TEST_F(StagesTest, FormatReadsWikitext) {
  const Finished finished = succeed({"format", sample("sample.wikitext"), "--format", "wikitext", "-o", path("a.txt")});
  const std::vector<std::string> articles = read_lines(path("a.txt"));
  EXPECT_EQ(articles.size(), 64U);
  EXPECT_THAT(articles.front(), StartsWith("The Danube (German: Donau; Serbian: Дунав) is the second-longest river"));
  EXPECT_THAT(articles.front(), Not(HasSubstr("= =")));
  EXPECT_THAT(finished.err, testing::ContainsRegex("format +64 "));
}

TEST_F(StagesTest, FormatReadsRecords) {
  succeed({"format", sample("sample.jsonl"), "--format", "jsonl", "-o", path("a.txt")});
  EXPECT_EQ(read_lines(path("a.txt")).size(), 12U);
  const std::string other = folder().write("other.jsonl", "{\"body\": {\"text\": \"One\\nline.\"}}\n");
  succeed({"format", other, "--text-field", "body.text", "-o", path("b.txt")});
  EXPECT_EQ(read_bytes(path("b.txt")), "One line.\n");
}

TEST_F(StagesTest, RecordsOfAFileAreBesideIt) {
  const std::string input = folder().write("a.txt", "One line.\n");
  fs::create_directory(path("p"));
  succeed({"format", input, "--format", "articles", "-o", "f.txt"}, {.folder = path("p")});
  succeed({"vocab", "train", sample("sample.wikitext"), "--vocab-size", "600", "-o", "v.txt"}, {.folder = path("p")});
  EXPECT_FALSE(fs::exists(path(".p.bertprep")));
  EXPECT_TRUE(fs::exists(path("p/.bertprep/records/f.txt.json")));
  EXPECT_TRUE(fs::exists(path("p/.bertprep/records/v.txt.json")));
  EXPECT_THAT(succeed({"format", input, "--format", "articles", "-o", "f.txt", "--json"}, {.folder = path("p")}).out,
              HasSubstr("\"tasks_found\":1"));
}

TEST_F(StagesTest, FormatSetsBadRecordsAside) {
  const std::string file = folder().write("r.jsonl", "{\"text\": \"Good.\"}\n{\"title\": \"none\"}\nnot json\n");
  const Finished finished = succeed({"format", file, "-o", path("out/a.txt")});
  EXPECT_EQ(read_bytes(path("out/a.txt")), "Good.\n");
  EXPECT_THAT(finished.err, HasSubstr("r.jsonl:2: "));
  EXPECT_THAT(finished.err, HasSubstr("r.jsonl:3: "));
  EXPECT_THAT(finished.err, HasSubstr("2 records were rejected"));
  EXPECT_THAT(read_bytes(path("out/.bertprep/a.txt.rejects.jsonl")), HasSubstr("r.jsonl:3"));

  EXPECT_EQ(bertprep({"format", file, "--max-rejects", "1", "-o", path("out/a.txt")}).exit_status, 3);
  fail(1, {"format", file, "--strict", "-o", path("strict/a.txt")}, {"r.jsonl:2"});
  EXPECT_TRUE(read_tree(path("strict")).empty());
}

TEST_F(StagesTest, FormatReadsBooks) {
  succeed({"format", sample("books"), "--format", "books", "-o", path("a.txt")});
  const std::vector<std::string> books = read_lines(path("a.txt"));
  EXPECT_EQ(books.size(), 4U);
  for (const std::string& book : books) EXPECT_THAT(book, Not(HasSubstr("\r")));
}

TEST_F(StagesTest, FormatReadsArticlesAndSentences) {
  const std::string articles = folder().write("articles.txt", "First article.\n\nSecond one. \n");
  succeed({"format", articles, "--format", "articles", "-o", path("a.txt")});
  EXPECT_EQ(read_bytes(path("a.txt")), "First article.\nSecond one.\n");
  const std::string sentences = folder().write("sentences.txt", "A.\nB.\n\nC.\n");
  succeed({"format", sentences, "--format", "sentences", "-o", path("s.txt")});
  EXPECT_EQ(read_bytes(path("s.txt")), "A. B.\nC.\n");
}

TEST_F(StagesTest, FormatTwiceFindsItsWork) {
  const Arguments command = {"format", sample("books"), "-o", path("a.txt")};
  succeed(command);
  EXPECT_THAT(succeed(command).err, HasSubstr("nothing to do"));
  EXPECT_THAT(succeed(command + Arguments{"--force"}).err, Not(HasSubstr("nothing to do")));
}

TEST_F(StagesTest, ShardSpreadsEverySentenceOnce) {
  const std::vector<std::string> shards = make_text_shards();
  std::vector<std::string> articles;
  for (const std::string& shard : shards) {
    std::string article;
    for (const std::string& line : read_lines(shard)) {
      if (!line.empty()) {
        article += (article.empty() ? "" : " ") + line;
        continue;
      }
      EXPECT_NE(article, "") << shard;
      articles.push_back(std::move(article));
      article.clear();
    }
    EXPECT_EQ(article, "") << shard << " does not end with an empty line";
  }
  std::vector<std::string> formatted = read_lines(path("text-articles.txt"));
  std::sort(formatted.begin(), formatted.end());
  std::sort(articles.begin(), articles.end());
  EXPECT_EQ(articles, formatted);
  EXPECT_THAT(names_of(read_tree(path("text"))),
              ElementsAre("sample_test_0.txt", "sample_training_0.txt", "sample_training_1.txt"));
}

TEST_F(StagesTest, ShardTakesLinesAsSentences) {
  const std::string text = folder().write("t.txt", "One. Two.\nThree.\n\nFour.\n");
  succeed({"shard", text, "--name", "t", "--sentences", "lines", "--train-shards", "1", "--test-shards", "1", "-o",
           path("out")});
  EXPECT_THAT((std::vector{read_bytes(path("out/t_training_0.txt")), read_bytes(path("out/t_test_0.txt"))}),
              testing::UnorderedElementsAre("One. Two.\nThree.\n\n", "Four.\n\n"));
}

// All text shards are open at once, and shells start with low limits.
TEST_F(StagesTest, ShardMakesMoreTextShardsThanFilesMayBeOpenAtFirst) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "Article " + std::to_string(i) + " is here.\n";
  const std::string input = folder().write("many.txt", text);
  const Finished finished =
      run_program({"/bin/sh", "-c",
                   "ulimit -S -n 64 && exec \"$0\" shard " + input +
                       " --name many --sentences icu --train-shards 300 --test-shards 100 -q -o " + path("shards"),
                   BERTPREP_PROGRAM});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(read_bytes(path("shards/many_training_299.txt")).find("Article "), 0u);
}

TEST_F(StagesTest, InstancesAreNamedAfterTheirTextShards) {
  const std::vector<std::string> shards = make_text_shards();
  const Finished finished = succeed(Arguments{"instances"} + shards + Arguments{"--vocab", vocab(), "-o", path("out")});
  EXPECT_THAT(names_of(read_tree(path("out"))),
              ElementsAre("manifest.json", "sample_test_0.hdf5", "sample_training_0.hdf5", "sample_training_1.hdf5",
                          "vocab.txt"));
  EXPECT_THAT(finished.err, testing::ContainsRegex("instances +12 "));
}

TEST_F(StagesTest, InstancesMayLieBesideTheirTextShards) {
  const std::vector<std::string> shards = make_text_shards();
  succeed(Arguments{"instances"} + shards + Arguments{"--vocab", vocab(), "-o", path("text")});
  succeed({"verify", path("text")});
}

TEST_F(StagesTest, InstancesOfOneDocumentFollowEachOther) {
  const std::string text = folder().write("one.txt", "The river begins.\nIt flows to the sea.\nThe end of it.\n");
  succeed({"instances", text, "--vocab", vocab(), "-o", path("out")});
  const std::string rows = succeed({"inspect", path("out/one.hdf5"), "--rows", ":"}).out;
  EXPECT_THAT(rows, HasSubstr("the following (0)"));
  EXPECT_THAT(rows, Not(HasSubstr("random (1)")));
}

TEST_F(StagesTest, InstancesOfAnEmptyTextShardAreNone) {
  const std::string text = folder().write("none.txt", "\n \n");
  succeed({"instances", text, "--vocab", vocab(), "-o", path("out")});
  EXPECT_THAT(succeed({"inspect", path("out/none.hdf5")}).out, HasSubstr(" 0 rows of 128 tokens"));
}

TEST_F(StagesTest, InstancesTakeSeedsOfAnySize) {
  const std::string text = make_text_shards().back();
  FileTree shards[3];
  const char* seeds[] = {"-7", "340282366920938463463374607431768211507", "12345"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string out = path("seed" + std::to_string(i));
    succeed({"instances", text, "--vocab", vocab(), "--random-seed", seeds[i], "-o", out});
    shards[i] = read_tree(out);
  }
  EXPECT_NE(shards[0].at("sample_test_0.hdf5"), shards[1].at("sample_test_0.hdf5"));
  EXPECT_NE(shards[1].at("sample_test_0.hdf5"), shards[2].at("sample_test_0.hdf5"));
  EXPECT_THAT(shards[1].at("manifest.json"), HasSubstr("340282366920938463463374607431768211507"));
}

}  // namespace
}  // namespace bertprep::test
