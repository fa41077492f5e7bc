// Files in a recipe, edited or renamed between two calls: only their content matters.
#include <chrono>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class EditedFilesTest : public E2eTest {
 protected:
  EditedFilesTest() {
    folder().write("punkt/abbrev_types.txt", "dr\nmr\n");
    folder().write("punkt/collocations.tab", "mr\tsmith\n");
    folder().write("punkt/sent_starters.txt", "the\n");
    folder().write("punkt/ortho_context.tab", "the\t46\n");
    folder().write("v.txt", read_bytes(vocab()));
  }
  Arguments run(const std::string& pieces = "v.txt", const std::string& punkt = "punkt") {
    return {"run",
            "--input",
            sample("sample.jsonl"),
            "--name",
            "s",
            "--vocab",
            path(pieces),
            "--punkt",
            path(punkt),
            "--train-shards",
            "2",
            "--test-shards",
            "1",
            "--phase",
            "1",
            "-o",
            path("root"),
            "-w",
            path("work")};
  }
  Arguments shard(const std::string& punkt = "punkt") {
    return {"shard",   path("articles.txt"), "--name",         "s", "--sentences",   "punkt",
            "--punkt", path(punkt),          "--train-shards", "2", "--test-shards", "1",
            "-o",      path("text")};
  }
  void expect_found(const Arguments& arguments) { EXPECT_THAT(succeed(arguments).err, HasSubstr("nothing to do")); }
  // Adds the line to the file, lets `check` run, and restores the file.
  template <class Check>
  void edited(const std::string& name, const std::string& line, const Check& check) {
    SCOPED_TRACE(name);
    const std::string before = read_bytes(path(name));
    folder().write(name, before + line);
    check();
    folder().write(name, before);
  }
};

const std::vector<std::pair<std::string, std::string>> kParameters = {{"punkt/abbrev_types.txt", "prof\n"},
                                                                      {"punkt/collocations.tab", "dr\tjones\n"},
                                                                      {"punkt/sent_starters.txt", "then\n"},
                                                                      {"punkt/ortho_context.tab", "then\t46\n"}};

TEST_F(EditedFilesTest, AVocabularyOfARun) {
  succeed(run());
  const FileTree before = read_tree(path("root"));
  edited("v.txt", "##mine\n", [&] { fail(1, run(), {"finished dataset", "vocab-sha256", "--force"}); });
  EXPECT_EQ(difference(before, read_tree(path("root"))), "");
  expect_found(run());
  fs::rename(path("v.txt"), path("w.txt"));
  expect_found(run("w.txt"));
  edited("w.txt", "##mine\n", [&] { succeed(run("w.txt") + Arguments{"--force"}); });
  EXPECT_NE(difference(before, read_tree(path("root"))), "");
}

TEST_F(EditedFilesTest, PunktParametersOfARun) {
  succeed(run());
  const FileTree before = read_tree(path("root"));
  for (const auto& [name, line] : kParameters) {
    edited(name, line, [&] { fail(1, run(), {"finished dataset", "sentences", "--force"}); });
    EXPECT_EQ(difference(before, read_tree(path("root"))), "");
  }
  fs::rename(path("punkt"), path("other"));
  expect_found(run("v.txt", "other"));
}

TEST_F(EditedFilesTest, PunktParametersOfTextShards) {
  succeed({"format", sample("sample.jsonl"), "-o", path("articles.txt"), "-q"});
  succeed(shard());
  const FileTree before = read_tree(path("text"));
  for (const auto& [name, line] : kParameters) {
    edited(name, line, [&] { fail(1, shard(), {"sentences was", "--force"}); });
    EXPECT_EQ(difference(before, read_tree(path("text"))), "");
  }
  fs::rename(path("punkt"), path("other"));
  expect_found(shard("other"));
}

TEST_F(EditedFilesTest, AVocabularyOfInstances) {
  const std::string text = make_text_shards().front();
  const auto instances = [&](const std::string& pieces) {
    return Arguments{"instances", text, "--vocab", path(pieces), "-o", path("h")};
  };
  succeed(instances("v.txt"));
  const FileTree before = read_tree(path("h"));
  edited("v.txt", "##mine\n", [&] { fail(1, instances("v.txt"), {"vocab-sha256 was", "--force"}); });
  EXPECT_EQ(difference(before, read_tree(path("h"))), "");
  fs::rename(path("v.txt"), path("w.txt"));
  expect_found(instances("w.txt"));
}

// Damage does not change the time of a file.
void make_old(const fs::path& file) {
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST_F(EditedFilesTest, AFormattedFileIsKeptAside) {
  const Arguments format = {"format", sample("sample.jsonl"), "-o", path("f.txt")};
  succeed(format);
  const std::string made = read_bytes(path("f.txt"));
  for (const char* number : {"1", "2"}) {
    const std::string mine = made + "My line " + number + ".\n";
    folder().write("f.txt", mine);
    EXPECT_THAT(succeed(format).err, HasSubstr(std::string("is kept as f.txt.changed-") + number));
    EXPECT_EQ(read_bytes(path(std::string("f.txt.changed-") + number)), mine);
    EXPECT_EQ(read_bytes(path("f.txt")), made);
  }
  expect_found(format);
  folder().write("f.txt", made.substr(0, 100));
  make_old(path("f.txt"));
  EXPECT_THAT(succeed(format).err, testing::Not(HasSubstr("is kept")));
  folder().write("f.txt", made.substr(0, 100) + std::string(100, '\0'));
  EXPECT_THAT(succeed(format).err, testing::Not(HasSubstr("is kept")));
  EXPECT_EQ(read_bytes(path("f.txt")), made);
  EXPECT_FALSE(fs::exists(path("f.txt.changed-3")));
}

TEST_F(EditedFilesTest, RemadeFilesAreKeptAside) {
  succeed(run());
  const std::string text = "work/sharded_training_shards_2_test_shards_1_fraction_0.1/s/s_training_0.txt";
  const std::string made = read_bytes(path(text));
  std::string mine = made;
  mine.replace(mine.find("the"), 3, "teh");  // of the same size: found when it is read
  folder().write(text, mine);
  const fs::path shard = (fs::directory_iterator(path("root")))->path() / "s/s_training_0.hdf5";
  const std::string rows = read_bytes(shard);
  fs::remove(shard);
  EXPECT_THAT(succeed(run()).err, HasSubstr("is kept as s_training_0.txt.changed-1"));
  EXPECT_EQ(read_bytes(path(text + ".changed-1")), mine);
  EXPECT_EQ(read_bytes(path(text)), made);
  EXPECT_EQ(read_bytes(shard), rows);
}

TEST_F(EditedFilesTest, ExtractedPagesAreNotReplaced) {
  const Arguments extract = {"extract", sample("sample_wiki.xml"), "-o", path("pages")};
  succeed(extract);
  const std::string made = read_bytes(path("pages/AA/wiki_00"));
  folder().write("pages/AA/wiki_notes", "mine\n");
  folder().write("pages/AA/wiki_00", made + "My line.\n");
  fail(1, extract, {"pages/AA/wiki_00", "was changed since it was made", "--force"});
  EXPECT_EQ(read_bytes(path("pages/AA/wiki_00")), made + "My line.\n");
  succeed(extract + Arguments{"--force"});
  EXPECT_EQ(read_bytes(path("pages/AA/wiki_00")), made);
  EXPECT_EQ(read_bytes(path("pages/AA/wiki_notes")), "mine\n");
}

}  // namespace
}  // namespace bertprep::test
