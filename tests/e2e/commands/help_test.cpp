// What the program says about itself.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/fields.h"
#include "bertprep/version.h"
#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

// The lines of `help` below the heading `title`.
std::vector<std::string> lines_under(const std::string& help, const std::string& title) {
  std::istringstream text(help);
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(' ')) inside = line == title + ":";
    if (inside && line.starts_with(' ')) lines.push_back(line);
  }
  return lines;
}

// "--lower-case" and "--no-lower-case" of "  --lower-case,--no-lower-case"; empty for the lines of a help text without
// an option.
std::vector<std::string> flags_of(const std::string& line) {
  std::vector<std::string> flags;
  if (!line.starts_with("  -")) return flags;
  std::istringstream names(line.substr(2, line.find(' ', 2) - 2));
  for (std::string name; std::getline(names, name, ',');) flags.push_back(name);
  return flags;
}

void add_commands(std::vector<Arguments>& commands, const Arguments& above) {
  for (const std::string& line : lines_under(bertprep(above + Arguments{"--help"}).out, "Commands")) {
    if (line.starts_with("   ")) continue;
    const Arguments command = above + Arguments{line.substr(2, line.find(' ', 2) - 2)};
    const std::size_t before = commands.size();
    add_commands(commands, command);
    if (commands.size() == before) commands.push_back(command);
  }
}

// Every command in --help, including "vocab list" but not "vocab" itself.
const std::vector<Arguments>& all_commands() {
  static const std::vector<Arguments> commands = [] {
    std::vector<Arguments> found;
    add_commands(found, {});
    return found;
  }();
  return commands;
}

std::string name_of(const Arguments& command) {
  return command.size() == 1 ? command.front() : command.front() + " " + command.back();
}

std::size_t examples_in(const std::string& help, const std::string& command) {
  std::size_t count = 0;
  const std::size_t begin = std::min(help.find("Examples:"), help.size());
  const std::string call = "bertprep " + command + " ";
  for (std::size_t at = help.find(call, begin); at != std::string::npos; at = help.find(call, at + 1)) ++count;
  return count;
}

using HelpTest = E2eTest;

TEST_F(HelpTest, OfEveryCommandDescribesItAndHasTwoExamples) {
  for (const Arguments& command : all_commands()) {
    const std::string help = succeed(command + Arguments{"--help"}).out + "\n ";
    // The last word of an example may end its line.
    std::string lines = help;
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    EXPECT_GE(examples_in(lines, name_of(command)), 2U) << help;
    EXPECT_THAT(help, HasSubstr("Usage: bertprep " + name_of(command)));
    // CLI11 adds what its validators accept.
    EXPECT_THAT(help, Not(AnyOf(HasSubstr(":{"), HasSubstr(":INT"), HasSubstr(":UINT"))));
  }
}

TEST_F(HelpTest, OfTheProgramNamesEveryCommand) {
  const std::string help = succeed({"--help"}).out;
  for (const char* command :
       {"run", "format", "shard", "instances", "verify", "inspect", "hash", "tokenize", "sentences", "vocab"}) {
    EXPECT_THAT(help, HasSubstr("\n  " + std::string(command) + " "));
  }
  EXPECT_GE(all_commands().size(), 22U);
}

