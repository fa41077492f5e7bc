// "-": standard input instead of a file.
#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "e2e/e2e_test.h"
#include "support/golden_data.h"
#include "support/packed.h"
#include "support/read_text.h"
#include "support/sanitized.h"
#include "support/sqlite_file.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class StandardInputTest : public E2eTest {
 protected:
  std::string records() { return read_text(sample("sample.jsonl")); }
  Arguments run(const std::string& root) {
    return {"run",         "--input",       "-",       "--name",    "s",
            "--sentences", "icu",           "--vocab", vocab(),     "--train-shards",
            "2",           "--test-shards", "1",       "--phase",   "1",
            "-o",          path(root),      "-w",      path("work")};
  }
  // Runs a line in a shell; `program` is the program.
  int shell(const std::string& line) {
    return std::system(("program() { " BERTPREP_PROGRAM " \"$@\"; }; cd " + path("") + "; " + line).c_str());
  }
};

TEST_F(StandardInputTest, GivesTheSameAsTheFile) {
  succeed({"format", sample("sample.jsonl"), "-o", path("file.txt"), "-q"});
  const Arguments format = {"format", "-", "-o", path("out/stdin.txt")};
  succeed(format, {.input = records()});
  EXPECT_EQ(read_text(path("out/stdin.txt")), read_text(path("file.txt")));
  EXPECT_THAT(read_text(path("out/stdin.txt.origins.jsonl")), HasSubstr("\"/dev/stdin\""));
  EXPECT_THAT(succeed(format, {.input = records()}).err, HasSubstr("nothing to do"));
  fail(1, format, {"its input changed", "--force"}, {.input = records() + "{\"text\": \"It rains.\"}\n"});
  expect_nothing_unfinished(folder().path());
}

TEST_F(StandardInputTest, CompressedTextAndRedirectedFiles) {
  folder().write("a.jsonl", records());
  ASSERT_EQ(shell("program format a.jsonl -o file.txt -q"), 0);
  ASSERT_EQ(shell("gzip -c a.jsonl | program format - -o piped.txt -q"), 0);
  folder().write("a.zst", compress("zstd", records()));
  ASSERT_EQ(shell("program format - -o redirected.txt -q < a.zst"), 0);
  // Lines read by an earlier command are gone.
  ASSERT_EQ(shell("{ read line; program format - -o rest.txt -q; } < a.jsonl"), 0);
  const std::string text = read_text(path("file.txt"));
  EXPECT_EQ(read_text(path("piped.txt")), text);
  EXPECT_EQ(read_text(path("redirected.txt")), text);
  EXPECT_EQ(read_text(path("rest.txt")), text.substr(text.find('\n') + 1));
}

// Piped bytes give what their file gives.
TEST_F(StandardInputTest, IsReadInEveryFormat) {
  const auto columns = source_folder() / "tests/data/parquet";
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"wikitext", read_text(sample("sample.wikitext"))},
      {"mediawiki", read_text(sample("sample_wiki.xml"))},
      {"wikiextractor", "<doc id=\"1\" url=\"u\" title=\"T\">\nT\n\nIt rains.\n</doc>\n"},
      {"articles", "It rains.\n"},
      {"sentences", "It rains.\nIt snows.\n\nIt hails.\n"},
      {"books", "It rains.\n\nIt snows.\n"},
      {"jsonl", records()},
      {"csv", "title,text\nT,It rains.\n"},
      {"tsv", "title\ttext\nT\tIt rains.\n"},
      {"pubmed",
       "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>T</ArticleTitle>"
       "<Abstract><AbstractText>It rains.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
       "</PubmedArticleSet>"},
      {"parquet", read_text(columns / "duckdb.zstd.v2.parquet")},
      {"arrow", read_text(columns / "polars.zstd.arrow")},
      {"cirrus", "{\"index\":{\"_id\":\"1\"}}\n{\"namespace\":0,\"text\":\"It rains.\"}\n"}};
  for (const auto& [format, bytes] : inputs) {
    const Arguments options = {"--format", format, "--max-rejects", "100", "--force", "-q", "-o"};
    folder().write("input", bytes);
    succeed(Arguments{"format", path("input")} + options + Arguments{path("file.txt")});
    succeed(Arguments{"format", "-"} + options + Arguments{path("piped.txt")}, {.input = bytes});
    EXPECT_FALSE(read_text(path("file.txt")).empty()) << format;
    EXPECT_EQ(read_text(path("piped.txt")), read_text(path("file.txt"))) << format;
  }
}

