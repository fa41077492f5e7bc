// Several corpora beside each other: names and work folders that nobody chose, and what belongs to whom.
#include <chrono>
#include <csignal>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class SecondCorpusTest : public E2eTest {
 protected:
  // One article a line; other words for another `kind`.
  std::string write_texts(const std::string& name, const std::string& kind) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const std::string n = std::to_string(i);
      text += "The " + kind + " number " + n + " has a sentence. It is " + n + " long. So it ends.\n";
    }
    return folder().write(name, text);
  }
  // The command of a newcomer, in the test's folder.
  Arguments command(const std::string& input, const std::string& root) {
    return {"run", "--input", input, "--format",       "articles", "--vocab",       vocab(), "--sentences", "icu",
            "-o",  root,      "-q",  "--train-shards", "2",        "--test-shards", "1",     "--phase",     "1"};
  }
  Finished run(const std::string& input, const std::string& root, const Arguments& more = {}) {
    return succeed(command(input, root) + more, here());
  }
  RunOptions here() { return {.folder = folder().path()}; }
  std::string rows_of(const std::string& root) { return succeed({"explain", root + ":0"}, here()).out; }
  void expect_done(const std::string& root) {
    const Finished status = succeed({"status", root}, here());
    EXPECT_THAT(status.out, HasSubstr("done; bertprep verify"));
  }
};

TEST_F(SecondCorpusTest, NamesFollowTheInput) {
  write_texts("tickets.txt", "ticket");
  write_texts("news/a.txt", "report");
  write_texts("news/b.txt", "comment");
  run("tickets.txt", "d1");
  run("news", "d2");
  EXPECT_TRUE(fs::exists(phase1("d1").parent_path() / "tickets/tickets_training_0.hdf5"));
  EXPECT_TRUE(fs::exists(phase1("d2").parent_path() / "news/news_training_0.hdf5"));
  for (const char* root : {"d1", "d2"}) expect_done(root);
  EXPECT_THAT(rows_of("d1"), HasSubstr("tickets_one_article_per_line.txt.zst"));
  EXPECT_THAT(rows_of("d2"), HasSubstr("news_one_article_per_line.txt.zst"));
}

TEST_F(SecondCorpusTest, ANameOfTwoInputsIsRefusedBeforeAnythingChanges) {
  write_texts("a/texts.txt", "ticket");
  write_texts("b/texts.txt", "report");
  run("a/texts.txt", "d1");
  const FileTree before = read_tree(folder().path());
  fail(1, command("b/texts.txt", "d1"), {"d1/hdf5", "contains a finished dataset made from another input"}, here());
  for (const Arguments& stage : {Arguments{}, Arguments{"--stage", "fetch"}}) {
    fail(1, command("b/texts.txt", "d2") + stage,
         {"is the text of another input, " + path("a/texts.txt"), "another --name or --work"}, here());
  }
  fs::remove_all(path("d2"));
  EXPECT_EQ(difference(before, read_tree(folder().path())), "");
  expect_done("d1");
  run("b/texts.txt", "d2", {"--name", "other"});
  run("b/texts.txt", "d3", {"--work", "other"});
  // The same text elsewhere is no other input.
  fs::create_directory(path("c"));
  fs::copy_file(path("a/texts.txt"), path("c/texts.txt"));
  run("c/texts.txt", "d4");
  for (const char* root : {"d1", "d2", "d3", "d4"}) {
    expect_done(root);
    EXPECT_THAT(rows_of(root), HasSubstr("row 0"));
  }
}

TEST_F(SecondCorpusTest, AFinishedDatasetKeepsItsTextWhenItsInputChanges) {
  write_texts("texts.txt", "ticket");
  run("texts.txt", "d1");
  const std::string before = rows_of("d1");
  write_texts("texts.txt", "report");
  fail(1, command("texts.txt", "d1"), {"contains a finished dataset made from another input"}, here());
  EXPECT_EQ(rows_of("d1"), before);
  expect_done("d1");
}