TEST_F(HelpTest, NamesOptionsWithTheirDefaults) {
  const std::string help = succeed({"run", "--help"}).out;
  for (const char* option : {"--dupe-factor", "default 5)", "--random-seed", "default 12345)", "--train-shards",
                             "default 12345)", "--no-lower-case", "-j,--threads", "--memory", "--config"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
}

TEST_F(HelpTest, ShowsEveryOptionOnceAndUnderTheHeadingOfAGroup) {
  std::map<std::string, std::string> group_of_flag;
  for (const Arguments& command : all_commands()) {
    const std::string help = succeed(command + Arguments{"--help"}).out;
    std::istringstream text(help);
    std::set<std::string> seen;
    std::string title;
    for (std::string line; std::getline(text, line);) {
      if (line.ends_with(':') && !line.starts_with(' ')) title = line.substr(0, line.size() - 1);
      for (const std::string& flag : flags_of(line)) {
        EXPECT_THAT(kOptionGroupTitles, testing::Contains(title)) << name_of(command) << ' ' << flag;
        EXPECT_TRUE(seen.insert(flag).second) << name_of(command) << " shows " << flag << " twice";
        if (flag == "--html" && command.front() == "inspect") continue;  // writes a page; elsewhere, HTML in the input
        const auto [known, is_new] = group_of_flag.emplace(flag, title);
        EXPECT_EQ(known->second, title) << flag << " of " << name_of(command);
      }
    }
    EXPECT_TRUE(seen.contains("-h") && seen.contains("--help")) << help;
    const bool has_lent = seen.contains("-q") && seen.contains("-v") && seen.contains("--json");
    EXPECT_TRUE(has_lent || command.front() == "help" || command.front() == "completion" || command.front() == "man")
        << help;
  }
}

TEST_F(HelpTest, OfTheLetterFitsAScreenAndSaysHowToSeeAll) {
  for (const Arguments& command : all_commands()) {
    const std::string brief = succeed(command + Arguments{"-h"}).out;
    const std::string full = succeed(command + Arguments{"--help"}).out;
    EXPECT_LE(std::count(brief.begin(), brief.end(), '\n'), 40) << brief;
    if (brief == full) continue;
    EXPECT_THAT(brief, HasSubstr("--help' shows all"));
    EXPECT_LE(lines_under(brief, "Most used options").size(), 30U);
    for (const std::string_view title : kOptionGroupTitles) {
      const bool has_group = full.find("\n" + std::string(title) + ":\n") != std::string::npos;
      EXPECT_EQ(has_group, brief.find(title, brief.find("in groups: ")) != std::string::npos) << title << brief;
    }
  }
}

TEST_F(HelpTest, OfTheLetterShowsTenOptionsOfARun) {
  for (const char* command : {"run", "plan", "submit"}) {
    std::vector<std::string> shown;
    for (const std::string& line : lines_under(succeed({command, "-h"}).out, "Most used options")) {
      if (!flags_of(line).empty()) shown.push_back(line);
    }
    EXPECT_EQ(shown.size(), 10U) << command;
  }
}

TEST_F(HelpTest, VersionNamesTheLibraries) {
  const std::string text = succeed({"--version"}).out;
  EXPECT_EQ(text.substr(0, text.find('\n')), std::string("bertprep ") + kVersion);
  const std::string events = succeed({"--version", "--json"}).out;
  EXPECT_THAT(events, testing::StartsWith("{\"event\":\"version\",\"program\":\"bertprep\",\"version\":\"" +
                                          std::string(kVersion) + "\"}\n"));
  EXPECT_EQ(events, succeed({"--json", "--version"}).out);
  for (const char* library : {"HDF5", "ICU", "simdjson", "oneTBB", "Zstandard", "libcurl", "bzip2", "zlib",
                              "libdeflate", "libarchive", "Nettle", "CLI11"}) {
    EXPECT_THAT(text, testing::ContainsRegex("\n" + std::string(library) + " +[0-9]+[.][0-9]"));
    EXPECT_THAT(events, testing::ContainsRegex("\"library\",\"name\":\"" + std::string(library) +
                                               "\",\"built_with\":\"[0-9.]*\",\"running\":\"[0-9]+[.][0-9]"));
  }
}

// What a program is linked with, it loads at every start.
TEST_F(HelpTest, LoadsFewLibraries) {
  const std::string text = run_program({"/bin/bash", "/usr/bin/ldd", BERTPREP_PROGRAM}).out;
  EXPECT_THAT(text, testing::HasSubstr("libstdc++"));
  for (const char* library : {"libhdf5", "libcurl", "libarchive", "libcrypto", "libssl"}) {
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(library)));
  }
}

