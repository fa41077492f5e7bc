// Input and options that is unusable: the message says what, where and what to do, and no unfinished files stay.
#include <fcntl.h>
#include <sys/stat.h>

#include "e2e/e2e_test.h"
#include "support/packed.h"
#include "support/small_punkt.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

class BadInputTest : public E2eTest {
 protected:
  // `command -o out` ends with `status`, names all `words`, and leaves no file.
  void refuse(int status, const Arguments& command, const std::vector<std::string>& words) {
    fail(status, command + Arguments{"-o", path("out/result")}, words);
    EXPECT_THAT(names_of(read_tree(path("out"))), testing::IsEmpty());
  }
  Arguments shard(const std::string& file) const {
    return {"shard", file, "--name", "n", "--sentences", "icu", "--train-shards", "1", "--test-shards", "1"};
  }
  Arguments instances(const std::string& file) { return {"instances", file, "--vocab", vocab()}; }
  Arguments run(const std::string& file) {
    return {"run",     "--input", file,     "--name",        "n", "--sentences", "icu",
            "--vocab", vocab(),   "--work", path("out/work")};
  }
};

TEST_F(BadInputTest, InvalidUtf8InArticles) {
  const std::string file = folder().write("a.txt", "Sound.\nNot s\xFFund.\n");
  const std::vector<std::string> words = {"a.txt:2: invalid UTF-8 at byte 12", "convert the file to UTF-8"};
  refuse(1, {"format", file, "--format", "articles"}, words);
  refuse(1, shard(file), words);
  refuse(1, run(file) + Arguments{"--format", "articles"}, words);
}

TEST_F(BadInputTest, InvalidUtf8FarAfterTheFirstBlock) {
  std::string text;
  for (int i = 0; i < 40000; ++i)
    text += "Line " + std::to_string(i) + " of a long file. It goes on and on, as long files do.\n";
  const std::string place = std::to_string(text.size());
  const std::string file = folder().write("long.txt", text + "\xC3\n" + text);
  refuse(1, shard(file), {"long.txt:40001: invalid UTF-8 at byte " + place});
}

TEST_F(BadInputTest, InvalidUtf8InWikitext) {
  const std::string file = folder().write("w.txt", " \n = Title = \n \n Text \xED\xA0\x80 here . \n");
  refuse(1, {"format", file, "--format", "wikitext"}, {"w.txt:4: invalid UTF-8 at byte 22"});
}

TEST_F(BadInputTest, InvalidUtf8InATextShard) {
  const std::string file = folder().write("t.txt", "One.\n\nTwo.\nThree \xE2\x82.\n");
  refuse(1, instances(file), {"t.txt:4: invalid UTF-8 at byte 17"});
}

// Its markup would become sentences.
TEST_F(BadInputTest, WhatMustBeFormattedFirst) {
  const std::string records =
      folder().write("r.jsonl", "{\"text\": \"One came. Two went.\"}\n{\"text\": \"Three.\"}\n");
  const std::string dump = folder().write("d.xml", "<mediawiki>\n  <page>\n    <title>A</title>\n  </page>\n");
  for (const auto& [file, kind] : {std::pair(records, "JSON"), std::pair(dump, "a dump of a wiki")}) {
    const std::vector<std::string> words = {std::string("contains ") + kind + ", not formatted text",
                                            "run 'bertprep format'", "--force"};
    refuse(1, shard(file), words);
    refuse(1, instances(file), words);
  }
  refuse(1, {"sequences", dump, "--vocab", vocab()}, {"contains a dump of a wiki"});
  succeed({"sequences", records, "--vocab", vocab(), "-o", path("sequences")});
  const std::string packed = folder().write("t.txt.gz", compress("gzip", "One.\nTwo.\n\nThree.\n"));
  refuse(1, instances(packed), {"is compressed, and text shards are not"});
  succeed(shard(records) + Arguments{"--force", "-o", path("forced")});
}

// As the text of an article that was formatted, not as a record.
TEST_F(BadInputTest, ArticlesThatBeginLikeJsonAreText) {
  const std::string records = folder().write("r.jsonl", R"({"text": "{\"a\": 1}"}
{"text": "{\"b\": 2}"}
)");
  succeed({"format", records, "-o", path("formatted/r.txt")});
  EXPECT_THAT(read_bytes(folder() / "formatted/r.txt"), testing::StartsWith("{\"a\": 1}"));
  succeed(shard(path("formatted/r.txt")) + Arguments{"-o", path("text")});
  succeed(instances(path("text/n_training_0.txt")) + Arguments{"-o", path("shards")});
}

