// What the program says about itself.
#include <algorithm>

#include "bertprep/version.h"
#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

const std::vector<Arguments> kCommands = {{"run"},       {"format"},        {"shard"},          {"instances"},
                                          {"verify"},    {"inspect"},       {"hash"},           {"tokenize"},
                                          {"sentences"}, {"vocab", "list"}, {"vocab", "check"}, {"vocab", "train"}};

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

TEST_F(HelpTest, OfEveryCommandHasTwoExamplesAndSaysWhatItDoes) {
  for (const Arguments& command : kCommands) {
    const std::string help = succeed(command + Arguments{"--help"}).out + "\n ";
    // The last word of an example may end its line.
    std::string lines = help;
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    EXPECT_GE(examples_in(lines, name_of(command)), 2U) << help;
    EXPECT_THAT(help, HasSubstr("Usage: bertprep " + name_of(command)));
  }
}

TEST_F(HelpTest, OfTheProgramNamesEveryCommand) {
  const std::string help = succeed({"--help"}).out;
  for (const Arguments& command : kCommands) EXPECT_THAT(help, HasSubstr("\n  " + command.front() + " "));
}

TEST_F(HelpTest, NamesOptionsWithTheirDefaults) {
  const std::string help = succeed({"run", "--help"}).out;
  for (const char* option : {"--dupe-factor", "default 5)", "--random-seed", "default 12345)", "--train-shards",
                             "default 256)", "--no-lower-case", "-j,--threads", "--memory", "--config"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
}

TEST_F(HelpTest, VersionIsOneLine) {
  EXPECT_EQ(succeed({"--version"}).out, std::string("bertprep ") + kVersion + "\n");
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
  fail(2, {}, {"subcommand"});
}

}  // namespace
}  // namespace bertprep::test