TEST_F(HelpTest, IsACommandToo) {
  EXPECT_EQ(succeed({"help"}).out, succeed({"--help"}).out);
  EXPECT_EQ(succeed({"help", "run"}).out, succeed({"run", "--help"}).out);
  EXPECT_EQ(succeed({"help", "vocab"}).out, succeed({"vocab", "--help"}).out);
  EXPECT_EQ(succeed({"help", "vocab", "train"}).out, succeed({"vocab", "train", "--help"}).out);
  fail(2, {"help", "fromat"}, {"'fromat'", "did you mean 'format'?"});
  fail(2, {"help", "vocab", "bogus"}, {"no command 'bogus' in bertprep vocab;", "bertprep --help"});
}

TEST_F(HelpTest, IsWrittenToStderrWithoutACommand) {
  const Finished vocab = fail(2, {"vocab"}, {"bertprep: error: a command is missing"});
  EXPECT_THAT(vocab.err, testing::StartsWith(succeed({"vocab", "--help"}).out));
  EXPECT_THAT(fail(2, {}, {"a command is missing"}).err, testing::StartsWith(succeed({"--help"}).out));
}

TEST_F(HelpTest, NothingIsSuggestedWhenNothingIsNear) {
  for (const Arguments& arguments : {Arguments{"run", "--bogus"}, {"bogus"}, {"vocab", "bogus"}, {"--xyzzy"}}) {
    const Finished finished = fail(2, arguments, {"unknown argument '" + arguments.back() + "'"});
    EXPECT_THAT(finished.err, testing::Not(HasSubstr("did you mean")));
  }
  EXPECT_THAT(fail(2, {"fetch", "imdb"}, {"no dataset 'imdb'", "the known datasets are"}).err,
              testing::Not(HasSubstr("did you mean")));
  fail(2, {"vocab", "fetch", "imdb"}, {"no vocabulary 'imdb'", "the known vocabularies are"});
  folder().write("config.json", R"({"seq-length": 128})");
  fail(2, {"run", "wikitext-2", "-o", path("root"), "--config", path("config.json")},
       {"unknown option 'seq-length'", "--print-config"});
}

TEST_F(HelpTest, UnknownOptionIsAnsweredWithTheNearest) {
  fail(2, {"run", "--trian-shards", "3"}, {"unknown argument '--trian-shards'", "did you mean '--train-shards'?"});
  fail(2, {"tokenize", "--idz"}, {"'--idz'", "'--ids'"});
}

TEST_F(HelpTest, UnknownCommandIsAnsweredWithTheNearest) {
  fail(2, {"instnces"}, {"unknown argument 'instnces'", "did you mean 'instances'?"});
  fail(2, {"vocab", "chek"}, {"'chek'", "did you mean 'check'?"});
}

TEST_F(HelpTest, MissingArgumentIsNamed) {
  fail(2, {"run", "-o", path("root")}, {"nothing to read", "--input"});
}

// After "--", every word is an argument.
TEST_F(HelpTest, AMissingOptionIsNamedBehindTheEndOfFlags) {
  fail(2, {"format", "--", "-a.txt", "-o", "b.txt"}, {"--output is required"});
}

TEST_F(HelpTest, EmptyPathsAreRefused) {
  const std::string text = folder().write("t.txt", "One.\n");
  const std::string root = path("root");
  for (const Arguments& command : std::vector<Arguments>{{"format", "", "-o", path("a.txt")},
                                                         {"format", text, "-o", ""},
                                                         {"shard", text, "-o", ""},
                                                         {"run", "--input", "", "-o", root},
                                                         {"run", "--input", text, "-o", ""},
                                                         {"run", "--input", text, "-o", root, "--work", ""},
                                                         {"plan", "--input", text, "-o", ""},
                                                         {"status", ""},
                                                         {"verify", ""},
                                                         {"croissant", root, "-o", ""}}) {
    const Finished finished = bertprep(command, {.folder = folder().path()});
    EXPECT_EQ(finished.exit_status, 2) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(": the path is empty; give one\n"));
  }
  EXPECT_FALSE(fs::exists(root));
}