TEST_F(BadInputTest, InvalidUtf8WithoutAFormat) {
  refuse(1, {"format", folder().write("a.txt", "Latin \xE9t\xE9.\n")}, {"a.txt", "not UTF-8"});
}

TEST_F(BadInputTest, MarkupWithoutAFormat) {
  refuse(1, {"format", folder().write("page.html", "<html><body>Text</body></html>\n")}, {"page.html", "this is HTML"});
}

TEST_F(BadInputTest, VocabularyWithoutASpecialPiece) {
  const std::string text = folder().write("t.txt", "One.\n");
  const std::string vocab = folder().write("v.txt", "[PAD]\n[UNK]\n[CLS]\n[MASK]\none\n");
  refuse(1, {"instances", text, "--vocab", vocab}, {"v.txt", "special piece [SEP]"});
}

TEST_F(BadInputTest, VocabularyWithDuplicates) {
  const std::string text = folder().write("t.txt", "One.\n");
  const std::string vocab = folder().write("v.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\none\ntwo\none\n");
  refuse(1, {"instances", text, "--vocab", vocab}, {"v.txt:8: duplicate piece 'one'", "line 6"});
}

// At once: a pipe would be waited for, and a dataset downloaded before.
TEST_F(BadInputTest, AVocabularyThatIsAPipe) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = folder().write("a.txt", "One.\nTwo.\n");
  const std::vector<std::string> words = {pipe + ": is not a file", "write it to a file"};
  refuse(1, {"run", "wikitext-2", "--vocab", pipe, "--work", path("work")}, words);
  EXPECT_FALSE(fs::exists(path("work")));
  refuse(1, {"sequences", text, "--vocab", pipe}, words);
  fail(1, {"tokenize", text, "--vocab", pipe}, words);
  fail(1, {"vocab", "check", pipe}, words);
}

TEST_F(BadInputTest, PunktFolderWithAMissingFile) {
  const SmallPunkt punkt;
  const std::string file = folder().write("a.txt", "One. Two.\nThree.\n");
  fs::remove(punkt.folder() / "collocations.tab");
  const Arguments by_punkt = {"--sentences", "punkt", "--punkt", punkt.folder()};
  refuse(1, shard(file) + by_punkt, {"collocations.tab"});
  refuse(1, run(file) + by_punkt, {"collocations.tab"});
  refuse(1, shard(file) + Arguments{"--sentences", "punkt", "--punkt", path("absent")}, {"absent", "abbrev_types.txt"});
}

TEST_F(BadInputTest, FewerArticlesThanShards) {
  const std::string file = folder().write("a.txt", "One.\nTwo.\n\nThree.\n");
  refuse(1, shard(file) + Arguments{"--train-shards", "4", "--test-shards", "2"},
         {"3 articles cannot fill 4 training shards and 2 test shards", "--train-shards 2 --test-shards 1"});
  refuse(1, shard(folder().write("b.txt", "Alone.\n")), {"1 article cannot fill", "at least two articles"});
}

TEST_F(BadInputTest, RowsTooShort) {
  refuse(2, instances(folder().write("t.txt", "One.\n")) + Arguments{"--seq-len", "4"},
         {"--seq-len is 4, it must be between 5 and"});
}

TEST_F(BadInputTest, NoPredictions) {
  refuse(2, instances(folder().write("t.txt", "One.\n")) + Arguments{"--max-predictions", "0"},
         {"--max-predictions is 0, it must be between 1 and"});
}

TEST_F(BadInputTest, OptionsThatAreNoNumbers) {
  const std::string file = folder().write("t.txt", "One.\n");
  refuse(2, instances(file) + Arguments{"--seq-len", "12x"}, {"--seq-len: '12x' is not a whole number"});
  refuse(2, instances(file) + Arguments{"--masked-lm-prob", "1.5"}, {"--masked-lm-prob is 1.5"});
  refuse(2, instances(file) + Arguments{"--random-seed", "1e9"}, {"'1e9'", "whole number"});
  refuse(2, instances(file) + Arguments{"--memory", "lots"}, {"--memory 'lots'", "4G"});
  refuse(2, instances(file) + Arguments{"-j", "-1"}, {"--threads is -1"});
}

