// No command overwrites its input, writes where it would later read input, or overwrites a file that the program did
// not make.
#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class OutputOverInputTest : public E2eTest {
 protected:
  // Fails with the status of wrong usage, and changes no file.
  void refuse(const Arguments& arguments, const std::string& words = "is read as input") {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const FileTree before = read_tree(folder().path());
    EXPECT_THAT(fail(2, arguments, {words}).err, HasSubstr(path("")));
    EXPECT_EQ(difference(before, read_tree(folder().path())), "");
  }
  std::string copy(const std::string& name, const std::string& as) {
    return folder().write(as, read_bytes(sample(name)));
  }
};

TEST_F(OutputOverInputTest, Format) {
  const std::string text = copy("sample.wikitext", "w.wikitext");
  const Arguments format = {"format", text, "--format", "wikitext", "-o"};
  refuse(format + Arguments{text});
  refuse(format + Arguments{path("./x/../w.wikitext")});
  fs::create_symlink(text, folder() / "link.txt");
  fs::create_hard_link(text, folder() / "hard.txt");
  refuse(format + Arguments{path("link.txt")});
  refuse(format + Arguments{path("hard.txt")});
  refuse(format + Arguments{text, "--force"});
  const std::string xml = copy("sample_wiki.xml", "w.xml");
  refuse({"format", xml, "-o", xml});
  const std::string json = copy("sample.jsonl", "w.jsonl");
  refuse({"format", json, "-o", json});
  fs::create_hard_link(json, folder() / "out.txt.origins.jsonl");
  refuse({"format", json, "-o", path("out.txt")});
}

TEST_F(OutputOverInputTest, FormatIntoTheFolderOfItsInput) {
  copy("sample.jsonl", "in/a.jsonl");
  refuse({"format", path("in"), "-o", path("in/all.txt")}, "folder of the input");
  refuse({"format", path("in"), "-o", path("in/deeper/all.txt")}, "folder of the input");
  fs::create_directory_symlink(folder() / "in", folder() / "other");
  refuse({"format", path("in"), "-o", path("other/all.txt")}, "folder of the input");
  succeed({"format", path("in"), "-o", path("in/.hidden/all.txt"), "-q"});
  succeed({"format", path("in/a.jsonl"), "-o", path("in/a.txt"), "-q"});
}

TEST_F(OutputOverInputTest, TextShards) {
  make_text_shards("sd");
  const std::string shard = path("sd/sample_training_0.txt");
  refuse({"shard", shard, "--name", "sample", "--sentences", "icu", "--train-shards", "1", "--test-shards", "1", "-o",
          path("sd")});
}

TEST_F(OutputOverInputTest, Shards) {
  const std::string text = folder().write("h/a.hdf5", "A sentence.\nAnother.\n\nA third.\nAnd a fourth.\n");
  refuse({"instances", text, "--vocab", vocab(), "-o", path("h")});
}

TEST_F(OutputOverInputTest, Extract) {
  copy("sample_wiki.xml", "dumps/w.xml");
  refuse({"extract", path("dumps"), "-o", path("dumps/out")}, "folder of the input");
}

TEST_F(OutputOverInputTest, Vocabulary) {
  const std::string text = copy("sample.wikitext", "v.txt");
  refuse({"vocab", "train", text, "--format", "wikitext", "--vocab-size", "600", "-o", text});
  refuse({"vocab", "train", text, "--format", "wikitext", "--vocab-size", "600", "-o", text, "--force"});
}