// The options and arguments of a command that are given a path or a vocabulary, with their help: "--output", "FILE ...;
// - is stdout".
std::map<std::string, std::string> path_options(const Arguments& command) {
  static const std::set<std::string> kPaths = {"A",    "B",    "DIR",        "FILE",      "FILES", "FOLDER",
                                               "PATH", "ROOT", "TEXT_SHARD", "SHARD:ROW", "VOCAB"};
  std::map<std::string, std::string> options;
  std::istringstream lines(bertprep(command + Arguments{"--help"}).out);
  std::string* last = nullptr;
  for (std::string line; std::getline(lines, line) && line != "Examples:";) {
    if (last != nullptr && line.starts_with("   ")) {
      *last += line.substr(line.find_first_not_of(' ') - 1);
      continue;
    }
    last = nullptr;
    const std::vector<std::string> flags = flags_of(line);
    std::istringstream words(line);
    std::string value;
    if (!flags.empty()) words >> value;
    words >> value;
    if (!line.starts_with("  ") || !kPaths.contains(value.substr(0, value.find("...")))) continue;
    last = &options[flags.empty() ? "" : flags.back()];
    *last = line;
  }
  return options;
}

// A file or folder named "-" is a mistake.
TEST_F(HelpTest, ADashIsAStreamOrRefused) {
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (const Arguments& command : all_commands()) {
    if (command == Arguments{"vocab", "fetch"}) continue;  // takes names
    for (const auto& [flag, help] : path_options(command)) {
      if (flag == "--config" || help.find("- is std") != std::string::npos) {
        ++taken;
        continue;
      }
      ++refused;
      const Arguments given = flag.empty() ? Arguments{"-"} : Arguments{flag, "-"};
      const Finished finished = bertprep(command + given, {.folder = folder().path()});
      EXPECT_EQ(finished.exit_status, 2) << name_of(command + given);
      EXPECT_THAT(finished.err, HasSubstr("'-' does not stand for stdin or stdout here; give a path, ./- for one"))
          << name_of(command + given);
    }
  }
  EXPECT_GE(taken, 20U);
  EXPECT_GE(refused, 60U);
  const std::string config = folder().write("config.json", R"({"templates": "-"})");
  fail(2, {"extract", sample("sample_wiki.xml"), "-o", path("x"), "--config", config}, {"--templates: '-' does not"},
       {.folder = folder().path()});
  EXPECT_FALSE(fs::exists(path("-")));
  succeed({"format", sample("sample.jsonl"), "-o", "./-"}, {.folder = folder().path()});
  EXPECT_TRUE(fs::exists(path("-")));
}