TEST_F(BadInputTest, OptionsThatAreNoChoice) {
  const std::string file = folder().write("a.txt", "One.\nTwo.\n");
  refuse(2, {"format", file, "--format", "orc"}, {"--format is 'orc'", "wikitext"});
  refuse(2, run(file) + Arguments{"--phase", "3"}, {"--phase is '3'", "1|2|both|custom"});
  refuse(2, run(file) + Arguments{"--name", "a/b"}, {"--name 'a/b'"});
  refuse(2, shard(file) + Arguments{"--language", "klingon"}, {"--language is 'klingon'"});
}

TEST_F(BadInputTest, EmptyFile) {
  const std::string file = folder().write("empty.txt", "");
  refuse(1, {"format", file}, {"empty.txt", "it is empty (0 bytes)"});
  refuse(1, {"format", file, "--format", "wikitext"}, {"empty.txt", "it is empty (0 bytes)"});
  refuse(1, shard(file), {"no articles"});
  refuse(1, run(file), {"empty.txt", "it is empty (0 bytes)"});
  refuse(1, {"instances", folder().write("t.txt", "One.\n"), "--vocab", file}, {"empty.txt", "empty"});
  fail(1, {"inspect", file}, {"empty.txt", "HDF5"});
}

TEST_F(BadInputTest, FolderWhereAFileIsMeant) {
  fs::create_directory(folder() / "folder");
  const std::string text = folder().write("t.txt", "One.\nTwo.\n");
  const std::vector<std::string> words = {"folder", "Is a directory", "a file is expected here"};
  refuse(1, shard(path("folder")), words);
  refuse(1, instances(path("folder")), words);
  refuse(1, {"instances", text, "--vocab", path("folder")}, words);
  fail(1, {"vocab", "check", path("folder")}, words);
  for (const char* command : {"inspect", "hash", "verify"}) {
    fail(1, {command, path("folder")}, {"folder", "is an empty folder", "give a folder of shards"});
  }
  fail(1, {"tokenize", "--vocab", vocab(), path("folder")}, words);
  const auto before = names_of(read_tree(folder().path()));
  for (const char* name : {"folder", "folder/", ".", "folder/.."}) {
    const RunOptions there{.folder = folder().path()};
    fail(1, {"format", text, "--force", "-o", name}, {name, "Is a directory", "a file is expected here"}, there);
    fail(1, {"vocab", "train", text, "--force", "-o", name}, {name, "Is a directory"}, there);
  }
  EXPECT_EQ(names_of(read_tree(folder().path())), before);
}

TEST_F(BadInputTest, FolderWithoutShards) {
  folder().write("notes/deep/a.txt", "One.\n");
  for (const char* command : {"inspect", "hash", "verify"}) {
    fail(1, {command, path("notes")}, {"notes", "contains no .hdf5 or .h5 file", "give a folder of shards"});
  }
}

TEST_F(BadInputTest, FilesThatAreNoShards) {
  succeed(run_sample());
  const std::string shard = read_bytes((phase1() / "sample_training_0.hdf5").string());
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"", "it is empty (0 bytes)"},
      {"One.\n", "it is text"},
      {compress("gzip", shard), "it is packed by gzip"},
      {shard.substr(0, shard.size() / 2), "truncated file"},
      {std::string("\x01\0\x02", 3), "file signature not found"}};
  for (const auto& [bytes, kind] : kinds) {
    const std::string file = folder().write("set/n_training_0.hdf5", bytes);
    const std::string page = path("report.html");
    for (const std::string& given : {file, path("set")}) {
      fail(1, {"report", given, "-o", page}, {"n_training_0.hdf5: not a", kind});
      EXPECT_FALSE(fs::exists(page));
      fail(1, {"inspect", given}, {"n_training_0.hdf5: not a", kind});
      fail(1, {"compare", given, phase1()}, {"n_training_0.hdf5: not a", kind});
      for (const char* command : {"doctor", "verify"}) {
        const Finished finished = bertprep({command, given});
        EXPECT_EQ(finished.exit_status, 1) << command;
        EXPECT_THAT(finished.out, testing::HasSubstr(kind)) << command;
      }
    }
    fail(1, {"reshard", path("set"), "--shards", "2", "-o", path("new")}, {"n_training_0.hdf5: not a", kind});
  }
  // A page shows which files of a set are damaged.
  fs::copy(phase1() / "sample_training_0.hdf5", path("set/n_training_1.hdf5"));
  succeed({"report", path("set"), "-o", path("report.html")});
  EXPECT_THAT(read_bytes(path("report.html")), testing::HasSubstr("file signature not found"));
}

