// The scripts and pages that the program prints about itself, in the shells and by the formatter that read them.
#include <algorithm>
#include <sstream>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

// A program of the system.
Finished call(const Arguments& command, const RunOptions& options = {}) {
  return run_program(Arguments{"/usr/bin/env"} + command, options);
}

bool is_installed(const std::string& program) {
  return call({"sh", "-c", "command -v " + program}).exit_status == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class CompletionTest : public E2eTest {
 protected:
  std::string script_for(const std::string& shell) {
    return folder().write("completion." + shell, succeed({"completion", shell}).out);
  }

  // What bash offers at the end of `words`, the last of which is being typed.
  std::vector<std::string> offered_by_bash(const Arguments& words) {
    const Arguments bash{"bash",
                         "-c",
                         "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _bertprep \"$1\"; "
                         "printf '%s\\n' \"${COMPREPLY[@]}\"",
                         "bash",
                         script_for("bash"),
                         BERTPREP_PROGRAM};
    const Finished finished = call(bash + words, {.folder = folder() / "."});
    EXPECT_EQ(finished.err, "");
    std::vector<std::string> lines = lines_of(finished.out);
    std::erase(lines, "");
    return lines;
  }

  std::vector<std::string> offered_by_fish(const std::string& line) {
    const Finished finished = call(
        {"fish", "--no-config", "-c", "source \"$argv[1]\"; complete -C \"$argv[2]\"", script_for("fish"), line},
        {.environment = {{"HOME", folder() / "."},
                         {"PATH", std::filesystem::path(BERTPREP_PROGRAM).parent_path().string() + ":/usr/bin:/bin"}}});
    EXPECT_EQ(finished.err, "");
    std::vector<std::string> words;
    for (const std::string& offer : lines_of(finished.out)) words.push_back(offer.substr(0, offer.find('\t')));
    return words;
  }
};

TEST_F(CompletionTest, OfBashKnowsCommandsAndOptions) {
  EXPECT_THAT(offered_by_bash({"ins"}), testing::UnorderedElementsAre("inspect", "instances"));
  EXPECT_THAT(offered_by_bash({""}), IsSupersetOf({"run", "vocab", "help"}));
  EXPECT_THAT(offered_by_bash({"vocab", ""}), ElementsAre("list", "fetch", "check", "train", "export"));
  EXPECT_THAT(offered_by_bash({"vocab", "-q", "tr"}), ElementsAre("train"));
  EXPECT_THAT(offered_by_bash({"run", "--train"}), ElementsAre("--train-shards"));
  EXPECT_THAT(offered_by_bash({"run", "--no-l"}), ElementsAre("--no-lower-case"));
  EXPECT_THAT(offered_by_bash({"vocab", "train", "--vocab-s"}), ElementsAre("--vocab-size"));
  EXPECT_THAT(offered_by_bash({"tokenize", "--train"}), IsEmpty());
}

TEST_F(CompletionTest, OfBashKnowsTheValuesOfOptions) {
  EXPECT_THAT(offered_by_bash({"run", "--format", "wiki"}), ElementsAre("wikitext", "wikiextractor"));
  EXPECT_THAT(offered_by_bash({"run", "--format", "=", "boo"}), ElementsAre("books"));
  EXPECT_THAT(offered_by_bash({"order", "--order", ""}), testing::UnorderedElementsAre("v2", "v1", "none"));
  EXPECT_THAT(offered_by_bash({"run", "--stage", "f"}), testing::UnorderedElementsAre("fetch", "format", "finish"));
  EXPECT_THAT(offered_by_bash({"run", "--phase", "="}), ElementsAre("1", "2", "both", "custom"));
  EXPECT_THAT(offered_by_bash({"tokenize", "--vocab", "bert-large-c"}), ElementsAre("bert-large-cased"));
  EXPECT_THAT(offered_by_bash({"run", "--random-seed", ""}), IsEmpty());
  EXPECT_THAT(offered_by_bash({"completion", "z"}), ElementsAre("zsh"));
  EXPECT_THAT(offered_by_bash({"tokenize", "--vocab", "google-bert/bert-base-c"}),
              testing::UnorderedElementsAre("google-bert/bert-base-cased", "google-bert/bert-base-chinese"));
  for (const char* command : {"doctor", "report"}) {
    EXPECT_THAT(offered_by_bash({command, "--for", "neo"}), ElementsAre("neobert"));
  }
  EXPECT_THAT(offered_by_bash({"run", "--keep", "s"}), ElementsAre("sharded"));
  EXPECT_THAT(offered_by_bash({"run", "--keep", "download,e"}), ElementsAre("download,extracted"));
}

TEST_F(CompletionTest, OfBashKnowsTheCommandsThatHelpExplains) {
  for (const char* command : {"help", "man"}) {
    EXPECT_THAT(offered_by_bash({command, ""}), IsSupersetOf({"run", "vocab", "inspect"}));
    EXPECT_THAT(offered_by_bash({command, "ins"}), testing::UnorderedElementsAre("inspect", "instances"));
    EXPECT_THAT(offered_by_bash({command, "vocab", "tr"}), ElementsAre("train"));
    EXPECT_THAT(offered_by_bash({command, "run", ""}), IsEmpty());
  }
}

TEST_F(CompletionTest, OfBashKnowsDatasetsFilesAndFolders) {
  folder().write("two words.txt", "x");
  folder().write("tw/file", "x");
  EXPECT_THAT(offered_by_bash({"run", "wikitext"}), IsSupersetOf({"wikitext-2"}));
  EXPECT_THAT(offered_by_bash({"submit", "aws"}), ElementsAre("aws-batch"));
  EXPECT_THAT(offered_by_bash({"submit", "kub"}), ElementsAre("kubernetes"));
  EXPECT_THAT(offered_by_bash({"submit", "slurm", "wikitext-103-r"}), ElementsAre("wikitext-103-raw"));
  EXPECT_THAT(offered_by_bash({"format", "tw"}), testing::UnorderedElementsAre("two words.txt", "tw"));
  EXPECT_THAT(offered_by_bash({"run", "--input", "a", "two"}), ElementsAre("two words.txt"));
  EXPECT_THAT(offered_by_bash({"run", "wikitext-2", "-o", "tw"}), ElementsAre("tw"));
}

TEST_F(CompletionTest, OfFishKnowsCommandsOptionsAndValues) {
  if (!is_installed("fish")) GTEST_SKIP() << "needs fish";
  EXPECT_EQ(call({"fish", "--no-execute", script_for("fish")}).err, "");
  EXPECT_THAT(offered_by_fish("bertprep ins"), ElementsAre("inspect", "instances"));
  EXPECT_THAT(offered_by_fish("bertprep vocab "),
              testing::UnorderedElementsAre("list", "fetch", "check", "train", "export"));
  // Newer versions offer words that only resemble what was typed, too.
  EXPECT_THAT(offered_by_fish("bertprep run --train"), Contains("--train-shards"));
  EXPECT_THAT(offered_by_fish("bertprep run --format wikie"), ElementsAre("wikiextractor"));
  EXPECT_THAT(offered_by_fish("bertprep run --stage shard --seq"), Contains("--seq-len"));
  EXPECT_THAT(offered_by_fish("bertprep run wikitext-"), Contains("wikitext-2"));
  EXPECT_THAT(offered_by_fish("bertprep tokenize --train"), IsEmpty());
  EXPECT_THAT(offered_by_fish("bertprep help inst"), Contains("instances"));
  EXPECT_THAT(offered_by_fish("bertprep help vocab tr"), ElementsAre("train"));
  EXPECT_THAT(offered_by_fish("bertprep tokenize --vocab google-bert/bert-base-ch"),
              ElementsAre("google-bert/bert-base-chinese"));
  EXPECT_THAT(offered_by_fish("bertprep doctor --for neo"), ElementsAre("neobert"));
  EXPECT_THAT(offered_by_fish("bertprep run --keep download,ext"), Contains("download,extracted"));
}

TEST_F(CompletionTest, OfZshIsValid) {
  if (!is_installed("zsh")) GTEST_SKIP() << "needs zsh";
  const std::string script = script_for("zsh");
  EXPECT_EQ(call({"zsh", "-n", script}).err, "");
  // Its functions exist and are registered.
  const Finished loaded = call({"zsh", "-f", "-c",
                                "autoload -Uz compinit && compinit -D -u; source \"$1\"; print $_comps[bertprep]; "
                                "whence -w _bertprep_run _bertprep_vocab_train",
                                "zsh", script});
  EXPECT_EQ(loaded.err, "");
  EXPECT_EQ(loaded.out, "_bertprep\n_bertprep_run: function\n_bertprep_vocab_train: function\n");
}

TEST_F(CompletionTest, ForAnotherShellIsAUsageError) {
  fail(2, {"completion", "tcsh"}, {"'tcsh'", "bash, zsh and fish"});
}

TEST_F(CompletionTest, PagesOfTheManualAreValid) {
  succeed({"man", "-o", path("share/man1")});
  // Packagers copy the folder unchanged.
  EXPECT_EQ(call({"ls", "-A", path("share")}).out, "man1\n");
  EXPECT_THAT(lines_of(call({"ls", "-A", path("share/man1")}).out),
              testing::Each(testing::MatchesRegex("bertprep[a-z-]*[.]1")));
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "share/man1")) {
    ++pages;
    const std::string text = read_bytes(entry.path());
    for (const char* section : {".TH BERTPREP", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n"}) {
      EXPECT_THAT(text, HasSubstr(section)) << entry.path();
    }
    if (!is_installed("groff")) continue;
    const Finished formatted = call({"groff", "-man", "-ww", "-z", "-Tutf8", entry.path()});
    EXPECT_EQ(formatted.err + formatted.out, "") << entry.path();
  }
  EXPECT_GE(pages, 23U);
  EXPECT_EQ(succeed({"man", "vocab", "train"}).out, read_bytes(folder() / "share/man1/bertprep-vocab-train.1"));
  EXPECT_EQ(succeed({"man"}).out, read_bytes(folder() / "share/man1/bertprep.1"));
}

TEST_F(CompletionTest, PageOfACommandMatchesItsHelp) {
  const std::string page = succeed({"man", "run"}).out;
  EXPECT_THAT(page, HasSubstr("bertprep\\-run \\- Make shards"));
  EXPECT_THAT(page, HasSubstr(".SS Array jobs\n"));
  EXPECT_THAT(page, HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIROOT\\fR\n"));
  EXPECT_THAT(page, HasSubstr("tickets.jsonl"));
}

}  // namespace
}  // namespace bertprep::test