TEST_F(OutputOverInputTest, Runs) {
  copy("sample.jsonl", "in/a.jsonl");
  const Arguments run = {"run", "--input",       path("in"), "--vocab", vocab(), "--sentences", "icu", "--train-shards",
                         "2",   "--test-shards", "1",        "--phase", "1",     "-q"};
  for (const Arguments& stage : {Arguments{}, Arguments{"--stage", "fetch"}}) {
    refuse(run + stage + Arguments{"-o", path("in/root"), "--work", path("work")}, "folder of the input");
    refuse(run + stage + Arguments{"-o", path("root"), "--work", path("in")}, "folder of the input");
    refuse(run + stage + Arguments{"-o", path("in/root")}, "folder of the input");
  }
  const std::string formatted = "work/formatted_one_article_per_line/x_one_article_per_line.txt.zst";
  const std::string own = copy("sample.jsonl", formatted);
  refuse({"run", "--input", own, "--name", "x", "--vocab", vocab(), "--sentences", "icu", "-o", path("root"), "--work",
          path("work")});
}

// Files at the output that no earlier call made are the user's.
TEST_F(OutputOverInputTest, FilesOfOthers) {
  const std::string json = copy("sample.jsonl", "a.jsonl");
  for (const char* other : {"out.txt", "out.txt.origins.jsonl"}) {
    SCOPED_TRACE(other);
    const std::string file = folder().write(other, "mine\n");
    fail(1, {"format", json, "-o", path("out.txt")}, {other, "not made by bertprep", "--force"});
    EXPECT_EQ(read_bytes(file), "mine\n");
    fs::remove(file);
  }
  folder().write("out.txt", "mine\n");
  succeed({"format", json, "-o", path("out.txt"), "-q", "--force"});
  succeed({"format", json, "-o", path("out.txt"), "-q"});

  folder().write("sd/s_training_0.txt", "mine\n");
  const Arguments shard = {"shard", path("out.txt"), "--name", "s",  "--sentences", "icu",     "--train-shards",
                           "2",     "--test-shards", "1",      "-q", "-o",          path("sd")};
  fail(1, shard, {"s_training_0.txt", "--force"});
  EXPECT_EQ(read_bytes(path("sd/s_training_0.txt")), "mine\n");
  succeed(shard + Arguments{"--force"});
  succeed(shard);

  folder().write("h/s_training_0.hdf5", "mine\n");
  const Arguments instances = {"instances", path("sd/s_training_0.txt"), "--vocab", vocab(), "-q", "-o", path("h")};
  fail(1, instances, {"s_training_0.hdf5", "--force"});
  EXPECT_EQ(read_bytes(path("h/s_training_0.hdf5")), "mine\n");
  succeed(instances + Arguments{"--force"});
  succeed(instances);

  const std::string pieces = folder().write("v.txt", "mine\n");
  const Arguments train = {"vocab", "train", json, "--vocab-size", "600", "-q", "-o", pieces};
  fail(1, train, {"v.txt", "--force"});
  EXPECT_EQ(read_bytes(pieces), "mine\n");
  succeed(train + Arguments{"--force"});
  succeed(train);
}

// A finished dataset of this name is replaced only with --force.
TEST_F(OutputOverInputTest, FinishedDatasets) {
  const std::string json = copy("sample.jsonl", "a.jsonl");
  const Arguments run = {"run", "--input",       json, "--name",  "s", "--sentences", "icu", "--train-shards",
                         "2",   "--test-shards", "1",  "--phase", "1", "-q",          "-o",  path("root"),
                         "-w",  path("work"),    "-j", "1"};
  const std::string own = path("own-vocab.txt");
  succeed(
      {"vocab", "train", sample("sample.wikitext"), "--format", "wikitext", "--vocab-size", "500", "-q", "-o", own});
  succeed(run + Arguments{"--vocab", vocab()});
  const FileTree before = read_tree(path("root"));
  const auto differs = [&](const Arguments& more, const std::string& field) {
    SCOPED_TRACE(field);
    fail(1, run + more, {"finished dataset", field, "--name", "--force"});
    fail(1, run + more + Arguments{"--stage", "fetch"}, {"finished dataset", field, "--name", "--force"});
    EXPECT_EQ(difference(before, read_tree(path("root"))), "");
  };
  differs({"--vocab", own}, "vocab-sha256");
  differs({"--vocab", vocab(), "--short-seq-prob", "0.5"}, "short-seq-prob");
  differs({"--vocab", vocab(), "--test-fraction", "0.3"}, "test-fraction");

  folder().write("a.jsonl", read_bytes(sample("sample.jsonl")) + "{\"text\": \"One more. It is short.\"}\n");
  const FileTree shards = read_tree(phase1().parent_path() / "s");
  fail(1, run + Arguments{"--vocab", vocab()}, {"finished dataset", "another input", "--name", "--force"});
  EXPECT_EQ(difference(shards, read_tree(phase1().parent_path() / "s")), "");
  folder().write("a.jsonl", read_bytes(sample("sample.jsonl")));
  succeed(run + Arguments{"--vocab", vocab()});
  EXPECT_EQ(difference(before, read_tree(path("root"))), "");

  succeed(run + Arguments{"--vocab", own, "--force"});
  EXPECT_NE(difference(before, read_tree(path("root"))), "");
  succeed(run + Arguments{"--vocab", own});
}

