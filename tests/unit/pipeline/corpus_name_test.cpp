#include "pipeline/corpus_name.h"

#include <gtest/gtest.h>

#include <vector>

#include "bertprep/pipeline/pipeline_options.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::vector<fs::path>& inputs) {
  const std::string name = name_of_corpus(inputs);
  EXPECT_NO_THROW(check_name(name)) << name;
  return name;
}

TEST(CorpusName, IsThatOfTheFileOrFolder) {
  EXPECT_EQ(name_of({"/data/tickets.jsonl"}), "tickets");
  EXPECT_EQ(name_of({"/data/tickets.jsonl.gz"}), "tickets");
  EXPECT_EQ(name_of({"/data/tickets.tar.zst"}), "tickets");
  EXPECT_EQ(name_of({"/data/news"}), "news");
  EXPECT_EQ(name_of({"/data/news/"}), "news");
  EXPECT_EQ(name_of({"/data/./news/../news"}), "news");
  EXPECT_EQ(name_of({"/data/news-2.1"}), "news-2.1");
  EXPECT_EQ(name_of({"/data/Wörter.txt"}), "Wörter");
  EXPECT_EQ(name_of({"."}), name_of({fs::current_path()}));
}

TEST(CorpusName, OfSeveralInputsIsThatOfTheirFolder) {
  EXPECT_EQ(name_of({"/data/news/a.txt", "/data/news/b.txt"}), "news");
  EXPECT_EQ(name_of({"/data/news/a.txt", "/data/books/b.txt"}), "data");
  EXPECT_EQ(name_of({"/a.txt", "/data/b.txt"}), "corpus");
}

TEST(CorpusName, HasOnlyCharactersOfNames) {
  EXPECT_EQ(name_of({"/data/my tickets (2024).txt"}), "my_tickets_2024");
  EXPECT_EQ(name_of({"/data/-x.txt"}), "x");
  EXPECT_EQ(name_of({"/data/.hidden"}), "hidden");
  EXPECT_EQ(name_of({"/data/\xff\xfe.txt"}), "data");
  EXPECT_EQ(name_of({"/data/a:b\n.txt"}), "a_b");
  std::string umlauts = "a";
  for (int i = 0; i < 60; ++i) umlauts += "ä";
  EXPECT_EQ(name_of({"/data/" + umlauts}), umlauts.substr(0, 99));
  EXPECT_EQ(name_of({"/"}), "corpus");
  EXPECT_EQ(name_of({}), "corpus");
}

// A trainer would take tickets' "train_test_0.hdf5" for a training shard.
TEST(CorpusName, IsNoWordForASplit) {
  EXPECT_EQ(name_of({"/data/tickets/train.jsonl"}), "tickets");
  EXPECT_EQ(name_of({"/data/tickets/wiki.train.tokens"}), "tickets");
  EXPECT_EQ(name_of({"/data/tickets/mytraining.txt"}), "tickets");
  EXPECT_EQ(name_of({"/data/tickets/dev/test.txt"}), "tickets");
  EXPECT_EQ(name_of({"/data/contest.txt"}), "contest");
  EXPECT_EQ(name_of({"/train.txt"}), "corpus");
}

}  // namespace
}  // namespace bertprep
