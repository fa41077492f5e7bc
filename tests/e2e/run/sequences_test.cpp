// sequences as a user runs it: the same bytes for any number of threads and tasks, after kills, and refusals.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "e2e/e2e_test.h"
#include "io/pending_file.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// The ids of every sample of uint16, " 5 6 7 ".
std::vector<std::string> rows_of_mds(const std::string& shard) {
  const auto word = [&](std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= static_cast<std::uint32_t>(static_cast<unsigned char>(shard[at + i])) << 8 * i;
    return value;
  };
  std::vector<std::string> rows;
  for (std::uint32_t i = 0; i < word(0, 4); ++i) {
    std::size_t at = word(4 + 4 * i, 4) + 4;
    at += shard[at] == 4 ? 2 : 3;
    std::string row = " ";
    for (; at < word(8 + 4 * i, 4); at += 2) row += std::to_string(word(at, 2)) + " ";
    rows.push_back(row);
  }
  return rows;
}

class SequencesTest : public E2eTest {
 protected:
  Arguments command(const std::string& trainer, const std::string& folder) {
    if (texts_.empty()) texts_ = make_text_shards();
    return Arguments{"sequences"} + texts_ +
           Arguments{"--vocab", vocab(), "--name", "c", "--for", trainer, "-o", path(folder)} +
           (trainer == "gpt2" || trainer == "eurobert" ? Arguments{"--blocks", "32"} : Arguments{"--max-tokens", "64"});
  }

  Arguments texts_;
};

TEST_F(SequencesTest, OthersShowThemOrSayWhatTheyAre) {
  succeed(command("neobert", "rows"));
  const std::string shown = succeed({"inspect", path("rows"), "--rows", "0"}).out;
  EXPECT_THAT(shown, AllOf(HasSubstr(" rows of 64 tokens without masks, "), HasSubstr("\nrow 0\n  tokens: [CLS] "),
                           testing::Not(HasSubstr("next sentence"))));
  const std::string event = succeed({"inspect", path("rows"), "--rows", "0", "--json"}).out;
  EXPECT_THAT(event, AllOf(HasSubstr("\"ids\":["), HasSubstr("\"pieces\":[\"[CLS]\"")));
  EXPECT_THAT(succeed({"inspect", path("rows"), "--rows", "0", "--html"}).out, HasSubstr("[CLS]"));
  succeed({"report", path("rows"), "-o", path("page.html")});
  fail(1, {"croissant", path("rows"), "-o", path("c.json")}, {"describes token sequences, not BERT instances"});
}

TEST_F(SequencesTest, SameBytesForAnyNumberOfThreadsAndTasks) {
  for (const std::string trainer : {"modernbert", "megatron-bert", "megatron-gpt", "gpt2", "neobert", "eurobert"}) {
    succeed(command(trainer, trainer + "-1") + Arguments{"-j", "1"});
    const FileTree one = read_tree(path(trainer + "-1"));
    for (const std::string threads : {"2", "7"}) {
      succeed(command(trainer, trainer + "-" + threads) + Arguments{"-j", threads});
      EXPECT_EQ(difference(one, read_tree(path(trainer + "-" + threads))), "") << trainer;
    }
    const Arguments array = command(trainer, trainer + "-array");
    for (int task = 0; task < 16; ++task) {
      succeed(array + Arguments{"--array-task", std::to_string(task), "--array-count", "16"});
      EXPECT_FALSE(fs::exists(path(trainer + "-array/manifest.json")));
    }
    succeed(array);
    EXPECT_EQ(difference(one, read_tree(path(trainer + "-array"))), "") << trainer;
    EXPECT_THAT(succeed({"verify", path(trainer + "-array")}).err, HasSubstr(", sound"));
  }
}

TEST_F(SequencesTest, ASecondCallFindsEverything) {
  const Finished first = succeed(command("modernbert", "set"));
  EXPECT_THAT(first.err, AllOf(HasSubstr("train: "), HasSubstr("validation: "), HasSubstr(" rows, ")));
  const FileTree made = read_tree(path("set"));
  EXPECT_THAT(succeed(command("modernbert", "set")).err, HasSubstr("all results are up to date"));
  EXPECT_EQ(difference(made, read_tree(path("set"))), "");
  fs::remove(path("set/train/00001/shard.00000.mds"));
  EXPECT_EQ(bertprep({"verify", path("set")}).exit_status, 1);
  succeed(command("modernbert", "set"));
  EXPECT_EQ(difference(made, read_tree(path("set"))), "");
}