// Its library opens files by their names.
TEST_F(StandardInputTest, IsNoSqliteFromAPipe) {
  make_sqlite(path("a.db"), "create table t (text); insert into t values ('It rains.')");
  const Arguments format = {"format", "-", "--query", "select text from t", "-o", path("a.txt")};
  fail(1, format, {"SQLite is not read from a pipe; name the file"}, {.input = read_text(path("a.db"))});
  ASSERT_EQ(shell("program format - --query 'select text from t' -o a.txt -q < a.db"), 0);
  EXPECT_EQ(read_text(path("a.txt")), "It rains.\n");
}

TEST_F(StandardInputTest, RunsAndOtherCommands) {
  const Arguments command = run("root");
  succeed(command + Arguments{"--dry-run"}, {.input = records()});
  EXPECT_FALSE(fs::exists(path("work")));
  succeed(command, {.input = records()});
  EXPECT_THAT(succeed(command, {.input = records()}).err, HasSubstr("nothing to do"));
  succeed({"verify", path("root")});
  const std::string dump = read_text(sample("sample_wiki.xml"));
  succeed({"extract", "-", "-o", path("extracted"), "-q"}, {.input = dump});
  succeed({"extract", sample("sample_wiki.xml"), "-o", path("other"), "-q"});
  EXPECT_EQ(read_text(path("extracted/AA/wiki_00")), read_text(path("other/AA/wiki_00")));
  succeed({"shard", "-", "--name", "s", "--sentences", "icu", "--train-shards", "2", "--test-shards", "1", "-o",
           path("text")},
          {.input = "It rains.\nIt snows.\nIt hails.\n"});
  succeed({"vocab", "train", "-", "--vocab-size", "600", "-o", path("v.txt")}, {.input = records()});
  EXPECT_THAT(succeed({"vocab", "check", "-"}, {.input = read_text(path("v.txt"))}).out, HasSubstr("600 pieces"));
  const Arguments tokenize = {"tokenize", "--vocab", path("v.txt")};
  EXPECT_EQ(succeed(tokenize + Arguments{"-"}, {.input = "It rains.\n"}).out,
            succeed(tokenize, {.input = "It rains.\n"}).out);
  EXPECT_EQ(succeed({"sentences", "--sentences", "icu", "-"}, {.input = "It rains. It snows.\n"}).out,
            "It rains.\nIt snows.\n\n");
}

TEST_F(StandardInputTest, ShardsAreReadLikeFiles) {
  succeed(run_sample());
  const std::string file = (phase1() / "sample_training_0.hdf5").string();
  ASSERT_EQ(shell("cat " + file + " | program inspect - --vocab sample-uncased > piped.txt"), 0);
  ASSERT_EQ(shell("program inspect - --vocab sample-uncased < " + file + " > redirected.txt"), 0);
  const std::string rows = read_text(path("piped.txt"));
  EXPECT_THAT(rows, testing::StartsWith("/dev/stdin: "));
  EXPECT_EQ(rows, read_text(path("redirected.txt")));
  const std::string named = succeed({"inspect", file, "--vocab", "sample-uncased"}).out;
  EXPECT_EQ(rows.substr(rows.find('\n')), named.substr(named.find('\n')));
  ASSERT_EQ(shell("mkdir tmp; cat " + file + " | TMPDIR=$PWD/tmp program hash - > hashes.tsv"), 0);
  EXPECT_TRUE(fs::is_empty(path("tmp")));
  std::string hashes = succeed({"hash", file}).out;
  for (std::size_t at; (at = hashes.find("sample_training_0.hdf5")) != std::string::npos;) hashes.replace(at, 22, "-");
  EXPECT_EQ(read_text(path("hashes.tsv")), hashes);
  EXPECT_NE(shell("echo text | program inspect - 2> refused.txt"), 0);
  EXPECT_THAT(read_text(path("refused.txt")), HasSubstr("/dev/stdin"));
}