TEST_F(HelpTest, AnAddressIsNoPath) {
  std::size_t refused = 0;
  for (const Arguments& command : all_commands()) {
    for (const auto& [flag, help] : path_options(command)) {
      if (help.find("addresses") != std::string::npos) continue;
      ++refused;
      const Arguments given = flag.empty() ? Arguments{"s3://bucket/x"} : Arguments{flag, "s3://bucket/x"};
      const Finished finished = bertprep(command + given, {.folder = folder().path()});
      EXPECT_EQ(finished.exit_status, 2) << name_of(command + given);
      EXPECT_THAT(finished.err, HasSubstr("'s3://bucket/x' is an address, and only files of this machine are read and "
                                          "written; give a path, and copy the files with 'aws s3 sync'"))
          << name_of(command + given);
    }
  }
  EXPECT_GE(refused, 80U);
  for (const char* command : {"run", "plan"}) fail(2, {command, "hf://datasets/x"}, {"huggingface-cli"});
  const std::string text = folder().write("t.txt", "One.\n\nTwo.\n");
  const std::string config = folder().write("config.json", R"({"vocab": "https://example.org/vocab.txt"})");
  const RunOptions here{.folder = folder().path()};
  fail(2, {"run", "-i", text, "-o", "r", "--config", config}, {"--vocab: 'https://example.org/vocab.txt'", "curl"},
       here);
  const Finished elsewhere =
      run_program({BERTPREP_PROGRAM, "run", "-i", text, "-o", "r"},
                  {.folder = folder().path(), .environment = {{"BERT_PREP_WORKING_DIR", "gs://b"}}});
  EXPECT_EQ(elsewhere.exit_status, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("BERT_PREP_WORKING_DIR: 'gs://b' is an address"));
  EXPECT_THAT(names_of(read_tree(folder().path())), testing::UnorderedElementsAre("config.json", "t.txt"));
  succeed({"format", text, "-o", "a:b/c.txt"}, here);
  EXPECT_TRUE(fs::exists(path("a:b/c.txt")));
}

TEST_F(HelpTest, AFullOutputIsAnError) {
  const std::string root = path("root");
  for (const Arguments& command : std::vector<Arguments>{
           {"--help"}, {"--version"}, {"run", "-h"}, {"man"}, {"run", "-o", root, "--print-config"}}) {
    const Finished finished = bertprep(command, {.output = "/dev/full"});
    EXPECT_EQ(finished.exit_status, 1) << name_of(command);
    EXPECT_THAT(finished.err, HasSubstr("stdout: can't be written"));
  }
}

TEST_F(HelpTest, FitsATerminalOfEightyColumns) {
  std::vector<Arguments> commands = all_commands();
  commands.insert(commands.end(), {{}, {"vocab"}});
  for (const Arguments& command : commands) {
    for (const char* flag : {"-h", "--help"}) {
      std::istringstream lines(succeed(command + Arguments{flag}).out);
      for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

// Text laid out by man fits; the rest is preformatted, after a margin of seven columns or, after ".in 0", none.
TEST_F(HelpTest, ManualPagesFitThemToo) {
  succeed({"man", "-o", path("man")});
  std::size_t kept = 0;
  for (const auto& page : fs::directory_iterator(path("man"))) {
    std::ifstream lines(page.path());
    bool is_kept = false;
    std::size_t room = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line == ".nf" || line == ".fi") is_kept = line == ".nf";
      if (line == ".nf") room = 73;
      if (line == ".in 0") room = 80;
      if (!is_kept) continue;
      const auto escapes = std::count(line.begin(), line.end(), '\\');
      EXPECT_LE(line.size() - static_cast<std::size_t>(escapes), room) << page.path() << ": " << line;
      ++kept;
    }
  }
  EXPECT_GT(kept, 80U);
}

TEST_F(HelpTest, ManualPagesReplaceNoOtherPage) {
  succeed({"man", "-o", path("man")});
  const std::string page = read_bytes(folder() / "man/bertprep-run.1");
  succeed({"man", "-o", path("man")});
  const fs::path own = folder().write("man/bertprep-run.1", ".TH MINE 1\n");
  fail(1, {"man", "-o", path("man")}, {"bertprep-run.1: exists, and bertprep did not make it", "move it away"});
  EXPECT_EQ(read_bytes(own), ".TH MINE 1\n");
  fs::remove(own);
  succeed({"man", "-o", path("man")});
  EXPECT_EQ(read_bytes(own), page);
}

TEST_F(HelpTest, TheSummaryFitsThemToo) {
  std::istringstream lines(succeed(run_sample()).err);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_row = line.starts_with("stage ") || line.starts_with("format ") || line.starts_with("instances ");
    rows += is_row ? 1 : 0;
    if (is_row) {
      EXPECT_EQ(line.size(), 80U) << line;
    }
  }
  EXPECT_EQ(rows, 3U);
}

}  // namespace
}  // namespace bertprep::test