// Each attempt of a task would leave another one, as large as a part.
TEST_F(SequencesTest, AnArrayTaskRemovesWhatAKilledOneLeft) {
  const Arguments task = command("modernbert", "set") + Arguments{"--array-task", "0", "--array-count", "2"};
  succeed(task);
  const fs::path partial = path(".set.bertprep/partial");
  const pid_t killed = ::fork();
  if (killed == 0) {
    const PendingFile unfinished(path("set/part"), partial);
    std::ofstream(unfinished.path()) << "bytes";
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(killed, nullptr, 0), killed);
  ASSERT_FALSE(fs::is_empty(partial));
  succeed(task);
  EXPECT_TRUE(fs::is_empty(partial));
}

TEST_F(SequencesTest, VerifyKnowsASetWithoutAManifest) {
  for (const std::string trainer : {"modernbert", "megatron-bert"}) {
    const std::string set = path(trainer);
    succeed(command(trainer, trainer) + Arguments{"--array-task", "0", "--array-count", "2"});
    const Finished begun = bertprep({"verify", set});
    EXPECT_EQ(begun.exit_status, 1);
    EXPECT_EQ(begun.out, set + ": is unfinished: it has no manifest.json; run its command again\n");
    succeed(command(trainer, trainer));
    succeed({"verify", set});
    fs::remove(set + "/manifest.json");
    EXPECT_THAT(bertprep({"verify", set}).out, HasSubstr(set + ": is unfinished"));
    fs::remove_all(path("." + trainer + ".bertprep"));
    EXPECT_THAT(bertprep({"verify", set}).out, HasSubstr("it is unfinished, or another program's"));
  }
}

TEST_F(SequencesTest, OtherOptionsNeedForce) {
  succeed(command("modernbert", "set") + Arguments{"--size-limit", "4K"});
  fail(1, command("gpt2", "set"), {"was made with another recipe", "--force"});
  succeed(command("gpt2", "set") + Arguments{"--force"});
  succeed(command("gpt2", "fresh"));
  EXPECT_EQ(difference(read_tree(path("fresh")), read_tree(path("set"))), "");
}

TEST_F(SequencesTest, PartsOfOtherInputsAreNotMixedIn) {
  succeed(command("modernbert", "set"));
  Arguments fewer = command("modernbert", "set");
  fewer.erase(fewer.begin() + 2);
  fail(1, fewer, {"1 part of other inputs", "--force"});
  succeed(fewer + Arguments{"--force"});
  EXPECT_FALSE(fs::exists(path("set/train/00001/index.json")));
  EXPECT_THAT(succeed({"verify", path("set")}).err, HasSubstr(", sound"));
}

// The merged set of Megatron is one part; those of the others have other names.
TEST_F(SequencesTest, OtherFormatsNeedForce) {
  const Arguments set = command("none", "set");
  for (const std::string before : {"megatron", "mds", "hdf5"}) {
    succeed(set + Arguments{"--to", before, "--force"});
    const FileTree made = read_tree(path("set"));
    for (const std::string after : {"mds", "hdf5", "megatron"}) {
      if (after == before) continue;
      fail(1, set + Arguments{"--to", after}, {"to was '" + before + "' and is '" + after + "'", "--force"});
    }
    EXPECT_EQ(difference(made, read_tree(path("set"))), "") << before;
  }
  const Arguments task = {"--array-count", "2", "--array-task"};
  const Arguments array = command("none", "array");
  succeed(array + Arguments{"--to", "mds"} + task + Arguments{"0"});
  fail(1, array + Arguments{"--to", "hdf5"} + task + Arguments{"1"}, {"was made with another recipe"});
  succeed(array + Arguments{"--to", "mds"} + task + Arguments{"1"});
}

TEST_F(SequencesTest, RefusesIgnoredOptions) {
  const auto refuse = [&](const std::string& trainer, const Arguments& more, const std::string& words) {
    make_text_shards();
    fail(2,
         Arguments{"sequences", path("text/sample_training_0.txt"), "--vocab", vocab(), "--for", trainer, "-o",
                   path("none")} +
             more,
         {words});
  };
  refuse("gpt2", {"--max-tokens", "512"}, "--max-tokens is for rows, but this set has blocks of 1024 tokens");
  refuse("gpt2", {"--long", "truncate"}, "--long is for rows");
  refuse("eurobert", {"--min-tokens", "9"}, "--min-tokens is for rows");
  refuse("neobert", {"--size-limit", "1M"}, "--size-limit is for MDS");
  refuse("megatron-bert", {"--compression", "zstd"}, "--compression is for MDS");
  refuse("megatron-gpt", {"--hashes", "none"}, "--hashes is for MDS");
  refuse("megatron-gpt", {"--column", "ids"}, "no --column");
  refuse("modernbert", {"--level", "sentence"}, "--level is for Megatron");
  refuse("modernbert", {"--hashes", "sha1,md5"}, "give each once, by the alphabet");
  refuse("modernbert", {"--test-split", "manifest.json"}, "'manifest.json'");
  refuse("neobert", {"--column", "attention_mask"}, "can't be named 'attention_mask'");
  refuse("neobert", {"--column", "a/b"}, "--column 'a/b'");
  EXPECT_FALSE(fs::exists(path("none")));
}