TEST_F(StandardInputTest, TheVocabularyToo) {
  const RunOptions pieces = {.input = read_text(vocab())};
  Arguments command = run_sample();
  succeed(command);
  *(std::ranges::find(command, "--vocab") + 1) = "-";
  EXPECT_THAT(succeed(command, pieces).err, HasSubstr("nothing to do"));
  command[0] = "plan";
  EXPECT_THAT(succeed(command, pieces).out, HasSubstr("rows of 128"));
  command[0] = "submit";
  command.insert(command.begin() + 1, "slurm");
  fail(2, command, {"standard input", "array job"});

  const std::vector<std::string> shards = make_text_shards();
  succeed(Arguments{"instances", "--vocab", "-", "-o", path("h")} + shards, pieces);
  succeed(Arguments{"instances", "--vocab", vocab(), "-o", path("named")} + shards);
  const std::string shard = "/sample_training_0.hdf5";
  EXPECT_EQ(read_text(path("h") + shard), read_text(path("named") + shard));
  const Arguments blocks = Arguments{"sequences", "--for", "neobert", "-o", path("n")} + shards + Arguments{"--vocab"};
  succeed(blocks + Arguments{"-"}, pieces);
  EXPECT_THAT(succeed(blocks + Arguments{vocab()}).err, HasSubstr("nothing to do"));
  const Arguments inspect = {"inspect", path("h") + shard, "--rows", "1", "--vocab"};
  EXPECT_EQ(succeed(inspect + Arguments{"-"}, pieces).out, succeed(inspect + Arguments{vocab()}).out);
  folder().write("line.txt", "It rains.\n");
  EXPECT_EQ(succeed({"tokenize", path("line.txt"), "--vocab", "-"}, pieces).out,
            succeed({"tokenize", path("line.txt"), "--vocab", vocab()}).out);
  for (const Arguments& twice : {Arguments{"tokenize", "--vocab", "-"}, {"inspect", "-", "--vocab", "-"}}) {
    fail(2, twice, {"'-' is given twice"}, pieces);
  }
}

TEST_F(StandardInputTest, TheConfigurationToo) {
  const Arguments print = {"format", sample("sample.jsonl"), "-o", path("a.txt"), "--config", "-", "--print-config"};
  EXPECT_THAT(succeed(print, {.input = "{\"text-field\": \"body\"}"}).out, HasSubstr("\"text-field\": \"body\""));
  fail(2, {"format", "-", "-o", path("a.txt"), "--config", "-"}, {"-: standard input can't be read here", "--config"},
       {.input = "{}"});
}

TEST_F(StandardInputTest, IsRefusedWhereAFileIsNeeded) {
  fail(2, {"format", "-", "-", "-o", path("a.txt")}, {"'-' is given twice"}, {.input = records()});
  for (const char* stage : {"fetch", "format", "finish"}) {
    fail(2, run("root") + Arguments{"--stage", stage}, {"standard input", "array job", "write it to a file"});
  }
  fail(1, {"format", "-", "--format", "articles", "-o", path("a.txt")}, {"/dev/stdin: it is empty (0 bytes)"});
}

TEST_F(StandardInputTest, ASignalEndsTheWaitForText) {
  ASSERT_EQ(shell("mkfifo pipe; exec 9<>pipe; " BERTPREP_PROGRAM " format - -o out.txt < pipe 2> err.txt & "
                  "sleep 0.5; kill -TERM $!; wait $!; echo $? > status.txt"),
            0);
  EXPECT_EQ(read_text(path("status.txt")), "143\n");
  EXPECT_THAT(read_text(path("err.txt")), HasSubstr("interrupted"));
  expect_nothing_unfinished(folder().path());
}

TEST_F(StandardInputTest, AnEndlessLineIsNamed) {
  if (kSanitized) GTEST_SKIP() << "skipped: sanitizers need more addresses";
  const std::string endless = "ulimit -v 1000000; program ";
  ASSERT_NE(shell(endless + "sentences --sentences icu < /dev/zero > out.txt 2> err.txt"), 0);
  EXPECT_EQ(read_bytes(path("err.txt")),
            "bertprep: error: /dev/stdin:1: out of memory; give it shorter lines, or more memory\n");
  ASSERT_NE(shell(endless + "run --config /dev/zero -o root 2> err.txt"), 0);
  EXPECT_THAT(read_bytes(path("err.txt")), testing::HasSubstr("bertprep: error: out of memory; give"));
}

}  // namespace
}  // namespace bertprep::test
