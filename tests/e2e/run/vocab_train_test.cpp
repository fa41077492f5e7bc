// A trained vocabulary is found by its recipe, and replaced only on demand.
#include <sys/stat.h>

#include "e2e/e2e_test.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class VocabTrainTest : public E2eTest {
 protected:
  std::string text() { return folder().write("text.jsonl", read_text(sample("sample.jsonl"))); }
  Arguments train(const std::string& input) {
    return {"vocab", "train", input, "--vocab-size", "600", "-o", path("v.txt")};
  }
  void refuse(const Arguments& arguments, const std::vector<std::string>& words) {
    const std::string before = read_text(path("v.txt"));
    fail(1, arguments, words);
    EXPECT_EQ(read_text(path("v.txt")), before);
  }
};

TEST_F(VocabTrainTest, TheSameRecipeFindsTheFile) {
  const std::string input = text();
  EXPECT_THAT(succeed(train(input)).err, Not(HasSubstr("nothing to do")));
  const std::string pieces = read_text(path("v.txt"));
  const Finished again = succeed(train(input));
  EXPECT_THAT(again.err, HasSubstr("nothing to do: " + path("v.txt") + " is up to date"));
  EXPECT_THAT(again.err, HasSubstr("v.txt: 600 pieces"));
  fs::rename(input, path("renamed.jsonl"));
  EXPECT_THAT(succeed(train(path("renamed.jsonl"))).err, HasSubstr("nothing to do"));
  fs::remove(path("v.txt"));
  EXPECT_THAT(succeed(train(path("renamed.jsonl"))).err, Not(HasSubstr("nothing to do")));
  EXPECT_EQ(read_text(path("v.txt")), pieces);
}

TEST_F(VocabTrainTest, AnotherRecipeIsRefused) {
  const std::string input = text();
  const Arguments same = train(input);
  succeed(same);
  refuse(same + Arguments{"--vocab-size", "500"}, {"v.txt", "vocab-size was '600' and is '500'", "--force"});
  refuse(same + Arguments{"--no-lower-case"}, {"lower-case was 'true' and is 'false'", "--force"});
  refuse(same + Arguments{"--strip-accents", "no"}, {"strip-accents is new", "--force"});
  refuse(same + Arguments{"--text-field", "title"}, {"text-field was 'text' and is 'title'", "--force"});
  folder().write("text.jsonl", "{\"text\": \"It rains. It rains.\"}\n");
  refuse(same, {"its input changed", "--force"});
  succeed(same + Arguments{"--force", "--min-frequency", "1"});
  EXPECT_THAT(succeed(same + Arguments{"--min-frequency", "1"}).err, HasSubstr("nothing to do"));
}

TEST_F(VocabTrainTest, AnEditedFileIsTheUsers) {
  const Arguments same = train(text());
  succeed(same);
  folder().write("v.txt", read_text(path("v.txt")) + "mine\n");
  refuse(same, {"v.txt", "was changed since it was made", "--force"});
  refuse(same + Arguments{"--vocab-size", "500"}, {"was changed since it was made"});
  succeed(same + Arguments{"--force"});
  EXPECT_THAT(read_text(path("v.txt")), Not(HasSubstr("mine")));
}

TEST_F(VocabTrainTest, APipeIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fail(1, train(path("pipe")), {"pipe", "read more than once", "write it to a file"});
  fail(1, train(path("pipe")) + Arguments{"--format", "articles"}, {"pipe", "read more than once"});
}

TEST_F(VocabTrainTest, RejectsAreKeptAndCounted) {
  const std::string input = folder().write("r.jsonl", read_text(sample("sample.jsonl")) + "\n{\"body\": 1}\n[]\n");
  for (const char* words : {"600 pieces", "nothing to do"}) {
    const Finished finished = succeed(train(input));
    EXPECT_THAT(finished.err, HasSubstr(words));
    EXPECT_THAT(finished.err, HasSubstr("2 records were rejected"));
    EXPECT_THAT(finished.err, HasSubstr("v.txt.rejects.jsonl"));
  }
  fail(1, train(input) + Arguments{"--strict"}, {"r.jsonl"});
}

TEST_F(VocabTrainTest, WordsThatItChangesAreCounted) {
  const std::string input = folder().write("c.txt", "The cat. The \u00c9t\u00e9. " + std::string(101, 'x') + "\n");
  const Arguments call{"vocab", "train", input, "--format", "articles", "-o", path("v.txt")};
  for (const char* words : {"pieces", "nothing to do"}) {
    const Finished finished = succeed(call);
    EXPECT_THAT(finished.err, HasSubstr(words));
    EXPECT_THAT(finished.err, HasSubstr("3 of 7 words lost capitals or accents by --lower-case (42.9 %); to keep "
                                        "them, give --no-lower-case"));
    EXPECT_THAT(finished.err, HasSubstr("1 word is longer than 100 characters and left out"));
  }
  EXPECT_THAT(succeed(call + Arguments{"--no-lower-case", "--force"}).err, Not(HasSubstr("lost capitals")));
}

TEST_F(VocabTrainTest, ADumpGivesTheWordsOfItsText) {
  succeed(train(sample("sample_wiki.xml").string()));
  EXPECT_THAT(read_text(path("v.txt")), Not(HasSubstr("\n[[")));
}

}  // namespace
}  // namespace bertprep::test