TEST_F(SequencesTest, RefusesWhatIsNoTextForTheSplit) {
  succeed({"format", sample("sample.wikitext"), "--format", "wikitext", "-o", path("articles.txt")});
  const Arguments set = {"sequences", path("articles.txt"), "--vocab", vocab(), "-o", path("none")};
  const std::string origins = path("articles.txt.origins.jsonl");
  ASSERT_TRUE(fs::exists(origins));
  fail(2, set + Arguments{origins}, {"origins.jsonl: holds the origins of articles"});
  fail(2, set + Arguments{"--validation", origins}, {"origins.jsonl: holds the origins of articles"});
  fail(2, {"shard", path("articles.txt"), origins, "--name", "s", "--sentences", "icu", "-o", path("none")},
       {"holds the origins of articles"});
  fail(2, set + Arguments{"--validation", path("./articles.txt")}, {"is given for training and as --validation"});
  fail(2, set + Arguments{"--validation", make_text_shards().back()}, {"is a text shard", "become the split"});
  const std::string empty = folder().write("empty.txt", "");
  for (const std::string format : {"mds", "megatron", "hdf5"}) {
    fail(1, {"sequences", empty, "--vocab", vocab(), "--to", format, "-o", path("empty-" + format)},
         {"empty.txt: has no text"});
    EXPECT_FALSE(fs::exists(path("empty-" + format + "/manifest.json")));
  }
  fail(1, set + Arguments{"--blocks", "9999999"}, {"articles.txt: fills no block of 9999999 tokens"});
}

// A changed byte leaves the size as it was: only --force makes the file again.
TEST_F(SequencesTest, TheHintOfVerifyHelps) {
  succeed(command("modernbert", "set"));
  std::string bytes = read_bytes(path("set/train/00000/shard.00000.mds"));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  folder().write("set/train/00000/shard.00000.mds", bytes);
  EXPECT_THAT(bertprep({"verify", path("set")}).out, HasSubstr("run the command of the set again, with --force"));
  succeed(command("modernbert", "set") + Arguments{"--force"});
  succeed({"verify", path("set")});
}

TEST_F(SequencesTest, TheUsersFilesStay) {
  folder().write("set/train/00000/shard.00000.mds", "mine");
  fail(1, command("modernbert", "set"), {"was not made by bertprep"});
  folder().write("other/manifest.json", "{}");
  fail(1, command("modernbert", "other"), {"manifest.json", "choose another folder"});
  EXPECT_EQ(read_bytes(path("set/train/00000/shard.00000.mds")), "mine");
  EXPECT_EQ(read_bytes(path("other/manifest.json")), "{}");
}

TEST_F(SequencesTest, AForeignManifestStaysWhenAllPartsAreFound) {
  succeed(command("modernbert", "set"));
  folder().write("set/manifest.json", "{\"mine\": 1}");
  fail(1, command("modernbert", "set"), {"manifest.json", "move it away"});
  EXPECT_EQ(read_bytes(path("set/manifest.json")), "{\"mine\": 1}");
  fs::remove(path("set/manifest.json"));
  succeed(command("modernbert", "set"));
  succeed({"verify", path("set")});
}

TEST_F(SequencesTest, RowsEndWhereSentencesEnd) {
  succeed(command("neobert", "set") + Arguments{"--long", "sentences", "--max-tokens", "40", "--to", "mds"});
  // Every sentence of the text shards that fits is in one row as a whole.
  std::set<std::string> rows;
  for (const std::string part : {"train/00000", "train/00001", "validation/00000"}) {
    for (const std::string& row : rows_of_mds(read_bytes(path("set/" + part + "/shard.00000.mds")))) rows.insert(row);
  }
  std::size_t whole = 0;
  for (const std::string& text : texts_) {
    const std::string out = succeed({"tokenize", text, "--ids", "--vocab", vocab()}).out;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
      const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + (line.empty() ? 0 : 1);
      if (count == 0 || count > 38) continue;
      ++whole;
      EXPECT_TRUE(std::ranges::any_of(rows, [&](const std::string& row) {
        return row.find(" " + line + " ") != std::string::npos;
      })) << line;
    }
  }
  EXPECT_GT(whole, 50U);
  const std::string formatted = path("text-articles.txt");
  fail(2, {"sequences", formatted, "--vocab", vocab(), "--long", "sentences", "-o", path("none")},
       {"without sentence boundaries", "--long chunks"});
  fail(2, command("gpt2", "none") + Arguments{"--long", "sentences"}, {"--long sentences is for rows"});
}