TEST_F(BadInputTest, AFileInsteadOfAFolder) {
  succeed(run_sample());
  const std::string notes = folder().write((phase1() / "notes.txt").string(), "One.\n");
  fail(1, {"verify", notes}, {"notes.txt: is not a shard", "give the folder of shards"});
  fail(1, {"croissant", notes}, {"notes.txt: is not a folder", "give the folder of one finished dataset"});
}

TEST_F(BadInputTest, AFolderWithoutPermission) {
  succeed(run_sample());
  fs::permissions(folder().path(), fs::perms{0755});
  fs::permissions(path("root"), fs::perms{0});
  const std::vector<Arguments> commands = {{"status", path("root")},  {"verify", path("root")},
                                           {"doctor", path("root")},  {"report", path("root"), "-o", "-"},
                                           {"inspect", path("root")}, {"compare", path("root"), path("root")},
                                           {"order", path("root")}};
  for (const Arguments& command : commands) {
    fail(1, command, {"root: can't be listed", "Permission denied"}, {.as_nobody = true});
  }
}

TEST_F(BadInputTest, AbsentFile) {
  const std::vector<std::string> words = {"absent.txt", "No such file or directory", "check the path"};
  refuse(1, {"format", path("absent.txt")}, words);
  refuse(1, shard(path("absent.txt")), words);
  refuse(1, instances(path("absent.txt")), words);
  fail(1, {"tokenize", "--vocab", vocab(), path("absent.txt")}, words);
  for (const char* command : {"inspect", "hash", "verify"}) fail(1, {command, path("absent.txt")}, words);
}

TEST_F(BadInputTest, TextShardsOfOneName) {
  const std::string one = folder().write("a/t.txt", "One.\n");
  const std::string two = folder().write("b/t.txt", "Two.\n");
  refuse(2, {"instances", one, two, "--vocab", vocab()}, {"two text shards are named 't'"});
}

TEST_F(BadInputTest, TooLittleMemory) {
  refuse(
      1, instances(folder().write("t.txt", "One.\n")) + Arguments{"--memory", "20M"},
      {"the largest text shard needs about", "--memory allows 20", "more --memory or make more, smaller text shards"});
}

TEST_F(BadInputTest, SaysWhatEditorsLeaveInAVocabulary) {
  const std::string sound = read_bytes(vocab());
  fail(1, {"vocab", "check", folder().write("bom.txt", "\xEF\xBB\xBF" + sound)},
       {"bom.txt: begins with a byte order mark", "save the file"});
  fail(1, {"vocab", "check", folder().write("blanks.txt", sound + "\n\n")}, {" is blank, as is line ", "remove blank"});
  EXPECT_THAT(succeed({"vocab", "check", folder().write("blank.txt", sound + "\n")}).err,
              testing::HasSubstr(" is blank: it counts as a piece"));
}

// The clock of the standard library ends in 2262.
TEST_F(E2eTest, AnInputFromTheFarFutureIsRead) {
  const std::string input = folder().write("in.txt", "A short one. And more.\n").string();
  const timespec time{.tv_sec = 20'000'000'000, .tv_nsec = 0};  // 2603
  const timespec times[] = {time, time};
  ASSERT_EQ(::utimensat(AT_FDCWD, input.c_str(), times, 0), 0);
  struct stat status {};
  ASSERT_EQ(::stat(input.c_str(), &status), 0);
  if (status.st_mtime != time.tv_sec) GTEST_SKIP() << "skipped: this file system has no such times";
  succeed({"format", input, "--format", "articles", "-o", path("out.txt")});
  succeed({"vocab", "train", input, "--vocab-size", "30", "-o", path("vocab.txt")});
}

}  // namespace
}  // namespace bertprep::test