TEST_F(OutputOverInputTest, FinishedResultsOfOneStage) {
  const std::string json = copy("sample.jsonl", "a.jsonl");
  const Arguments format = {"format", json, "-q", "-o", path("a.txt")};
  succeed(format);
  fail(1, format + Arguments{"--text-field", "title"}, {"text-field", "'text'", "'title'", "--force"});
  const Arguments shard = {"shard",    path("a.txt"), "--name",        "s", "--train-shards", "2", "-o",
                           path("sd"), "-q",          "--test-shards", "1"};
  succeed(shard + Arguments{"--sentences", "icu"});
  fail(1, shard + Arguments{"--sentences", "lines"}, {"sentences", "--force"});
  const Arguments instances = {"instances", path("sd/s_training_0.txt"), "-q", "-o", path("h"), "--vocab", vocab()};
  succeed(instances);
  fail(1, instances + Arguments{"--short-seq-prob", "0.5"}, {"short-seq-prob", "--force"});
  folder().write("sd/s_training_0.txt", "Another text.\nOf mine.\n\nA second.\nHere.\n");
  fail(1, instances, {"s_training_0.txt: has changed since it was written", "--force"});
  succeed(instances + Arguments{"--force"});
}

// A recipe depends on a file's content, not on its name.
TEST_F(OutputOverInputTest, TemplatesCountByTheirContent) {
  const std::string dump = copy("sample_wiki.xml", "w.xml");
  const Arguments format = {"format", dump, "-q", "--templates"};
  const auto says = [&](const std::string& file, const std::string& words) {
    EXPECT_THAT(succeed({"format", dump, "--templates", file, "-o", path("out.txt")}).err, HasSubstr(words)) << file;
  };
  const std::string made = path("t.xml");
  succeed(format + Arguments{made, "-o", path("out.txt")});
  ASSERT_TRUE(fs::exists(made));
  says(made, "nothing to do");
  fs::remove(made);
  says(made, "nothing to do");
  const auto page = [](const std::string& text) {
    return "<page>\n   <title>Template:Own</title>\n   <ns>10</ns>\n   <id>1</id>\n   <text>" + text +
           "   </text>\n</page>\n";
  };
  const std::string own = folder().write("own.xml", page("one"));
  succeed(format + Arguments{own, "-o", path("own.txt")});
  fs::rename(own, folder() / "renamed.xml");
  const Finished renamed = succeed({"format", dump, "--templates", path("renamed.xml"), "-o", path("own.txt")});
  EXPECT_THAT(renamed.err, HasSubstr("nothing to do"));
  folder().write("renamed.xml", page("two"));
  fail(1, {"format", dump, "--templates", path("renamed.xml"), "-o", path("own.txt")}, {"templates was", "--force"});
}

}  // namespace
}  // namespace bertprep::test