TEST_F(SequencesTest, BlocksOfLinesWithTheirOwnSplits) {
  const std::string tokenizer = sample("byte-pairs").string();
  const std::string train =
      folder().write("wiki.train.tokens", " \n = Bells = \n \n A bell @-@ tower , old . \n Two\n");
  const std::string valid = folder().write("wiki.valid.tokens", " \n Three 's a crowd ( or so )");
  const Arguments lines = {"sequences", train,  "--validation", valid,      "--vocab", tokenizer, "--name",
                           "w",         "--to", "mds",          "--blocks", "1",       "--rows",  "lines"};
  succeed(lines + Arguments{"--detokenize", "wikitext", "-o", path("set")});
  const auto text_of = [&](const std::string& split) {
    std::string ids;
    for (const std::string& row : rows_of_mds(read_bytes(path("set/" + split + "/shard.00000.mds")))) ids += row;
    return ids;
  };
  const auto ids_of = [&](const std::string& text) {
    const std::string file = folder().write("line.txt", text);
    return succeed({"tokenize", "--ids", "--vocab", tokenizer, file}).out;
  };
  // Line feeds are tokens, which the command `tokenize` treats as line ends.
  const std::string valid_ids = text_of("validation");
  std::string wanted = " " + ids_of(" Three's a crowd (or so)");
  std::ranges::replace(wanted, '\n', ' ');
  std::string found;
  for (const char c : valid_ids) found += c == ' ' && found.ends_with(' ') ? "" : std::string(1, c);
  EXPECT_EQ(found, wanted);
  const std::string train_ids = text_of("train");
  EXPECT_EQ(std::count(train_ids.begin(), train_ids.end(), ' '),
            2 * static_cast<std::ptrdiff_t>(rows_of_mds(read_bytes(path("set/train/shard.00000.mds"))).size()));
  const Finished grouped = succeed(lines + Arguments{"-o", path("groups"), "--group-rows", "2", "--blocks", "4"});
  EXPECT_THAT(grouped.err, HasSubstr("train: 5 lines, "));
  for (const Arguments& wrong : {Arguments{"--stride", "3"}, Arguments{"--to", "hdf5", "--last-block", "keep"}}) {
    fail(2, lines + Arguments{"-o", path("none"), "--blocks", "4"} + wrong, {"--"});
  }
  fail(2, {"sequences", train, "--vocab", tokenizer, "--rows", "lines", "-o", path("none")}, {"is for blocks"});
  fail(2, {"sequences", train, "--vocab", tokenizer, "--detokenize", "wikitext", "--blocks", "4", "-o", path("none")},
       {"--rows lines"});
  fail(2, command("gpt2", "none") + Arguments{"--rows", "lines"}, {"is a text shard", "--rows lines"});
  // Blocks that overlap, and a shorter one at the end.
  succeed(lines + Arguments{"-o", path("all"), "--blocks", "8", "--stride", "4", "--last-block", "keep"});
  succeed({"verify", path("all")});
}

TEST_F(SequencesTest, TakesByteLevelPairs) {
  const std::string tokenizer = sample("byte-pairs").string();
  const Arguments texts = make_text_shards();
  const Arguments with = {"--vocab", tokenizer, "--name", "c", "-o"};
  fail(2, Arguments{"sequences"} + texts + with + Arguments{path("rows"), "--for", "modernbert"}, {"--blocks"});
  fail(2, Arguments{"sequences"} + texts + with + Arguments{path("rows"), "--no-lower-case"}, {"has no effect"});
  succeed(Arguments{"sequences"} + texts + with + Arguments{path("blocks"), "--for", "gpt2", "--blocks", "64"});
  EXPECT_TRUE(fs::exists(path("blocks/tokenizer/tokenizer.json")));
  succeed(Arguments{"sequences"} + texts + with + Arguments{path("sets"), "--for", "megatron-gpt"});
  // The set has tokenize's ids of the articles, with an end after each.
  std::string ids = read_bytes(path("sets/c_validation_text_document.bin"));
  std::string plain;
  std::string article;
  for (const std::string& line : read_lines(texts.back())) {
    if (!line.empty()) {
      article += (article.empty() ? "" : " ") + line;
      continue;
    }
    folder().write("article.txt", article + "\n");
    article.clear();
    const std::string out = succeed({"tokenize", path("article.txt"), "--ids", "--vocab", tokenizer}).out;
    for (std::istringstream numbers(out + " 0"); numbers;) {
      int id = 0;
      if (!(numbers >> id)) break;
      plain += static_cast<char>(id & 0xFF);
      plain += static_cast<char>(id >> 8);
    }
  }
  EXPECT_EQ(ids.size(), plain.size());
  for (std::size_t i = 0; i + 1 < ids.size(); i += 2) {
    if (ids.substr(i, 2) == plain.substr(i, 2)) continue;
    EXPECT_EQ(plain.substr(i, 2), std::string(2, '\0')) << "id " << i / 2;  // the end of an article
  }
}