// As two runs without --name had it.
TEST_F(SecondCorpusTest, AFinishedDatasetIsDoneWhateverWorkHolds) {
  write_texts("a.txt", "ticket");
  write_texts("b.txt", "report");
  run("a.txt", "d1", {"--name", "corpus"});
  const std::string before = rows_of("d1");
  run("b.txt", "d2", {"--name", "corpus", "--force"});
  for (const char* root : {"d1", "d2"}) expect_done(root);
  const Finished lost = fail(1, {"explain", "d1:0", "-q"},
                             {path("bertprep-work/sharded_training_shards_2"), "is not the text",
                              "--input " + path("a.txt"), "--keep formatted,sharded", "--work"},
                             here());
  // As it says.
  run("a.txt", "d1", {"--name", "corpus", "--work", "again", "--keep", "formatted,sharded"});
  std::string again = rows_of("d1");
  for (std::size_t at = 0; (at = again.find("of again/", at)) != std::string::npos;) {
    again.replace(at, 9, "of bertprep-work/");
  }
  EXPECT_EQ(again, before);
  fs::remove_all(path("bertprep-work"));
  fs::remove_all(path("again"));
  for (const char* root : {"d1", "d2"}) expect_done(root);
}

TEST_F(SecondCorpusTest, AWorkFolderGivenElsewhereIsFound) {
  write_texts("a.txt", "ticket");
  write_texts("b.txt", "report");
  run("a.txt", "d1", {"--work", "elsewhere/work"});
  run("b.txt", "d2", {"--name", "a"});
  expect_done("d1");
  EXPECT_THAT(succeed({"status", "d1"}, here()).out, Not(HasSubstr("not checked")));
  EXPECT_THAT(rows_of("d1"), HasSubstr("elsewhere/work/sharded"));
  // Moved alone, and together with its work folder.
  fs::create_directories(path("moved/elsewhere"));
  fs::rename(path("d1"), path("moved/d1"));
  EXPECT_THAT(rows_of("moved/d1"), HasSubstr(" of elsewhere/work/sharded"));
  fs::rename(path("elsewhere/work"), path("moved/elsewhere/work"));
  EXPECT_THAT(rows_of("moved/d1"), HasSubstr(" of moved/elsewhere/work/sharded"));
  EXPECT_THAT(succeed({"status", "moved/d1"}, here()).out, Not(HasSubstr("not checked")));
}

TEST_F(SecondCorpusTest, ADefaultThatCannotBeMadeIsNamed) {
  write_texts("home/a.txt", "ticket");
  const auto arguments = command("a.txt", ".");
  fs::permissions(folder().path(),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(path("home"), fs::perms::all);
  const Finished finished = bertprep(arguments, {.folder = path("home"), .as_nobody = true});
  fs::permissions(folder().path(), fs::perms::owner_all);
  EXPECT_EQ(finished.exit_status, 1) << finished.err;
  EXPECT_THAT(finished.err, AllOf(HasSubstr(path("bertprep-work")), HasSubstr("Permission denied"),
                                  HasSubstr("it is beside --output as no other was given; name one with --work")));
}

// What one process left, another may have to go on with.
TEST_F(SecondCorpusTest, AKilledRunResumesAndOthersStayAway) {
  write_texts("a/texts.txt", "ticket");
  write_texts("b/texts.txt", "report");
  Finished killed;
  for (int tries = 1; tries < 200; ++tries) {
    fs::remove_all(path("d1"));
    fs::remove_all(path("bertprep-work"));
    RunOptions options = here();
    options.signal = SIGKILL;
    options.after = std::chrono::milliseconds(3 * tries);
    killed = bertprep(command("a/texts.txt", "d1"), options);
    const fs::path note = path(
        "bertprep-work/.formatted_one_article_per_line.bertprep/"
        "texts_one_article_per_line.txt.zst.inputs.json");
    if (killed.signal == SIGKILL && fs::exists(note)) break;
    ASSERT_NE(killed.exit_status, 0) << "was never killed in time";
  }
  fail(1, command("b/texts.txt", "d2"), {"another input"}, here());
  run("a/texts.txt", "d1");
  expect_done("d1");
  rows_of("d1");
}

TEST_F(SecondCorpusTest, AnUnusableInputLeavesItsNameFree) {
  folder().write("a/texts.txt", "\n\n");
  write_texts("b/texts.txt", "report");
  fail(1, command("a/texts.txt", "d1"), {"there is not a single article in it"}, here());
  run("b/texts.txt", "d1");
}

}  // namespace
}  // namespace bertprep::test