TEST_F(SequencesTest, AnEditedTokenizerIsKeptAside) {
  succeed(command("modernbert", "set"));
  folder().write("set/tokenizer/tokenizer_config.json", "{\"mine\": 1}\n");
  EXPECT_THAT(succeed(command("modernbert", "set")).err, HasSubstr("tokenizer_config.json.changed-1"));
  EXPECT_EQ(read_bytes(path("set/tokenizer/tokenizer_config.json.changed-1")), "{\"mine\": 1}\n");
  succeed({"verify", path("set")});
}

TEST_F(SequencesTest, DamageIsFound) {
  succeed(command("megatron-bert", "set"));
  const fs::path file = path("set/c_train_text_sentence.bin");
  std::string bytes = read_bytes(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder().write("set/c_train_text_sentence.bin", bytes);
  const Finished verified = bertprep({"verify", path("set")});
  EXPECT_EQ(verified.exit_status, 1);
  EXPECT_THAT(verified.out, HasSubstr("c_train_text_sentence.bin: differs from what was written"));
}

TEST_F(SequencesTest, RefusesInvalidOptions) {
  fail(2, command("megatron-bert", "set") + Arguments{"--dtype", "int64"}, {"uint16 and int32"});
  fail(2, command("modernbert", "set") + Arguments{"--test-split", "../x"}, {"--test-split '../x' has", "use letters"});
  fail(2, command("modernbert", "set") + Arguments{"--hashes", "crc"},
       {"'crc' is not a digest", "give one or more of xxh3_64, xxh64"});
  fail(2, command("modernbert", "set") + Arguments{"--size-limit", "200"}, {"--size-limit 200", "64 tokens"});
  fail(2, command("modernbert", "set") + Arguments{"--hashes", "sha256,md5"}, {"in order"});
  fail(2, command("modernbert", "set") + Arguments{"--compression", "lz4"}, {"zstd"});
  fail(2, command("modernbert", "set") + Arguments{"--eod", "yes"}, {"--blocks"});
  fail(1,
       Arguments{"sequences"} + texts_ + Arguments{"--vocab", vocab(), "--for", "neobert", "--blocks", "1000000"} +
           Arguments{"-o", path("set")},
       {"fills no block of 1000000"});
  folder().write("formatted.txt", "An article.\n");
  fail(2,
       {"sequences", path("formatted.txt"), "--vocab", vocab(), "--to", "megatron", "--level", "sentence", "-o",
        path("set")},
       {"needs sentences"});
  fail(2, command("modernbert", "set") + Arguments{path("formatted.txt")}, {"is a text shard"});
  const FileTree texts = read_tree(path("text"));
  for (const Arguments& more : {Arguments(), Arguments{"--force"}}) {
    fail(1, command("modernbert", "text") + more, {"results of another stage", "choose another folder"});
  }
  EXPECT_EQ(difference(texts, read_tree(path("text"))), "");
}

TEST_F(SequencesTest, KilledAnywhereTheNextCallFinishes) {
  const Arguments whole = command("modernbert", "whole") + Arguments{"--size-limit", "2K", "-j", "1"};
  succeed(whole);
  const FileTree expected = read_tree(path("whole"));
  for (const int milliseconds : {1, 3, 10, 20, 30, 50, 80}) {
    const std::string name = "killed-" + std::to_string(milliseconds);
    const Arguments again = command("modernbert", name) + Arguments{"--size-limit", "2K", "-j", "1"};
    RunOptions options{.signal = SIGKILL, .after = std::chrono::milliseconds(milliseconds)};
    options.output = folder() / "out";
    bertprep(again, options);
    succeed(again);
    EXPECT_EQ(difference(expected, read_tree(path(name))), "") << milliseconds;
  }
}

}  // namespace
}  // namespace bertprep::test
